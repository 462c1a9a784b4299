// Which of many centres is nearest to a vector: where a row of an index belongs.
//
//   NearestCentre nearest(space);
//   nearest.Set(0, lists.centre(0));         // rotated, as lists have it
//   std::vector<size_t> at(rows);
//   nearest.Find(vectors, at);               // [rows, dimension], as the table has them
//
// Centres are turned back, since their numbers are `dimension` then, often far fewer than the width
// of codes. Of many centres those are compared whose groups, of kGroup with positions in a row,
// have the nearest means, and of many groups those whose groups have: Lists sets centres that are
// near one another one after another. Many vectors are looked up together, since centres that
// several of them look at are then read once. Products are formed of integers, of 8 bits of a
// centre and 7 of a vector: of sentences, dimension 400, nearness is off by 0.0005 (standard
// deviation), and 99 % have the same nearest centre.
//
// Thread rule: const functions may be called from any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/search/codes.h"
#include "core/simd/kernels.h"

namespace s2v::search {

class NearestCentre {
 public:
  // kLooks groups are looked into on each level. Of sentences, dimension 400, 98 % get the nearest
  // of 1,671 centres, the others lose 0.012 of nearness; of 18,112 it is 89 % and 0.020.
  static constexpr size_t kGroup = simd::CentreGroup::kSize, kLooks = 16;

  // space must outlive it.
  explicit NearestCentre(const CodeSpace& space) : space_(space) {}
  // centre: [width], rotated. REQUIRES: at is the position of a centre that is there, or the next
  // one.
  void Set(size_t at, const float* centre);
  // All at once, each [width]. REQUIRES: nothing was set.
  void SetAll(std::span<const float* const> centres);
  // For each vector the position of a centre that is the nearest, but for little.
  // vectors: [any, dimension], not rotated; found: [any]. REQUIRES: there is a centre.
  void Find(std::span<const float> vectors, std::span<size_t> found) const;

 private:
  // Centres by groups of kGroup; what is behind the last one is never near. x.c - |c|^2 / 2 is the
  // larger the nearer x is to c.
  struct Level {
    size_t size = 0;
    std::vector<uint8_t> numbers;             // as simd::CentreGroup has them
    std::vector<float> scales, half_squares;  // [groups, kGroup]
  };
  struct SmallVectors {
    std::vector<int8_t> numbers;             // [any, 4 * quads]
    std::vector<simd::SmallVector> vectors;  // [any]
  };
  // Of the dimension.
  size_t Quads() const { return (space_.dimension() + 3) / 4; }
  uint8_t* NumbersOf(Level* level, size_t at) const;
  // numbers: [dimension]
  void Put(std::span<const float> numbers, size_t at, Level* level) const;
  void PutCentre(size_t at, const float* centre);
  // Of the members of a group, which are on the level below.
  void PutMean(size_t level, size_t group);
  // Until the highest has few enough to compare all.
  void AddLevels();
  SmallVectors MakeSmall(std::span<const float> vectors) const;
  // Calls use(i, at, nearness) for the members of each group that are nearer to a vector i that
  // looks into it than least(i) was before. lookers: [groups], each [any].
  template <typename Least, typename Use>
  void ForEachNear(const Level& level, std::span<const std::vector<size_t>> lookers,
                   std::span<const simd::SmallVector> vectors, Least least, Use use) const;

  const CodeSpace& space_;
  // the centres, the means of their groups, those of groups of these, ...
  std::vector<Level> levels_{1};
};

}  // namespace s2v::search
