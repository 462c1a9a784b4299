// How the numbers of a stored row are written.
//
//   float32   4 * dimension bytes
//   int8      4 + dimension bytes: the row's scale as float32, then int8 values; value * scale
//
// All little-endian. Encoding rounds to the nearest number that the element has, ties to even. An
// int8 row is symmetric: scale = max |v| / 127, values from -127 to 127; a row of zeros has scale 0.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace s2v {

enum class Element : uint8_t { kFloat32, kInt8 };

inline constexpr size_t RowBytes(Element element, uint32_t dimension) {
  return element == Element::kFloat32 ? size_t{4} * dimension : size_t{4} + dimension;
}

// "float32", "int8"
std::string_view ElementName(Element element);
// Throws InvalidArgument for an unknown name, with the known ones.
Element ParseElement(std::string_view name);

// row [dimension] to bytes [RowBytes], which need no alignment. Throws InvalidArgument for a value
// that is not finite.
void EncodeRow(Element element, const float* row, uint32_t dimension, void* bytes);
// Whether bytes [RowBytes] are a row that EncodeRow may have written: finite floats, a finite scale
// that is not negative, no int8 value of -128.
bool IsRow(Element element, const void* bytes, uint32_t dimension);
// bytes [RowBytes], unaligned, to row [dimension]. REQUIRES: IsRow.
void DecodeRow(Element element, const void* bytes, uint32_t dimension, float* row);

}  // namespace s2v
