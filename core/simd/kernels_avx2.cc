// Kernels for x86-64 with AVX2 and FMA (Haswell 2013, Zen 2017). Compiled with those flags:
// see the invariant in kernels_body.inc.
#if defined(__x86_64__) && defined(__AVX2__) && defined(__FMA__)

#include <immintrin.h>

#include "core/simd/kernels.h"

namespace s2v::simd {
namespace {

constexpr size_t kWidth = 32;
constexpr int kRegisters = 16;
#include "core/simd/kernels_body.inc"

// A window of 8 that begins `count` before the zeros selects the first `count` lanes.
alignas(64) const int kMasks[16] = {-1, -1, -1, -1, -1, -1, -1, -1, 0, 0, 0, 0, 0, 0, 0, 0};
inline __m256i MaskOf(size_t count) {
  return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(kMasks + 8 - count));
}
inline Vec LoadPart(const float* p, size_t count) {
  return _mm256_maskload_ps(p, MaskOf(count));
}
inline void StorePart(float* p, Vec v, size_t count) {
  _mm256_maskstore_ps(p, MaskOf(count), v);
}
inline HalfVec LoadHalfPart(const char* p, size_t count) {
  return _mm_maskload_ps(reinterpret_cast<const float*>(p),
                         _mm_loadu_si128(reinterpret_cast<const __m128i*>(kMasks + 8 - count)));
}
inline DoubleVec ToDouble(HalfVec v) {
  return _mm256_cvtps_pd(v);
}
inline Vec LoadInt8(const void* p) {
  return _mm256_cvtepi32_ps(_mm256_cvtepi8_epi32(_mm_loadl_epi64(static_cast<const __m128i*>(p))));
}
inline Ints ToInts(HalfShorts v) {
  return __builtin_convertvector(v, Ints);
}
inline Vec4 Fold(Vec v) {
  return __builtin_shufflevector(v, v, 0, 1, 2, 3) + __builtin_shufflevector(v, v, 4, 5, 6, 7);
}
inline Bytes LookUp(Bytes table, Bytes at) {
  return reinterpret_cast<Bytes>(
      _mm256_shuffle_epi8(reinterpret_cast<__m256i>(table), reinterpret_cast<__m256i>(at)));
}
template <class Ints>
inline unsigned MaskOf(Ints v) {
  return static_cast<unsigned>(_mm256_movemask_ps(reinterpret_cast<__m256>(v)));
}

inline Ints AddProducts(Ints sum, Bytes centres, Ints numbers) {
  const __m256i twos =
      _mm256_maddubs_epi16(reinterpret_cast<__m256i>(centres), reinterpret_cast<__m256i>(numbers));
  return sum + reinterpret_cast<Ints>(_mm256_madd_epi16(twos, _mm256_set1_epi16(1)));
}

}  // namespace

extern const Kernels kAvx2Kernels;
const Kernels kAvx2Kernels = S2V_KERNEL_TABLE("avx2", Nearness<>);

}  // namespace s2v::simd

#endif
