#include "ext/arguments.h"

#include <set>

namespace s2v {
namespace {

// As a byte or as the escape \u0000.
bool HasNulCharacter(std::string_view json) {
  for (size_t at = 0; (at = json.find_first_of(std::string_view("\0\\", 2), at)) != json.npos;
       at += 2) {
    if (json[at] == '\0' || json.substr(at, 6) == "\\u0000") return true;
  }
  return false;
}

}  // namespace

void ForEachOption(
    sqlite3* db, std::string_view json,
    const std::function<void(const std::string&, const std::string&, std::string_view)>& visit) {
  if (HasNulCharacter(json))
    throw InvalidArgument("options have a character U+0000, which no value may");
  Statement valid(db, "SELECT CASE WHEN json_valid(?1) THEN json_type(?1) = 'object' END");
  valid.Bind(1, json);
  if (!valid.Step() || valid.Int(0) == 0) {
    throw InvalidArgument(
        "options are not a JSON object; write them as json_object('dimension', 100, ...)");
  }
  // A number as it is written: SQLite may read it by the locale of the program.
  Statement each(
      db,
      "SELECT key, iif(type = 'real' AND key NOT GLOB '*[^a-z_0-9]*', ?1 -> fullkey, atom), type "
      "FROM json_each(?1)");
  each.Bind(1, json);
  std::set<std::string> given;
  while (each.Step()) {
    const std::string key(each.Text(0)), type(each.Text(2));
    if (!given.insert(key).second) throw InvalidArgument("option " + key + " is given twice");
    if (type == "null") continue;
    if (type == "object" || type == "array") {
      throw InvalidArgument("option " + key + " is an " + type + "; a single value is expected");
    }
    const std::string value(each.Text(1));  // true is 1, false is 0
    visit(key, value, type);
  }
}

bool BooleanOption(const std::string& key, const std::string& value) {
  if (value != "0" && value != "1") {
    throw InvalidArgument(key + ": true or false expected, not '" + value + "'");
  }
  return value == "1";
}

}  // namespace s2v
