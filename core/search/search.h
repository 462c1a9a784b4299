// A search in a vector index: which lists are read, which rows are scored exactly, what is found.
//
//   Search search(space, lists, query, 10);
//   while (std::optional<size_t> list = search.NextList()) {
//     for (const Block& block : BlocksOf(lists.id(*list))) search.Scan(block, block);
//   }
//   while (std::optional<int64_t> rowid = search.NextCandidate()) {
//     search.Score(*rowid, ExactSimilarity(*rowid));
//   }
//   for (const Hit& hit : search.Hits()) ...
//
// Lists are read from the most promising on, until for long none had one of the best rows;
// candidates are given from the best estimate on, until the next ones are hardly among the k
// nearest. Both bounds come from what this search has seen; their constants are at the head of
// search.cc. Of few rows each is a candidate.
//
// Rows that the index does not have yet are given to Score before the first NextList; they raise
// the bar for the others.
//
// Thread rule: belongs to one thread.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "core/search/codes.h"
#include "core/search/lists.h"

namespace s2v::search {

struct Hit {
  int64_t rowid = 0;
  double similarity = 0;
};
// The order of answers: larger value first, then smaller rowid.
template <auto kValue, typename Row>
bool IsBetter(const Row& a, const Row& b) {
  return a.*kValue > b.*kValue || (a.*kValue == b.*kValue && a.rowid < b.rowid);
}

// The best k, by a value, of the rows that are added, in any order. NaN is never added.
template <typename Row, double Row::*kValue>
class Top {
 public:
  explicit Top(size_t k) : k_(k) {}
  void Add(const Row& row) {
    if (std::isnan(row.*kValue) || k_ == 0) return;
    if (heap_.size() == k_) {
      if (!IsBetter<kValue>(row, heap_.front())) return;
      std::pop_heap(heap_.begin(), heap_.end(), IsBetter<kValue, Row>);
      heap_.back() = row;
    } else {
      heap_.push_back(row);
    }
    std::push_heap(heap_.begin(), heap_.end(), IsBetter<kValue, Row>);
  }
  // What a row must reach to count: -infinity until there are k.
  double Bar() const {
    return heap_.size() < k_ || k_ == 0 ? -std::numeric_limits<double>::infinity()
                                        : heap_.front().*kValue;
  }
  size_t size() const { return heap_.size(); }
  // In no order.
  const std::vector<Row>& hits() const { return heap_; }
  // The best first. Empties it.
  std::vector<Row> Take() {
    std::sort(heap_.begin(), heap_.end(), IsBetter<kValue, Row>);
    return std::move(heap_);
  }

 private:
  const size_t k_;
  std::vector<Row> heap_;  // the worst on top
};
using TopHits = Top<Hit, &Hit::similarity>;

// A set of rowids: a bitmap where they are dense, else sorted.
class RowSet {
 public:
  // Any order, repetitions are ignored.
  explicit RowSet(const std::vector<int64_t>& rowids);
  bool Contains(int64_t rowid) const {
    if (bits_.empty()) return std::binary_search(sorted_.begin(), sorted_.end(), rowid);
    const uint64_t at = static_cast<uint64_t>(rowid) - static_cast<uint64_t>(first_);
    if (at / 64 >= bits_.size()) return false;
    return (bits_[at / 64] >> (at % 64) & 1) != 0;
  }
  size_t size() const { return size_; }
  // The rowids in ascending order.
  std::vector<int64_t> Rowids() const;

 private:
  friend class RowSetBuilder;
  RowSet() = default;
  size_t size_ = 0;
  int64_t first_ = 0;
  std::vector<uint64_t> bits_;   // from first_ on; or
  std::vector<int64_t> sorted_;  // where that would take much memory
};

// Makes a RowSet of rowids that come one after another. In order and close together they take 16
// bytes for each 64 numbers: a list of a hundred thousand would be a megabyte, which the system
// gives page by page.
class RowSetBuilder {
 public:
  void Add(int64_t rowid) {
    const uint64_t at = Flip(rowid);
    if (words_.empty() || words_.back().number != at / 64) words_.push_back({at / 64, 0});
    words_.back().bits |= uint64_t{1} << at % 64;
  }
  // Once.
  RowSet Finish();

 private:
  // The order of signed numbers, and from 0 on.
  static uint64_t Flip(int64_t rowid) {
    return static_cast<uint64_t>(rowid) ^ uint64_t { 1 } << 63;
  }
  struct Word {
    uint64_t number, bits;  // of Flip(rowid): 64 * number and the 63 behind it
  };
  std::vector<Word> words_;
};

struct SearchOptions {
  // allowed: the rows that may be found, nullptr: all of them. left_out: rows that are not found
  // even so. Both must outlive the search.
  const RowSet* allowed = nullptr;
  const RowSet* left_out = nullptr;
  // Above 1: effort times as many candidates, from all lists.
  size_t effort = 1;
};

class Search {
 public:
  // query: [dimension], of length 1. What the arguments refer to must outlive the search,
  // unchanged.
  Search(const CodeSpace& space, const Lists& lists, const float* query, size_t k,
         const SearchOptions& options = {});
  // The position in lists of the next one to scan; nothing where no list is left that matters.
  std::optional<size_t> NextList();
  // All blocks of that list, one after another.
  // next: what is scanned then, or the same block.
  void Scan(const Block& block, const Block& next);
  // What NextList gives next, unless the search ends.
  std::optional<size_t> PeekList() const {
    return next_list_ < order_.size() ? std::optional<size_t>(order_[next_list_].at) : std::nullopt;
  }
  // The next row whose exact similarity the caller shall give to Score, unless the row does not
  // exist any more.
  // REQUIRES: NextList has returned nothing.
  std::optional<int64_t> NextCandidate();
  void Score(int64_t rowid, double similarity) { hits_.Add({rowid, similarity}); }
  // Whether to search again with more effort: what was left out had better estimates than what was
  // found has similarities. Many rows with one vector share the error of its estimate, and may take
  // all places.
  bool IsDoubtful() const { return hits_.Bar() < least_kept_; }
  // At most k, the best first.
  std::vector<Hit> Hits() { return hits_.Take(); }

 private:
  struct Candidate {
    float estimate, error;
    int64_t rowid;
  };
  struct Order {
    float similarity;  // of the centre
    uint32_t at;
  };
  void Add(const Candidate& candidate);
  void Shrink();
  // How many lists are to be scanned, after what was seen so far.
  size_t NeededLists() const;
  void OrderMore();

  const Lists& lists_;
  const size_t k_;
  const SearchOptions options_;
  const bool exact_;            // whether each row is scored
  const std::vector<float> x_;  // the query, rotated
  CodeQuery query_;
  // lists; the first ordered_ are those with the most similar centres, the most similar first
  std::vector<Order> order_;
  size_t ordered_ = 0, next_list_ = 0, needed_ = 0;
  std::vector<Candidate> candidates_;
  size_t next_candidate_ = 0;
  size_t wanted_;           // candidates kept
  float widest_error_ = 0;  // of candidates
  // Estimate that a candidate must reach, and that of the last of the wanted_ kept.
  float least_ = -std::numeric_limits<float>::infinity();
  float least_kept_ = least_;
  TopHits hits_;  // exact
  TopHits best_;  // estimates, each with the number of its list in order_ as rowid
  bool sorted_ = false;
};

}  // namespace s2v::search
