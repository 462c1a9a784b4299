// Seeded statistics: bounds are five standard deviations.
#include "core/train/sampling.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/vocab/hash.h"
#include "tests/core/synthetic_text.h"

namespace s2v {
namespace {

Vocabulary WithCounts(const std::vector<uint64_t>& counts) {
  Vocabulary vocabulary;
  for (const uint64_t count : counts) {
    const std::string word = test::Word(vocabulary.size());
    vocabulary.words.Insert(word, HashWord(word));
    vocabulary.counts.push_back(count);
    vocabulary.token_count += count;
  }
  return vocabulary;
}

TEST_CASE("the probability to keep a target follows section 2.1") {
  // worked by hand: t / f = 1/100, so 1/10 + 1/100
  CHECK(KeepProbability(1e-5, 1e-3) == doctest::Approx(0.11).epsilon(1e-12));
  CHECK(KeepProbability(1e-4, 1e-4) == 1);
  CHECK(KeepProbability(1, 1) == 1);
  CHECK(KeepProbability(1e-4, 1e-9) == 1);
  // rarer words are kept more
  double last = 0;
  for (double frequency = 1; frequency > 1e-8; frequency /= 3) {
    const double keep = KeepProbability(1e-5, frequency);
    CHECK(keep >= last);
    CHECK(keep > 0);
    CHECK(keep <= 1);
    last = keep;
  }
  // sqrt(x) + x = 1 at x = ((sqrt(5) - 1) / 2)^2
  const double x = std::pow((std::sqrt(5.0) - 1) / 2, 2);
  CHECK(KeepProbability(x * 0.999, 1) < 1);
  CHECK(KeepProbability(x * 1.001, 1) == 1);
}

TEST_CASE("keep probabilities are of the target words and divide by all tokens") {
  Vocabulary vocabulary = WithCounts({600, 300, 50, 50});
  vocabulary.token_count = 2000;  // unknown words count too
  const std::vector<float> keep = KeepProbabilities(vocabulary, 3, 1e-3);
  REQUIRE(keep.size() == 3);
  for (uint32_t id = 0; id < 3; id++) {
    const double f = static_cast<double>(vocabulary.counts[id]) / 2000;
    CHECK(keep[id] == doctest::Approx(std::sqrt(1e-3 / f) + 1e-3 / f).epsilon(1e-6));
  }
}

// chi-square of a million draws against shares of sqrt(count).
void CheckShares(const std::vector<uint64_t>& counts, uint32_t target_words, uint64_t seed) {
  CAPTURE(target_words);
  CAPTURE(seed);
  const Vocabulary vocabulary = WithCounts(counts);
  const NegativeSampler sampler(vocabulary, target_words);
  const int draws = 1000000;
  std::vector<int> drawn(target_words);
  Random random(seed);
  for (int i = 0; i < draws; i++) {
    const uint32_t word = sampler.WordOf(random.Next());
    REQUIRE(word < target_words);
    drawn[word]++;
  }
  double sum = 0;
  for (uint32_t id = 0; id < target_words; id++) sum += std::sqrt(static_cast<double>(counts[id]));
  double chi_square = 0;
  for (uint32_t id = 0; id < target_words; id++) {
    const double expected = draws * std::sqrt(static_cast<double>(counts[id])) / sum;
    chi_square += (drawn[id] - expected) * (drawn[id] - expected) / expected;
    // a single word: binomial
    CHECK(std::fabs(drawn[id] - expected) <= 5 * std::sqrt(expected) + 1);
  }
  const double freedom = target_words - 1;
  CHECK(chi_square <= freedom + 5 * std::sqrt(2 * freedom));
}

TEST_CASE("negative samples are drawn in proportion to the square root of the count") {
  CheckShares({100}, 1, 1);
  CheckShares({100, 1}, 2, 2);
  CheckShares({7, 7, 7, 7, 7}, 5, 3);
  CheckShares({1000000, 10000, 100, 1}, 4, 4);
  std::vector<uint64_t> zipf;
  for (uint64_t rank = 1; rank <= 1000; rank++) zipf.push_back(1000000 / rank);
  CheckShares(zipf, 1000, 5);
  CheckShares(zipf, 17, 6);  // only target words, with shares among them
}

TEST_CASE("a word of a very small share is still drawn, and not too often") {
  // one of 2^20 occurrences against 1023 words of 2^20: its share is 1 in 1024 * 1023 + 1
  std::vector<uint64_t> counts(1023, uint64_t{1} << 20);
  counts.push_back(1);
  const NegativeSampler sampler(WithCounts(counts), 1024);
  Random random(1);
  int drawn = 0;
  const int draws = 4000000;
  for (int i = 0; i < draws; i++) drawn += sampler.WordOf(random.Next()) == 1023;
  const double expected = draws / (1024.0 * 1023 + 1);
  CHECK(std::fabs(drawn - expected) <= 5 * std::sqrt(expected));
  CHECK(drawn > 0);  // e^-3.8 of the seeds would miss it
}

TEST_CASE("the same seed draws the same samples") {
  const NegativeSampler sampler(WithCounts({50, 30, 20, 10}), 4);
  Random a(3), b(3);
  for (int i = 0; i < 1000; i++) REQUIRE(sampler.WordOf(a.Next()) == sampler.WordOf(b.Next()));
}

// 40 words, so that samples repeat now and then.
NegativeSampler SamplerOf40(Vocabulary* vocabulary) {
  std::vector<uint64_t> counts;
  for (uint64_t i = 0; i < 40; i++) counts.push_back((40 - i) * (40 - i));  // sqrt: 40, 39, ...
  *vocabulary = WithCounts(counts);
  return NegativeSampler(*vocabulary, 40);
}

Config PoolConfig(int64_t negatives, int64_t reuse) {
  Config config;
  config.negatives = negatives;
  config.recipe.negative_reuse = reuse;
  return config;
}

// Words first, first + 1, ... of the 40, as the targets of a group.
std::vector<uint32_t> GroupFrom(uint32_t first, size_t size) {
  std::vector<uint32_t> words;
  for (size_t i = 0; i < size; i++) words.push_back((first + static_cast<uint32_t>(i)) % 40);
  return words;
}

TEST_CASE("as many targets may share their samples as a sample serves, and at most four") {
  Vocabulary vocabulary;
  const NegativeSampler sampler = SamplerOf40(&vocabulary);
  const std::pair<int64_t, size_t> together[] = {{1, 1}, {2, 2}, {3, 3}, {4, 4}, {5, 4}, {1000, 4}};
  for (const auto& one : together) {
    const int64_t reuse = one.first;
    const size_t expected = one.second;
    CAPTURE(reuse);
    CHECK(NegativePool(sampler, PoolConfig(10, reuse)).together() == expected);
  }
}

TEST_CASE("negative samples are a set without any of the targets") {
  Vocabulary vocabulary;
  const NegativeSampler sampler = SamplerOf40(&vocabulary);
  for (const int64_t reuse : {1, 3, 10, 1000}) {
    NegativePool pool(sampler, PoolConfig(10, reuse));
    Random random(1);
    for (size_t size = 1; size <= pool.together(); size++) {
      CAPTURE(reuse);
      CAPTURE(size);
      for (uint32_t i = 0; i < 2000; i++) {
        const std::vector<uint32_t> targets = GroupFrom(i % 40, size);
        std::vector<uint32_t> samples{7, 7}, fresh;
        pool.Take(targets, &random, &samples, &fresh);
        REQUIRE(samples.size() > 4);
        REQUIRE(samples.size() <= 12);
        CHECK(samples[0] == 7);  // appended to
        CHECK(samples[1] == 7);
        const std::set<uint32_t> words(samples.begin() + 2, samples.end());
        CHECK(words.size() == samples.size() - 2);
        for (const uint32_t target : targets) CHECK(!words.contains(target));
      }
    }
  }
}

TEST_CASE("a target that is drawn is told, as the others of its group have it as a sample") {
  Vocabulary vocabulary;
  const NegativeSampler sampler = SamplerOf40(&vocabulary);
  int drawn_at_all = 0;
  for (uint64_t seed = 1; seed <= 200; seed++) {
    CAPTURE(seed);
    const std::vector<uint32_t> targets = GroupFrom(static_cast<uint32_t>(seed % 40), 4);
    // few uses are owed for, so that both draw the same
    NegativePool alone(sampler, PoolConfig(10, 1000)), shared(sampler, PoolConfig(10, 1000));
    Random random_alone(seed), random_shared(seed);
    std::vector<uint32_t> samples, shared_samples, fresh;
    alone.Take({targets.data(), 1}, &random_alone, &samples, &fresh);
    const uint32_t drawn = shared.Take(targets, &random_shared, &shared_samples, &fresh);
    REQUIRE(drawn < 16);
    for (uint32_t t = 1; t < 4; t++) {
      if ((drawn >> t & 1) != 0) shared_samples.push_back(targets[t]);
    }
    std::sort(samples.begin(), samples.end());
    std::sort(shared_samples.begin(), shared_samples.end());
    CHECK(samples == shared_samples);
    drawn_at_all += drawn != 0;
  }
  CHECK(drawn_at_all > 50);
}

TEST_CASE("a draw serves so many targets, and the words that come in are told") {
  Vocabulary vocabulary;
  const NegativeSampler sampler = SamplerOf40(&vocabulary);
  for (const int64_t reuse : {1, 4, 7, 10}) {
    for (size_t size = 1; size <= NegativePool(sampler, PoolConfig(10, reuse)).together(); size++) {
      CAPTURE(reuse);
      CAPTURE(size);
      NegativePool pool(sampler, PoolConfig(10, reuse));
      const std::vector<uint32_t> targets = GroupFrom(0, size);
      Random random(2);
      std::set<uint32_t> known;  // told at some time
      size_t fresh_count = 0;
      std::vector<uint32_t> samples, fresh;
      pool.Take(targets, &random, &samples, &fresh);  // fills the pool
      for (int i = 0; i < 700; i++) {
        known.insert(fresh.begin(), fresh.end());
        for (const uint32_t word : samples) CHECK(known.contains(word));
        samples.clear();
        fresh.clear();
        pool.Take(targets, &random, &samples, &fresh);
        fresh_count += fresh.size();
      }
      // 10 samples of each target, whether they share them or not
      CHECK(fresh_count >= 7000 * size / static_cast<size_t>(reuse));
      CHECK(fresh_count <= 7000 * size / static_cast<size_t>(reuse) + 1);
    }
  }
}

TEST_CASE("samples follow the sampler's shares, reused or not, and a restart forgets them") {
  Vocabulary vocabulary;
  const NegativeSampler sampler = SamplerOf40(&vocabulary);
  const std::pair<int64_t, size_t> kinds[] = {{1, 1}, {10, 1}, {10, 4}};
  for (const auto& kind : kinds) {
    const int64_t reuse = kind.first;
    const size_t size = kind.second;
    CAPTURE(reuse);
    CAPTURE(size);
    NegativePool pool(sampler, PoolConfig(1, reuse));  // one: a set of one word is what was drawn
    const std::vector<uint32_t> targets(size, kUnknownWord);
    Random random(3);
    std::vector<double> drawn(40);
    const int rounds = 400, groups = 100;
    for (int round = 0; round < rounds; round++) {
      std::vector<uint32_t> fresh, samples;
      pool.Restart();
      for (int i = 0; i < groups; i++) pool.Take(targets, &random, &samples, &fresh);
      REQUIRE(samples.size() == groups);
      for (const uint32_t word : samples) drawn[word]++;
    }
    for (uint32_t word = 0; word < 40; word++) {
      const double share = (40 - word) / 820.0, all = rounds * groups;
      // each draw counts as often as it is reused, so that many fewer draws are independent
      const double deviation = std::sqrt(all * share * (1 - share) * static_cast<double>(reuse));
      CHECK(std::fabs(drawn[word] - all * share) < 5 * deviation);
    }
  }
}

TEST_CASE("equal random numbers give equal samples after a restart") {
  Vocabulary vocabulary;
  const NegativeSampler sampler = SamplerOf40(&vocabulary);
  const Config config = PoolConfig(10, 7);
  NegativePool used(sampler, config), other(sampler, config);
  const std::vector<uint32_t> three = GroupFrom(0, 3), two = GroupFrom(1, 2);
  Random a(4);
  std::vector<uint32_t> samples, fresh;
  // 11 * 3 * 10 samples owe 1 of the 7: a restart must forget that too
  for (int i = 0; i < 11; i++) used.Take(three, &a, &samples, &fresh);
  used.Restart();
  Random same_a(6), same_b(6);
  std::vector<uint32_t> samples_a, samples_b, fresh_a, fresh_b;
  for (int i = 0; i < 50; i++) {
    used.Take(two, &same_a, &samples_a, &fresh_a);
    other.Take(two, &same_b, &samples_b, &fresh_b);
  }
  CHECK(samples_a == samples_b);
  CHECK(fresh_a == fresh_b);
}

}  // namespace
}  // namespace s2v
