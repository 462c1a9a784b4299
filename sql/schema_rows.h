// Where in sqlite_schema a schema's objects are. SQLite finds none there by its name without
// reading all, and a file with a thousand indexes has sixteen thousand: all are read once, and then
// those that somebody asks for.
//
//   const SchemaRows rows(db, "main");
//   Statement select(db, "SELECT sql FROM " + rows.Of("main", names) +
//                         " WHERE type = 'trigger' AND name = ?1");
//
// REQUIRES: the schema is as it was when its rows were read.
// Thread rule: as the connection's; of several readers once it is made.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sql/statement.h"

namespace s2v {

// Throws FormatError where a row of sqlite_schema is one that SQLite itself does not write. It
// reads types and names as C strings in any case: a trigger whose type is 'TRIGGER', whose table's
// name is a BLOB or goes on behind a NUL, would run, and be seen by none of our SQL. An index on
// sqlite_schema, which a file may have, could hide rows: it is read NOT INDEXED.
void CheckSchemaIsPlain(sqlite3* db, const std::string& schema);
// The same of one row, whose first columns are these.
inline constexpr char kPlainColumns[] = "rowid, type, name, tbl_name, rootpage, typeof(sql)";
// last: the rowid of the row before, which rises; but with PRAGMA reverse_unordered_selects they do
// so without kByRowid.
inline constexpr char kByRowid[] = " ORDER BY rowid";
void CheckPlainRow(const Statement& row, const std::string& schema, int64_t* last);

// "'kept' names s2v_word", of a foreign key to one of our tables, by which its rows would change
// with theirs; "" where there is none, or with PRAGMA foreign_keys off. table: in lower case.
std::string FindForeignKeyTo(sqlite3* db, const std::string& schema,
                             const std::function<bool(const std::string& table)>& is_ours);

class SchemaRows {
 public:
  // Throws as CheckSchemaIsPlain.
  SchemaRows(sqlite3* db, const std::string& schema);

  // For FROM: the rows of sqlite_schema with such a name or tbl_name in any case, of all tables
  // that may have a foreign key, and few others. schema: the name that the file goes by now.
  std::string Of(const std::string& schema, std::span<const std::string> names) const;

 private:
  std::vector<std::pair<uint64_t, int64_t>>
      by_name_;  // HashWord of a name in lower case, and the row's rowid; in order
  std::vector<int64_t> with_keys_;
};

// The same, where rows may be nullptr: then the whole sqlite_schema.
std::string SchemaTable(const std::string& schema, const SchemaRows* rows = nullptr,
                        std::span<const std::string> names = {});

}  // namespace s2v
