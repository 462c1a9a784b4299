// Whether an index and its table say the same.
//
// Thread rule: as the connection's.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sql/index_definition.h"

namespace s2v {

struct IndexReport {
  uint64_t table_rows = 0;
  uint64_t rows = 0;  // with a vector; with passages parts, as the next
  // Rows of the table that have none: NULL, no known word, no vector of this length.
  uint64_t left_out = 0;
  uint64_t pending = 0;  // rows of the table that the log names, and that were not compared
  uint64_t gone = 0;     // rows of the index that went from the table unseen: they are no answers
  uint64_t differences = 0;
  std::vector<std::string> examples;  // of differences, at most ten, in words
};
// Compares every row with what the file has, whatever connections keep of it. Changes nothing.
// Throws FormatError for what cannot be read at all, InvalidArgument where the model that made it
// is gone.
IndexReport InspectIndex(sqlite3* db, const IndexDefinition& index);
// The same. Throws FormatError, naming differences, where there are any.
void CheckIndex(sqlite3* db, const IndexDefinition& index);

}  // namespace s2v
