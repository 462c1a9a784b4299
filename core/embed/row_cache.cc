#include "core/embed/row_cache.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>
#include <new>

#include "core/model/matrix.h"
#include "core/random.h"

namespace s2v {
namespace {

constexpr size_t kChunkBytes = size_t{1} << 20;
// Slots for entries of this average size; smaller ones (unknown features) end a generation by
// number.
constexpr uint64_t kAverageEntryBytes = 256;

// Every cache of the process, by model hash.
struct Registry {
  std::mutex mutex;
  uint64_t budget = RowCache::kDefaultBytes;
  struct Cached {
    std::shared_ptr<RowCache> cache;
    uint64_t last_use = 0;
  };
  std::map<std::string, Cached> caches;
  uint64_t uses = 0;

  // Lets go of caches that no reader holds, the longest unused first, until the rest hold at most
  // half the budget: a process that trains or opens many models does not keep the rows of all of
  // them.
  void Trim() {
    uint64_t held = 0;
    for (const auto& [hash, cached] : caches) held += cached.cache->UsedBytes();
    while (held > budget / 2) {
      auto oldest = caches.end();
      for (auto it = caches.begin(); it != caches.end(); ++it) {
        if (it->second.cache.use_count() > 1) continue;
        if (oldest == caches.end() || it->second.last_use < oldest->second.last_use) oldest = it;
      }
      if (oldest == caches.end()) return;
      held -= std::min(held, oldest->second.cache->UsedBytes());
      caches.erase(oldest);
    }
  }
};

Registry& TheRegistry() {
  static Registry* registry = new Registry;  // never freed: threads may still read at exit
  return *registry;
}

size_t SlotsFor(uint64_t bytes) {
  size_t slots = 1024;
  while (slots * kAverageEntryBytes < bytes) slots *= 2;
  return slots;
}

}  // namespace

RowCache::Generation::Generation(uint64_t bytes) : budget_(bytes), slots_(SlotsFor(bytes)) {}

RowCache::Generation::~Generation() {
  for (void* chunk : chunks_) std::free(chunk);
}

const RowCache::Entry* RowCache::Generation::Find(uint64_t key, std::string_view word) const {
  const size_t mask = slots_.size() - 1;
  for (size_t slot = Mix64(key) & mask;; slot = (slot + 1) & mask) {
    const Entry* entry = slots_[slot].load(std::memory_order_acquire);
    if (entry == nullptr) return nullptr;
    if (entry->key == key && entry->word() == word) return entry;
  }
}

const RowCache::Entry* RowCache::Generation::Add(uint64_t key, std::string_view word,
                                                 const void* row, float frequency,
                                                 uint32_t dimension, uint32_t stride) {
  const auto word_size = static_cast<uint32_t>(word.size());
  const size_t offset = Entry::RowOffset(word_size);
  const size_t bytes =
      row == nullptr ? (sizeof(Entry) + word_size + 63) / 64 * 64 : offset + stride * sizeof(float);
  if (entries_ >= slots_.size() / 4 * 3 || used_ + bytes > budget_) return nullptr;
  auto* entry = static_cast<Entry*>(Allocate(bytes));
  entry->key = key;
  entry->word_size = word_size;
  entry->frequency = frequency;
  entry->known = row != nullptr;
  word.copy(reinterpret_cast<char*>(entry + 1), word_size);  // data() may be null where it is empty
  if (row != nullptr) {
    auto* copy = reinterpret_cast<float*>(reinterpret_cast<char*>(entry) + offset);
    std::memcpy(copy, row, dimension * sizeof(float));
    std::memset(copy + dimension, 0, (stride - dimension) * sizeof(float));
  }
  const size_t mask = slots_.size() - 1;
  size_t slot = Mix64(key) & mask;
  while (slots_[slot].load(std::memory_order_relaxed) != nullptr) slot = (slot + 1) & mask;
  slots_[slot].store(entry, std::memory_order_release);
  entries_++;
  used_ += bytes;
  return entry;
}

// REQUIRES: bytes is a multiple of 64.
void* RowCache::Generation::Allocate(size_t bytes) {
  if (bytes > free_bytes_) {
    const size_t size = std::max(kChunkBytes, bytes);
    chunks_.reserve(chunks_.size() + 1);
    void* chunk = std::aligned_alloc(64, size);
    if (chunk == nullptr) throw std::bad_alloc();
    chunks_.push_back(chunk);
    free_ = static_cast<char*>(chunk);
    free_bytes_ = size;
  }
  void* memory = free_;
  free_ += bytes;
  free_bytes_ -= bytes;
  return memory;
}

RowCache::RowCache(uint64_t bytes, uint32_t dimension)
    : budget_(bytes),
      dimension_(dimension),
      stride_(Matrix::Stride(dimension)),
      current_(std::make_shared<Generation>(bytes / 2)) {}

std::shared_ptr<RowCache> RowCache::For(const std::string& model_hash, uint32_t dimension) {
  Registry& registry = TheRegistry();
  const std::lock_guard<std::mutex> lock(registry.mutex);
  auto it = registry.caches.find(model_hash);
  if (it == registry.caches.end()) {
    registry.Trim();
    auto cache = std::make_shared<RowCache>(registry.budget, dimension);
    it = registry.caches.emplace(model_hash, Registry::Cached{std::move(cache), 0}).first;
  }
  it->second.last_use = ++registry.uses;
  return it->second.cache;
}

void RowCache::SetBudget(uint64_t bytes) {
  Registry& registry = TheRegistry();
  const std::lock_guard<std::mutex> lock(registry.mutex);
  registry.budget = bytes;
  registry.caches.clear();
}

uint64_t RowCache::Budget() {
  Registry& registry = TheRegistry();
  const std::lock_guard<std::mutex> lock(registry.mutex);
  return registry.budget;
}

uint64_t RowCache::UsedBytes() {
  const std::lock_guard<std::mutex> lock(mutex_);
  return current_->used() + (previous_ == nullptr ? 0 : previous_->used());
}

void RowCache::Pin(View* view) {
  view->older_.clear();
  const std::lock_guard<std::mutex> lock(mutex_);
  if (view->current_ != current_) {
    view->current_ = current_;
    view->previous_ = previous_;
  }
}

const RowCache::Entry* RowCache::Find(View* view, uint64_t key, std::string_view word) {
  const Entry* entry = view->current_->Find(key, word);
  if (entry != nullptr || view->previous_ == nullptr) return entry;
  entry = view->previous_->Find(key, word);
  if (entry == nullptr) return nullptr;
  return Insert(view, key, word, entry->row(), entry->frequency);
}

const RowCache::Entry* RowCache::Insert(View* view, uint64_t key, std::string_view word,
                                        const void* row, float frequency) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const Entry* entry = current_->Find(key, word);  // another thread may have been first
  if (entry == nullptr) entry = current_->Add(key, word, row, frequency, dimension_, stride_);
  if (entry == nullptr) {
    const uint64_t own =
        Entry::RowOffset(static_cast<uint32_t>(word.size())) + stride_ * sizeof(float);
    auto next = std::make_shared<Generation>(std::max({budget_ / 2, uint64_t{kChunkBytes}, own}));
    entry = next->Add(key, word, row, frequency, dimension_, stride_);
    previous_ = std::move(current_);
    current_ = std::move(next);
  }
  if (view->current_ != current_) {
    view->older_.reserve(view->older_.size() + 2);
    view->older_.push_back(std::move(view->previous_));
    view->older_.push_back(std::move(view->current_));
    view->current_ = current_;
    view->previous_ = previous_;
  }
  return entry;
}

}  // namespace s2v
