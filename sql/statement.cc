#include "sql/statement.h"

#include <new>
#include <utility>

#include "core/error.h"
#include "core/text/utf8.h"

namespace s2v {

void ThrowSqlError(sqlite3* db, int code) {
  switch (code & 0xff) {
    case SQLITE_NOMEM:
      throw std::bad_alloc();
    case SQLITE_INTERRUPT:
      throw Interrupted();
    default:
      throw SqlError(sqlite3_extended_errcode(db), sqlite3_errmsg(db));
  }
}

void ThrowMalformed(const std::string& what) {
  throw FormatError("database disk image is malformed: " + what);
}

Statement::Statement(sqlite3* db, const std::string& sql) : db_(db) {
  sqlite3_stmt* statement = nullptr;
  Check(sqlite3_prepare_v2(db, sql.c_str(), static_cast<int>(sql.size()) + 1, &statement, nullptr));
  statement_.reset(statement);
}

Statement::Statement(StatementCache* cache, sqlite3* db, const std::string& sql) : db_(db) {
  const auto kept =
      cache == nullptr ? decltype(cache->unused_)::node_type() : cache->unused_.extract(sql);
  if (kept.empty()) {
    *this = Statement(db, sql);
  } else {
    statement_.reset(kept.mapped());
  }
  statement_.get_deleter().cache = cache;
}

void Statement::Finalize::operator()(sqlite3_stmt* statement) const {
  if (cache != nullptr) {
    sqlite3_reset(statement);
    sqlite3_clear_bindings(statement);
    try {
      if (cache->unused_.emplace(sqlite3_sql(statement), statement).second) return;
    } catch (const std::bad_alloc&) {
    }
  }
  sqlite3_finalize(statement);
}

StatementCache::~StatementCache() {
  for (const auto& [sql, statement] : unused_) sqlite3_finalize(statement);
}

void Statement::Bind(int index, std::string_view text) {
  Check(sqlite3_bind_text64(get(), index, text.data() ? text.data() : "", text.size(),
                            SQLITE_TRANSIENT, SQLITE_UTF8));
}

void Statement::BindBlob(int index, const void* data, size_t size) {
  Check(sqlite3_bind_blob64(get(), index, size ? data : "", size, SQLITE_STATIC));
}

bool Statement::Step() {
  const int code = sqlite3_step(get());
  if (code != SQLITE_ROW && code != SQLITE_DONE) ThrowSqlError(db_, code);
  return code == SQLITE_ROW;
}

std::string_view Statement::Text(int column) const {
  const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(get(), column));
  if (text == nullptr) {
    if (Type(column) != SQLITE_NULL) throw std::bad_alloc();
    return {};
  }
  return {text, static_cast<size_t>(sqlite3_column_bytes(get(), column))};
}

std::string_view Statement::Blob(int column) const {
  const auto* data = static_cast<const char*>(sqlite3_column_blob(get(), column));
  const auto size = static_cast<size_t>(sqlite3_column_bytes(get(), column));
  if (data == nullptr && sqlite3_errcode(db_) == SQLITE_NOMEM) throw std::bad_alloc();
  return data == nullptr ? std::string_view() : std::string_view(data, size);
}

void Execute(sqlite3* db, const std::string& sql) {
  const int code = sqlite3_exec(db, sql.c_str(), nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) ThrowSqlError(db, code);
}

Savepoint::Savepoint(sqlite3* db, bool exclusive)
    : db_(db),
      outermost_(sqlite3_get_autocommit(db) != 0),
      undo_(db, outermost_ ? "ROLLBACK" : "ROLLBACK TO s2v"),
      release_(db, exclusive ? "COMMIT" : "RELEASE s2v"),
      abort_(db, "BEGIN IMMEDIATE") {
  try {
    Execute(db_, exclusive ? "BEGIN EXCLUSIVE" : "SAVEPOINT s2v");
  } catch (const SqlError& error) {
    if (error.primary_code() != SQLITE_BUSY || exclusive) throw;
    throw InvalidArgument(
        "nothing can be stored inside INSERT, UPDATE, DELETE or CREATE TABLE: use a SELECT of its own");
  }
  open_ = true;
}

Savepoint::~Savepoint() {
  // After some errors (disk full, out of memory) SQLite has undone the whole transaction itself.
  if (!open_ || sqlite3_get_autocommit(db_) != 0) return;
  int code = sqlite3_step(undo_.get());
  undo_.Reset();
  if (code == SQLITE_DONE && !outermost_) code = sqlite3_step(release_.get());
  // An interrupted connection runs nothing more, not even ROLLBACK, until its running statements
  // have ended. But SQLite undoes the transaction of a writing statement that it interrupts, and
  // this one counts as such.
  if (code == SQLITE_INTERRUPT) sqlite3_step(abort_.get());
}

void Savepoint::Release() {
  if (!TryRelease()) ThrowSqlError(db_, SQLITE_BUSY);
}

bool Savepoint::TryRelease() {
  const int code = sqlite3_step(release_.get());
  if (code != SQLITE_DONE && (code & 0xff) != SQLITE_BUSY) ThrowSqlError(db_, code);
  release_.Reset();
  open_ = code != SQLITE_DONE;
  return !open_;
}

namespace {

thread_local int longest_wait = INT32_MAX;

}  // namespace

int LongestWait() {
  return longest_wait;
}

std::unique_ptr<sqlite3, std::function<void(sqlite3*)>> ShortenWait(sqlite3* db, int most) {
  const auto own = static_cast<int>(SelectInt(db, "PRAGMA busy_timeout"));
  const int former = longest_wait;
  longest_wait = most;
  if (own > most) sqlite3_busy_timeout(db, most);
  return {db, [own, most, former](sqlite3* connection) {
            longest_wait = former;
            if (own > most) sqlite3_busy_timeout(connection, own);
          }};
}

std::vector<std::string> Schemas(sqlite3* db, const std::string& only) {
  std::vector<std::string> schemas;
  Statement list(db, "PRAGMA database_list");  // in the order of seq
  while (list.Step()) {
    std::string schema(list.Text(1));
    if (only.empty() || IsSameName(schema, only)) schemas.push_back(std::move(schema));
  }
  return schemas;
}

std::string QuoteName(std::string_view name, char quote) {
  std::string quoted(1, quote);
  for (const char c : name) quoted.append(c == quote ? 2 : 1, c);
  return quoted + quote;
}

}  // namespace s2v
