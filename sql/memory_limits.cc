#include "sql/memory_limits.h"

#include <algorithm>
#include <charconv>
#include <string>

#include "core/error.h"
#include "sql/spool_file.h"

namespace s2v {
namespace {

constexpr uint64_t kMegabyte = 1000000;
constexpr uint64_t kTextBytes = 1000 * kMegabyte;

// 1 / part of what there is, at most most.
uint64_t Share(int64_t limit, uint64_t part, uint64_t most) {
  const uint64_t all = limit > 0 ? static_cast<uint64_t>(limit) * kMegabyte : AvailableMemory();
  return all == 0 ? most : std::min(most, all / part);
}

}  // namespace

int64_t ParseMegabytes(std::string_view name, std::string_view value) {
  constexpr int64_t kMost = 1000000000;
  int64_t number = 0;
  const char* end = value.data() + value.size();
  const auto [stop, error] = std::from_chars(value.data(), end, number);
  if (error != std::errc() || stop != end || number < 0 || number > kMost) {
    throw InvalidArgument(std::string(name) + ": a whole number of megabytes from 0 to " +
                          std::to_string(kMost) + " expected, not '" + std::string(value) + "'");
  }
  return number;
}

Spool TextSpool(int64_t limit) {
  return {Share(limit, 4, kTextBytes), OpenSpoolFile};
}

uint64_t WordBytes(int64_t limit) {
  return Share(limit, 2, CorpusBuilder::kMostWordBytes);
}

uint64_t MemoryFor(const MemoryNeed& need, int64_t limit) {
  if (limit > 0) return static_cast<uint64_t>(limit) * kMegabyte;
  const uint64_t free = AvailableMemory();
  return free == 0 ? 0 : free + need.Taken();
}

}  // namespace s2v
