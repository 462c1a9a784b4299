#include "sql/model_format.h"

#include <charconv>

#include "core/error.h"

namespace s2v {

void ThrowDamaged(std::string_view table, int64_t key, const char* advice) {
  throw FormatError("database disk image is malformed: table " + std::string(table) + ", key " +
                    std::to_string(key) + advice);
}

uint64_t ChecksumSeed(const std::string& hash, int64_t id) {
  uint64_t seed = 0;
  const char* const end = hash.data() + 16;
  if (hash.size() != 32 || std::from_chars(hash.data(), end, seed, 16).ptr != end) {
    ThrowDamaged("s2v_model", id);
  }
  return __builtin_bswap64(seed);  // the first digits are of the lowest byte
}

}  // namespace s2v
