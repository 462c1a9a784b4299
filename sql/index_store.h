// The vectors of an index, for reading. Writing: sql/index_writer.h.
//
// Besides N_config (sql/index_definition.h) an index N keeps
//
//   N_list(id, rows, stamp, centre, checksum)   the lists of core/search/lists.h. rows: how many it has;
//               stamp: another random number whenever its blocks change; centre: CentreBytes;
//               checksum: XXH3-64, seed = the index's XOR id, of rows and stamp as int64 and of centre
//   N_block(key, codes)      key = list id * 2^16 + number; the blocks of a list, in order, all full but
//               the last (core/search/codes.h, Block)
//   N_row(id, list, vector)  for each row of T that has a vector its list; of an index of texts also
//               that vector: XXH3-64, seed = rowid, of what follows; then, for each dimension, int8 h;
//               then a bit b for each, the first one lowest. The direction is that of the numbers
//               2 h + b, -255 to 255. NULL for an index of vectors, which are in T itself
//
// What a connection has read is kept in an IndexMemory: under the same stamps nothing is read again.
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
#include <string>
#include <vector>

#include "core/search/codes.h"
#include "core/search/lists.h"
#include "sql/index_definition.h"
#include "sql/index_source.h"
#include "sql/real_table.h"

namespace s2v {

// What a connection keeps of one index. Nothing in it is authoritative.
struct IndexMemory {
  bool is_in_use = false;  // by a question or a command
  OpenFiles files;
  int64_t stamp = 0;  // of the lists; 0: nothing is kept
  std::unique_ptr<search::CodeSpace> space;
  std::unique_ptr<search::Lists> lists;
  struct List {
    int64_t stamp = 0;
    uint64_t rows = 0;
    std::vector<search::Block> blocks;  // empty: not read
  };
  std::map<int64_t, List> by_id;
  size_t bytes = 0;  // of blocks

  // Of rows that the index does not have yet, by the model with this hash.
  std::string kept_model;
  KeptVectors kept;
};

// ReadIndexDefinition, of an index in a file that may be a stranger's: its tables are ordinary ones, and
// that of words is FTS5's. Throws FormatError where they are not.
IndexDefinition OpenIndex(sqlite3* db, const std::string& schema, const std::string& name,
                          IndexMemory* memory);

class IndexStore {
 public:
  // Reads the lists, unless memory has them. Throws FormatError where they are damaged.
  // REQUIRES: index.dimension > 0; index and memory outlive it.
  IndexStore(sqlite3* db, const IndexDefinition& index, IndexMemory* memory);

  const search::CodeSpace& space() const { return *memory_->space; }
  const search::Lists& lists() const { return *memory_->lists; }
  // Valid until memory forgets them: at the next store, or beyond the budget at the next call.
  const std::vector<search::Block>& Blocks(int64_t list);

  // Similarity of a unit vector and a row of N_row or T; nothing where the row has no vector (any more).
  std::optional<double> Similarity(const float* query, int64_t rowid);
  // The vector of a row of the index, decoded, of length 1. False where there is none.
  bool ReadVector(int64_t rowid, float* vector);

 private:
  void ReadLists();
  // Calls use with the bytes of a row's vector, where it has one: float32, or as N_row has it, checked.
  template <typename Use>
  void WithStored(int64_t rowid, Use use);

  sqlite3* db_;
  const IndexDefinition& index_;
  IndexMemory* memory_;
  Statement select_blocks_, select_vector_;
  std::vector<float> vector_;
};

// Throws FormatError.
[[noreturn]] void ThrowDamaged(const IndexDefinition& index, const char* part, int64_t key);
// The BLOB of N_row for a unit vector of an index of texts.
std::string RowVectorBytes(int64_t rowid, const float* vector, uint32_t dimension);
int64_t ListChecksum(const IndexDefinition& index, int64_t id, int64_t rows, int64_t stamp,
                     std::string_view centre);
inline int64_t BlockKey(int64_t list, size_t number) {
  return list * 65536 + static_cast<int64_t>(number);
}

}  // namespace s2v
