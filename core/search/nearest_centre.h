// Which of many centres is nearest to a vector: where a row of an index belongs.
//
//   NearestCentre nearest(space);
//   nearest.Set(0, lists.centre(0));         // rotated, as lists have it
//   std::vector<size_t> at(rows);
//   nearest.Find(vectors, at);               // [rows, dimension], as the table has them
//
// Centres are turned back, since their numbers are `dimension` then, often far fewer than the width of codes. Of more than
// kGroupLooks groups, one for kGroup centres with positions in a row, those with the nearest means are searched:
// MakeCentres gives centres that are near one another one after another. Many vectors are looked up together, since a group of
// centres that several of them look at is then read once.
//
// Thread rule: const functions may be called from any thread.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/search/codes.h"

namespace s2v::search {

class NearestCentre {
 public:
  // Of 1,539 centres of a million sentences, dimension 100, 96 % of rows get the nearest, the others lose 0.02 of
  // nearness; of 18,079 it is 89 %. With 16 looks 99 and 93 %, for a half more time.
  static constexpr size_t kGroup = 32, kGroupLooks = 10;

  // space must outlive it.
  explicit NearestCentre(const CodeSpace& space) : space_(space) {}
  // centre: [width], rotated. REQUIRES: at is the position of a centre that is there, or the next one.
  void Set(size_t at, const float* centre);
  // All at once, each [width]. REQUIRES: nothing was set.
  void SetAll(std::span<const std::vector<float>> centres);
  // For each vector the position of the nearest of few centres, of many of one that is as near but for little.
  // vectors: [any, dimension], not rotated; found: [any]. REQUIRES: there is a centre.
  void Find(std::span<const float> vectors, std::span<size_t> found) const;

 private:
  // x.c - |c|^2 / 2 is the larger the nearer x is to c.
  struct Centres {
    std::vector<float> numbers;       // [any, dimension]
    std::vector<float> half_squares;  // [any] |c|^2 / 2
  };
  void Put(size_t at, std::span<const float> numbers, Centres* centres) const;
  void PutCentre(size_t at, const float* centre);
  void PutMean(size_t group);
  // Calls use(i, at, nearness) for each of the vectors, each [dimension], and each of the positions first to end - 1.
  template <typename Use>
  void ForEachNearness(const Centres& centres, size_t first, size_t end, std::span<const float* const> vectors,
                       Use use) const;

  const CodeSpace& space_;
  Centres centres_;
  Centres means_;  // of groups
};

}  // namespace s2v::search
