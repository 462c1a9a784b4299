// Where phrases of a question stand in a row of terms that FTS5 does not have: one that waits.
//
//   const PhraseFinder finder(index, query);
//   for (const search::Occurrence& one : finder.Find(row)) ...     // [phrases]
//
// Thread rule: const functions may be called from any thread.
#pragma once

#include <unordered_map>
#include <vector>

#include "core/search/word_scores.h"
#include "sql/index_memory.h"
#include "sql/index_words_query.h"

namespace s2v {

class PhraseFinder {
 public:
  // Both must outlive it.
  PhraseFinder(const IndexDefinition& index, const WordsQuery& query);
  // What FTS5 would tell of the row, of each phrase; empty where the row has none of them.
  std::vector<search::Occurrence> Find(const PendingRow& row) const;

 private:
  const IndexDefinition& index_;
  const WordsQuery& query_;
  std::unordered_map<uint64_t, std::vector<size_t>> by_first_;  // term of each phrase
};

}  // namespace s2v
