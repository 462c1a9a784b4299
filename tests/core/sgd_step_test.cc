// SgdStep against eq. 3 in double precision (naive_step.h), and that against numerical
// differentiation.
#include "core/train/sgd_step.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "core/train/corpus.h"
#include "core/train/sentence_planner.h"
#include "tests/core/naive_step.h"
#include "tests/core/step_check.h"
#include "tests/core/synthetic_text.h"
#include "tests/support/emulated.h"

namespace s2v::test {
namespace {

TEST_CASE("the naive gradient is the derivative of the naive loss") {
  // Central differences of step d in double: off by d^2 / 6 of the third derivative (here d = 1e-4
  // and derivatives below 100: 2e-7) and by 1e-16 * loss / d (below 1e-10).
  Random random(1);
  for (int round = 0; round < 12; round++) {
    CAPTURE(round);
    PlanShape shape{6, 5, 1 + random.Below(7), 1 + random.Below(5), random.Below(4)};
    shape.features = std::max(shape.features, 2u);
    Case c = RandomCase(shape, 3, &random);
    NaiveModel naive(c.source, c.target);
    Rows d_source = NaiveModel::ZerosLike(naive.source),
         d_target = NaiveModel::ZerosLike(naive.target);
    for (const auto& group : c.plan.groups) {
      for (const auto& t : TargetsOf(c.plan, group)) {
        naive.AddGradient(c.plan, group, t, &d_source, &d_target);
      }
    }
    const double d = 1e-4;
    const auto check = [&](Rows* rows, const Rows& gradient) {
      double worst = 0, largest = 0;
      for (size_t r = 0; r < rows->size(); r++) {
        for (size_t i = 0; i < 3; i++) {
          double& x = (*rows)[r][i];
          const double old = x;
          x = old + d;
          const double above = naive.Loss(c.plan);
          x = old - d;
          const double below = naive.Loss(c.plan);
          x = old;
          worst = std::max(worst, std::fabs((above - below) / (2 * d) - gradient[r][i]));
          largest = std::max(largest, std::fabs(gradient[r][i]));
        }
      }
      CHECK(worst < 5e-7);
      CHECK(largest > 1e-2);
    };
    check(&naive.source, d_source);
    check(&naive.target, d_target);
  }
}

TEST_CASE("one target moves every row against its gradient") {
  // the pure gradient: nothing has moved when it is taken
  for (const simd::Kernels* kernels : simd::AvailableKernels()) {
    Random random(2);
    for (const uint32_t dimension : kDimensions) {
      SgdStep step(*kernels, Matrix::Stride(dimension), 0);
      for (int round = 0; round < 20; round++) {
        PlanShape shape{30, 12, 2 + random.Below(20), 1, random.Below(30)};
        Case c = RandomCase(shape, dimension, &random);
        CheckStep(*kernels, &step, &c, {0.2, 0.1});
      }
    }
  }
}

TEST_CASE("any plan moves the rows as the naive step does") {
  for (const simd::Kernels* kernels : simd::AvailableKernels()) {
    Random random(3);
    for (const uint32_t dimension : kDimensions) {
      SgdStep step(*kernels, Matrix::Stride(dimension), 0);
      for (int round = 0; round < 30; round++) {
        // few rows and words: repeated features, negatives that are targets
        const PlanShape shape{2 + random.Below(20), 1 + random.Below(20), 2 + random.Below(25),
                              1 + random.Below(20), random.Below(20)};
        Case c = RandomCase(shape, dimension, &random);
        const double source_rate = round % 3 == 0 ? 0.02 : 0.3;
        CheckStep(*kernels, &step, &c, {source_rate, round % 5 == 0 ? 0.5 : 0.05});
      }
    }
  }
}

// Of plans whose rows are more than 256 KB, which the step goes through piece by piece. Half of the
// coordinates have one sign, so that an average of many rows is not all but zero.
Case LongCase(const PlanShape& shape, uint32_t dimension, uint32_t fresh, Random* random) {
  Case c = RandomCase(shape, dimension, random);
  const float size = 1 / std::sqrt(static_cast<float>(dimension));
  Fill(&c.source, 0.9f * size, size, random);
  Fill(&c.target, 0.9f * size, size, random);
  for (uint64_t r = 0; r < c.source.rows(); r++) {
    for (uint32_t i = 0; i < dimension; i += 2) c.source[r][i] = std::fabs(c.source[r][i]);
  }
  for (uint32_t i = 0; i < fresh; i++) c.plan.fresh.push_back(random->Below(shape.words));
  return c;
}

TEST_CASE("a plan of more rows than stay near moves them as the naive step does") {
  struct LongPlan {
    PlanShape shape;
    uint32_t dimension, fresh;
  };
  const LongPlan plans[] = {
      {{3000, 400, 2000, 300, 10}, 64, 0},
      {{3000, 400, 960, 64, 5}, 64, 0},  // of 1024 rows of 256 bytes: the most that stay
      {{3000, 400, 961, 64, 5}, 64, 0},  // one more; 30 pieces of 32 rows and one row
      {{700, 400, 992, 40, 5}, 64, 0},   // 31 whole pieces
      {{50, 400, 40, 9, 5}, 64, 1000},   // the negative samples make it long
      {{40, 30, 33, 5, 3}, 2000, 0},     // a few rows, but of 8 KB
      {{5, 12, 4, 8, 3}, 6000, 0},       // of 24 KB, not one piece full
  };
  const Rates kinds[] = {{0.3, 0.05}, {0.3, 0.05, 0.001}, {0.3, 0.05, 0.001, 0.001}};
  for (const simd::Kernels* kernels : simd::AvailableKernels()) {
    Random random(15);
    for (const LongPlan& plan : plans) {
      for (const Rates& rates : kinds) {
        if (testing::Emulated() && (&plan - plans) % 3 != &rates - kinds) continue;
        Case c = LongCase(plan.shape, plan.dimension, plan.fresh, &random);
        SgdStep step(*kernels, c.source.stride(), rates.l1, rates.step_bound);
        StepLoss loss;
        REQUIRE(step.Apply(c.plan, 0, 0, &c.source, &c.target, &loss));
        CHECK(loss.loss ==
              doctest::Approx(NaiveModel(c.source, c.target).Loss(c.plan)).epsilon(1e-5));
        CHECK(loss.targets == c.plan.targets.size());
        const double shorter = CheckStep(*kernels, &step, &c, rates);
        CHECK((shorter < 1) == (rates.step_bound > 0));
      }
    }
  }
}

TEST_CASE("a step uses nothing of the step before it") {
  Random random(5);
  SgdStep used(simd::BestKernels(), 32, 0.001, 0.05);
  for (int round = 0; round < 20; round++) {
    const PlanShape shape{20, 10, round % 3 == 1 ? 3000 : 2 + random.Below(100),
                          1 + random.Below(100), 5};
    Case c = RandomCase(shape, 32, &random), d = CopyOf(c);
    SgdStep fresh(simd::BestKernels(), 32, 0.001, 0.05);
    // without a place for the loss, too: it must change nothing
    REQUIRE(used.Apply(c.plan, 0.1f, 0.1f, &c.source, &c.target, nullptr));
    StepLoss loss;
    REQUIRE(fresh.Apply(d.plan, 0.1f, 0.1f, &d.source, &d.target, &loss));
    CHECK(Copy(c.source) == Copy(d.source));
    CHECK(Copy(c.target) == Copy(d.target));
  }
}

TEST_CASE("a plan without targets changes nothing") {
  Random random(6);
  Case c = RandomCase({5, 5, 4, 0, 0}, 16, &random);
  const Rows source = Copy(c.source), target = Copy(c.target);
  SgdStep step(simd::BestKernels(), 16, 0.1);
  StepLoss loss;
  CHECK(step.Apply(c.plan, 0.1f, 0.1f, &c.source, &c.target, &loss));
  CHECK(loss.targets == 0);
  CHECK(loss.loss == 0);
  CHECK(Copy(c.source) == source);
  CHECK(Copy(c.target) == target);
}

TEST_CASE("losses add up over steps") {
  Random random(7);
  Case c = RandomCase({5, 5, 4, 3, 2}, 16, &random);
  SgdStep step(simd::BestKernels(), 16, 0);
  StepLoss loss{10, 20};
  NaiveModel naive(c.source, c.target);
  REQUIRE(step.Apply(c.plan, 1e-6f, 1e-6f, &c.source, &c.target, &loss));
  CHECK(loss.targets == 23);
  CHECK(std::fabs(loss.loss - 10 - naive.Loss(c.plan)) < 9 * 4 * kCoefficientError);
}

TEST_CASE("the plans of a planner move the rows as the naive step does") {
  // small vocabularies: repeated words, sampled targets; unknown words break n-grams; dropout
  for (const simd::Kernels* kernels : simd::AvailableKernels()) {
    for (const int64_t order : {1, 2, 3, 4}) {
      for (const int64_t reuse : {1, 10}) {
        CAPTURE(order);
        CAPTURE(reuse);
        Config config = SmallConfig();
        config.ngram_order = order;
        config.recipe.negative_reuse = reuse;
        config.negatives = 5;
        config.min_count = 3;
        config.ngram_dropout = order == 3 ? 0 : 3;
        const Corpus corpus = BuildCorpus(config, ZipfTexts(25, 15, 20, 8));
        const auto words = static_cast<uint32_t>(corpus.vocabulary.size());
        const std::vector<float> keep = KeepProbabilities(corpus.vocabulary, words, 0.05);
        const NegativeSampler negatives(corpus.vocabulary, words);
        const std::vector<float> all;
        SentencePlanner planner(config, corpus.vocabulary.size(), keep, all, negatives);
        const uint32_t dimension = 20;
        Random random(9);
        Case c{Matrix(words + corpus.ngram_buckets.size(), dimension), Matrix(words, dimension),
               StepPlan()};
        Fill(&c.source, 0, 0.2f, &random);
        Fill(&c.target, 0, 0.2f, &random);
        SgdStep step(*kernels, c.source.stride(), 0);
        for (uint64_t i = 0; i < corpus.sentences(); i++) {
          planner.Plan(SentenceOf(corpus, i), &random, &c.plan);
          if (!c.plan.targets.empty()) CheckStep(*kernels, &step, &c, {0.1, 0.05});
        }
      }
    }
  }
}

TEST_CASE("small steps lower the loss of their own plan") {
  Random random(10);
  for (int round = 0; round < 30; round++) {
    Case c = RandomCase({20, 10, 2 + random.Below(20), 1 + random.Below(20), 5}, 16, &random);
    const double before = NaiveModel(c.source, c.target).Loss(c.plan);
    SgdStep step(simd::BestKernels(), 16, 0);
    REQUIRE(step.Apply(c.plan, 0.01f, 0.01f, &c.source, &c.target, nullptr));
    CHECK(NaiveModel(c.source, c.target).Loss(c.plan) < before);
  }
}

TEST_CASE("a row that is in no context does not move") {
  // a + g - g rounds: by 2^-24 of the row's size for each of the two
  Matrix source(2, 16), target(3, 16);
  Random random(11);
  Fill(&source, 0.1f, 0.2f, &random);
  Fill(&target, 0.1f, 0.2f, &random);
  const Rows before = Copy(source);
  StepPlan plan;
  plan.rows = {0, 1};
  plan.excluded = {0};
  plan.targets = {{0, 0, 1}};
  plan.groups = {{0, 1, 0, 2}};
  plan.negatives = {1, 2};
  SgdStep step(simd::BestKernels(), 16, 0);
  REQUIRE(step.Apply(plan, 0.5f, 0.5f, &source, &target, nullptr));
  double moved = 0;
  for (uint32_t i = 0; i < 16; i++) {
    CHECK(std::fabs(source[0][i] - before[0][i]) <= 4 * kEpsilon);
    moved = std::max(moved, std::fabs(source[1][i] - before[1][i]));
  }
  CHECK(moved > 0.01);
}

TEST_CASE("L1 shrinks the source rows by tau * rate / |C| and the target rows by tau * rate") {
  // Rows far from zero, where the order of moving and shrinking makes no difference.
  for (const simd::Kernels* kernels : simd::AvailableKernels()) {
    Random random(12);
    for (const uint32_t dimension : kDimensions) {
      const double l1 = 0.001;
      SgdStep step(*kernels, Matrix::Stride(dimension), l1);
      for (int round = 0; round < 20; round++) {
        const PlanShape shape{30, 40, 2 + random.Below(20), 1 + random.Below(16), random.Below(8)};
        Case c = RandomCase(shape, dimension, &random);
        const float size = 1 / std::sqrt(static_cast<float>(dimension));
        Fill(&c.source, 0.9f * size, size, &random);
        Fill(&c.target, 0.9f * size, size, &random);
        // Scores near 1 and slow steps: no row comes near zero.
        CheckStep(*kernels, &step, &c, {0.01, 0.005, l1});
      }
    }
  }
}

TEST_CASE("L1 that is stronger than a row leaves exact zeros, and only where it acts") {
  Matrix source(4, 16), target(4, 16);
  Random random(13);
  Fill(&source, 0.01f, 0.02f, &random);
  Fill(&target, 0.01f, 0.02f, &random);
  const Rows source_before = Copy(source), target_before = Copy(target);
  StepPlan plan;
  plan.rows = {0, 1, 2};
  plan.excluded = {0};
  plan.targets = {{0, 0, 1}};
  plan.groups = {{0, 1, 0, 1}};
  plan.negatives = {2};
  // 0.1 * 1 / 2 on the context rows 1 and 2, 0.1 on the target rows 0 and 2: more than the rows and
  // their gradients (below 0.5 * 0.02)
  SgdStep step(simd::BestKernels(), 16, 0.1);
  REQUIRE(step.Apply(plan, 1, 1, &source, &target, nullptr));
  for (uint32_t i = 0; i < 16; i++) {
    CHECK(source[1][i] == 0);
    CHECK(source[2][i] == 0);
    CHECK(std::fabs(source[0][i] - source_before[0][i]) <= 4 * kEpsilon);
    CHECK(source[3][i] == static_cast<float>(source_before[3][i]));
    CHECK(target[0][i] == 0);
    CHECK(target[2][i] == 0);
    CHECK(target[1][i] == static_cast<float>(target_before[1][i]));
    CHECK(target[3][i] == static_cast<float>(target_before[3][i]));
  }
}

TEST_CASE("a score that is not finite stops the step") {
  const float kBad[] = {std::numeric_limits<float>::quiet_NaN(),
                        std::numeric_limits<float>::infinity(),
                        -std::numeric_limits<float>::infinity(), 3e38f};
  for (const simd::Kernels* kernels : simd::AvailableKernels()) {
    for (const float bad : kBad) {
      for (int place = 0; place < 4; place++) {
        CAPTURE(std::string(kernels->name));
        CAPTURE(bad);
        CAPTURE(place);
        Random random(14);
        Case c{Matrix(4, 16), Matrix(4, 16), StepPlan()};
        Fill(&c.source, 0.5f, 1, &random);
        Fill(&c.target, 0.5f, 1, &random);
        c.plan.rows = {0, 1, 2};
        c.plan.excluded = {0};
        c.plan.targets = {{0, 0, 1}, {2, 0, 1}};
        c.plan.groups = {{0, 2, 0, 1}};
        c.plan.negatives = {1};
        float* row = place == 0 ? c.source[1] : c.target[static_cast<uint64_t>(place - 1)];
        for (uint32_t i = 0; i < 16; i++) row[i] = bad;
        // 3e38 alone is finite; with rows of 100 its products are not
        if (bad == 3e38f) {
          for (uint32_t i = 0; i < 16; i++) {
            for (uint64_t r = 0; r < 4; r++) {
              for (Matrix* m : {&c.source, &c.target}) {
                if ((*m)[r] != row) (*m)[r][i] = 100;
              }
            }
          }
        }
        const Rows source = Copy(c.source), target = Copy(c.target);
        SgdStep step(*kernels, 16, 0);
        CHECK(!step.Apply(c.plan, 0.1f, 0.1f, &c.source, &c.target, nullptr));
        for (uint64_t r = 0; r < 4; r++) {
          for (uint32_t i = 0; i < 16; i++) {
            if (!std::isnan(source[r][i]))
              CHECK(c.source[r][i] == static_cast<float>(source[r][i]));
            if (!std::isnan(target[r][i]))
              CHECK(c.target[r][i] == static_cast<float>(target[r][i]));
          }
        }
      }
    }
  }
}

TEST_CASE("large scores saturate without trouble") {
  Matrix source(2, 16), target(2, 16);
  for (uint32_t i = 0; i < 16; i++) {
    source[0][i] = source[1][i] = 100;
    target[0][i] = -100;
    target[1][i] = 100;
  }
  StepPlan plan;
  plan.rows = {0, 1};
  plan.excluded = {0};
  plan.targets = {{0, 0, 1}};
  plan.groups = {{0, 1, 0, 1}};
  plan.negatives = {1};
  SgdStep step(simd::BestKernels(), 16, 0);
  StepLoss loss;
  // score -160000 of the target and 160000 of the negative sample: both probabilities are entirely
  // wrong
  REQUIRE(step.Apply(plan, 0.1f, 0.1f, &source, &target, &loss));
  CHECK(std::isfinite(loss.loss));
  CHECK(loss.loss > 30);  // two terms, each at least -log 1e-8 = 18.4
  for (uint32_t i = 0; i < 16; i++) {
    // changes of rate * 1 * 100 = 10 and rate * (100 + 100) = 20, off by 1e-6 of them and the
    // rounding of 100
    CHECK(target[0][i] == doctest::Approx(-90).epsilon(1e-5));
    CHECK(target[1][i] == doctest::Approx(90).epsilon(1e-5));
    CHECK(source[1][i] == doctest::Approx(80).epsilon(1e-5));
  }
}

}  // namespace
}  // namespace s2v::test
