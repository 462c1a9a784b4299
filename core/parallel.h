// Independent jobs on several threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <future>
#include <vector>

namespace s2v {

// A browser's page has threads only where its server sends headers for it, which a static one
// seldom does.
#if defined(__EMSCRIPTEN__) && !defined(__EMSCRIPTEN_PTHREADS__)
inline constexpr bool kHasThreads = false;
#else
inline constexpr bool kHasThreads = true;
#endif

// Runs job(0) .. job(count-1) on the caller's thread and workers-1 others. Rethrows an exception,
// after which no more jobs begin.
template <typename Job>
void RunParallel(size_t count, size_t workers, const Job& job) {
  std::atomic<size_t> next{0};
  const auto work = [&] {
    try {
      for (size_t i; (i = next++) < count;) job(i);
    } catch (...) {
      next = count;
      throw;
    }
  };
  std::vector<std::future<void>> others;
  for (size_t w = 1; w < std::min(workers, count); w++) {
    others.push_back(std::async(std::launch::async, work));
  }
  work();
  for (std::future<void>& other : others) other.get();
}

}  // namespace s2v
