// Blocks of bytes in memory, up to a budget, and beyond it in a file.
//
//   BlockStore blocks(spool);
//   const uint32_t block = blocks.Add(bytes);
//   blocks.Read(block, offset, size, &scratch)      // a view: of the block itself, or of scratch
//   blocks.Drop(block);                             // gives its memory back at once
//
// And the numbers in them: 32 bits as 1 to 5 bytes, 7 bits a byte, the lowest first, the high bit set
// in all but the last (LEB128). Frequent words have small ids, so a token of English takes 1.6 bytes.
//
// Thread rule: all of it from any thread, but a block is dropped once, when none reads it.
#ifndef S2V_CORE_TRAIN_BLOCK_STORE_H_
#define S2V_CORE_TRAIN_BLOCK_STORE_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

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

// REQUIRES: *in points at a whole number.
inline uint32_t ReadVarint(const char** in) {
  uint32_t value = 0;
  for (unsigned shift = 0;; shift += 7) {
    const auto byte = static_cast<unsigned char>(*(*in)++);
    value |= uint32_t{byte & 0x7fu} << shift;
    if (byte < 0x80) return value;
  }
}

// A temporary file; sql/system.h has one.
class SpoolFile {
 public:
  virtual ~SpoolFile() = default;
  // From any thread. They throw what says why it could not be done.
  virtual void Write(uint64_t offset, std::string_view bytes) = 0;
  virtual void Read(uint64_t offset, size_t size, char* bytes) const = 0;
};

// Where the sentences of a corpus are kept.
struct Spool {
  uint64_t memory_budget = UINT64_MAX;                    // bytes
  std::function<std::unique_ptr<SpoolFile>()> open_file;  // REQUIRED where the budget is finite
};

class BlockStore {
 public:
  explicit BlockStore(Spool spool) : spool_(std::move(spool)) {}
  // Throws std::bad_alloc, and what the file throws.
  uint32_t Add(std::string_view bytes);
  // Bytes offset .. offset+size-1 of a block, valid until the next use of scratch and while the
  // block is not dropped.
  std::string_view Read(uint32_t block, size_t offset, size_t size, std::string* scratch) const;
  // The bytes of a block that is in memory; nullptr where it is in the file or empty.
  const char* InMemory(uint32_t block) const;
  void Drop(uint32_t block);
  size_t size(uint32_t block) const;
  uint64_t memory_bytes() const;

 private:
  struct Block {
    std::string memory;  // empty: in the file
    size_t size = 0;
    uint64_t file_offset = 0;
  };

  const Spool spool_;
  mutable std::mutex mutex_;  // guards all below
  std::vector<std::unique_ptr<Block>> blocks_;
  std::unique_ptr<SpoolFile> file_;
  uint64_t memory_bytes_ = 0, file_bytes_ = 0;
};

}  // namespace s2v

#endif  // S2V_CORE_TRAIN_BLOCK_STORE_H_
