// Kernels for x86-64 with AVX-512 F, BW, DQ and VL (Skylake-SP 2017), and those for processors that
// have VNNI too (Cascade Lake 2019, Zen 4 2022). Compiled with
// those flags: see the invariant in kernels_body.inc.
#if defined(__x86_64__) && defined(__AVX512F__) && defined(__AVX512VL__)

#include <immintrin.h>

#include "core/simd/kernels.h"

namespace s2v::simd {
namespace {

constexpr size_t kWidth = 64;
constexpr int kRegisters = 32;
#include "core/simd/kernels_body.inc"

inline Vec LoadPart(const float* p, size_t count) {
  return _mm512_maskz_loadu_ps(static_cast<__mmask16>((1u << count) - 1), p);
}
inline void StorePart(float* p, Vec v, size_t count) {
  _mm512_mask_storeu_ps(p, static_cast<__mmask16>((1u << count) - 1), v);
}
inline HalfVec LoadHalfPart(const char* p, size_t count) {
  return _mm256_maskz_loadu_ps(static_cast<__mmask8>((1u << count) - 1), p);
}
// With a mask of all lanes, since GCC 12 warns of the other forms' unset register.
inline DoubleVec ToDouble(HalfVec v) {
  return _mm512_maskz_cvtps_pd(0xff, v);
}
inline Vec LoadInt8(const void* p) {
  return _mm512_maskz_cvtepi32_ps(
      0xffff, _mm512_maskz_cvtepi8_epi32(0xffff, _mm_loadu_si128(static_cast<const __m128i*>(p))));
}
inline Ints ToInts(HalfShorts v) {
  return __builtin_convertvector(v, Ints);
}
inline Vec4 Fold(Vec v) {
  const HalfVec half = __builtin_shufflevector(v, v, 0, 1, 2, 3, 4, 5, 6, 7) +
                       __builtin_shufflevector(v, v, 8, 9, 10, 11, 12, 13, 14, 15);
  return __builtin_shufflevector(half, half, 0, 1, 2, 3) +
         __builtin_shufflevector(half, half, 4, 5, 6, 7);
}
inline Bytes LookUp(Bytes table, Bytes at) {
  return reinterpret_cast<Bytes>(
      _mm512_shuffle_epi8(reinterpret_cast<__m512i>(table), reinterpret_cast<__m512i>(at)));
}
template <class Ints>
inline unsigned MaskOf(Ints v) {
  return _mm512_movepi32_mask(reinterpret_cast<__m512i>(v));
}

inline Ints AddProducts(Ints sum, Bytes centres, Ints numbers) {
  const __m512i twos =
      _mm512_maddubs_epi16(reinterpret_cast<__m512i>(centres), reinterpret_cast<__m512i>(numbers));
  return sum + reinterpret_cast<Ints>(_mm512_madd_epi16(twos, _mm512_set1_epi16(1)));
}
// The same in one instruction, for which this file is not compiled.
struct VnniProducts {
  S2V_INLINE static Ints Add(Ints sum, Bytes centres, Ints numbers) {
    __asm__("vpdpbusd %2, %1, %0" : "+v"(sum) : "v"(centres), "v"(numbers));
    return sum;
  }
};

}  // namespace

extern const Kernels kAvx512Kernels, kAvx512VnniKernels;
const Kernels kAvx512Kernels = S2V_KERNEL_TABLE("avx512", Nearness<>);
const Kernels kAvx512VnniKernels = S2V_KERNEL_TABLE("avx512vnni", Nearness<VnniProducts>);

}  // namespace s2v::simd

#endif
