#include "core/eval/retrieval.h"

#include <cmath>

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
  struct Posting {
    uint32_t candidate;
    float value;
  };
  std::vector<std::vector<Posting>> postings(dimension);
  for (uint32_t c = 0; c < candidates.size(); c++) {
    const double length = std::sqrt(Dot(candidates[c], candidates[c]));
    if (!(length > 0)) continue;
    for (size_t i = 0; i < candidates[c].index.size(); i++) {
      const auto value = static_cast<float>(static_cast<double>(candidates[c].value[i]) / length);
      postings[candidates[c].index[i]].push_back({c, value});
    }
  }
  std::vector<double> ranks;
  std::vector<float> scores;
  for (size_t q = 0; q < queries.size(); q++) {
    scores.assign(candidates.size(), 0.0f);
    for (size_t i = 0; i < queries[q].index.size(); i++) {
      const float weight = queries[q].value[i];
      for (const Posting& p : postings[queries[q].index[i]])
        scores[p.candidate] += weight * p.value;
    }
    double above = 0, equal = 0;
    for (const float score : scores) {
      above += score > scores[q];
      equal += score == scores[q];
    }
    ranks.push_back(1 + above + (equal - 1) / 2);
  }
  return ranks;
}

}  // namespace s2v
