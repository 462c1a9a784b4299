// Changes rows of an index: its lists, entries and words. What taking the log in (sql/index_sync.h)
// and a whole table (sql/index_rebuild.h) have in common.
//
//   IndexRowWriter writer(db, &index, &memory);
//   writer.TakeIn(rowid, &source);      // as the table has the row now
//   writer.Finish(deadline);
//
// What lists change to is in memory alone until Finish, but for full blocks of new lists, which are
// written at once; what lists were is as memory has it.
//
// Thread rule: as the connection's.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "sql/index_definition.h"
#include "sql/index_source.h"
#include "sql/index_store.h"
#include "sql/index_terms.h"

namespace s2v {

int64_t RandomStamp();

class IndexRowWriter {
 public:
  // index: its members stamp and terms are kept in step. If work is given up before Finish, what
  // memory had is forgotten.
  IndexRowWriter(sqlite3* db, IndexDefinition* index, IndexMemory* memory);

  // REQUIRES: the index has a dimension.
  const search::CodeSpace& space() const { return store_->space(); }
  search::Lists& lists() { return store_->OwnLists(); }
  const TermCutter* cutter() const { return cutter_ ? &*cutter_ : nullptr; }
  // REQUIRES: the index has words.
  TermWriter& terms() { return *terms_; }

  void AddList(int64_t id, std::span<const float> centre);
  // The row as the table has it now. False where the index has it so.
  bool TakeIn(int64_t rowid, IndexSource* source);

  struct NewEntry {
    int64_t rowid = 0, hash = 0;
    std::optional<int64_t> list;  // where it has a vector
    search::RowCode code;         // of that vector, around the list's centre
    std::string vector;           // as N_entry has it
    NumberedTerms terms;          // where there are words
  };
  // REQUIRES: N_entry does not have the row.
  void Add(const NewEntry& entry);

  // Splits lists that grew too large, as far as there is time (those of more than four times
  // max_rows() in any case), and writes all that changed. The index has another stamp then, under
  // which memory has what is written.
  void Finish(double deadline);

 private:
  // Blocks that differ from the stored ones. All are full but the list's last.
  struct Changed {
    std::map<uint32_t, search::Block> blocks;
    bool is_new = false;         // its blocks are all made again: none that was there before counts
    uint32_t stored_blocks = 0;  // in N_block, of which those behind the last one are to be deleted
  };

  bool TakeInParts(int64_t rowid, IndexSource* source);
  // What the table has under this id, which is that of a part where there are passages.
  bool TakeInEntry(int64_t rowid, IndexSource* source);
  uint64_t Rows(int64_t id) { return lists().rows(lists().Position(id)); }
  // A block of a list, to be changed.
  search::Block& Open(Changed* list, int64_t id, uint32_t number);
  // Calls use with each number and block of a list until it says true.
  template <typename Use>
  void ForEachBlock(int64_t id, Use use);
  const float* Centre(int64_t id);
  void Append(int64_t id, int64_t rowid, const search::RowCode& code);
  // vector: [dimension].
  search::RowCode MakeCode(int64_t id, const float* vector);
  void Remove(int64_t rowid, int64_t id);
  void Forget(int64_t rowid, std::string_view terms);
  void SplitLarge(double deadline);
  void Split(int64_t id);
  void WriteBlock(int64_t id, uint32_t number, const search::Block& block);
  void Write(int64_t id, const Changed& list);
  // What memory has of a list's blocks.
  void ForgetBlocks(int64_t id);

  sqlite3* db_;
  IndexDefinition* index_;
  IndexMemory* memory_;
  std::optional<TermCutter> cutter_;
  std::optional<TermWriter> terms_;
  std::optional<IndexStore> store_;
  std::unordered_map<int64_t, Changed> changed_;  // by list
  RowTerms row_terms_;
  std::vector<float> rotated_;  // [width]
  Statement find_, put_, delete_, move_, put_block_, put_list_, cut_list_;
};

}  // namespace s2v
