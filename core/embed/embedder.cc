#include "core/embed/embedder.h"

#include <algorithm>
#include <cmath>

#include "core/embed/principal_components.h"
#include "core/model/initial_row.h"
#include "core/vocab/hash.h"

namespace s2v {

Embedder::Embedder(const EmbeddingShape& shape, FeatureSource* source, const simd::Kernels& kernels)
    : shape_(shape), source_(source), k_(kernels) {}

void Embedder::FindFeatures(std::string_view text) {
  shape_.tokenizer->Tokenize(text, &tokens_);
  source_->BeginText();
  rows_.clear();
  weights_.clear();
  hashes_.clear();
  unknown_.clear();
  const auto add = [&](const Feature& feature) {
    rows_.push_back(feature.row);
    weights_.push_back(feature.frequency);
  };
  for (size_t i = 0; i < tokens_.size(); i++) {
    const std::string_view token = tokens_[i];
    const uint64_t hash = HashWord(token);
    const Feature word = source_->Word(token, hash);
    if (word.row == nullptr) {
      unknown_.push_back(hash);
      hashes_.clear();
      continue;
    }
    add(word);
    if (shape_.ngram_order == 1) continue;
    hashes_.push_back(hash);
    for (size_t n = 2; n <= shape_.ngram_order && n <= hashes_.size(); n++) {
      const uint64_t hash_of_words = HashNgram(hashes_.data() + hashes_.size() - n, n);
      const Feature ngram = source_->Ngram(hash_of_words % shape_.bucket_count);
      if (ngram.row != nullptr) add(ngram);
    }
  }
}

size_t Embedder::Embed(std::string_view text, float* embedding) {
  FindFeatures(text);
  k_.sum_rows(embedding, rows_.data(), rows_.size(), shape_.dimension);
  if (!rows_.empty()) {
    k_.scale(embedding, 1.0f / static_cast<float>(rows_.size()), shape_.dimension);
  }
  return rows_.size();
}

bool Embedder::EmbedUnit(std::string_view text, float* embedding) {
  FindFeatures(text);
  if (rows_.empty()) return false;
  for (float& weight : weights_) weight = FeatureWeight(shape_, weight);
  std::fill_n(embedding, shape_.dimension, 0.0f);
  k_.axpy_rows(embedding, weights_.data(), rows_.data(), rows_.size(), shape_.dimension);
  if (shape_.unknown_norm > 0) AddUnknown(embedding);
  // What is left of a text that lies in the components alone is rounding, not direction.
  if (!shape_.components.empty() &&
      !RemoveComponentsFrom(shape_.components, embedding, shape_.dimension, k_)) {
    return false;
  }
  return Normalize(embedding, shape_.dimension, k_);
}

void Embedder::AddUnknown(float* embedding) {
  unknown_row_.resize(shape_.dimension);
  const float weight = FeatureWeight(shape_, shape_.unknown_frequency);
  for (const uint64_t hash : unknown_) {
    FillUnknownRow(shape_, hash, unknown_row_.data());
    k_.axpy(embedding, weight, unknown_row_.data(), shape_.dimension);
  }
}

void FillUnknownRow(const EmbeddingShape& shape, uint64_t hash, float* row) {
  FillUniform(hash, WidthOfLength(shape.unknown_norm, shape.dimension), row, shape.dimension);
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

Feature ModelFeatures::Word(std::string_view word, uint64_t hash) {
  const uint32_t id = model_.vocabulary.words.Find(word, hash);
  if (id == kUnknownWord) return {};
  return {model_.source[id], static_cast<float>(model_.vocabulary.Frequency(id))};
}

Feature ModelFeatures::Ngram(uint64_t bucket) {
  const auto& buckets = model_.ngram_buckets;
  const auto at = std::lower_bound(buckets.begin(), buckets.end(), bucket);
  if (at == buckets.end() || *at != bucket) return {};
  const auto row = static_cast<uint64_t>(at - buckets.begin());
  return {model_.source[model_.vocabulary.size() + row],
          static_cast<float>(model_.ngram_counts[row]) /
              static_cast<float>(model_.vocabulary.token_count)};
}

EmbeddingShape ShapeOf(const Model& model) {
  const Config& config = model.config;
  EmbeddingShape shape;
  shape.dimension = static_cast<uint32_t>(config.dimension);
  shape.ngram_order = static_cast<uint32_t>(config.ngram_order);
  shape.bucket_count = static_cast<uint64_t>(config.bucket_count);
  shape.tokenizer = FindTokenizer(config.tokenizer);
  shape.smoothing = config.weighting == "sif" ? static_cast<float>(config.smoothing) : 0.0f;
  if (config.unknown_words == "hashed")
    shape.unknown_norm = static_cast<float>(config.initial_norm);
  shape.unknown_frequency = 1.0f / static_cast<float>(model.vocabulary.token_count);
  shape.components = model.components;
  return shape;
}

std::vector<float> CommonComponents(std::span<const std::string> texts, EmbeddingShape shape,
                                    FeatureSource* source, uint32_t count,
                                    const simd::Kernels& kernels) {
  shape.components.clear();
  if (count == 0) return {};
  Embedder embedder(shape, source, kernels);
  std::vector<float> embeddings, embedding(shape.dimension);
  for (const std::string& text : texts) {
    if (!embedder.EmbedUnit(text, embedding.data())) continue;
    embeddings.insert(embeddings.end(), embedding.begin(), embedding.end());
  }
  return PrincipalComponents(embeddings, shape.dimension, count, kernels);
}

void FitComponents(std::span<const std::string> texts, Model* model) {
  ModelFeatures features(*model);
  const auto count = static_cast<uint32_t>(model->config.components);
  const simd::Kernels& kernels = *simd::FindKernels(model->config.kernel);
  model->components = CommonComponents(texts, ShapeOf(*model), &features, count, kernels);
}

}  // namespace s2v
