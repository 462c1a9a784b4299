#include "core/model/element.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "core/config.h"
#include "core/error.h"

namespace s2v {
namespace {

static_assert(std::endian::native == std::endian::little, "rows are little-endian");

constexpr Element kElements[] = {Element::kFloat32, Element::kFloat16, Element::kInt8};
constexpr uint16_t kFloat16Exponent = 0x7c00;  // all ones: infinite or no number
constexpr float kInt8Max = 127;

void EncodeFloat16(const float* row, uint32_t dimension, char* bytes) {
  for (uint32_t i = 0; i < dimension; i++) {
    const uint16_t half = Float16Of(row[i]);
    if ((half & kFloat16Exponent) == kFloat16Exponent) {
      throw InvalidArgument("an embedding holds " + NumberText(static_cast<double>(row[i])) +
                            ", and float16 ends at 65504: use element int8 or float32");
    }
    std::memcpy(bytes + i * sizeof(half), &half, sizeof(half));
  }
}

void EncodeInt8(const float* row, uint32_t dimension, char* bytes) {
  float largest = 0;
  for (uint32_t i = 0; i < dimension; i++) largest = std::max(largest, std::fabs(row[i]));
  const float scale = largest / kInt8Max;
  std::memcpy(bytes, &scale, sizeof(scale));
  // In double, where the quotient of numbers near the smallest float is exact enough too.
  for (uint32_t i = 0; i < dimension; i++) {
    const double value = scale > 0 ? static_cast<double>(row[i]) / static_cast<double>(scale) : 0;
    bytes[sizeof(scale) + i] = static_cast<char>(std::clamp(std::lrint(value), -127L, 127L));
  }
}

}  // namespace

std::string_view ElementName(Element element) {
  switch (element) {
    case Element::kFloat32:
      return "float32";
    case Element::kFloat16:
      return "float16";
    case Element::kInt8:
      break;
  }
  return "int8";
}

std::optional<Element> FindElement(std::string_view name) {
  for (const Element element : kElements) {
    if (name == ElementName(element)) return element;
  }
  return std::nullopt;
}

Element ParseElement(std::string_view name) {
  const std::optional<Element> element = FindElement(name);
  if (element) return *element;
  std::string names;
  for (const Element known : kElements) names += " " + std::string(ElementName(known));
  throw InvalidArgument("no element '" + std::string(name) + "'; there are:" + names);
}

void EncodeRow(Element element, const float* row, uint32_t dimension, void* bytes) {
  if (!std::all_of(row, row + dimension, [](float v) { return std::isfinite(v); })) {
    throw InvalidArgument("an embedding is not finite");
  }
  switch (element) {
    case Element::kFloat32:
      std::memcpy(bytes, row, dimension * sizeof(float));
      return;
    case Element::kFloat16:
      return EncodeFloat16(row, dimension, static_cast<char*>(bytes));
    case Element::kInt8:
      return EncodeInt8(row, dimension, static_cast<char*>(bytes));
  }
}

bool IsRow(Element element, const void* bytes, uint32_t dimension) {
  const char* at = static_cast<const char*>(bytes);
  if (element == Element::kFloat16) {
    for (uint32_t i = 0; i < dimension; i++) {
      uint16_t half = 0;
      std::memcpy(&half, at + i * sizeof(half), sizeof(half));
      if ((half & kFloat16Exponent) == kFloat16Exponent) return false;
    }
  } else if (element == Element::kInt8) {
    float scale = 0;
    std::memcpy(&scale, at, sizeof(scale));
    if (!std::isfinite(scale) || scale < 0) return false;
    return std::memchr(at + sizeof(scale), 0x80, dimension) == nullptr;
  }
  return true;
}

void DecodeRow(Element element, const void* bytes, uint32_t dimension, float* row) {
  const char* at = static_cast<const char*>(bytes);
  switch (element) {
    case Element::kFloat32:
      std::memcpy(row, at, dimension * sizeof(float));
      return;
    case Element::kFloat16:
      for (uint32_t i = 0; i < dimension; i++) {
        uint16_t half = 0;
        std::memcpy(&half, at + i * sizeof(half), sizeof(half));
        row[i] = FloatOf(half);
      }
      return;
    case Element::kInt8: {
      float scale = 0;
      std::memcpy(&scale, at, sizeof(scale));
      for (uint32_t i = 0; i < dimension; i++) {
        row[i] = static_cast<float>(static_cast<int8_t>(at[sizeof(scale) + i])) * scale;
      }
    }
  }
}

// binary16: 1 sign, 5 exponent (bias 15), 10 fraction bits; binary32: 1, 8 (bias 127), 23.
uint16_t Float16Of(float value) {
  const auto bits = std::bit_cast<uint32_t>(value);
  const uint32_t sign = bits >> 16 & 0x8000;
  uint32_t magnitude = bits & 0x7fffffff;
  uint32_t half = 0;
  if (magnitude >= 0x47800000) {  // 65536: infinite, or no number
    half = magnitude > 0x7f800000 ? 0x7e00 : kFloat16Exponent;
  } else if (magnitude < 0x38800000) {  // 2^-14: subnormal, a multiple of 2^-24
    // The unit of floats from 0.5 to 1 is 2^-24, so the addition does the rounding.
    half = std::bit_cast<uint32_t>(std::bit_cast<float>(magnitude) + 0.5f) - 0x3f000000;
  } else {
    magnitude += 0xfff + (magnitude >> 13 & 1);  // half a unit; less by one bit where a tie is even
    half = (magnitude - (uint32_t{127 - 15} << 23)) >> 13;
  }
  return static_cast<uint16_t>(sign | half);
}

float FloatOf(uint16_t float16) {
  const uint32_t sign = uint32_t{float16} << 16 & 0x80000000;
  const uint32_t magnitude = float16 & 0x7fff;
  if (magnitude >= kFloat16Exponent)
    return std::bit_cast<float>(sign | 0x7f800000 | magnitude << 13);
  constexpr uint32_t kBias = uint32_t{127 - 15} << 23, kOne = uint32_t{1} << 23;
  uint32_t bits = (magnitude << 13) + kBias;
  if (bits < kBias + kOne) {  // subnormal: from 2^-14 + it
    bits = std::bit_cast<uint32_t>(std::bit_cast<float>(bits + kOne) - 0x1p-14f);
  }
  return std::bit_cast<float>(sign | bits);
}

}  // namespace s2v
