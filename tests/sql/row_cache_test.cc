#include "sql/row_cache.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "core/random.h"

namespace s2v {
namespace {

constexpr uint32_t kDimension = 20;
constexpr size_t kRowBytes = kDimension * sizeof(float);
constexpr uint64_t kSmall = 2 << 20;  // chunks of 64 KiB

// The row that belongs to a feature: what a cache gives for it must be just this.
std::vector<float> RowOf(uint64_t key, std::string_view word) {
  Random random(key * 31 + word.size());
  std::vector<float> row;
  for (uint32_t i = 0; i < kDimension; i++) row.push_back(random.Uniform());
  for (const char c : word.substr(0, 100)) row[static_cast<unsigned char>(c) % kDimension] += 1;
  return row;
}

float FrequencyOf(uint64_t key) {
  return static_cast<float>(key % 1000) / 1000;
}

float BurstOf(uint64_t key) {
  return 1 + static_cast<float>(key % 30) / 10;
}

// The feature is there, and what it should be. An n-gram has the word "".
bool Holds(const std::optional<Feature>& found, uint64_t key, std::string_view word) {
  if (!found || found->row == nullptr || found->frequency != FrequencyOf(key)) return false;
  if (reinterpret_cast<uintptr_t>(found->row) % 64 != 0) return false;
  if (found->burst != (word.empty() ? 0 : BurstOf(key))) return false;
  const std::vector<float> row = RowOf(key, word);
  return std::equal(row.begin(), row.end(), static_cast<const float*>(found->row));
}

bool IsAbsent(const std::optional<Feature>& found) {
  return found && found->row == nullptr;
}

// Who reads a cache and fills it, with the rows that belong to the features.
struct CacheReader {
  explicit CacheReader(RowCache* of) { Pin(of); }
  void Pin(RowCache* of) {
    cache = of;
    cache->Pin(&view);
  }

  // Nothing where the cache has no word on it.
  std::optional<Feature> Find(uint64_t key, std::string_view word) {
    Feature feature;
    std::vector<uint32_t> missing;
    const WordKey word_key{word, key};
    if (word.empty()) {
      cache->FindNgrams(&view, {&key, 1}, &feature, &missing);
    } else {
      cache->FindWords(&view, {&word_key, 1}, &feature, &missing);
    }
    if (!missing.empty()) return std::nullopt;
    return feature;
  }
  bool Has(uint64_t key, std::string_view word) { return Holds(Find(key, word), key, word); }
  Feature InsertRow(uint64_t key, std::string_view word, const void* row) {
    if (word.empty()) return cache->Insert(&view, {key}, row, FrequencyOf(key));
    return cache->Insert(&view, {key, word, true, /*id=*/0, BurstOf(key)}, row, FrequencyOf(key));
  }
  Feature Insert(uint64_t key, std::string_view word) {
    return InsertRow(key, word, RowOf(key, word).data());
  }
  Feature InsertAbsent(uint64_t key, std::string_view word) {
    return InsertRow(key, word, nullptr);
  }

