// How the numbers of a stored row are written.
//
//   float32   4 * dimension bytes
//   float16   2 * dimension bytes, IEEE 754 binary16
//   int8      4 + dimension bytes: the row's scale as float32, then int8 values; value * scale
//
// All little-endian. Encoding rounds to the nearest number that the element has, ties to even. An
// int8 row is symmetric: scale = max |v| / 127, values from -127 to 127; a row of zeros has scale
// 0.
//
//   std::vector<char> bytes(RowBytes(element, dimension));
//   EncodeRow(element, row, dimension, bytes.data());
//   DecodeRow(element, bytes.data(), dimension, row);
//
// What a float16 cannot hold is an error, not cut off: a value of 65520 or more would be stored as
// another, and an int8 row of the same size holds it to a relative error of 1 / 254 of the largest.
//
// Thread rule: pure functions.
#ifndef S2V_CORE_MODEL_ELEMENT_H_
#define S2V_CORE_MODEL_ELEMENT_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

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

// "float32", "float16", "int8"
std::string_view ElementName(Element element);
std::optional<Element> FindElement(std::string_view name);
// As FindElement. Throws InvalidArgument for an unknown name, with the known ones.
Element ParseElement(std::string_view name);

// row [dimension] to bytes [RowBytes], which need no alignment. Throws InvalidArgument for a value
// that is not finite, or too large for a float16.
void EncodeRow(Element element, const float* row, uint32_t dimension, void* bytes);
// Whether bytes [RowBytes] are a row that EncodeRow may have written: a finite scale that is not
// negative, no int8 value of -128, no float16 that is infinite or no number. Of float32 all are.
bool IsRow(Element element, const void* bytes, uint32_t dimension);
// bytes [RowBytes], unaligned, to row [dimension]. REQUIRES: IsRow.
void DecodeRow(Element element, const void* bytes, uint32_t dimension, float* row);

// IEEE 754 binary16, to the nearest, ties to even; infinite from 65520 on, subnormal below 2^-14.
uint16_t Float16Of(float value);
float FloatOf(uint16_t float16);

}  // namespace s2v

#endif  // S2V_CORE_MODEL_ELEMENT_H_
