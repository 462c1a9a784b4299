#include "sql/row_cache.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <map>
#include <new>
#include <utility>

#include "core/huge_pages.h"
#include "core/random.h"

namespace s2v {
namespace {

constexpr size_t kFewestSlots = 64, kFirstSlots = 1024;
// Chunks small enough that a quarter of them is several, large enough for huge pages.
constexpr uint64_t kLeastChunkBytes = uint64_t{16} << 10, kLargestChunkBytes = uint64_t{2} << 20;
constexpr uint64_t kChunksOfBudget = 32;
// With fewer victims no row is copied: copies might fill as many chunks as were let go.
constexpr size_t kVictimsForCopies = 4;
// How much of a row to prefetch when it is found: all of a small one, as of int8, of
// others the beginning. The kernel asks for beginnings too, and the processor goes on where a row
// is read in order.
constexpr size_t kSmallRow = 640, kPrefetchBytes = 128;
constexpr size_t kSpareChunks = 16;  // of a new table

size_t ChunkBytes(uint64_t budget) {
  return std::clamp(std::bit_floor(budget / kChunksOfBudget), kLeastChunkBytes, kLargestChunkBytes);
}

// At most a quarter of the budget is slots.
size_t MaxSlots(uint64_t budget) {
  constexpr uint64_t kSlotBytes = 16;
  return std::max<uint64_t>(std::bit_floor(budget / 4 / kSlotBytes), kFewestSlots);
}

void PrefetchRow(const void* row, size_t row_bytes) {
  const size_t bytes = row_bytes <= kSmallRow ? row_bytes : kPrefetchBytes;
  for (size_t at = 0; at < bytes; at += 64) {
    __builtin_prefetch(static_cast<const char*>(row) + at);
  }
}

std::align_val_t Alignment(size_t bytes) {
  return std::align_val_t{bytes % kHugePage == 0 ? kHugePage : 64};
}

char* Allocate(size_t bytes) {
  void* const memory = ::operator new(bytes, Alignment(bytes));
  if (bytes % kHugePage == 0) WishHugePages(memory, bytes);
  return static_cast<char*>(memory);
}

}  // namespace

class RowCache::Table {
 public:
  static constexpr size_t kLine = 64;  // blocks begin on a line of the processor's cache

  // A slot's value. Lines are numbered through all chunks, chunk_bytes / kLine to each.
  struct Value {
    // Bits 0..30: the frequency, a float without its sign, which no frequency has; 33..63: 1 + the
    // number of the block's first line, or kAbsent: no block.
    uint64_t bits = 0;
    static constexpr uint64_t kWord = uint64_t{1} << 31;
    static constexpr uint64_t kUsed = uint64_t{1} << 32;  // found since the last eviction
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
    // The same block, `lines` lines further down and not used yet.
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
    float burst;

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
  // Whether its block is in one of the first first_chunks chunks.
  bool IsIn(Value value, size_t first_chunks) const {
    return value.line() >> chunk_shift_ < first_chunks;
  }
  const WordHeader& Header(Value value) const {
    return *reinterpret_cast<const WordHeader*>(Block(value));
  }
  Feature FeatureOf(Value value) const {
    if (!value.has_block()) return {};
    if (!value.is_word()) return {Block(value), value.frequency()};
    return {Header(value).row(), value.frequency(), Header(value).id(), Header(value).burst};
  }

  // ---- writing, under the cache's mutex ----

