// A question to an index: the rows nearest to it by meaning, by words, or by both.
//
//   IndexQuestion question{.text = "rate cuts hit lenders", .k = 10};
//   for (const IndexAnswer& answer : SearchIndex(db, index, &memory, question)) ...
//
// Rows that are in the log are read from the table, embedded and compared one by one. Where they are
// many, and the connection may write and is in no transaction that only reads, they are taken into the
// index first, without waiting for a lock.
//
// Thread rule: as the connection's.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/search/search.h"
#include "sql/index_definition.h"
#include "sql/index_store.h"

namespace s2v {

enum class Ranking { kBoth, kMeaning, kWords };

struct IndexQuestion {
  // One of the two. vector: [dimension], any length.
  std::optional<std::string> text;
  std::vector<float> vector;
  uint64_t k = 0;
  // Nothing: both where there are words and a text, else meaning.
  std::optional<Ranking> ranking;
  const search::RowSet* allowed = nullptr;  // nullptr: all rows
};

struct IndexAnswer {
  int64_t rowid = 0;
  double score = 0;                  // by which answers are ordered, largest first
  std::optional<double> similarity;  // nothing where the row or the question has no vector
  std::optional<double> bm25;        // nothing where no word matched, or none was looked for
};

// At most k. Throws InvalidArgument for a question that the index cannot answer.
std::vector<IndexAnswer> SearchIndex(sqlite3* db, const IndexDefinition& index, IndexMemory* memory,
                                     const IndexQuestion& question);

}  // namespace s2v
