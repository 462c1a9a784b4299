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
#include <optional>
#include <string>
#include <vector>

#include "core/search/codes.h"
#include "core/search/lists.h"
#include "sql/index_definition.h"
#include "sql/index_memory.h"

namespace s2v {

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