  size_t slots() const { return mask_ + 1; }
  // An open table gets slow as it fills: at five eighths a hit looks at 1.8 slots on average.
  bool HasFreeSlot() const { return entries_ < (mask_ + 1) / 8 * 5; }
  uint64_t Bytes() const {
    uint64_t bytes = slots() * sizeof(Slot) + max_chunks_ * sizeof(char*);
    for (const auto& chunk : chunks_) bytes += chunk->bytes;
    return bytes;
  }
  size_t chunks() const { return chunks_.size(); }
  uint64_t chunk_lines() const { return uint64_t{1} << chunk_shift_; }
  bool HasRoom(size_t bytes) const { return bytes <= open_bytes_; }
  bool CanAddChunk() const { return chunks_.size() < max_chunks_; }
  // Throws std::bad_alloc. REQUIRES: CanAddChunk.
  void AddChunk(size_t least_bytes) {
    chunks_.push_back(
        std::make_shared<Chunk>(std::max<size_t>(least_bytes, chunk_lines() * kLine)));
    bases_[chunks_.size() - 1] = chunks_.back()->memory;
    open_bytes_ = chunks_.back()->bytes;
  }
  // Takes over the chunks of another table from this one on, where to go on writing too.
  void ShareChunks(const Table& other, size_t first) {
    chunks_.assign(other.chunks_.begin() + static_cast<ptrdiff_t>(first), other.chunks_.end());
    for (size_t i = 0; i < chunks_.size(); i++) bases_[i] = chunks_[i]->memory;
    open_bytes_ = chunks_.empty() ? 0 : other.open_bytes_;
  }
  // Writes a block to the open chunk; gives the number of its first line. REQUIRES: HasRoom.
  uint64_t AddBlock(const Key& key, const void* row, size_t row_bytes) {
    const size_t chunk = chunks_.size() - 1;
    const size_t offset = chunks_[chunk]->bytes - open_bytes_;
    char* to = bases_[chunk] + offset;
    open_bytes_ -= BlockBytes(key, row != nullptr, row_bytes);
    if (key.is_word) {
      new (to) WordHeader{static_cast<uint32_t>(key.word.size()), row != nullptr ? key.id + 1 : 0,
                          key.burst};
      key.word.copy(to + sizeof(WordHeader), key.word.size());
      to += WordHeader::RowOffset(key.word.size());
    }
    if (row != nullptr) std::memcpy(to, row, row_bytes);
    return (static_cast<uint64_t>(chunk) << chunk_shift_) + offset / kLine;
  }
  // REQUIRES: a free slot; the number, and word, is not there.
  void AddSlot(uint64_t number, Value value) {
    size_t at = Mix64(number) & mask_;
    while (slots_[at].value.load(std::memory_order_relaxed) != 0) at = (at + 1) & mask_;
    slots_[at].key.store(number, std::memory_order_relaxed);
    slots_[at].value.store(value.bits, std::memory_order_release);
    entries_++;
  }
  // Calls visit(number, value) for every entry.
  template <class Visit>
  void ForEach(Visit visit) const {
    for (size_t i = 0; i <= mask_; i++) {
      const Value value{slots_[i].value.load(std::memory_order_relaxed)};
      if (!value.is_free()) visit(slots_[i].key.load(std::memory_order_relaxed), value);
    }
  }

 private:
  struct Chunk {
    explicit Chunk(size_t size) : memory(Allocate(size)), bytes(size) {}
    ~Chunk() { ::operator delete(memory, Alignment(bytes)); }
    Chunk(const Chunk&) = delete;
    char* const memory;
    const size_t bytes;
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

namespace {

// Every cache of the process that For made, by file and model.
struct Registry {
  std::mutex mutex;  // taken inside a cache's mutex, never the other way round
  uint64_t budget = RowCache::kDefaultBytes;
  struct Cached {
    std::shared_ptr<RowCache> cache;
    uint64_t last_use = 0;
  };
  std::map<std::pair<uint64_t, std::string>, Cached> caches;
  uint64_t uses = 0;
  std::atomic<uint64_t> hits{0}, misses{0};

