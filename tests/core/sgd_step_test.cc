// SgdStep against eq. 3 in double precision (naive_step.h), and that against numerical
// differentiation.
//
// Tolerance of a step. A kernel's sigmoid is off by less than 1e-6 (core/simd/kernels.h); a score
// of terms of at most 1 by some 2^-24 for each dimension and each row summed, which is below 4e-6
// for the shapes here. (The thousands of roundings of the longest plans could add up to more, but
// they fall to both sides.) So a coefficient (label - probability) is off by less than 5e-6, and
// the change of a row by that times the rate, the length of the coefficient's vector (at most 1 a
// coordinate), and the number of coefficients that meet in the row. To this comes the rounding of
// the row itself at each of its updates, 2^-24 of its size.
#include "core/train/sgd_step.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include "core/train/corpus.h"
#include "tests/core/naive_step.h"
#include "tests/core/synthetic_text.h"

namespace s2v {
namespace {

using test::NaiveModel;
using test::Rows;
using test::SmallConfig;

constexpr double kEpsilon = 0x1p-24;
constexpr double kCoefficientError = 5e-6;

void Fill(Matrix* matrix, float least, float most, Random* random) {
  for (uint64_t r = 0; r < matrix->rows(); r++) {
    for (uint32_t i = 0; i < matrix->dimension(); i++) {
      const float size = least + (most - least) * random->Uniform();
      (*matrix)[r][i] = random->Below(2) == 0 ? size : -size;
    }
  }
}

struct PlanShape {
  uint32_t rows, words;
  uint32_t features;  // of the sentence
  uint32_t targets;
  uint32_t negatives;  // of a group, at most: fewer where there are not so many other words
};

// Adds a target that excludes up to 11 features, or all but one of fewer.
void AddTarget(const PlanShape& shape, uint32_t word, Random* random, StepPlan* plan) {
  StepPlan::Target target{word, static_cast<uint32_t>(plan->excluded.size())};
  std::vector<uint32_t> indexes(shape.features);
  std::iota(indexes.begin(), indexes.end(), 0);
  const uint32_t excluded = random->Below(std::min(shape.features, 12u));  // < features
  for (uint32_t e = 0; e < excluded; e++) {
    std::swap(indexes[e], indexes[e + random->Below(shape.features - e)]);
    plan->excluded.push_back(indexes[e]);
  }
  target.excluded_end = static_cast<uint32_t>(plan->excluded.size());
  plan->targets.push_back(target);
}

// A plan that no planner would make, but that the step must take: any rows, any exclusions, groups
// of one to four targets.
StepPlan RandomPlan(const PlanShape& shape, Random* random) {
  StepPlan plan;
  for (uint32_t i = 0; i < shape.features; i++) plan.rows.push_back(random->Below(shape.rows));
  while (plan.targets.size() < shape.targets) {
    const auto begin = static_cast<uint32_t>(plan.targets.size());
    const uint32_t size =
        std::min({1 + random->Below(simd::kMostTogether), shape.targets - begin, shape.words});
    std::vector<uint32_t> words(shape.words);  // that are not yet in the group
    std::iota(words.begin(), words.end(), 0);
    const auto draw = [&] {
      std::swap(words[random->Below(static_cast<uint32_t>(words.size()))], words.back());
      const uint32_t word = words.back();
      words.pop_back();
      return word;
    };
    for (uint32_t i = 0; i < size; i++) AddTarget(shape, draw(), random, &plan);
    const auto negatives = static_cast<uint32_t>(plan.negatives.size());
    for (uint32_t i = 0; i < shape.negatives && !words.empty(); i++) {
      plan.negatives.push_back(draw());
    }
    plan.groups.push_back({begin, begin + size, negatives,
                           static_cast<uint32_t>(plan.negatives.size()),
                           size > 1 ? random->Below(1u << size) : 0});
  }
  return plan;
}

// By row: how many of a step's coefficients meet in it, and how often it is written.
struct Shares {
  explicit Shares(uint64_t rows) : coefficients(rows), updates(rows) {}
  std::vector<double> coefficients, updates;
};

Shares SourceShares(const StepPlan& plan, uint64_t rows) {
  double scales = 0;  // of all contexts
  for (const auto& t : plan.targets) {
    scales += 1.0 / static_cast<double>(plan.rows.size() - (t.excluded_end - t.excluded_begin));
  }
  double width = 1;  // of the widest target
  for (const auto& group : plan.groups) {
    width = std::max(width, 1.0 + group.negatives_end - group.negatives_begin);
  }
  Shares shares(rows);
  for (const uint32_t row : plan.rows) {
    shares.coefficients[row] += width * scales;
    shares.updates[row] += 2;  // moved and shrunk
  }
  for (const auto& t : plan.targets) {
    for (uint32_t e = t.excluded_begin; e < t.excluded_end; e++) {
      shares.updates[plan.rows[plan.excluded[e]]]++;
    }
  }
  return shares;
}

Shares TargetShares(const StepPlan& plan, uint64_t rows) {
  Shares shares(rows);
  for (const auto& group : plan.groups) {
    for (const auto& t : test::TargetsOf(plan, group)) {
      shares.coefficients[t.word]++;
      shares.updates[t.word] += 2;
    }
    const uint32_t size = group.targets_end - group.targets_begin;
    for (const uint32_t word : test::NegativesOf(plan, group)) {
      shares.coefficients[word] += size;
      shares.updates[word] += size + 1;
    }
  }
  return shares;
}

// Checks the change of every row from `before` to the matrices against the change to `naive`; a
// coefficient may be off by `error`. Returns the largest change, so that a test can see that it
// tested something.
double CheckRows(const Matrix& actual, const Rows& before, const Rows& naive, const Shares& shares,
                 double error) {
  double largest = 0;
  for (uint64_t r = 0; r < actual.rows(); r++) {
    double worst = 0;
    for (uint32_t i = 0; i < actual.dimension(); i++) {
      const double size = std::fabs(before[r][i]) + std::fabs(naive[r][i]) + 0.1;
      const double allowed =
          shares.coefficients[r] * error + (shares.updates[r] + 2) * kEpsilon * size;
      worst = std::max(worst, std::fabs(actual[r][i] - naive[r][i]) / allowed);
      largest = std::max(largest, std::fabs(naive[r][i] - before[r][i]));
    }
    CAPTURE(r);
    CHECK(worst <= 1);
    for (uint32_t i = actual.dimension(); i < actual.stride(); i++) REQUIRE(actual[r][i] == 0);
  }
  return largest;
}

struct Case {
  Matrix source, target;
  StepPlan plan;
};

Case CopyOf(const Case& c) {
  Case copy{Matrix(c.source.rows(), c.source.dimension()),
            Matrix(c.target.rows(), c.target.dimension()), c.plan};
  const auto fill = [](const Matrix& from, Matrix* to) {
    for (uint64_t r = 0; r < from.rows(); r++) std::copy_n(from[r], from.stride(), (*to)[r]);
  };
  fill(c.source, &copy.source);
  fill(c.target, &copy.target);
  return copy;
}

struct Rates {
  double source, target;
  double l1 = 0, step_bound = 0;  // as the step was made with
};

// Returns what the move of the source rows was multiplied with.
double CheckStep(const simd::Kernels& kernels, SgdStep* step, Case* c, const Rates& rates) {
  CAPTURE(std::string(kernels.name));
  CAPTURE(c->source.dimension());
  CAPTURE(c->plan.targets.size());
  CAPTURE(c->plan.rows.size());
  CAPTURE(rates.l1);
  CAPTURE(rates.step_bound);
  NaiveModel naive(c->source, c->target);
  const Rows source_before = naive.source, target_before = naive.target;
  const double expected_loss =
      naive.Apply(c->plan, rates.source, rates.target, rates.l1, rates.step_bound);
  StepLoss loss;
  SgdStep::Prefetch(c->plan, c->source, c->target);  // as before every step of a training
  REQUIRE(step->Apply(c->plan, static_cast<float>(rates.source), static_cast<float>(rates.target),
                      &c->source, &c->target, &loss));
  CHECK(loss.targets == c->plan.targets.size());
  size_t terms = 0;  // of the loss
  for (const auto& group : c->plan.groups) {
    terms += (group.targets_end - group.targets_begin) *
             (1 + group.negatives_end - group.negatives_begin);
  }
  // a term is -log p with p at least 1/4 (scores of at most 1), so off by 4 times the error of p
  CHECK(std::fabs(loss.loss - expected_loss) <= static_cast<double>(terms) * 4 * kCoefficientError);

  // A shortened move is off by its share of the error, and by that of its length.
  const double both = naive.shorter < 1 ? 2 * naive.shorter : 1;
  const double source_change =
      CheckRows(c->source, source_before, naive.source, SourceShares(c->plan, c->source.rows()),
                both * rates.source * kCoefficientError);
  const double target_change =
      CheckRows(c->target, target_before, naive.target, TargetShares(c->plan, c->target.rows()),
                rates.target * kCoefficientError);
  if (!c->plan.targets.empty()) {
    CHECK(source_change > naive.shorter * rates.source * 1e-4);
    CHECK(target_change > rates.target * 1e-4);
  }
  return naive.shorter;
}

const uint32_t kDimensions[] = {1, 3, 16, 17, 50};

Case RandomCase(const PlanShape& shape, uint32_t dimension, Random* random) {
  Case c{Matrix(shape.rows, dimension), Matrix(shape.words, dimension), RandomPlan(shape, random)};
  // scores stay below 1
  const float size = 1 / std::sqrt(static_cast<float>(dimension));
  Fill(&c.source, 0, size, random);
  Fill(&c.target, 0, size, random);
  return c;
}

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
      for (const auto& t : test::TargetsOf(c.plan, group)) {
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
        Case c = LongCase(plan.shape, plan.dimension, plan.fresh, &random);
        SgdStep step(*kernels, c.source.stride(), rates.l1, rates.step_bound);
        StepLoss loss;
        REQUIRE(step.Measure(c.plan, c.source, c.target, &loss));
        CHECK(loss.loss ==
              doctest::Approx(NaiveModel(c.source, c.target).Loss(c.plan)).epsilon(1e-5));
        CHECK(loss.targets == c.plan.targets.size());
        const double shorter = CheckStep(*kernels, &step, &c, rates);
        CHECK((shorter < 1) == (rates.step_bound > 0));
      }
    }
  }
}

