// The arithmetic of the stored form, pinned by values: a change here is a new format version.
#include "sql/model_format.h"

#include <doctest/doctest.h>

namespace s2v {
namespace {

TEST_CASE("the key of a row is its model's id times 2^32 plus its index") {
  CHECK(RowKey(1, 0) == 4294967296);
  CHECK(RowKey(1, 4294967295) == 8589934591);
  CHECK(RowKey(3, 7) == 12884901895);
  CHECK(RowKey(kMaxModelId, 0) == 9223372032559808512);
  CHECK(RowKey(kMaxModelId, 0xffffffff) == 9223372036854775807);
  CHECK(RowKey(1, static_cast<uint64_t>(kNgramBlocks)) == 6442450944);
}

TEST_CASE("words are in the fewest blocks that hold at most 256 on average") {
  CHECK(WordBlockBits(0) == 0);
  CHECK(WordBlockBits(1) == 0);
  CHECK(WordBlockBits(256) == 0);
  CHECK(WordBlockBits(257) == 1);
  CHECK(WordBlockBits(512) == 1);
  CHECK(WordBlockBits(513) == 2);
  CHECK(WordBlockBits(65536) == 8);
  CHECK(WordBlockBits(65537) == 9);
  CHECK(WordBlockBits(1000000) == 12);
  CHECK(WordBlockBits(0xffffffff) == 24);
}

TEST_CASE("a word's block is the top bits of its hash") {
  CHECK(WordBlock(0xffffffffffffffff, 0) == 0);
  CHECK(WordBlock(0x8000000000000000, 1) == 1);
  CHECK(WordBlock(0x7fffffffffffffff, 1) == 0);
  CHECK(WordBlock(0xabcdef0123456789, 12) == 0xabc);
}

TEST_CASE("n-gram blocks hold at most 512 on average, in the fewest blocks") {
  CHECK(NgramBlockShift(1) == 32);
  CHECK(NgramBlockShift(512) == 32);
  CHECK(NgramBlockShift(513) == 20);  // 2 blocks
  CHECK(NgramBlockShift(2000000) == 9);
  CHECK(NgramBlockShift(100000) == 13);
  CHECK(NgramBlockCount(9) == 3907);
  CHECK(NgramBlockCount(20) == 2);
  CHECK(NgramBlockCount(32) == 1);
}

TEST_CASE("a checksum is XXH3-64 of its parts in order, seeded") {
  Checksum checksum(5);
  checksum.Add("ab");
  checksum.Add(uint64_t{0x0706050403020100});
  checksum.Add("c", 1);
  const char bytes[] = "ab\0\1\2\3\4\5\6\7c";
  CHECK(checksum.Value() == static_cast<int64_t>(XXH3_64bits_withSeed(bytes, 11, 5)));
  CHECK(Checksum(0).Value() == 3244421341483603138);  // XXH3-64 of nothing
}

}  // namespace
}  // namespace s2v
