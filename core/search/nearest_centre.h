// Which of many centres is nearest to a vector: where a row of an index belongs.
//
//   NearestCentre nearest(space);
//   nearest.Set(0, lists.centre(0));         // rotated, as lists have it
//   std::vector<size_t> at(rows);
//   nearest.Find(vectors, at);               // [rows, dimension], as the table has them
//
// Centres are turned back, since their numbers are `dimension` then, often far fewer than the width of codes. Of many
// centres those are compared whose groups, of kGroup with positions in a row, have the nearest means, and of many groups those whose
// groups have: Lists sets centres that are near one another one after another. Many vectors are looked up together, since centres that
// several of them look at are then read once.
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
  // kLooks groups are looked into on each level. Of a million sentences, dimension 400, 96 % get the nearest of 1,671 centres,
  // the others lose 0.012 of nearness; of 18,112 it is 83 % and 0.020.
  static constexpr size_t kGroup = 16, kLooks = 10;

  // space must outlive it.
  explicit NearestCentre(const CodeSpace& space) : space_(space) {}
  // centre: [width], rotated. REQUIRES: at is the position of a centre that is there, or the next one.
  void Set(size_t at, const float* centre);
  // All at once, each [width]. REQUIRES: nothing was set.
  void SetAll(std::span<const float* const> centres);
  // For each vector the position of the nearest of few centres, of many of one that is as near but for little.
  // vectors: [any, dimension], not rotated; found: [any]. REQUIRES: there is a centre.
  void Find(std::span<const float> vectors, std::span<size_t> found) const;

 private:
  // x.c - |c|^2 / 2 is the larger the nearer x is to c.
  struct Centres {
    size_t size() const { return half_squares.size(); }
    std::vector<float> numbers;       // [any, dimension]
    std::vector<float> half_squares;  // [any] |c|^2 / 2
  };
  void Put(size_t at, std::span<const float> numbers, Centres* centres) const;
  void PutCentre(size_t at, const float* centre);
  // Of the members of a group, which are on the level below.
  void PutMean(size_t level, size_t group);
  // Until the highest has few enough to compare all.
  void AddLevels();
  // Calls use(i, at, nearness) for each member of a group and each vector i that looks into it. lookers: [groups], each [any].
  template <typename Use>
  void ForEachNearness(const Centres& centres, std::span<const std::vector<size_t>> lookers,
                       std::span<const float> vectors, Use use) const;

  const CodeSpace& space_;
  std::vector<Centres> levels_{1};  // the centres, the means of their groups, those of groups of these, ...
};

}  // namespace s2v::search
