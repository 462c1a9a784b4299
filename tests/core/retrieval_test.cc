// Ranks against counting one by one; halves; the held-out loss against eq. 3 in double precision.
#include <doctest/doctest.h>

#include <cmath>

#include "core/eval/held_out_loss.h"
#include "core/eval/ranking.h"
#include "core/train/sentence_planner.h"
#include "core/train/whitening.h"
#include "tests/core/naive_step.h"
#include "tests/core/synthetic_text.h"

namespace s2v {
namespace {

TEST_CASE("a text of eight tokens is cut in the middle, a shorter one not at all") {
  const Tokenizer& tokenizer = *FindTokenizer("whitespace");
  CHECK(Halves(tokenizer, "a b c d e f g h") ==
        std::pair<std::string, std::string>{"a b c d", "e f g h"});
  CHECK(Halves(tokenizer, "a b c d e f g h i") ==
        std::pair<std::string, std::string>{"a b c d", "e f g h i"});
  CHECK(Halves(tokenizer, "a b c d e f g") == std::pair<std::string, std::string>{});
  CHECK(Halves(tokenizer, "") == std::pair<std::string, std::string>{});
}

TEST_CASE("scores of ranks") {
  const std::vector<double> ranks = {1, 2, 10, 10.5, 100};
  const RetrievalScore score = ScoreRanks(ranks);
  CHECK(score.recall_at_1 == doctest::Approx(1.0 / 5));
  CHECK(score.recall_at_10 == doctest::Approx(3.0 / 5));
  CHECK(score.mean_reciprocal_rank == doctest::Approx((1 + 0.5 + 0.1 + 1 / 10.5 + 0.01) / 5));
  CHECK(ScoreRanks({}).recall_at_1 == 0);
}

std::vector<FeatureVector> RandomVectors(uint32_t count, uint32_t dimension, Random* random) {
  std::vector<FeatureVector> vectors(count);
  for (FeatureVector& vector : vectors) {
    for (uint32_t d = 0; d < dimension; d++) {
      if (random->Below(3) != 0) continue;
      vector.index.push_back(d);
      vector.value.push_back(static_cast<float>(random->Below(5)) - 1);
    }
  }
  return vectors;
}

TEST_CASE("ranks are those of the cosine, counted one by one") {
  Random random(1);
  const auto queries = RandomVectors(60, 12, &random), candidates = RandomVectors(60, 12, &random);
  const std::vector<double> ranks = CosineRanks(queries, candidates, 12);
  REQUIRE(ranks.size() == 60);
  constexpr double kRounding = 1e-5;  // of the float sums: cosines this near may stand either way
  for (size_t q = 0; q < 60; q++) {
    const double own = Cosine(queries[q], candidates[q]);
    double above = 0, near = 0;
    for (size_t c = 0; c < 60; c++) {
      const double cosine = Cosine(queries[q], candidates[c]);
      above += cosine > own + kRounding;
      near += std::fabs(cosine - own) <= kRounding;
    }
    CHECK(ranks[q] >= 1 + above);
    CHECK(ranks[q] <= above + near);
  }
}

TEST_CASE("equal candidates share their ranks, and an unknown query is in the middle of all") {
  const FeatureVector a{{0}, {1}}, b{{1}, {1}}, none;
  CHECK(CosineRanks(std::vector{a, b}, std::vector{a, b}, 2) == std::vector<double>{1, 1});
  CHECK(CosineRanks(std::vector{a, a}, std::vector{b, a}, 2) == std::vector<double>{2, 1});
  CHECK(CosineRanks(std::vector{a, a, a}, std::vector{a, a, b}, 2) ==
        std::vector<double>{1.5, 1.5, 3});
  CHECK(CosineRanks(std::vector{none, none, a}, std::vector{a, b, none}, 2) ==
        std::vector<double>{2, 2, 2.5});
}

TEST_CASE("a measured loss is eq. 3 of every target, and moves nothing") {
  Config config = test::SmallConfig();
  config.ngram_order = 2;
  const auto texts = test::TopicTexts(100, 5);
  Model model = test::TrainOn(config, texts);
  const Corpus corpus = test::BuildCorpus(config, texts);
  const auto words = static_cast<uint32_t>(model.target.rows());
  const std::vector<float> keep = KeepProbabilities(corpus.vocabulary, words, 1);
  const NegativeSampler negatives(corpus.vocabulary, words);
  const std::vector<float> all;
  SentencePlanner planner(config, corpus.vocabulary.size(), keep, all, negatives);
  SgdStep step(simd::BestKernels(), model.source.stride(), 0);
  const test::NaiveModel naive(model.source, model.target);
  Random random(6);
  StepPlan plan;
  for (uint64_t i = 0; i < 20; i++) {
    planner.Plan(test::SentenceOf(corpus, i), &random, &plan);
    StepLoss loss;
    REQUIRE(step.Apply(plan, 0, 0, &model.source, &model.target, &loss));
    CHECK(loss.targets == plan.targets.size());
    CHECK(loss.loss == doctest::Approx(naive.Loss(plan)).epsilon(1e-4));
  }
}

TEST_CASE(
    "the held-out loss is repeatable, lower for what the model knows, and near training's on its "
    "texts") {
  Config config = test::SmallConfig();
  config.epochs = 60;
  config.subsampling_threshold = 1;
  Random random(7);
  std::vector<std::string> first, second;
  for (int i = 0; i < 400; i++) first.push_back(test::TopicText(0, &random));
  for (int i = 0; i < 400; i++) second.push_back(test::TopicText(1, &random));
  std::vector<std::string> texts = first;
  texts.insert(texts.end(), second.begin(), second.end());
  Model model = test::TrainOn(config, texts);
  LengthenRows(&model);
  const StepLoss seen = HeldOutLoss(&model, texts), again = HeldOutLoss(&model, texts);
  CHECK(seen.targets > 800);
  CHECK(seen.loss == again.loss);
  const double mean = seen.loss / static_cast<double>(seen.targets);
  CHECK(mean == doctest::Approx(model.epoch_losses.back()).epsilon(0.05));
  // Words of both topics in one text are a surprise.
  std::vector<std::string> mixed;
  for (size_t i = 0; i < first.size(); i++) {
    std::string text;
    for (uint32_t w = 0; w < 8; w++)
      text += (w % 2 == 0 ? "a" : "b") + std::to_string((i + 3 * w) % 20) + " ";
    mixed.push_back(text);
  }
  const StepLoss surprise = HeldOutLoss(&model, mixed);
  CHECK(surprise.loss / static_cast<double>(surprise.targets) > mean);
}

TEST_CASE("texts without two known words have no loss") {
  Model model = test::TrainOn(test::SmallConfig(), test::TopicTexts(50, 8));
  CHECK(HeldOutLoss(&model, {}).targets == 0);
  CHECK(HeldOutLoss(&model, std::vector<std::string>{"", "a1", "new words", "a1 new"}).targets ==
        0);
}

}  // namespace
}  // namespace s2v
