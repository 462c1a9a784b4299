#include "core/train/sampling.h"

#include <cmath>

#include "core/model/feature.h"

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

std::vector<float> ContextProbabilities(const Vocabulary& vocabulary, const Config& config) {
  std::vector<float> keep;
  if (config.context_threshold == 0) return keep;
  const auto c = static_cast<float>(config.context_threshold);
  keep.reserve(vocabulary.size());
  for (uint32_t id = 0; id < vocabulary.size(); id++) {
    keep.push_back(FeatureWeight(c, static_cast<float>(vocabulary.Frequency(id))));
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

namespace {

constexpr size_t kPoolWords = 256;  // at most

size_t PoolWords(const Config& config) {
  const auto negatives = static_cast<size_t>(config.negatives);
  if (config.recipe.negative_reuse == 1) return negatives;
  const size_t rows = kCacheQuarter / (static_cast<size_t>(config.dimension) * sizeof(float));
  return std::max(std::min(rows, kPoolWords), 4 * negatives);
}

}  // namespace

NegativePool::NegativePool(const NegativeSampler& sampler, const Config& config)
    : sampler_(sampler),
      negatives_(static_cast<size_t>(config.negatives)),
      reuse_(static_cast<size_t>(config.recipe.negative_reuse)),
      size_(PoolWords(config)) {}

uint32_t NegativePool::Draw(Random* random) {
  const uint64_t bits = next_draw_;
  next_draw_ = random->Next();
  sampler_.Prefetch(next_draw_);
  return sampler_.WordOf(bits);
}

uint32_t NegativePool::Take(std::span<const uint32_t> targets, Random* random,
                            std::vector<uint32_t>* samples, std::vector<uint32_t>* fresh) {
  if (words_.empty()) {
    next_draw_ = random->Next();
    for (size_t i = 0; i < size_; i++) words_.push_back(Draw(random));
    fresh->insert(fresh->end(), words_.begin(), words_.end());
    oldest_ = owed_ = 0;
  }
  for (owed_ += negatives_ * targets.size(); owed_ >= reuse_; owed_ -= reuse_) {
    words_[oldest_] = Draw(random);
    fresh->push_back(words_[oldest_]);
    if (++oldest_ == size_) oldest_ = 0;
  }
  size_t next = reuse_ == 1 ? 0 : random->Below(static_cast<uint32_t>(size_));
  const size_t begin = samples->size();
  uint32_t drawn_targets = 0;
  // A bit for each word of the group modulo 64: most words are not there, and the bits say so.
  uint64_t met = 0;
  for (const uint32_t target : targets) met |= uint64_t{1} << target % 64;
  for (size_t i = 0; i < negatives_; i++) {
    const uint32_t word = words_[next];
    if (++next == size_) next = 0;
    const uint64_t bit = uint64_t{1} << word % 64;
    bool there = false;
    if ((met & bit) != 0) {
      for (size_t t = 0; t < targets.size(); t++) {
        if (word != targets[t]) continue;
        drawn_targets |= 1u << t;
        there = true;
      }
      for (size_t j = begin; j < samples->size(); j++) there |= (*samples)[j] == word;
    }
    met |= bit;
    if (!there) samples->push_back(word);
  }
  return drawn_targets;
}

}  // namespace s2v