TEST_CASE("a bound shortens the move of all source rows alike, to its share of their average") {
  for (const simd::Kernels* kernels : simd::AvailableKernels()) {
    CAPTURE(std::string(kernels->name));
    Random random(16);
    for (const uint32_t dimension : kDimensions) {
      CAPTURE(dimension);
      for (int round = 0; round < 10; round++) {
        const PlanShape shape{30, 12, 2 + random.Below(20), 1 + random.Below(12),
                              1 + random.Below(10)};
        Case c = RandomCase(shape, dimension, &random);
        // One more row, that stands in the plan once and that no target excludes.
        constexpr uint32_t kEvery = 30;
        c.source = Matrix(kEvery + 1, dimension);
        Fill(&c.source, 0, 1 / std::sqrt(static_cast<float>(dimension)), &random);
        c.plan.rows.push_back(kEvery);

        const NaiveModel before(c.source, c.target);
        const double average = test::Length(before.Hidden(c.plan.rows));
        const auto apply = [&](double step_bound) {
          Case moved = CopyOf(c);
          SgdStep step(*kernels, moved.source.stride(), 0, step_bound);
          REQUIRE(step.Apply(moved.plan, 0.2f, 0.1f, &moved.source, &moved.target, nullptr));
          return NaiveModel(moved.source, moved.target);
        };
        const auto move_of = [&](const NaiveModel& moved, uint32_t row) {
          std::vector<double> move = moved.source[row];
          for (uint32_t i = 0; i < dimension; i++) move[i] -= before.source[row][i];
          return move;
        };
        const NaiveModel unbounded = apply(0);
        const double length = test::Length(move_of(unbounded, kEvery));
        REQUIRE(length > 1e-3);
        const Shares shares = SourceShares(c.plan, kEvery + 1);
        for (const double share : {0.01, 0.5, 0.99}) {
          CAPTURE(share);
          const double step_bound = share * length / average;
          const NaiveModel bounded = apply(step_bound);
          // Each row is rounded where it is written, in both steps; a coordinate is below 2.
          const double rounding = 2 * 2 * kEpsilon;
          const double wanted = step_bound * average;
          CHECK(std::fabs(test::Length(move_of(bounded, kEvery)) - wanted) <=
                1e-5 * wanted + 2 * rounding * std::sqrt(dimension));
          double worst = 0;
          for (uint32_t row = 0; row <= kEvery; row++) {
            const std::vector<double> move = move_of(bounded, row), whole = move_of(unbounded, row);
            for (uint32_t i = 0; i < dimension; i++) {
              worst = std::max(worst, std::fabs(move[i] - share * whole[i]) /
                                          (1e-5 * share * test::Length(whole) +
                                           (1 + shares.updates[row]) * rounding));
            }
          }
          CHECK(worst <= 1);
          CHECK(bounded.target == unbounded.target);
        }
        // A move below the bound is what it is without one.
        for (const double share : {1.01, 2.0, 1000.0}) {
          CAPTURE(share);
          const NaiveModel bounded = apply(share * length / average);
          CHECK(bounded.source == unbounded.source);
          CHECK(bounded.target == unbounded.target);
        }
      }
    }
  }
}