  uint64_t Bytes() const {
    uint64_t bytes = 0;
    for (const auto& [key, cached] : caches) bytes += cached.cache->UsedBytes();
    return bytes;
  }
  // Lets go of caches that no reader holds, the longest unused first, until all of them and the
  // bytes that are wanted are in the budget.
  void Trim(uint64_t wanted) {
    const auto last_use = [](const auto& entry) {
      const Cached& cached = entry.second;
      return cached.cache.use_count() > 1 ? UINT64_MAX : cached.last_use;
    };
    const auto is_older = [&](const auto& a, const auto& b) { return last_use(a) < last_use(b); };
    while (Bytes() + wanted > budget) {
      const auto oldest = std::min_element(caches.begin(), caches.end(), is_older);
      if (oldest == caches.end() || last_use(*oldest) == UINT64_MAX) return;
      caches.erase(oldest);
    }
  }
};

Registry& registry = *new Registry;  // never freed: threads may still read at exit

}  // namespace

RowCache::RowCache(uint64_t budget, size_t row_bytes)
    : row_bytes_(row_bytes),
      budget_(std::min(budget, kMaxBytes)),
      chunk_bytes_(ChunkBytes(budget_)),
      max_slots_(MaxSlots(budget_)) {
  Replace(std::make_shared<Table>(std::min(kFirstSlots, max_slots_), kSpareChunks, chunk_bytes_));
}

std::shared_ptr<RowCache> RowCache::For(uint64_t file, const std::string& model, size_t row_bytes) {
  const std::lock_guard<std::mutex> lock(registry.mutex);
  const std::pair key(file, model);
  auto it = registry.caches.find(key);
  if (it == registry.caches.end()) {
    auto cache = std::make_shared<RowCache>(registry.budget, row_bytes);
    cache->is_registered_ = true;
    it = registry.caches.emplace(key, Registry::Cached{std::move(cache), 0}).first;
  }
  it->second.last_use = ++registry.uses;
  return it->second.cache;
}

void RowCache::Forget(uint64_t file) {
  const std::lock_guard<std::mutex> lock(registry.mutex);
  std::erase_if(registry.caches, [&](const auto& cache) { return cache.first.first == file; });
}

void RowCache::SetBudget(uint64_t bytes) {
  const std::lock_guard<std::mutex> lock(registry.mutex);
  registry.budget = std::min(bytes, kMaxBytes);
  registry.caches.clear();
}

uint64_t RowCache::Budget() {
  const std::lock_guard<std::mutex> lock(registry.mutex);
  return registry.budget;
}

RowCache::Statistics RowCache::GetStatistics() {
  const std::lock_guard<std::mutex> lock(registry.mutex);
  return {registry.hits, registry.misses, registry.Bytes()};
}

void RowCache::View::CountIn() {
  if (hits_ + misses_ == 0) return;
  registry.hits.fetch_add(std::exchange(hits_, 0), std::memory_order_relaxed);
  registry.misses.fetch_add(std::exchange(misses_, 0), std::memory_order_relaxed);
}

// ---- reading ----

void RowCache::Pin(View* view) {
  constexpr uint64_t kCountInAfter = 1 << 16;
  if (view->hits_ + view->misses_ > kCountInAfter) view->CountIn();
  view->older_.clear();
  if (view->table_.get() == newest_.load(std::memory_order_acquire)) return;
  const std::lock_guard<std::mutex> lock(mutex_);
  view->table_ = table_;
}

void RowCache::Count(View* view, size_t asked, size_t missed) {
  view->hits_ += asked - missed;
  view->misses_ += missed;
}

// Three walks: to the slots, to the blocks that they point to, to the words in them.
void RowCache::FindWords(View* view, std::span<const WordKey> words, Feature* features,
                         std::vector<uint32_t>* missing) const {
  const Table& table = *view->table_;
  for (const WordKey& key : words) __builtin_prefetch(table.Home(key.hash));
  for (size_t i = 0; i < words.size(); i++) {
    const Table::Value first =
        table.Find(words[i].hash, /*is_word=*/true, [](Table::Value) { return true; });
    features[i] = {};
    if (first.is_free()) continue;
    features[i] = {table.Block(first), first.frequency()};
    __builtin_prefetch(features[i].row);
    PrefetchRow(table.Block(first) + Table::WordHeader::RowOffset(words[i].word.size()),
                row_bytes_);
  }
  const size_t missed_before = missing->size();
  for (uint32_t i = 0; i < words.size(); i++) {
    Feature& feature = features[i];
    const auto* header = static_cast<const Table::WordHeader*>(feature.row);
    if (header != nullptr && header->word() == words[i].word) {
      feature.row = header->row();
      feature.id = header->id();
      feature.burst = header->burst;
      continue;
    }
    // Nothing, or another word of the same hash.
    Table::Value value;
    if (header != nullptr) value = table.Find({words[i].hash, words[i].word, /*is_word=*/true});
    if (value.is_free()) missing->push_back(i);
    feature = value.is_free() ? Feature{} : table.FeatureOf(value);
  }
  Count(view, words.size(), missing->size() - missed_before);
}

void RowCache::FindNgrams(View* view, std::span<const uint64_t> buckets, Feature* features,
                          std::vector<uint32_t>* missing) const {
  const Table& table = *view->table_;
  for (const uint64_t bucket : buckets) __builtin_prefetch(table.Home(bucket));
  const size_t missed_before = missing->size();
  for (uint32_t i = 0; i < buckets.size(); i++) {
    const Table::Value value =
        table.Find(buckets[i], /*is_word=*/false, [](Table::Value) { return true; });
    if (value.is_free()) missing->push_back(i);
    features[i] = value.is_free() ? Feature{} : table.FeatureOf(value);
    if (features[i].row != nullptr) PrefetchRow(features[i].row, row_bytes_);
  }
  Count(view, buckets.size(), missing->size() - missed_before);
}

// ---- writing ----

Feature RowCache::Insert(View* view, const Key& key, const void* row, float frequency) {
  const std::lock_guard<std::mutex> lock(mutex_);
  Table::Value value = table_->Find(key);  // another thread may have been first
  if (value.is_free()) {
    ReserveSlot();
    const size_t bytes = Table::BlockBytes(key, row != nullptr, row_bytes_);
    if (bytes > 0) {
      ReserveBlock(bytes);
      value = Table::Value::Of(key.is_word, frequency, table_->AddBlock(key, row, row_bytes_));
    } else {
      value = Table::Value::OfAbsentNgram();
    }
    table_->AddSlot(key.number, value);
  }
  if (view->table_ != table_) {
    view->older_.push_back(view->table_);
    view->table_ = table_;
  }
  return table_->FeatureOf(value);
}

uint64_t RowCache::Limit() const {
  if (!is_registered_) return budget_;
  constexpr uint64_t kLeastShare = 8;
  const std::lock_guard<std::mutex> lock(registry.mutex);
  registry.Trim(chunk_bytes_);
  const uint64_t all = registry.Bytes(), own = UsedBytes();
  const uint64_t others = all > own ? all - own : 0;
  return std::max(budget_ - std::min(others, budget_), budget_ / kLeastShare);
}

void RowCache::ReserveSlot() {
  while (!table_->HasFreeSlot()) {
    if (table_->slots() < max_slots_) {
      Rebuild(2 * table_->slots());
    } else {
      Evict();
    }
  }
}

void RowCache::ReserveBlock(size_t bytes) {
  if (table_->HasRoom(bytes)) return;
  const uint64_t wanted = std::max(bytes, chunk_bytes_), limit = Limit();
  while (UsedBytes() + wanted > limit && table_->chunks() > 0) Evict();
  // Copies of an eviction may have opened a chunk that still has room.
  if (table_->HasRoom(bytes)) return;
  if (!table_->CanAddChunk()) Rebuild(table_->slots());
  table_->AddChunk(bytes);
  used_.store(table_->Bytes(), std::memory_order_relaxed);
}

void RowCache::Rebuild(size_t slots) {
  auto table = std::make_shared<Table>(slots, 2 * table_->chunks() + kSpareChunks, chunk_bytes_);
  table->ShareChunks(*table_, 0);
  table_->ForEach([&](uint64_t number, Table::Value value) { table->AddSlot(number, value); });
  Replace(std::move(table));
}

void RowCache::Evict() {
  const size_t chunks = table_->chunks();
  const size_t victims = std::min(chunks, std::max<size_t>(chunks / 4, 1));
  auto table = std::make_shared<Table>(table_->slots(), chunks + kSpareChunks, chunk_bytes_);
  table->ShareChunks(*table_, victims);
  size_t copies = victims < kVictimsForCopies ? 0 : victims * chunk_bytes_ / 2;  // bytes left
  size_t absent = table_->slots() / 4;                                           // slots left
  table_->ForEach([&](uint64_t number, Table::Value value) {
    if (!value.has_block()) {
      if (value.is_used() && absent > 0) {
        absent--;
        table->AddSlot(number, Table::Value::OfAbsentNgram());
      }
      return;
    }
    const Feature feature = table_->FeatureOf(value);
    if (!table_->IsIn(value, victims)) {
      table->AddSlot(number, value.MovedDown(victims * table_->chunk_lines()));
      return;
    }
    if (!value.is_used()) return;
    Key key{number, {}, value.is_word(), feature.id, feature.burst};
    if (key.is_word) key.word = table_->Header(value).word();
    const size_t bytes = Table::BlockBytes(key, feature.row != nullptr, row_bytes_);
    if (bytes > copies) return;
    copies -= bytes;
    if (!table->HasRoom(bytes)) table->AddChunk(bytes);
    const uint64_t line = table->AddBlock(key, feature.row, row_bytes_);
    table->AddSlot(number, Table::Value::Of(key.is_word, feature.frequency, line));
  });
  Replace(std::move(table));
}

void RowCache::Replace(std::shared_ptr<Table> table) {
  table_ = std::move(table);
  newest_.store(table_.get(), std::memory_order_release);
  used_.store(table_->Bytes(), std::memory_order_relaxed);
}

}  // namespace s2v
