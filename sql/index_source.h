// The rows of an index's table as vectors of length 1.
//
//   IndexSource source(db, index);
//   if (const SourceRow* row = source.Row(rowid)) ...     // nullptr: it is gone
//   if (const float* vector = source.Vector(*row)) ...    // nullptr: it has none
//   if (const float* query = source.Embed("rate cuts")) ...
//
// Thread rule: as the connection's. While it lives, a read transaction of the model stays open, so it
// must not outlive the statement that it serves.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/embed/embedder.h"
#include "sql/index_definition.h"
#include "sql/model_store.h"

namespace s2v {

// bytes, a BLOB of float32, as a vector of length 1. False where it has another dimension, a number
// that is not finite, or no direction.
bool UnitVector(std::string_view bytes, uint32_t dimension, float* vector);

// The indexed columns of a row of the source.
struct SourceRow {
  struct Column {
    uint32_t begin = 0, size = 0;  // in text
  };
  int64_t rowid = 0;
  std::string text;  // what is embedded: the columns of text that are no NULL or BLOB, a line each
  std::vector<Column> columns;  // of text; a NULL or BLOB has size 0
  std::string vector;           // of an index of vectors: the BLOB's bytes

  std::string_view ColumnText(size_t i) const {
    return std::string_view(text).substr(columns[i].begin, columns[i].size);
  }
  // What N_entry.hash is: XXH3-64 of vector, then of text, then of columns, each seeded by the hash before.
  int64_t Hash() const;
};
// "SELECT rowid, columns FROM T", for ReadSourceRow.
std::string SelectSource(const IndexDefinition& index);
void ReadSourceRow(const IndexDefinition& index, const Statement& row, SourceRow* to);

class IndexSource {
 public:
  // Opens no model before it is needed. index must outlive it. files: as of ModelReader.
  IndexSource(sqlite3* db, const IndexDefinition& index, OpenFiles* files = nullptr)
      : db_(db), index_(index), files_(files) {}

  // Of a text: the model's. Of vectors: the index's, or that of the first vector; 0 where there is none.
  uint32_t Dimension();
  // The model that embeds texts. Throws InvalidArgument where there is none, saying what to do.
  ModelReader& Model();
  // As the table has it now; nullptr: it is gone. Valid until the next call.
  const SourceRow* Row(int64_t rowid);
  // Of length 1, nullptr: the row has none. Valid until the next call of Vector or Embed.
  const float* Vector(const SourceRow& row);
  const float* Embed(std::string_view text);

 private:
  sqlite3* db_;
  const IndexDefinition& index_;
  OpenFiles* files_;
  std::unique_ptr<ModelReader> reader_;
  std::optional<Embedder> embedder_;
  std::optional<uint32_t> dimension_;
  Statement select_;
  std::vector<float> vector_;
  SourceRow row_;
};

}  // namespace s2v
