#include "core/model/matrix.h"

#include <sys/mman.h>

#include <cstdlib>
#include <cstring>
#include <new>
#include <utility>

namespace s2v {

Matrix::Matrix(uint64_t rows, uint32_t dimension)
    : rows_(rows), dimension_(dimension), stride_(Stride(dimension)) {
  constexpr size_t kHugePage = size_t{2} << 20;
  size_t bytes = Bytes(rows, dimension);
  if (bytes == 0) return;
  // Rows are visited at random: on 4 KiB pages every visit would miss the address cache too.
  const size_t alignment = bytes >= kHugePage ? kHugePage : 64;
  bytes = (bytes + alignment - 1) / alignment * alignment;
  data_ = static_cast<float*>(std::aligned_alloc(alignment, bytes));
  if (data_ == nullptr) throw std::bad_alloc();
#ifdef MADV_HUGEPAGE
  if (alignment == kHugePage) madvise(data_, bytes, MADV_HUGEPAGE);  // a wish, not a need
#endif
  std::memset(data_, 0, bytes);
}

Matrix::~Matrix() { std::free(data_); }

void Matrix::Swap(Matrix& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(rows_, other.rows_);
  std::swap(dimension_, other.dimension_);
  std::swap(stride_, other.stride_);
}

}  // namespace s2v
