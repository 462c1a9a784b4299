// The first principal components of a set of vectors: the common directions that smooth inverse
// frequency weighting takes away (Arora, Liang, Ma, "A simple but tough-to-beat baseline for
// sentence embeddings", ICLR 2017).
#ifndef S2V_CORE_EMBED_PRINCIPAL_COMPONENTS_H_
#define S2V_CORE_EMBED_PRINCIPAL_COMPONENTS_H_

#include <cstdint>
#include <span>
#include <vector>

#include "core/simd/kernels.h"

namespace s2v {

// [count, dimension] orthonormal: the directions of largest sum of squares of vectors [rows,
// dimension], not centred, by orthogonal iteration from a fixed start. Fewer where the vectors span
// fewer.
std::vector<float> PrincipalComponents(std::span<const float> vectors, uint32_t dimension,
                                       uint32_t count, const simd::Kernels& kernels);

// v -= its projections on the components [any, dimension].
void RemoveComponents(std::span<const float> components, float* v, uint32_t dimension,
                      const simd::Kernels& kernels);
// The same. False where nothing but rounding is left of v: it lay in the components.
bool RemoveComponentsFrom(std::span<const float> components, float* v, uint32_t dimension,
                          const simd::Kernels& kernels);

}  // namespace s2v

#endif  // S2V_CORE_EMBED_PRINCIPAL_COMPONENTS_H_
