#include "sql/index_sync.h"

#include <algorithm>
#include <optional>

#include "sql/index_model.h"
#include "sql/index_pending.h"
#include "sql/index_row_writer.h"
#include "sql/model_lock.h"
#include "sql/system/clock.h"

namespace s2v {
namespace {

// A sync without slices writes what has changed after so many rows, so that memory is bounded.
constexpr int64_t kSyncRows = 20000;

// What waits in the log, the oldest entry first.
struct Waiting {
  std::vector<int64_t> rows;  // of each entry
  int64_t last = 0;           // id of the last entry
};
Waiting ReadLog(sqlite3* db, const IndexDefinition& index, int64_t count) {
  Statement select(
      db, "SELECT id, row FROM " + index.Object("log") + " WHERE id >= ?1 ORDER BY id LIMIT ?2",
      index.taken, count + 1);
  // The entry that was taken in last stays in the log.
  Waiting waiting{{}, index.taken - 1};
  const auto check = [&](bool is_there) {
    if (!is_there) ThrowLogLacks(index);
  };
  while (select.Step()) {
    check(select.Int(0) == ++waiting.last);
    if (waiting.last > index.taken) waiting.rows.push_back(select.Int(1));
  }
  check(waiting.last >= index.taken);
  return waiting;
}

// What the index knows of rows of the table, as a table with their ids.
std::string KnownRows(const IndexDefinition& index) {
  return index.passages > 0 ? "(SELECT row AS id FROM " + index.Object("part") + ")"
                            : index.Object("entry");
}
// SQL: whether the table has the row e.id, and whether the index has t's.
std::string IsInTable(const IndexDefinition& index) {
  return "EXISTS (SELECT 1 FROM " + index.Source() + " AS t WHERE t." + QuoteName(index.rowid) +
         " = e.id)";
}
std::string IsInIndex(const IndexDefinition& index) {
  return "EXISTS (SELECT 1 FROM " + KnownRows(index) + " AS e WHERE e.id = t." +
         QuoteName(index.rowid) + ")";
}

// Looks at the next count rows of the index. Finds those that the table does not have any more,
// since REPLACE removed them without a trigger; and rows of the table between them that the index
// does not have. In their order.
std::vector<int64_t> FindUnseen(sqlite3* db, IndexDefinition* index, int64_t count) {
  const int64_t from = index->swept;
  const std::string id = QuoteName(index->rowid);
  Statement select(db,
                   "SELECT e.id, " + IsInTable(*index) + " FROM " + KnownRows(*index) +
                       " AS e WHERE e.id " + (from == INT64_MIN ? ">=" : ">") +
                       " ?1 ORDER BY e.id LIMIT ?2",
                   from, count);
  std::vector<int64_t> found;
  for (; select.Step(); count--) {
    index->swept = select.Int(0);
    if (select.Int(1) == 0) found.push_back(select.Int(0));
  }
  Statement unknown(db,
                    "SELECT t." + id + " FROM " + index->Source() + " AS t WHERE t." + id +
                        " BETWEEN ?1 AND ?2 AND NOT " + IsInIndex(*index) + " LIMIT ?3",
                    from, index->swept, kMostUnknownRows);
  while (unknown.Step()) found.push_back(unknown.Int(0));
  // that was the last row: the next sweep begins at the first
  if (count > 0) index->swept = INT64_MIN;
  std::sort(found.begin(), found.end());
  return found;
}

// Looks at the next count rows of the index, and takes what has come or gone unseen in until the
// deadline: in the log, where most of it waits if much was deleted, it would push the newest
// changes out of those that questions look at. Returns how many.
uint64_t Sweep(sqlite3* db, IndexDefinition* index, int64_t count, double deadline,
               IndexSource* source, IndexRowWriter* writer) {
  uint64_t looked_at = 0, taken_in = 0;
  for (const int64_t row : FindUnseen(db, index, count)) {
    if (looked_at++ > 0 && Seconds() >= deadline) {
      index->swept = std::max(row, INT64_MIN + 1) - 1;  // the next sweep begins with it
      break;
    }
    taken_in += writer->TakeIn(row, source) ? 1 : 0;
  }
  return taken_in;
}

// Looks through the whole index and table for rows that came, went or changed unseen, and adds them
// to the log. Throws InvalidArgument where rows may have other rowids than the index knows.
void SweepAll(sqlite3* db, const IndexDefinition& index, IndexMemory* memory) {
  IndexSource source(db, index, &memory->files);
  // Throws where VACUUM may have given rows new rowids.
  if (!HasIntegerKey(db, index)) PendingRows(db, index, memory, &source).UnknownLastRows();
  std::vector<int64_t> found;
  Statement gone(db,
                 "SELECT e.id FROM " + KnownRows(index) + " AS e WHERE NOT " + IsInTable(index));
  while (gone.Step()) found.push_back(gone.Int(0));
  Statement rows(db, "SELECT " + QuoteName(index.rowid) + " FROM " + index.Source());
  while (rows.Step()) {
    const std::optional<int64_t> indexed = source.IndexedHash(rows.Int(0));
    const SourceRow* row = indexed ? source.Whole(rows.Int(0)) : nullptr;
    if (!indexed || (row != nullptr && row->Hash() != *indexed)) found.push_back(rows.Int(0));
  }
  LogRows(db, index, found);
}

}  // namespace

void LogRows(sqlite3* db, const IndexDefinition& index, std::span<const int64_t> rows) {
  Statement insert(db, "INSERT INTO " + index.Object("log") + "(row) VALUES(?1)");
  for (const int64_t row : rows) insert.Run(row);
}

SliceRows SyncSlice(sqlite3* db, const IndexDefinition& given, IndexMemory* memory, double deadline,
                    double row_share) {
  IndexDefinition index = given;
  const double began = Seconds();
  const bool is_timed = deadline < kForever;
  const auto after = [&](double share) {
    return is_timed ? began + share * (deadline - began) : kForever;
  };
  const double row_deadline = after(row_share),
               sweep_deadline = after(row_share + kSliceSweepShare);
  Waiting waiting = ReadLog(db, index, is_timed ? kSliceRows : kSyncRows);
  SliceRows done;
  if (waiting.rows.empty()) return done;
  IndexSource source(db, index, &memory->files);
  CheckModel(index, &source.embedder());
  if (index.of_vectors && index.dimension == 0) {
    index.dimension = source.embedder().Dimension();
    index.model_hash = HashOfModel(index, &source.embedder());
    if (index.terms == 0) ChooseTokenize(db, &index, &source.embedder());
    StoreVectorKind(db, index);
  }
  // Throws where VACUUM gave rows new rowids. Once the last rows are taken in, that cannot be found
  // out any more.
  if (!HasIntegerKey(db, index)) PendingRows(db, index, memory, &source).UnknownLastRows();
  IndexRowWriter writer(db, &index, memory);
  Statement forget(db, "DELETE FROM " + index.Object("log") + " WHERE id < ?1");
  do {
    if (!is_timed) {  // each row once
      std::sort(waiting.rows.begin(), waiting.rows.end());
      waiting.rows.erase(std::unique(waiting.rows.begin(), waiting.rows.end()), waiting.rows.end());
    }
    size_t at = 0;
    do {
      done.taken_in += writer.TakeIn(waiting.rows[at++], &source) ? 1 : 0;
    } while (at < waiting.rows.size() && Seconds() < row_deadline);
    const bool are_all = at == waiting.rows.size();
    // Rows are taken in the order of the log, so that those that are left stay in their places.
    index.taken = are_all ? waiting.last : index.taken + static_cast<int64_t>(at);
    done.taken_in +=
        Sweep(db, &index, kSweptRows * static_cast<int64_t>(at), sweep_deadline, &source, &writer);
    done.looked_at += at;
    forget.Run(index.taken);
    if (!is_timed || !are_all) break;
    waiting = ReadLog(db, index, kSliceRows);
  } while (!waiting.rows.empty());
  writer.Finish(deadline);
  return done;
}

void SyncIndex(sqlite3* db, const IndexDefinition& given, IndexMemory* memory,
               const IndexProgress& progress) {
  const int64_t end = SelectInt(db, "SELECT max(id) FROM " + given.Object("log"));
  IndexDefinition index = given;
  while (SyncSlice(db, index, memory, kForever).looked_at > 0) {
    index = ReadIndexDefinition(db, given.schema, given.name);
    if (progress) {
      progress(static_cast<uint64_t>(index.taken - given.taken),
               static_cast<uint64_t>(end - given.taken));
    }
  }
}

uint64_t SyncInSlices(sqlite3* db, const std::string& schema, const std::string& name,
                      IndexMemory* memory, const IndexProgress& progress) {
  const bool in_transaction = sqlite3_get_autocommit(db) == 0;
  KeepWaiting keep_waiting;  // since the last slice that was committed
  SliceRows done;
  uint64_t total = 0;
  for (;;) {
    SliceRows slice;
    bool is_commit = false;
    try {
      // What is found out in a transaction that writes is not remembered.
      if (!in_transaction) OpenIndex(db, schema, name, memory);
      Savepoint savepoint(db);
      // Takes the write lock before anything is read, so that what is read is not out of date.
      Execute(db, "DELETE FROM " + QuoteName(schema) + "." + QuoteName(name + "_log") + " WHERE 0");
      const IndexDefinition index = OpenIndex(db, schema, name, memory);
      if (total == 0) {
        total = static_cast<uint64_t>(SelectInt(
            db, "SELECT count(*) FROM " + index.Object("log") + " WHERE id > ?1", index.taken));
      }
      slice = SyncSlice(db, index, memory, Seconds() + kSyncSliceSeconds, kSyncRowShare);
      // Nothing was written then, and SQLite would wait for readers to commit that.
      if (slice.looked_at == 0) return done.taken_in;
      is_commit = true;
      // While SQLite waits for readers with the write lock in its hand, no new ones come in.
      const auto wait = in_transaction ? nullptr : ShortenWait(db, kSliceCommitMilliseconds);
      savepoint.Release();
      keep_waiting = nullptr;
    } catch (const SqlError& error) {
      if (!error.is_locked() || in_transaction) throw;
      if (!keep_waiting) keep_waiting = WaitUpTo(kSyncWaitSeconds, kSyncPollMilliseconds);
      if (is_commit) sqlite3_sleep(kReaderRestMilliseconds);
      if (keep_waiting()) continue;
      throw SqlError(
          error.code(),
          std::string("database is locked: another connection has been ") +
              (is_commit ? "reading" : "writing") +
              " it for a minute; what was taken in before stays, try again when that has ended");
    }
    done.looked_at += slice.looked_at;
    done.taken_in += slice.taken_in;
    if (progress) progress(std::min(done.looked_at, total), total);
    // Others write meanwhile: up to twice as many are looked at.
    if (done.looked_at >= 2 * total) return done.taken_in;
    if (!in_transaction) sqlite3_sleep(static_cast<int>(kSliceRestSeconds * 1e3));
  }
}

void OptimizeIndex(sqlite3* db, const IndexDefinition& index, IndexMemory* memory) {
  SyncIndex(db, index, memory);
  SweepAll(db, ReadIndexDefinition(db, index.schema, index.name), memory);
  SyncIndex(db, ReadIndexDefinition(db, index.schema, index.name), memory);
  if (index.words) ExecuteFts(db, index, "optimize");
}

}  // namespace s2v
