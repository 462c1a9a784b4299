// Which features a smaller model keeps.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

namespace s2v {

// The `most` most useful, of equally useful ones the first.
inline std::vector<bool> MostUseful(std::span<const double> usefulness, uint64_t most) {
  std::vector<uint64_t> order(usefulness.size());
  std::iota(order.begin(), order.end(), 0);
  most = std::min<uint64_t>(most, order.size());
  std::nth_element(order.begin(), order.begin() + static_cast<int64_t>(most), order.end(),
                   [&](uint64_t a, uint64_t b) {
                     return usefulness[a] != usefulness[b] ? usefulness[a] > usefulness[b] : a < b;
                   });
  std::vector<bool> kept(order.size());
  for (uint64_t i = 0; i < most; i++) kept[order[i]] = true;
  return kept;
}

}  // namespace s2v
