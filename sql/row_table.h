// The table of a RowCache: slots and the chunks that they point into. See sql/row_cache.h
// for the scheme, its invariants and the thread rule.
#ifndef S2V_SQL_ROW_TABLE_H_
#define S2V_SQL_ROW_TABLE_H_

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string_view>
#include <vector>

#include "core/embed/feature_source.h"
#include "sql/row_cache.h"
#include "core/random.h"

namespace s2v {

// Of a feature: an n-gram's number is its bucket, a word's its hash.
struct RowCache::Key {
  uint64_t number = 0;
  std::string_view word = {};
  bool is_word = false;
  uint32_t id = 0;  // of a known word
};

class RowCache::Table {
 public:
  static constexpr size_t kLine = 64;  // blocks begin on a line of the processor's cache

  // A slot's value.
  //   bits  0..30  the frequency, a float without its sign, which no frequency has
  //   bit   31     is a word
  //   bit   32     was found since the last eviction
  //   bits 33..63  1 + the number of the block's first line; kAbsent: no block
  // Lines are numbered through all chunks, chunk_bytes / kLine to each.
  struct Value {
    uint64_t bits = 0;
    static constexpr uint64_t kWord = uint64_t{1} << 31;
    static constexpr uint64_t kUsed = uint64_t{1} << 32;
    static constexpr int kLineShift = 33;
    static constexpr uint64_t kAbsent = 0x7fffffff;

    static Value Of(bool is_word, float frequency, uint64_t line) {
      return {(std::bit_cast<uint32_t>(frequency) & ~kWord) | (is_word ? kWord : 0) |
              (line + 1) << kLineShift};
    }
    static Value OfAbsentNgram() { return {kAbsent << kLineShift}; }
    bool is_free() const { return bits == 0; }
    bool is_word() const { return (bits & kWord) != 0; }
    bool is_used() const { return (bits & kUsed) != 0; }
    // The same block so many lines further down, and not used yet.
    Value MovedDown(uint64_t lines) const { return {(bits & ~kUsed) - (lines << kLineShift)}; }
    bool has_block() const { return bits >> kLineShift != kAbsent; }
    uint64_t line() const { return (bits >> kLineShift) - 1; }
    float frequency() const {
      return std::bit_cast<float>(static_cast<uint32_t>(bits) & ~static_cast<uint32_t>(kWord));
    }
  };

  struct Slot {
    std::atomic<uint64_t> key{0};
    std::atomic<uint64_t> value{0};
  };

  // A word's block begins with it; the word's bytes follow, and the row at RowOffset.
  struct WordHeader {
    uint32_t size;
    uint32_t after_id;  // 1 + the word's id; 0: unknown

    std::string_view word() const { return {reinterpret_cast<const char*>(this + 1), size}; }
    static size_t RowOffset(size_t word_size) { return Rounded(sizeof(WordHeader) + word_size); }
    uint32_t id() const { return after_id == 0 ? 0 : after_id - 1; }
    const void* row() const {
      return after_id != 0 ? reinterpret_cast<const char*>(this) + RowOffset(size) : nullptr;
    }
  };

  static size_t Rounded(size_t bytes) { return (bytes + kLine - 1) / kLine * kLine; }
  // Of a feature's block; 0 where it has none.
  static size_t BlockBytes(const Key& key, bool known, size_t row_bytes) {
    return (key.is_word ? WordHeader::RowOffset(key.word.size()) : 0) +
           (known ? Rounded(row_bytes) : 0);
  }

  // slots: a power of two. chunk_bytes: a power of two, at least kLine.
  Table(size_t slots, size_t max_chunks, size_t chunk_bytes)
      : mask_(slots - 1),
        chunk_shift_(std::countr_zero(chunk_bytes / kLine)),
        max_chunks_(max_chunks),
        slots_(new Slot[slots]),
        bases_(new char*[max_chunks]()) {}

  // ---- reading, from any thread ----

