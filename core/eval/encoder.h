// What evaluation compares: anything that turns a sentence into a vector. Sent2Vec and its simple
// rivals are encoders, so that all go through the same tasks.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/embed/embedder.h"
#include "core/text/tokenizer.h"
#include "core/vocab/vocabulary.h"

namespace s2v {

// A vector by its non-zero places: a bag of words has few of them, an embedding all.
struct FeatureVector {
  std::vector<uint32_t> index;  // rising
  std::vector<float> value;     // [index]

  void Clear() {
    index.clear();
    value.clear();
  }
  bool empty() const { return index.empty(); }
};

// The product of two vectors; 0 where they share no place.
double Dot(const FeatureVector& a, const FeatureVector& b);
// 0 where a side has no direction.
double Cosine(const FeatureVector& a, const FeatureVector& b);

// Thread rule: belongs to one thread.
class SentenceEncoder {
 public:
  virtual ~SentenceEncoder() = default;
  virtual std::string name() const = 0;
  // Called before all else with every text that will be encoded.
  virtual void Prepare(std::span<const std::string_view>) {}
  // Places of a vector, once prepared.
  virtual uint32_t dimension() const = 0;
  // Replaces *vector; empty where nothing of the text is known.
  virtual void Encode(std::string_view text, FeatureVector* vector) = 0;
};

// Embeddings as an encoder: of length 1, as they are stored and compared, or eq. 2 itself.
class EmbeddingEncoder : public SentenceEncoder {
 public:
  // source must outlive it.
  EmbeddingEncoder(std::string name, const EmbeddingShape& shape, FeatureSource* source, bool raw)
      : name_(std::move(name)), raw_(raw), embedder_(shape, source) {}
  std::string name() const override { return name_; }
  uint32_t dimension() const override { return embedder_.dimension(); }
  void Encode(std::string_view text, FeatureVector* vector) override;

 private:
  const std::string name_;
  const bool raw_;
  Embedder embedder_;
};

// TF-IDF bag of words: the simple rival that every embedding has to beat.
//
//   weight of word w in text d = count of w in d * (log((1 + n) / (1 + texts with w)) + 1)
//
// over n texts (the smoothed form of scikit-learn). Words below min_count occurrences are left out,
// as they are for an embedding.
class TfIdf : public SentenceEncoder {
 public:
  explicit TfIdf(const Tokenizer& tokenizer) : tokenizer_(tokenizer) {}

  void AddText(std::string_view text);
  // Call once, after the last AddText and before the first Encode.
  void Fit(uint64_t min_count);

  std::string name() const override { return "tfidf"; }
  uint32_t dimension() const override { return table_.size(); }
  void Encode(std::string_view text, FeatureVector* vector) override;

 private:
  const Tokenizer& tokenizer_;
  struct Word {
    uint64_t count = 0, texts = 0;  // occurrences, and the texts that have them
    uint64_t last_text = 0;
    float idf = 0;  // 0: left out
  };
  WordTable table_;
  std::vector<Word> words_;  // [table_]
  uint64_t text_count_ = 0;
  Tokens tokens_;
  std::vector<uint32_t> ids_;
};

}  // namespace s2v
