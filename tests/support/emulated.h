// Whether an emulator runs these tests (S2V_EMULATED, which a cross build's ctest sets): it takes
// ten to forty times as long, so the longest tests look at fewer of their rows or rounds there.
// What they compare is the same.
#pragma once

#include <cstdlib>

namespace s2v::testing {

inline bool Emulated() {
  return std::getenv("S2V_EMULATED") != nullptr;
}

}  // namespace s2v::testing
