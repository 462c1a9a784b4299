// A database on disk with the extension in it, for the benchmarks.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "ext/s2v.h"
#include "sql/statement.h"

namespace s2v::bench {

class Database {
 public:
  explicit Database(const std::string& path) {
    if (sqlite3_open(path.c_str(), &db_) != SQLITE_OK || sqlite3_s2v_init(db_, nullptr, nullptr)) {
      throw std::runtime_error("cannot open " + path);
    }
  }
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;
  ~Database() { sqlite3_close(db_); }
  sqlite3* get() const { return db_; }

 private:
  sqlite3* db_ = nullptr;
};

// Makes table(id INTEGER PRIMARY KEY, body TEXT), a row for each text.
inline void Fill(sqlite3* db, const std::string& table, const std::vector<std::string>& texts) {
  Execute(db, "BEGIN; CREATE TABLE " + table + "(id INTEGER PRIMARY KEY, body TEXT)");
  Statement insert(db, "INSERT INTO " + table + "(body) VALUES(?1)");
  for (const std::string& text : texts) {
    insert.Bind(1, std::string_view(text));
    insert.Run();
  }
  Execute(db, "COMMIT");
}

}  // namespace s2v::bench
