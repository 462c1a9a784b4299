#include "core/embed/row_cache.h"

#include <doctest/doctest.h>

#include <atomic>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "core/random.h"

namespace s2v {
namespace {

constexpr uint32_t kDimension = 20;   // stride 32
constexpr uint64_t kSmall = 2 << 20;  // generations of 1 MiB

// The row that belongs to a feature: what a cache gives for it must be just this.
std::vector<float> RowOf(uint64_t key, std::string_view word) {
  Random random(key * 31 + word.size());
  std::vector<float> row;
  for (uint32_t i = 0; i < kDimension; i++) row.push_back(random.Uniform());
  for (const char c : word.substr(0, 100)) row[static_cast<unsigned char>(c) % kDimension] += 1;
  return row;
}

bool Holds(const RowCache::Entry* entry, uint64_t key, std::string_view word) {
  if (entry == nullptr || entry->key != key || entry->word() != word || !entry->known) return false;
  const std::vector<float> row = RowOf(key, word);
  if (std::memcmp(entry->row(), row.data(), sizeof(float) * kDimension) != 0) return false;
  if (reinterpret_cast<uintptr_t>(entry->row()) % 64 != 0) return false;
  for (uint32_t i = kDimension; i < 32; i++) {
    if (entry->row()[i] != 0) return false;
  }
  return true;
}

const RowCache::Entry* Insert(RowCache* cache, RowCache::View* view, uint64_t key,
                              std::string_view word) {
  return cache->Insert(view, key, word, RowOf(key, word).data());
}

TEST_CASE("a row that was inserted is found by key and word") {
  RowCache cache(RowCache::kDefaultBytes, kDimension);
  RowCache::View view;
  cache.Pin(&view);
  CHECK(cache.Find(&view, 5, "cat") == nullptr);
  CHECK(Holds(Insert(&cache, &view, 5, "cat"), 5, "cat"));
  CHECK(Holds(cache.Find(&view, 5, "cat"), 5, "cat"));
  CHECK(cache.Find(&view, 6, "cat") == nullptr);
  CHECK(cache.Find(&view, 5, "dog") == nullptr);
  CHECK(cache.Find(&view, 5, "") == nullptr);
  RowCache::View other;
  cache.Pin(&other);
  CHECK(Holds(cache.Find(&other, 5, "cat"), 5, "cat"));
}

TEST_CASE("a row of the caller needs no alignment and may be changed afterwards") {
  RowCache cache(kSmall, kDimension);
  RowCache::View view;
  cache.Pin(&view);
  std::vector<float> row = RowOf(1, "w");
  std::vector<char> bytes(sizeof(float) * kDimension + 1);
  std::memcpy(bytes.data() + 1, row.data(), sizeof(float) * kDimension);
  cache.Insert(&view, 1, "w", bytes.data() + 1);
  std::fill(bytes.begin(), bytes.end(), '\x7f');
  CHECK(Holds(cache.Find(&view, 1, "w"), 1, "w"));
}

TEST_CASE("words with equal keys and n-grams of the same number are kept apart") {
  RowCache cache(kSmall, kDimension);
  RowCache::View view;
  cache.Pin(&view);
  const std::vector<std::string> words = {"a", "b", "ab", std::string("a\0", 2), ""};
  for (const std::string& word : words) Insert(&cache, &view, 7, word);
  for (const std::string& word : words) CHECK(Holds(cache.Find(&view, 7, word), 7, word));
  // an n-gram has no word at all, not even a pointer to one
  CHECK(Holds(cache.Find(&view, 7, {}), 7, ""));
  Insert(&cache, &view, 8, {});
  CHECK(Holds(cache.Find(&view, 8, {}), 8, ""));
}

TEST_CASE("a feature that is known to be absent is remembered as such") {
  RowCache cache(kSmall, kDimension);
  RowCache::View view;
  cache.Pin(&view);
  const RowCache::Entry* inserted = cache.Insert(&view, 3, "ghost", nullptr);
  REQUIRE(inserted != nullptr);
  const RowCache::Entry* found = cache.Find(&view, 3, "ghost");
  REQUIRE(found != nullptr);
  CHECK(!found->known);
  CHECK(found->row() == nullptr);
  CHECK(found->word() == "ghost");
  CHECK(cache.Insert(&view, 9, {}, nullptr)->row() == nullptr);
}

TEST_CASE("inserting what is there gives what is there") {
  RowCache cache(kSmall, kDimension);
  RowCache::View a, b;
  cache.Pin(&a);
  cache.Pin(&b);
  const RowCache::Entry* first = Insert(&cache, &a, 1, "w");
  const uint64_t used = cache.UsedBytes();
  CHECK(Insert(&cache, &b, 1, "w") == first);
  CHECK(cache.UsedBytes() == used);
}

TEST_CASE("rows stay valid while their view is pinned, however much is inserted") {
  RowCache cache(kSmall, kDimension);
  RowCache::View view;
  cache.Pin(&view);
  std::vector<const RowCache::Entry*> entries;
  const uint64_t count = 40000;  // of 192 bytes: more than seven generations
  for (uint64_t key = 0; key < count; key++) entries.push_back(Insert(&cache, &view, key, "w"));
  bool all = true;
  for (uint64_t key = 0; key < count; key++) all &= Holds(entries[key], key, "w");
  CHECK(all);
  // the cache itself kept to its bound
  CHECK(cache.UsedBytes() <= kSmall);
  CHECK(cache.UsedBytes() >= kSmall / 4);
  // what another view sees is the newest, and what it finds is right
  RowCache::View other;
  cache.Pin(&other);
  CHECK(Holds(cache.Find(&other, count - 1, "w"), count - 1, "w"));
  CHECK(cache.Find(&other, 0, "w") == nullptr);
  uint64_t found = 0;
  for (uint64_t key = count; key-- > 0;) {
    const RowCache::Entry* entry = cache.Find(&other, key, "w");
    if (entry == nullptr) break;
    REQUIRE(Holds(entry, key, "w"));
    found++;
  }
  // A generation of the rows used last. One of 1 MiB has 4096 slots and ends when three quarters
  // are taken, which these short rows do before its bytes are.
  CHECK(found >= 3072);
}

TEST_CASE("a row that is used again and again is never lost") {
  RowCache cache(kSmall, kDimension);
  RowCache::View view;
  cache.Pin(&view);
  Insert(&cache, &view, 1000000, "hot");
  uint64_t lost = 0;
  for (uint64_t key = 0; key < 60000; key++) {
    if (key % 1000 == 0) {
      cache.Pin(&view);
      lost += !Holds(cache.Find(&view, 1000000, "hot"), 1000000, "hot");
    }
    Insert(&cache, &view, key, "w");
  }
  CHECK(lost == 0);
}

TEST_CASE("a promoted row is found again through the same view and the old one stays valid") {
  RowCache cache(kSmall, kDimension);
  RowCache::View view;
  cache.Pin(&view);
  const RowCache::Entry* first = Insert(&cache, &view, 77, "old");
  uint64_t key = 1000;
  // until the first generation is the previous one
  while (cache.UsedBytes() < kSmall / 2 + 1000) Insert(&cache, &view, key++, "w");
  const RowCache::Entry* promoted = cache.Find(&view, 77, "old");
  CHECK(promoted != first);
  CHECK(Holds(promoted, 77, "old"));
  CHECK(Holds(first, 77, "old"));
  CHECK(cache.Find(&view, 77, "old") == promoted);
  // absent features are promoted too
  cache.Insert(&view, 78, "ghost", nullptr);
  // so many turn the generations over once or not at all
  for (int i = 0; i < 2500; i++) Insert(&cache, &view, key++, "w");
  const RowCache::Entry* ghost = cache.Find(&view, 78, "ghost");
  REQUIRE(ghost != nullptr);
  CHECK(ghost->row() == nullptr);
}

TEST_CASE("a view that was pinned before others filled the cache still finds what it held") {
  RowCache cache(kSmall, kDimension);
  RowCache::View early, late;
  cache.Pin(&early);
  const RowCache::Entry* entry = Insert(&cache, &early, 1, "early");
  for (uint64_t key = 10; key < 30000; key++) {
    if (key % 100 == 0) cache.Pin(&late);
    Insert(&cache, &late, key, "w");
  }
  CHECK(Holds(entry, 1, "early"));
  CHECK(Holds(cache.Find(&early, 1, "early"), 1, "early"));
  // its insert goes to the newest generation, where all see it
  CHECK(Holds(Insert(&cache, &early, 2, "early"), 2, "early"));
  cache.Pin(&late);
  CHECK(Holds(cache.Find(&late, 2, "early"), 2, "early"));
  CHECK(Holds(entry, 1, "early"));
}

TEST_CASE("many absent features stay in the bound as well") {
  RowCache cache(kSmall, kDimension);
  RowCache::View view;
  for (uint64_t key = 0; key < 100000; key++) {
    if (key % 50 == 0) cache.Pin(&view);
    REQUIRE(cache.Insert(&view, key, {}, nullptr) != nullptr);
    REQUIRE(cache.Find(&view, key, {}) != nullptr);
  }
  CHECK(cache.UsedBytes() <= kSmall);
}

TEST_CASE("keys that differ in high bits only or are 0 are found") {
  RowCache cache(kSmall, kDimension);
  RowCache::View view;
  cache.Pin(&view);
  for (uint64_t i = 0; i < 64; i++) Insert(&cache, &view, uint64_t{1} << i, "w");
  Insert(&cache, &view, 0, "w");
  Insert(&cache, &view, ~uint64_t{0}, "w");
  for (uint64_t i = 0; i < 64; i++)
    CHECK(Holds(cache.Find(&view, uint64_t{1} << i, "w"), uint64_t{1} << i, "w"));
  CHECK(Holds(cache.Find(&view, 0, "w"), 0, "w"));
  CHECK(Holds(cache.Find(&view, ~uint64_t{0}, "w"), ~uint64_t{0}, "w"));
}

TEST_CASE("huge words are held, even those beyond the budget") {
  for (const uint64_t budget : {uint64_t{0}, uint64_t{1000}, kSmall, uint64_t{64} << 20}) {
    RowCache cache(budget, kDimension);
    RowCache::View view;
    cache.Pin(&view);
    Insert(&cache, &view, 1, "w");
    for (const size_t size : {65535u, 1u << 20, 5u << 20}) {
      CAPTURE(budget);
      CAPTURE(size);
      const std::string word(size, 'x');
      CHECK(Holds(Insert(&cache, &view, 2, word), 2, word));
      CHECK(Holds(cache.Find(&view, 2, word), 2, word));
      CHECK(cache.Find(&view, 2, word.substr(1)) == nullptr);
    }
    Insert(&cache, &view, 3, "w");
    CHECK(Holds(cache.Find(&view, 3, "w"), 3, "w"));
  }
}

TEST_CASE("caches go by the model's hash and are shared") {
  const auto a = RowCache::For("row_cache_test a", kDimension);
  const auto b = RowCache::For("row_cache_test b", kDimension);
  CHECK(a != b);
  CHECK(a == RowCache::For("row_cache_test a", kDimension));
  RowCache::View view_a, view_b;
  a->Pin(&view_a);
  b->Pin(&view_b);
  Insert(a.get(), &view_a, 1, "w");
  CHECK(b->Find(&view_b, 1, "w") == nullptr);
  CHECK(Holds(a->Find(&view_a, 1, "w"), 1, "w"));
  // one view may go from cache to cache
  b->Pin(&view_a);
  CHECK(b->Find(&view_a, 1, "w") == nullptr);
}

struct BudgetRestorer {
  const uint64_t budget = RowCache::Budget();
  ~BudgetRestorer() { RowCache::SetBudget(budget); }
};

TEST_CASE("a new budget drops the caches but not what views hold") {
  const BudgetRestorer restorer;
  RowCache::SetBudget(kSmall);
  CHECK(RowCache::Budget() == kSmall);
  const auto old = RowCache::For("row_cache_test c", kDimension);
  RowCache::View view;
  old->Pin(&view);
  const RowCache::Entry* entry = Insert(old.get(), &view, 1, "w");
  RowCache::SetBudget(3 * kSmall);
  CHECK(RowCache::Budget() == 3 * kSmall);
  const auto renewed = RowCache::For("row_cache_test c", kDimension);
  CHECK(renewed != old);
  CHECK(renewed->UsedBytes() == 0);
  CHECK(Holds(entry, 1, "w"));
  CHECK(Holds(old->Find(&view, 1, "w"), 1, "w"));
  RowCache::View other;
  for (uint64_t key = 0; key < 40000; key++) {
    renewed->Pin(&other);
    Insert(renewed.get(), &other, key, "w");
  }
  CHECK(renewed->UsedBytes() > kSmall);
  CHECK(renewed->UsedBytes() <= 3 * kSmall);
}

TEST_CASE("caches that no reader holds are let go when the budget runs out, oldest first") {
  const BudgetRestorer restorer;
  RowCache::SetBudget(2 * kSmall);
  std::vector<std::weak_ptr<RowCache>> caches;
  const auto held = RowCache::For("row_cache_test held", kDimension);
  for (int model = 0; model < 10; model++) {
    const auto cache = RowCache::For("row_cache_test model " + std::to_string(model), kDimension);
    caches.push_back(cache);
    RowCache::View view;
    for (uint64_t key = 0; key < 5000; key++) {  // 0.96 MB
      cache->Pin(&view);
      Insert(cache.get(), &view, key, "w");
    }
  }
  CHECK(held == RowCache::For("row_cache_test held", kDimension));
  CHECK(caches.front().expired());
  CHECK(!caches.back().expired());
  uint64_t used = 0;
  for (const auto& cache : caches) {
    if (const auto alive = cache.lock()) used += alive->UsedBytes();
  }
  CHECK(used <= 2 * kSmall);
}

TEST_CASE("threads that insert and find at the same time see whole rows only") {
  RowCache cache(kSmall, kDimension);
  std::atomic<uint64_t> wrong{0}, hits{0};
  std::vector<std::thread> threads;
  for (uint64_t thread = 0; thread < 4; thread++) {
    threads.emplace_back([&, thread] {
      Random random(thread);
      RowCache::View view;
      std::vector<std::pair<const RowCache::Entry*, uint64_t>> held;
      for (int text = 0; text < 1500; text++) {
        cache.Pin(&view);
        held.clear();
        for (int i = 0; i < 20; i++) {
          // half from few keys that all threads want, half from many that turn the generations over
          const uint64_t key = random.Below(2) == 0 ? random.Below(300) : random.Below(40000);
          const std::string word = key % 3 == 0 ? "" : "w" + std::to_string(key % 7);
          const RowCache::Entry* entry = cache.Find(&view, key, word);
          if (entry != nullptr) {
            hits++;
          } else if (key % 5 == 0) {
            entry = cache.Insert(&view, key, word, nullptr);
          } else {
            entry = Insert(&cache, &view, key, word);
          }
          if (key % 5 == 0) {
            if (entry == nullptr || entry->known || entry->word() != word) wrong++;
          } else {
            held.emplace_back(entry, key);
          }
        }
        // all of the text's rows at its end, as the embedder reads them
        for (const auto& [entry, key] : held) {
          const std::string word = key % 3 == 0 ? "" : "w" + std::to_string(key % 7);
          if (!Holds(entry, key, word)) wrong++;
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
            RowCache::For("row_cache_test threads " + std::to_string(model), kDimension);
        RowCache::View view;
        cache->Pin(&view);
        for (uint64_t key = 0; key < 20; key++) {
          // the word tells the model, so that a row of another one would be seen
          const std::string word = "m" + std::to_string(model);
          const RowCache::Entry* entry = cache->Find(&view, key, word);
          if (entry == nullptr) entry = Insert(cache.get(), &view, key, word);
          if (!Holds(entry, key, word)) wrong++;
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(wrong == 0);
}

}  // namespace
}  // namespace s2v
