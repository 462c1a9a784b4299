// A matrix of float32 rows, each on a 64-byte boundary and padded with zeros to a multiple of 16
// floats, so that kernels meet no tail and a row shares no cache line with another.
#ifndef S2V_CORE_MODEL_MATRIX_H_
#define S2V_CORE_MODEL_MATRIX_H_

#include <cstddef>
#include <cstdint>

namespace s2v {

class Matrix {
 public:
  Matrix() = default;
  // [rows x dimension], zeros. Throws std::bad_alloc.
  Matrix(uint64_t rows, uint32_t dimension);
  ~Matrix();
  Matrix(Matrix&& other) noexcept { Swap(other); }
  Matrix& operator=(Matrix&& other) noexcept {
    Swap(other);
    return *this;
  }
  Matrix(const Matrix&) = delete;
  Matrix& operator=(const Matrix&) = delete;

  uint64_t rows() const { return rows_; }
  uint32_t dimension() const { return dimension_; }
  // Floats from one row to the next: the dimension and its padding.
  uint32_t stride() const { return stride_; }
  float* operator[](uint64_t row) { return data_ + row * stride_; }
  const float* operator[](uint64_t row) const { return data_ + row * stride_; }

  static uint32_t Stride(uint32_t dimension) { return (dimension + 15) / 16 * 16; }
  static uint64_t Bytes(uint64_t rows, uint32_t dimension) {
    return rows * Stride(dimension) * sizeof(float);
  }

 private:
  void Swap(Matrix& other) noexcept;
  float* data_ = nullptr;
  uint64_t rows_ = 0;
  uint32_t dimension_ = 0;
  uint32_t stride_ = 0;
};

}  // namespace s2v

#endif  // S2V_CORE_MODEL_MATRIX_H_
