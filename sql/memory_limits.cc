#include "sql/memory_limits.h"

#include <algorithm>
#include <charconv>
#include <string>

#include "core/error.h"
#include "sql/spool_file.h"

namespace s2v {
namespace {

constexpr uint64_t kMegabyte = 1000000;
constexpr uint64_t kTextMemory = 1000 * kMegabyte;

uint64_t TextMemory(const MemoryLimits& limits) {
  if (limits.texts) return static_cast<uint64_t>(*limits.texts) * kMegabyte;
  const uint64_t all =
      limits.all > 0 ? static_cast<uint64_t>(limits.all) * kMegabyte : AvailableMemory();
  return all == 0 ? kTextMemory : std::min(kTextMemory, all / 4);
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

Spool TextSpool(const MemoryLimits& limits) {
  return {TextMemory(limits), OpenSpoolFile};
}

uint64_t MemoryFor(const MemoryNeed& need, const MemoryLimits& limits) {
  if (limits.all > 0) return static_cast<uint64_t>(limits.all) * kMegabyte;
  const uint64_t free = AvailableMemory();
  return free == 0 ? 0 : free + need.Taken();
}

}  // namespace s2v
