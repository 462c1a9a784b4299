// The rows of an index's table, and with passages their parts, as the table has them now.
//
//   IndexSource source(db, index);
//   if (const SourceRow* row = source.Row(rowid)) ...     // nullptr: it is gone
//   if (const float* vector = source.embedder().Vector(*row)) ...
//
// Thread rule: as the connection's. It must not outlive the statement that it serves (sql/index_embedder.h).
#pragma once

#include <optional>

#include "sql/index_definition.h"
#include "sql/index_embedder.h"
#include "sql/index_parts.h"
#include "sql/index_source_row.h"

namespace s2v {

class IndexSource {
 public:
  // index must outlive it. files: as of ModelReader.
  IndexSource(sqlite3* db, const IndexDefinition& index, OpenFiles* files = nullptr)
      : db_(db),
        index_(index),
        statements_(files == nullptr ? nullptr : files->statements),
        embedder_(db, index, files),
        parts_(db, index, statements_) {}

  IndexEmbedder& embedder() { return embedder_; }
  // As the table has it now; nullptr: it is gone. Valid until the next call. id: a rowid, with
  // passages that of a part.
  const SourceRow* Row(int64_t id);
  const SourceRow* Part(int64_t rowid, size_t part);
  const SourceRow* Whole(int64_t rowid);
  // SourceRow::Hash() of what the index has of a row of the table; nothing where it has none.
  std::optional<int64_t> IndexedHash(int64_t rowid);

  // For an index with passages. How many parts the table's row has now, 0 if it is gone; these
  // parts; where the index has a row's parts.
  size_t CountParts(int64_t rowid);
  const RowParts* Parts(int64_t rowid);
  void CutParts(const SourceRow& row, RowParts* parts);
  // The row that was cut last is kept. This says that it may have changed: it is cut anew if it
  // has.
  void DoubtRow() { is_cut_sure_ = false; }
  IndexParts& ids() { return parts_; }

 private:
  sqlite3* db_;
  const IndexDefinition& index_;
  StatementCache* statements_;
  IndexEmbedder embedder_;
  IndexParts parts_;
  RowParts cut_;
  std::optional<int64_t> cut_row_;  // which cut_ is of
  int64_t cut_hash_ = 0;
  bool is_cut_sure_ = false;
  Statement select_, select_hash_;
  SourceRow row_, part_;
};

}  // namespace s2v
