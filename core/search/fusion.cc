#include "core/search/fusion.h"

#include <algorithm>

namespace s2v::search {

std::vector<double> FusedScores(std::span<const Evidence> evidence, double weight) {
  double most = 0;
  for (const Evidence& row : evidence) most = std::max(most, row.bm25.value_or(0));
  std::vector<double> scores;
  for (const Evidence& row : evidence) {
    const double words = most > 0 ? row.bm25.value_or(0) / most : 0;
    scores.push_back(words + weight * row.similarity.value_or(0));
  }
  return scores;
}

}  // namespace s2v::search
