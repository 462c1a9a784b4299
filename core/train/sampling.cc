#include "core/train/sampling.h"

#include <algorithm>
#include <cmath>

namespace s2v {

double KeepProbability(double t, double frequency) {
  return std::min(1.0, std::sqrt(t / frequency) + t / frequency);
}

std::vector<float> KeepProbabilities(const Vocabulary& vocabulary, uint32_t target_words,
                                     double t) {
  std::vector<float> keep(target_words);
  for (uint32_t id = 0; id < target_words; id++) {
    keep[id] = static_cast<float>(KeepProbability(t, vocabulary.Frequency(id)));
  }
  return keep;
}

NegativeSampler::NegativeSampler(const Vocabulary& vocabulary, uint32_t target_words)
    : entries_(target_words) {
  double sum = 0;
  for (uint32_t id = 0; id < target_words; id++) {
    sum += std::sqrt(static_cast<double>(vocabulary.counts[id]));
  }
  // Probabilities in units of 1 / target_words; each poor entry is filled up by one rich one.
  std::vector<double> rest(target_words);
  std::vector<uint32_t> poor, rich;
  for (uint32_t id = 0; id < target_words; id++) {
    rest[id] = std::sqrt(static_cast<double>(vocabulary.counts[id])) / sum * target_words;
    (rest[id] < 1 ? poor : rich).push_back(id);
    entries_[id] = {1, id};
  }
  while (!poor.empty() && !rich.empty()) {
    const uint32_t small = poor.back(), large = rich.back();
    poor.pop_back();
    entries_[small] = {static_cast<float>(rest[small]), large};
    rest[large] -= 1 - rest[small];
    if (rest[large] < 1) {
      rich.pop_back();
      poor.push_back(large);
    }
  }
}

}  // namespace s2v
