// The errors of the library. None leaves it: at the C boundary (ext/boundary.h) each becomes a
// result code of SQLite.
#ifndef S2V_CORE_ERROR_H_
#define S2V_CORE_ERROR_H_

#include <algorithm>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

namespace s2v {

// The caller asked for something that cannot be: says what is wrong and what to do instead.
class InvalidArgument : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Throws InvalidArgument, such as "no element 'int4'; there are float32, int8", unless name is one
// of those that are known.
inline void CheckKnown(std::string_view kind, std::string_view name,
                       std::span<const std::string_view> known) {
  if (std::find(known.begin(), known.end(), name) != known.end()) return;
  std::string message = "no " + std::string(kind) + " '" + std::string(name) + "'; there are";
  for (const std::string_view other : known) {
    message += (other == known.front() ? " " : ", ") + std::string(other);
  }
  throw InvalidArgument(message);
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
