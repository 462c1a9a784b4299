#include "core/embed/embedder.h"

#include <algorithm>
#include <cmath>

#include "core/vocab/hash.h"

namespace s2v {

Embedder::Embedder(const EmbeddingShape& shape, FeatureSource* source, const simd::Kernels& kernels)
    : shape_(shape), source_(source), k_(kernels) {}

size_t Embedder::Embed(std::string_view text, float* embedding) {
  shape_.tokenizer->Tokenize(text, &tokens_);
  source_->BeginText();
  rows_.clear();
  hashes_.clear();
  for (size_t i = 0; i < tokens_.size(); i++) {
    const std::string_view token = tokens_[i];
    const uint64_t hash = HashWord(token);
    const float* row = source_->Word(token, hash);
    if (row == nullptr) {
      hashes_.clear();
      continue;
    }
    rows_.push_back(row);
    if (shape_.ngram_order == 1) continue;
    hashes_.push_back(hash);
    for (size_t n = 2; n <= shape_.ngram_order && n <= hashes_.size(); n++) {
      const uint64_t ngram = HashNgram(hashes_.data() + hashes_.size() - n, n);
      const float* ngram_row = source_->Ngram(ngram % shape_.bucket_count);
      if (ngram_row != nullptr) rows_.push_back(ngram_row);
    }
  }
  k_.sum_rows(embedding, rows_.data(), rows_.size(), shape_.dimension);
  if (!rows_.empty()) {
    k_.scale(embedding, 1.0f / static_cast<float>(rows_.size()), shape_.dimension);
  }
  return rows_.size();
}

bool Normalize(float* v, uint32_t dimension, const simd::Kernels& kernels) {
  double sums[2];
  kernels.dot_and_norm(sums, v, v, dimension);
  const double length = std::sqrt(sums[1]);
  if (!(length > 0) || !std::isfinite(length)) return false;
  for (uint32_t i = 0; i < dimension; i++) {
    v[i] = static_cast<float>(static_cast<double>(v[i]) / length);
  }
  return true;
}

const float* ModelFeatures::Word(std::string_view word, uint64_t hash) {
  const uint32_t id = model_.vocabulary.words.Find(word, hash);
  return id == kUnknownWord ? nullptr : model_.source[id];
}

const float* ModelFeatures::Ngram(uint64_t bucket) {
  const auto& buckets = model_.ngram_buckets;
  const auto at = std::lower_bound(buckets.begin(), buckets.end(), bucket);
  if (at == buckets.end() || *at != bucket) return nullptr;
  return model_.source[model_.vocabulary.size() + static_cast<uint64_t>(at - buckets.begin())];
}

EmbeddingShape ShapeOf(const Config& config) {
  return {static_cast<uint32_t>(config.dimension), static_cast<uint32_t>(config.ngram_order),
          static_cast<uint64_t>(config.bucket_count), FindTokenizer(config.tokenizer)};
}

}  // namespace s2v
