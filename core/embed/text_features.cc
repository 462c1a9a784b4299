#include "core/embed/text_features.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "core/model/feature.h"
#include "core/model/feature_source.h"
#include "core/vocab/hash.h"

namespace s2v {

void TextFeatures::Begin(std::string_view text) {
  cutter_.Cut(text, &tokens_);
  run_.clear();
  places_.clear();
  ends_ngrams_ = false;
  next_ = 0;
  feature_ = {};
}

void TextFeatures::TakeRow(const Feature& feature) {
  const bool is_known = feature.row != nullptr, is_word = feature_.n == 1;
  decoded_.resize(shape_.dimension);
  feature_.row = decoded_.data();
  feature_.weight = (is_known ? shape_.WeightOf(feature, BurstShare(tokens_.size()))
                              : FeatureWeight(shape_.smoothing, shape_.unknown_frequency)) *
                    shape_.WeightOfPlace(next_ - 1);
  if (is_known) {
    DecodeRow(source_->element(), feature.row, shape_.dimension, decoded_.data());
  } else if (!is_word || !FindCharacterRow(*shape_.tokenizer, tokens_[feature_.position],
                                           shape_.bucket_count(), source_, decoded_)) {
    feature_.row = nullptr;
    const bool is_random = is_word && shape_.unknown_norm > 0;  // FillUnknownRow
    if (!is_random || shape_.tokenizer->characters().most > 0) feature_.weight = 0;
  }
}

bool TextFeatures::Next() {
  source_->BeginBatch();
  if (ends_ngrams_ && feature_.n < std::min<size_t>(shape_.ngram_order, run_.size())) {
    feature_.n++;
    feature_.position = places_[run_.size() - feature_.n];
    feature_.key = shape_.Bucket(run_.data() + run_.size() - feature_.n, feature_.n);
    TakeRow(source_->Ngram(feature_.key));
    return true;
  }
  if (next_ == tokens_.size()) return false;
  const std::string_view token = tokens_[next_];
  feature_.position = next_++;
  feature_.n = 1;
  feature_.key = HashWord(token);
  const Feature word = source_->Word(token, feature_.key);
  TakeRow(word);
  ends_ngrams_ = feature_.row != nullptr && shape_.ngram_order > 1;
  if (ends_ngrams_) {
    run_.push_back(shape_.id_buckets > 0 ? word.id : feature_.key);
    places_.push_back(feature_.position);
  } else if (shape_.id_buckets == 0) {
    run_.clear();
    places_.clear();
  }
  return true;
}

std::string TextFeatures::Join(std::string_view (Tokens::*word)(size_t) const) const {
  std::string name((tokens_.*word)(feature_.position));
  for (size_t i = 1; i < feature_.n; i++) {
    name += ' ';
    name += (tokens_.*word)(places_[places_.size() - feature_.n + i]);
  }
  return name;
}

EmbeddingParts PartsOf(std::string_view text, const EmbeddingShape& shape, FeatureSource* source) {
  // The embedder decides whether the text has an embedding at all.
  std::vector<float> embedding(shape.dimension);
  if (!Embedder(shape, source).EmbedUnit(text, embedding.data())) return {};

  EmbeddingParts parts;
  std::unordered_map<std::string, size_t> found;
  std::vector<std::vector<float>> rows;
  std::vector<double> weights;  // of all repetitions
  TextFeatures features(shape, source);
  features.Begin(text);
  while (features.Next()) {
    if (features.at().weight == 0) continue;
    const auto [place, is_new] = found.try_emplace(features.Name(), rows.size());
    if (is_new) {
      parts.names.push_back(features.WholeWords());
      const float* row = features.at().row;
      rows.emplace_back(shape.dimension);
      if (row != nullptr) {
        rows.back().assign(row, row + shape.dimension);
      } else {
        FillUnknownRow(shape, features.at().key, rows.back().data());
      }
      weights.push_back(0);
    }
    weights[place->second] += features.at().weight;
  }

  double square = 0;
  for (size_t i = 0; i < shape.dimension; i++) {
    double sum = 0;
    for (size_t r = 0; r < rows.size(); r++) sum += weights[r] * rows[r][i];
    square += sum * sum;
  }
  const double length = std::sqrt(square);
  for (size_t r = 0; r < rows.size(); r++) {
    for (const float v : rows[r])
      parts.vectors.push_back(static_cast<float>(weights[r] * v / length));
  }
  return parts;
}

}  // namespace s2v
