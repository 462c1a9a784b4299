// What is known of a feature by itself: its weight, and the row that it begins with.
//
// The weight is that of smooth inverse frequency (Arora, Liang, Ma, "A simple but tough-to-beat
// baseline for sentence embeddings", ICLR 2017): how much a feature of frequency f counts in an
// embedding, and with what probability a word stays in the contexts that are learned from.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "core/random.h"

namespace s2v {

// a / (a + f) for a share f of all tokens; 1 where a is 0.
inline float FeatureWeight(float smoothing, float frequency) {
  return smoothing > 0 ? smoothing / (smoothing + frequency) : 1.0f;
}

// How much more a word is repeated where it is met than it would be by chance (Church and Gale,
// "Poisson mixtures", 1995), 1 to kMostBurst: a word that says what a text is about comes in
// bursts, so that fewer texts have it. times: it is met in all texts.
inline constexpr double kMostBurst = 4;
inline double WordBurst(double times, double texts, double texts_with_it) {
  const double by_chance = texts * -std::expm1(-times / std::max(1.0, texts));
  return std::clamp((by_chance + 1) / (texts_with_it + 1), 1.0, kMostBurst);
}

// How much a word counts in a text beside its FeatureWeight: more where it comes in bursts, in a
// text of kBurstTokens or more fully, as a few words ask for all of them; and where it was met a
// few times, as it tells texts apart.
inline constexpr size_t kBurstTokens = 20;
inline float BurstShare(size_t tokens) {
  return static_cast<float>(std::min(tokens, kBurstTokens)) / static_cast<float>(kBurstTokens);
}
// once: the frequency of a word that is met once.
inline float WordWeight(float burst, float burst_share, float frequency, float once) {
  return (1 + burst_share * (burst - 1)) * (1 + once / (2 * once + frequency));
}

// How much the token at a place of a text, from 0, counts beside the first ones, which say what it
// is about: 1 for the first kOpeningTokens, falling behind them to a third.
inline constexpr size_t kOpeningTokens = 20;
inline float PlaceWeight(size_t place) {
  if (place < kOpeningTokens) return 1;
  const float share = static_cast<float>(kOpeningTokens) / static_cast<float>(place);
  return (1 + 2 * share * share) / 3;
}

// Where training starts the source embedding of a word, and the row of a word that a model does not
// know when it is embedded (sql/schema.sql specifies them).
// row [dimension]: uniform in [-width, width], 16 bits a value, from the bits of Random(seed). For
// a word the seed is its hash, so that equal words have equal rows in every model.
inline void FillUniform(uint64_t seed, float width, float* row, uint32_t dimension) {
  Random random(seed);
  const float unit = width * (2.0f / 0xffff);
  uint64_t bits = 0;
  for (uint32_t i = 0; i < dimension; i++, bits >>= 16) {
    if (i % 4 == 0) bits = random.Next();
    row[i] = (static_cast<float>(bits & 0xffff) - 32767.5f) * unit;
  }
}

// The width that gives rows of this length (in the mean of their squares).
inline float WidthOfLength(float length, uint32_t dimension) {
  return length * std::sqrt(3.0f / static_cast<float>(dimension));
}

}  // namespace s2v
