// Where every exception ends: what SQLite calls is an instance of a template below, or throws
// nothing, and no exception passes it. In ext only the entry (ext/extension.cc) and the programs'
// main functions have a catch (...) besides.
//
//   void Embed(const Call& call);                       // may throw
//   {"s2v_embed", 1, 3, kPure, ScalarCallback<Embed>}   // may not
#pragma once

#include <map>
#include <memory>
#include <new>
#include <string>

#include "core/error.h"
#include "core/text/utf8.h"
#include "sql/real_table.h"
#include "sql/statement.h"

namespace s2v {

struct IndexMemory;  // sql/index_memory.h
struct IndexCursor;  // ext/index_cursor.h

// What all functions of one connection share.
struct Connection {
  sqlite3* db = nullptr;
  const char* linking = "";  // "static" or "loadable"
  // What was read of each index of the connection, by schema, NUL and name.
  std::map<std::string, std::shared_ptr<IndexMemory>> indexes;
  // Rises when this connection stores or drops a model: then open readers look again.
  uint64_t generation = 0;
  bool has_match_function = false;  // RegisterMatchFunction was called
  // Questions that are being read, by a number that none of the others has.
  std::map<int64_t, IndexCursor*> cursors;
  int64_t last_cursor = 0;
  OpenFiles files;
};

using SharedConnection = std::shared_ptr<Connection>;

// The user data of one registered function.
struct Registered {
  const char* name;
  SharedConnection connection;
};

// One call of a SQL function.
struct Call {
  sqlite3_context* context;
  int count;
  sqlite3_value** values;

  // nullptr where the argument is left out.
  sqlite3_value* operator[](int i) const { return i < count ? values[i] : nullptr; }
  const SharedConnection& connection() const {
    return static_cast<Registered*>(sqlite3_user_data(context))->connection;
  }
  sqlite3* db() const { return connection()->db; }
};

// A caught exception as SQLite wants it.
struct CaughtError {
  int code;
  std::string message;  // UTF-8; empty for SQLITE_NOMEM and SQLITE_INTERRUPT
};

// REQUIRES: called inside a catch clause. Never throws: where even the message finds no memory,
// NOMEM.
inline CaughtError Caught() noexcept {
  try {
    try {
      throw;
    } catch (const std::bad_alloc&) {
      return {SQLITE_NOMEM, {}};
    } catch (const Interrupted&) {
      return {SQLITE_INTERRUPT, {}};
    } catch (const SqlError& error) {
      return {error.code(), ValidUtf8(error.what())};
    } catch (const FormatError& error) {
      // Not SQLITE_CORRUPT itself, after which SQLite refuses to write or to commit.
      return {SQLITE_CORRUPT_VTAB, ValidUtf8(error.what())};
    } catch (const std::exception& error) {
      return {SQLITE_ERROR, ValidUtf8(ErrorText(error))};
    }
  } catch (...) {
    return {SQLITE_NOMEM, {}};
  }
}

inline void ResultError(sqlite3_context* context, const char* function) noexcept {
  const CaughtError error = Caught();
  if (error.code == SQLITE_NOMEM) {
    sqlite3_result_error_nomem(context);
  } else if (error.code == SQLITE_INTERRUPT) {
    sqlite3_result_error_code(context, SQLITE_INTERRUPT);
  } else {
    // The text first: sqlite3_result_error sets its own code.
    char* text = sqlite3_mprintf("%s: %s", function, error.message.c_str());
    if (text == nullptr) return sqlite3_result_error_nomem(context);
    sqlite3_result_error(context, text, -1);
    sqlite3_result_error_code(context, error.code);
    sqlite3_free(text);
  }
}

template <typename Body>
void GuardedFunction(sqlite3_context* context, Body body) {
  try {
    body();
  } catch (...) {
    ResultError(context, static_cast<Registered*>(sqlite3_user_data(context))->name);
  }
}

template <void (*Body)(const Call&)>
void ScalarCallback(sqlite3_context* context, int count, sqlite3_value** values) {
  GuardedFunction(context, [&] { Body(Call{context, count, values}); });
}

// For virtual table methods: runs body, and gives its message to the table's zErrMsg, or to what
// xConnect has for it, behind name (nullptr: as it is). Returns a result code.
template <typename Body>
int GuardedMethod(char** message, const char* name, Body body) {
  try {
    body();
    return SQLITE_OK;
  } catch (...) {
    CaughtError error = Caught();
    // Of CREATE VIRTUAL TABLE SQLite would say "vtable constructor failed".
    if (error.code == SQLITE_INTERRUPT) error.message = "interrupted";
    if (!error.message.empty()) {
      sqlite3_free(*message);
      *message = name == nullptr ? sqlite3_mprintf("%s", error.message.c_str())
                                 : sqlite3_mprintf("%s: %s", name, error.message.c_str());
    }
    return error.code;
  }
}

// Of xConnect: declares a table that views may use. Throws SqlError.
inline void DeclareTable(sqlite3* db, const std::string& columns) {
  int code = sqlite3_declare_vtab(db, ("CREATE TABLE x(" + columns + ")").c_str());
  if (code == SQLITE_OK) code = sqlite3_vtab_config(db, SQLITE_VTAB_INNOCUOUS);
  if (code != SQLITE_OK) ThrowSqlError(db, code);
}

}  // namespace s2v
