// What SQLite reads a text of SQL as.
//
//   const SqlTokens tokens("SELECT \"a\" -- all");     // select, a
//
// Thread rule: a value; its const functions may be called from any thread.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace s2v {

// Whether it begins with a name or a string in one of SQLite's four kinds of quotes.
inline bool BeginsQuoted(std::string_view sql) {
  return !sql.empty() && std::string_view("\"'`[").find(sql.front()) != sql.npos;
}
// Takes that from the front of sql, and appends it to value, its quotes undone. False where nothing
// closes it: then it is all there is. REQUIRES: BeginsQuoted.
bool TakeQuoted(std::string_view* sql, std::string* value);

// Names, strings, numbers and signs, in small letters, quotes undone, without comments.
class SqlTokens {
 public:
  explicit SqlTokens(std::string_view sql);
  // "" behind the last.
  std::string_view operator[](size_t i) const {
    return i < tokens_.size() ? std::string_view(tokens_[i]) : std::string_view();
  }
  const std::vector<std::string>& all() const { return tokens_; }
  bool Contains(const std::string& token) const {
    return std::find(tokens_.begin(), tokens_.end(), token) != tokens_.end();
  }

 private:
  std::vector<std::string> tokens_;
};

// CREATE VIRTUAL TABLE, all in small letters.
struct VirtualTableSql {
  std::string name, module;
  std::vector<std::string> arguments;  // the tokens of all of them
};
// Nothing of another statement.
std::optional<VirtualTableSql> ReadVirtualTable(std::string_view sql);

}  // namespace s2v
