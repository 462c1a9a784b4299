#include "ext/json_options.h"

#include "core/error.h"

namespace s2v {

void ForEachOption(
    sqlite3* db, std::string_view json,
    const std::function<void(const std::string&, const std::string&, const Statement&)>& visit) {
  Statement valid(db, "SELECT CASE WHEN json_valid(?1) THEN json_type(?1) = 'object' END");
  valid.Bind(1, json);
  if (!valid.Step() || valid.Int(0) == 0) {
    throw InvalidArgument(
        "options are not a JSON object; write them as json_object('dimension', 100, ...)");
  }
  Statement each(db, "SELECT key, atom, type FROM json_each(?1)");
  each.Bind(1, json);
  while (each.Step()) {
    const std::string key(each.Text(0)), type(each.Text(2));
    if (type == "null") continue;
    if (type == "object" || type == "array") {
      throw InvalidArgument("option " + key + " is an " + type + "; a single value is expected");
    }
    const std::string value(each.Text(1));  // true is 1, false is 0
    visit(key, value, each);
  }
}

bool BooleanOption(const std::string& key, const std::string& value) {
  if (value != "0" && value != "1") {
    throw InvalidArgument(key + ": true or false expected, not '" + value + "'");
  }
  return value == "1";
}

}  // namespace s2v
