#pragma once

#include <string>

#include "core/error.h"

namespace s2v::test {

// The message of the error that body throws; "" where it throws none.
template <class Error = InvalidArgument, class Body>
std::string ErrorOf(Body body) {
  try {
    body();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace s2v::test
