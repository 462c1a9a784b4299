// Words and meaning in one score.
//
//   FusedScores({{.similarity = 0.71, .bm25 = 8.2}, {.similarity = 0.78, .bm25 = {}}}, {});
//
//   score = bm25 / (largest bm25 of all) + weight * similarity
//
// Scores are put together, not ranks: how much better the first row is than the second is what tells
// whether to believe it. What a row lacks counts nothing.
#ifndef S2V_CORE_SEARCH_FUSION_H_
#define S2V_CORE_SEARCH_FUSION_H_

#include <optional>
#include <span>
#include <vector>

namespace s2v::search {

inline constexpr double kDefaultWeight = 0.5;

struct Evidence {
  std::optional<double> similarity, bm25;
};
// [evidence]. weight: nothing for the default.
std::vector<double> FusedScores(std::span<const Evidence> evidence, std::optional<double> weight);

}  // namespace s2v::search

#endif  // S2V_CORE_SEARCH_FUSION_H_
