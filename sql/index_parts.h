// Of an index with passages: the parts that rows are cut into, and where the index has them. In all
// other indexes a part is a row, and has its rowid.
//
// A row is cut column by column: columns that are short beside a passage, as titles are, are in
// each of its parts; any other is cut by core/text/passages.h, and a part has one piece of one of
// them. A row of fewer words than one and a half passages is one part, as is one without text. Of a
// column in a format (core/text/text_format.h) what is text is cut.
//
//   RowParts parts;
//   parts.Cut(index, format, row);                 // a row as the table has it
//   parts.Make(0, &part);                          // what is indexed of its first part
//
// Inside the index a part has an id in place of a rowid: in N_entry, N_block and N_fts.
//
//   N_part(id, row, parts, hash, checksum)   of each row the id of its first part, by which those of the others follow, and how
//               many they are; SourceRow::Hash() of the whole row; checksum: XXH3-64, seed = the index's XOR id, of row,
//               parts and hash as int64
//
//   IndexParts ids(db, index, statements);
//   if (const auto place = ids.Find(id)) ...       // the row, and the place of the part in it
//   const IndexParts::Range range = ids.Of(row);
//
// Thread rule: RowParts belongs to one thread at a time, IndexParts to the connection's.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "core/text/tokenizer.h"
#include "sql/index_definition.h"
#include "sql/index_source_row.h"

namespace s2v {

class RowParts {
 public:
  // A part's own piece: bytes of one of the columns of whole().
  struct Piece {
    size_t column = 0, begin = 0, size = 0;
  };
  // format: what tells of the columns' texts what is text; nullptr: all of it.
  void Cut(const IndexDefinition& index, const Tokenizer* format, const SourceRow& row);
  size_t size() const { return pieces_.size(); }
  const Piece& piece(size_t part) const { return pieces_[part]; }
  // Whether the row is one part, with all of its columns: which of them is its piece the question
  // tells.
  bool is_whole() const { return is_whole_; }
  Piece WholeColumn(size_t column) const { return {column, 0, columns_[column].size()}; }
  std::string_view PieceText(const Piece& piece) const;
  // How many characters, as SQLite counts them, stand before the piece in its column.
  size_t CharactersBefore(const Piece& piece) const;
  // part's rowid stays as it is.
  void Make(size_t part, SourceRow* to) const;

 private:
  std::vector<std::string> columns_;  // as text
  std::vector<bool> is_in_each_;      // columns that are in each part
  std::vector<Piece> pieces_;
  bool is_whole_ = false;
};

class IndexParts {
 public:
  static constexpr int64_t kMostId = int64_t{1} << 48, kMostRowParts = int64_t{1} << 20;

  struct Place {
    int64_t row = 0;
    size_t part = 0;
  };
  struct Range {
    int64_t first = 0;
    size_t parts = 0;  // 0: the index has none of the row
    int64_t hash = 0;
  };
  // index must outlive it. Its statements are kept in statements, where that is not nullptr.
  IndexParts(sqlite3* db, const IndexDefinition& index, StatementCache* statements)
      : db_(db), index_(index), statements_(statements) {}

  // Throw FormatError for what is none of ours.
  Range Of(int64_t row);
  // Nothing where no row has the part. Without passages a part is a row, and has its rowid.
  std::optional<Place> Find(int64_t id);
  // REQUIRES: the index has the part. Throws FormatError where that has no row.
  Place At(int64_t id);
  // Appends the ids of the parts that the index has of a row, and of those that it has now, where
  // these are more: ids that Find knows until the next Put or Delete. Without passages the rowid.
  void AddIds(int64_t row, size_t parts_now, std::vector<int64_t>* ids);
  // An id that no part has, nor has any above it.
  int64_t NextId();

  // Both end the life of the ids that AddIds has made up: what is stored now may have the same
  // ones.
  void Put(int64_t row, const Range& range);
  void Delete(int64_t row);

 private:
  void Forget();
  // id, row, parts, hash, checksum.
  Range ReadRange(const Statement& found);

  sqlite3* db_;
  const IndexDefinition& index_;
  StatementCache* statements_;
  Statement of_, count_, find_, take_, put_;
  // The row that was found last.
  Range last_;
  int64_t last_row_ = 0;
  int64_t first_other_ = 0;  // the id of the first of others_
  std::vector<Place> others_;
  std::map<std::pair<int64_t, size_t>, int64_t> id_of_other_;
};

}  // namespace s2v
