#include "sql/innocuous.h"

#include <algorithm>
#include <functional>
#include <iterator>

#include "core/error.h"
#include "core/text/utf8.h"
#include "sql/schema_rows.h"

namespace s2v {
namespace {

bool IsHarmlessModule(std::string_view module) {
  constexpr std::string_view kNames[] = {"fts3",      "fts4",           "fts5",    "fts5vocab",
                                         "rtree",     "rtree_i32",      "geopoly", "json_each",
                                         "json_tree", "generate_series"};
  const std::string name = LowerAscii(module);
  return name.starts_with("s2v_") ||
         std::find(std::begin(kNames), std::end(kNames), name) != std::end(kNames);
}

bool IsInName(char c) {
  return IsAsciiLetter(c) || IsAsciiDigit(c) || c == '_' || (c & 0x80) != 0;
}

std::string_view TakeWord(std::string_view* text) {
  const auto end = std::find_if_not(text->begin(), text->end(), IsInName);
  const std::string_view word = text->substr(0, static_cast<size_t>(end - text->begin()));
  text->remove_prefix(word.size());
  return word;
}

// sql: of the schema, which a stranger may have written. SQLite keeps a virtual table's from its
// name on as it was typed.
bool IsHarmlessTable(std::string_view sql, const std::string& name) {
  constexpr std::string_view kHead = "CREATE VIRTUAL TABLE ";
  if (!sql.starts_with(kHead)) return false;
  sql.remove_prefix(kHead.size());
  for (const std::string& written :
       {name, QuoteName(name), QuoteName(name, '\''), QuoteName(name, '`'), "[" + name + "]"}) {
    if (!sql.starts_with(written)) continue;
    std::string_view rest = Trimmed(sql.substr(written.size()));
    if (LowerAscii(TakeWord(&rest)) != "using") continue;
    rest = Trimmed(rest);
    return IsHarmlessModule(TakeWord(&rest));
  }
  return false;
}

// Calls use with the name of each virtual table that is not harmless.
void ForEachHarmfulTable(sqlite3* db, const std::function<void(const std::string& name)>& use) {
  for (const std::string& schema : Schemas(db)) {
    Statement tables(db, "SELECT name, sql FROM " + SchemaTable(schema) +
                             " WHERE type = 'table' AND rootpage = 0");
    while (tables.Step()) {
      const std::string name(tables.Text(0));
      if (!IsHarmlessTable(tables.Text(1), name)) use(name);
    }
  }
}

// In small letters and without quotes, however it is quoted.
std::string Bare(std::string_view text) {
  std::string bare = LowerAscii(text);
  std::erase_if(
      bare, [](char c) { return std::string_view("\"'`[]").find(c) != std::string_view::npos; });
  return bare;
}

bool Mentions(std::string_view where, std::string_view name) {
  const std::string text = Bare(where), bare = Bare(name);
  for (size_t at = 0; (at = text.find(bare, at)) != text.npos; at++) {
    const size_t end = at + bare.size();
    const bool is_within =
        (at > 0 && IsInName(text[at - 1])) || (end < text.size() && IsInName(text[end]));
    if (!is_within || !std::all_of(bare.begin(), bare.end(), IsInName)) return true;
  }
  return false;
}

[[noreturn]] void ThrowHarmful(std::string_view name) {
  throw InvalidArgument("where: " + std::string(name) +
                        " is a virtual table that may do more than read the database, and the "
                        "expression is stored with the model and run again; use a view");
}

}  // namespace

// EXPLAIN lists the calls, as "name(number of arguments)" with -1 for any number, and runs none of
// them. Of a virtual table it tells no name: where one is opened, any word of the condition may be
// it, or the module of a table-valued function.
void CheckInnocuous(sqlite3* db, const std::string& select, std::string_view where) {
  constexpr int kOpcode = 1, kCalled = 5;
  Statement program(db, "EXPLAIN " + select);
  Statement harmful(db,
                    "SELECT 1 FROM temp.pragma_function_list WHERE name || '(' || narg || ')' = ?1 "
                    "COLLATE NOCASE AND NOT flags & ?2");
  bool opens_virtual = false;
  while (program.Step()) {
    const std::string_view opcode = program.Text(kOpcode), called = program.Text(kCalled);
    opens_virtual |= opcode == "VOpen";
    if (opcode.find("Func") == opcode.npos && opcode.find("Agg") == opcode.npos) continue;
    if (harmful.Find(called, SQLITE_INNOCUOUS)) {
      throw InvalidArgument("where: " + std::string(called.substr(0, called.find('('))) +
                            "() is not marked as innocuous, which its functions must be: the "
                            "expression is stored with the model and run again; use a view");
    }
  }
  if (!opens_virtual) return;
  Statement module(db, "SELECT 1 FROM temp.pragma_module_list WHERE name = ?1 COLLATE NOCASE");
  for (std::string_view rest = where; !rest.empty();) {
    const std::string_view word = TakeWord(&rest);
    if (!word.empty() && !IsHarmlessModule(word) && module.Find(word)) ThrowHarmful(word);
    if (word.empty()) rest.remove_prefix(1);
  }
  ForEachHarmfulTable(db, [&](const std::string& name) {
    if (Mentions(where, name)) ThrowHarmful(name);
  });
}

void CheckStoredTable(sqlite3* db, std::string_view table) {
  const std::string given = Bare(table);
  ForEachHarmfulTable(db, [&](const std::string& name) {
    const std::string bare = Bare(name);
    if (given != bare && !given.ends_with("." + bare)) return;
    throw InvalidArgument(
        "the model was trained from '" + name +
        "', a virtual table that may do more than read the database: train from it anew, by s2v_train");
  });
}

}  // namespace s2v
