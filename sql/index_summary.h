// What an index is: how many rows it has, how large it is, and what is wrong with it.
//
// Thread rule: as the connection's.
#pragma once

#include <cstdint>
#include <string>

#include "sql/index_definition.h"

namespace s2v {

struct IndexSummary {
  IndexDefinition index;
  uint64_t rows = 0, lists = 0;
  uint64_t parts = 0;    // of rows; 0 without passages
  uint64_t pending = 0;  // rows that the log names
  uint64_t vector_bytes = 0, word_bytes = 0;
  // Why it cannot be asked by meaning (made with a model that is gone, ...), or should have a
  // better model.
  std::string problem;
};
// Of its rows, those that the log names.
uint64_t CountPending(sqlite3* db, const IndexDefinition& index);
IndexSummary SummarizeIndex(sqlite3* db, const std::string& schema, const std::string& name);

}  // namespace s2v
