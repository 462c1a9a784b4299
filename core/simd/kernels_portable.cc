// Kernels for any CPU: vectors of 16 bytes, which are SSE2 on the lowest x86-64 and NEON on 64-bit
// ARM; elsewhere the compiler makes what it can of them.
#include "core/simd/kernels.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace s2v::simd {
namespace {

constexpr size_t kWidth = 16;

typedef float Vec __attribute__((vector_size(16)));
typedef float Vec4 __attribute__((vector_size(16)));
typedef double DoubleVec __attribute__((vector_size(16)));
typedef float HalfVec __attribute__((vector_size(8)));

inline Vec LoadPart(const float* p, size_t count) {
  return Vec{p[0], count > 1 ? p[1] : 0.0f, count > 2 ? p[2] : 0.0f, 0.0f};
}
inline void StorePart(float* p, Vec v, size_t count) {
  p[0] = v[0];
  if (count > 1) p[1] = v[1];
  if (count > 2) p[2] = v[2];
}
inline HalfVec LoadHalfPart(const char* p, size_t) {
  HalfVec v = {};
  __builtin_memcpy(&v, p, sizeof(float));
  return v;
}
inline DoubleVec ToDouble(HalfVec v) {
#if defined(__SSE2__)
  return _mm_cvtps_pd(__builtin_shufflevector(v, v, 0, 1, -1, -1));
#else
  return __builtin_convertvector(v, DoubleVec);
#endif
}
inline Vec4 Fold(Vec v) {
  return v;
}

#include "core/simd/kernels_body.inc"

}  // namespace

extern const Kernels kPortableKernels;
const Kernels kPortableKernels = S2V_KERNEL_TABLE("portable");

}  // namespace s2v::simd
