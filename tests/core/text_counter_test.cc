#include "core/train/text_counter.h"

#include <doctest/doctest.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/error.h"
#include "sql/system/memory.h"
#include "tests/core/synthetic_text.h"
#include "tests/support/error_of.h"

namespace s2v {
namespace {

// Everything of a corpus.
std::string Dump(const Corpus& corpus) {
  std::string all = std::to_string(corpus.text_count) + " " + std::to_string(corpus.known_tokens) +
                    " " + std::to_string(corpus.vocabulary.token_count);
  for (uint32_t id = 0; id < corpus.vocabulary.size(); id++) {
    all += " " + std::string(corpus.vocabulary.words[id]) + ":" +
           std::to_string(corpus.vocabulary.counts[id]);
  }
  for (const std::string& form : corpus.vocabulary.forms) all += " " + form;
  for (const uint32_t bucket : corpus.ngram_buckets) all += " " + std::to_string(bucket);
  for (const uint32_t count : corpus.ngram_counts) all += " " + std::to_string(count);
  for (uint64_t i = 0; i < corpus.sentences(); i++) {
    const Sentence sentence = test::SentenceOf(corpus, i);
    for (const uint32_t word : sentence.words) all += " " + std::to_string(word);
    for (const uint32_t row : sentence.ngram_rows) all += "," + std::to_string(row);
  }
  return all;
}

#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
constexpr bool kSlow = true;  // and with an allocator of its own
#else
constexpr bool kSlow = false;
#endif

TEST_CASE("a corpus does not depend on the number of workers") {
  Config config = test::SmallConfig();
  config.ngram_order = 2;
  config.min_count = 2;
  // Several batches for each worker; ties of counts among rare words, a text beyond a batch.
  auto texts = test::ZipfTexts(kSlow ? 3000 : 15000, 3000, 30, 5);
  std::string long_text;
  for (int i = 0; i < 60000; i++) long_text += "w" + std::to_string(i % 5000) + " ";
  texts.insert(texts.begin() + 2000, long_text);
  std::string expected;
  for (const int64_t workers : {1, 2, 3, 8}) {
    CAPTURE(workers);
    config.workers = workers;
    const std::string dump = Dump(test::BuildCorpus(config, texts));
    if (expected.empty()) expected = dump;
    CHECK((dump == expected));
  }
}

TEST_CASE("the commonest whole word of a stem does not depend on the number of workers") {
  Config config = test::SmallConfig();
  config.tokenizer = "english";
  config.min_count = 1;
  // Enough for several batches; of hope the words alternate, and of two that are as frequent the
  // first in the alphabet counts.
  std::vector<std::string> texts;
  for (int i = 0; i < 20000; i++) {
    texts.push_back(i % 3 == 0   ? "Hoping workers"
                    : i % 3 == 1 ? "they hoped again"
                                 : "hopes of boats hopes");
    texts.back() += i % 2 == 0 ? " crying" : " cried";
  }
  std::string expected;
  for (const int64_t workers : {1, 2, 8}) {
    CAPTURE(workers);
    config.workers = workers;
    const Corpus corpus = test::BuildCorpus(config, texts);
    const Vocabulary& words = corpus.vocabulary;
    const auto form = [&](std::string_view word) {
      return words.forms[words.words.Find(word, HashWord(word))];
    };
    CHECK(form("hope") == "hopes");
    CHECK(form("boat") == "boats");
    CHECK(form("cri") == "cried");
    CHECK(form("again").empty());
    const std::string dump = Dump(corpus);
    if (expected.empty()) expected = dump;
    CHECK((dump == expected));
  }
}

// Fails from the n-th text on.
class FailingTokenizer final : public Tokenizer {
 public:
  FailingTokenizer() : Tokenizer("failing", 1) {}
  void Tokenize(std::string_view text, Tokens* tokens) const override {
    tokens->Clear();
    if (text == "fail") throw std::bad_alloc();
    tokens->bytes() += text;
    tokens->EndToken();
  }
};

TEST_CASE("an error of a worker reaches the one who adds, and all threads end") {
  const FailingTokenizer tokenizer;
  for (const size_t workers : {1, 4}) {
    for (const int failing : {0, 30000, 59999}) {
      CAPTURE(workers);
      CAPTURE(failing);
      BlockStore blocks{Spool()};
      TextCounter counter(tokenizer, workers, 1000000, 1000, &blocks);
      const auto count = [&] {
        for (int i = 0; i < 60000; i++) counter.Add(i == failing ? "fail" : "text");
        counter.Finish();
      };
      CHECK_THROWS_AS(count(), std::bad_alloc);
    }
  }
}

#ifdef __GLIBC__

uint64_t MemoryInUse() {
  const struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

TEST_CASE("counting takes no more memory than it is given, however many words there are") {
  constexpr uint64_t kBytes = 8000000;
  constexpr uint64_t kTexts = kSlow ? 50000 : 300000;
  for (const int64_t workers : {1, 4}) {
    CAPTURE(workers);
    Config config = test::SmallConfig();
    config.workers = workers;
    config.min_count = 2;
    const uint64_t before = MemoryInUse();
    uint64_t most = 0;
    CorpusBuilder builder(config, {}, kBytes);
    for (uint64_t i = 0; i < kTexts; i++) {
      builder.Add("common words and word" + std::to_string(i));
      if (i % 1000 == 0) most = std::max(most, MemoryInUse() - before);
    }
    builder.shape();
    most = std::max(most, MemoryInUse() - before);
    // 1.2 million tokens take 2.5 MB, new ids 4 bytes for each word; batches wait for workers.
    if (!kSlow) CHECK(most < kBytes + 3000000 + 2400000 + 1000000);
    const Corpus corpus = builder.Finish();
    CHECK(corpus.vocabulary.size() == 3);
    CHECK(corpus.vocabulary.counts[0] == kTexts);
  }
}
#endif

TEST_CASE("a counter that is given up in the middle ends its threads") {
  for (int round = 0; round < 10; round++) {
    BlockStore blocks{Spool()};
    TextCounter counter(*FindTokenizer("unicode"), 3, 1000000, 1000, &blocks);
    for (int i = 0; i < round * 3000; i++) counter.Add("some text to be counted");
    CHECK(counter.text_count() == static_cast<uint64_t>(round) * 3000);
  }
}

TEST_CASE("an estimate of the memory grows with what takes it, and too little is refused") {
  Config config = test::SmallConfig();
  config.ngram_order = 2;
  const Corpus corpus = test::BuildCorpus(config, test::ZipfTexts(2000, 500, 20, 3));
  const MemoryNeed need = NeedOf(config, corpus);
  CHECK(need.source == (corpus.vocabulary.size() + corpus.ngram_buckets.size()) * 64);
  CHECK(need.target == corpus.vocabulary.size() * 64);
  CHECK(need.texts >= corpus.store.memory_bytes());
  CHECK(need.rare > 1024 * 64);
  CHECK(need.Total() ==
        need.source + need.target + need.rare + need.texts + need.tables + need.workers);
  Config wide = config;
  wide.dimension = 160;
  CHECK(NeedOf(wide, corpus).source == 10 * need.source);
  Config many = config;
  many.workers = 10;
  CHECK(NeedOf(many, corpus).workers == 10 * need.workers);

  CHECK_NOTHROW(CheckMemory(need, 0, config));
  CHECK_NOTHROW(CheckMemory(need, need.Total(), config));
  const auto error = [&](const MemoryNeed& of) {
    return test::ErrorOf([&] { CheckMemory(of, 2000000000, config); });
  };
  CHECK(error({3000000000, 1000000000, 0, 0, 0}) ==
        "training needs about 4000 MB, and 2000 MB are available; lower dimension (16), or raise "
        "min_count (1), or lower ngram_order (2)");
  config.ngram_order = 1;
  CHECK(error({0, 0, 3000000000, 0, 0}) ==
        "training needs about 3000 MB, and 2000 MB are available; lower dimension (16), or raise "
        "min_count (1)");
  CHECK(error({2000000001, 0, 0, 0, 0}).starts_with("training needs about 2001 MB, and 2000 MB"));
}

}  // namespace
}  // namespace s2v
