#include "core/search/nearest_centre.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

namespace s2v::search {
namespace {

constexpr size_t kVectors = 32;  // for which the same centres are read once
constexpr float kNone = -std::numeric_limits<float>::infinity();

// The best `count` of what is added, the best one first.
template <size_t count>
class BestFew {
 public:
  BestFew() { std::fill_n(best_, count, std::pair(kNone, uint32_t{0})); }
  void Add(float nearness, size_t at) {
    if (nearness <= best_[count - 1].first) return;
    size_t place = count - 1;  // for so few, less work than a heap
    for (; place > 0 && nearness > best_[place - 1].first; place--) best_[place] = best_[place - 1];
    best_[place] = {nearness, static_cast<uint32_t>(at)};
  }
  // REQUIRES: as many were added.
  std::span<const std::pair<float, uint32_t>> all() const { return best_; }

 private:
  std::pair<float, uint32_t> best_[count];
};

}  // namespace

void NearestCentre::Put(size_t at, std::span<const float> numbers, Centres* centres) const {
  const size_t n = space_.dimension();
  if (at == centres->size()) {
    centres->half_squares.push_back(0);
    centres->numbers.resize(centres->numbers.size() + n);
  }
  std::copy_n(numbers.begin(), n, centres->numbers.begin() + static_cast<ptrdiff_t>(at * n));
  centres->half_squares[at] = space_.kernels().dot(numbers.data(), numbers.data(), n) / 2;
}

void NearestCentre::PutCentre(size_t at, const float* centre) {
  std::vector<float> numbers(space_.width());
  space_.RotateBack(centre, numbers.data());
  Put(at, numbers, &levels_[0]);
}

void NearestCentre::PutMean(size_t level, size_t group) {
  const Centres& members = levels_[level - 1];
  const size_t n = space_.dimension(), first = group * kGroup;
  const size_t end = std::min(first + kGroup, members.size());
  std::vector<float> mean(n);
  for (size_t at = first; at < end; at++) {
    space_.kernels().axpy(mean.data(), 1 / static_cast<float>(end - first),
                          &members.numbers[at * n], n);
  }
  Put(group, mean, &levels_[level]);
}

void NearestCentre::AddLevels() {
  while (levels_.back().size() > kGroup * kLooks) {
    levels_.emplace_back();
    const size_t level = levels_.size() - 1;
    for (size_t group = 0; group * kGroup < levels_[level - 1].size(); group++)
      PutMean(level, group);
  }
}

void NearestCentre::Set(size_t at, const float* centre) {
  PutCentre(at, centre);
  for (size_t level = 1; level < levels_.size(); level++) PutMean(level, at /= kGroup);
  AddLevels();
}

void NearestCentre::SetAll(std::span<const float* const> centres) {
  for (size_t at = 0; at < centres.size(); at++) PutCentre(at, centres[at]);
  AddLevels();
}

template <typename Use>
void NearestCentre::ForEachNearness(const Centres& centres,
                                    std::span<const std::vector<size_t>> lookers,
                                    std::span<const float> vectors, Use use) const {
  const size_t n = space_.dimension();
  const float* rows[kVectors];
  float products[simd::kMostTogether * kVectors];
  for (size_t group = 0; group < lookers.size(); group++) {
    const size_t end = std::min((group + 1) * kGroup, centres.size());
    for (size_t begin = 0; begin < lookers[group].size(); begin += kVectors) {
      const auto some = std::span(lookers[group])
                            .subspan(begin, std::min(kVectors, lookers[group].size() - begin));
      for (size_t i = 0; i < some.size(); i++) rows[i] = &vectors[some[i] * n];
      for (size_t at = group * kGroup; at < end; at += simd::kMostTogether) {
        const size_t together = std::min(simd::kMostTogether, end - at);
        space_.kernels().dot_rows(products, rows, some.size(), &centres.numbers[at * n], together,
                                  n);
        for (size_t c = 0; c < together; c++) {
          const float half_square = centres.half_squares[at + c];
          for (size_t i = 0; i < some.size(); i++)
            use(some[i], at + c, products[c * some.size() + i] - half_square);
        }
      }
    }
  }
}

void NearestCentre::Find(std::span<const float> vectors, std::span<size_t> found) const {
  const size_t count = found.size();
  std::vector<size_t> everyone(count);
  std::iota(everyone.begin(), everyone.end(), size_t{0});
  std::vector<std::vector<size_t>> lookers((levels_.back().size() + kGroup - 1) / kGroup, everyone);
  for (size_t level = levels_.size() - 1; level > 0; level--) {
    std::vector<BestFew<kLooks>> best(count);
    ForEachNearness(levels_[level], lookers, vectors,
                    [&](size_t i, size_t at, float nearness) { best[i].Add(nearness, at); });
    lookers.assign(levels_[level].size(), {});
    for (size_t i = 0; i < count; i++) {
      for (const auto& [nearness, group] : best[i].all()) lookers[group].push_back(i);
    }
  }
  std::vector<float> most(count, kNone);
  std::fill(found.begin(), found.end(), size_t{0});
  ForEachNearness(levels_[0], lookers, vectors, [&](size_t i, size_t at, float nearness) {
    if (nearness <= most[i]) return;
    most[i] = nearness;
    found[i] = at;
  });
}

}  // namespace s2v::search
