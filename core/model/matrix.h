// A matrix of float32 rows, each on a 64-byte boundary and padded with zeros to a multiple of 16
// floats, so that kernels meet no tail and a row shares no cache line with another.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>

#include "core/huge_pages.h"

namespace s2v {

class Matrix {
 public:
  Matrix() = default;
  // [rows x dimension], zeros. Throws std::bad_alloc.
  Matrix(uint64_t rows, uint32_t dimension);

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
  struct Free {
    void operator()(void* memory) const { std::free(memory); }
  };
  std::unique_ptr<void, Free> memory_;
  float* data_ = nullptr;  // in memory_
  uint64_t rows_ = 0;
  uint32_t dimension_ = 0;
  uint32_t stride_ = 0;
};

inline Matrix::Matrix(uint64_t rows, uint32_t dimension)
    : rows_(rows), dimension_(dimension), stride_(Stride(dimension)) {
  if (Bytes(rows, dimension) > SIZE_MAX / 2) throw std::bad_alloc();  // of 32 bits
  const size_t bytes = Bytes(rows, dimension);
  if (bytes == 0) return;
  const size_t alignment = bytes < kHugePage ? 64 : kHugePage;
  size_t room = bytes + alignment;
  // Large memory is zero without being touched: it is taken when the workers fill it, side by side.
  memory_.reset(std::calloc(room, 1));
  if (memory_ == nullptr) throw std::bad_alloc();
  void* begin = memory_.get();
  data_ = static_cast<float*>(std::align(alignment, bytes, begin, room));
  if (alignment == kHugePage) WishHugePages(data_, bytes);
}

}  // namespace s2v