  const Slot* Home(uint64_t number) const { return &slots_[Mix64(number) & mask_]; }
  // The feature's value; free where it is not there. Calls is_same(value) for a word with this
  // hash.
  template <class IsSame>
  Value Find(uint64_t number, bool is_word, IsSame is_same) const {
    for (size_t at = Mix64(number) & mask_;; at = (at + 1) & mask_) {
      Slot& slot = slots_[at];
      const Value value{slot.value.load(std::memory_order_acquire)};
      if (value.is_free()) return {};
      if (slot.key.load(std::memory_order_relaxed) != number || value.is_word() != is_word ||
          !is_same(value)) {
        continue;
      }
      // Looked at first, so that a slot in use is not written again and again.
      if (!value.is_used()) slot.value.fetch_or(Value::kUsed, std::memory_order_relaxed);
      return value;
    }
  }
  Value Find(const Key& key) const {
    return Find(key.number, key.is_word,
                [&](Value value) { return !key.is_word || Header(value).word() == key.word; });
  }
  const char* Block(Value value) const {
    const uint64_t line = value.line();
    const uint64_t chunk = line >> chunk_shift_;
    return bases_[chunk] + (line - (chunk << chunk_shift_)) * kLine;
  }
  // Where the row of a word of this size begins in its block.
  const void* RowIn(Value value, size_t word_size) const {
    return Block(value) + WordHeader::RowOffset(word_size);
  }
  // Whether its block is in one of the first so many chunks.
  bool IsIn(Value value, size_t first_chunks) const {
    return value.line() >> chunk_shift_ < first_chunks;
  }
  const WordHeader& Header(Value value) const {
    return *reinterpret_cast<const WordHeader*>(Block(value));
  }
  Feature FeatureOf(Value value) const {
    if (!value.has_block()) return {};
    if (!value.is_word()) return {Block(value), value.frequency()};
    return {Header(value).row(), value.frequency(), Header(value).id()};
  }

  // ---- writing, under the cache's mutex ----

  size_t slots() const { return mask_ + 1; }
  size_t entries() const { return entries_; }
  // An open table gets slow as it fills: at five eighths a hit looks at 1.8 slots on average.
  bool HasFreeSlot() const { return entries_ < (mask_ + 1) / 8 * 5; }
  uint64_t Bytes() const;
  size_t chunks() const { return chunks_.size(); }
  uint64_t chunk_lines() const { return uint64_t{1} << chunk_shift_; }
  bool HasRoom(size_t bytes) const { return bytes <= open_bytes_; }
  bool CanAddChunk() const { return chunks_.size() < max_chunks_; }
  // Throws std::bad_alloc. REQUIRES: CanAddChunk.
  void AddChunk(size_t least_bytes);
  // Takes over the chunks of another table from this one on, where to go on writing too.
  void ShareChunks(const Table& other, size_t first);
  // Writes a block to the open chunk; gives the number of its first line. REQUIRES: HasRoom.
  uint64_t AddBlock(const Key& key, const void* row, size_t row_bytes);
  // REQUIRES: a free slot; the number, and word, is not there.
  void AddSlot(uint64_t number, Value value);
  // Calls visit(number, value) for every entry.
  template <class Visit>
  void ForEach(Visit visit) const {
    for (size_t i = 0; i <= mask_; i++) {
      const Value value{slots_[i].value.load(std::memory_order_relaxed)};
      if (!value.is_free()) visit(slots_[i].key.load(std::memory_order_relaxed), value);
    }
  }

 private:
  struct Free {
    void operator()(char* memory) const;
  };
  struct Chunk {
    std::unique_ptr<char, Free> memory;
    size_t bytes = 0;
  };

  const size_t mask_;
  const int chunk_shift_;  // lines of a chunk, as a power of two
  const size_t max_chunks_;
  const std::unique_ptr<Slot[]> slots_;
  // [max_chunks_], apart from chunks_ because readers use it while chunks are added: what they look
  // at was written before the slot that led them there.
  const std::unique_ptr<char*[]> bases_;
  std::vector<std::shared_ptr<const Chunk>> chunks_;
  size_t open_bytes_ = 0;  // free at the end of the last chunk
  size_t entries_ = 0;
};

}  // namespace s2v

#endif  // S2V_SQL_ROW_TABLE_H_