  RowCache* cache = nullptr;
  RowCache::View view;
};

TEST_CASE("a row that was inserted is found by key and word") {
  RowCache cache(RowCache::kDefaultBytes, kRowBytes);
  CacheReader reader(&cache);
  CHECK(!reader.Find(5, "cat"));
  CHECK(Holds(reader.Insert(5, "cat"), 5, "cat"));
  CHECK(reader.Has(5, "cat"));
  CHECK(!reader.Find(6, "cat"));
  CHECK(!reader.Find(5, "dog"));
  CHECK(!reader.Find(5, ""));
  CacheReader other(&cache);
  CHECK(other.Has(5, "cat"));
}

TEST_CASE("a row of the caller needs no alignment and may be changed afterwards") {
  RowCache cache(kSmall, kRowBytes);
  CacheReader reader(&cache);
  std::vector<float> row = RowOf(1, "w");
  std::vector<char> bytes(sizeof(float) * kDimension + 1);
  std::memcpy(bytes.data() + 1, row.data(), sizeof(float) * kDimension);
  reader.InsertRow(1, "w", bytes.data() + 1);
  std::fill(bytes.begin(), bytes.end(), '\x7f');
  CHECK(reader.Has(1, "w"));
}

TEST_CASE("words with equal keys and n-grams of the same number are kept apart") {
  RowCache cache(kSmall, kRowBytes);
  CacheReader reader(&cache);
  const std::vector<std::string> words = {"a", "b", "ab", std::string("a\0", 2), ""};
  for (const std::string& word : words) reader.Insert(7, word);
  for (const std::string& word : words) CHECK(reader.Has(7, word));
  // an n-gram has no word at all, not even a pointer to one
  CHECK(Holds(reader.Find(7, {}), 7, ""));
  reader.Insert(8, {});
  CHECK(Holds(reader.Find(8, {}), 8, ""));
}

TEST_CASE("a feature that is known to be absent is remembered as such") {
  RowCache cache(kSmall, kRowBytes);
  CacheReader reader(&cache);
  CHECK(reader.InsertAbsent(3, "ghost").row == nullptr);
  CHECK(IsAbsent(reader.Find(3, "ghost")));
  CHECK(!reader.Find(3, "guest"));
  CHECK(!reader.Find(3, ""));
  CHECK(reader.InsertAbsent(9, "").row == nullptr);
  CHECK(IsAbsent(reader.Find(9, "")));
  CHECK(!reader.Find(9, "w"));
}

TEST_CASE("many are found at once, each in its place, and those that are not are named") {
  RowCache cache(kSmall, kRowBytes);
  CacheReader reader(&cache);
  std::vector<std::string> spelled;
  for (int i = 0; i < 60; i++) spelled.push_back("w" + std::to_string(i));
  std::vector<WordKey> words;
  std::vector<uint64_t> buckets;
  std::vector<uint32_t> wanted;
  for (uint32_t i = 0; i < 60; i++) {
    // all words of one hash, so that each walk passes others
    words.push_back({spelled[i], 42});
    buckets.push_back(i);
    if (i % 3 == 0) {
      wanted.push_back(i);
      continue;
    }
    reader.Insert(42, spelled[i]);
    reader.Insert(i, "");
  }
  std::vector<Feature> features(60);
  std::vector<uint32_t> missing;
  cache.FindWords(&reader.view, words, features.data(), &missing);
  CHECK(missing == wanted);
  for (uint32_t i = 0; i < 60; i++) CHECK(Holds(features[i], 42, spelled[i]) == (i % 3 != 0));
  missing.clear();
  cache.FindNgrams(&reader.view, buckets, features.data(), &missing);
  CHECK(missing == wanted);
  for (uint32_t i = 0; i < 60; i++) CHECK(Holds(features[i], i, "") == (i % 3 != 0));
}

TEST_CASE("a frequency that no count gives does not make an n-gram a word") {
  RowCache cache(kSmall, kRowBytes);
  CacheReader reader(&cache);
  const std::vector<float> row = RowOf(7, "");
  cache.Insert(&reader.view, {7}, row.data(), -1);
  const auto found = reader.Find(7, "");
  REQUIRE(found);
  CHECK(std::equal(row.begin(), row.end(), static_cast<const float*>(found->row)));
  CHECK(!reader.Find(7, "w"));
}

TEST_CASE("hits and misses are counted for the process when a view is gone") {
  RowCache cache(kSmall, kRowBytes);
  const RowCache::Statistics before = RowCache::GetStatistics();
  {
    CacheReader reader(&cache);
    reader.Insert(1, "w");
    for (int i = 0; i < 5; i++) reader.Find(1, "w");
    for (int i = 0; i < 3; i++) reader.Find(2, "");
  }
  const RowCache::Statistics after = RowCache::GetStatistics();
  CHECK(after.hits - before.hits == 5);
  CHECK(after.misses - before.misses == 3);
}

TEST_CASE("an empty cache takes next to nothing, whatever its budget") {
  RowCache cache(RowCache::kMaxBytes, kRowBytes);
  CHECK(cache.UsedBytes() < 20000);
  CacheReader reader(&cache);
  reader.Insert(1, "w");
  CHECK(cache.UsedBytes() <= (2 << 20) + 20000);
}

TEST_CASE("what fits into the budget is held entirely") {
  constexpr size_t kLarge = 1216;  // 300 floats
  RowCache cache(uint64_t{8} << 20, kLarge);
  CacheReader reader(&cache);
  std::vector<char> row(kLarge);
  constexpr uint64_t kRows = 6000;  // 7.3 MB of rows in 8.4 MB
  for (uint64_t key = 0; key < kRows; key++) {
    reader.Pin(&cache);
    std::memcpy(row.data(), &key, sizeof(key));
    cache.Insert(&reader.view, {key}, row.data(), 0);
  }
  uint64_t right = 0;
  for (uint64_t key = 0; key < kRows; key++) {
    const auto found = reader.Find(key, "");
    right += found && std::memcmp(found->row, &key, sizeof(key)) == 0;
  }
  CHECK(right == kRows);
  CHECK(cache.UsedBytes() <= uint64_t{8} << 20);
}

TEST_CASE("inserting what is there gives what is there") {
  RowCache cache(kSmall, kRowBytes);
  CacheReader a(&cache), b(&cache);
  const Feature first = a.Insert(1, "w");
  const uint64_t used = cache.UsedBytes();
  CHECK(b.Insert(1, "w").row == first.row);
  CHECK(cache.UsedBytes() == used);
}

TEST_CASE("rows stay valid while their view is pinned, however much is inserted") {
  RowCache cache(kSmall, kRowBytes);
  CacheReader reader(&cache);
  std::vector<Feature> entries;
  const uint64_t count = 40000;  // of 192 bytes and a slot: four budgets
  for (uint64_t key = 0; key < count; key++) entries.push_back(reader.Insert(key, "w"));
  bool all = true;
  for (uint64_t key = 0; key < count; key++) all &= Holds(entries[key], key, "w");
  CHECK(all);
  // the cache itself kept to its bound
  CHECK(cache.UsedBytes() <= kSmall);
  CHECK(cache.UsedBytes() >= kSmall / 4);
  // what another view sees is the newest, and what it finds is right
  CacheReader other(&cache);
  CHECK(other.Has(count - 1, "w"));
  CHECK(!other.Find(0, "w"));
  uint64_t found = 0;
  for (uint64_t key = count; key-- > 0;) {
    const auto feature = other.Find(key, "w");
    if (!feature) break;
    REQUIRE(Holds(feature, key, "w"));
    found++;
  }
  // The newest rows without a gap, in at least half of the budget: 192 bytes each.
  CHECK(found >= kSmall / 2 / 192);
}

TEST_CASE("a row that is used again and again is never lost") {
  RowCache cache(kSmall, kRowBytes);
  CacheReader reader(&cache);
  reader.Insert(1000000, "hot");
  uint64_t lost = 0;
  for (uint64_t key = 0; key < 60000; key++) {
    if (key % 1000 == 0) {
      reader.Pin(&cache);
      lost += !reader.Has(1000000, "hot");
    }
    reader.Insert(key, "w");
  }
  CHECK(lost == 0);
}

TEST_CASE("a row that moved is found again through the same view and the old one stays valid") {
  RowCache cache(kSmall, kRowBytes);
  CacheReader reader(&cache);
  const Feature first = reader.Insert(77, "old");
  reader.InsertAbsent(78, "ghost");
  reader.InsertAbsent(79, "");
  std::optional<Feature> moved;
  for (uint64_t key = 1000; key < 20000; key++) {
    reader.Insert(key, "w");
    moved = reader.Find(77, "old");
    REQUIRE(moved);
    REQUIRE(IsAbsent(reader.Find(78, "ghost")));
    REQUIRE(IsAbsent(reader.Find(79, "")));
  }
  CHECK(moved->row != first.row);
  CHECK(Holds(moved, 77, "old"));
  CHECK(Holds(first, 77, "old"));
}

TEST_CASE("a view that was pinned before others filled the cache still finds what it held") {
  RowCache cache(kSmall, kRowBytes);
  CacheReader early(&cache), late(&cache);
  const Feature entry = early.Insert(1, "early");
  for (uint64_t key = 10; key < 30000; key++) {
    if (key % 100 == 0) late.Pin(&cache);
    late.Insert(key, "w");
  }
  CHECK(Holds(entry, 1, "early"));
  CHECK(early.Has(1, "early"));
  // its insert goes to the newest generation, where all see it
  CHECK(Holds(early.Insert(2, "early"), 2, "early"));
  late.Pin(&cache);
  CHECK(late.Has(2, "early"));
  CHECK(Holds(entry, 1, "early"));
}

TEST_CASE("many absent features stay in the bound as well") {
  RowCache cache(kSmall, kRowBytes);
  CacheReader reader(&cache);
  for (uint64_t key = 0; key < 100000; key++) {
    if (key % 50 == 0) reader.Pin(&cache);
    reader.InsertAbsent(key, "");
    REQUIRE(IsAbsent(reader.Find(key, "")));
  }
  CHECK(cache.UsedBytes() <= kSmall);
}

TEST_CASE("keys that differ in high bits only or are 0 are found") {
  RowCache cache(kSmall, kRowBytes);
  CacheReader reader(&cache);
  for (uint64_t i = 0; i < 64; i++) reader.Insert(uint64_t{1} << i, "w");
  reader.Insert(0, "w");
  reader.Insert(~uint64_t{0}, "w");
  for (uint64_t i = 0; i < 64; i++) CHECK(reader.Has(uint64_t{1} << i, "w"));
  CHECK(reader.Has(0, "w"));
  CHECK(reader.Has(~uint64_t{0}, "w"));
}

TEST_CASE("huge words are held, even those beyond the budget") {
  for (const uint64_t budget : {uint64_t{0}, uint64_t{1000}, kSmall, uint64_t{64} << 20}) {
    RowCache cache(budget, kRowBytes);
    CacheReader reader(&cache);
    reader.Insert(1, "w");
    for (const size_t size : {65535u, 1u << 20, 5u << 20}) {
      CAPTURE(budget);
      CAPTURE(size);
      const std::string word(size, 'x');
      CHECK(Holds(reader.Insert(2, word), 2, word));
      CHECK(reader.Has(2, word));
      CHECK(!reader.Find(2, word.substr(1)));
    }
    reader.Insert(3, "w");
    CHECK(reader.Has(3, "w"));
  }
}

TEST_CASE("caches go by file and model, are shared, and are forgotten with their file") {
  const auto a = RowCache::For(1, "row_cache_test a", kRowBytes);
  const auto b = RowCache::For(1, "row_cache_test b", kRowBytes);
  CHECK(a != b);
  CHECK(a == RowCache::For(1, "row_cache_test a", kRowBytes));
  CacheReader of_a(a.get()), of_b(b.get());
  of_a.Insert(1, "w");
  CHECK(!of_b.Find(1, "w"));
  CHECK(of_a.Has(1, "w"));
  // one view may go from cache to cache
  of_a.Pin(b.get());
  CHECK(!of_a.Find(1, "w"));
  const auto other_file = RowCache::For(2, "row_cache_test a", kRowBytes);
  CHECK(other_file != a);
  RowCache::Forget(2);
  CHECK(a == RowCache::For(1, "row_cache_test a", kRowBytes));
  CHECK(other_file != RowCache::For(2, "row_cache_test a", kRowBytes));
}

struct BudgetRestorer {
  const uint64_t budget = RowCache::Budget();
  ~BudgetRestorer() { RowCache::SetBudget(budget); }
};

TEST_CASE("a new budget drops the caches but not what views hold") {
  const BudgetRestorer restorer;
  RowCache::SetBudget(kSmall);
  CHECK(RowCache::Budget() == kSmall);
  const auto old = RowCache::For(1, "row_cache_test c", kRowBytes);
  CacheReader reader(old.get());
  const Feature entry = reader.Insert(1, "w");
  RowCache::SetBudget(3 * kSmall);
  CHECK(RowCache::Budget() == 3 * kSmall);
  const auto renewed = RowCache::For(1, "row_cache_test c", kRowBytes);
  CHECK(renewed != old);
  CHECK(renewed->UsedBytes() < 20000);  // slots only
  CHECK(Holds(entry, 1, "w"));
  CHECK(reader.Has(1, "w"));
  CacheReader other(renewed.get());
  for (uint64_t key = 0; key < 40000; key++) {
    other.Pin(renewed.get());
    other.Insert(key, "w");
  }
  CHECK(renewed->UsedBytes() > kSmall);
  CHECK(renewed->UsedBytes() <= 3 * kSmall);
}

TEST_CASE("caches that no reader holds are let go when the budget runs out, oldest first") {
  const BudgetRestorer restorer;
  RowCache::SetBudget(2 * kSmall);
  std::vector<std::weak_ptr<RowCache>> caches;
  const auto held = RowCache::For(1, "row_cache_test held", kRowBytes);
  for (int model = 0; model < 10; model++) {
    const auto cache = RowCache::For(1, "row_cache_test model " + std::to_string(model), kRowBytes);
    caches.push_back(cache);
    CacheReader reader(cache.get());
    for (uint64_t key = 0; key < 5000; key++) {  // 0.96 MB
      reader.Pin(cache.get());
      reader.Insert(key, "w");
    }
  }
  CHECK(held == RowCache::For(1, "row_cache_test held", kRowBytes));
  CHECK(caches.front().expired());
  CHECK(!caches.back().expired());
  uint64_t used = 0;
  for (const auto& cache : caches) {
    if (const auto alive = cache.lock()) used += alive->UsedBytes();
  }
  CHECK(used <= 2 * kSmall);
}

TEST_CASE("threads that insert and find at the same time see whole rows only") {
  RowCache cache(kSmall, kRowBytes);
  std::atomic<uint64_t> wrong{0}, hits{0};
  std::vector<std::thread> threads;
  for (uint64_t thread = 0; thread < 4; thread++) {
    threads.emplace_back([&, thread] {
      Random random(thread);
      CacheReader reader(&cache);
      std::vector<std::pair<Feature, uint64_t>> held;
      const auto word_of = [](uint64_t key) {
        return key % 3 == 0 ? std::string() : "w" + std::to_string(key % 7);
      };
      for (int text = 0; text < 1500; text++) {
        reader.Pin(&cache);
        held.clear();
        for (int i = 0; i < 20; i++) {
          // half from few keys that all threads want, half from many that fill the cache
          const uint64_t key = random.Below(2) == 0 ? random.Below(300) : random.Below(40000);
          auto found = reader.Find(key, word_of(key));
          if (found) {
            hits++;
          } else if (key % 5 == 0) {
            found = reader.InsertAbsent(key, word_of(key));
          } else {
            found = reader.Insert(key, word_of(key));
          }
          if (key % 5 == 0) {
            if (!IsAbsent(found)) wrong++;
          } else {
            held.emplace_back(*found, key);
          }
        }
        // all of the text's rows at its end, as the embedder reads them
        for (const auto& [feature, key] : held) {
          if (!Holds(feature, key, word_of(key))) wrong++;
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(wrong == 0);
  CHECK(hits > 10000);
  CHECK(cache.UsedBytes() <= kSmall);
}

TEST_CASE("threads may ask for caches and change the budget at the same time") {
  const BudgetRestorer restorer;
  std::atomic<uint64_t> wrong{0};
  std::vector<std::thread> threads;
  for (uint64_t thread = 0; thread < 4; thread++) {
    threads.emplace_back([&, thread] {
      Random random(thread);
      for (int i = 0; i < 150; i++) {
        if (thread == 0 && i % 10 == 0) RowCache::SetBudget(kSmall + random.Below(1000));
        const uint64_t model = random.Below(3);
        const auto cache =
            RowCache::For(1, "row_cache_test threads " + std::to_string(model), kRowBytes);
        CacheReader reader(cache.get());
        for (uint64_t key = 0; key < 20; key++) {
          // the word tells the model, so that a row of another one would be seen
          const std::string word = "m" + std::to_string(model);
          auto found = reader.Find(key, word);
          if (!found) found = reader.Insert(key, word);
          if (!Holds(found, key, word)) wrong++;
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(wrong == 0);
}

}  // namespace
}  // namespace s2v
