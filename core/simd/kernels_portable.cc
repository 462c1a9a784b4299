// Kernels for any CPU: vectors of 16 bytes, which are SSE2 on the lowest x86-64, SIMD128 in
// WebAssembly; elsewhere the compiler makes what it can of them.
#include "core/simd/kernels.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace s2v::simd {
namespace {

constexpr size_t kWidth = 16;
constexpr int kRegisters = 16;
#include "core/simd/kernels_body.inc"

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
inline Vec LoadInt8(const void* p) {
#if defined(__SSE2__)
  int four = 0;
  __builtin_memcpy(&four, p, sizeof(four));
  const __m128i zero = _mm_setzero_si128();
  // The bytes at the top of the lanes, whose shift keeps the sign.
  const __m128i high = _mm_unpacklo_epi16(zero, _mm_unpacklo_epi8(zero, _mm_cvtsi32_si128(four)));
  return _mm_cvtepi32_ps(_mm_srai_epi32(high, 24));
#else
  signed char v[4];
  __builtin_memcpy(v, p, sizeof(v));
  return Vec{static_cast<float>(v[0]), static_cast<float>(v[1]), static_cast<float>(v[2]),
             static_cast<float>(v[3])};
#endif
}
inline Ints ToInts(HalfShorts v) {
  return __builtin_convertvector(v, Ints);
}
inline Vec4 Fold(Vec v) {
  return v;
}
inline Bytes LookUp(Bytes table, Bytes at) {
#if defined(__wasm_simd128__)
  typedef signed char Signed __attribute__((vector_size(16)));
  return reinterpret_cast<Bytes>(
      __builtin_wasm_swizzle_i8x16(reinterpret_cast<Signed>(table), reinterpret_cast<Signed>(at)));
#elif defined(__SSE2__) || defined(__clang__)
  // SSE2 has no look-up.
  unsigned char from[16], to[16];
  __builtin_memcpy(from, &table, 16);
  __builtin_memcpy(to, &at, 16);
  for (unsigned char& byte : to) byte = from[byte];
  __builtin_memcpy(&at, to, 16);
  return at;
#else
  return __builtin_shuffle(table, at);
#endif
}
template <class Ints>
inline unsigned MaskOf(Ints v) {
#if defined(__SSE2__)
  return static_cast<unsigned>(_mm_movemask_ps(reinterpret_cast<__m128>(v)));
#elif defined(__wasm_simd128__)
  return static_cast<unsigned>(__builtin_wasm_bitmask_i32x4(v));
#else
  unsigned mask = 0;
  for (int i = 0; i < 4; i++) mask |= static_cast<unsigned>(v[i] < 0) << i;
  return mask;
#endif
}

inline Ints AddProducts(Ints sum, Bytes centres, Ints numbers) {
  const Ints twos = reinterpret_cast<Ints>(ProductsOfTwos(centres, numbers));
  return sum + ((twos << 16) >> 16) + (twos >> 16);
}

}  // namespace

extern const Kernels kPortableKernels;
const Kernels kPortableKernels = S2V_KERNEL_TABLE("portable", Nearness<>);

}  // namespace s2v::simd
