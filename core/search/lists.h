// The lists of a vector index: where a row belongs, and how lists come to be.
//
//   Lists lists(space);
//   lists.Set(id, rows, ParseCentre(space, blob));   // each stored list, once
//   lists.PrepareNearest();
//   const size_t at = lists.Nearest(vector)[0];      // where a vector belongs: lists.id(at)
//   SplitInTwo(space, vectors, seed);                // of a list above lists.max_rows()
//
// An index begins with one list, whose centre is the zero vector. A list above max_rows() becomes
// two, by 2-means on its rows' vectors, and its rows get codes anew. An index that is made from a
// full table begins with the centres that MakeCentres finds in a sample of it.
//
// Lists that are near one another have ids near one another, by which NearestCentre groups them:
// MakeCentres gives them in such an order, IdOf leaves room between them, and the second half of a
// list that is split gets an id close behind it, FreeIdBehind.
//
// A centre is stored, rotated, as an int8 row (core/model/element.h): an index of ten
// million rows reads all its centres, a quarter of what float32 would take, before its first
// answer. Codes are made around what is stored, so nothing is lost by it.
//
// Thread rule: const functions may be called from any thread.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/search/codes.h"
#include "core/search/nearest_centre.h"

namespace s2v::search {

// Throws FormatError where bytes are no centre: another size, not finite, longer than any mean of
// unit vectors.
std::vector<float> ParseCentre(const CodeSpace& space, std::string_view bytes);
std::string CentreBytes(std::span<const float> centre);
// As it is when it was stored.
inline std::vector<float> StoredCentre(const CodeSpace& space, std::span<const float> centre) {
  return ParseCentre(space, CentreBytes(centre));
}

class Lists {
 public:
  // A list of more rows is split: fewer of long vectors, so that splitting takes as long, and as
  // much memory.
  static constexpr uint32_t MaxRows(uint32_t width) {
    return std::clamp<uint32_t>((uint32_t{1} << 20) / width, 128, 2048);
  }
  uint32_t max_rows() const { return MaxRows(space_.width()); }

  // space must outlive it.
  explicit Lists(const CodeSpace& space) : space_(space) {}
  size_t size() const { return ids_.size(); }
  // Adds the list or replaces it. centre: [width].
  void Set(int64_t id, uint64_t rows, std::span<const float> centre);
  size_t Position(int64_t id) const { return positions_.at(id); }
  // Of the list at this position; its centre stays as it is.
  void SetRows(size_t at, uint64_t rows) { rows_[at] = rows; }
  // The positions of the lists where vectors belong. vectors: [any, dimension], not rotated, of
  // length 1.
  // REQUIRES: size() > 0, PrepareNearest was called.
  std::vector<size_t> Nearest(std::span<const float> vectors) const;
  // From here on Set keeps in step what Nearest needs. Who only searches needs none of it.
  void PrepareNearest();
  // Of list `at` of `count` that are made together.
  static int64_t IdOf(size_t at, size_t count);
  // Halfway to the next larger id; where there is none free, the smallest that is.
  int64_t FreeIdBehind(int64_t id) const;
  // [width], until the next Set; nullptr where there is no such list.
  const float* CentreOf(int64_t id) const;

  // By position, 0 to size() - 1, in the order in which they were set.
  int64_t id(size_t at) const { return ids_[at]; }
  uint64_t rows(size_t at) const { return rows_[at]; }
  const float* centre(size_t at) const { return centres_[at].data(); }
  uint64_t TotalRows() const;

 private:
  void Order();

  const CodeSpace& space_;
  std::unordered_map<int64_t, size_t> positions_;  // by id
  std::vector<int64_t> ids_;
  std::vector<uint64_t> rows_;
  // [lists], each [width]: in one piece they would be copied while they are read, millions of
  // numbers.
  std::vector<std::vector<float>> centres_;
  std::optional<NearestCentre> nearest_;
  // Of lists that were there when they were last put in order, the places in nearest_ are those of
  // their ids; others follow.
  std::vector<size_t> place_of_, at_place_;  // by position; by place
  size_t ordered_ = 0;
};

struct TwoLists {
  std::vector<float> centres[2];  // [width], rotated
  std::vector<uint8_t> side;      // [rows] 0 or 1
};
// vectors: [rows, dimension], not rotated, at least two rows. Neither side is empty, even if all
// rows are the same.
TwoLists SplitInTwo(const CodeSpace& space, std::span<const float> vectors, uint64_t seed);
// Centres [lists, width], rotated, for a table of table_rows, from a sample of it [any, dimension],
// not rotated: 2-means again and again, by as many threads as there are workers, which make no
// difference. One zero vector for a small table.
std::vector<float> MakeCentres(const CodeSpace& space, std::span<const float> sample,
                               uint64_t table_rows, uint64_t seed, size_t workers = 1);
// How many rows of a table MakeCentres should be given; 0 where one list will do.
uint64_t SampleRows(uint64_t table_rows, const CodeSpace& space);

}  // namespace s2v::search
