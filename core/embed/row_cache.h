// A bounded cache of one model's rows, shared by all readers of that model in the process.
//
//   std::shared_ptr<RowCache> cache = RowCache::For(model_hash, dimension);
//   RowCache::View view;
//   cache->Pin(&view);                                    // rows found through it stay valid with
//   it const RowCache::Entry* entry = cache->Find(&view, key, word); if (entry == nullptr) entry =
//   cache->Insert(&view, key, word, row);
//
// Keyed by content: a model is immutable and its hash names what it holds, so an entry is never
// stale and nothing needs to be told of a retrained model.
//
// How it is bounded: rows go to the current generation; when that is full it becomes the previous
// one, the one before is let go, and rows found in the previous one are copied to the current one.
// So it holds at least half of its budget of the rows used last, and a generation lives until its
// last view does.
//
// Thread rule: all of it may be called from any thread; a View belongs to one. Find takes no lock.
#ifndef S2V_CORE_EMBED_ROW_CACHE_H_
#define S2V_CORE_EMBED_ROW_CACHE_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace s2v {

class RowCache {
 public:
  static constexpr uint64_t kDefaultBytes = uint64_t{256} << 20;

  struct Entry {
    uint64_t key;
    uint32_t word_size;
    float frequency;  // of the feature in the corpus
    bool known;
    // [stride] on a 64-byte boundary, zeros behind the dimension; nullptr where it is unknown.
    const float* row() const {
      return known ? reinterpret_cast<const float*>(reinterpret_cast<const char*>(this) +
                                                    RowOffset(word_size))
                   : nullptr;
    }
    std::string_view word() const { return {reinterpret_cast<const char*>(this + 1), word_size}; }
    static size_t RowOffset(uint32_t word_size) {
      return (sizeof(Entry) + word_size + 63) / 64 * 64;
    }
  };

 private:
  // Slots and memory that are filled once and freed together.
  class Generation {
   public:
    explicit Generation(uint64_t bytes);
    ~Generation();
    uint64_t used() const { return used_; }
    const Entry* Find(uint64_t key, std::string_view word) const;
    // nullptr where it is full. REQUIRES: the cache's mutex; the key is not there.
    const Entry* Add(uint64_t key, std::string_view word, const void* row, float frequency,
                     uint32_t dimension, uint32_t stride);

   private:
    void* Allocate(size_t bytes);
    const uint64_t budget_;
    uint64_t used_ = 0;
    size_t entries_ = 0;
    std::vector<std::atomic<Entry*>> slots_;  // open addressing, a power of two
    std::vector<void*> chunks_;
    char* free_ = nullptr;
    size_t free_bytes_ = 0;
  };

 public:
  // Keeps what was found through it alive.
  class View {
    friend class RowCache;
    std::shared_ptr<Generation> current_;
    std::shared_ptr<Generation> previous_;
    std::vector<std::shared_ptr<Generation>> older_;  // replaced while the view was pinned
  };

  // The process's cache of the model with this hash, made where there is none yet.
  static std::shared_ptr<RowCache> For(const std::string& model_hash, uint32_t dimension);
  // Drops what the caches hold (views keep theirs) and bounds each by so many bytes.
  static void SetBudget(uint64_t bytes);
  static uint64_t Budget();

  // Lets go of what view held.
  void Pin(View* view);
  // nullptr where the cache has no word on it. word: of a word feature, compared byte by byte, so
  // that no collision of hashes mixes two words up; empty for an n-gram.
  const Entry* Find(View* view, uint64_t key, std::string_view word);
  // row: [dimension] floats, which need no alignment, or nullptr for a feature known to be absent.
  // Throws std::bad_alloc.
  const Entry* Insert(View* view, uint64_t key, std::string_view word, const void* row,
                      float frequency = 0);

  uint64_t UsedBytes();

  RowCache(uint64_t bytes, uint32_t dimension);

 private:
  const uint64_t budget_;
  const uint32_t dimension_, stride_;
  std::mutex mutex_;  // guards the pointers and all writing
  std::shared_ptr<Generation> current_;
  std::shared_ptr<Generation> previous_;
};

}  // namespace s2v

#endif  // S2V_CORE_EMBED_ROW_CACHE_H_
