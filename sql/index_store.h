// The vectors of an index, for reading. Writing: sql/index_row_writer.h.
//
// Besides N_config (sql/index_definition.h) an index N keeps
//
//   N_entry(id, list, hash, terms, vector)
//               for each row of T that was taken in, or with passages each part of one (sql/index_parts.h): its list, NULL
//               where it has no vector; SourceRow::Hash() of what was indexed; its terms (sql/index_terms.h), NULL without words; of an index of texts
//               the vector: XXH3-64, seed = rowid, of what follows; then its direction (core/model/element.h). NULL
//               for an index of vectors, which are in T itself
//   N_list(id, rows, stamp, centre, checksum)   the lists of core/search/lists.h. rows: how many it has;
//               stamp: another random number whenever its blocks change; centre: CentreBytes;
//               checksum: XXH3-64, seed = the index's XOR id, of rows and stamp as int64 and of centre
//   N_block(key, codes)      key = list id * 2^16 + number; the blocks of a list, in order, all full but
//               the last (core/search/codes.h, Block)
//
// What a connection has read is kept in an IndexMemory: under the same stamps nothing is read
// again. Lists and blocks are shared with the other connections of the process
// (sql/shared_reads.h).
//
//   IndexStore store(db, index, &memory);
//   for (size_t at = 0; at < store.lists().size(); at++) Use(store.Blocks(store.lists().id(at)));
//
// Thread rule: as the connection's.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/search/codes.h"
#include "core/search/lists.h"
#include "sql/index_definition.h"
#include "sql/index_source.h"
#include "sql/index_terms.h"
#include "sql/index_word_memory.h"
#include "sql/real_table.h"
#include "sql/shared_reads.h"

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
// Whether is_met(number, terms) holds for a column of words, of even number, or of parts.
template <typename IsMet>
bool AnyColumn(const PendingRow& row, const IsMet& is_met) {
  size_t begin = 0;
  for (size_t c = 0; c < row.terms.columns.size(); begin = row.terms.columns[c++]) {
    if (is_met(c, std::span(row.hashes).subspan(begin, row.terms.columns[c] - begin))) return true;
  }
  return false;
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

  // Of rows that wait in the log (sql/index_pending.h), by the model with this hash, with vectors
  // of this dimension.
  std::string kept_by;  // what their terms and vectors depend on
  std::map<int64_t, PendingRow> kept;
  size_t kept_bytes = 0;
  KnownTerms terms;  // of those that were written last
  WordMemory words;
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

class IndexStore {
 public:
  // Reads the lists, unless memory has them. Throws FormatError where they are damaged.
  // REQUIRES: index.dimension > 0; index and memory outlive it.
  IndexStore(sqlite3* db, const IndexDefinition& index, IndexMemory* memory);

  const search::CodeSpace& space() const { return *memory_->lists->space; }
  const search::Lists& lists() const { return memory_->lists->lists; }
  // For changing them, which no other connection sees.
  search::Lists& OwnLists();
  // Valid until the next call, or the next store.
  const std::vector<search::Block>& Blocks(int64_t list);
  // Its first block, to be read ahead, where this connection keeps the list; else nullptr. Valid
  // until the next store.
  const search::Block* FirstKept(int64_t list) const;

  // The number-th block of a list with so many rows, which may be the only one that is read.
  search::Block ReadBlock(int64_t list, uint32_t number, uint64_t rows);

  // Similarity of a unit vector and a row of N_entry or T; nothing where the row has no vector (any
  // more). rounding: set to the standard deviation of the error that N_entry's nine bits a number
  // cause; 0 for T's vectors.
  std::optional<double> Similarity(const float* query, int64_t rowid, double* rounding = nullptr);
  // The vector of a row of the index, decoded, of length 1. False where there is none.
  bool ReadVector(int64_t rowid, float* vector);

 private:
  void TakeLists();
  StoredLists ReadLists();
  std::vector<search::Block> ReadBlocks(int64_t list, uint64_t rows);
  // Throws FormatError unless it has the rows that it must have: all blocks but the last are full.
  search::Block ParseBlock(int64_t list, uint32_t number, uint64_t list_rows,
                           std::string_view bytes);
  // Calls use with the bytes of a row's vector, where it has one: float32, or as N_entry has it,
  // checked.
  template <typename Use>
  void WithStored(int64_t rowid, Use use);

  sqlite3* db_;
  const IndexDefinition& index_;
  IndexMemory* memory_;
  Statement select_blocks_, select_vector_;
  ListBlocks read_;  // of the last list
  std::vector<float> vector_;
};

// Throws FormatError.
[[noreturn]] void ThrowDamaged(const IndexDefinition& index, const char* part, int64_t key);
// What N_entry has of the unit vector of a text.
std::string RowVectorBytes(int64_t rowid, const float* vector, uint32_t dimension);
int64_t ListChecksum(const IndexDefinition& index, int64_t id, int64_t rows, int64_t stamp,
                     std::string_view centre);
// Of a list with so many rows.
uint32_t BlocksOf(uint64_t rows);
inline int64_t BlockKey(int64_t list, size_t number) {
  return list * 65536 + static_cast<int64_t>(number);
}

}  // namespace s2v
