// Reading a file that may be a stranger's. A view, a virtual table or a generated column in place of
// a table of ours would run the file's SQL where we read, and that SQL may call the function that
// reads. So only ordinary tables are read:
//
//   CheckRealTable(db, "main", "docs_search_codes");       // throws FormatError
//
//   CheckedSchemas checked;                                // lives as long as the connection
//   const Statement held = checked.Check(db, schema, kTables);   // dear once a schema's version
//   Statement select(db, "SELECT ...");                    // reads what was checked
//
// Missing columns are left to SQLite, which names them.
#ifndef S2V_SQL_REAL_TABLE_H_
#define S2V_SQL_REAL_TABLE_H_

#include <map>
#include <span>
#include <string>
#include <string_view>

#include "sql/statement.h"

namespace s2v {

// Throws FormatError unless each is an ordinary table of the schema that computes none of its columns.
// tables: in lower case, without quotes in them.
void CheckRealTables(sqlite3* db, const std::string& schema,
                     std::span<const std::string_view> tables);
inline void CheckRealTable(sqlite3* db, const std::string& schema, std::string_view table) {
  CheckRealTables(db, schema, {&table, 1});
}

// Remembers which schemas of a connection were checked, always for the same tables.
class CheckedSchemas {
 public:
  // CheckRealTables, unless this version of this file's schema was checked. What is read while the
  // result lives is what was checked: it holds the read transaction.
  [[nodiscard]] Statement Check(sqlite3* db, const std::string& schema,
                                std::span<const std::string_view> tables);

 private:
  struct Version {
    std::string file;
    int64_t number = INT64_MIN;  // none
    bool operator==(const Version&) const = default;
  };
  std::map<std::string, Version> checked_;  // by schema
};

// Lives while a table of ours is read. Should the reading run SQL after all that reads the same
// connection's models again, the inner one throws FormatError, so that no file makes it recurse.
class ReadingGuard {
 public:
  explicit ReadingGuard(sqlite3* db);
  ~ReadingGuard();
  ReadingGuard(const ReadingGuard&) = delete;

 private:
  sqlite3* const outer_;
};

}  // namespace s2v

#endif  // S2V_SQL_REAL_TABLE_H_
