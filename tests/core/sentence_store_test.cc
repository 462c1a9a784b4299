// What is kept of a corpus: blocks in memory and in a file, sentences, buckets, numbers.
#include "core/train/sentence_store.h"

#include <doctest/doctest.h>

#include <cstring>
#include <map>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "core/random.h"
#include "core/vocab/vocabulary.h"

namespace s2v {
namespace {

// A file that is none; it can be full.
class FakeFile final : public SpoolFile {
 public:
  explicit FakeFile(size_t room) : room_(room) {}
  void Write(uint64_t offset, std::string_view bytes) override {
    if (offset + bytes.size() > room_) throw std::runtime_error("full");
    if (bytes_.size() < offset + bytes.size()) bytes_.resize(offset + bytes.size());
    bytes_.replace(offset, bytes.size(), bytes);
  }
  void Read(uint64_t offset, size_t size, char* bytes) const override {
    if (offset + size > bytes_.size()) throw std::runtime_error("read past the end");
    std::memcpy(bytes, bytes_.data() + offset, size);
  }

 private:
  const size_t room_;
  std::string bytes_;
};

Spool Budget(uint64_t bytes, size_t room = SIZE_MAX) {
  return {bytes, [room] { return std::make_unique<FakeFile>(room); }};
}

TEST_CASE("numbers take 1 to 5 bytes and read back") {
  const std::map<uint32_t, size_t> sizes = {{0, 1},          {127, 1},      {128, 2},
                                            {16383, 2},      {16384, 3},    {(1u << 21) - 1, 3},
                                            {1u << 21, 4},   {1u << 28, 5}, {0xfffffffe, 5},
                                            {0xffffffffu, 5}};
  std::string all;
  for (const auto& [number, size] : sizes) {
    const size_t before = all.size();
    char bytes[kMaxVarintBytes];
    all.append(bytes, static_cast<size_t>(WriteVarint(number, bytes) - bytes));
    CHECK(all.size() - before == size);
  }
  const char* in = all.data();
  for (const auto& [number, size] : sizes) CHECK(ReadVarint(&in) == number);
  CHECK(in == all.data() + all.size());
}

TEST_CASE("blocks are in memory up to the budget and then in the file") {
  BlockStore blocks(Budget(100000));
  std::vector<std::string> all;
  Random random(1);
  for (int i = 0; i < 40; i++) {
    std::string bytes(random.Below(20000), static_cast<char>('a' + i % 26));
    CHECK(blocks.Add(bytes) == static_cast<uint32_t>(i));
    all.push_back(std::move(bytes));
  }
  CHECK(blocks.memory_bytes() <= 100000);
  CHECK(blocks.memory_bytes() > 80000);
  std::string scratch;
  for (uint32_t i = 0; i < all.size(); i++) {
    CHECK(blocks.Read(i, 0, SIZE_MAX, &scratch) == all[i]);
    if (all[i].size() < 10) continue;
    CHECK(blocks.Read(i, 5, 3, &scratch) == all[i].substr(5, 3));
  }
  const uint64_t before = blocks.memory_bytes();
  blocks.Drop(0);
  CHECK(blocks.memory_bytes() == before - all[0].size());
  blocks.Add(all[0]);
  CHECK(blocks.memory_bytes() == before);
}

TEST_CASE("a full file is an error of the block that finds no room") {
  BlockStore blocks(Budget(10, 15));
  blocks.Add("0123456789");
  blocks.Add("0123456789");
  CHECK_THROWS_WITH(blocks.Add("0123456789"), "full");
}

Sentence RandomSentence(size_t order, Random* random) {
  Sentence sentence;
  const size_t length = random->Below(60);
  for (size_t i = 0; i < length; i++) {
    sentence.words.push_back(random->Below(5) == 0 ? kUnknownWord
                                                   : random->Below(1u << random->Below(31)));
  }
  sentence.ngram_rows.assign((order - 1) * length, kNoRow);
  for (size_t n = 2; n <= order; n++) {
    for (size_t start = 0; start + n <= length; start++) {
      bool known = true;
      for (size_t i = start; i < start + n; i++) known &= sentence.words[i] != kUnknownWord;
      if (known && random->Below(3) > 0) {
        sentence.ngram_rows[(n - 2) * length + start] = random->Below(1u << random->Below(31));
      }
    }
  }
  return sentence;
}

TEST_CASE("sentences read back in any order, from memory and from the file, by many threads") {
  for (const size_t order : {1, 2, 5}) {
    for (const uint64_t budget : {UINT64_MAX, uint64_t{0}, uint64_t{300000}}) {
      CAPTURE(order);
      CAPTURE(budget);
      Random random(order);
      const auto blocks = std::make_shared<BlockStore>(Budget(budget));
      SentenceStore store(order, blocks);
      std::vector<Sentence> all;
      for (int i = 0; i < 8003; i++) {
        all.push_back(RandomSentence(order, &random));
        store.Add(all.back());
      }
      store.Finish();
      REQUIRE(store.size() == all.size());
      CHECK((blocks->memory_bytes() > 0) == (budget > 0));
      const auto check = [&](uint64_t seed) {
        const Permutation shuffled(seed, all.size());
        Sentence sentence;
        bool right = true;
        for (uint64_t i = 0; i < all.size(); i++) {
          store.Read(shuffled[i], &sentence);
          right &= sentence.words == all[shuffled[i]].words &&
                   sentence.ngram_rows == all[shuffled[i]].ngram_rows;
        }
        return right;
      };
      bool other = false;
      std::thread thread([&] { other = check(2); });
      CHECK(check(1));
      thread.join();
      CHECK(other);
    }
  }
}

TEST_CASE("the order of an epoch has each sentence once, and of a large store a window at a time") {
  const uint64_t run = SentenceOrder::kRun, window = SentenceOrder::kWindow;
  const uint64_t large = SentenceOrder::kLarge;
  for (const uint64_t size :
       {uint64_t{1}, uint64_t{1000}, large, large + 1, large + window + 3 * run + 7}) {
    CAPTURE(size);
    const SentenceOrder order(5, size), other(6, size);
    std::vector<bool> seen(size), runs(size / run + 1);
    uint64_t outside = 0, twice = 0, most_runs = 0, alike = 0;
    for (uint64_t i = 0; i < size; i++) {
      const uint64_t place = order[i];
      if (place >= size) {
        outside++;
        continue;
      }
      twice += seen[place];
      seen[place] = true;
      runs[place / run] = true;
      alike += other[i] == place;
      if ((i + 1) % window != 0) continue;
      most_runs =
          std::max(most_runs, static_cast<uint64_t>(std::count(runs.begin(), runs.end(), true)));
      runs.assign(runs.size(), false);
    }
    CHECK(outside == 0);
    CHECK(twice == 0);
    if (size > large) CHECK(most_runs <= window / run);
    if (size > 1) CHECK(alike < 20 + run);
  }
}

}  // namespace
}  // namespace s2v
