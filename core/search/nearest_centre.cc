#include "core/search/nearest_centre.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <utility>
#include <vector>

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

// Four at a time: one maximum after another would wait for the one before.
float Largest(std::span<const float> numbers) {
  float largest[4] = {kNone, kNone, kNone, kNone};
  size_t i = 0;
  for (; i + 4 <= numbers.size(); i += 4) {
    for (size_t j = 0; j < 4; j++) largest[j] = std::max(largest[j], numbers[i + j]);
  }
  for (; i < numbers.size(); i++) largest[0] = std::max(largest[0], numbers[i]);
  return std::max(std::max(largest[0], largest[1]), std::max(largest[2], largest[3]));
}

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
void NearestCentre::ForEachGroup(const Centres& centres, size_t first, size_t end, const float* v,
                                 size_t count, Use use) const {
  const size_t n = space_.dimension();
  const float* rows[kGroup];
  float products[simd::kMostTogether * kGroup];
  for (; first < end; first += kGroup) {
    const size_t group = std::min(kGroup, end - first);
    for (size_t r = 0; r < group; r++) rows[r] = &centres.numbers[(first + r) * n];
    for (size_t i = 0; i < count; i += simd::kMostTogether) {
      const size_t together = std::min(simd::kMostTogether, count - i);
      space_.kernels().dot_rows(products, rows, group, v + i * n, together, n);
      for (size_t t = 0; t < together; t++) {
        float* nearness = products + t * group;
        for (size_t r = 0; r < group; r++) nearness[r] -= centres.half_squares[first + r];
        use(i + t, first, std::span<const float>(nearness, group));
      }
    }
  }
}

void NearestCentre::Find(std::span<const float> vectors, std::span<size_t> found) const {
  const size_t n = space_.dimension(), count = found.size();
  const size_t all = centres_.half_squares.size(), groups = means_.half_squares.size();
  std::vector<float> most(count, kNone);
  std::fill(found.begin(), found.end(), size_t{0});
  const auto look = [&](size_t i, size_t at, std::span<const float> nearness) {
    const float nearest = Largest(nearness);
    if (nearest <= most[i]) return;
    most[i] = nearest;
    found[i] = at + static_cast<size_t>(std::find(nearness.begin(), nearness.end(), nearest) - nearness.begin());
  };
  if (groups <= kGroupLooks) {
    ForEachGroup(centres_, 0, all, vectors.data(), count, look);
    return;
  }
  std::vector<BestFew<kGroupLooks>> best(count);
  ForEachGroup(means_, 0, groups, vectors.data(), count,
               [&](size_t i, size_t at, std::span<const float> nearness) {
                 for (const float one : nearness) best[i].Add(one, at++);
               });
  std::vector<std::vector<uint32_t>> lookers(groups);  // the vectors that look at each group
  for (size_t i = 0; i < count; i++) {
    for (const auto& [nearness, group] : best[i].all()) lookers[group].push_back(static_cast<uint32_t>(i));
  }
  std::vector<float> together;
  for (size_t group = 0; group < groups; group++) {
    together.resize(lookers[group].size() * n);
    float* to = together.data();
    for (const uint32_t i : lookers[group]) to = std::copy_n(&vectors[i * n], n, to);
    ForEachGroup(centres_, group * kGroup, std::min(all, (group + 1) * kGroup), together.data(),
                 lookers[group].size(), [&](size_t looker, size_t at, std::span<const float> nearness) {
                   look(lookers[group][looker], at, nearness);
                 });
  }
}

}  // namespace s2v::search
