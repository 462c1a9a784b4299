#include "core/embed/components.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "core/random.h"

namespace s2v {

namespace {

// Enough for the leading component of sentence embeddings, which stands out; the error falls by the
// ratio of neighbouring singular values each time.
constexpr int kIterations = 30;
// Of the largest eigenvalue: below is the rounding of float.
constexpr double kSmallestShare = 1e-6;

}  // namespace

std::vector<float> PrincipalComponents(std::span<const float> vectors, uint32_t dimension,
                                       uint32_t count, const simd::Kernels& k) {
  const size_t rows = vectors.size() / dimension;
  std::vector<float> components;  // found so far
  std::vector<float> at(dimension), next(dimension);
  // Takes away what was found and scales to length 1; returns the length before.
  const auto orthonormalize = [&](std::vector<float>* v) {
    RemoveComponents(components, v->data(), dimension, k);
    const double length = std::sqrt(static_cast<double>(k.dot(v->data(), v->data(), dimension)));
    if (length > 0) k.scale(v->data(), static_cast<float>(1 / length), dimension);
    return length;
  };
  Random random(1);
  double largest = 0;  // eigenvalue, of the first component
  for (uint32_t c = 0; c < count && c < dimension; c++) {
    for (float& value : at) value = random.Uniform() - 0.5f;
    orthonormalize(&at);
    double eigenvalue = 0;
    for (int iteration = 0; iteration < kIterations; iteration++) {
      next.assign(dimension, 0.0f);
      for (size_t r = 0; r < rows; r++) {
        const float* v = vectors.data() + r * dimension;
        k.axpy(next.data(), k.dot(v, at.data(), dimension), v, dimension);
      }
      std::swap(at, next);
      eigenvalue = orthonormalize(&at);
    }
    if (c == 0) largest = eigenvalue;
    if (!(eigenvalue > kSmallestShare * largest) || !std::isfinite(eigenvalue)) break;
    components.insert(components.end(), at.begin(), at.end());
  }
  return components;
}

void RemoveComponents(std::span<const float> components, float* v, uint32_t dimension,
                      const simd::Kernels& k) {
  for (size_t at = 0; at + dimension <= components.size(); at += dimension) {
    const float* component = components.data() + at;
    k.axpy(v, -k.dot(component, v, dimension), component, dimension);
  }
}

bool RemoveComponentsFrom(std::span<const float> components, float* v, uint32_t dimension,
                          const simd::Kernels& k) {
  const float before = k.dot(v, v, dimension);
  RemoveComponents(components, v, dimension, k);
  constexpr float kRounding = 1e-10f;
  return k.dot(v, v, dimension) > kRounding * before;
}

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
