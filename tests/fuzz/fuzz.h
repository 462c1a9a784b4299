// What the fuzzing programs share: how they end where something is wrong, and their loop.
//
//   int main(int argc, char** argv) {
//     return s2v::Fuzz("s2v_fuzz", argc, argv, [&](s2v::Random* random) { ... }) > 0 ? 0 : 1;
//   }
#pragma once

#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "core/random.h"
#include "sql/system/clock.h"

namespace s2v {

[[noreturn]] inline void Fail(const std::string& what) {
  std::fprintf(stderr, "\nfuzz: %s\n", what.c_str());
  std::abort();
}

// Runs once(&random) again and again, each time with the next seed, for --seconds from --seed on. Returns how many times.
template <typename Once>
uint64_t Fuzz(const char* program, int argc, char** argv, Once once) {
  double seconds = 5;
  uint64_t seed = 1;
  for (int i = 1; i + 1 < argc; i += 2) {
    if (std::string_view(argv[i]) == "--seconds") {
      seconds = std::strtod(argv[i + 1], nullptr);
    } else if (std::string_view(argv[i]) == "--seed") {
      seed = std::strtoull(argv[i + 1], nullptr, 10);
    } else {
      std::fprintf(stderr, "usage: %s [--seconds 5] [--seed 1]\n", program);
      std::exit(2);
    }
  }
  const double start = Seconds();
  uint64_t executions = 0;
  for (; Seconds() - start < seconds; executions++) {
    Random random(seed + executions);  // an execution can be repeated: --seed (seed + number)
    std::fprintf(stderr, "\r%llu", static_cast<unsigned long long>(seed) + executions);
    once(&random);
  }
  std::printf("\n%s: %llu executions from seed %llu in %.0f s\n", program, static_cast<unsigned long long>(executions),
              static_cast<unsigned long long>(seed), seconds);
  return executions;
}

}  // namespace s2v
