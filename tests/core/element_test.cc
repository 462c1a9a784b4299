// Rows as they are stored: rounding, range, and what is refused.
#include "core/model/element.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "core/error.h"
#include "core/random.h"

namespace s2v {
namespace {

constexpr Element kAll[] = {Element::kFloat32, Element::kInt8};

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
    CHECK(ParseElement(ElementName(element)) == element);
    CHECK(Encoded(element, std::vector<float>(7, 1.0f)).size() == RowBytes(element, 7));
  }
  CHECK(RowBytes(Element::kFloat32, 300) == 1200);
  CHECK(RowBytes(Element::kInt8, 300) == 304);
  for (const char* name : {"", "INT8", "float16", "int8 "}) {
    CHECK_THROWS_AS(ParseElement(name), InvalidArgument);
  }
  CHECK_THROWS_WITH_AS(ParseElement("int4"), "no element 'int4'; there are float32, int8",
                       InvalidArgument);
}

TEST_CASE("float32 rows come back to the bit") {
  const std::vector<float> row = {0, -0.0f, 1.5f, -3e38f, 1e-45f};
  const std::vector<float> back = ThereAndBack(Element::kFloat32, row);
  CHECK(std::memcmp(back.data(), row.data(), row.size() * sizeof(float)) == 0);
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
  for (const uint32_t bad : {0x7f800000u, 0xff800000u, 0x7fc00000u, 0xff800001u}) {
    const uint32_t floats[] = {0x7f7fffff, 1, bad};  // the largest, the smallest
    CHECK(!IsRow(Element::kFloat32, floats, 3));
    CHECK(IsRow(Element::kFloat32, floats, 2));
  }
}

TEST_CASE("a direction has 9 bits a dimension, whatever the vector's length") {
  // Largest number 255; 2 h + b with h = floor(n / 2).
  const std::vector<float> vector = {255, -255, 0, 1, -1, 2, -2, 127.4f, 127.6f, -128.4f};
  std::vector<uint8_t> bytes(DirectionBytes(10) + 1, 0xff);
  EncodeDirection(vector.data(), 10, bytes.data() + 1);  // unaligned
  CHECK(bytes ==
        std::vector<uint8_t>{0xff, 127, 0x80, 0, 0, 0xff, 1, 0xff, 63, 64, 0xc0, 0b10011011, 0b00});
  std::vector<float> back(10);
  DecodeDirection(bytes.data() + 1, 10, back.data());
  CHECK(back == std::vector<float>{255, -255, 0, 1, -1, 2, -2, 127, 128, -128});

  Random random(3);
  for (const uint32_t dimension : {1u, 7u, 8u, 9u, 300u}) {
    for (const float size : {1e-20f, 1.0f, 1e20f}) {
      std::vector<float> of_size(dimension), decoded(dimension);
      float largest = 0;
      for (float& v : of_size) v = (random.Uniform() * 2 - 1) * size;
      for (const float v : of_size) largest = std::max(largest, std::fabs(v));
      std::vector<char> encoded(DirectionBytes(dimension));
      EncodeDirection(of_size.data(), dimension, encoded.data());
      DecodeDirection(encoded.data(), dimension, decoded.data());
      size_t wrong = 0;
      for (uint32_t i = 0; i < dimension; i++) {
        wrong += !(std::fabs(of_size[i] / largest * 255 - decoded[i]) <= 0.5001f);
      }
      CHECK(wrong == 0);
    }
  }
}

}  // namespace
}  // namespace s2v
