// A question looks at some rows in the table itself: those that the log names last, and those that
// it finds changed.
//
//   PendingRows pending(db, index, memory, &source);
//   for (const int64_t rowid : pending.rows().Rowids()) {
//     if (const float* vector = pending.Vector(rowid)) Use(vector);    // nullptr: it has none, or is gone
//   }
//
// Thread rule: as the connection's.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "core/search/search.h"
#include "sql/index_memory.h"
#include "sql/index_source.h"

namespace s2v {

class PendingRows {
 public:
  // Reads the log. Throws FormatError where somebody took entries out of it. All that is given must
  // outlive it.
  PendingRows(sqlite3* db, const IndexDefinition& index, IndexMemory* memory, IndexSource* source);

  const search::RowSet& rows() const { return rows_; }
  bool Contains(int64_t rowid) const { return rows_.size() > 0 && rows_.Contains(rowid); }
  // Whether the log names no other rows than these.
  bool has_all() const { return has_all_; }
  // Rows of the table. With passages rows() has ids of parts, and all of theirs are added; PartsOf
  // gives the parts of rows, whether they are pending or not.
  void AddRows(std::span<const int64_t> rowids);
  search::RowSet PartsOf(std::span<const int64_t> rowids);
  IndexSource* source() { return source_; }
  // What is known of the words of rows of the index.
  WordMemory* word_memory() { return &memory_->word_memory; }
  // The last rows of the table that no trigger has logged; none where the log names too many
  // others. Throws InvalidArgument where they are kMostUnknownRows or more, or the last row that
  // the log does not name is not the one that was indexed: VACUUM gives the rows of a table without
  // INTEGER PRIMARY KEY other rowids. Where the last row that the index knows is gone, the rows
  // before it are compared too, since the last ones may be equal.
  std::vector<int64_t> UnknownLastRows();

  // What the row says now; nullptr where it is gone, or has no vector. Valid until the next call of
  // any of these.
  const float* Vector(int64_t rowid);
  const PendingRow* Terms(int64_t rowid);
  // Visits the rows that are there, with their terms, until visit(rowid, row) returns false.
  template <typename Visit>
  void ForEachRow(const Visit& visit) {
    for (const int64_t rowid : rows_.Rowids()) {
      const PendingRow* row = Terms(rowid);
      if (row != nullptr && !visit(rowid, *row)) return;
    }
  }
  // Visits each term of each row, until visit(term, its HashWord) returns false.
  template <typename Visit>
  void ForEachTerm(const Visit& visit) {
    ForEachRow([&](int64_t /*rowid*/, const PendingRow& row) {
      for (size_t i = 0; i < row.terms.size(); i++) {
        if (!visit(row.terms[i], row.hashes[i])) return false;
      }
      return true;
    });
  }
  // Computes vectors that are not kept yet, as far as there is time and room, for the questions to
  // come.
  void Prepare(double deadline);

 private:
  void AddIds(int64_t rowid, std::vector<int64_t>* ids);
  // From memory_, where it is kept, or computed.
  PendingRow* Load(int64_t rowid, bool vector, bool terms);

  sqlite3* db_;
  const IndexDefinition& index_;
  IndexMemory* memory_;
  IndexSource* source_;
  std::optional<TermCutter> cutter_;
  search::RowSet rows_{{}};
  bool has_all_ = true;
  std::unordered_set<int64_t> table_rows_;  // those whose parts are rows_; with passages only
  std::unordered_map<int64_t, PendingRow*> loaded_;  // what is known by now; nullptr: gone
  PendingRow one_;                                   // that finds no place in memory_
  RowTerms terms_;
};

}  // namespace s2v
