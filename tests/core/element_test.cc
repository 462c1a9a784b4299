// Rows as they are stored: rounding, range, and what is refused.
#include "core/model/element.h"

#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "core/error.h"
#include "core/random.h"
#include "core/simd/reference.h"

namespace s2v {
namespace {

constexpr Element kAll[] = {Element::kFloat32, Element::kFloat16, Element::kInt8};

std::vector<char> Encoded(Element element, const std::vector<float>& row) {
  const auto dimension = static_cast<uint32_t>(row.size());
  std::vector<char> bytes(RowBytes(element, dimension) + 1);
  EncodeRow(element, row.data(), dimension, bytes.data() + 1);  // unaligned
  bytes.erase(bytes.begin());
  return bytes;
}

std::vector<float> Decoded(Element element, const std::vector<char>& bytes, uint32_t dimension) {
  std::vector<float> row(dimension);
  REQUIRE(IsRow(element, bytes.data(), dimension));
  DecodeRow(element, bytes.data(), dimension, row.data());
  return row;
}

std::vector<float> ThereAndBack(Element element, const std::vector<float>& row) {
  return Decoded(element, Encoded(element, row), static_cast<uint32_t>(row.size()));
}

TEST_CASE("elements have names and sizes") {
  for (const Element element : kAll) {
    CHECK(FindElement(ElementName(element)) == element);
    CHECK(ParseElement(ElementName(element)) == element);
    CHECK(Encoded(element, std::vector<float>(7, 1.0f)).size() == RowBytes(element, 7));
  }
  CHECK(RowBytes(Element::kFloat32, 300) == 1200);
  CHECK(RowBytes(Element::kFloat16, 300) == 600);
  CHECK(RowBytes(Element::kInt8, 300) == 304);
  for (const char* name : {"", "INT8", "float", "int8 "}) CHECK(!FindElement(name));
  CHECK_THROWS_WITH_AS(ParseElement("int4"), "no element 'int4'; there are: float32 float16 int8",
                       InvalidArgument);
}

TEST_CASE("float32 rows come back to the bit") {
  const std::vector<float> row = {0, -0.0f, 1.5f, -3e38f, 1e-45f};
  const std::vector<float> back = ThereAndBack(Element::kFloat32, row);
  CHECK(std::memcmp(back.data(), row.data(), row.size() * sizeof(float)) == 0);
}

TEST_CASE("every float16 comes back to the bit, and reads as the reference says") {
  size_t wrong = 0;
  for (uint32_t half = 0; half < 0x10000; half++) {
    const float value = FloatOf(static_cast<uint16_t>(half));
    if ((half & 0x7c00) == 0x7c00) {
      wrong += std::isfinite(value);
      wrong += std::isnan(value) ? !(half & 0x3ff) : Float16Of(value) != half;
    } else {
      wrong += static_cast<double>(value) != simd::reference::Float16(static_cast<uint16_t>(half));
      wrong += Float16Of(value) != half;
    }
  }
  CHECK(wrong == 0);
}

// The nearest by comparing with both neighbours in double, the even one where both are as near.
bool IsNearest(float value, uint16_t half) {
  const auto distance = [&](int other) {
    const auto bits = static_cast<uint16_t>(other);
    // 65536 stands where the numbers end, as if there were one more.
    const double at = (bits & 0x7fff) == 0x7c00 ? 65536 : simd::reference::Float16(bits & 0x7fff);
    return std::fabs(std::fabs(static_cast<double>(value)) - at);
  };
  const double own = distance(half);
  for (const int other : {half - 1, half + 1}) {
    if ((other & 0x7fff) > 0x7c00 || other < 0 || ((other ^ half) & 0x8000) != 0) continue;
    if (distance(other) < own || (distance(other) == own && half % 2 != 0)) return false;
  }
  return std::signbit(value) == (half >> 15 != 0);
}

TEST_CASE("float16 rounds to the nearest, ties to even, normal and subnormal") {
  size_t wrong = 0;
  const auto check = [&](float value) { wrong += !IsNearest(value, Float16Of(value)); };
  for (uint32_t half = 0; half < 0x7c00; half++) {
    const float a = FloatOf(static_cast<uint16_t>(half));
    const float b = half + 1 == 0x7c00 ? 65536.0f : FloatOf(static_cast<uint16_t>(half + 1));
    const float middle = a + (b - a) / 2;  // exact
    for (const float value : {middle, std::nextafter(middle, a), std::nextafter(middle, b)}) {
      check(value);
      check(-value);
    }
  }
  Random random(3);
  for (int i = 0; i < 200000; i++) {
    const auto value = std::bit_cast<float>(static_cast<uint32_t>(random.Next()));
    if (std::fabs(value) < 65536) check(value);
  }
  CHECK(wrong == 0);
  CHECK(Float16Of(0x1p-25f) == 0);  // a tie with zero
  CHECK(Float16Of(std::nextafter(0x1p-25f, 1.0f)) == 1);
  CHECK(Float16Of(std::numeric_limits<float>::denorm_min()) == 0);
  CHECK(Float16Of(-0.0f) == 0x8000);
  CHECK(Float16Of(65504) == 0x7bff);
  CHECK(Float16Of(65519.9f) == 0x7bff);
  CHECK(Float16Of(65520) == 0x7c00);
  CHECK(Float16Of(-std::numeric_limits<float>::infinity()) == 0xfc00);
  CHECK((Float16Of(std::numeric_limits<float>::quiet_NaN()) & 0x7fff) > 0x7c00);
}

TEST_CASE("float16 rows are near to a relative error of 2^-11, and end at 65504") {
  const std::vector<float> row = {0, 1, -2.3456f, 65504, -1e-3f, 0.333333f};
  const std::vector<float> back = ThereAndBack(Element::kFloat16, row);
  for (size_t i = 0; i < row.size(); i++) {
    CHECK(std::fabs(back[i] - row[i]) <= 0x1p-11f * std::fabs(row[i]));
  }
  CHECK_THROWS_WITH_AS(Encoded(Element::kFloat16, {1, -65520}),
                       "an embedding holds -65520, and float16 ends at 65504: use element int8 or "
                       "float32",
                       InvalidArgument);
}

TEST_CASE("int8 rows are near to half of their scale, which their largest value sets") {
  Random random(1);
  for (const float size : {1.0f, 1e-30f, 1e30f, 3e38f, 20.0f}) {
    std::vector<float> row(301);
    for (float& v : row) v = (random.Uniform() * 2 - 1) * size;
    row[17] = -size;
    const std::vector<char> bytes = Encoded(Element::kInt8, row);
    float scale = 0;
    std::memcpy(&scale, bytes.data(), sizeof(scale));
    CHECK(scale == size / 127);
    CHECK(static_cast<int8_t>(bytes[4 + 17]) == -127);
    const std::vector<float> back = Decoded(Element::kInt8, bytes, 301);
    size_t wrong = 0;
    for (size_t i = 0; i < row.size(); i++) {
      wrong += !(std::fabs(static_cast<double>(back[i]) - static_cast<double>(row[i])) <=
                 0.50001 * static_cast<double>(scale));
    }
    CHECK(wrong == 0);
  }
}

TEST_CASE("int8 rounds to the nearest, ties to even") {
  const std::vector<float> row = {127, 0.5f, 1.5f, 2.5f, -0.5f, -1.5f, 0.49f, 0.51f, -126.5f};
  const std::vector<float> wanted = {127, 0, 2, 2, 0, -2, 0, 1, -126};
  CHECK(ThereAndBack(Element::kInt8, row) == wanted);
}

TEST_CASE("int8 rows of zeros and of numbers near the smallest float") {
  CHECK(Encoded(Element::kInt8, {0, -0.0f, 0}) == std::vector<char>(7, 0));
  for (const float size : {1e-45f, 1e-43f, 1e-40f}) {  // scales that are rounded much, or to zero
    for (const float v : ThereAndBack(Element::kInt8, {size, -size, 0})) {
      CHECK(std::fabs(v) <= 1.5f * size);
    }
  }
}

TEST_CASE("an encoded row that is decoded and encoded again is the same") {
  Random random(5);
  for (const Element element : kAll) {
    for (int round = 0; round < 2000; round++) {
      std::vector<float> row(9);
      for (float& v : row) v = (random.Uniform() - 0.5f) * 40;
      const std::vector<float> once = ThereAndBack(element, row);
      const std::vector<float> twice = ThereAndBack(element, once);
      for (size_t i = 0; i < row.size(); i++) {
        CHECK(std::fabs(once[i] - twice[i]) <= 1e-6f * std::fabs(once[i]));
      }
    }
  }
}

TEST_CASE("what is not finite is no row") {
  for (const Element element : kAll) {
    for (const float bad :
         {std::numeric_limits<float>::infinity(), -std::numeric_limits<float>::infinity(),
          std::numeric_limits<float>::quiet_NaN()}) {
      CHECK_THROWS_WITH_AS(Encoded(element, {1, bad}), "an embedding is not finite",
                           InvalidArgument);
    }
  }
}

TEST_CASE("bytes that no row has are found out") {
  const auto with_scale = [](float scale, char value) {
    std::vector<char> bytes(4 + 20);
    std::memcpy(bytes.data(), &scale, sizeof(scale));
    bytes[4 + 19] = value;
    return bytes;
  };
  const auto is_row = [](const std::vector<char>& bytes) {
    return IsRow(Element::kInt8, bytes.data(), 20);
  };
  CHECK(is_row(with_scale(0, 5)));
  CHECK(is_row(with_scale(1e-40f, -127)));
  CHECK(!is_row(with_scale(1, -128)));
  CHECK(!is_row(with_scale(-1, 0)));
  CHECK(!is_row(with_scale(std::numeric_limits<float>::infinity(), 0)));
  CHECK(!is_row(with_scale(std::numeric_limits<float>::quiet_NaN(), 0)));
  for (const uint16_t bad : {0x7c00, 0xfc00, 0x7e00, 0x7c01}) {
    const uint16_t halves[] = {0x3c00, bad};
    CHECK(!IsRow(Element::kFloat16, halves, 2));
    CHECK(IsRow(Element::kFloat16, halves, 1));
  }
}

}  // namespace
}  // namespace s2v
