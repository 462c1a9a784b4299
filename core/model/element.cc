#include "core/model/element.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <vector>

#include "core/error.h"

namespace s2v {
namespace {

static_assert(std::endian::native == std::endian::little, "rows are little-endian");

constexpr float kInt8Max = 127;

void EncodeInt8(const float* row, uint32_t dimension, char* bytes) {
  const float scale = LargestOf({row, dimension}) / kInt8Max;
  std::memcpy(bytes, &scale, sizeof(scale));
  // In double, where the quotient of numbers near the smallest float is exact enough too.
  for (uint32_t i = 0; i < dimension; i++) {
    const double value = scale > 0 ? static_cast<double>(row[i]) / static_cast<double>(scale) : 0;
    bytes[sizeof(scale) + i] = static_cast<char>(std::clamp(std::lrint(value), -127L, 127L));
  }
}

}  // namespace

float LargestOf(std::span<const float> numbers) {
  constexpr size_t kSideBySide = 8;  // which the compiler takes into vectors
  float largest[kSideBySide] = {};
  size_t i = 0;
  for (; i + kSideBySide <= numbers.size(); i += kSideBySide) {
    for (size_t j = 0; j < kSideBySide; j++)
      largest[j] = std::max(largest[j], std::fabs(numbers[i + j]));
  }
  for (; i < numbers.size(); i++) largest[0] = std::max(largest[0], std::fabs(numbers[i]));
  return *std::max_element(largest, largest + kSideBySide);
}

std::string_view ElementName(Element element) {
  return element == Element::kFloat32 ? "float32" : "int8";
}

Element ParseElement(std::string_view name) {
  return CheckKnown("element", name, std::array{Element::kFloat32, Element::kInt8}, ElementName);
}

void EncodeRow(Element element, const float* row, uint32_t dimension, void* bytes) {
  if (!std::all_of(row, row + dimension, [](float v) { return std::isfinite(v); })) {
    throw InvalidArgument("an embedding is not finite");
  }
  if (element == Element::kInt8) return EncodeInt8(row, dimension, static_cast<char*>(bytes));
  std::memcpy(bytes, row, dimension * sizeof(float));
}

bool IsRow(Element element, const void* bytes, uint32_t dimension) {
  const char* at = static_cast<const char*>(bytes);
  if (element == Element::kFloat32) {
    constexpr uint32_t kExponent = 0x7f800000;  // all ones: infinite or no number
    bool finite = true;
    for (uint32_t i = 0; i < dimension; i++) {
      uint32_t bits;
      std::memcpy(&bits, at + i * sizeof(bits), sizeof(bits));
      finite &= (bits & kExponent) != kExponent;
    }
    return finite;
  }
  float scale = 0;
  std::memcpy(&scale, at, sizeof(scale));
  if (!std::isfinite(scale) || scale < 0) return false;
  return std::memchr(at + sizeof(scale), 0x80, dimension) == nullptr;
}

void DecodeRow(Element element, const void* bytes, uint32_t dimension, float* row) {
  const char* at = static_cast<const char*>(bytes);
  if (element == Element::kFloat32) {
    std::memcpy(row, at, dimension * sizeof(float));
    return;
  }
  float scale = 0;
  std::memcpy(&scale, at, sizeof(scale));
  for (uint32_t i = 0; i < dimension; i++) {
    row[i] = static_cast<float>(static_cast<int8_t>(at[sizeof(scale) + i])) * scale;
  }
}

void EncodeDirection(const float* vector, uint32_t dimension, void* bytes) {
  char* const high = static_cast<char*>(bytes);
  char* const low = high + dimension;
  const float factor = 255 / LargestOf({vector, dimension});
  std::vector<int16_t> numbers((size_t{dimension} + 7) / 8 * 8);
  for (uint32_t i = 0; i < dimension; i++)
    numbers[i] = static_cast<int16_t>(NearestInt(vector[i] * factor));
  for (uint32_t i = 0; i < dimension; i++) high[i] = static_cast<char>(numbers[i] >> 1);
  for (size_t i = 0; i < numbers.size(); i += 8) {
    int bits = 0;
    for (size_t j = 0; j < 8; j++) bits |= (numbers[i + j] & 1) << j;
    low[i / 8] = static_cast<char>(bits);
  }
}

void DecodeDirection(const void* bytes, uint32_t dimension, float* vector) {
  const auto* high = static_cast<const int8_t*>(bytes);
  const auto* low = reinterpret_cast<const uint8_t*>(high + dimension);
  for (uint32_t i = 0; i < dimension; i++) {
    vector[i] = static_cast<float>(2 * high[i] + (low[i / 8] >> i % 8 & 1));
  }
}

}  // namespace s2v
