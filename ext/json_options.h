// The options of a SQL function: a JSON object of single values.
//
//   ForEachOption(db, json, [&](const std::string& key, const std::string& value,
//                               const Statement& row) { ... row.Type(1), row.Double(1) });
#ifndef S2V_EXT_JSON_OPTIONS_H_
#define S2V_EXT_JSON_OPTIONS_H_

#include <functional>
#include <string>
#include <string_view>

#include "sql/statement.h"

namespace s2v {

// Visits every member but the nulls: its name, its value as text, and a row whose column 1 is the
// value and column 2 its JSON type. Throws InvalidArgument for what is no JSON object and for
// members that are no single value.
void ForEachOption(
    sqlite3* db, std::string_view json,
    const std::function<void(const std::string&, const std::string&, const Statement&)>& visit);

// true, false, 1 or 0. Throws InvalidArgument otherwise.
bool BooleanOption(const std::string& key, const std::string& value);

}  // namespace s2v

#endif  // S2V_EXT_JSON_OPTIONS_H_