TEST_CASE("a bounded step moves the rows as the naive step does") {
  for (const simd::Kernels* kernels : simd::AvailableKernels()) {
    Random random(17);
    int shortened = 0, whole = 0;
    for (const uint32_t dimension : kDimensions) {
      for (const double l1 : {0.0, 0.001}) {
        for (const double step_bound : {0.02, 0.1, 0.5}) {
          SgdStep step(*kernels, Matrix::Stride(dimension), l1, step_bound);
          for (int round = 0; round < 12; round++) {
            const PlanShape shape{2 + random.Below(20), 1 + random.Below(20), 2 + random.Below(25),
                                  1 + random.Below(20), random.Below(20)};
            Case c = RandomCase(shape, dimension, &random);
            const Rates rates{round % 2 == 0 ? 0.005 : 0.3, 0.05, l1, step_bound};
            (CheckStep(*kernels, &step, &c, rates) < 1 ? shortened : whole)++;
          }
        }
      }
    }
    CHECK(shortened > 100);
    CHECK(whole > 100);
  }
}

TEST_CASE("a bound lets rows stay whose average is zero, and divides nothing by zero") {
  for (const bool targets_too : {false, true}) {
    Random random(18);
    Case c = RandomCase({5, 6, 4, 3, 2}, 16, &random);
    c.source = Matrix(5, 16);
    if (targets_too) c.target = Matrix(6, 16);
    const Rows target = test::Copy(c.target);
    SgdStep step(simd::BestKernels(), 16, 0, 0.1);
    REQUIRE(step.Apply(c.plan, 0.3f, 0.3f, &c.source, &c.target, nullptr));
    CHECK(test::Copy(c.source) == test::Copy(Matrix(5, 16)));
    CHECK(test::Copy(c.target) == target);  // moved by multiples of the average
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
    CHECK(test::Copy(c.source) == test::Copy(d.source));
    CHECK(test::Copy(c.target) == test::Copy(d.target));
  }
}

