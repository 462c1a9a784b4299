#include "core/eval/encoder.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace s2v {

double Dot(const FeatureVector& a, const FeatureVector& b) {
  double sum = 0;
  for (size_t i = 0, j = 0; i < a.index.size() && j < b.index.size();) {
    if (a.index[i] == b.index[j]) {
      sum += static_cast<double>(a.value[i++]) * static_cast<double>(b.value[j++]);
    } else if (a.index[i] < b.index[j]) {
      i++;
    } else {
      j++;
    }
  }
  return sum;
}

double Cosine(const FeatureVector& a, const FeatureVector& b) {
  const double aa = Dot(a, a), bb = Dot(b, b);
  if (!(aa > 0) || !(bb > 0)) return 0;
  return std::clamp(Dot(a, b) / (std::sqrt(aa) * std::sqrt(bb)), -1.0, 1.0);
}

void EmbeddingEncoder::Encode(std::string_view text, FeatureVector* vector) {
  vector->index.resize(dimension());
  std::iota(vector->index.begin(), vector->index.end(), 0u);
  vector->value.resize(dimension());
  float* embedding = vector->value.data();
  const bool found =
      raw_ ? embedder_.Embed(text, embedding) > 0 : embedder_.EmbedUnit(text, embedding);
  if (!found) vector->Clear();
}

void TfIdf::AddText(std::string_view text) {
  text_count_++;
  tokenizer_.Tokenize(text, &tokens_);
  for (size_t i = 0; i < tokens_.size(); i++) {
    const uint32_t id = table_.Insert(tokens_[i], HashWord(tokens_[i]));
    if (id == words_.size()) words_.emplace_back();
    Word& word = words_[id];
    word.count++;
    word.texts += word.last_text != text_count_;
    word.last_text = text_count_;
  }
}

void TfIdf::Fit(uint64_t min_count) {
  for (Word& word : words_) {
    if (word.count < min_count) continue;
    word.idf = static_cast<float>(
        std::log((1 + static_cast<double>(text_count_)) / (1 + static_cast<double>(word.texts))) +
        1);
  }
}

void TfIdf::Encode(std::string_view text, FeatureVector* vector) {
  vector->Clear();
  tokenizer_.Tokenize(text, &tokens_);
  ids_.clear();
  for (size_t i = 0; i < tokens_.size(); i++) {
    const uint32_t id = table_.Find(tokens_[i], HashWord(tokens_[i]));
    if (id != kUnknownWord && words_[id].idf > 0) ids_.push_back(id);
  }
  std::sort(ids_.begin(), ids_.end());
  for (size_t i = 0; i < ids_.size();) {
    size_t end = i + 1;
    while (end < ids_.size() && ids_[end] == ids_[i]) end++;
    vector->index.push_back(ids_[i]);
    vector->value.push_back(static_cast<float>(end - i) * words_[ids_[i]].idf);
    i = end;
  }
}

}  // namespace s2v
