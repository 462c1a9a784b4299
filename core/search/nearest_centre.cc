#include "core/search/nearest_centre.h"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

namespace s2v::search {
namespace {

constexpr float kNone = -std::numeric_limits<float>::infinity();

// The best `count` of what is added, the best one first.
template <size_t count>
class BestFew {
 public:
  BestFew() { std::fill_n(best_, count, std::pair(kNone, size_t{0})); }
  void Add(float nearness, size_t at) {
    if (nearness <= best_[count - 1].first) return;
    size_t place = count - 1;  // for so few, less work than a heap
    for (; place > 0 && nearness > best_[place - 1].first; place--) best_[place] = best_[place - 1];
    best_[place] = {nearness, at};
  }
  // REQUIRES: as many were added.
  std::span<const std::pair<float, size_t>> all() const { return best_; }

 private:
  std::pair<float, size_t> best_[count];
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
void NearestCentre::ForEachNearness(const Centres& centres, size_t first, size_t end,
                                    std::span<const float* const> vectors, Use use) const {
  const size_t n = space_.dimension();
  float products[simd::kMostTogether * kGroup];
  for (size_t begin = 0; begin < vectors.size(); begin += kGroup) {
    const size_t count = std::min(kGroup, vectors.size() - begin);
    for (size_t at = first; at < end; at += simd::kMostTogether) {
      const size_t together = std::min(simd::kMostTogether, end - at);
      space_.kernels().dot_rows(products, &vectors[begin], count, &centres.numbers[at * n], together, n);
      for (size_t c = 0; c < together; c++) {
        const float half_square = centres.half_squares[at + c];
        for (size_t i = 0; i < count; i++) use(begin + i, at + c, products[c * count + i] - half_square);
      }
    }
  }
}

void NearestCentre::Find(std::span<const float> vectors, std::span<size_t> found) const {
  const size_t n = space_.dimension(), count = found.size();
  const size_t all = centres_.half_squares.size(), groups = means_.half_squares.size();
  std::vector<const float*> rows(count);
  for (size_t i = 0; i < count; i++) rows[i] = &vectors[i * n];
  std::vector<float> most(count, kNone);
  std::fill(found.begin(), found.end(), size_t{0});
  const auto look = [&](size_t i, size_t at, float nearness) {
    if (nearness <= most[i]) return;
    most[i] = nearness;
    found[i] = at;
  };
  if (groups <= kGroupLooks) {
    ForEachNearness(centres_, 0, all, rows, look);
    return;
  }
  std::vector<BestFew<kGroupLooks>> best(count);
  ForEachNearness(means_, 0, groups, rows,
                  [&](size_t i, size_t group, float nearness) { best[i].Add(nearness, group); });
  std::vector<std::vector<size_t>> lookers(groups);  // the vectors that look at each group
  for (size_t i = 0; i < count; i++) {
    for (const auto& [nearness, group] : best[i].all()) lookers[group].push_back(i);
  }
  std::vector<const float*> together;
  for (size_t group = 0; group < groups; group++) {
    together.clear();
    for (const size_t i : lookers[group]) together.push_back(rows[i]);
    ForEachNearness(centres_, group * kGroup, std::min(all, (group + 1) * kGroup), together,
                    [&](size_t looker, size_t at, float nearness) { look(lookers[group][looker], at, nearness); });
  }
}

}  // namespace s2v::search
