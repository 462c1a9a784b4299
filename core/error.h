// The errors of the library. None leaves it: at the C boundary (ext/boundary.h) each becomes a
// result code of SQLite.
#ifndef S2V_CORE_ERROR_H_
#define S2V_CORE_ERROR_H_

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>

namespace s2v {

// The caller asked for something that cannot be: says what is wrong and what to do instead.
class InvalidArgument : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Of a name itself, or of something that has one.
template <typename Item>
std::string_view NameOf(const Item& item) {
  if constexpr (std::is_convertible_v<Item, std::string_view>) {
    return item;
  } else if constexpr (requires { item.name(); }) {
    return item.name();
  } else {
    return item.name;
  }
}
// "float32, int8"
template <typename Items>
std::string NamesOf(const Items& items) {
  std::string names;
  for (const auto& item : items) names.append(names.empty() ? "" : ", ").append(NameOf(item));
  return names;
}
// Throws InvalidArgument, such as "no element 'int4'; there are float32, int8", unless name is one
// of those that are known.
template <typename Items>
void CheckKnown(std::string_view kind, std::string_view name, const Items& known) {
  if (std::any_of(std::begin(known), std::end(known),
                  [&](const auto& item) { return NameOf(item) == name; })) {
    return;
  }
  throw InvalidArgument("no " + std::string(kind) + " '" + std::string(name) + "'; there are " +
                        NamesOf(known));
}

// Stored data does not follow the format; the message names the table and the key.
class FormatError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The work was stopped on request (Ctrl-C, an interrupted statement). Nothing was changed.
class Interrupted : public std::runtime_error {
 public:
  Interrupted() : std::runtime_error("interrupted") {}
};

}  // namespace s2v

#endif  // S2V_CORE_ERROR_H_
