#include "core/train/corpus.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/vocab/hash.h"
#include "tests/core/synthetic_text.h"
#include "tests/support/error_of.h"

namespace s2v {
namespace {

using test::BuildCorpus;
using test::SentenceOf;
using test::SmallConfig;

// The sentences with a '?' for each unknown word.
std::vector<std::string> SentencesOf(const Corpus& corpus) {
  std::vector<std::string> sentences;
  for (uint64_t i = 0; i < corpus.sentences(); i++) {
    std::string text;
    for (const uint32_t id : SentenceOf(corpus, i).words) {
      if (!text.empty()) text += " ";
      text += id == kUnknownWord ? "?" : std::string(corpus.vocabulary.words[id]);
    }
    sentences.push_back(text);
  }
  return sentences;
}

std::string ErrorOf(const Config& config, const std::vector<std::string>& texts) {
  return test::ErrorOf([&] { BuildCorpus(config, texts); });
}

TEST_CASE("sentences keep their tokens in order, unknown ones as unknown") {
  Config config = SmallConfig();
  config.min_count = 2;
  const Corpus corpus = BuildCorpus(config, {"the cat sat", "  the  cat\tran ", "", "the sat"});
  CHECK(SentencesOf(corpus) == std::vector<std::string>{"the cat sat", "the cat ?", "the sat"});
  CHECK(corpus.text_count == 4);
  CHECK(corpus.vocabulary.token_count == 8);
  CHECK(corpus.ngram_buckets.empty());
}

TEST_CASE("sentences of fewer than two known words are dropped, their words still count") {
  Config config = SmallConfig();
  config.min_count = 2;
  const Corpus corpus =
      BuildCorpus(config, {"a", "b x", "a b", "y z", "a y2 b z2", "c q", "c", "a a"});
  CHECK(SentencesOf(corpus) == std::vector<std::string>{"a b", "a ? b ?", "a a"});
  CHECK(corpus.vocabulary.counts[corpus.vocabulary.words.Find("c", HashWord("c"))] == 2);
  CHECK(corpus.text_count == 8);
}

TEST_CASE("the vocabulary is cut at max_vocabulary") {
  Config config = SmallConfig();
  config.max_vocabulary = 2;
  const Corpus corpus = BuildCorpus(config, {"a a a b b c", "c b a"});
  CHECK(corpus.vocabulary.size() == 2);
  CHECK(SentencesOf(corpus) == std::vector<std::string>{"a a a b b ?", "? b a"});
}

TEST_CASE("a long text becomes several sentences, as equal as can be") {
  for (const size_t most : {2, 3, 30, 1000}) {
    for (const size_t length : {most - 1, most, most + 1, most + 2, 3 * most, 3 * most + 7}) {
      CAPTURE(most);
      CAPTURE(length);
      std::string text;
      for (size_t i = 0; i < length; i++) text += test::Word(i % 10) + " ";
      Config config = SmallConfig();
      config.recipe.max_sentence_words = static_cast<int64_t>(most);
      const Corpus corpus = BuildCorpus(config, {"w0 w1", text, "w2 w3"});
      size_t least = length, longest = 0, pieces = 0;
      std::string read;
      for (uint64_t i = 1; i + 1 < corpus.sentences(); i++, pieces++) {
        const std::vector<uint32_t> words = SentenceOf(corpus, i).words;
        least = std::min(least, words.size());
        longest = std::max(longest, words.size());
        for (const uint32_t id : words) read += std::string(corpus.vocabulary.words[id]) + " ";
      }
      CHECK(corpus.text_count == 3);
      CHECK(longest <= most);
      if (most == 2 || length < 2) continue;  // pieces of one word are left out
      CHECK(read == text);
      CHECK(pieces == (length + most - 1) / most);
      CHECK(longest - least <= 1);
    }
  }
}

// The n-grams of the sentences, word by word.
std::map<uint64_t, uint32_t> NaiveBuckets(const Corpus& corpus, const Config& config) {
  std::map<uint64_t, uint32_t> counts;
  for (uint64_t i = 0; i < corpus.sentences(); i++) {
    const auto sentence = SentenceOf(corpus, i).words;
    for (size_t start = 0; start < sentence.size(); start++) {
      for (size_t n = 2; n <= static_cast<size_t>(config.ngram_order); n++) {
        if (start + n > sentence.size()) break;
        std::vector<uint64_t> hashes;
        for (size_t j = start; j < start + n && sentence[j] != kUnknownWord; j++) {
          hashes.push_back(HashWord(corpus.vocabulary.words[sentence[j]]));
        }
        if (hashes.size() < n) break;  // over an unknown word
        counts[XXH3_64bits(hashes.data(), n * 8) % kBucketCount]++;
      }
    }
  }
  return counts;
}

// Whether each n-gram of each sentence has the row of its bucket, word by word.
bool NaiveRows(const Corpus& corpus, const Config& config) {
  bool right = true;
  for (uint64_t i = 0; i < corpus.sentences(); i++) {
    const Sentence sentence = SentenceOf(corpus, i);
    const size_t length = sentence.words.size();
    for (size_t start = 0; start < length; start++) {
      std::vector<uint64_t> hashes;
      for (size_t n = 1; n <= static_cast<size_t>(config.ngram_order); n++) {
        uint32_t row = kNoRow;
        const bool known = hashes.size() == n - 1 && start + n <= length &&
                           sentence.words[start + n - 1] != kUnknownWord;
        if (known) {
          hashes.push_back(HashWord(corpus.vocabulary.words[sentence.words[start + n - 1]]));
          const uint64_t bucket = XXH3_64bits(hashes.data(), n * 8) % kBucketCount;
          const auto at =
              std::find(corpus.ngram_buckets.begin(), corpus.ngram_buckets.end(), bucket);
          if (at != corpus.ngram_buckets.end()) {
            row = static_cast<uint32_t>(at - corpus.ngram_buckets.begin());
          }
        }
        if (n > 1) right &= sentence.ngram_rows[(n - 2) * length + start] == row;
      }
    }
  }
  return right;
}

TEST_CASE("n-gram buckets are counted as a naive count does and rare ones get no row") {
  for (const int64_t order : {2, 3, 5}) {
    for (const int64_t min_ngram_count : {1, 2, 6}) {
      CAPTURE(order);
      CAPTURE(min_ngram_count);
      Config config = SmallConfig();
      config.min_count = 3;
      config.ngram_order = order;
      config.recipe.min_ngram_count = min_ngram_count;
      const Corpus corpus = BuildCorpus(config, test::ZipfTexts(60, 40, 12, 5));
      std::vector<uint32_t> expected_buckets, expected_counts;
      for (const auto& [bucket, count] : NaiveBuckets(corpus, config)) {
        if (count < min_ngram_count) continue;
        expected_buckets.push_back(static_cast<uint32_t>(bucket));
        expected_counts.push_back(count);
      }
      REQUIRE(!expected_buckets.empty());
      CHECK(corpus.ngram_buckets == expected_buckets);
      CHECK(corpus.ngram_counts == expected_counts);
      CHECK(NaiveRows(corpus, config));
    }
  }
}

TEST_CASE("a text without a word is nothing to train on") {
  CHECK(
      ErrorOf(SmallConfig(), {}) ==
      "nothing to train on: 0 texts with 0 tokens; NULLs, BLOBs and rows that `where` leaves out are no texts");
  CHECK(ErrorOf(SmallConfig(), {"", "  \n"}) == "nothing to train on: 2 texts with 0 tokens");
}

TEST_CASE("texts without two known words are nothing to train on, and min_count is the way out") {
  Config config = SmallConfig();
  config.min_count = 3;
  CHECK(ErrorOf(config, {"x y", "y z"}) ==
        "nothing to train on: 2 texts with 4 tokens, none with two words that occur min_count = 3 "
        "times; lower min_count");
}

TEST_CASE("fewer than two words to predict are refused, and min_target_count is the way out") {
  Config config = SmallConfig();
  config.min_target_count = 3;
  CHECK(ErrorOf(config, {"a b", "a b", "a c"}) ==
        "nothing to predict: fewer than two words occur min_target_count = 3 times; lower "
        "min_target_count");
  CHECK(ErrorOf(config, {"a b", "a b", "a b"}) == "");
  CHECK(ErrorOf(SmallConfig(), {"a a a a"}) ==
        "nothing to predict: fewer than two words occur min_target_count = 1 times; texts of "
        "several words are needed");
}

TEST_CASE("an unknown tokenizer is refused before any text") {
  Config config = SmallConfig();
  config.tokenizer = "none such";
  CHECK_THROWS_AS(CorpusBuilder{config}, InvalidArgument);
}

TEST_CASE("the builder tells how far it is") {
  CorpusBuilder builder(SmallConfig());
  builder.Add("a b c");
  builder.Add("");
  CHECK(builder.text_count() == 2);
  CHECK(builder.shape().texts == 2);
  CHECK(builder.shape().tokens == 3);
  CHECK(builder.shape().distinct_words == 3);
  CHECK(builder.token_count() == 3);
}

TEST_CASE("finishing can be given up") {
  struct Own {};
  CorpusBuilder builder(SmallConfig());
  builder.Add("a b c");
  CHECK_THROWS_AS(builder.Finish([] { throw Own(); }), Own);
}

}  // namespace
}  // namespace s2v
