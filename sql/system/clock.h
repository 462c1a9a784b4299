// The clock that everything is timed by; core has none.
#pragma once

#include <chrono>

namespace s2v {

// Since some moment in the past; never falls.
inline double Seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace s2v
