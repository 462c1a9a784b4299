// How well a search finds what people judged relevant: the measures of trec_eval, and the interval
// of a difference between two searches. Queries without a relevant row are left out before.
//
//   const RankingScore score = ScoreRanking(RankRows(scores, tie_order), grades);
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/eval/encoder.h"
#include "core/text/tokenizer.h"

namespace s2v {

// [rows] of one query, larger is better; float, as in trec_eval. 0: the row shares nothing with the
// query and is not in the answer.
using Scores = std::vector<float>;

inline constexpr size_t kRankingDepth = 1000;
// The rows of the answer, best first, at most kRankingDepth. Of equal scores the row with the
// larger tie_order [rows] comes first; trec_eval orders them so by their ids as text.
std::vector<uint32_t> RankRows(const Scores& scores, std::span<const uint32_t> tie_order);

struct RankingScore {
  double ndcg_at_10 = 0;         // gain: the grade; discount: log2(rank + 1)
  double average_precision = 0;  // its mean over queries is MAP
  double reciprocal_rank = 0;    // of the first relevant row; its mean is MRR
  double recall_at_100 = 0;
};

// grades: of each relevant row, above 0; rows that cannot be found at all belong to it too.
// REQUIRES: grades is not empty.
RankingScore ScoreRanking(std::span<const uint32_t> ranking,
                          const std::unordered_map<uint32_t, int64_t>& grades);

// The rank of row own, from 1; rows that score the same share the mean of their ranks.
double RankOf(const Scores& scores, size_t own);

// Many vectors, to be compared with one at a time.
class VectorSet {
 public:
  // REQUIRES: places below dimension.
  VectorSet(std::span<const FeatureVector> vectors, uint32_t dimension);
  // cosines: [vectors] with vector; 0 where a side is empty or both share no place.
  void Compare(const FeatureVector& vector, std::vector<float>* cosines) const;

 private:
  struct Posting {
    uint32_t vector;
    float value;
  };
  const size_t size_;
  std::vector<std::vector<Posting>> postings_;  // [dimension]
};

struct Interval {
  double low = 0, high = 0;
};
// 95 % of the mean of differences (one a query): the percentiles of 10,000 means of as many
// queries, drawn with replacement (Efron's bootstrap). The same seed draws the same queries.
// REQUIRES: differences is not empty.
Interval BootstrapInterval(std::span<const double> differences, uint64_t seed);

// ---- a check of a model that needs no labels: each longer text is cut into two halves, and the
// first half has to find its second half among those of all the others ----

inline constexpr size_t kMinTokensToHalve = 8;
// The two halves of a text, tokens joined by spaces; two empty strings where it is too short.
std::pair<std::string, std::string> Halves(const Tokenizer& tokenizer, std::string_view text);

struct RetrievalScore {
  double recall_at_1 = 0;
  double recall_at_10 = 0;
  double mean_reciprocal_rank = 0;
};

// ranks: of each query's own half, as RankOf has them.
RetrievalScore ScoreRanks(std::span<const double> ranks);

// [queries] rank of candidates[i] for queries[i] by cosine. REQUIRES: equal sizes.
std::vector<double> CosineRanks(std::span<const FeatureVector> queries,
                                std::span<const FeatureVector> candidates, uint32_t dimension);

}  // namespace s2v
