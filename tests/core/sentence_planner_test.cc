// Leave-one-out contexts, dropout, targets and their negative samples, against a naive
// recomputation from the sentence.
#include "core/train/sentence_planner.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "core/train/corpus.h"
#include "core/train/sampling.h"
#include "core/train/sgd_step.h"
#include "tests/core/naive_step.h"
#include "tests/core/synthetic_text.h"

namespace s2v {
namespace {

using test::SmallConfig;

// A planner with all that it refers to.
struct PlannerFixture {
  Config config;
  Corpus corpus;
  uint32_t target_words;
  std::vector<float> keep, context_keep;
  NegativeSampler sampler;
  SentencePlanner planner;
  Random random;

  PlannerFixture(const Config& c, const std::vector<std::string>& texts, double t)
      : config(c),
        corpus(test::BuildCorpus(c, texts)),
        target_words(corpus.vocabulary.PrefixWithCount(static_cast<uint64_t>(c.min_target_count))),
        keep(KeepProbabilities(corpus.vocabulary, target_words, t)),
        context_keep(ContextProbabilities(corpus.vocabulary, c)),
        sampler(corpus.vocabulary, target_words),
        planner(config, corpus.vocabulary.size(), keep, context_keep, sampler),
        random(1) {}

  StepPlan Plan(const std::vector<uint32_t>& words) {
    return Plan(test::SentenceOf(corpus, config, words));
  }
  StepPlan Plan(const Sentence& sentence) {
    StepPlan plan;
    plan.negatives = {1, 2, 3};  // Plan replaces what is there
    plan.targets.resize(5);
    plan.groups.resize(5);
    planner.Plan(sentence, &random, &plan);
    return plan;
  }
};

struct Ngram {
  size_t start, n;
  uint32_t row;
};

// Every n-gram with a row, word by word.
std::vector<Ngram> NaiveNgrams(const PlannerFixture& f, std::span<const uint32_t> sentence) {
  std::vector<Ngram> ngrams;
  for (size_t start = 0; start < sentence.size(); start++) {
    for (size_t n = 2; n <= static_cast<size_t>(f.config.ngram_order); n++) {
      if (start + n > sentence.size()) break;
      std::vector<uint64_t> hashes;
      for (size_t i = start; i < start + n && sentence[i] != kUnknownWord; i++) {
        hashes.push_back(HashWord(f.corpus.vocabulary.words[sentence[i]]));
      }
      if (hashes.size() < n) break;
      const uint64_t bucket = HashNgram(hashes.data(), n) % kBucketCount;
      const auto at =
          std::lower_bound(f.corpus.ngram_buckets.begin(), f.corpus.ngram_buckets.end(), bucket);
      if (at == f.corpus.ngram_buckets.end() || *at != bucket) continue;
      ngrams.push_back({start, n,
                        f.corpus.vocabulary.size() +
                            static_cast<uint32_t>(at - f.corpus.ngram_buckets.begin())});
    }
  }
  return ngrams;
}

std::multiset<uint32_t> KnownWords(std::span<const uint32_t> sentence) {
  std::multiset<uint32_t> words;
  for (const uint32_t word : sentence) {
    if (word != kUnknownWord) words.insert(word);
  }
  return words;
}

// The groups are of all targets in their order, each of as many as may be together and are of
// different words; their samples are a set without their words.
void CheckGroups(const PlannerFixture& f, const StepPlan& plan) {
  const auto together = static_cast<uint32_t>(std::min<int64_t>(f.config.recipe.negative_reuse, 4));
  uint32_t targets_end = 0, negatives_end = 0;
  for (const StepPlan::Group& group : plan.groups) {
    CHECK(group.targets_begin == targets_end);
    CHECK(group.negatives_begin == negatives_end);
    targets_end = group.targets_end;
    negatives_end = group.negatives_end;
    REQUIRE(group.targets_begin < targets_end);
    REQUIRE(targets_end <= plan.targets.size());
    REQUIRE(group.negatives_begin <= negatives_end);
    REQUIRE(negatives_end <= plan.negatives.size());
    const uint32_t size = targets_end - group.targets_begin;
    CHECK(size <= together);
    CHECK(group.drawn_targets < 1u << size);
    CHECK(negatives_end - group.negatives_begin <= f.config.negatives);
    std::set<uint32_t> words;
    for (const StepPlan::Target& t : test::TargetsOf(plan, group)) words.insert(t.word);
    CHECK(words.size() == size);
    if (size < together && targets_end < plan.targets.size()) {
      CHECK(words.contains(plan.targets[targets_end].word));
    }
    const std::vector<uint32_t> negatives = test::NegativesOf(plan, group);
    words.insert(negatives.begin(), negatives.end());
    CHECK(words.size() == size + negatives.size());
  }
  CHECK(targets_end == plan.targets.size());
  CHECK(negatives_end == plan.negatives.size());
  for (const uint32_t word : plan.negatives) REQUIRE(word < f.target_words);
}

// What must hold of any plan's form.
void CheckForm(const PlannerFixture& f, const StepPlan& plan) {
  CheckGroups(f, plan);
  uint32_t excluded = 0;
  std::map<uint32_t, std::pair<uint32_t, uint32_t>>
      ranges;  // a word that is a target twice shares them
  for (const StepPlan::Target& t : plan.targets) {
    CHECK(t.word < f.target_words);
    const auto [range, first] = ranges.try_emplace(t.word, t.excluded_begin, t.excluded_end);
    if (first) {
      CHECK(t.excluded_begin == excluded);
      excluded = t.excluded_end;
    } else {
      CHECK(range->second == std::pair(t.excluded_begin, t.excluded_end));
    }
    REQUIRE(t.excluded_begin <= t.excluded_end);
    CHECK(t.excluded_end - t.excluded_begin < plan.rows.size());  // something is left
    std::vector<uint32_t> sorted(plan.excluded.begin() + t.excluded_begin,
                                 plan.excluded.begin() + t.excluded_end);
    std::sort(sorted.begin(), sorted.end());
    CHECK(std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end());
    CHECK((sorted.empty() || sorted.back() < plan.rows.size()));
  }
  CHECK(excluded == plan.excluded.size());
}

// Sentences of a few words, some of them unknown.
std::vector<std::vector<uint32_t>> RandomSentences(uint32_t words, uint32_t count, Random* random) {
  std::vector<std::vector<uint32_t>> sentences(count);
  for (auto& sentence : sentences) {
    const uint32_t length = 2 + random->Below(24), types = 1 + random->Below(words);
    for (uint32_t i = 0; i < length; i++) {
      sentence.push_back(random->Below(8) == 0 ? kUnknownWord : random->Below(types));
    }
  }
  return sentences;
}

// Words w0 .. w5 in every order, so that most n-grams of random sentences have a row.
std::vector<std::string> DenseTexts() {
  return test::ZipfTexts(400, 6, 20, 3);
}

TEST_CASE("without dropout a context is the sentence without the word and the n-grams over it") {
  for (int64_t order = 1; order <= 5; order++) {
    for (const int64_t reuse : {1, 3, 10}) {
      CAPTURE(order);
      CAPTURE(reuse);
      Config config = SmallConfig();
      config.ngram_order = order;
      config.ngram_dropout = 0;
      config.recipe.negative_reuse = reuse;
      config.negatives = 3;
      config.recipe.min_ngram_count = 2;
      PlannerFixture f(config, DenseTexts(), 1);  // t = 1: every word is kept
      Random random(order);
      for (const auto& sentence : RandomSentences(f.corpus.vocabulary.size(), 60, &random)) {
        const StepPlan plan = f.Plan(sentence);
        CheckForm(f, plan);
        const auto ngrams = NaiveNgrams(f, sentence);
        std::multiset<uint32_t> rows = KnownWords(sentence);
        for (const Ngram& ngram : ngrams) rows.insert(ngram.row);
        CHECK(std::multiset<uint32_t>(plan.rows.begin(), plan.rows.end()) == rows);

        size_t target = 0;
        for (const uint32_t word : sentence) {
          if (word == kUnknownWord) continue;
          std::multiset<uint32_t> context;
          for (const uint32_t other : KnownWords(sentence)) {
            if (other != word) context.insert(other);
          }
          for (const Ngram& ngram : ngrams) {
            const auto begin = sentence.begin() + static_cast<int64_t>(ngram.start);
            const auto end = begin + static_cast<int64_t>(ngram.n);
            if (std::find(begin, end, word) == end) context.insert(ngram.row);
          }
          if (context.empty()) continue;
          REQUIRE(target < plan.targets.size());
          const StepPlan::Target& t = plan.targets[target++];
          CHECK(t.word == word);
          const auto actual = test::ContextOf(plan, t);
          REQUIRE(std::multiset<uint32_t>(actual.begin(), actual.end()) == context);
        }
        CHECK(target == plan.targets.size());
      }
    }
  }
}

TEST_CASE("dropout takes K n-grams but at most half of them, never words") {
  for (int64_t order = 1; order <= 5; order++) {
    for (const int64_t dropout : {0, 1, 4, 1000000}) {
      CAPTURE(order);
      CAPTURE(dropout);
      Config config = SmallConfig();
      config.ngram_order = order;
      config.ngram_dropout = dropout;
      PlannerFixture f(config, DenseTexts(), 1);
      // Of an n-gram's row: its words, for the few rows where n-grams collide all of theirs.
      std::map<uint32_t, std::set<std::vector<uint32_t>>> words_of;
      Random random(order);
      const auto sentences = RandomSentences(f.corpus.vocabulary.size(), 60, &random);
      for (const auto& sentence : sentences) {
        for (const Ngram& ngram : NaiveNgrams(f, sentence)) {
          const auto begin = sentence.begin() + static_cast<int64_t>(ngram.start);
          words_of[ngram.row].emplace(begin, begin + static_cast<int64_t>(ngram.n));
        }
      }
      int checked = 0;
      for (const auto& sentence : sentences) {
        const StepPlan plan = f.Plan(sentence);
        CheckForm(f, plan);
        std::multiset<uint32_t> words, kept, all;
        for (const uint32_t row : plan.rows) {
          (row < f.corpus.vocabulary.size() ? words : kept).insert(row);
        }
        for (const Ngram& ngram : NaiveNgrams(f, sentence)) all.insert(ngram.row);
        CHECK(words == KnownWords(sentence));
        CHECK(std::includes(all.begin(), all.end(), kept.begin(), kept.end()));
        const size_t dropped = std::min<size_t>(static_cast<size_t>(dropout), all.size() / 2);
        CHECK(kept.size() == all.size() - dropped);
        // A kept feature is out of a target's context just when it is or contains the word.
        for (const StepPlan::Target& t : plan.targets) {
          const std::set<uint32_t> excluded(plan.excluded.begin() + t.excluded_begin,
                                            plan.excluded.begin() + t.excluded_end);
          for (uint32_t i = 0; i < plan.rows.size(); i++) {
            const uint32_t row = plan.rows[i];
            bool contains = row == t.word;
            if (row >= f.corpus.vocabulary.size()) {
              if (words_of.at(row).size() > 1) continue;
              const auto& ngram = *words_of.at(row).begin();
              contains = std::find(ngram.begin(), ngram.end(), t.word) != ngram.end();
            }
            REQUIRE(contains == (excluded.count(i) == 1));
            checked++;
          }
        }
      }
      CHECK(checked > 5000);
    }
  }
}

TEST_CASE("every n-gram is dropped equally often") {
  Config config = SmallConfig();
  config.ngram_order = 2;
  config.ngram_dropout = 3;
  PlannerFixture f(config, {"a b c d e f g h i"}, 1);  // 8 bigrams
  const int plans = 8000;
  std::map<uint32_t, int> kept;
  for (int i = 0; i < plans; i++) {
    for (const uint32_t row : f.Plan(test::SentenceOf(f.corpus, 0)).rows) kept[row]++;
  }
  for (const auto& [row, times] : kept) {
    if (row < f.corpus.vocabulary.size()) {
      CHECK(times == plans);
    } else {
      // binomial with p = 5/8: five standard deviations
      CHECK(std::fabs(times - plans * 5 / 8.0) < 5 * std::sqrt(plans * 15 / 64.0));
    }
  }
  CHECK(kept.size() == 17);
}

TEST_CASE("a word is a target as often as its keep probability says") {
  for (const int64_t order : {1, 2}) {
    CAPTURE(order);
    Config config = SmallConfig();
    config.ngram_order = order;
    config.min_target_count = 4;
    std::vector<std::string> texts = test::ZipfTexts(200, 30, 15, 4);
    texts.push_back("rare other w0");
    const double t = 0.01;
    PlannerFixture f(config, texts, t);
    REQUIRE(f.target_words < f.corpus.vocabulary.size());
    std::vector<uint64_t> chances(f.corpus.vocabulary.size()), targets(chances.size());
    for (int epoch = 0; epoch < 30; epoch++) {
      for (uint64_t i = 0; i < f.corpus.sentences(); i++) {
        const auto sentence = test::SentenceOf(f.corpus, i);
        const auto words = KnownWords(sentence.words);
        // a word that is alone in its sentence can never be a target
        for (const uint32_t word : words) chances[word] += words.count(word) < words.size();
        for (const StepPlan::Target& target : f.Plan(sentence).targets) targets[target.word]++;
      }
    }
    for (uint32_t word = 0; word < chances.size(); word++) {
      CAPTURE(word);
      const double frequency = f.corpus.vocabulary.Frequency(word);
      const double keep =
          word >= f.target_words ? 0 : std::min(1.0, std::sqrt(t / frequency) + t / frequency);
      const auto n = static_cast<double>(chances[word]);
      // binomial: five standard deviations, and none where the probability is 0 or 1
      CHECK(std::fabs(static_cast<double>(targets[word]) - n * keep) <=
            5 * std::sqrt(n * keep * (1 - keep)));
    }
  }
}

TEST_CASE("targets come in the order of the sentence") {
  PlannerFixture f(SmallConfig(), {"a b c d e f g h", "h g f e d c b a"}, 0.02);
  for (int i = 0; i < 200; i++) {
    const StepPlan plan = f.Plan(test::SentenceOf(f.corpus, 0));
    const auto sentence = test::SentenceOf(f.corpus, 0).words;
    auto at = sentence.begin();
    for (const StepPlan::Target& target : plan.targets) {
      at = std::find(at, sentence.end(), target.word);
      REQUIRE(at != sentence.end());
      ++at;
    }
  }
}

TEST_CASE(
    "groups are of four targets, and of fewer where a word comes again or the sentence ends") {
  Config config = SmallConfig();
  config.recipe.negative_reuse = 10;
  PlannerFixture f(config, {"a b c d e f g h i j", "a b a c d e f g a b", "a a b b a"}, 1);
  const auto sizes = [&](uint64_t sentence) {
    const StepPlan plan = f.Plan(test::SentenceOf(f.corpus, sentence));
    CheckForm(f, plan);
    std::vector<uint32_t> result;
    for (const auto& group : plan.groups) {
      result.push_back(group.targets_end - group.targets_begin);
    }
    return result;
  };
  CHECK(sizes(0) == std::vector<uint32_t>{4, 4, 2});
  CHECK(sizes(1) == std::vector<uint32_t>{2, 4, 4});
  CHECK(sizes(2) == std::vector<uint32_t>{1, 2, 2});
}

TEST_CASE("words that are rare are context and never targets or negative samples") {
  Config config = SmallConfig();
  config.min_target_count = 3;
  PlannerFixture f(config, {"a b x", "a b y", "a b z"}, 1);
  REQUIRE(f.target_words == 2);
  for (int i = 0; i < 50; i++) {
    const StepPlan plan = f.Plan(test::SentenceOf(f.corpus, 0));
    CheckForm(f, plan);
    REQUIRE(plan.targets.size() == 2);
    CHECK(plan.rows.size() == 3);
    CHECK(test::ContextOf(plan, plan.targets[0]).size() == 2);
  }
}

TEST_CASE("a sentence of one word, however often, has no targets") {
  for (const int64_t order : {1, 3}) {
    Config config = SmallConfig();
    config.ngram_order = order;
    config.ngram_dropout = 0;
    PlannerFixture f(config, {"a a a a", "b a", "b b"}, 1);
    const StepPlan plan = f.Plan(test::SentenceOf(f.corpus, 0));
    CHECK(plan.targets.empty());
    CHECK(plan.groups.empty());
    CHECK(plan.negatives.empty());
    CHECK(plan.excluded.empty());
    CHECK(f.Plan(test::SentenceOf(f.corpus, 1)).targets.size() == 2);
    CHECK(f.Plan(std::vector<uint32_t>{kUnknownWord, kUnknownWord}).targets.empty());
    CHECK(f.Plan(std::vector<uint32_t>{}).rows.empty());
  }
}

TEST_CASE("the longest sentence, all one word but one, excludes each feature once") {
  Config config = SmallConfig();
  config.ngram_order = 3;
  config.ngram_dropout = 0;
  constexpr auto kLongest = static_cast<size_t>(kPaper.max_sentence_words);
  std::string text = "b";
  for (size_t i = 1; i < kLongest; i++) text += " a";
  PlannerFixture f(config, {text, "a b"}, 1);
  const StepPlan plan = f.Plan(test::SentenceOf(f.corpus, 0));
  CheckForm(f, plan);
  REQUIRE(plan.targets.size() == kLongest);
  // without b: the words a and the n-grams of a alone
  CHECK(test::ContextOf(plan, plan.targets[0]).size() == [] {
    size_t size = 0;
    for (size_t n = 1; n <= 3; n++) size += kLongest - n;
    return size;
  }());
  CHECK(test::ContextOf(plan, plan.targets[1]).size() == 1);
}

TEST_CASE("frequent words are left out of contexts, and predicted from what is left") {
  for (const int64_t order : {1, 2}) {
    CAPTURE(order);
    Config config = SmallConfig();
    config.context_threshold = 0.02;
    config.ngram_order = order;
    config.ngram_dropout = 0;
    config.min_count = 3;
    PlannerFixture f(config, test::ZipfTexts(60, 200, 20, 4), 1);
    const uint32_t words = f.corpus.vocabulary.size();
    std::vector<double> stood(words), stayed(words);
    size_t targets = 0, known = 0, ngrams_left_out = 0, ngrams_stayed = 0;
    for (int round = 0; round < 20; round++) {
      for (uint64_t i = 0; i < f.corpus.sentences(); i++) {
        const Sentence sentence = test::SentenceOf(f.corpus, i);
        const StepPlan plan = f.Plan(sentence);
        std::vector<uint32_t> rows;
        std::multiset<uint32_t> ngrams, at_least, at_most;
        for (const uint32_t row : plan.rows) {
          if (row < words) {
            rows.push_back(row);
          } else {
            ngrams.insert(row);
          }
        }
        // An n-gram stays with any of its words. Which occurrences of a word stayed is known where
        // all did, or none.
        for (const Ngram& ngram : NaiveNgrams(f, sentence.words)) {
          bool stays = false, may_stay = false;
          for (size_t place = ngram.start; place < ngram.start + ngram.n; place++) {
            const uint32_t word = sentence.words[place];
            const auto stayed_here = std::count(rows.begin(), rows.end(), word);
            stays |= stayed_here == std::count(sentence.words.begin(), sentence.words.end(), word);
            may_stay |= stayed_here > 0;
          }
          if (stays) at_least.insert(ngram.row);
          if (may_stay) at_most.insert(ngram.row);
          (may_stay ? ngrams_stayed : ngrams_left_out)++;
        }
        CHECK(std::includes(ngrams.begin(), ngrams.end(), at_least.begin(), at_least.end()));
        CHECK(std::includes(at_most.begin(), at_most.end(), ngrams.begin(), ngrams.end()));
        size_t at = 0;  // rows are words of the sentence, in its order
        for (const uint32_t word : sentence.words) {
          if (word == kUnknownWord) continue;
          known++;
          stood[word]++;
          if (at < rows.size() && rows[at] == word) at++;
        }
        CHECK(at == rows.size());
        for (const uint32_t row : rows) stayed[row]++;
        targets += plan.targets.size();
        for (const StepPlan::Target& t : plan.targets) {
          size_t excluded = 0;
          for (uint32_t e = t.excluded_begin; e < t.excluded_end; e++) {
            const uint32_t row = plan.rows[plan.excluded[e]];
            excluded += row == t.word;
            CHECK((row == t.word || row >= words));
          }
          CHECK(excluded == static_cast<size_t>(std::count(rows.begin(), rows.end(), t.word)));
          CHECK(t.excluded_end - t.excluded_begin < plan.rows.size());
        }
      }
    }
    if (order == 2) CHECK(std::min(ngrams_stayed, ngrams_left_out) > 100);
    // Every word is a target here, also one that is left out itself.
    CHECK(targets > known * 9 / 10);
    for (uint32_t word = 0; word < words; word++) {
      CAPTURE(word);
      const double p = 0.02 / (0.02 + f.corpus.vocabulary.Frequency(word));
      CHECK(f.context_keep[word] == doctest::Approx(p));
      // A dozen words of a sentence depend on nothing: 5 standard deviations.
      CHECK(std::fabs(stayed[word] - p * stood[word]) <=
            5 * std::sqrt(stood[word] * p * (1 - p)) + 1);
    }
    CHECK(stayed[0] < 0.3 * stood[0]);
    CHECK(stayed[words - 1] > 0.7 * stood[words - 1]);
  }
}

}  // namespace
}  // namespace s2v
