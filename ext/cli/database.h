// A database file, opened with errors that say what to do.
//
//   Database db(path, Database::kRead);      // throws SqlError or std::runtime_error
//   ListModels(db.get());
//
// The file must exist; none is ever created. All s2v functions are registered on the connection.
// Waits up to 10 s for another connection's lock, or until Ctrl-C (stop.h).
#ifndef S2V_EXT_CLI_DATABASE_H_
#define S2V_EXT_CLI_DATABASE_H_

#include <chrono>
#include <string>

#include "sql/statement.h"

namespace s2v {

class Database {
 public:
  enum Access { kRead, kWrite };
  // kRead works on a file and in a folder that cannot be written.
  Database(const std::string& path, Access access);
  ~Database() { sqlite3_close_v2(db_); }
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;
  sqlite3* get() const { return db_; }

 private:
  // Opens and reads the first page. Returns a result code.
  int Open(const std::string& name, int flags);

  sqlite3* db_ = nullptr;
  std::chrono::steady_clock::time_point wait_began_;  // of the wait for a lock
};

// The error's message and what to do about it.
std::string Explain(const SqlError& error);

}  // namespace s2v

#endif  // S2V_EXT_CLI_DATABASE_H_
