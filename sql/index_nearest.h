// The rows of an index that are nearest to a vector, and how near a row is; rows that wait in the
// log count as the table has them.
//
//   NearestRows nearest(db, index, memory, &pending);
//   nearest.Open();
//   for (const search::Hit& hit : nearest.Find(query, 10, rows, /*exact=*/true)) ...
//
// Thread rule: as the connection's.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "core/search/search.h"
#include "sql/index_pending.h"
#include "sql/index_store.h"

namespace s2v {

// Rows that may be answers to a question.
struct RowChoice {
  const search::RowSet* allowed = nullptr;   // nullptr: all rows
  const search::RowSet* excluded = nullptr;  // beside that; nullptr: none
  const search::RowSet* left_out = nullptr;  // excluded and pending ones; nullptr: the pending ones
  bool Contains(int64_t rowid) const {
    return (allowed == nullptr || allowed->Contains(rowid)) &&
           (excluded == nullptr || !excluded->Contains(rowid));
  }
};

// Of two vectors of length 1.
double Cosine(const std::vector<float>& query, const float* vector);

class NearestRows {
 public:
  // All that is given must outlive it.
  NearestRows(sqlite3* db, const IndexDefinition& index, IndexMemory* memory, PendingRows* pending)
      : db_(db), index_(index), memory_(memory), pending_(pending) {}

  // Reads the lists. Throws FormatError where they are damaged. REQUIRES: index.dimension > 0. All
  // that follows REQUIRES that it was called.
  void Open() { store_.emplace(db_, index_, memory_); }
  bool is_open() const { return store_.has_value(); }

  // Nothing where the row has no vector. query: [dimension], of length 1.
  std::optional<double> Similarity(const std::vector<float>& query, int64_t rowid);
  // A row's vector, of length 1, kept for the other rounds of a question; nullptr where it has
  // none. Valid until the next call.
  const float* Vector(int64_t rowid);
  // The k nearest, the best first. exact: rows about the last one are compared anew, from their
  // texts.
  std::vector<search::Hit> Find(const std::vector<float>& query, uint64_t k, const RowChoice& rows,
                                bool exact = false);

 private:
  std::vector<search::Hit> FindAmong(const std::vector<float>& query, uint64_t k,
                                     const RowChoice& rows);
  void EmbedAnew(const std::vector<float>& query, std::vector<search::Hit> scored, double margin,
                 std::vector<search::Hit>* hits);

  sqlite3* db_;
  const IndexDefinition& index_;
  IndexMemory* memory_;
  PendingRows* pending_;
  std::optional<IndexStore> store_;
  std::unordered_map<int64_t, std::vector<float>> vectors_;
};

}  // namespace s2v
