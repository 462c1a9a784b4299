#include "core/embed/embedder.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace s2v {
namespace {

// Words that are looked up at once: more than most texts have, few enough that the slots and the
// beginnings of the rows stay in the processor's first cache, and that a huge text takes little
// memory.
constexpr size_t kBatch = 128;
// Of a run of known words the hashes of the last kLongestRun are kept, for the n-grams that end in
// it.
constexpr size_t kLongestRun = 1024;

}  // namespace

// All words of a batch are looked up at once and then all n-grams that end in it, so that their
// cache misses overlap.
void Embedder::FindFeatures(size_t first, size_t end) {
  words_.clear();
  for (size_t i = first; i < end; i++) words_.push_back({tokens_[i], HashWord(tokens_[i])});
  features_.resize(words_.size());
  source_->FindWords(words_, features_.data());

  buckets_.clear();
  ngram_places_.clear();
  places_.clear();
  size_t known = 0;
  for (size_t i = 0; i < words_.size(); i++) {
    const float place = shape_.WeightOfPlace(first + i);
    if (features_[i].row == nullptr) {
      if (shape_.unknown_norm > 0) unknown_.push_back({words_[i], place});
      if (shape_.tokenizer->characters().most > 0) made_.push_back({words_[i], place});
      if (shape_.id_buckets == 0) run_.clear();
      continue;
    }
    if (shape_.ngram_order > 1) AddNgrams(shape_.id_buckets > 0 ? features_[i].id : words_[i].hash);
    ngram_places_.resize(buckets_.size(), place);
    features_[known++] = features_[i];
    places_.push_back(place);
  }
  features_.resize(known + buckets_.size());
  Feature* const ngrams = features_.data() + known;
  source_->FindNgrams(buckets_, ngrams);
  for (size_t i = 0; i < buckets_.size(); i++) {
    if (ngrams[i].row == nullptr) continue;
    features_[known++] = ngrams[i];
    places_.push_back(ngram_places_[i]);
  }
  features_.resize(known);
}

void Embedder::AddNgrams(uint64_t word) {
  if (run_.size() == kLongestRun) run_.erase(run_.begin(), run_.end() - shape_.ngram_order + 1);
  run_.push_back(word);
  for (size_t n = 2; n <= shape_.ngram_order && n <= run_.size(); n++) {
    buckets_.push_back(shape_.Bucket(run_.data() + run_.size() - n, n));
  }
}

void Embedder::AddRows(float* sum) {
  const size_t count = features_.size();
  if (source_->element() == Element::kFloat32) {
    float32_rows_.clear();
    for (const Feature& f : features_) float32_rows_.push_back(static_cast<const float*>(f.row));
    k_.axpy_rows(sum, weights_.data(), float32_rows_.data(), count, shape_.dimension);
    return;
  }
  int8_rows_.clear();
  for (size_t r = 0; r < count; r++) {
    float scale;
    std::memcpy(&scale, features_[r].row, sizeof(scale));
    weights_[r] *= scale;
    int8_rows_.push_back(static_cast<const int8_t*>(features_[r].row) + sizeof(scale));
  }
  k_.axpy_rows_int8(sum, weights_.data(), int8_rows_.data(), count, shape_.dimension);
}

size_t Embedder::Sum(std::string_view text, bool is_weighted, float* sum) {
  cutter_.Cut(text, &tokens_);
  run_.clear();
  unknown_.clear();
  std::fill_n(sum, shape_.dimension, 0.0f);
  size_t count = 0;
  const float burst_share = BurstShare(tokens_.size());
  for (size_t first = 0; first < tokens_.size(); first += kBatch) {
    source_->BeginBatch();
    FindFeatures(first, std::min(first + kBatch, tokens_.size()));
    count += features_.size();
    weights_.clear();
    for (size_t r = 0; r < features_.size(); r++) {
      weights_.push_back(is_weighted ? shape_.WeightOf(features_[r], burst_share) * places_[r] : 1);
    }
    AddRows(sum);
    if (!made_.empty()) count += AddMade(is_weighted, sum);
  }
  return count;
}

size_t Embedder::AddMade(bool is_weighted, float* sum) {
  unknown_row_.resize(shape_.dimension);
  const float weight = FeatureWeight(shape_.smoothing, shape_.unknown_frequency);
  size_t count = 0;
  for (const auto& [key, place] : made_) {
    if (!FindCharacterRow(*shape_.tokenizer, key.word, shape_.bucket_count(), source_,
                          unknown_row_))
      continue;
    k_.axpy(sum, is_weighted ? weight * place : 1, unknown_row_.data(), shape_.dimension);
    count++;
  }
  made_.clear();
  return count;
}

