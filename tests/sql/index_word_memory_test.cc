// What a connection keeps of the words of rows: sql/index_word_memory.h.
#include "sql/index_word_memory.h"

#include <doctest/doctest.h>

#include <array>

namespace s2v {
namespace {

using Sizes = std::array<uint32_t, 2>;

bool Has(WordMemory* memory, int64_t rowid, const Sizes& sizes) {
  const uint32_t* found = memory->Sizes(rowid);
  return found != nullptr && found[0] == sizes[0] && found[1] == sizes[1];
}

TEST_CASE("sizes are those of the row, whatever its rowid, and of no other row") {
  WordMemory memory;
  memory.Begin(1, 1, 2);
  const int64_t rowids[] = {0, 1, 63, 64, 65, -1, -64, -65, INT64_MIN, INT64_MAX, 1000000};
  for (const int64_t rowid : rowids) CHECK(memory.Sizes(rowid) == nullptr);
  uint32_t number = 0;
  for (const int64_t rowid : rowids) {
    memory.AddSizes(rowid, Sizes{number, number + 1});
    number += 2;
  }
  number = 0;
  for (const int64_t rowid : rowids) {
    CHECK(Has(&memory, rowid, {number, number + 1}));
    number += 2;
  }
  CHECK(memory.Sizes(2) == nullptr);
  CHECK(memory.Sizes(-2) == nullptr);
  memory.AddSizes(64, Sizes{7, 7});
  CHECK(Has(&memory, 64, {7, 7}));
}

TEST_CASE("another file, state or number of columns has nothing of the former one") {
  WordMemory memory;
  memory.Begin(1, 1, 2);
  const auto fill = [&] {
    memory.AddSizes(5, Sizes{1, 2});
    memory.AddRows("\"7\"", 3);
    memory.sample.emplace({RowRange{1, 500}});
  };
  const auto is_empty = [&] {
    return memory.Sizes(5) == nullptr && !memory.Rows("\"7\"") && !memory.sample;
  };
  fill();
  memory.Begin(1, 1, 2);
  CHECK(Has(&memory, 5, {1, 2}));
  CHECK(memory.Rows("\"7\"") == 3);
  CHECK(memory.sample);
  const struct {
    uint64_t file;
    int64_t stamp;
    size_t columns;
  } states[] = {{2, 1, 2}, {2, 3, 2}, {2, 3, 4}};
  for (const auto& state : states) {
    memory.Begin(state.file, state.stamp, state.columns);
    CHECK(is_empty());
    if (state.columns == 2) fill();
  }
}

TEST_CASE("behind a change that is told the sizes of other rows are known") {
  WordMemory memory;
  memory.Begin(1, 1, 2);
  for (const int64_t rowid : {5, 6, 700}) memory.AddSizes(rowid, Sizes{1, 2});
  memory.AddRows("\"7\"", 3);
  memory.sample.emplace({RowRange{1, 500}});
  memory.ForgetSizes(6);
  memory.ForgetSizes(100000);  // is not known
  memory.GoOn(1, 9);
  memory.Begin(1, 9, 2);
  CHECK(Has(&memory, 5, {1, 2}));
  CHECK(memory.Sizes(6) == nullptr);
  CHECK(Has(&memory, 700, {1, 2}));
  CHECK(!memory.Rows("\"7\""));
  CHECK(!memory.sample);
  // What was changed was another state, as others have left it.
  memory.GoOn(2, 3);
  memory.Begin(1, 3, 2);
  CHECK(memory.Sizes(5) == nullptr);
}

TEST_CASE("memory that is full takes no more, and is empty for the next question") {
  WordMemory memory;
  memory.Begin(1, 1, 2);
  int64_t kept = 0;
  for (int64_t i = 0; i < 1000000; i++) {
    const int64_t rowid = i * 1000003;  // each on a page of its own
    memory.AddSizes(rowid, Sizes{1, 2});
    if (memory.Sizes(rowid) != nullptr) kept++;
  }
  CHECK(kept > 10000);
  CHECK(kept < 50000);
  CHECK(Has(&memory, 0, {1, 2}));
  memory.AddRows("\"7\"", 3);
  CHECK(!memory.Rows("\"7\""));
  memory.Begin(1, 1, 2);
  CHECK(memory.Sizes(0) == nullptr);
  memory.AddSizes(0, Sizes{3, 4});
  CHECK(Has(&memory, 0, {3, 4}));
}

}  // namespace
}  // namespace s2v
