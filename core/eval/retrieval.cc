#include "core/eval/retrieval.h"

#include "core/eval/ranking.h"

namespace s2v {

std::pair<std::string, std::string> Halves(const Tokenizer& tokenizer, std::string_view text) {
  Tokens tokens;
  tokenizer.Tokenize(text, &tokens);
  std::pair<std::string, std::string> halves;
  if (tokens.size() < kMinTokensToHalve) return halves;
  for (size_t i = 0; i < tokens.size(); i++) {
    std::string& half = i < tokens.size() / 2 ? halves.first : halves.second;
    if (!half.empty()) half += ' ';
    half += tokens[i];
  }
  return halves;
}

RetrievalScore ScoreRanks(std::span<const double> ranks) {
  RetrievalScore score;
  if (ranks.empty()) return score;
  for (const double rank : ranks) {
    score.recall_at_1 += rank <= 1;
    score.recall_at_10 += rank <= 10;
    score.mean_reciprocal_rank += 1 / rank;
  }
  const auto n = static_cast<double>(ranks.size());
  score.recall_at_1 /= n;
  score.recall_at_10 /= n;
  score.mean_reciprocal_rank /= n;
  return score;
}

std::vector<double> CosineRanks(std::span<const FeatureVector> queries,
                                std::span<const FeatureVector> candidates, uint32_t dimension) {
  const VectorSet set(candidates, dimension);
  Scores cosines;
  std::vector<double> ranks;
  for (size_t q = 0; q < queries.size(); q++) {
    set.Compare(queries[q], &cosines);
    ranks.push_back(RankOf(cosines, q));
  }
  return ranks;
}

}  // namespace s2v
