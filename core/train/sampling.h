// The two random choices of eq. 3: which words are predicted, and against which negative samples.
//
// Both are over the target words, those with at least min_target_count occurrences: ids
// 0 .. target_words-1 of the vocabulary.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/config.h"
#include "core/random.h"
#include "core/simd/kernels.h"
#include "core/vocab/vocabulary.h"

namespace s2v {

// Words that are predicted.
inline uint32_t TargetWords(const Vocabulary& vocabulary, const Config& config) {
  return vocabulary.PrefixWithCount(static_cast<uint64_t>(config.min_target_count));
}

// q_p(w) = min(1, sqrt(t / f_w) + t / f_w), section 2.1 of the paper: the probability that an
// occurrence of w is KEPT as a target.
double KeepProbability(double t, double frequency);

// [target_words]
std::vector<float> KeepProbabilities(const Vocabulary& vocabulary, uint32_t target_words, double t);

// c / (c + f_w), [words]: the probability that a word stays among the features of a sentence while
// that is learned, for c = config.context_threshold; empty where c is 0 and all stay. It has the
// form of the weight of features when embedding, so that a context is in the mean about what an
// embedding will be.
std::vector<float> ContextProbabilities(const Vocabulary& vocabulary, const Config& config);

// Draws words with probability proportional to sqrt(f_w), in constant time (Walker's alias method
// in Vose's form: IEEE Transactions on Software Engineering 17(9), 1991).
class NegativeSampler {
 public:
  NegativeSampler(const Vocabulary& vocabulary, uint32_t target_words);
  // The word of a random number, whose entry may have been asked for before. Its high half chooses
  // the entry, 24 bits of its low half between the two words.
  uint32_t WordOf(uint64_t bits) const {
    const float coin = static_cast<float>((bits & 0xffffffffu) >> 8) * 0x1p-24f;
    const uint32_t i = EntryOf(bits);
    return coin < entries_[i].keep ? i : entries_[i].alias;
  }
  void Prefetch(uint64_t bits) const { __builtin_prefetch(&entries_[EntryOf(bits)]); }

 private:
  struct Entry {
    float keep;
    uint32_t alias;
  };
  uint32_t EntryOf(uint64_t bits) const {
    return static_cast<uint32_t>(((bits >> 32) * entries_.size()) >> 32);
  }
  std::vector<Entry> entries_;  // [target_words]
};

// A quarter of the smallest second-level cache in use (1 MB): the rows of a pool of negative
// samples take about so much of it, and those of a sentence may take so much.
inline constexpr size_t kCacheQuarter = size_t{1} << 18;

// The negative samples of the targets: drawn words are kept in a pool for a while, and each group
// of targets takes the next few of it from a random place. A word serves `reuse` targets on average
// before it leaves, so that most rows of negative samples are near when they are needed, since
// their way through memory is the most of a step's cost. Samples of targets close to each other
// depend on each other. With reuse 1 all are fresh, and a group has one target.
class NegativePool {
 public:
  // REQUIRES: the sampler outlives it.
  NegativePool(const NegativeSampler& sampler, const Config& config);
  // The next target finds a pool that is drawn anew.
  void Restart() { words_.clear(); }
  // The most targets that may share their samples.
  size_t together() const { return std::min(reuse_, simd::kMostTogether); }
  // Appends the negative samples that the targets of a group share, a set without the targets.
  // Returns which targets were drawn themselves, bit i for targets[i]: such a target is a negative
  // sample of the other targets. Appends to fresh the words that came into the pool. REQUIRES:
  // different targets.
  uint32_t Take(std::span<const uint32_t> targets, Random* random, std::vector<uint32_t>* samples,
                std::vector<uint32_t>* fresh);

 private:
  uint32_t Draw(Random* random);

  const NegativeSampler& sampler_;
  const size_t negatives_, reuse_;
  const size_t size_;
  std::vector<uint32_t> words_;  // [size_], or empty: to be drawn
  size_t oldest_ = 0;            // in words_: the next to leave
  uint64_t next_draw_ = 0;       // random number of the next draw, whose entry is on its way
  size_t owed_ = 0;              // uses of samples that no draw has paid for, below reuse_
};

}  // namespace s2v
