#include "core/embed/word_similarity.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "core/embed/principal_components.h"

namespace s2v {

WordSimilarity::WordSimilarity(const EmbeddingShape& shape, std::vector<float> query,
                               const simd::Kernels& kernels)
    : components_(shape.components),
      query_(std::move(query)),
      k_(kernels),
      projected_(shape.dimension) {
  double sums[2];
  k_.dot_and_norm(sums, query_.data(), query_.data(), query_.size());
  square_ = sums[1];
}

std::optional<double> WordSimilarity::Of(const void* row) {
  if (!components_.empty()) {
    std::memcpy(projected_.data(), row, projected_.size() * sizeof(float));
    const auto dimension = static_cast<uint32_t>(projected_.size());
    if (!RemoveComponentsFrom(components_, projected_.data(), dimension, k_)) return std::nullopt;
    row = projected_.data();
  }
  double sums[2];  // query.row, row.row
  k_.dot_and_norm(sums, query_.data(), row, query_.size());
  if (!(sums[1] > 0) || !std::isfinite(sums[1])) return std::nullopt;
  return std::clamp(sums[0] / (std::sqrt(square_) * std::sqrt(sums[1])), -1.0, 1.0);
}

}  // namespace s2v
