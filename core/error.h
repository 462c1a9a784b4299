// The errors of the library. Each is thrown inside and turned into a SQLite result code at the C
// boundary (ext/boundary.h), which holds the only catch clauses of the extension.
#ifndef S2V_CORE_ERROR_H_
#define S2V_CORE_ERROR_H_

#include <stdexcept>
#include <string>

namespace s2v {

// The caller asked for something that cannot be: says what is wrong and what to do instead.
class InvalidArgument : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

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
