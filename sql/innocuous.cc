#include "sql/innocuous.h"

#include <algorithm>
#include <set>
#include <span>
#include <vector>

#include "core/error.h"
#include "core/text/utf8.h"
#include "sql/schema_rows.h"

namespace s2v {
namespace {

bool IsHarmlessModule(std::string_view name) {
  constexpr std::string_view kNames[] = {"fts3",      "fts4",           "fts5",    "fts5vocab",
                                         "rtree",     "rtree_i32",      "geopoly", "json_each",
                                         "json_tree", "generate_series"};
  return name.starts_with("s2v_") || FindNamed(name, kNames) != nullptr;
}

// What SQLite reads a text as: names, strings, numbers and signs, in small letters, quotes undone,
// without comments.
class SqlTokens {
 public:
  explicit SqlTokens(std::string_view sql) : sql_(sql) {
    while (at_ < sql_.size()) Take();
  }
  size_t size() const { return tokens_.size(); }
  // "" behind the last.
  std::string_view operator[](size_t i) const {
    return i < size() ? std::string_view(tokens_[i]) : std::string_view();
  }
  bool Contains(const std::string& token) const {
    return std::find(tokens_.begin(), tokens_.end(), token) != tokens_.end();
  }
  std::span<const std::string> From(size_t i) const& {
    return std::span(tokens_).subspan(std::min(i, size()));
  }

 private:
  static bool IsInName(char c) {
    return IsAsciiLetter(c) || IsAsciiDigit(c) || c == '_' || c == '$' || (c & 0x80) != 0;
  }
  void Take() {
    const char c = sql_[at_];
    const std::string_view rest = sql_.substr(at_);
    if (IsAsciiBlank(c)) {
      at_++;
    } else if (rest.starts_with("--")) {
      at_ = std::min(sql_.find('\n', at_), sql_.size());
    } else if (rest.starts_with("/*")) {
      const size_t end = sql_.find("*/", at_ + 2);
      at_ = end == sql_.npos ? sql_.size() : end + 2;
    } else if (c == '"' || c == '\'' || c == '`' || c == '[') {
      TakeQuoted(c == '[' ? ']' : c);
    } else {
      const size_t begin = at_;
      while (at_ < sql_.size() && IsInName(sql_[at_])) at_++;
      at_ = std::max(at_, begin + 1);
      tokens_.push_back(LowerAscii(sql_.substr(begin, at_ - begin)));
    }
  }
  void TakeQuoted(char close) {
    std::string value;
    for (at_++; at_ < sql_.size(); at_++) {
      const bool is_end = sql_[at_] == close;
      const bool is_doubled =
          is_end && close != ']' && at_ + 1 < sql_.size() && sql_[at_ + 1] == close;
      if (is_doubled) at_++;
      if (is_end && !is_doubled) break;
      value += sql_[at_];
    }
    at_ = std::min(at_ + 1, sql_.size());
    tokens_.push_back(LowerAscii(value));
  }

  std::string_view sql_;
  size_t at_ = 0;
  std::vector<std::string> tokens_;
};

// Names of virtual tables, and of modules that are tables by themselves, which may do more than
// read and write the database; in small letters.
std::set<std::string, std::less<>> HarmfulNames(sqlite3* db) {
  std::set<std::string, std::less<>> harmful;
  Statement modules(db, "SELECT name FROM temp.pragma_module_list");
  while (modules.Step()) {
    std::string name = LowerAscii(modules.Text(0));
    if (!IsHarmlessModule(name)) harmful.insert(std::move(name));
  }
  struct VirtualTable {
    std::string name;
    bool is_harmless;
    SqlTokens sql;
    size_t arguments;  // from this token on
  };
  std::vector<VirtualTable> tables;
  for (const std::string& schema : Schemas(db)) {
    // Of a row SQLite looks at the text alone, whatever else a stranger has written into it.
    Statement rows(db, "SELECT sql FROM " + SchemaTable(schema) + " WHERE sql IS NOT NULL");
    while (rows.Step()) {
      SqlTokens sql(rows.Text(0));
      if (sql[1] != "virtual") continue;
      size_t at = sql[3] == "if" && sql[4] == "not" ? 6 : 3;
      if (sql[at + 1] == ".") at += 2;
      const bool is_harmless = sql[at + 1] == "using" && IsHarmlessModule(sql[at + 2]);
      tables.push_back({std::string(sql[at]), is_harmless, std::move(sql), at + 3});
    }
  }
  // FTS may read the texts of another table (content = 'v').
  for (size_t before = SIZE_MAX; before != harmful.size();) {
    before = harmful.size();
    for (const VirtualTable& table : tables) {
      const std::span<const std::string> arguments = table.sql.From(table.arguments);
      const bool names_one =
          std::any_of(arguments.begin(), arguments.end(),
                      [&](const std::string& token) { return harmful.contains(token); });
      if (!table.is_harmless || names_one) harmful.insert(table.name);
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
  for (const std::string& word : words.From(0)) {
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
