// The measures against figures worked out by hand, as trec_eval defines them.
#include "core/eval/ranking.h"

#include <doctest/doctest.h>

#include <cmath>

#include "core/random.h"

namespace s2v {
namespace {

using doctest::Approx;
using Grades = std::unordered_map<uint32_t, int64_t>;

TEST_CASE("rows come by score, equal ones by their place in the order of ids, the larger first") {
  const std::vector<uint32_t> order = {0, 2, 1, 4, 3};
  CHECK(RankRows({0.5f, 1.0f, 1.0f, 0.5f, 0.75f}, order) == std::vector<uint32_t>{1, 2, 4, 3, 0});
}

TEST_CASE("a row that shares nothing is not in the answer, one that scores below zero is") {
  const std::vector<uint32_t> order = {0, 1, 2};
  CHECK(RankRows({0.0f, -0.5f, 0.25f}, order) == std::vector<uint32_t>{2, 1});
}

TEST_CASE("an answer ends after a thousand rows") {
  std::vector<uint32_t> order(1200);
  Scores scores(1200);
  for (uint32_t i = 0; i < 1200; i++) order[i] = i, scores[i] = static_cast<float>(i + 1);
  const std::vector<uint32_t> ranking = RankRows(scores, order);
  REQUIRE(ranking.size() == 1000);
  CHECK(ranking.front() == 1199);
  CHECK(ranking.back() == 200);
}

TEST_CASE("measures of a ranking with grades, one relevant row of which is not found") {
  // Relevant at ranks 2 (grade 1), 4 (grade 2); one of grade 1 nowhere.
  const std::vector<uint32_t> ranking = {7, 3, 8, 5, 9};
  const RankingScore score = ScoreRanking(ranking, Grades{{3, 1}, {5, 2}, {99, 1}});
  const double dcg = 1 / std::log2(3) + 2 / std::log2(5);
  const double ideal = 2 / std::log2(2) + 1 / std::log2(3) + 1 / std::log2(4);
  CHECK(score.ndcg_at_10 == Approx(dcg / ideal));
  CHECK(score.ndcg_at_10 == Approx(0.476626));  // (0.63093 + 0.86135) / (2 + 0.63093 + 0.5)
  CHECK(score.average_precision == Approx((1.0 / 2 + 2.0 / 4) / 3));
  CHECK(score.reciprocal_rank == Approx(0.5));
  CHECK(score.recall_at_100 == Approx(2.0 / 3));
}

TEST_CASE("the gain is the grade itself, not two to its power") {
  const RankingScore score = ScoreRanking(std::vector<uint32_t>{0, 1}, Grades{{0, 1}, {1, 3}});
  CHECK(score.ndcg_at_10 == Approx((1 + 3 / std::log2(3)) / (3 + 1 / std::log2(3))));
}

TEST_CASE("each measure looks as deep as its name says") {
  std::vector<uint32_t> ranking(150);
  for (uint32_t i = 0; i < 150; i++) ranking[i] = i;
  const RankingScore tenth = ScoreRanking(ranking, Grades{{9, 1}});
  CHECK(tenth.ndcg_at_10 == Approx(1 / std::log2(11)));
  const RankingScore eleventh = ScoreRanking(ranking, Grades{{10, 1}});
  CHECK(eleventh.ndcg_at_10 == 0);
  CHECK(eleventh.reciprocal_rank == Approx(1.0 / 11));
  CHECK(ScoreRanking(ranking, Grades{{99, 1}}).recall_at_100 == 1);
  const RankingScore deep = ScoreRanking(ranking, Grades{{100, 1}});
  CHECK(deep.recall_at_100 == 0);
  CHECK(deep.average_precision == Approx(1.0 / 101));
}

TEST_CASE("the best answer has no more than ten rows to gain from") {
  Grades grades;
  std::vector<uint32_t> ranking;
  for (uint32_t i = 0; i < 30; i++) grades[i] = 1, ranking.push_back(i);
  CHECK(ScoreRanking(ranking, grades).ndcg_at_10 == Approx(1));
  CHECK(ScoreRanking({}, grades).ndcg_at_10 == 0);
}

TEST_CASE("cosines of a vector with all of a set are those one by one") {
  Random random(3);
  std::vector<FeatureVector> vectors(20);
  for (FeatureVector& vector : vectors) {
    for (uint32_t d = 0; d < 9; d++) {
      if (random.Below(2) == 0) continue;
      vector.index.push_back(d);
      vector.value.push_back(random.Uniform() - 0.5f);
    }
  }
  vectors[4].Clear();
  const VectorSet set(vectors, 9);
  std::vector<float> cosines;
  for (const FeatureVector& row : vectors) {
    set.Compare(row, &cosines);
    REQUIRE(cosines.size() == 20);
    for (size_t q = 0; q < 20; q++) {
      CHECK(cosines[q] == Approx(Cosine(vectors[q], row)).epsilon(1e-5));
    }
  }
}

TEST_CASE(
    "the bootstrap's interval holds the mean, and is that of the normal law for many queries") {
  Random random(5);
  std::vector<double> differences(400);
  double mean = 0, squares = 0;
  for (double& d : differences) {
    d = random.Uniform() - 0.4;
    mean += d / 400;
  }
  for (const double d : differences) squares += (d - mean) * (d - mean);
  const double error = std::sqrt(squares / 400 / 400);
  const Interval interval = BootstrapInterval(differences, 1);
  CHECK(interval.low == Approx(mean - 1.96 * error).epsilon(0.03));
  CHECK(interval.high == Approx(mean + 1.96 * error).epsilon(0.03));
  const Interval again = BootstrapInterval(differences, 1);
  CHECK(again.low == interval.low);
  CHECK(BootstrapInterval(differences, 2).low != interval.low);
}

TEST_CASE("a difference that is the same for every query is certain") {
  const std::vector<double> differences(7, 0.25);
  CHECK(BootstrapInterval(differences, 1).low == Approx(0.25));
  CHECK(BootstrapInterval(differences, 1).high == Approx(0.25));
}

}  // namespace
}  // namespace s2v
