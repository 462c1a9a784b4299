// A trained model in memory.
//
//   V  source matrix   [words + ngrams, dimension]  rows are words by id, then n-grams by row
//   U  target matrix   [target_words, dimension]    rows are the first target_words words
//
// In memory rows are float32, whatever config.element they are stored as; targets are stored where
// that is float32.
//
// The stored form is specified at the head of sql/schema.sql.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/config.h"
#include "core/model/element.h"
#include "core/model/matrix.h"
#include "core/vocab/vocabulary.h"

namespace s2v {

struct Model {
  Config config;
  std::string choices = "{}";  // JSON: parameters that were chosen from the corpus (ChoicesJson)
  Vocabulary vocabulary;
  std::vector<uint32_t> ngram_buckets;  // [ngrams], rising: bucket of each n-gram row
  std::vector<uint32_t> ngram_counts;   // [ngrams], saturating
  Matrix source;                        // V
  Matrix target;                        // U
  uint64_t id_buckets = 0;              // EmbeddingShape::id_buckets
  bool favours_opening = false;         // EmbeddingShape::favours_opening
  std::vector<float> word_bursts;    // [words] WordBurst (core/model/feature.h); empty: not known
  uint64_t text_count = 0;           // texts of the corpus
  uint64_t sentence_count = 0;       // sentences trained on
  std::vector<double> epoch_losses;  // [epochs], mean of eq. 3 over the targets of each epoch
};

// Gives the source rows the values that they have once they are stored as config.element. Throws
// InvalidArgument where that cannot hold them.
inline void RoundToElement(Model* model) {
  const Element element = ParseElement(model->config.element);
  if (element == Element::kFloat32) return;
  const uint32_t dimension = model->source.dimension();
  std::vector<char> bytes(RowBytes(element, dimension));
  for (uint64_t row = 0; row < model->source.rows(); row++) {
    EncodeRow(element, model->source[row], dimension, bytes.data());
    DecodeRow(element, bytes.data(), dimension, model->source[row]);
  }
}

}  // namespace s2v
