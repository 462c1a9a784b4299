#include "core/search/nearest_centre.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>

#include "core/model/element.h"

namespace s2v::search {
namespace {

constexpr size_t kVectors = 32;  // for which the same centres are read once
constexpr float kFar = std::numeric_limits<float>::infinity();
constexpr int kCentreZero = 128;  // what simd::CentreGroup has for 0
constexpr float kCentreMost = 127, kVectorMost = 63;

// The best `count` of what is added, the best one first. Of 100 that are added some 30 go in, each
// at a place that no processor foresees: so all places are gone through without a branch.
template <size_t count>
class BestFew {
 public:
  BestFew() { std::fill_n(best_, count, Key(-kFar, 0)); }
  // What must be exceeded.
  float least() const {
    return std::bit_cast<float>(Turned(static_cast<int32_t>(best_[count - 1] >> 32)));
  }
  void Add(float nearness, size_t at) {
    int64_t key = Key(nearness, at);
    for (int64_t& best : best_) {
      const int64_t less = std::min(best, key);
      best = std::max(best, key);
      key = less;
    }
  }
  // REQUIRES: as many were added that are not infinitely far.
  size_t at(size_t place) const { return static_cast<uint32_t>(best_[place]); }

 private:
  // Floats' bits as integers of the same order, and back.
  static int32_t Turned(int32_t bits) { return bits ^ (bits >> 31 & 0x7fffffff); }
  static int64_t Key(float nearness, size_t at) {
    return static_cast<int64_t>(Turned(std::bit_cast<int32_t>(nearness))) * (int64_t{1} << 32) +
           static_cast<int64_t>(at);
  }

  int64_t best_[count];
};

}  // namespace

uint8_t* NearestCentre::NumbersOf(Level* level, size_t at) const {
  return &level->numbers[(at / kGroup * Quads() * kGroup + at % kGroup) * 4];
}

void NearestCentre::Put(std::span<const float> numbers, size_t at, Level* level) const {
  if (at == level->half_squares.size()) {
    level->numbers.resize(level->numbers.size() + kGroup * Quads() * 4);
    level->scales.resize(at + kGroup);
    level->half_squares.resize(at + kGroup, kFar);
  }
  level->size = std::max(level->size, at + 1);
  const size_t n = space_.dimension();
  const float scale = LargestOf(numbers.first(n)) / kCentreMost;
  level->scales[at] = scale;
  level->half_squares[at] = space_.kernels().dot(numbers.data(), numbers.data(), n) / 2;
  uint8_t* const to = NumbersOf(level, at);
  for (size_t d = 0; d < n; d++) {
    const int number = scale > 0 ? NearestInt(numbers[d] / scale) : 0;
    to[d / 4 * kGroup * 4 + d % 4] = static_cast<uint8_t>(kCentreZero + number);
  }
}

void NearestCentre::PutCentre(size_t at, const float* centre) {
  std::vector<float> numbers(space_.width());
  space_.RotateBack(centre, numbers.data());
  Put(numbers, at, &levels_[0]);
}

void NearestCentre::PutMean(size_t level, size_t group) {
  Level& members = levels_[level - 1];
  const size_t first = group * kGroup, end = std::min(first + kGroup, members.size);
  std::vector<float> mean(space_.dimension());
  for (size_t at = first; at < end; at++) {
    const uint8_t* const numbers = NumbersOf(&members, at);
    const float share = members.scales[at] / static_cast<float>(end - first);
    for (size_t d = 0; d < mean.size(); d++) {
      mean[d] += share * static_cast<float>(numbers[d / 4 * kGroup * 4 + d % 4] - kCentreZero);
    }
  }
  Put(mean, group, &levels_[level]);
}

void NearestCentre::AddLevels() {
  while (levels_.back().size > kGroup * kLooks) {
    levels_.emplace_back();
    const size_t level = levels_.size() - 1;
    for (size_t group = 0; group * kGroup < levels_[level - 1].size; group++) PutMean(level, group);
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

NearestCentre::SmallVectors NearestCentre::MakeSmall(std::span<const float> vectors) const {
  const size_t n = space_.dimension(), count = vectors.size() / n;
  SmallVectors made;
  made.numbers.resize(count * Quads() * 4);
  for (size_t i = 0; i < count; i++) {
    const std::span<const float> vector = vectors.subspan(i * n, n);
    int8_t* const to = &made.numbers[i * Quads() * 4];
    const float largest = LargestOf(vector);
    const float factor = largest > 0 ? kVectorMost / largest : 0;
    int sum = 0;
    for (size_t d = 0; d < n; d++) {
      const int number = NearestInt(vector[d] * factor);
      to[d] = static_cast<int8_t>(number);
      sum += number;
    }
    made.vectors.push_back({to, sum * kCentreZero, largest / kVectorMost, 0});
  }
  return made;
}

template <typename Least, typename Use>
void NearestCentre::ForEachNear(const Level& level, std::span<const std::vector<size_t>> lookers,
                                std::span<const simd::SmallVector> vectors, Least least,
                                Use use) const {
  simd::SmallVector some[kVectors];
  float nearness[kVectors * kGroup];
  uint32_t is_near[kVectors];
  for (size_t group = 0; group < lookers.size(); group++) {
    const size_t first = group * kGroup;
    const simd::CentreGroup centres = {&level.numbers[first * Quads() * 4], &level.scales[first],
                                       &level.half_squares[first], Quads()};
    for (size_t begin = 0; begin < lookers[group].size(); begin += kVectors) {
      const auto looking = std::span(lookers[group])
                               .subspan(begin, std::min(kVectors, lookers[group].size() - begin));
      for (size_t i = 0; i < looking.size(); i++) {
        some[i] = vectors[looking[i]];
        some[i].least = least(looking[i]);
      }
      space_.kernels().nearness(nearness, is_near, centres, some, looking.size());
      for (size_t i = 0; i < looking.size(); i++) {
        for (uint32_t left = is_near[i]; left != 0; left &= left - 1) {
          const auto c = static_cast<size_t>(std::countr_zero(left));
          use(looking[i], first + c, nearness[i * kGroup + c]);
        }
      }
    }
  }
}

void NearestCentre::Find(std::span<const float> vectors, std::span<size_t> found) const {
  const size_t count = found.size();
  const SmallVectors small = MakeSmall(vectors);
  std::vector<size_t> everyone(count);
  std::iota(everyone.begin(), everyone.end(), size_t{0});
  std::vector<std::vector<size_t>> lookers((levels_.back().size + kGroup - 1) / kGroup, everyone);
  for (size_t level = levels_.size() - 1; level > 0; level--) {
    std::vector<BestFew<kLooks>> best(count);
    ForEachNear(
        levels_[level], lookers, small.vectors, [&](size_t i) { return best[i].least(); },
        [&](size_t i, size_t at, float nearness) { best[i].Add(nearness, at); });
    lookers.assign(levels_[level].size, {});
    for (size_t i = 0; i < count; i++) {
      for (size_t look = 0; look < kLooks; look++) lookers[best[i].at(look)].push_back(i);
    }
  }
  std::vector<float> most(count, -kFar);
  std::fill(found.begin(), found.end(), size_t{0});
  ForEachNear(
      levels_[0], lookers, small.vectors, [&](size_t i) { return most[i]; },
      [&](size_t i, size_t at, float nearness) {
        if (nearness <= most[i]) return;
        most[i] = nearness;
        found[i] = at;
      });
}

}  // namespace s2v::search
