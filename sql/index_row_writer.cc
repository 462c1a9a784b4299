#include "sql/index_row_writer.h"

#include <algorithm>
#include <utility>

#include "core/error.h"
#include "sql/index_limits.h"
#include "sql/system/clock.h"

namespace s2v {
namespace {

using search::Block;

// A list of more than so many times max_rows() is split even where there is no time for it.
constexpr uint64_t kMostOversize = 4;
constexpr int kManyPages = 100000;  // so many pages FTS5 merges at once where time does not matter

// Has FTS5 merge so many pages. False where nothing is left to merge, which FTS5 tells by how many
// changes it counts.
bool MergeSome(sqlite3* db, const IndexDefinition& index, int pages) {
  const sqlite3_int64 before = sqlite3_total_changes64(db);
  ExecuteFts(db, index, "merge", pages);
  return sqlite3_total_changes64(db) - before > 1;
}

}  // namespace

int64_t RandomStamp() {
  int64_t stamp = 0;
  while (stamp == 0) sqlite3_randomness(sizeof(stamp), &stamp);
  return stamp;
}

IndexRowWriter::IndexRowWriter(sqlite3* db, IndexDefinition* index, IndexMemory* memory)
    : db_(db),
      index_(index),
      memory_(memory),
      find_(db, "SELECT list, hash, terms FROM " + index->Object("entry") + " WHERE id = ?1"),
      put_(db, "REPLACE INTO " + index->Object("entry") + " VALUES(?1, ?2, ?3, ?4, ?5)"),
      delete_(db, "DELETE FROM " + index->Object("entry") + " WHERE id = ?1"),
      move_(db, "UPDATE " + index->Object("entry") + " SET list = ?2 WHERE id = ?1") {
  if (index->words) {
    cutter_.emplace(db, *index);
    terms_.emplace(db, index, &memory->terms);
  }
  if (index->dimension > 0) store_.emplace(db, *index, memory);
  memory->stamp = 0;
  if (store_) lists().PrepareNearest();
}

void IndexRowWriter::AddList(int64_t id, std::span<const float> centre) {
  lists().Set(id, 0, search::StoredCentre(space(), centre));
  changed_[id].is_new = true;
}

bool IndexRowWriter::TakeIn(int64_t rowid, IndexSource* source) {
  return index_->passages > 0 ? TakeInParts(rowid, source) : TakeInEntry(rowid, source);
}

// Parts keep their ids while the row has no more of them than before.
bool IndexRowWriter::TakeInParts(int64_t rowid, IndexSource* source) {
  IndexParts& ids = source->ids();
  const SourceRow* row = source->Whole(rowid);
  IndexParts::Range range = ids.Of(rowid);
  const int64_t hash = row == nullptr ? 0 : row->Hash();
  if (row != nullptr ? range.parts > 0 && range.hash == hash : range.parts == 0) return false;
  const size_t now = source->CountParts(rowid);
  const size_t before = range.parts;
  const auto take_in = [&](size_t count) {
    for (size_t part = 0; part < count; part++) {
      TakeInEntry(range.first + static_cast<int64_t>(part), source);
    }
  };
  if (before > 0 && (now == 0 || now > before)) {
    ids.Delete(rowid);
    take_in(before);
    range = {};
  }
  if (now == 0) return true;
  if (range.parts == 0) range.first = ids.NextId();
  range.parts = now;
  range.hash = hash;
  ids.Put(rowid, range);
  take_in(std::max(now, before));
  return true;
}

bool IndexRowWriter::TakeInEntry(int64_t rowid, IndexSource* source) {
  const SourceRow* row = source->Row(rowid);
  const int64_t hash = row == nullptr ? 0 : row->Hash();
  if (find_.Find(rowid)) {
    if (row != nullptr && find_.Int(1) == hash) {
      find_.Reset();
      return false;
    }
    if (find_.Type(0) != SQLITE_NULL) {
      if (!store_) ThrowDamaged(*index_, "entry", rowid);  // no row has a vector yet
      Remove(rowid, find_.Int(0));
    }
    if (terms_) Forget(rowid, find_.Blob(2));
    find_.Reset();
    if (row == nullptr) {
      delete_.Run(rowid);
      return true;
    }
  }
  if (row == nullptr) return false;
  NewEntry entry;
  entry.rowid = rowid;
  entry.hash = hash;
  if (cutter_) {
    row->Cut(*cutter_, &row_terms_);
    entry.terms = terms_->Numbers(row_terms_);
  }
  if (const float* vector = store_ ? source->embedder().Vector(*row) : nullptr) {
    if (lists().size() == 0)
      AddList(search::Lists::IdOf(0, 1), std::vector<float>(space().width()));
    entry.list = lists().id(lists().Nearest({vector, index_->dimension})[0]);
    entry.code = MakeCode(*entry.list, vector);
    if (!index_->of_vectors) entry.vector = RowVectorBytes(rowid, vector, index_->dimension);
  }
  Add(entry);
  return true;
}

void IndexRowWriter::Add(const NewEntry& entry) {
  if (entry.list) Append(*entry.list, entry.rowid, entry.code);
  std::optional<std::string> stored;
  if (terms_) stored = terms_->Put(entry.rowid, entry.terms);
  put_.Run(entry.rowid, entry.list, entry.hash,
           stored ? std::optional(Blob{*stored}) : std::nullopt,
           entry.vector.empty() ? std::nullopt : std::optional(Blob{entry.vector}));
}

void IndexRowWriter::Finish(double deadline) {
  if (store_) {
    SplitLarge(deadline);
    std::vector<int64_t> ids;
    for (const auto& [id, list] : changed_) ids.push_back(id);
    std::sort(ids.begin(), ids.end());  // as they are stored
    for (const int64_t id : ids) Write(id, changed_[id]);
    changed_.clear();
  }
  if (terms_) {
    // else each question would merge the words of all rows that went
    if (SelectInt(db_, "SELECT EXISTS (SELECT 1 FROM " + index_->Object("entry") + ")") == 0)
      ExecuteFts(db_, *index_, "delete-all");
    const int pages = deadline < kForever ? kMergePages : kManyPages;
    while (MergeSome(db_, *index_, pages) && Seconds() < deadline) {
    }
  }
  const int64_t before = std::exchange(index_->stamp, RandomStamp());
  StoreProgress(db_, *index_);
  memory_->word_memory.GoOn(before, index_->stamp);
  if (store_) memory_->stamp = index_->stamp;
  if (terms_) memory_->terms.stamp = index_->stamp;
}

Block& IndexRowWriter::Open(Changed* list, int64_t id, uint32_t number) {
  const auto found = list->blocks.find(number);
  if (found != list->blocks.end()) return found->second;
  return list->blocks.emplace(number, store_->ReadBlock(id, number, Rows(id))).first->second;
}

template <typename Use>
void IndexRowWriter::ForEachBlock(int64_t id, Use use) {
  const Changed& changed = changed_[id];
  const uint32_t count = BlocksOf(Rows(id));
  const std::vector<Block>* stored = changed.is_new ? nullptr : &store_->Blocks(id);
  std::optional<Block> read;
  for (uint32_t number = 0; number < count; number++) {
    const auto found = changed.blocks.find(number);
    const Block* block = nullptr;
    if (found != changed.blocks.end()) {
      block = &found->second;
    } else if (stored != nullptr && number < stored->size()) {
      block = &(*stored)[number];
    } else {
      block = &read.emplace(store_->ReadBlock(id, number, Rows(id)));
    }
    if (use(number, *block)) return;
  }
}

const float* IndexRowWriter::Centre(int64_t id) {
  if (const float* centre = lists().CentreOf(id)) return centre;
  ThrowMalformed(index_->name + "_entry names list " + std::to_string(id) +
                 ", which is not there; " + RebuildHint(*index_));
}

search::RowCode IndexRowWriter::MakeCode(int64_t id, const float* vector) {
  rotated_.resize(space().width());
  space().Rotate(vector, rotated_.data());
  return search::MakeCode(space(), rotated_.data(), Centre(id));
}

void IndexRowWriter::Append(int64_t id, int64_t rowid, const search::RowCode& code) {
  const size_t at = lists().Position(id);
  const uint64_t rows = lists().rows(at);
  const auto number = static_cast<uint32_t>(rows / Block::kMaxRows);
  Changed& list = changed_[id];
  if (rows % Block::kMaxRows == 0) list.blocks.emplace(number, Block(space()));
  Block& block = Open(&list, id, number);
  block.Add(rowid, code);
  lists().SetRows(at, rows + 1);
  // A full block of a new list is written at once: all blocks of ten million rows would take most
  // of a gigabyte.
  if (list.is_new && block.is_full()) {
    WriteBlock(id, number, block);
    list.stored_blocks = std::max(list.stored_blocks, number + 1);
    list.blocks.erase(number);
  }
}

void IndexRowWriter::Remove(int64_t rowid, int64_t id) {
  Centre(id);
  std::optional<std::pair<uint32_t, uint32_t>> at;  // block, row
  ForEachBlock(id, [&](uint32_t number, const Block& block) {
    if (const auto row = block.Find(rowid)) at.emplace(number, *row);
    return at.has_value();
  });
  if (!at) {
    ThrowMalformed("row " + std::to_string(rowid) + " is not in list " + std::to_string(id) +
                   " of " + index_->name + "; " + RebuildHint(*index_));
  }
  const uint64_t rows = Rows(id);
  const uint32_t last = BlocksOf(rows) - 1;
  Changed& list = changed_[id];
  Block& last_block = Open(&list, id, last);
  Open(&list, id, at->first).Replace(at->second, &last_block);
  if (last_block.rows() == 0) list.blocks.erase(last);
  lists().SetRows(lists().Position(id), rows - 1);
}

void IndexRowWriter::Forget(int64_t rowid, std::string_view terms) {
  memory_->word_memory.ForgetSizes(rowid);
  try {
    terms_->Delete(rowid, terms);
  } catch (const FormatError&) {
    ThrowDamaged(*index_, "entry", rowid);
  }
}

void IndexRowWriter::SplitLarge(double deadline) {
  for (;;) {
    size_t largest = 0;
    for (size_t at = 1; at < lists().size(); at++) {
      if (lists().rows(at) > lists().rows(largest)) largest = at;
    }
    const uint64_t most = lists().max_rows();
    if (lists().size() == 0 || lists().rows(largest) <= most) return;
    const bool has_time = Seconds() + memory_->split_seconds < deadline;
    if (!has_time && lists().rows(largest) <= kMostOversize * most) return;
    const double began = Seconds();
    Split(lists().id(largest));
    memory_->split_seconds = Seconds() - began;
  }
}

void IndexRowWriter::Split(int64_t id) {
  const size_t n = index_->dimension;
  std::vector<int64_t> rowids, gone;
  std::vector<float> vectors, vector(n);
  vectors.reserve(Rows(id) * n);
  ForEachBlock(id, [&](uint32_t, const Block& block) {
    for (uint32_t row = 0; row < block.rows(); row++) {
      if (!store_->ReadVector(block.rowid(row), vector.data())) {
        // of an index of vectors: the row vanished without a trigger
        gone.push_back(block.rowid(row));
        continue;
      }
      rowids.push_back(block.rowid(row));
      vectors.insert(vectors.end(), vector.begin(), vector.end());
    }
    return false;
  });
  for (const int64_t rowid : gone) move_.Run(rowid, nullptr);  // the entry stays, for its words
  const int64_t other = lists().FreeIdBehind(id);
  Changed& list = changed_[id];
  list.blocks.clear();
  list.is_new = changed_[other].is_new = true;
  ForgetBlocks(id);
  lists().SetRows(lists().Position(id), 0);
  const auto append = [&](int64_t to, size_t i) {
    Append(to, rowids[i], MakeCode(to, &vectors[i * n]));
  };
  if (rowids.size() < 2) {
    lists().Set(other, 0, std::vector<float>(space().width()));
    for (size_t i = 0; i < rowids.size(); i++) append(id, i);
    return;
  }
  const search::TwoLists two =
      search::SplitInTwo(space(), vectors, index_->seed + static_cast<uint64_t>(id));
  lists().Set(id, 0, search::StoredCentre(space(), two.centres[0]));
  lists().Set(other, 0, search::StoredCentre(space(), two.centres[1]));
  for (size_t i = 0; i < rowids.size(); i++) {
    append(two.side[i] == 0 ? id : other, i);
    if (two.side[i] != 0) move_.Run(rowids[i], other);
  }
}

void IndexRowWriter::WriteBlock(int64_t id, uint32_t number, const Block& block) {
  if (!put_block_) {
    put_block_ = Statement(db_, "REPLACE INTO " + index_->Object("block") + " VALUES(?1, ?2)");
  }
  put_block_.Run(BlockKey(id, number), Blob{block.Bytes()});
}

void IndexRowWriter::Write(int64_t id, const Changed& list) {
  if (!put_list_) {
    put_list_ =
        Statement(db_, "REPLACE INTO " + index_->Object("list") + " VALUES(?1, ?2, ?3, ?4, ?5)");
    cut_list_ =
        Statement(db_, "DELETE FROM " + index_->Object("block") + " WHERE key BETWEEN ?1 AND ?2");
  }
  for (const auto& [number, block] : list.blocks) WriteBlock(id, number, block);
  const uint64_t rows = Rows(id);
  IndexMemory::List& kept = memory_->by_id[id];
  const uint32_t stored = std::max(list.stored_blocks, BlocksOf(kept.rows));
  if (stored > BlocksOf(rows)) {
    cut_list_.Run(BlockKey(id, BlocksOf(rows)), BlockKey(id, stored));
  }
  const int64_t stamp = RandomStamp();
  const std::string centre = search::CentreBytes({Centre(id), space().width()});
  put_list_.Run(id, static_cast<int64_t>(rows), stamp, Blob{centre},
                ListChecksum(*index_, id, static_cast<int64_t>(rows), stamp, centre));
  ForgetBlocks(id);
  kept.stamp = stamp;
  kept.rows = rows;
}

void IndexRowWriter::ForgetBlocks(int64_t id) {
  ListBlocks& blocks = memory_->by_id[id].blocks;
  memory_->bytes -= MemoryBytes(blocks);
  blocks = nullptr;
}

}  // namespace s2v
