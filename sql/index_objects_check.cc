// What a stranger's file may have done to an index's tables and triggers (sql/index_objects.h).
#include <map>

#include "core/error.h"
#include "sql/index_objects.h"
#include "sql/index_templates.h"

namespace s2v {
namespace {

// A pattern for LIKE ... ESCAPE '\\': all that begins with the prefix, in any case.
std::string LikePrefix(const std::string& prefix) {
  std::string pattern;
  for (const char c : prefix) {
    if (c == '%' || c == '_' || c == '\\') pattern += '\\';
    pattern += c;
  }
  return pattern + "%";
}

[[noreturn]] void ThrowChanged(const IndexDefinition& index, const std::string& what) {
  throw FormatError("database disk image is malformed: " + what + "; DROP TABLE " +
                    QuoteName(index.name) + " and create the index again");
}

// SQL of sqlite_schema with its name, quoted in either way, replaced by "{name}".
std::string WithoutName(std::string_view sql, const std::string& name) {
  for (const char quote : {'"', '\''}) {
    const std::string quoted = QuoteName(name, quote);
    const size_t at = sql.find(quoted);
    if (at == sql.npos || sql.substr(0, at).find('(') != sql.npos) continue;
    return std::string(sql.substr(0, at)) + "{name}" + std::string(sql.substr(at + quoted.size()));
  }
  return std::string(sql);
}

// Throws where a foreign key of another table names one of these: a row that we delete would take rows of that table with it, and
// run its triggers.
void CheckNoForeignKeys(sqlite3* db, const IndexDefinition& index,
                        const std::map<std::string, std::string>& tables) {
  Statement keys(db,
                 "SELECT t.name, lower(k.\"table\") FROM " + QuoteName(index.schema) +
                     ".sqlite_schema AS t, pragma_foreign_key_list(t.name, ?1) AS k "
                     "WHERE t.type = 'table' AND t.sql LIKE '%REFERENCES%'",
                 index.schema);
  while (keys.Step()) {
    if (tables.contains(std::string(keys.Text(1)))) {
      ThrowChanged(index, "a foreign key of '" + std::string(keys.Text(0)) + "' names " +
                              std::string(keys.Text(1)));
    }
  }
}

std::string Lower(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  return lower;
}

}  // namespace

void CheckIndexObjects(sqlite3* db, const IndexDefinition& index) {
  TemplateValues values = ValuesOf(index);
  values["name"] = "{name}";
  std::map<std::string, std::string> tables;  // by name in lower case
  const auto expect = [&](const IndexTemplate& table) {
    tables[Lower(index.name + "_" + table.part)] = Filled(table.sql, values);
  };
  for (const IndexTemplate& table : IndexTables(index)) expect(table);
  for (const IndexTemplate& table : Fts5Tables(index)) expect(table);
  auto missing = tables;
  Statement select(db,
                   "SELECT type, name, tbl_name, sql FROM " + QuoteName(index.schema) +
                       ".sqlite_schema WHERE tbl_name LIKE ?1 ESCAPE '\\'",
                   LikePrefix(index.name + "_"));
  while (select.Step()) {
    const auto table = tables.find(Lower(select.Text(2)));
    if (table == tables.end()) continue;
    const std::string name(select.Text(1));
    if (select.Text(0) != "table" || WithoutName(select.Text(3), name) != table->second) {
      ThrowChanged(index, std::string(select.Text(0)) + " " + name + " is not what s2v made");
    }
    missing.erase(table->first);
  }
  if (!missing.empty()) ThrowChanged(index, missing.begin()->first + " is missing");
  CheckNoForeignKeys(db, index, tables);
}

std::string FindChangedTrigger(sqlite3* db, const IndexDefinition& index) {
  TemplateValues values = ValuesOf(index);
  values["name"] = "{name}";
  Statement find(db, "SELECT sql FROM " + QuoteName(index.schema) +
                         ".sqlite_schema WHERE type = 'trigger' AND name = ?1 COLLATE NOCASE");
  for (const auto& [part, sql] : IndexTriggers()) {
    const std::string name = index.name + "_" + part;
    if (!find.Find(name) || WithoutName(find.Text(0), name) != Filled(sql, values)) return name;
  }
  return "";
}

}  // namespace s2v
