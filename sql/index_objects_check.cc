#include "sql/index_objects_check.h"

#include <map>

#include "core/error.h"
#include "core/text/utf8.h"
#include "sql/index_templates.h"

namespace s2v {
namespace {

[[noreturn]] void ThrowChanged(const IndexDefinition& index, const std::string& what) {
  ThrowMalformed(what + "; " + DropHint(index.name));
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

// Throws where a foreign key of this table names one of the index's: a row that we delete would
// take rows of that table with it, and run its triggers.
void CheckNoForeignKeys(const IndexDefinition& index, const std::string& of,
                        const std::map<std::string, std::string>& tables, Statement* keys) {
  for (bool found = keys->Find(of, index.schema); found; found = keys->Step()) {
    const std::string to = LowerAscii(keys->Text(0));
    if (!tables.contains(to)) continue;
    ThrowMalformed("a foreign key of '" + of + "' names " + to + "; make '" + of + "' without it");
  }
}

}  // namespace

void CheckIndexObjects(sqlite3* db, const IndexDefinition& index, const SchemaRows* rows) {
  TemplateValues values = ValuesOf(index);
  values["name"] = "{name}";
  std::map<std::string, std::string> tables;  // by name in lower case
  const auto expect = [&](const IndexTemplate& table) {
    tables[LowerAscii(index.name + "_" + table.object)] = Filled(table.sql, values);
  };
  for (const IndexTemplate& table : IndexTables(index)) expect(table);
  for (const IndexTemplate& table : Fts5Tables(index)) expect(table);
  auto missing = tables;
  std::vector<std::string> names;
  for (const auto& [name, sql] : tables) names.push_back(name);
  Statement select(
      db,
      "SELECT type, name, tbl_name, sql, type = 'table' AND upper(sql) GLOB '*REFERENCES*' AS has_keys FROM " +
          SchemaTable(index.schema, rows, names));
  Statement keys(db, "SELECT \"table\" FROM temp.pragma_foreign_key_list(?1, ?2)");
  while (select.Step()) {
    const std::string name(select.Text(1));
    if (select.Int(4) != 0) CheckNoForeignKeys(index, name, tables, &keys);
    const auto table = tables.find(LowerAscii(select.Text(2)));
    if (table == tables.end()) continue;
    // What SQLite makes of UNIQUE has no SQL, and nothing else has none.
    if (select.Type(3) == SQLITE_NULL && table->second.find("UNIQUE") != table->second.npos)
      continue;
    if (select.Text(0) != "table" || WithoutName(select.Text(3), name) != table->second) {
      ThrowChanged(index, std::string(select.Text(0)) + " " + name + " is not what s2v made");
    }
    missing.erase(table->first);
  }
  if (!missing.empty()) ThrowChanged(index, missing.begin()->first + " is missing");
}

std::string FindChangedTrigger(sqlite3* db, const IndexDefinition& index, const SchemaRows* rows,
                               bool accepts_former) {
  TemplateValues values = ValuesOf(index);
  values["name"] = "{name}";
  TemplateValues former = values;
  if (accepts_former) former["changed"] = values.at("formerly_changed");
  struct Expected {
    std::string name, sql, former_sql;
  };
  std::map<std::string, Expected> missing;  // by name in lower case
  for (const auto& [part, sql] : IndexTriggers()) {
    const std::string name = index.name + "_" + part;
    missing[LowerAscii(name)] = {name, Filled(sql, values), Filled(sql, former)};
  }
  std::vector<std::string> names;
  for (const auto& [lower, trigger] : missing) names.push_back(trigger.name);
  Statement select(
      db, "SELECT name, sql FROM " + SchemaTable(index.schema, rows, names) +
              " WHERE type = 'trigger' AND name COLLATE NOCASE IN (" +
              NamesOf(names, [](const std::string& name) { return QuoteName(name, '\''); }) +
              ") LIMIT " + std::to_string(missing.size()));
  while (select.Step()) {
    const std::string name(select.Text(0));
    const std::string sql = WithoutName(select.Text(1), name);
    const auto expected = missing.find(LowerAscii(name));
    if (expected == missing.end()) continue;
    if (sql == expected->second.sql || sql == expected->second.former_sql) missing.erase(expected);
  }
  return missing.empty() ? "" : missing.begin()->second.name;
}

}  // namespace s2v
