#pragma once

#include <string>

#include "core/error.h"

namespace s2v::test {

// The message of the error that body throws; "" where it throws none.
template <class Body>
std::string ErrorOf(Body body) {
  try {
    body();
  } catch (const InvalidArgument& error) {
    return error.what();
  }
  return "";
}

}  // namespace s2v::test
