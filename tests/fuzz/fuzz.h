// What the fuzzing programs share: how they end where something is wrong, and their loop.
//
//   int main(int argc, char** argv) {
//     return s2v::Fuzz("s2v_fuzz", argc, argv, {}, [&](s2v::Random* random) { ... }) > 0 ? 0 : 1;
//   }
#pragma once

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <string_view>
#include <vector>

#include "core/random.h"

namespace s2v {

[[noreturn]] inline void Fail(const std::string& what) {
  std::fprintf(stderr, "\nfuzz: %s\n", what.c_str());
  std::abort();
}

// Of processor time: a busy machine makes nothing too slow.
inline double SpentSeconds() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

// An option of one program, which may be given several times: "--profile", and what was given.
struct FuzzOption {
  const char* name;
  std::vector<std::string>* values;
};

// Runs once(&random) again and again, each time with the next seed, for --seconds of processor time
// from --seed on. Returns how many times.
template <typename Once>
uint64_t Fuzz(const char* program, int argc, char** argv, const std::vector<FuzzOption>& options,
              Once once) {
  double seconds = 5;
  uint64_t seed = 1;
  for (int i = 1; i < argc; i += 2) {
    const std::string_view name = argv[i];
    bool is_known = i + 1 < argc;
    if (is_known && name == "--seconds") {
      seconds = std::strtod(argv[i + 1], nullptr);
    } else if (is_known && name == "--seed") {
      seed = std::strtoull(argv[i + 1], nullptr, 10);
    } else {
      is_known = false;
      for (const FuzzOption& option : options) {
        if (i + 1 == argc || name != option.name) continue;
        option.values->emplace_back(argv[i + 1]);
        is_known = true;
      }
    }
    if (is_known) continue;
    std::fprintf(stderr, "usage: %s [--seconds 5] [--seed 1]", program);
    for (const FuzzOption& option : options) std::fprintf(stderr, " [%s NAME ...]", option.name);
    std::fprintf(stderr, "\n");
    std::exit(2);
  }
  const double start = SpentSeconds();
  uint64_t executions = 0;
  for (; SpentSeconds() - start < seconds; executions++) {
    Random random(seed + executions);  // an execution can be repeated: --seed (seed + number)
    std::fprintf(stderr, "\r%llu", static_cast<unsigned long long>(seed) + executions);
    once(&random);
  }
  std::printf("\n%s: %llu executions from seed %llu in %.0f s\n", program,
              static_cast<unsigned long long>(executions), static_cast<unsigned long long>(seed),
              seconds);
  return executions;
}

}  // namespace s2v
