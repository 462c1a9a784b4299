// A bounded cache of one model's rows, shared by all readers of that model's file in the process.
//
//   std::shared_ptr<RowCache> cache = RowCache::For(file, model, RowBytes(element, dimension));
//   RowCache::View view;
//   cache->Pin(&view);                                        // before each text
//   cache->FindNgrams(&view, buckets, features, &missing);    // rows stay valid until the next Pin
//   for (uint32_t i : missing) features[i] = cache->Insert(&view, {buckets[i]}, row, frequency);
//
// A row is RowBytes opaque bytes, as the model stores it. A model is immutable and its hash names
// what it holds, so a row is never stale; but a hash is what a file claims, so another file's rows
// are never taken.
//
// Layout. A table has slots of 16 bytes, open addressing, and chunks of memory that hold blocks:
//
//   slot   key    the word's hash, or the n-gram's bucket
//          value  the feature's frequency, whether it is a word, whether it was used, and where its
//                 block begins; 0: free
//   block  of an n-gram: the row. Of a word: size, its id and burst if it is known, the word's bytes; then, on
//          the next 64-byte boundary, the row. An n-gram known to be absent has a slot only.
//
// So a hit reads the slot's line and the row, and a word's bytes besides: hashes alone would not
// do, since XXH3 collisions can be made on purpose.
//
// Bound. Chunks are taken as they fill and slots double; the budget counts both. When it is
// reached, the oldest quarter of the chunks goes (CLOCK, a chunk at a time). Rows in them that were
// found since the last time are copied to new chunks, where four chunks or more go, and up to half
// of their bytes. The budget is of the process: caches that no reader holds go first; those in use
// share it, but each gets an eighth.
//
// Invariants.
// 1. A table only gains entries: a slot is written once, its value last (release), and never
//    changed but for the bit that says that it was used. So readers need no lock.
// 2. What removes or moves anything makes another table, which shares the chunks that stay. A view
//    holds the tables that it has seen since it was pinned, a table its chunks: rows that a view
//    gave stay where they are until its next Pin.
// 3. Tables are written, and made, under the cache's mutex.
//
// Thread rule: all of it may be called from any thread; a View belongs to one. Hits take no lock,
// nor does Pin, unless there is another table than the view's.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/feature_source.h"

namespace s2v {

class RowCache {
  class Table;

 public:
  static constexpr uint64_t kDefaultBytes = uint64_t{256} << 20;
  // Slots have room for addresses of blocks up to here.
  static constexpr uint64_t kMaxBytes = uint64_t{64} << 30;

  // Keeps what was found through it alive, and counts.
  class View {
   public:
    View() = default;
    ~View() { CountIn(); }
    View(const View&) = delete;
    View& operator=(const View&) = delete;

   private:
    friend class RowCache;
    void CountIn();  // to those of the process
    std::shared_ptr<const Table> table_;
    std::vector<std::shared_ptr<const Table>> older_;  // replaced while the view was pinned
    uint64_t hits_ = 0, misses_ = 0;
  };

  // Of all caches of the process. Those of a view count when it is gone, and now and then.
  struct Statistics {
    uint64_t hits = 0;
    uint64_t misses = 0;
    uint64_t bytes = 0;
  };

  // The process's cache of this model of this file (OpenFiles::Reading), made where there is none
  // yet.
  static std::shared_ptr<RowCache> For(uint64_t file, const std::string& model, size_t row_bytes);
  // Drops what the caches hold of this file (views keep theirs).
  static void Forget(uint64_t file);
  // Drops what the caches hold (views keep theirs) and bounds them by `bytes`, at most
  // kMaxBytes.
  static void SetBudget(uint64_t bytes);
  static uint64_t Budget();
  static Statistics GetStatistics();

  // A cache apart from the process's, for a reader whose file nothing identifies.
  RowCache(uint64_t budget, size_t row_bytes);

  // Lets go of what view held.
  void Pin(View* view);
  // features [words]: row, frequency, id and burst; the row is nullptr where the word is known to
  // be unknown. Appends to missing the indices of those that the cache lacks. Words are compared
  // byte by byte.
  void FindWords(View* view, std::span<const WordKey> words, Feature* features,
                 std::vector<uint32_t>* missing) const;
  void FindNgrams(View* view, std::span<const uint64_t> buckets, Feature* features,
                  std::vector<uint32_t>* missing) const;
  // Of a feature: an n-gram's number is its bucket, a word's its hash.
  struct Key {
    uint64_t number = 0;
    std::string_view word = {};
    bool is_word = false;
    uint32_t id = 0;  // of a known word
    float burst = 0;  // of a known word
  };
  // row: [row_bytes], which need no alignment, or nullptr for a feature known to be absent; copied,
  // unless the feature is there by now. Throws std::bad_alloc.
  Feature Insert(View* view, const Key& key, const void* row, float frequency);

  uint64_t UsedBytes() const { return used_.load(std::memory_order_relaxed); }

 private:
  static void Count(View* view, size_t asked, size_t missed);
  // What this cache may take now.
  uint64_t Limit() const;
  // Make room for one more slot, and for a block. REQUIRES: mutex_.
  void ReserveSlot();
  void ReserveBlock(size_t bytes);
  // Makes another table of `slots` slots, without the blocks of the oldest chunks that are let go.
  void Rebuild(size_t slots);
  void Evict();
  void Replace(std::shared_ptr<Table> table);

  const size_t row_bytes_;
  const uint64_t budget_;
  const size_t chunk_bytes_;
  const size_t max_slots_;
  bool is_registered_ = false;  // shares the process's budget
  std::mutex mutex_;            // guards table_ and all writing
  std::shared_ptr<Table> table_;
  std::atomic<const Table*> newest_{nullptr};  // table_.get()
  std::atomic<uint64_t> used_{0};              // bytes of table_
};

}  // namespace s2v
