#include "core/eval/encoder.h"

#include <utility>
#include <numeric>
#include <algorithm>
#include <cmath>

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

EmbeddingEncoder::EmbeddingEncoder(std::string name, const EmbeddingShape& shape,
                                   FeatureSource* source, const simd::Kernels& kernels, bool raw)
    : name_(std::move(name)), raw_(raw), embedder_(shape, source, kernels) {}

void EmbeddingEncoder::Encode(std::string_view text, FeatureVector* vector) {
  vector->index.resize(dimension());
  std::iota(vector->index.begin(), vector->index.end(), 0u);
  vector->value.resize(dimension());
  float* embedding = vector->value.data();
  const bool found =
      raw_ ? embedder_.Embed(text, embedding) > 0 : embedder_.EmbedUnit(text, embedding);
  if (!found) vector->Clear();
}

}  // namespace s2v
