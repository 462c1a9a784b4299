// Where to look for a sample of an index's rows.
#pragma once

#include <cstdint>
#include <vector>

namespace s2v {

// Gives accept the rowids at which `ranges` equal parts of what lies from first to last begin. A few
// rows may have rowids far behind those of the others: while accept returns false, it is given the
// same of half as far, and so on as long as that is `least` at least. Returns whether it accepted.
template <typename Accept>
bool TryPlaces(int64_t first, int64_t last, uint64_t ranges, uint64_t least, const Accept& accept) {
  const auto begin = static_cast<uint64_t>(first);
  for (uint64_t distance = static_cast<uint64_t>(last) - begin;; distance /= 2) {
    std::vector<int64_t> places;
    for (uint64_t i = 0; i < ranges; i++) {
      const uint64_t offset = distance / ranges * i + distance % ranges * i / ranges;
      places.push_back(static_cast<int64_t>(begin + offset));
    }
    if (accept(places)) return true;
    if (distance / 2 < least) return false;
  }
}

}  // namespace s2v
