#include "sql/schema_rows.h"

#include <algorithm>

#include "core/error.h"
#include "core/text/utf8.h"
#include "core/vocab/hash.h"

namespace s2v {
namespace {

// NOCASE, too, takes only ASCII letters for equal.
uint64_t HashName(std::string_view name) {
  return HashWord(LowerAscii(name));
}

// With PRAGMA full_column_names a star would give them other names.
constexpr char kSelectRows[] =
    "(SELECT rowid AS rowid, type AS type, name AS name, tbl_name AS tbl_name, "
    "rootpage AS rootpage, sql AS sql FROM ";

}  // namespace

void CheckPlainRow(const Statement& row, const std::string& schema, int64_t* last) {
  // While CREATE TABLE ... AS SELECT runs, its row has NULLs alone; a file that has one cannot be
  // opened.
  if (row.Type(4) == SQLITE_NULL) return;
  constexpr int kNames[] = {1, 2, 3};
  constexpr std::string_view kTypes[] = {"table", "index", "view", "trigger"};
  // The type first: what is read as text has become one.
  const auto is_name = [&](int column) {
    return row.Type(column) == SQLITE_TEXT && row.Text(column).find('\0') == std::string_view::npos;
  };
  // Rows are found again by their rowids.
  const bool is_plain = std::all_of(std::begin(kNames), std::end(kNames), is_name) &&
                        row.Text(5) != "blob" && FindNamed(row.Text(1), kTypes) != nullptr &&
                        row.Int(0) > *last;
  *last = row.Int(0);
  if (is_plain) return;
  ThrowMalformed("row " + std::to_string(row.Int(0)) + " of " + schema +
                 ".sqlite_schema is none that SQLite writes");
}

void CheckSchemaIsPlain(sqlite3* db, const std::string& schema) {
  Statement select(
      db, std::string("SELECT ") + kPlainColumns + " FROM " + SchemaTable(schema) + kByRowid);
  int64_t last = INT64_MIN;
  while (select.Step()) CheckPlainRow(select, schema, &last);
}

std::string FindForeignKeyTo(sqlite3* db, const std::string& schema,
                             const std::function<bool(const std::string& table)>& is_ours) {
  if (SelectInt(db, "PRAGMA foreign_keys") == 0) return "";
  Statement keys(
      db,
      "SELECT t.name, k.\"table\" FROM " + SchemaTable(schema) +
          " AS t, temp.pragma_foreign_key_list(t.name, ?1) AS k WHERE upper(t.sql) GLOB '*REFERENCES*'",
      schema);
  while (keys.Step()) {
    const std::string to = LowerAscii(keys.Text(1));
    if (is_ours(to)) return "'" + std::string(keys.Text(0)) + "' names " + to;
  }
  return "";
}

SchemaRows::SchemaRows(sqlite3* db, const std::string& schema) {
  Statement select(
      db,
      std::string("SELECT ") + kPlainColumns +
          ", CASE WHEN tbl_name <> name THEN tbl_name END, type = 'table' AND upper(sql) GLOB '*REFERENCES*' FROM " +
          SchemaTable(schema) + kByRowid);
  int64_t last = INT64_MIN;
  while (select.Step()) {
    CheckPlainRow(select, schema, &last);
    const int64_t rowid = select.Int(0);
    for (const int column : {2, 6}) {
      if (select.Type(column) != SQLITE_NULL)
        by_name_.emplace_back(HashName(select.Text(column)), rowid);
    }
    if (select.Int(7) != 0) with_keys_.push_back(rowid);
  }
  std::sort(by_name_.begin(), by_name_.end());
}

std::string SchemaRows::Of(const std::string& schema, std::span<const std::string> names) const {
  std::vector<int64_t> rowids = with_keys_;
  for (const std::string& name : names) {
    const uint64_t hash = HashName(name);
    auto found = std::lower_bound(by_name_.begin(), by_name_.end(), std::pair(hash, INT64_MIN));
    for (; found != by_name_.end() && found->first == hash; ++found)
      rowids.push_back(found->second);
  }
  return kSelectRows + QuoteName(schema) + ".sqlite_schema NOT INDEXED WHERE rowid IN (" +
         NamesOf(rowids, [](int64_t rowid) { return std::to_string(rowid); }) + "))";
}

std::string SchemaTable(const std::string& schema, const SchemaRows* rows,
                        std::span<const std::string> names) {
  return rows != nullptr ? rows->Of(schema, names)
                         : kSelectRows + QuoteName(schema) + ".sqlite_schema NOT INDEXED)";
}

}  // namespace s2v
