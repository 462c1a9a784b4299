// A check of a model that needs no labels: each longer text is cut into two halves, and the first
// half has to find its second half among those of all the others.
#ifndef S2V_CORE_EVAL_RETRIEVAL_H_
#define S2V_CORE_EVAL_RETRIEVAL_H_

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/eval/encoder.h"
#include "core/text/tokenizer.h"

namespace s2v {

// Tokens that a text must have to be cut.
inline constexpr size_t kMinTokensToHalve = 8;

// The two halves of a text, tokens joined by spaces; two empty strings where it is too short.
std::pair<std::string, std::string> Halves(const Tokenizer& tokenizer, std::string_view text);

struct RetrievalScore {
  double recall_at_1 = 0;
  double recall_at_10 = 0;
  double mean_reciprocal_rank = 0;
};

// ranks: of each query's own half, from 1; candidates that score the same share the mean of their
// ranks.
RetrievalScore ScoreRanks(std::span<const double> ranks);

// [queries] rank of candidates[i] for queries[i] by cosine. REQUIRES: equal sizes.
std::vector<double> CosineRanks(std::span<const FeatureVector> queries,
                                std::span<const FeatureVector> candidates, uint32_t dimension);

}  // namespace s2v

#endif  // S2V_CORE_EVAL_RETRIEVAL_H_
