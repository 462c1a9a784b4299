// How the numbers of a vector are written where it is stored.
//
//   float32     4 * dimension bytes
//   int8        4 + dimension bytes: the vector's scale as float32, then int8 values; value * scale
//   direction   dimension + dimension / 8 bytes, rounded up: an int8 h for each dimension, then a bit b for each, the first
//               one lowest. The vector has the direction of the numbers 2 h + b, -255 to 255; its length is not kept
//
// All little-endian. Encoding rounds to the nearest number that the form has, ties to even. An
// int8 vector is symmetric: scale = max |v| / 127, values from -127 to 127; zeros have scale 0.
//
// Rows of a model are float32 or int8. An index of texts keeps directions, to compare rows exactly;
// the codes that find these rows, one bit a dimension, are made for being searched, not read back:
// core/search/codes.h.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace s2v {

// The largest absolute value; 0 of none.
float LargestOf(std::span<const float> numbers);
inline double SquaredLength(std::span<const float> numbers) {
  double square = 0;
  for (const float number : numbers) square += double{number} * number;
  return square;
}
// The nearest integer, ties to even, of a number below 2^22: unlike std::lrint, loops of it become
// vector instructions.
inline int NearestInt(float number) {
  constexpr float kUnits = 0x1.8p23f;  // floats near it are integers
  return std::bit_cast<int>(number + kUnits) - std::bit_cast<int>(kUnits);
}

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

inline constexpr size_t DirectionBytes(uint32_t dimension) {
  return size_t{dimension} + (size_t{dimension} + 7) / 8;
}
// vector [dimension] to bytes [DirectionBytes]. REQUIRES: the vector is finite, and not all zeros.
void EncodeDirection(const float* vector, uint32_t dimension, void* bytes);
// bytes [DirectionBytes], unaligned, to vector [dimension], of any length.
void DecodeDirection(const void* bytes, uint32_t dimension, float* vector);

}  // namespace s2v
