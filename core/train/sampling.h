// The two random choices of eq. 3: which words are predicted, and against which negative samples.
//
// Both are over the target words, those with at least min_target_count occurrences: ids
// 0 .. target_words-1 of the vocabulary.
#ifndef S2V_CORE_TRAIN_SAMPLING_H_
#define S2V_CORE_TRAIN_SAMPLING_H_

#include <cstdint>
#include <vector>

#include "core/random.h"
#include "core/vocab/vocabulary.h"

namespace s2v {

// q_p(w) = min(1, sqrt(t / f_w) + t / f_w), section 2.1 of the paper: the probability that an
// occurrence of w is KEPT as a target.
double KeepProbability(double t, double frequency);

// [target_words]
std::vector<float> KeepProbabilities(const Vocabulary& vocabulary, uint32_t target_words, double t);

// Draws words with probability proportional to sqrt(f_w), in constant time (Walker's alias method
// in Vose's form: IEEE Transactions on Software Engineering 17(9), 1991).
class NegativeSampler {
 public:
  NegativeSampler(const Vocabulary& vocabulary, uint32_t target_words);
  // One random number: its high half chooses the entry, 24 bits of its low half between the two
  // words.
  uint32_t Draw(Random* random) const {
    const uint64_t bits = random->Next();
    const auto i = static_cast<uint32_t>(((bits >> 32) * entries_.size()) >> 32);
    const float coin = static_cast<float>((bits & 0xffffffffu) >> 8) * 0x1p-24f;
    return coin < entries_[i].keep ? i : entries_[i].alias;
  }

 private:
  struct Entry {
    float keep;
    uint32_t alias;
  };
  std::vector<Entry> entries_;  // [target_words]
};

}  // namespace s2v

#endif  // S2V_CORE_TRAIN_SAMPLING_H_
