// Words and meaning in one score.
//
//   const double weight = DefaultWeight(words_of_the_question);
//   FusedScores({{.similarity = 0.71, .bm25 = 8.2}, {.similarity = 0.78, .bm25 = {}}}, weight);
//
//   score = bm25 / (largest bm25 of all) + weight * similarity
//
// Scores are put together, not ranks: how much better the first row is than the second is what tells
// whether to believe it. What a row lacks counts nothing. A question of few words names what it looks for, and
// its vector is of few words; so meaning counts more the longer the question is.
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
#include <optional>
#include <span>
#include <vector>

namespace s2v::search {

inline constexpr size_t kFeedbackRows = 5;
inline constexpr float kFeedback = 0.5f;

// words: different ones of the question.
inline double DefaultWeight(size_t words) {
  return std::min(0.7, 0.06 * static_cast<double>(words));
}

struct Evidence {
  std::optional<double> similarity, bm25;
};
// [evidence]
std::vector<double> FusedScores(std::span<const Evidence> evidence, double weight);

}  // namespace s2v::search

#endif  // S2V_CORE_SEARCH_FUSION_H_
