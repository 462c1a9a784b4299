#include "core/model/matrix.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <utility>

namespace s2v {
namespace {

TEST_CASE("rows are zero, aligned and padded") {
  for (const uint32_t dimension : {1u, 15u, 16u, 17u, 100u, 700u}) {
    for (const uint64_t rows : {1u, 3u, 1000u}) {
      CAPTURE(dimension);
      CAPTURE(rows);
      const Matrix matrix(rows, dimension);
      CHECK(matrix.rows() == rows);
      CHECK(matrix.dimension() == dimension);
      CHECK(matrix.stride() >= dimension);
      CHECK(matrix.stride() < dimension + 16);
      CHECK(matrix.stride() % 16 == 0);
      CHECK(Matrix::Bytes(rows, dimension) == rows * matrix.stride() * sizeof(float));
      bool zero = true, aligned = true;
      for (uint64_t row = 0; row < rows; row++) {
        aligned &= reinterpret_cast<uintptr_t>(matrix[row]) % 64 == 0;
        for (uint32_t i = 0; i < matrix.stride(); i++) zero &= matrix[row][i] == 0;
      }
      CHECK(zero);
      CHECK(aligned);
    }
  }
}

TEST_CASE("a matrix on huge pages is zero to its last float and can be written") {
  Matrix matrix(10000, 100);  // 4.48 MB
  CHECK(matrix[0][0] == 0);
  CHECK(matrix[9999][matrix.stride() - 1] == 0);
  matrix[9999][99] = 3;
  matrix[0][0] = 1;
  CHECK(matrix[9999][99] == 3);
  CHECK(matrix[9998][99] == 0);
}

TEST_CASE("a matrix without rows needs no memory") {
  const Matrix none, no_rows(0, 7), no_columns(7, 0);
  CHECK(none.rows() == 0);
  CHECK(none.stride() == 0);
  CHECK(no_rows.rows() == 0);
  CHECK(no_rows.stride() == 16);
  CHECK(no_columns.rows() == 7);
  CHECK(Matrix::Bytes(0, 7) == 0);
}

TEST_CASE("moving a matrix keeps its rows") {
  Matrix a(2, 3);
  a[1][2] = 5;
  Matrix b(std::move(a));
  CHECK(b.rows() == 2);
  CHECK(b[1][2] == 5);
  Matrix c(4, 4);
  c = std::move(b);
  CHECK(c.rows() == 2);
  CHECK(c.dimension() == 3);
  CHECK(c[1][2] == 5);
}

TEST_CASE("the size in bytes does not overflow at the largest model") {
  CHECK(Matrix::Bytes(uint64_t{1} << 33, 4096) == uint64_t{1} << 47);
}

}  // namespace
}  // namespace s2v
