#include "sql/index_try_write.h"

#include <algorithm>
#include <iterator>

#include "core/error.h"

namespace s2v {

bool TryWrite(sqlite3* db, const std::string& schema, const std::function<void()>& work) {
  // Not in a transaction of the user's, nor beside a statement that writes: where the disk is full,
  // or an interrupt comes while a statement of ours writes, SQLite takes back all that was not
  // committed.
  if (sqlite3_db_readonly(db, schema.c_str()) != 0 || sqlite3_get_autocommit(db) == 0 ||
      sqlite3_txn_state(db, nullptr) == SQLITE_TXN_WRITE)
    return false;
  // In the end last_insert_rowid() is what it was.
  const std::unique_ptr<sqlite3, std::function<void(sqlite3*)>> kept(
      db, [rowid = sqlite3_last_insert_rowid(db)](sqlite3* connection) {
        sqlite3_set_last_insert_rowid(connection, rowid);
      });
  try {
    // Without a journal nothing can be taken back where another connection reads.
    if (SelectText(db, "PRAGMA " + QuoteName(schema) + ".journal_mode") == "off") return false;
    // SQLite does not wait where a statement that has read begins to write. But at the end of a
    // transaction, unless in WAL mode, it waits for readers for as long as the connection's
    // time-out says.
    const auto wait = ShortenWait(db, 0);
    Savepoint savepoint(db);
    work();
    return savepoint.TryRelease();
  } catch (const SqlError& error) {
    constexpr int kPassing[] = {SQLITE_BUSY, SQLITE_LOCKED, SQLITE_READONLY, SQLITE_FULL,
                                SQLITE_AUTH, SQLITE_IOERR,  SQLITE_CANTOPEN, SQLITE_PERM};
    const bool is_vetoed = error.code() == SQLITE_CONSTRAINT_COMMITHOOK;
    if (!is_vetoed &&
        std::count(std::begin(kPassing), std::end(kPassing), error.primary_code()) == 0)
      throw;
  } catch (const InvalidArgument&) {
    // Something is wrong of which the question itself will tell.
  }
  return false;
}

}  // namespace s2v
