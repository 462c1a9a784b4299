#include "core/eval/embedding_encoder.h"

#include <numeric>
#include <utility>

namespace s2v {

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
