// The seed of what a test draws at random: S2V_SEED of the environment, or another one in each run.
// It is printed, so that a run that failed can be repeated.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>

namespace s2v::testing {

// what: "random schemas".
inline uint64_t Seed(const char* what) {
  const char* given = std::getenv("S2V_SEED");
  const uint64_t seed = given == nullptr ? static_cast<uint64_t>(std::time(nullptr))
                                         : std::strtoull(given, nullptr, 10);
  std::printf("%s, S2V_SEED=%llu\n", what, static_cast<unsigned long long>(seed));
  std::fflush(stdout);  // a crash may follow
  return seed;
}

}  // namespace s2v::testing
