#include "sql/model_lock.h"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/text/utf8.h"
#include "schema_sql.h"
#include "sql/model_store.h"
#include "sql/real_table.h"
#include "sql/sql_tokens.h"
#include "sql/system/clock.h"

namespace s2v {
namespace {

// Whether a commit waits for other connections' reads: of a file, in all journal modes but WAL.
bool ReadersBarCommit(sqlite3* db, const std::string& schema) {
  const char* file = sqlite3_db_filename(db, schema.c_str());
  if (file == nullptr || *file == '\0') return false;
  return SelectText(db, "PRAGMA " + QuoteName(schema) + ".journal_mode") != "wal";
}

// of each table in sql/schema.sql
constexpr std::string_view kCreate = "CREATE TABLE IF NOT EXISTS ";

std::vector<std::string> TablesOfSchema() {
  std::vector<std::string> tables;
  const std::string_view sql = kSchemaSql;
  for (size_t at = 0; (at = sql.find(kCreate, at)) != sql.npos;) {
    at += kCreate.size();
    tables.emplace_back(sql.substr(at, sql.find('(', at) - at));
  }
  return tables;
}

// Whether CREATE TABLE has more than its list of columns in parentheses: a CHECK, or a default,
// which may call any function. Or a conflict clause, which may roll a caller's transaction back, or
// pass over rows.
bool HasExpression(std::string_view sql) {
  const SqlTokens tokens(sql);
  return tokens.Contains("conflict") ||
         std::count(tokens.all().begin(), tokens.all().end(), "(") > 1;
}

// Throws FormatError where a stranger's view stands in the place of one of our tables, or a
// trigger, a constraint, an index of one or a foreign key to it would run his SQL with the rights
// of whoever stores a model, or drops it.
void CheckModelTables(sqlite3* db, const std::string& schema) {
  CheckSchemaIsPlain(db, schema);
  const std::vector<std::string> tables = TablesOfSchema();
  if (const std::string key = FindForeignKeyTo(db, schema, IsTableOfModels); !key.empty()) {
    ThrowMalformed(
        "a foreign key of " + key +
        ", so with PRAGMA foreign_keys on its rows would change with a model, or hold it; drop it if you know what it does");
  }
  // Names are compared here: a program may have another lower(), or another NOCASE.
  Statement select(db, "SELECT type, name, tbl_name, ifnull(sql, '') FROM " + SchemaTable(schema));
  std::vector<std::string_view> found;
  std::string running;
  while (select.Step()) {
    const auto ours = std::find(tables.begin(), tables.end(), LowerAscii(select.Text(2)));
    if (ours == tables.end()) continue;
    const std::string_view table = *ours;
    if (select.Text(0) == "trigger") {
      const std::string name = QuoteName(schema) + "." + QuoteName(std::string(select.Text(1)));
      ThrowMalformed("a trigger on " + std::string(table) +
                     " would run when a model is stored or dropped; DROP TRIGGER " + name +
                     " if you know what it does");
    }
    if (select.Text(0) == "index") continue;
    if (HasExpression(select.Text(3))) running = "table " + std::string(table);
    found.push_back(table);
  }
  CheckRealTables(db, schema, found);
  for (const std::string_view table : found) {
    Statement index(
        db,
        "SELECT i.name FROM temp.pragma_index_list(?1, ?2) AS i, temp.pragma_index_xinfo(i.name, ?2) AS c WHERE i.partial OR c.cid = -2 OR "
        "(c.key AND c.coll COLLATE NOCASE NOT IN ('BINARY', 'NOCASE', 'RTRIM')) LIMIT 1",
        table, schema);
    if (index.Step()) running = "index " + std::string(index.Text(0)) + ", or its collation,";
  }
  if (!running.empty()) {
    ThrowMalformed(
        "an expression or a conflict clause in " + running +
        " would run when a model is stored or dropped; drop it if you know what it does");
  }
}

// Makes the tables that do not exist.
void CreateTables(sqlite3* db, const std::string& schema) {
  std::string sql = kSchemaSql;
  ReplaceAll(kCreate, std::string(kCreate) + QuoteName(schema) + ".", &sql);
  Execute(db, sql);
  CheckModelTables(db, schema);
  // A table of an older version lacks them.
  for (const auto& [name, type] : {std::pair("form", "TEXT"), std::pair("burst", "REAL")}) {
    if (HasColumn(db, schema, "s2v_word", name)) continue;
    Execute(db, "ALTER TABLE " + QuoteName(schema) + ".s2v_word ADD COLUMN " + name + " " + type);
  }
}

}  // namespace

bool IsTableOfModels(const std::string& table) {
  const std::vector<std::string> tables = TablesOfSchema();
  return std::find(tables.begin(), tables.end(), LowerAscii(table)) != tables.end();
}

void ThrowLocked(int code, const std::string& schema, const char* doing) {
  throw SqlError(code, "database '" + schema + "' is locked: another connection is " + doing +
                           " it; nothing was changed, try again when that has ended");
}

void CheckWritable(sqlite3* db, const std::string& schema) {
  const int read_only = sqlite3_db_readonly(db, schema.c_str());
  // SQLite opens temp only when something is written to it.
  if (read_only < 0 && !IsSameName(schema, "temp"))
    throw InvalidArgument("no attached database '" + schema +
                          "' to store in; a model's name has no '.'");
  if (read_only == 1) {
    throw InvalidArgument("database '" + schema +
                          "' is read-only: no model can be stored or dropped");
  }
  if (SelectInt(db, "PRAGMA query_only") != 0) {
    throw InvalidArgument("PRAGMA query_only is on: no model can be stored or dropped");
  }
  // In a transaction of the caller's LockForSaving does it: once that has read, SQLite does not
  // wait for the write lock.
  if (sqlite3_get_autocommit(db) != 0) CheckModelTables(db, schema);
}

void LockForSaving(sqlite3* db, const std::string& schema) {
  try {
    // Before anything is read, so that what is read is not older than the lock.
    if (HasModels(db, schema, /*may_read=*/false))
      Execute(db, "DELETE FROM " + QuoteName(schema) + ".s2v_model WHERE 0");
    CreateTables(db, schema);
  } catch (const SqlError& error) {
    if (!error.is_locked()) throw;
    ThrowLocked(error.code(), schema, "writing to");
  }
}

KeepWaiting WaitUpTo(double seconds, int sleep_milliseconds, std::function<void()> report) {
  return [give_up = Seconds() + seconds, sleep_milliseconds, report = std::move(report)] {
    sqlite3_sleep(sleep_milliseconds);
    if (report) report();
    return Seconds() < give_up;
  };
}

std::unique_ptr<Savepoint> BeginWriting(sqlite3* db, const std::string& schema,
                                        const KeepWaiting& keep_waiting) {
  const bool own_transaction = sqlite3_get_autocommit(db) != 0;
  const bool is_read = sqlite3_txn_state(db, schema.c_str()) == SQLITE_TXN_READ;
  // By the statement that asks for this, as INSERT: Savepoint says that it cannot be.
  const bool is_written = own_transaction && sqlite3_txn_state(db, nullptr) == SQLITE_TXN_WRITE;
  bool exclusive = false;
  for (;;) {
    try {
      exclusive = own_transaction && !is_read && !is_written && ReadersBarCommit(db, schema);
      // While SQLite waits for readers with the write lock in its hand, no new ones come in.
      const auto wait = exclusive ? ShortenWait(db, 100) : nullptr;
      auto savepoint = std::make_unique<Savepoint>(db, exclusive);
      LockForSaving(db, schema);
      return savepoint;
    } catch (const SqlError& error) {
      // In a transaction of the caller's a stale read would stay stale: waiting would not help.
      if (!error.is_locked() || !own_transaction) throw;
      if (error.code() == SQLITE_BUSY_SNAPSHOT && is_read) {
        throw SqlError(error.code(), "another connection has written to '" + schema +
                                         "' since a statement of this one began to read it; "
                                         "nothing was changed, train in a SELECT without FROM");
      }
    }
    if (keep_waiting()) continue;
    if (exclusive) {  // find out who holds the lock
      const Savepoint probe(db);
      LockForSaving(db, schema);
    }
    ThrowLocked(SQLITE_BUSY, schema, exclusive ? "reading" : "writing to");
  }
}

}  // namespace s2v
