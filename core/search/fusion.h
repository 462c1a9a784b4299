// Words and meaning in one score.
//
//   const Fusion fusion{.weight = DefaultWeight(words_of_the_question), .most_bm25 = 8.2};
//   fusion.Score(/*similarity=*/0.71, /*bm25=*/8.2);
//
//   score = (bm25 / largest bm25 of all)^3 + weight * similarity
//
// Scores are put together, not ranks: how much better the first row is than the second is what tells
// whether to believe it. The power keeps the words' first rows apart, and leaves the order of the many rows that
// share a frequent word or two to meaning. What a row lacks counts nothing. A question of few words names
// what it looks for, and its vector is of few words; so meaning counts more the longer the question is.
//
// Feedback (Rocchio 1971): what the best rows of a first round have in common says more of what is looked
// for than the question alone. In a second round similarities are those to
//
//   q' = q + kFeedback * (mean of the first kFeedbackRows rows, of length 1)
//
// Chosen on nine judged collections: docs/search.md.
#ifndef S2V_CORE_SEARCH_FUSION_H_
#define S2V_CORE_SEARCH_FUSION_H_

#include <algorithm>
#include <cstddef>
#include <optional>

namespace s2v::search {

inline constexpr size_t kFeedbackRows = 3;
inline constexpr float kFeedback = 0.5f;

// words: different ones of the question.
inline double DefaultWeight(size_t words) {
  return 0.09 * static_cast<double>(std::min<size_t>(words, 10));
}

struct Fusion {
  double weight = 0;
  double most_bm25 = 0;  // 0: no word matches

  // A larger similarity or bm25 never has a smaller score: whoever looks for the best rows may stop where
  // no row that is left can reach them.
  double Score(std::optional<double> similarity, std::optional<double> bm25) const {
    const double words = most_bm25 > 0 ? bm25.value_or(0) / most_bm25 : 0;
    return words * words * words + weight * similarity.value_or(0);
  }
};

}  // namespace s2v::search

#endif  // S2V_CORE_SEARCH_FUSION_H_