TEST_CASE("a plan without targets changes nothing") {
  Random random(6);
  Case c = RandomCase({5, 5, 4, 0, 0}, 16, &random);
  const Rows source = test::Copy(c.source), target = test::Copy(c.target);
  SgdStep step(simd::BestKernels(), 16, 0.1);
  StepLoss loss;
  CHECK(step.Apply(c.plan, 0.1f, 0.1f, &c.source, &c.target, &loss));
  CHECK(loss.targets == 0);
  CHECK(loss.loss == 0);
  CHECK(test::Copy(c.source) == source);
  CHECK(test::Copy(c.target) == target);
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
        config.negative_reuse = reuse;
        config.negatives = 5;
        config.min_count = 3;
        config.ngram_dropout = order == 3 ? 0 : 3;
        const Corpus corpus = test::BuildCorpus(config, test::ZipfTexts(25, 15, 20, 8));
        const auto words = static_cast<uint32_t>(corpus.vocabulary.size());
        const std::vector<float> keep = KeepProbabilities(corpus.vocabulary, words, 0.05);
        const NegativeSampler negatives(corpus.vocabulary, words);
        const std::vector<float> all;
        SentencePlanner planner(config, corpus, keep, all, negatives);
        const uint32_t dimension = 20;
        Random random(9);
        Case c{Matrix(words + corpus.ngram_buckets.size(), dimension), Matrix(words, dimension),
               StepPlan()};
        Fill(&c.source, 0, 0.2f, &random);
        Fill(&c.target, 0, 0.2f, &random);
        SgdStep step(*kernels, c.source.stride(), 0);
        for (uint64_t i = 0; i < corpus.sentences(); i++) {
          planner.Plan(test::SentenceOf(corpus, i), &random, &c.plan);
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
  const Rows before = test::Copy(source);
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
  const Rows source_before = test::Copy(source), target_before = test::Copy(target);
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
        const Rows source = test::Copy(c.source), target = test::Copy(c.target);
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
}  // namespace s2v
