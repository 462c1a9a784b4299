#include "core/model/feature.h"

#include <algorithm>
#include <numeric>

namespace s2v {

void FeatureChoice::Keep(uint64_t most) {
  kept_.assign(size(), true);
  if (most >= size()) return;
  std::vector<uint64_t> order(size());
  std::iota(order.begin(), order.end(), 0);
  const auto end = order.begin() + static_cast<int64_t>(most);
  std::nth_element(order.begin(), end, order.end(), [this](uint64_t a, uint64_t b) {
    return usefulness_[a] != usefulness_[b] ? usefulness_[a] > usefulness_[b] : a < b;
  });
  std::for_each(end, order.end(), [this](uint64_t i) { kept_[i] = false; });
}

}  // namespace s2v
