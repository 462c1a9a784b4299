#include "core/embed/principal_components.h"

#include <cmath>

#include "core/random.h"

namespace s2v {
namespace {

// Enough for the leading component of sentence embeddings, which stands out; the error falls by the ratio
// of neighbouring singular values each time.
constexpr int kIterations = 30;

}  // namespace

std::vector<float> PrincipalComponents(std::span<const float> vectors, uint32_t dimension, uint32_t count,
                                       const simd::Kernels& k) {
  const size_t rows = vectors.size() / dimension;
  std::vector<float> components;  // found so far
  std::vector<float> at(dimension), next(dimension);
  Random random(1);
  for (uint32_t c = 0; c < count; c++) {
    for (float& value : at) value = random.Uniform() - 0.5f;
    double length = 0;
    for (int iteration = 0; iteration < kIterations; iteration++) {
      RemoveComponents(components, at.data(), dimension, k);
      length = std::sqrt(static_cast<double>(k.dot(at.data(), at.data(), dimension)));
      if (!(length > 1e-12)) break;
      k.scale(at.data(), static_cast<float>(1 / length), dimension);
      next.assign(dimension, 0.0f);
      for (size_t r = 0; r < rows; r++) {
        const float* v = vectors.data() + r * dimension;
        k.axpy(next.data(), k.dot(v, at.data(), dimension), v, dimension);
      }
      std::swap(at, next);
    }
    RemoveComponents(components, at.data(), dimension, k);
    length = std::sqrt(static_cast<double>(k.dot(at.data(), at.data(), dimension)));
    if (!(length > 1e-12) || !std::isfinite(length)) break;
    k.scale(at.data(), static_cast<float>(1 / length), dimension);
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

}  // namespace s2v
