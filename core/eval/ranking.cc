#include "core/eval/ranking.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "core/random.h"

namespace s2v {

std::vector<uint32_t> RankRows(const Scores& scores, std::span<const uint32_t> tie_order) {
  std::vector<uint32_t> rows;
  for (uint32_t row = 0; row < scores.size(); row++) {
    if (scores[row] != 0) rows.push_back(row);
  }
  const auto end = rows.begin() + static_cast<ptrdiff_t>(std::min(rows.size(), kRankingDepth));
  std::partial_sort(rows.begin(), end, rows.end(), [&](uint32_t a, uint32_t b) {
    return scores[a] != scores[b] ? scores[a] > scores[b] : tie_order[a] > tie_order[b];
  });
  rows.erase(end, rows.end());
  return rows;
}

RankingScore ScoreRanking(std::span<const uint32_t> ranking,
                          const std::unordered_map<uint32_t, int64_t>& grades) {
  const auto discount = [](size_t i) { return std::log2(static_cast<double>(i) + 2); };
  std::vector<int64_t> best;
  for (const auto& [row, grade] : grades) best.push_back(grade);
  std::sort(best.begin(), best.end(), std::greater<>());
  double ideal = 0;
  for (size_t i = 0; i < std::min<size_t>(best.size(), 10); i++) {
    ideal += static_cast<double>(best[i]) / discount(i);
  }
  RankingScore score;
  double found = 0;
  for (size_t i = 0; i < ranking.size(); i++) {
    const auto relevant = grades.find(ranking[i]);
    if (relevant == grades.end()) continue;
    const auto rank = static_cast<double>(i + 1);
    if (found == 0) score.reciprocal_rank = 1 / rank;
    found++;
    score.average_precision += found / rank;
    if (i < 10) score.ndcg_at_10 += static_cast<double>(relevant->second) / discount(i);
    if (i < 100) score.recall_at_100++;
  }
  const auto all = static_cast<double>(grades.size());
  score.ndcg_at_10 /= ideal;
  score.average_precision /= all;
  score.recall_at_100 /= all;
  return score;
}

double RankOf(const Scores& scores, size_t own) {
  double above = 0, equal = 0;
  for (const float score : scores) {
    above += score > scores[own];
    equal += score == scores[own];
  }
  return 1 + above + (equal - 1) / 2;
}

VectorSet::VectorSet(std::span<const FeatureVector> vectors, uint32_t dimension)
    : size_(vectors.size()), postings_(dimension) {
  for (uint32_t v = 0; v < vectors.size(); v++) {
    const double length = std::sqrt(Dot(vectors[v], vectors[v]));
    if (!(length > 0)) continue;
    for (size_t i = 0; i < vectors[v].index.size(); i++) {
      const auto value = static_cast<float>(static_cast<double>(vectors[v].value[i]) / length);
      postings_[vectors[v].index[i]].push_back({v, value});
    }
  }
}

void VectorSet::Compare(const FeatureVector& vector, std::vector<float>* cosines) const {
  cosines->assign(size_, 0.0f);
  const double length = std::sqrt(Dot(vector, vector));
  if (!(length > 0)) return;
  for (size_t i = 0; i < vector.index.size(); i++) {
    const auto weight = static_cast<float>(static_cast<double>(vector.value[i]) / length);
    for (const Posting& p : postings_[vector.index[i]]) (*cosines)[p.vector] += weight * p.value;
  }
}

Interval BootstrapInterval(std::span<const double> differences, uint64_t seed) {
  constexpr size_t kDraws = 10000;
  Random random(seed);
  std::vector<double> means(kDraws);
  for (double& mean : means) {
    for (size_t i = 0; i < differences.size(); i++) {
      mean += differences[random.Below(static_cast<uint32_t>(differences.size()))];
    }
    mean /= static_cast<double>(differences.size());
  }
  std::sort(means.begin(), means.end());
  return {means[kDraws / 40], means[kDraws - 1 - kDraws / 40]};
}

std::pair<std::string, std::string> Halves(const Tokenizer& tokenizer, std::string_view text) {
  Tokens tokens;
  tokenizer.Tokenize(text, &tokens);
  if (tokens.size() < kMinTokensToHalve) return {};
  const size_t middle = tokens.size() / 2;
  return {tokens.Joined(0, middle), tokens.Joined(middle, tokens.size())};
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
