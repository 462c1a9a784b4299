// Numbers of 32 bits as 1 to 5 bytes: 7 bits a byte, the lowest first, the high bit set in all but
// the last (LEB128). Frequent words have small ids, so a token of English takes 1.6 bytes.
#ifndef S2V_CORE_TRAIN_VARINT_H_
#define S2V_CORE_TRAIN_VARINT_H_

#include <cstddef>
#include <cstdint>
#include <string>

namespace s2v {

inline constexpr size_t kMaxVarintBytes = 5;

// REQUIRES: room for kMaxVarintBytes. Returns where the next one goes.
inline char* WriteVarint(uint32_t value, char* out) {
  while (value >= 0x80) {
    *out++ = static_cast<char>(value | 0x80);
    value >>= 7;
  }
  *out++ = static_cast<char>(value);
  return out;
}

inline void AppendVarint(uint32_t value, std::string* out) {
  char bytes[kMaxVarintBytes];
  out->append(bytes, static_cast<size_t>(WriteVarint(value, bytes) - bytes));
}

// REQUIRES: *in points at a whole number.
inline uint32_t ReadVarint(const char** in) {
  uint32_t value = 0;
  for (unsigned shift = 0;; shift += 7) {
    const auto byte = static_cast<unsigned char>(*(*in)++);
    value |= uint32_t{byte & 0x7fu} << shift;
    if (byte < 0x80) return value;
  }
}

}  // namespace s2v

#endif  // S2V_CORE_TRAIN_VARINT_H_
