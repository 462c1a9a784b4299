// A JSON object, written member by member, and an array.
//
//   JsonObject().Add("name", "news").Add("words", 12).Add("loss", std::optional<double>()).Text()
//   -> {"name":"news","words":12,"loss":null}
#pragma once

#include <string>
#include <string_view>
#include <type_traits>

#include "core/config.h"
#include "core/error.h"
#include "core/text/utf8.h"
#include "sql/statement.h"

namespace s2v {

class JsonObject {
 public:
  // value: a text, a number, a bool, or an optional one of these.
  template <typename T>
  JsonObject& Add(std::string_view name, const T& value) {
    if constexpr (std::is_same_v<T, bool>) {
      return AddJson(name, value ? "true" : "false");
    } else if constexpr (std::is_integral_v<T>) {
      return AddJson(name, std::to_string(value));
    } else if constexpr (std::is_floating_point_v<T>) {
      return AddJson(name, NumberText(value));
    } else if constexpr (std::is_convertible_v<T, std::string_view>) {
      return AddJson(name, JsonString(ValidUtf8(value)));
    } else {
      return value ? Add(name, *value) : AddJson(name, "null");
    }
  }
  // value is JSON already.
  JsonObject& AddJson(std::string_view name, std::string_view value) {
    text_ += (text_.empty() ? "{" : ",") + JsonString(name) + ":";
    text_ += value;
    return *this;
  }
  std::string Text() const { return text_.empty() ? "{}" : text_ + "}"; }

 private:
  std::string text_;
};

// "object", "array", ... as SQLite's json_type says; "" where the text is no JSON. (json_valid says
// no, too, where it has no memory.)
inline std::string JsonType(sqlite3* db, std::string_view text) {
  try {
    return SelectText(db, "SELECT json_type(?1)", text);
  } catch (const SqlError& error) {
    if (error.primary_code() != SQLITE_ERROR) throw;
    return "";
  }
}

// An array: text(item) is each one's JSON.
template <typename Items, typename Text = std::identity>
std::string JsonList(const Items& items, Text text = {}) {
  return "[" + NamesOf(items, text, ",") + "]";
}

}  // namespace s2v
