#include "sql/innocuous.h"

#include <algorithm>
#include <set>
#include <vector>

#include "core/error.h"
#include "core/text/utf8.h"
#include "sql/schema_rows.h"
#include "sql/sql_tokens.h"

namespace s2v {
namespace {

bool IsHarmlessModule(std::string_view name) {
  constexpr std::string_view kNames[] = {"fts3",      "fts4",           "fts5",    "fts5vocab",
                                         "rtree",     "rtree_i32",      "geopoly", "json_each",
                                         "json_tree", "generate_series"};
  return name.starts_with("s2v_") || FindNamed(name, kNames) != nullptr;
}

// Names of virtual tables, and of modules that are tables by themselves, which may do more than
// read and write the database; in small letters.
std::set<std::string, std::less<>> HarmfulNames(sqlite3* db) {
  std::set<std::string, std::less<>> harmful;
  Statement modules(db, "SELECT name FROM temp.pragma_module_list");
  while (modules.Step()) {
    std::string name = LowerAscii(modules.Text(0));
    if (!IsHarmlessModule(name)) harmful.insert(std::move(name));
  }
  std::vector<VirtualTableSql> tables;
  for (const std::string& schema : Schemas(db)) {
    // Of a row SQLite looks at the text alone, whatever else a stranger has written into it.
    Statement rows(db, "SELECT sql FROM " + SchemaTable(schema) + " WHERE sql IS NOT NULL");
    while (rows.Step()) {
      if (auto table = ReadVirtualTable(rows.Text(0))) tables.push_back(*std::move(table));
    }
  }
  // FTS may read the texts of another table (content = 'v').
  for (size_t before = SIZE_MAX; before != harmful.size();) {
    before = harmful.size();
    for (const VirtualTableSql& table : tables) {
      const bool names_one =
          std::any_of(table.arguments.begin(), table.arguments.end(),
                      [&](const std::string& token) { return harmful.contains(token); });
      if (!IsHarmlessModule(table.module) || names_one) harmful.insert(table.name);
    }
  }
  return harmful;
}

// What a statement calls, as "name(number of arguments)" with -1 for any number.
struct Calls {
  std::set<std::string, std::less<>> functions;
  bool opens_virtual = false;  // a virtual table, of which EXPLAIN tells no name
};
// EXPLAIN lists the calls, and runs none of them.
Calls CallsOf(sqlite3* db, const std::string& select) {
  constexpr int kOpcode = 1, kCalled = 5;
  Statement program(db, "EXPLAIN " + select);
  Calls calls;
  while (program.Step()) {
    const std::string_view opcode = program.Text(kOpcode);
    calls.opens_virtual |= opcode == "VOpen";
    if (opcode.find("Func") != opcode.npos || opcode.find("Agg") != opcode.npos)
      calls.functions.emplace(program.Text(kCalled));
  }
  return calls;
}

}  // namespace

void CheckInnocuous(sqlite3* db, const std::string& select, const std::string& without,
                    std::string_view where) {
  // SQLite's own are harmless unless a view may not call them either: those of JSON are not marked.
  Statement harmful(db,
                    "SELECT 1 FROM temp.pragma_function_list WHERE name || '(' || narg || ')' = ?1 "
                    "COLLATE NOCASE AND NOT flags & ?2 AND NOT (builtin AND NOT flags & ?3)");
  const Calls calls = CallsOf(db, select), of_table = CallsOf(db, without);
  const SqlTokens words(where);
  for (const std::string& called : calls.functions) {
    const std::string name = called.substr(0, called.find('('));
    const bool is_of_table =
        of_table.functions.contains(called) && !words.Contains(LowerAscii(name));
    if (is_of_table || !harmful.Find(called, SQLITE_INNOCUOUS, SQLITE_DIRECTONLY)) continue;
    throw InvalidArgument("where: " + name +
                          "() is not marked as innocuous, which its functions must be: the "
                          "expression is stored with the model and run again; put the condition "
                          "into a view, and train on that");
  }
  if (!calls.opens_virtual) return;
  // Any word of the condition may be its name.
  const auto names = HarmfulNames(db);
  for (const std::string& word : words.all()) {
    if (!names.contains(word)) continue;
    throw InvalidArgument("where: " + word +
                          " is a virtual table that may read more than the database, and the "
                          "expression is stored with the model and run again; copy its rows into "
                          "a table");
  }
}

void CheckStoredTable(sqlite3* db, std::string_view table) {
  const std::string given = LowerAscii(table);
  for (const std::string& name : HarmfulNames(db)) {
    if (given != name && !given.ends_with("." + name)) continue;
    throw InvalidArgument("the model was trained from '" + name +
                          "', a virtual table that may read more than the database: train from it "
                          "anew, by s2v_train");
  }
}

}  // namespace s2v
