// Whether an index and its table say the same, and what an index is.
//
// Thread rule: as the connection's.
#ifndef S2V_SQL_INDEX_CHECK_H_
#define S2V_SQL_INDEX_CHECK_H_

#include <cstdint>
#include <string>
#include <vector>

#include "sql/index_definition.h"
#include "sql/index_store.h"

namespace s2v {

struct IndexReport {
  uint64_t table_rows = 0;
  uint64_t rows = 0;  // with a vector
  uint64_t left_out =
      0;  // rows of the table that have none: NULL, no known word, no vector of this length
  uint64_t pending = 0;  // rows of the table that the log names, and that were not compared
  uint64_t differences = 0;
  std::vector<std::string> examples;  // of differences, at most ten, in words
};
// Compares every row. Changes nothing. Throws FormatError for what cannot be read at all.
IndexReport InspectIndex(sqlite3* db, const IndexDefinition& index, IndexMemory* memory);
// The same. Throws FormatError, naming differences, where there are any.
void CheckIndex(sqlite3* db, const IndexDefinition& index, IndexMemory* memory);

struct IndexSummary {
  IndexDefinition index;
  uint64_t rows = 0, lists = 0, pending = 0;  // rows: with a vector; pending: that the log names
  uint64_t vector_bytes = 0, word_bytes = 0;
  std::string problem;  // why it cannot be asked by meaning: made with a model that is gone, ...
};
// The names of the indexes of a schema.
std::vector<std::string> ListIndexes(sqlite3* db, const std::string& schema);
IndexSummary SummarizeIndex(sqlite3* db, const std::string& schema, const std::string& name);

// Makes every index of the schema anew whose model is another by now, each in a savepoint of its own.
void RebuildStaleIndexes(sqlite3* db, const std::string& schema);

// Takes the log in and merges FTS5's parts.
void OptimizeIndex(sqlite3* db, const IndexDefinition& index, IndexMemory* memory);

}  // namespace s2v

#endif  // S2V_SQL_INDEX_CHECK_H_
