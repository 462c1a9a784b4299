// Reading a file that may be a stranger's. A view, a virtual table or a generated column in place
// of a table of ours would run the file's SQL where we read, and that SQL may call the function
// that reads. So only ordinary tables are read:
//
//   OpenFiles files;                                       // lives as long as the connection
//   const OpenFiles::Reading reading = files.Begin(db, schema, kTables);  // slow once for each version of a schema
//   Statement select(db, "SELECT ...");                    // reads what was checked
//
// Missing columns are left to SQLite, which names them.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "sql/schema_rows.h"
#include "sql/statement.h"

namespace s2v {

// Whether the schema has this table, or what goes by its name, with this column.
bool HasColumn(sqlite3* db, const std::string& schema, const char* table, const char* column);
// Throws FormatError unless each is an ordinary table of the schema that computes none of its
// columns. tables: as sqlite_schema has them. rows: of the schema, where they were read.
void CheckRealTables(sqlite3* db, const std::string& schema,
                     std::span<const std::string_view> tables, const SchemaRows* rows = nullptr);
inline void CheckRealTable(sqlite3* db, const std::string& schema, std::string_view table) {
  CheckRealTables(db, schema, {&table, 1});
}

// What a connection knows of the files that it reads.
class OpenFiles {
 public:
  struct Reading {
    Statement held;  // the read transaction: what is read while it lives is what was checked
    // What identifies the file's contents in this process, which the contents cannot choose: rows
    // read under the same identity are of the same file. 0: nothing does.
    uint64_t file = 0;
    int64_t schema_version = 0;
    // Whether what was found out about the schema may be remembered under this version: a
    // transaction that writes may be undone, and the next one gives the version to another schema.
    bool is_committed = false;
  };
  // CheckRealTables, unless this version of this file's schema was checked. The first of the tables
  // names the whole set.
  [[nodiscard]] Reading Begin(sqlite3* db, const std::string& schema,
                              std::span<const std::string_view> tables);
  // Of the schema that is being read. Valid until the next call, of others that share schemas too.
  const SchemaRows& Rows(sqlite3* db, const std::string& schema, const Reading& reading);
  // From now on what one of the two has read of a schema is the other's too.
  void ShareSchemas(const OpenFiles& other) { schema_ = other.schema_; }
  // For those who read these files; may be nullptr.
  StatementCache* statements = nullptr;

 private:
  class Identity;
  // A file's name and what was found out about it.
  struct File {
    std::string name;
    int64_t checked_version = INT64_MIN;
    std::string key;  // of identity
    std::shared_ptr<Identity> identity;
  };
  // The rows of one schema, the one that was read last.
  struct Schema {
    uint64_t file = 0;  // 0: of none
    int64_t version = 0;
    std::optional<SchemaRows> rows;
  };
  static void Identify(sqlite3* db, const std::string& schema, File* file);
  bool HasRows(const Reading& reading) const;
  std::map<std::string, File> files_;  // by schema, NUL and table: either may have a dot
  std::shared_ptr<Schema> schema_ = std::make_shared<Schema>();
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
