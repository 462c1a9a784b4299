// The rows of an index's table as vectors of length 1.
//
//   IndexSource source(db, index);
//   if (const SourceRow* row = source.Row(rowid)) ...     // nullptr: it is gone
//   if (const float* vector = source.Vector(*row)) ...    // nullptr: it has none
//   if (const float* query = source.Embed("rate cuts")) ...
//
// Thread rule: as the connection's. While it lives, a read transaction of the model stays open, so
// it must not outlive the statement that it serves.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/embed/embedder.h"
#include "sql/index_definition.h"
#include "sql/index_parts.h"
#include "sql/index_source_row.h"
#include "sql/model_reader.h"

namespace s2v {

class IndexSource {
 public:
  // Opens no model before it is needed. index must outlive it. files: as of ModelReader.
  IndexSource(sqlite3* db, const IndexDefinition& index, OpenFiles* files = nullptr)
      : db_(db), index_(index), files_(files), parts_(db, index, cache()) {}

  // Of a text: the model's. Of vectors: the index's, or that of the first vector; 0 where there is
  // none.
  uint32_t Dimension();
  // The model that embeds texts: the one that was named, else the default; where another is the
  // default by now, the one that made the index's vectors, if it is still there. Throws
  // InvalidArgument where there is none, saying what to do.
  ModelReader& Model();
  bool HasModel() { return WhyNoModel().empty(); }
  // "" where there is one.
  std::string WhyNoModel();
  // How the model embeds texts of this index.
  EmbeddingShape Shape();
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

  // Of length 1, nullptr: the row has none. Valid until the next call of Vector or Embed.
  const float* Vector(const SourceRow& row);
  const float* Embed(std::string_view text);

 private:
  // What tells of the columns' texts what is text, where they are in a format, as the words'
  // profile says or, without one, the model's.
  const Tokenizer* Format();
  StatementCache* cache() const { return files_ == nullptr ? nullptr : files_->statements; }

  sqlite3* db_;
  const IndexDefinition& index_;
  OpenFiles* files_;
  IndexParts parts_;
  std::optional<const Tokenizer*> format_;
  RowParts cut_;
  std::optional<int64_t> cut_row_;  // which cut_ is of
  int64_t cut_hash_ = 0;
  bool is_cut_sure_ = false;
  SourceRow part_;
  std::unique_ptr<ModelReader> reader_;
  std::optional<Embedder> embedder_;
  std::optional<uint32_t> dimension_;
  Statement select_, select_hash_;
  std::vector<float> vector_;
  SourceRow row_;
};

}  // namespace s2v
