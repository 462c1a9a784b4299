// A row of an index's table: its indexed columns, as they are embedded, cut and hashed.
//
//   Statement select(db, SelectSource(index));
//   for (SourceRow row; select.Step();) {
//     ReadSourceRow(index, select, &row);
//     row.text;                // "Rate cuts\nThe bank cut ..."
//   }
//
// Thread rule: a SourceRow belongs to one thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sql/index_definition.h"

namespace s2v {

class TermCutter;
struct RowTerms;

// bytes, a BLOB of float32, as a vector of length 1. False where it has another dimension, a number
// that is not finite, or no direction.
bool UnitVector(std::string_view bytes, uint32_t dimension, float* vector);

// The indexed columns of a row of the source, or of a part of one (sql/index_parts.h).
struct SourceRow {
  struct Column {
    uint32_t begin = 0, size = 0;  // in text
  };
  int64_t rowid = 0;  // or the id of the part
  std::string text;   // what is embedded: the columns of text that are no NULL or BLOB, a line each
  std::vector<Column> columns;  // of text; a NULL or BLOB has size 0
  std::string vector;           // of an index of vectors: the BLOB's bytes

  void AddText(size_t column, std::string_view added) {
    if (!text.empty()) text += '\n';
    columns[column] = {static_cast<uint32_t>(text.size()), static_cast<uint32_t>(added.size())};
    text += added;
  }
  std::string_view ColumnText(size_t i) const {
    return std::string_view(text).substr(columns[i].begin, columns[i].size);
  }
  size_t Bytes() const { return text.size() + vector.size(); }
  // Sets terms to those of all columns.
  void Cut(const TermCutter& cutter, RowTerms* terms) const;
  // What N_entry.hash is: XXH3-64 of vector, then of text, then of columns, each seeded by the hash
  // before.
  int64_t Hash() const;
};
// "SELECT rowid, columns FROM T", for ReadSourceRow.
std::string SelectSource(const IndexDefinition& index);
void ReadSourceRow(const IndexDefinition& index, const Statement& row, SourceRow* to);

}  // namespace s2v
