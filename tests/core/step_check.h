// A step of any plan, checked against the naive one (naive_step.h).
//
// Tolerance of a step. A kernel's sigmoid is off by less than 1e-6 (core/simd/kernels.h); a score
// of terms of at most 1 by some 2^-24 for each dimension and each row summed, which is below 4e-6
// for the shapes here. (The thousands of roundings of the longest plans could add up to more, but
// they fall to both sides.) So a coefficient (label - probability) is off by less than 5e-6, and
// the change of a row by that times the rate, the length of the coefficient's vector (at most 1 a
// coordinate), and the number of coefficients that meet in the row. To this comes the rounding of
// the row itself at each of its updates, 2^-24 of its size.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "core/train/sgd_step.h"
#include "core/train/step_prefetch.h"
#include "tests/core/naive_step.h"

namespace s2v::test {

inline constexpr double kEpsilon = 0x1p-24;
inline constexpr double kCoefficientError = 5e-6;

inline void Fill(Matrix* matrix, float least, float most, Random* random) {
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
inline void AddTarget(const PlanShape& shape, uint32_t word, Random* random, StepPlan* plan) {
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
inline StepPlan RandomPlan(const PlanShape& shape, Random* random) {
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

inline Shares SourceShares(const StepPlan& plan, uint64_t rows) {
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

inline Shares TargetShares(const StepPlan& plan, uint64_t rows) {
  Shares shares(rows);
  for (const auto& group : plan.groups) {
    for (const auto& t : TargetsOf(plan, group)) {
      shares.coefficients[t.word]++;
      shares.updates[t.word] += 2;
    }
    const uint32_t size = group.targets_end - group.targets_begin;
    for (const uint32_t word : NegativesOf(plan, group)) {
      shares.coefficients[word] += size;
      shares.updates[word] += size + 1;
    }
  }
  return shares;
}

// Checks the change of every row from `before` to the matrices against the change to `naive`; a
// coefficient may be off by `error`. Returns the largest change, so that a test can see that it
// tested something.
inline double CheckRows(const Matrix& actual, const Rows& before, const Rows& naive,
                        const Shares& shares, double error) {
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

inline Case CopyOf(const Case& c) {
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
inline double CheckStep(const simd::Kernels& kernels, SgdStep* step, Case* c, const Rates& rates) {
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
  StepPrefetch::Ahead(c->plan, c->source, c->target);  // as before every step of a training
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

inline constexpr uint32_t kDimensions[] = {1, 3, 16, 17, 50};

inline Case RandomCase(const PlanShape& shape, uint32_t dimension, Random* random) {
  Case c{Matrix(shape.rows, dimension), Matrix(shape.words, dimension), RandomPlan(shape, random)};
  // scores stay below 1
  const float size = 1 / std::sqrt(static_cast<float>(dimension));
  Fill(&c.source, 0, size, random);
  Fill(&c.target, 0, size, random);
  return c;
}

}  // namespace s2v::test
