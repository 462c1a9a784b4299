// SQLite handles that close themselves, and calls that throw.
//
//   Statement select(db, "SELECT word FROM s2v_word WHERE key = ?1");
//   for (const int64_t key : keys) {
//     if (select.Find(key)) Use(select.Text(0));
//   }
//   Execute(db, "DELETE FROM s2v_model WHERE name = ?1", name);
//
// What SQLite and s2v have as tables everywhere is named as one of temp, temp.pragma_function_list:
// a file may have a table or a view of that name, which would be asked instead; temp is the
// connection's own.
//
// Thread rule: as the connection's.
#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

// For sql and ext, which are compiled once: through the pointer sqlite3_api, which SQLite hands to
// a loadable extension; the static library has a table of its own (linked_sqlite.cmake). With
// SQLITE_CORE defined, for programs that link SQLite: direct calls.
#include <sqlite3ext.h>
#ifndef SQLITE_CORE
SQLITE_EXTENSION_INIT3
#endif

namespace s2v {

// SQLite refused; code is its extended result code.
class SqlError : public std::runtime_error {
 public:
  SqlError(int code, const std::string& message) : std::runtime_error(message), code_(code) {}
  int code() const { return code_; }
  int primary_code() const { return code_ & 0xff; }
  // By another connection, which may be one that shares this one's cache.
  bool is_locked() const {
    return primary_code() == SQLITE_BUSY || code_ == SQLITE_LOCKED_SHAREDCACHE;
  }

 private:
  int code_;
};

// Throws Interrupted, std::bad_alloc or SqlError after the connection's last error.
[[noreturn]] void ThrowSqlError(sqlite3* db, int code);
// Throws the FormatError of a database that is damaged, or that somebody has tampered with.
[[noreturn]] void ThrowMalformed(const std::string& what);

// What is bound as a BLOB.
struct Blob {
  std::string_view bytes;
};

class StatementCache;

class Statement {
 public:
  Statement() = default;
  Statement(sqlite3* db, const std::string& sql);
  // values, here and below: of ?1, ?2 ...
  template <typename... Values>
  Statement(sqlite3* db, const std::string& sql, const Values&... values) : Statement(db, sql) {
    BindAll(values...);
  }
  // Prepared before, where the cache has it; goes back there when it is destroyed. cache: nullptr
  // for none.
  Statement(StatementCache* cache, sqlite3* db, const std::string& sql);

  void Bind(int index, std::integral auto value) {
    Check(sqlite3_bind_int64(get(), index, static_cast<int64_t>(value)));
  }
  void Bind(int index, double value) { Check(sqlite3_bind_double(get(), index, value)); }
  void Bind(int index, std::string_view text);
  void Bind(int index, sqlite3_value* value) { Check(sqlite3_bind_value(get(), index, value)); }
  void Bind(int index, std::nullptr_t) { Check(sqlite3_bind_null(get(), index)); }
  // BLOBs are not copied: they must live until the next Reset.
  void BindBlob(int index, const void* data, size_t size);
  void Bind(int index, Blob blob) { BindBlob(index, blob.bytes.data(), blob.bytes.size()); }
  template <typename T>
  void Bind(int index, const std::optional<T>& value) {
    value ? Bind(index, *value) : Bind(index, nullptr);
  }

  // True: a row is there. False: done. Throws otherwise.
  bool Step();
  // The first step with these values.
  template <typename... Values>
  bool Find(const Values&... values) {
    Reset();
    BindAll(values...);
    return Step();
  }
  // Steps to the end and resets.
  template <typename... Values>
  void Run(const Values&... values) {
    BindAll(values...);
    while (Step()) {
    }
    Reset();
  }
  // Ready for another run with other values. Never throws.
  void Reset() { sqlite3_reset(get()); }

  int Type(int column) const { return sqlite3_column_type(get(), column); }
  int64_t Int(int column) const { return sqlite3_column_int64(get(), column); }
  double Double(int column) const { return sqlite3_column_double(get(), column); }
  // Valid until the next Step or Reset. Throws std::bad_alloc.
  std::string_view Text(int column) const;
  std::string_view Blob(int column) const;
  explicit operator bool() const { return statement_ != nullptr; }
  sqlite3_stmt* get() const { return statement_.get(); }

 private:
  template <typename... Values>
  void BindAll(const Values&... values) {
    int index = 0;
    (Bind(++index, values), ...);
  }
  void Check(int code) const {
    if (code != SQLITE_OK) ThrowSqlError(db_, code);
  }
  struct Finalize {
    Finalize() : cache(nullptr) {}
    StatementCache* cache;
    void operator()(sqlite3_stmt* statement) const;
  };
  sqlite3* db_ = nullptr;
  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
};

// Statements that are used again and again. sqlite3_close refuses while it has any: only for an
// object that SQLite destroys before, which a virtual table is.
class StatementCache {
 public:
  StatementCache() = default;
  ~StatementCache();
  StatementCache(const StatementCache&) = delete;
  StatementCache& operator=(const StatementCache&) = delete;

 private:
  friend class Statement;
  std::unordered_map<std::string, sqlite3_stmt*> unused_;  // by SQL
};

// Several statements, or one with values.
void Execute(sqlite3* db, const std::string& sql);
template <typename... Values>
void Execute(sqlite3* db, const std::string& sql, const Values&... values) {
  Statement(db, sql, values...).Run();
}
// The first value of the first row; 0 or "" where there is none.
template <typename... Values>
int64_t SelectInt(sqlite3* db, const std::string& sql, const Values&... values) {
  Statement select(db, sql, values...);
  return select.Step() ? select.Int(0) : 0;
}
template <typename... Values>
std::string SelectText(sqlite3* db, const std::string& sql, const Values&... values) {
  Statement select(db, sql, values...);
  return select.Step() ? std::string(select.Text(0)) : "";
}

// What is written after it is undone by its destructor, unless Release was called. What undoing
// needs is prepared beforehand, so that it works without memory and on a connection that is
// interrupted.
class Savepoint {
 public:
  // exclusive: begins a transaction that no other connection reads or writes beside, in any
  // attached database; REQUIRES that none is open. Throws InvalidArgument inside a statement that
  // writes, where SQLite opens no savepoint.
  explicit Savepoint(sqlite3* db, bool exclusive = false);
  ~Savepoint();
  void Release();
  // False where it would commit and other connections still read: try again, or give up.
  bool TryRelease();
  Savepoint(const Savepoint&) = delete;
  Savepoint& operator=(const Savepoint&) = delete;

 private:
  sqlite3* db_;
  const bool outermost_;  // began the transaction, and commits it
  Statement undo_, release_, abort_;
  bool open_ = false;
};

// While the result lives, SQLite waits for a lock of another connection `most` milliseconds at
// most; a busy handler of the application stays.
std::unique_ptr<sqlite3, std::function<void(sqlite3*)>> ShortenWait(sqlite3* db, int most);
// Milliseconds that a busy handler of ours may wait in this thread.
int LongestWait();

// Where names are looked for: main, temp, then the attached ones in their order; `only`, where that
// is not "".
std::vector<std::string> Schemas(sqlite3* db, const std::string& only = "");
// name as an SQL identifier, with its double quotes; with '\'' a text as a string of SQL.
std::string QuoteName(std::string_view name, char quote = '"');

}  // namespace s2v
