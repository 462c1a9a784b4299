#include "core/search/search.h"

#include <bit>

namespace s2v::search {
namespace {

// How many of n lists are scanned, in the order in which their centres are similar to the query:
//
//   kFirstLists + kFirstFactor n^kFirstPower + kListsForOne * last
//
// last is the place of the last list that has one of the k best rows so far (of the kLeastBest best
// where k is smaller). Chosen for a recall of 0.993 at 200,000 rows and of 0.996 at ten million
// (docs/tried.md). To assume a normal distribution of rows around their centres tells less: where
// the nearest rows are, its tails are too thin by a factor of 100.
constexpr size_t kFirstLists = 8, kLeastBest = 10;
constexpr double kFirstFactor = 0.27, kFirstPower = 0.87, kListsForOne = 2.5;
// A candidate is scored while its estimate plus this number of standard deviations reaches the bar.
constexpr float kDeviations = 2.4f;
// Candidates are rows above the k-th best estimate less this number of standard deviations.
constexpr float kMargin = 4.5;
// So many lists are put in order at first, and so many times as many whenever more are scanned.
constexpr size_t kFirstOrdered = 2048, kOrderedFactor = 2;
// A set of rowids is a bitmap where that takes at most so many words of 64 bits for each rowid.
constexpr uint64_t kWordsOfRow = 16;
// Each row of an index of at most so many is scored: that takes less time than to estimate first.
constexpr uint64_t kFewRows = 500;
// How many candidates a search for k rows keeps.
constexpr size_t Wanted(size_t k) {
  return 500 + 20 * k;
}

std::vector<float> Rotated(const CodeSpace& space, const float* v) {
  std::vector<float> x(space.width());
  space.Rotate(v, x.data());
  return x;
}

}  // namespace

RowSet::RowSet(const std::vector<int64_t>& rowids) {
  RowSetBuilder builder;
  for (const int64_t rowid : rowids) builder.Add(rowid);
  *this = builder.Finish();
}

RowSet RowSetBuilder::Finish() {
  const auto is_before = [](const Word& one, const Word& other) {
    return one.number < other.number;
  };
  if (!std::is_sorted(words_.begin(), words_.end(), is_before))
    std::sort(words_.begin(), words_.end(), is_before);
  RowSet set;
  if (words_.empty()) return set;
  const uint64_t first = words_.front().number, range = words_.back().number - first;
  set.first_ = static_cast<int64_t>(Flip(static_cast<int64_t>(64 * first)));
  size_t last = 0;  // words_ up to here have each number once
  for (const Word word : words_) {
    if (words_[last].number != word.number) words_[++last] = {word.number, 0};
    words_[last].bits |= word.bits;
  }
  words_.resize(last + 1);
  for (const Word& word : words_) set.size_ += static_cast<size_t>(std::popcount(word.bits));
  if (range / kWordsOfRow < set.size_) {
    set.bits_.resize(range + 1);
    for (const Word& word : words_) set.bits_[word.number - first] = word.bits;
    return set;
  }
  for (const Word& word : words_) {
    for (uint64_t bits = word.bits; bits != 0; bits &= bits - 1) {
      const uint64_t at = 64 * word.number + static_cast<uint64_t>(std::countr_zero(bits));
      set.sorted_.push_back(static_cast<int64_t>(Flip(static_cast<int64_t>(at))));
    }
  }
  return set;
}

std::vector<int64_t> RowSet::Rowids() const {
  if (bits_.empty()) return sorted_;
  std::vector<int64_t> rowids;
  for (size_t word = 0; word < bits_.size(); word++) {
    for (uint64_t bits = bits_[word]; bits != 0; bits &= bits - 1) {
      const uint64_t at = word * 64 + static_cast<uint64_t>(std::countr_zero(bits));
      rowids.push_back(static_cast<int64_t>(static_cast<uint64_t>(first_) + at));
    }
  }
  return rowids;
}

Search::Search(const CodeSpace& space, const Lists& lists, const float* query, size_t k,
               const SearchOptions& options)
    : lists_(lists),
      k_(k),
      options_(options),
      exact_(lists.TotalRows() <= kFewRows),
      x_(Rotated(space, query)),
      query_(space, x_.data()),
      wanted_(Wanted(k) * options.effort),
      hits_(k),
      best_(std::max(k, kLeastBest)) {
  order_.reserve(lists.size());
  for (size_t at = 0; at < lists.size(); at++) {
    if (lists.rows(at) == 0) continue;
    const float similarity = space.kernels().dot(x_.data(), lists.centre(at), space.width());
    order_.push_back({similarity, static_cast<uint32_t>(at)});
  }
  OrderMore();
}

void Search::OrderMore() {
  const size_t end = std::min(order_.size(), std::max(kFirstOrdered, kOrderedFactor * ordered_));
  const auto begin = order_.begin() + static_cast<ptrdiff_t>(ordered_),
             middle = order_.begin() + static_cast<ptrdiff_t>(end);
  const auto is_before = [](const Order& a, const Order& b) {
    return a.similarity > b.similarity || (a.similarity == b.similarity && a.at < b.at);
  };
  std::nth_element(begin, middle, order_.end(), is_before);
  std::sort(begin, middle, is_before);
  ordered_ = end;
}

size_t Search::NeededLists() const {
  if (options_.effort > 1 || (best_.size() < k_ && hits_.size() < k_)) return next_list_ + 1;
  size_t last = 0;
  const double bar = hits_.Bar();
  for (const Hit& best : best_.hits()) {
    if (best.similarity >= bar) last = std::max(last, static_cast<size_t>(best.rowid) + 1);
  }
  const double first = kFirstFactor * std::pow(static_cast<double>(order_.size()), kFirstPower);
  return kFirstLists + static_cast<size_t>(first + kListsForOne * static_cast<double>(last));
}

std::optional<size_t> Search::NextList() {
  if (next_list_ == order_.size() || k_ == 0) return std::nullopt;
  if (!exact_ && next_list_ >= needed_) {
    needed_ = NeededLists();
    if (next_list_ >= needed_) return std::nullopt;
  }
  const size_t at = order_[next_list_++].at;
  if (next_list_ == ordered_ && ordered_ < order_.size()) OrderMore();
  query_.SetCentre(lists_.centre(at));
  return at;
}

void Search::Scan(const Block& block, const Block& next) {
  float estimates[Block::kGroup];
  for (uint32_t group = 0; group * Block::kGroup < block.rows(); group++) {
    const uint32_t first = group * Block::kGroup;
    const uint32_t count = std::min(Block::kGroup, block.rows() - first);
    // A mask of the group instead of a branch for each row, which the processor would predict wrong
    // half of the time.
    uint32_t allowed = UINT32_MAX;
    if (options_.allowed != nullptr) {
      allowed = 0;
      for (uint32_t i = 0; i < count; i++) {
        allowed |= uint32_t{options_.allowed->Contains(block.rowid(first + i))} << i;
      }
      if (allowed == 0) continue;
    }
    uint32_t reached = query_.Estimate(block, group, next, least_, estimates) & allowed;
    for (; reached != 0; reached &= reached - 1) {
      const auto i = static_cast<uint32_t>(std::countr_zero(reached));
      Add({estimates[i], query_.Error(block, first + i), block.rowid(first + i)});
    }
  }
}

void Search::Add(const Candidate& candidate) {
  if (candidate.estimate < least_) return;
  if (options_.left_out != nullptr && options_.left_out->Contains(candidate.rowid)) return;
  candidates_.push_back(candidate);
  if (exact_) return;
  if (options_.effort == 1) best_.Add({static_cast<int64_t>(next_list_ - 1), candidate.estimate});
  // The widest error of all rows counts, since one row whose estimate is sure says nothing of the
  // others.
  widest_error_ = std::max(widest_error_, candidate.error);
  const double bar = std::max(best_.Bar(), hits_.Bar());
  least_ = std::max(least_kept_, static_cast<float>(bar) - kMargin * widest_error_);
  if (candidates_.size() >= 2 * wanted_) Shrink();
}

void Search::Shrink() {
  std::erase_if(candidates_, [this](const Candidate& c) { return c.estimate < least_; });
  if (candidates_.size() <= wanted_) return;
  const auto end = candidates_.begin() + static_cast<ptrdiff_t>(wanted_);
  std::nth_element(candidates_.begin(), end - 1, candidates_.end(),
                   IsBetter<&Candidate::estimate, Candidate>);
  candidates_.erase(end, candidates_.end());
  least_ = least_kept_ = candidates_.back().estimate;
}

std::optional<int64_t> Search::NextCandidate() {
  if (!sorted_) {
    Shrink();
    std::sort(candidates_.begin(), candidates_.end(), IsBetter<&Candidate::estimate, Candidate>);
    sorted_ = true;
  }
  const double bar = hits_.Bar();
  while (next_candidate_ < candidates_.size()) {
    const Candidate& candidate = candidates_[next_candidate_++];
    if (exact_ || candidate.estimate + kDeviations * candidate.error >= bar) return candidate.rowid;
  }
  return std::nullopt;
}

}  // namespace s2v::search
