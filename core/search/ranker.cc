#include "core/search/ranker.h"

#include <algorithm>
#include <numeric>
#include <unordered_set>

#include "core/embed/embedder.h"
#include "core/simd/kernels.h"

namespace s2v::search {
namespace {

// So many matches are sorted at least, or twice as many as are asked for if that is more.
constexpr uint64_t kOrderedMatches = 1000;
// The nearest rows by meaning are searched if the match that is so many places behind the k-th
// could still win.
constexpr uint64_t kFewMatches = 300;
// Those among the matches that could still win are searched if these are more, as lines of a log
// with one word may be: to look at each takes longer. Twice as many as are asked for, since a
// search by estimates may miss one of the last.
constexpr uint64_t kManyMatches = 1000;

}  // namespace

void Ranker::Add(const Match& match, size_t most) {
  if (matches_.size() == most) {
    const auto half = matches_.begin() + static_cast<ptrdiff_t>(most / 2);
    std::nth_element(matches_.begin(), half, matches_.end(), IsBetter<&Match::words, Match>);
    matches_.erase(half, matches_.end());
  }
  matches_.push_back(match);
}

void Ranker::Order(uint64_t k) {
  // FTS5 gives the rows in this order.
  const auto is_before = [](const Match& a, const Match& b) { return a.rowid < b.rowid; };
  if (!std::is_sorted(matches_.begin(), matches_.end(), is_before)) {
    std::sort(matches_.begin(), matches_.end(), is_before);
  }
  if (matches_.size() > kOpeningRows) {
    std::vector<uint32_t> by_words(matches_.size());
    std::iota(by_words.begin(), by_words.end(), 0);
    const auto last_with = by_words.begin() + kOpeningRows - 1;
    std::nth_element(by_words.begin(), last_with, by_words.end(), [&](uint32_t a, uint32_t b) {
      return IsBetter<&Match::words>(matches_[a], matches_[b]);
    });
    // As many more as have as much: which of them have smaller numbers says nothing, and those of
    // parts change. A row with all of the question's words may stand behind many that repeat one.
    const double least = matches_[*last_with].words;
    for (Match& match : matches_) {
      if (match.words < least && !match.has_all_words) match.opening = 0;
    }
  }
  for (const Match& match : matches_) {
    fusion_.most_words = std::max(fusion_.most_words, match.words);
  }
  // Titles that go on count where no title is the question as it stands.
  const bool are_longer = std::none_of(matches_.begin(), matches_.end(),
                                       [](const Match& match) { return match.is_title; });
  TitleLikeness likeness = TitleLikeness::kUnknown;
  for (const Match& match : matches_) likeness = std::max(likeness, match.title_likeness);
  const bool have_rivals = std::any_of(matches_.begin(), matches_.end(), [&](const Match& match) {
    return match.is_title && match.title_likeness < likeness;
  });
  for (Match& match : matches_) {
    const bool is_likest = likeness > TitleLikeness::kUnknown && match.title_likeness == likeness;
    const bool is_title = match.is_title || (are_longer && match.begins_title);
    const int titles = is_likest ? 1 + have_rivals : is_title;
    match.counts = fusion_.Words(match.words, match.opening) + titles * fusion_.Title();
  }
  const uint64_t most = matches_.size();
  OrderBest(static_cast<size_t>(std::min(most, std::max(kOrderedMatches, std::min(k, most) * 2))));
}

void Ranker::OrderBest(size_t count) {
  best_.resize(matches_.size());
  std::iota(best_.begin(), best_.end(), 0);
  const auto is_before = [&](uint32_t a, uint32_t b) {
    return IsBetter<&Match::counts>(matches_[a], matches_[b]);
  };
  if (count < best_.size()) {
    std::nth_element(best_.begin(), best_.begin() + static_cast<ptrdiff_t>(count), best_.end(),
                     is_before);
    best_.resize(count);
  }
  std::sort(best_.begin(), best_.end(), is_before);
}

const Match* Ranker::Find(int64_t rowid) const {
  const auto at =
      std::lower_bound(matches_.begin(), matches_.end(), rowid,
                       [](const Match& match, int64_t wanted) { return match.rowid < wanted; });
  return at == matches_.end() || at->rowid != rowid ? nullptr : &*at;
}

// The threshold algorithm (Fagin, Lotem and Naor 2001). A row that was not looked at is bounded by
// those that were: its words count at most what the next match counts, and it is at most as similar
// as the last of the nearest rows.
std::vector<ScoredRow> Ranker::Best(uint64_t k, Meaning* meaning) {
  Top<ScoredRow, &ScoredRow::score> best(k);
  std::unordered_set<int64_t> seen;
  const auto look = [&](int64_t rowid, double counts) {
    if (!seen.insert(rowid).second) return;
    const auto similarity = meaning != nullptr ? meaning->Similarity(rowid) : std::nullopt;
    best.Add({rowid, fusion_.Score(similarity, counts)});
  };
  const auto counts_of = [&](size_t at) {
    if (at < best_.size()) return matches_[best_[at]].counts;
    // The matches that are not sorted count no more than the last sorted one.
    return best_.size() < matches_.size() ? matches_[best_.back()].counts : 0;
  };
  size_t at = 0;
  for (; at < std::min<uint64_t>(k, best_.size()); at++) {
    look(matches_[best_[at]].rowid, counts_of(at));
  }
  // the largest similarity that a row not looked at may have
  double most = meaning != nullptr ? 1 : 0;
  const auto look_at_nearest = [&](uint64_t count, const RowSet* among) {
    const std::vector<Hit> near = meaning->Nearest(count, among);
    for (const Hit& hit : near) {
      const Match* match = Find(hit.rowid);
      look(hit.rowid, match != nullptr ? match->counts : 0);
    }
    most = near.size() < count ? 0 : std::max(0.0, near.back().similarity);
  };
  if (meaning != nullptr && fusion_.Score(most, counts_of(at + kFewMatches)) > best.Bar())
    look_at_nearest(k, nullptr);
  if (meaning != nullptr && fusion_.Score(most, counts_of(at + kManyMatches)) > best.Bar()) {
    std::vector<int64_t> left;
    for (const Match& match : matches_) {
      if (fusion_.Score(most, match.counts) > best.Bar() && !seen.contains(match.rowid))
        left.push_back(match.rowid);
    }
    const RowSet among(left);
    if (among.size() > kManyMatches)
      look_at_nearest(std::min<uint64_t>(k, among.size()) * 2, &among);
  }
  for (; fusion_.Score(most, counts_of(at)) > best.Bar(); at++) {
    if (at == best_.size()) {
      if (at == matches_.size()) break;
      OrderBest(matches_.size());  // the others could win; the sorted ones keep their places
    }
    look(matches_[best_[at]].rowid, counts_of(at));
  }
  return best.Take();
}

ScoreParts Ranker::Parts(const ScoredRow& row, std::optional<double> similarity) const {
  ScoreParts parts;
  if (const Match* match = Find(row.rowid)) {
    parts.bm25 = fusion_.Words(match->words, 0);
    parts.opening = match->counts - parts.bm25;
  }
  parts.meaning = fusion_.Score(similarity, 0);
  parts.feedback = row.score - parts.bm25 - parts.opening - parts.meaning;
  return parts;
}

void MoveTowards(std::span<const ScoredRow> best,
                 const std::function<const float*(int64_t rowid)>& vector_of,
                 std::vector<float>* query) {
  const simd::Kernels& kernels = simd::BestKernels();
  const auto dimension = static_cast<uint32_t>(query->size());
  std::vector<float> mean(dimension), moved = *query;
  for (const ScoredRow& row : best) {
    const float* vector = vector_of(row.rowid);
    if (vector != nullptr) kernels.axpy(mean.data(), 1, vector, dimension);
  }
  if (!Normalize(mean.data(), dimension)) return;
  kernels.axpy(moved.data(), kFeedback, mean.data(), dimension);
  if (Normalize(moved.data(), dimension)) *query = std::move(moved);
}

}  // namespace s2v::search
