// How the numbers of a stored row are written.
//
//   float32   4 * dimension bytes
//   float16   2 * dimension bytes, IEEE 754 binary16
//   int8      4 + dimension bytes: the row's scale as float32, then int8 values; value * scale
//
// All little-endian.
#ifndef S2V_CORE_MODEL_ELEMENT_H_
#define S2V_CORE_MODEL_ELEMENT_H_

#include <cstddef>
#include <cstdint>

namespace s2v {

enum class Element : uint8_t { kFloat32, kFloat16, kInt8 };

inline constexpr size_t RowBytes(Element element, uint32_t dimension) {
  switch (element) {
    case Element::kFloat32:
      return size_t{4} * dimension;
    case Element::kFloat16:
      return size_t{2} * dimension;
    case Element::kInt8:
      break;
  }
  return size_t{4} + dimension;
}

}  // namespace s2v

#endif  // S2V_CORE_MODEL_ELEMENT_H_
