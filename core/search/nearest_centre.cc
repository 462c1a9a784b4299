#include "core/search/nearest_centre.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <utility>

namespace s2v::search {
namespace {

constexpr float kNone = -std::numeric_limits<float>::infinity();

// The best `count` of what is added, in any order.
template <size_t count>
class BestFew {
 public:
  BestFew() { std::fill_n(heap_, count, std::pair(kNone, size_t{0})); }
  void Add(float nearness, size_t at) {
    if (nearness <= heap_[0].first) return;
    std::pop_heap(heap_, heap_ + count, std::greater<>());
    heap_[count - 1] = {nearness, at};
    std::push_heap(heap_, heap_ + count, std::greater<>());
  }
  // REQUIRES: as many were added.
  std::span<const std::pair<float, size_t>> all() const { return heap_; }

 private:
  std::pair<float, size_t> heap_[count];  // the least on top
};

}  // namespace

void NearestCentre::Put(size_t at, std::span<const float> numbers, Centres* centres) const {
  const size_t n = space_.dimension();
  if (at == centres->half_squares.size()) {
    centres->half_squares.push_back(0);
    centres->numbers.resize(centres->numbers.size() + n);
  }
  std::copy_n(numbers.begin(), n, centres->numbers.begin() + static_cast<ptrdiff_t>(at * n));
  centres->half_squares[at] = space_.kernels().dot(numbers.data(), numbers.data(), n) / 2;
}

void NearestCentre::PutCentre(size_t at, const float* centre) {
  std::vector<float> numbers(space_.width());
  space_.RotateBack(centre, numbers.data());
  Put(at, numbers, &centres_);
}

void NearestCentre::PutMean(size_t group) {
  const size_t n = space_.dimension(), first = group * kGroup;
  const size_t end = std::min(first + kGroup, centres_.half_squares.size());
  std::vector<float> mean(n);
  for (size_t at = first; at < end; at++) {
    space_.kernels().axpy(mean.data(), 1 / static_cast<float>(end - first), &centres_.numbers[at * n], n);
  }
  Put(group, mean, &means_);
}

void NearestCentre::Set(size_t at, const float* centre) {
  PutCentre(at, centre);
  PutMean(at / kGroup);
}

void NearestCentre::SetAll(std::span<const std::vector<float>> centres) {
  for (size_t at = 0; at < centres.size(); at++) PutCentre(at, centres[at].data());
  for (size_t group = 0; group * kGroup < centres.size(); group++) PutMean(group);
}

template <typename Use>
void NearestCentre::ForEachNearness(const Centres& centres, size_t first, size_t end, const float* v,
                                    Use use) const {
  const size_t n = space_.dimension();
  const float* rows[kGroup];
  float products[kGroup];
  for (; first < end; first += kGroup) {
    const size_t count = std::min(kGroup, end - first);
    for (size_t i = 0; i < count; i++) rows[i] = &centres.numbers[(first + i) * n];
    space_.kernels().dot_rows(products, rows, count, v, 1, n);
    for (size_t i = 0; i < count; i++) use(first + i, products[i] - centres.half_squares[first + i]);
  }
}

size_t NearestCentre::Find(const float* v) const {
  const size_t all = centres_.half_squares.size(), groups = means_.half_squares.size();
  size_t nearest = 0;
  float most = kNone;
  const auto look = [&](size_t at, float nearness) {
    if (nearness <= most) return;
    most = nearness;
    nearest = at;
  };
  if (groups <= kGroupLooks) {
    ForEachNearness(centres_, 0, all, v, look);
    return nearest;
  }
  BestFew<kGroupLooks> best;
  ForEachNearness(means_, 0, groups, v, [&](size_t at, float nearness) { best.Add(nearness, at); });
  for (const auto& [nearness, group] : best.all()) {
    ForEachNearness(centres_, group * kGroup, std::min(all, (group + 1) * kGroup), v, look);
  }
  return nearest;
}

}  // namespace s2v::search
