// What questions have read of the words of an index, for the next ones: as somebody types, each
// finds mostly the rows of the one before, and FTS5 looks up the size of each row in a table of its
// own.
//
//   WordMemory& known = memory->word_memory;
//   known.Begin(memory->file, index.stamp, columns);
//   const uint32_t* sizes = known.Sizes(rowid);             // nullptr: not known
//   if (sizes == nullptr) known.AddSizes(rowid, counted);
//
// The stamp of an index is another one whenever N_fts changes, so nothing here is stale. Who changes
// it, under the write lock, says which rows (ForgetSizes) and what the stamp was and is (GoOn): the
// sizes of all other rows are the same.
//
// Thread rule: as the connection's.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "sql/index_limits.h"

namespace s2v {

struct RowRange {
  int64_t first, last;  // rowids
};

class WordMemory {
 public:
  // Forgets what is of another file or state of the index, and all where it is full. columns: of
  // N_fts.
  void Begin(uint64_t file, int64_t stamp, size_t columns) {
    if (file_ == file && stamp_ == stamp && columns_ == columns && !IsFull()) return;
    *this = {};
    file_ = file;
    stamp_ = stamp;
    columns_ = columns;
  }

  // Goes on with the sizes, where they are of the state `from`, which has become `to`. What is known
  // of words is forgotten.
  void GoOn(int64_t from, int64_t to) {
    if (stamp_ != from) return;
    stamp_ = to;
    rows_.clear();
    sample.reset();
  }

  // Terms of each column. Valid until the next call of AddSizes.
  const uint32_t* Sizes(int64_t rowid) {
    const size_t at = PageAt(PageOf(rowid));
    if (at == kNone) return nullptr;
    const uint32_t* sizes = &sizes_[at + PlaceOf(rowid)];
    return *sizes == kUnknown ? nullptr : sizes;
  }
  void ForgetSizes(int64_t rowid) {
    const size_t at = PageAt(PageOf(rowid));
    if (at != kNone) sizes_[at + PlaceOf(rowid)] = kUnknown;
  }
  // Unless it is full. Throws std::bad_alloc. REQUIRES: sizes: [columns].
  void AddSizes(int64_t rowid, std::span<const uint32_t> sizes) {
    size_t at = PageAt(PageOf(rowid));
    if (at == kNone) {
      if (IsFull()) return;
      at = sizes_.size();
      sizes_.resize(at + kPageRows * columns_, kUnknown);
      pages_.emplace(PageOf(rowid), at);
      last_at_ = at;
    }
    std::copy(sizes.begin(), sizes.end(), &sizes_[at + PlaceOf(rowid)]);
  }

  // Rows of the index that have a phrase, as N_fts has it.
  std::optional<double> Rows(const std::string& phrase) const {
    const auto found = rows_.find(phrase);
    return found == rows_.end() ? std::nullopt : std::optional(found->second);
  }
  // Unless it is full. Throws std::bad_alloc.
  void AddRows(const std::string& phrase, double rows) {
    if (!IsFull()) rows_.emplace(phrase, rows);
  }

  // Where in the index words are counted to learn how frequent they are:
  // sql/index_common_words.cc.
  std::optional<std::vector<RowRange>> sample;

 private:
  // Rows come in their order, and mostly have neighbours: so many are a page.
  static constexpr size_t kPageRows = 64, kNone = SIZE_MAX;
  static constexpr uint32_t kUnknown = UINT32_MAX;

  static uint64_t PageOf(int64_t rowid) { return static_cast<uint64_t>(rowid) / kPageRows; }
  size_t PlaceOf(int64_t rowid) const {
    return static_cast<uint64_t>(rowid) % kPageRows * columns_;
  }
  // Where the page begins in sizes_; kNone: there is none.
  size_t PageAt(uint64_t page) {
    if (page == last_page_) return last_at_;
    const auto found = pages_.find(page);
    last_page_ = page;
    return last_at_ = found == pages_.end() ? kNone : found->second;
  }
  // About: of a page its rows and a node of the map; phrases are short.
  bool IsFull() const {
    constexpr size_t kNodeBytes = 48, kPhraseBytes = 96;
    return sizes_.size() * sizeof(uint32_t) + pages_.size() * kNodeBytes +
               rows_.size() * kPhraseBytes >=
           kMostSizeBytes;
  }

  uint64_t file_ = 0;
  int64_t stamp_ = 0;
  size_t columns_ = 0;
  std::vector<uint32_t> sizes_;  // [pages, kPageRows, columns]
  std::unordered_map<uint64_t, size_t> pages_;
  uint64_t last_page_ = UINT64_MAX;  // that was looked for
  size_t last_at_ = kNone;
  std::unordered_map<std::string, double> rows_;
};

}  // namespace s2v
