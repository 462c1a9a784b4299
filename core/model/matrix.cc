#include "core/model/matrix.h"

#include <sys/mman.h>

#include <cstdlib>
#include <cstring>
#include <new>
#include <utility>

namespace s2v {

namespace {

// Rows are visited at random: on 4 KiB pages every visit would miss the address cache too.
constexpr size_t kHugePage = size_t{2} << 20;

// Bytes that are mapped for a matrix of this size, 0 where it is too small to be mapped.
size_t MappedBytes(size_t bytes) {
  return bytes < kHugePage ? 0 : (bytes + kHugePage - 1) / kHugePage * kHugePage;
}

}  // namespace

Matrix::Matrix(uint64_t rows, uint32_t dimension)
    : rows_(rows), dimension_(dimension), stride_(Stride(dimension)) {
  const size_t bytes = Bytes(rows, dimension);
  if (bytes == 0) return;
  if (const size_t mapped = MappedBytes(bytes)) {
    // Mapped memory is zero, and taken when it is first touched: by the workers, side by side. One huge
    // page more, to begin on a boundary.
    void* base = mmap(nullptr, mapped + kHugePage, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (base == MAP_FAILED) throw std::bad_alloc();
    auto* begin = static_cast<char*>(base);
    const size_t before = (kHugePage - reinterpret_cast<uintptr_t>(begin) % kHugePage) % kHugePage;
    if (before > 0) munmap(begin, before);
    if (before < kHugePage) munmap(begin + before + mapped, kHugePage - before);
    data_ = reinterpret_cast<float*>(begin + before);
#ifdef MADV_HUGEPAGE
    madvise(data_, mapped, MADV_HUGEPAGE);  // a wish, not a need
#endif
  } else {
    data_ = static_cast<float*>(std::aligned_alloc(64, bytes));
    if (data_ == nullptr) throw std::bad_alloc();
    std::memset(data_, 0, bytes);
  }
}

Matrix::~Matrix() {
  const size_t bytes = Bytes(rows_, dimension_);
  if (const size_t mapped = MappedBytes(bytes)) {
    munmap(data_, mapped);
  } else {
    std::free(data_);
  }
}

void Matrix::Swap(Matrix& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(rows_, other.rows_);
  std::swap(dimension_, other.dimension_);
  std::swap(stride_, other.stride_);
}

}  // namespace s2v
