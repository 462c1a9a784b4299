#include "sql/index_pending.h"

#include <algorithm>

#include "core/error.h"
#include "sql/index_limits.h"
#include "sql/system/clock.h"

namespace s2v {
namespace {

// Ids of parts that are gathered, a gigabyte. More are damage: the numbers of N_part are made up.
constexpr size_t kMostPartIds = size_t{1} << 27;
// Of the table's last rows, if the one behind them is gone: so many are compared with what was
// indexed of them.
constexpr int kMostLastRows = 1000;

}  // namespace

PendingRows::PendingRows(sqlite3* db, const IndexDefinition& index, IndexMemory* memory,
                         IndexSource* source)
    : db_(db), index_(index), memory_(memory), source_(source) {
  Statement newest(memory->files.statements, db,
                   "SELECT id, row FROM " + index.Object("log") + " ORDER BY id DESC LIMIT ?1");
  newest.Bind(1, kMostLogEntries);
  std::unordered_set<int64_t> found;
  std::unordered_set<int64_t> passed_over;
  size_t entries = 0;
  int64_t last = INT64_MAX;  // id of the entry that was read last
  for (; found.size() < kMostExactRows && passed_over.size() < kMostPassedOver && newest.Step();
       entries++) {
    last = newest.Int(0);
    if (last <= index.taken) break;
    const int64_t row = newest.Int(1);
    if (index.passages == 0) {
      found.insert(row);
    } else if (!table_rows_.contains(row) && !passed_over.contains(row)) {
      // One long row would hide all rows that were changed before it.
      const size_t parts = std::max(source->CountParts(row), source->ids().Of(row).parts);
      if (found.size() + parts > kMostExactRows) {
        passed_over.insert(row);
        continue;
      }
      std::vector<int64_t> ids;
      table_rows_.insert(row);
      AddIds(row, &ids);
      found.insert(ids.begin(), ids.end());
    }
  }
  has_all_ = last == index.taken && passed_over.empty();
  const bool is_full = found.size() >= kMostExactRows || passed_over.size() >= kMostPassedOver ||
                       entries >= kMostLogEntries;
  if (last != index.taken && !is_full) {
    ThrowLogLacks(index);
  }
  rows_ = search::RowSet({found.begin(), found.end()});
  if (index.words) memory->word_memory.Begin(memory->file, index.stamp, FtsColumns(index));
  // Another index may have the name by now.
  const std::string by = index.model_hash + " " + std::to_string(index.dimension) + " " +
                         index.tokenize + " " + std::to_string(index.tokenizer_version) + " " +
                         std::to_string(index.seed);
  if (memory->kept_by != by) {
    memory->kept.clear();
    memory->kept_by = by;
  }
  std::erase_if(memory->kept, [&](const auto& row) { return !found.contains(row.first); });
  memory->kept_bytes = 0;
  for (const auto& [rowid, row] : memory->kept) memory->kept_bytes += row.Bytes();
}

void PendingRows::AddRows(std::span<const int64_t> rowids) {
  if (index_.passages > 0) table_rows_.insert(rowids.begin(), rowids.end());
  std::vector<int64_t> all = rows_.Rowids();
  const std::vector<int64_t> added = PartsOf(rowids).Rowids();
  all.insert(all.end(), added.begin(), added.end());
  rows_ = search::RowSet(all);
}

search::RowSet PendingRows::PartsOf(std::span<const int64_t> rowids) {
  std::vector<int64_t> ids;
  for (const int64_t rowid : rowids) {
    AddIds(rowid, &ids);
    if (ids.size() > kMostPartIds) ThrowDamaged(index_, "part", rowid);
  }
  return search::RowSet(ids);
}

// Of a row that is not pending the index knows all parts.
void PendingRows::AddIds(int64_t rowid, std::vector<int64_t>* ids) {
  source_->ids().AddIds(rowid, table_rows_.contains(rowid) ? source_->CountParts(rowid) : 0, ids);
}

std::vector<int64_t> PendingRows::UnknownLastRows() {
  std::vector<int64_t> unknown;
  if (!has_all_) return unknown;
  const std::string id = QuoteName(index_.rowid);
  std::optional<bool> known_key;
  const auto has_integer_key = [&] {
    if (!known_key) known_key = HasIntegerKey(db_, index_);
    return *known_key;
  };
  std::optional<int64_t> behind;  // what the index knows of the row behind, by hash
  int same = 0;
  Statement last(memory_->files.statements, db_,
                 "SELECT " + id + " FROM " + index_.Source() + " ORDER BY " + id + " DESC");
  while (unknown.size() < static_cast<size_t>(kMostUnknownRows) && last.Step()) {
    const int64_t rowid = last.Int(0);
    if (index_.passages > 0 ? table_rows_.contains(rowid) : Contains(rowid)) continue;
    const std::optional<int64_t> indexed = source_->IndexedHash(rowid);
    if (!indexed) {
      unknown.push_back(rowid);
      continue;
    }
    const SourceRow* row = source_->Whole(rowid);
    const bool is_same = row != nullptr && row->Hash() == indexed;
    // VACUUM gives rows other rowids wherever one before them is gone: then a row has what the next
    // one had.
    if (is_same && behind && behind != indexed) break;
    if ((!is_same || behind) && has_integer_key()) break;
    behind = indexed;
    if (is_same && ++same == kMostLastRows) break;
    if (is_same) continue;
    throw InvalidArgument(
        "'" + index_.name + "' knows row " + std::to_string(rowid) + " of '" + index_.table +
        "' by another rowid: VACUUM changes those of a table without INTEGER PRIMARY KEY; " +
        RebuildHint(index_));
  }
  if (unknown.size() < static_cast<size_t>(kMostUnknownRows)) return unknown;
  const char* const other_cause = has_integer_key() ? "" : ", or VACUUM gave rows other rowids";
  throw InvalidArgument("'" + index_.name + "' was not told of the last rows of '" + index_.table +
                        "': they were written with triggers off" + other_cause + "; " +
                        RebuildHint(index_));
}

PendingRow* PendingRows::Load(int64_t rowid, bool vector, bool terms) {
  const auto loaded = loaded_.find(rowid);
  if (loaded != loaded_.end()) {
    PendingRow* row = loaded->second;
    if (row == nullptr || (row->has_vector >= vector && row->has_terms >= terms)) return row;
  }
  const SourceRow* source = source_->Row(rowid);
  const auto found = memory_->kept.find(rowid);
  if (source == nullptr) {
    if (found == memory_->kept.end() && memory_->kept_bytes < kMostKeptBytes) {
      PendingRow& gone = memory_->kept[rowid];
      gone.has_vector = true;  // that it has none is known
      memory_->kept_bytes += gone.Bytes();
    }
    return loaded_[rowid] = nullptr;
  }
  const int64_t hash = source->Hash();
  PendingRow* row = &one_;
  if (found != memory_->kept.end()) {
    row = &found->second;
    memory_->kept_bytes -= row->Bytes();
  } else if (memory_->kept_bytes < kMostKeptBytes) {
    row = &memory_->kept[rowid];
  }
  if (row->hash != hash || row == &one_) *row = {};
  row->hash = hash;
  if (vector && !row->has_vector) {
    const float* unit = source_->embedder().Vector(*source);
    row->vector.assign(unit, unit == nullptr ? unit : unit + index_.dimension);
    row->has_vector = true;
  }
  if (terms && !row->has_terms) {
    if (!cutter_) cutter_.emplace(db_, index_);
    source->Cut(*cutter_, &terms_);
    row->terms = terms_;
    row->hashes = HashesOf(terms_);
    row->has_terms = true;
  }
  if (row != &one_) {
    memory_->kept_bytes += row->Bytes();
    loaded_[rowid] = row;
  }
  return row;
}

const float* PendingRows::Vector(int64_t rowid) {
  const PendingRow* row = Load(rowid, true, false);
  return row == nullptr || row->vector.empty() ? nullptr : row->vector.data();
}

void PendingRows::Prepare(double deadline) {
  for (const int64_t rowid : rows_.Rowids()) {
    if (memory_->kept_bytes >= kMostKeptBytes || Seconds() >= deadline) return;
    Load(rowid, true, false);
  }
}

const PendingRow* PendingRows::Terms(int64_t rowid) {
  return Load(rowid, false, true);
}

}  // namespace s2v
