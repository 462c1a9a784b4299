// The errors of the library. None leaves it: at the C boundary (ext/boundary.h) each becomes a
// result code of SQLite.
#pragma once

#include <algorithm>
#include <functional>
#include <iterator>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>

namespace s2v {

// The caller asked for something that cannot be: says what is wrong and what to do instead.
class InvalidArgument : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// "float32, int8". name: the member that is an item's name, where the item is none itself, or what
// makes it; it is never empty.
template <typename Items, typename Name = std::identity>
std::string NamesOf(const Items& items, Name name = {}, const char* separator = ", ") {
  std::string names;
  for (const auto& item : items) {
    names.append(names.empty() ? "" : separator).append(std::invoke(name, item));
  }
  return names;
}
// The one of the items that has this name; nullptr where none has.
template <typename Items, typename Name = std::identity>
const auto* FindNamed(std::string_view name, const Items& items, Name name_of = {}) {
  const auto found = std::find_if(std::begin(items), std::end(items), [&](const auto& item) {
    return std::invoke(name_of, item) == name;
  });
  return found == std::end(items) ? nullptr : &*found;
}
// The same. Throws InvalidArgument, such as "no element 'int4'; there are float32, int8", where
// none has.
template <typename Items, typename Name = std::identity>
const auto& CheckKnown(std::string_view kind, std::string_view name, const Items& known,
                       Name name_of = {}) {
  if (const auto* item = FindNamed(name, known, name_of)) return *item;
  const char* const verb = std::size(known) == 1 ? "is" : "are";
  throw InvalidArgument("no " + std::string(kind) + " '" + std::string(name) + "'; there " + verb +
                        " " + NamesOf(known, name_of));
}

// Stored data does not follow the format; the message names the table, and mostly the key.
class FormatError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// What it says; where it is the system's, that no thread starts, what that is and what to do.
inline std::string ErrorText(const std::exception& error) {
  const auto* system = dynamic_cast<const std::system_error*>(&error);
  const bool is_thread =
      system != nullptr && system->code() == std::errc::resource_unavailable_try_again;
  return std::string(
             is_thread
                 ? "no thread could be started, for which there is too little memory, or this process may have no more (ulimit -u, ulimit -v): "
                 : "") +
         error.what();
}

// Work was stopped on request (Ctrl-C, an interrupted statement); what it was writing is undone.
class Interrupted : public std::runtime_error {
 public:
  Interrupted() : std::runtime_error("interrupted") {}
};

}  // namespace s2v