size_t Embedder::Embed(std::string_view text, float* embedding) {
  const size_t count = Sum(text, false, embedding);
  if (count == 0) return 0;
  k_.scale(embedding, 1.0f / static_cast<float>(count), shape_.dimension);
  const auto is_finite = [](float value) { return std::isfinite(value); };
  if (std::all_of(embedding, embedding + shape_.dimension, is_finite)) return count;
  std::fill_n(embedding, shape_.dimension, 0.0f);
  return 0;
}

bool Embedder::EmbedUnit(std::string_view text, float* embedding) {
  if (Sum(text, true, embedding) == 0) return false;
  AddUnknown(embedding);
  return Normalize(embedding, shape_.dimension);
}

void Embedder::AddUnknown(float* embedding) {
  if (unknown_.empty()) return;
  unknown_row_.resize(shape_.dimension);
  const float weight = FeatureWeight(shape_.smoothing, shape_.unknown_frequency);
  for (const auto& [key, place] : unknown_) {
    FillUnknownRow(shape_, key.hash, unknown_row_.data());
    k_.axpy(embedding, weight * place, unknown_row_.data(), shape_.dimension);
  }
}

void FillUnknownRow(const EmbeddingShape& shape, uint64_t hash, float* row) {
  FillUniform(hash, WidthOfLength(shape.unknown_norm, shape.dimension), row, shape.dimension);
}

std::vector<float> EmbedAll(std::span<const std::string> texts, const EmbeddingShape& shape,
                            FeatureSource* source) {
  Embedder embedder(shape, source);
  std::vector<float> embeddings(texts.size() * shape.dimension);
  for (size_t i = 0; i < texts.size(); i++) {
    float* embedding = embeddings.data() + i * shape.dimension;
    if (!embedder.EmbedUnit(texts[i], embedding)) std::fill_n(embedding, shape.dimension, 0.0f);
  }
  return embeddings;
}

MeanCosine CompareEmbeddings(std::span<const float> a, std::span<const float> b,
                             uint32_t dimension) {
  MeanCosine mean;
  for (size_t at = 0; at < a.size(); at += dimension) {
    double to_a[2], to_b[2];
    simd::BestKernels().dot_and_norm(to_a, &b[at], &a[at], dimension);
    simd::BestKernels().dot_and_norm(to_b, &a[at], &b[at], dimension);
    if (to_a[1] == 0) continue;
    mean.texts++;
    if (to_b[1] > 0) mean.cosine += to_a[0] / std::sqrt(to_a[1] * to_b[1]);
  }
  if (mean.texts > 0) mean.cosine /= static_cast<double>(mean.texts);
  return mean;
}

bool Normalize(float* v, uint32_t dimension) {
  double sums[2];
  simd::BestKernels().dot_and_norm(sums, v, v, dimension);
  const double length = std::sqrt(sums[1]);
  if (!(length > 0) || !std::isfinite(length)) return false;
  // In double, a product with the inverse is as good as a quotient once it is rounded to float.
  const double inverse = 1 / length;
  for (uint32_t i = 0; i < dimension; i++) {
    v[i] = static_cast<float>(static_cast<double>(v[i]) * inverse);
  }
  return true;
}

Feature ModelFeatures::Word(std::string_view word, uint64_t hash) {
  const uint32_t id = model_.vocabulary.words.Find(word, hash);
  if (id == kUnknownWord) return {};
  const float burst = model_.word_bursts.empty() ? 0 : model_.word_bursts[id];
  return {model_.source[id], static_cast<float>(model_.vocabulary.Frequency(id)), id, burst};
}

float ModelFeatures::LeastFrequency() {
  const Vocabulary& vocabulary = model_.vocabulary;
  return vocabulary.size() == 0 ? 1
                                : static_cast<float>(vocabulary.Frequency(vocabulary.size() - 1));
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
  shape.tokenizer = &TokenizerOf(config);
  shape.smoothing = static_cast<float>(config.smoothing);
  if (config.smoothing > 0) shape.unknown_norm = static_cast<float>(config.initial_norm);
  shape.unknown_frequency = 1.0f / static_cast<float>(model.vocabulary.token_count);
  shape.id_buckets = model.id_buckets;
  shape.favours_opening = model.favours_opening;
  return shape;
}

}  // namespace s2v
