// Sentences as the trainer reads them: words and the rows of their n-grams, in any order, from
// little memory and, where that is not enough, from a file.
//
//   SentenceStore sentences(order, blocks);       // a shared_ptr<BlockStore>
//   sentences.Add(sentence); ... sentences.Finish();
//   Sentence sentence;                            // reused: reading allocates nothing once warm
//   sentences.Read(i, &sentence);
//
// Encoding, all numbers as varints: a sentence is the size in bytes of what
// follows, the number of tokens, and for each token its word + 1 (0: unknown), followed, for n = 2
// .. order, by the row + 1 (0: none) of the n-gram of n known words that ends here, where there are
// n. A block holds whole groups of kGroup sentences; only the beginnings of groups are remembered.
//
// Thread rule: Read from any thread once it is finished.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "core/random.h"

namespace s2v {

// Numbers of 32 bits as 1 to 5 bytes, 7 bits a byte, the lowest first, the high bit set in all but
// the last (LEB128). Frequent words have small ids, so a token of English takes 1.6 bytes.
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

// A temporary file; sql/system/temporary_file.h has one.
class SpoolFile {
 public:
  virtual ~SpoolFile() = default;
  // From any thread. They throw where it cannot be done.
  virtual void Write(uint64_t offset, std::string_view bytes) = 0;
  virtual void Read(uint64_t offset, size_t size, char* bytes) const = 0;
};

// Where the sentences of a corpus are kept.
struct Spool {
  uint64_t memory_budget = UINT64_MAX;                    // bytes
  std::function<std::unique_ptr<SpoolFile>()> open_file;  // REQUIRED where the budget is finite
};

// Blocks of bytes in memory, up to a budget, and beyond it in a file.
//
// Thread rule: all of it from any thread, but a block is dropped once, when none reads it.
class BlockStore {
 public:
  explicit BlockStore(Spool spool) : spool_(std::move(spool)) {}
  // Throws std::bad_alloc, and what the file throws.
  uint32_t Add(std::string_view bytes);
  // Bytes offset .. offset+size-1 of a block, or those up to its end. They are the block's own or,
  // of one in the file, scratch's: valid until the block is dropped or scratch changes.
  std::string_view Read(uint32_t block, size_t offset, size_t size, std::string* scratch) const;
  // The bytes of a block that is in memory; nullptr where it is in the file or empty.
  const char* InMemory(uint32_t block) const;
  void Drop(uint32_t block);
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

// Marks an n-gram without a row.
inline constexpr uint32_t kNoRow = 0xffffffffu;

struct Sentence {
  std::vector<uint32_t> words;  // [length] ids, kUnknownWord for a word that is not known
  // [(order - 1) * length]: at (n - 2) * length + start the row of the n words from start on,
  // counted from 0, or kNoRow. Empty for ngram_order 1.
  std::vector<uint32_t> ngram_rows;
  std::string scratch;  // of Read
};

class SentenceStore {
 public:
  SentenceStore() = default;
  explicit SentenceStore(size_t ngram_order, std::shared_ptr<BlockStore> blocks)
      : order_(ngram_order), blocks_(std::move(blocks)) {}
  void Add(const Sentence& sentence);
  void Finish();
  uint64_t size() const { return size_; }
  // Throws what the file throws.
  void Read(uint64_t i, Sentence* sentence) const;
  // Asks for what Read reads of sentence i, where that is in memory: first for its place, then,
  // which reads the place, for its beginning.
  void PrefetchPlace(uint64_t i) const { __builtin_prefetch(&groups_[i / kGroup]); }
  void Prefetch(uint64_t i) const;
  uint64_t memory_bytes() const;

 private:
  static constexpr uint64_t kGroup = 4;                   // sentences
  static constexpr size_t kBlockBytes = size_t{1} << 18;  // a block is closed behind this
  static constexpr size_t kPrefetchBytes = 512;           // of a group
  struct Group {
    uint32_t block, offset;
  };
  void CloseBlock();

  size_t order_ = 1;
  std::shared_ptr<BlockStore> blocks_;  // shared with what is counted from: one budget
  std::string open_, encoded_;          // the block that is being written; a sentence
  uint64_t size_ = 0;
  std::vector<Group> groups_;           // [size / kGroup, rounded up]
  std::vector<uint32_t> block_ids_;     // in blocks_
  std::vector<const char*> in_memory_;  // [blocks] once finished; nullptr: in the file
};

// The random order of an epoch. A large store may be larger than what the system keeps of its file
// in memory, so it is read a window at a time: runs of neighbours from anywhere, and their
// sentences in random order. The last neighbours, fewer than a run, end the epoch.
class SentenceOrder {
 public:
  static constexpr uint64_t kRun = 1024, kWindow = uint64_t{1} << 19;  // sentences; about 20 MB
  static constexpr uint64_t kLarge = uint64_t{1} << 21;
  SentenceOrder(uint64_t seed, uint64_t sentences)
      : seed_(seed),
        in_runs_(sentences <= kLarge ? 0 : sentences / kRun * kRun),
        order_(seed, in_runs_ == 0 ? sentences : sentences / kRun) {}
  uint64_t operator[](uint64_t i) const {
    if (in_runs_ == 0) return order_[i];
    if (i >= in_runs_) return i;
    const uint64_t begin = i / kWindow * kWindow;
    const Permutation window(Mix64(seed_) + begin, std::min(kWindow, in_runs_ - begin));
    const uint64_t at = begin + window[i - begin];
    return order_[at / kRun] * kRun + at % kRun;
  }

 private:
  uint64_t seed_, in_runs_;
  Permutation order_;  // of all sentences, or of the runs
};

}  // namespace s2v
