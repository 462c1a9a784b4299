// A wish that large memory be on huge pages: rows are visited at random, and on pages of 4 KiB
// every visit would miss the address cache too. Systems that know no such wish ignore it.
#pragma once

#include <cstddef>
#if __has_include(<sys/mman.h>)
#include <sys/mman.h>
#endif

namespace s2v {

inline constexpr size_t kHugePage = size_t{2} << 20;

inline void WishHugePages([[maybe_unused]] void* memory, [[maybe_unused]] size_t bytes) {
#ifdef MADV_HUGEPAGE
  madvise(memory, bytes, MADV_HUGEPAGE);
#endif
}

}  // namespace s2v
