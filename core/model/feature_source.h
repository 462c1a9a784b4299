// Where the rows of V that a text needs come from: a model in memory, or a stored one.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "core/model/element.h"

namespace s2v {

// A row of V, encoded as the source's element, nullptr where the feature is unknown; and its
// frequency in the corpus.
struct Feature {
  const void* row = nullptr;  // [RowBytes(element, dimension)]
  float frequency = 0;
  uint32_t id = 0;  // of a known word
  float burst = 0;  // WordBurst of a known word; 0: not known
};

struct WordKey {
  std::string_view word;
  uint64_t hash = 0;  // HashWord(word)
  bool operator==(const WordKey& other) const { return word == other.word; }
};

class FeatureSource {
 public:
  virtual ~FeatureSource() = default;
  virtual Element element() const { return Element::kFloat32; }
  // Called before the features of a text, or of a part of a long one. Rows that are given stay
  // valid until the next call.
  virtual void BeginBatch() {}
  virtual Feature Word(std::string_view word, uint64_t hash) = 0;
  virtual Feature Ngram(uint64_t bucket) = 0;
  // Of the model's rarest word, above 0; for the pieces of `unigram` (core/embed/pieces.h).
  virtual float LeastFrequency() { return 1; }
  // All words or n-grams of a batch at once, so that a source can overlap what it waits for.
  // features [words], [buckets].
  virtual void FindWords(std::span<const WordKey> words, Feature* features) {
    for (const WordKey& key : words) *features++ = Word(key.word, key.hash);
  }
  virtual void FindNgrams(std::span<const uint64_t> buckets, Feature* features) {
    for (const uint64_t bucket : buckets) *features++ = Ngram(bucket);
  }
};

}  // namespace s2v
