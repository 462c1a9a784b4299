// What a connection keeps of an index between questions: lists and blocks that were read, rows that
// wait, words.
//
// Thread rule: as the connection's.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/search/codes.h"
#include "core/search/lists.h"
#include "sql/index_definition.h"
#include "sql/index_terms.h"
#include "sql/index_word_memory.h"
#include "sql/real_table.h"

namespace s2v {

// What was computed of a row that waits in the log. It is good while the row has this hash.
struct PendingRow {
  int64_t hash = 0;
  bool has_vector = false, has_terms = false;  // whether the following were computed
  std::vector<float> vector;                   // empty: the row has none
  RowTerms terms;
  std::vector<uint64_t> hashes;  // [terms], HashWord of each
  size_t Bytes() const {
    return sizeof(*this) + 64 + vector.capacity() * sizeof(float) +
           hashes.capacity() * sizeof(uint64_t) + terms.bytes.capacity() +
           (terms.ends.capacity() + terms.columns.capacity()) * sizeof(uint32_t);
  }
};
// Whether is_met(column, hashes) holds for a column of N_fts.
template <typename IsMet>
bool AnyColumn(const PendingRow& row, const IsMet& is_met) {
  size_t begin = 0;
  for (size_t c = 0; c < row.terms.columns.size(); begin = row.terms.columns[c++]) {
    if (is_met(c, std::span(row.hashes).subspan(begin, row.terms.columns[c] - begin))) return true;
  }
  return false;
}

// Whether the phrase is among the terms of a column at this place.
inline bool StandsAt(std::span<const uint64_t> phrase, std::span<const uint64_t> terms, size_t at) {
  return terms.size() - at >= phrase.size() && std::equal(phrase.begin(), phrase.end(), &terms[at]);
}

// N_list as it was read.
struct StoredLists {
  StoredLists(uint32_t dimension, uint64_t seed)
      : space(std::make_shared<search::CodeSpace>(dimension, seed)), lists(*space) {}
  std::shared_ptr<const search::CodeSpace> space;
  search::Lists lists;
  // by position in lists; of lists that a connection may have changed empty
  std::vector<int64_t> stamps;
};
using ListBlocks = std::shared_ptr<const std::vector<search::Block>>;

// What a connection keeps of one index. Nothing in it is authoritative.
struct IndexMemory {
  bool is_in_use = false;  // by a question or a command
  // the statement is the inner one of RunWithJournal (ext/index_table.cc)
  bool is_in_command = false;
  OpenFiles files;
  uint64_t file = 0;  // that was read last (OpenFiles::Reading)
  int64_t stamp = 0;  // of the lists; 0: nothing is kept
  std::shared_ptr<const StoredLists> lists;
  std::shared_ptr<StoredLists> own;  // what lists is, where this connection may have changed them
  struct List {
    int64_t stamp = 0;
    uint64_t rows = 0;
    ListBlocks blocks;  // nullptr: not read
  };
  std::unordered_map<int64_t, List> by_id;  // each question looks thousands up
  size_t bytes = 0;                         // of blocks

  // Of rows that wait in the log (sql/index_pending.h).
  std::string kept_by;  // what their terms and vectors depend on
  std::map<int64_t, PendingRow> kept;
  size_t kept_bytes = 0;
  KnownTerms terms;  // of those that were written last
  WordMemory word_memory;
  double split_seconds = 0;  // what the last split of a list took

  // The file and the version of its schema for which the index's objects were found to be its own,
  // 0: none; and what that schema says.
  IndexSourceNames source;
  uint64_t checked_file = 0;
  int64_t checked_schema = 0;
};

// ReadIndexDefinition, of an index in a file that may be a stranger's. Throws FormatError where its
// objects are not what this version made, InvalidArgument where it is of a former version or a
// trigger is missing. for_rebuild: these two are allowed.
IndexDefinition OpenIndex(sqlite3* db, const std::string& schema, const std::string& name,
                          IndexMemory* memory, bool for_rebuild = false);

// What blocks take in memory; nullptr: nothing.
size_t MemoryBytes(const ListBlocks& blocks);

}  // namespace s2v
