// The bound of a step's move: what it shortens, by how much, and what it leaves.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "core/train/sgd_step.h"
#include "tests/core/naive_step.h"
#include "tests/core/step_check.h"

namespace s2v::test {
namespace {

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
        const double average = Length(before.Hidden(c.plan.rows));
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
        const double length = Length(move_of(unbounded, kEvery));
        REQUIRE(length > 1e-3);
        const Shares shares = SourceShares(c.plan, kEvery + 1);
        for (const double share : {0.01, 0.5, 0.99}) {
          CAPTURE(share);
          const double step_bound = share * length / average;
          const NaiveModel bounded = apply(step_bound);
          // Each row is rounded where it is written, in both steps; a coordinate is below 2.
          const double rounding = 2 * 2 * kEpsilon;
          const double wanted = step_bound * average;
          CHECK(std::fabs(Length(move_of(bounded, kEvery)) - wanted) <=
                1e-5 * wanted + 2 * rounding * std::sqrt(dimension));
          double worst = 0;
          for (uint32_t row = 0; row <= kEvery; row++) {
            const std::vector<double> move = move_of(bounded, row), whole = move_of(unbounded, row);
            for (uint32_t i = 0; i < dimension; i++) {
              worst = std::max(
                  worst, std::fabs(move[i] - share * whole[i]) /
                             (1e-5 * share * Length(whole) + (1 + shares.updates[row]) * rounding));
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
    const Rows target = Copy(c.target);
    SgdStep step(simd::BestKernels(), 16, 0, 0.1);
    REQUIRE(step.Apply(c.plan, 0.3f, 0.3f, &c.source, &c.target, nullptr));
    CHECK(Copy(c.source) == Copy(Matrix(5, 16)));
    CHECK(Copy(c.target) == target);  // moved by multiples of the average
  }
}

}  // namespace
}  // namespace s2v::test
