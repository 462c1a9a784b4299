// Kernels for 64-bit ARM, whose every processor has these instructions. Of those that some have
// besides, products of bytes would be of use for `nearness` alone.
#if defined(__aarch64__)

#include <arm_neon.h>

#include "core/simd/kernels.h"

namespace s2v::simd {
namespace {

constexpr size_t kWidth = 16;
constexpr int kRegisters = 32;
#include "core/simd/kernels_body.inc"

inline Vec LoadPart(const float* p, size_t count) {
  Vec v = {p[0], 0.0f, 0.0f, 0.0f};
  if (count > 1) v[1] = p[1];
  if (count > 2) v[2] = p[2];
  return v;
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
  return vcvt_f64_f32(v);
}
inline Vec LoadInt8(const void* p) {
  int four;
  __builtin_memcpy(&four, p, sizeof(four));
  const int16x8_t wide = vmovl_s8(vreinterpret_s8_s32(vdup_n_s32(four)));
  return vcvtq_f32_s32(vmovl_s16(vget_low_s16(wide)));
}
inline Ints ToInts(HalfShorts v) {
  return reinterpret_cast<Ints>(vmovl_u16(v));
}
inline Vec4 Fold(Vec v) {
  return v;
}
inline Bytes LookUp(Bytes table, Bytes at) {
  return vqtbl1q_u8(table, at);
}
template <class Ints>
inline unsigned MaskOf(Ints v) {
  const BitsVec bits = {1, 2, 4, 8};
  return vaddvq_u32(reinterpret_cast<BitsVec>(v) >> 31 ? bits : BitsVec{});
}

inline Ints AddProducts(Ints sum, Bytes centres, Ints numbers) {
  return vpadalq_s16(sum, ProductsOfTwos(centres, numbers));
}

}  // namespace

extern const Kernels kNeonKernels;
const Kernels kNeonKernels = S2V_KERNEL_TABLE("neon", Nearness<>);

}  // namespace s2v::simd

#endif
