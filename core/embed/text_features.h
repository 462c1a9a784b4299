// The features R(S) of a text one after another, to look at: what an embedding is made of.
//
//   TextFeatures features(shape, &source);
//   features.Begin("red fox");
//   while (features.Next()) Use(features.Name(), features.at().weight);   // red, fox, red fox
//
// Embedder finds the same features and sums them. Listed too, with a row of nullptr, are words that
// the model does not know and n-grams of known words that have no row.
//
// Thread rule: belongs to one thread at a time.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/embed/embedder.h"

namespace s2v {

struct TextFeature {
  size_t position = 0;         // of its first token in the text, from 0
  size_t n = 1;                // words
  uint64_t key = 0;            // of a word HashWord, of an n-gram its bucket
  const float* row = nullptr;  // [dimension], valid until the next feature
  // In the sum that EmbedUnit scales; 0 where the feature counts nothing. An unknown word has no
  // row and yet a weight where the model gives it the row of FillUnknownRow.
  float weight = 0;
};

class TextFeatures {
 public:
  TextFeatures(const EmbeddingShape& shape, FeatureSource* source)
      : shape_(shape), source_(source), cutter_(*shape.tokenizer, source) {
    tokens_.KeepForms();
  }
  void Begin(std::string_view text);
  // Moves to the first feature, then to the next: a word, then the n-grams that end with it, the
  // shorter first. False after the last.
  bool Next();
  const TextFeature& at() const { return feature_; }
  // The words of the feature as the model has them, with spaces between them.
  std::string Name() const { return Join(&Tokens::operator[]); }
  // The same whole, as the text has them (in lower case): of a stem the word that it was cut from.
  std::string WholeWords() const { return Join(&Tokens::form); }

 private:
  void TakeRow(const Feature& feature);
  std::string Join(std::string_view (Tokens::*word)(size_t) const) const;

  const EmbeddingShape shape_;
  FeatureSource* source_;
  TextCutter cutter_;
  Tokens tokens_;
  std::vector<uint64_t> run_;   // [known words up to the token before next_], for Bucket
  std::vector<size_t> places_;  // [run_] which tokens they are
  bool ends_ngrams_ = false;    // the token before next_ is the last of run_
  size_t next_ = 0;             // token
  TextFeature feature_;
  std::vector<float> decoded_;  // [dimension] of a row
};

// A text's features, each once, so scaled that their vectors add up to its embedding of length 1.
struct EmbeddingParts {
  // as TextFeatures::WholeWords where it stands first, in the order of the text
  std::vector<std::string> names;
  std::vector<float> vectors;  // [names, dimension]
};
// Repetitions of a feature are added. Empty where the text has no embedding. The scalar products of
// two texts' parts add up to the cosine of the texts.
EmbeddingParts PartsOf(std::string_view text, const EmbeddingShape& shape, FeatureSource* source);

}  // namespace s2v
