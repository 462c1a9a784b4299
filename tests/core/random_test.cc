// Seeded, so that every statistic below is the same in each run; bounds are five standard
// deviations, which a right generator passes at almost any seed.
#include "core/random.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace s2v {
namespace {

TEST_CASE("random numbers depend on the seed and on nothing else") {
  Random a(7), b(7), c(8);
  bool differs = false;
  for (int i = 0; i < 100; i++) {
    const uint64_t x = a.Next();
    CHECK(x == b.Next());
    differs |= x != c.Next();
  }
  CHECK(differs);
}

TEST_CASE("Next is splitmix64") {
  // Seed 0 is state 0, since Mix64(0) = 0: the first outputs of Vigna's splitmix64.c from there.
  Random random(0);
  CHECK(random.Next() == 0xe220a8397b1dcdafu);
  CHECK(random.Next() == 0x6e789e6aa1b965f4u);
  CHECK(random.Next() == 0x06c45d188009454fu);
}

TEST_CASE("Below is uniform") {
  for (const uint32_t bound : {1u, 2u, 3u, 7u, 10u, 1000u}) {
    CAPTURE(bound);
    Random random(bound);
    const int draws = 200000;
    std::vector<int> counts(bound);
    for (int i = 0; i < draws; i++) {
      const uint32_t x = random.Below(bound);
      REQUIRE(x < bound);
      counts[x]++;
    }
    const double expected = static_cast<double>(draws) / bound;
    double chi_square = 0;
    for (const int count : counts) chi_square += (count - expected) * (count - expected) / expected;
    const double freedom = bound - 1;  // chi-square: mean `freedom`, variance 2 * freedom
    CHECK(chi_square <= freedom + 5 * std::sqrt(2 * freedom));
  }
}

TEST_CASE("Below reaches the ends of a large range") {
  Random random(3);
  const uint32_t bound = 0xffffffffu;
  uint32_t least = bound, most = 0;
  double sum = 0;
  const int draws = 100000;
  for (int i = 0; i < draws; i++) {
    const uint32_t x = random.Below(bound);
    least = std::min(least, x);
    most = std::max(most, x);
    sum += x;
  }
  // the chance that none of the draws falls into an outer thousandth is e^-100
  CHECK(least < bound / 1000);
  CHECK(most > bound - bound / 1000);
  CHECK(std::fabs(sum / draws / bound - 0.5) < 5 / std::sqrt(12.0 * draws));
}

TEST_CASE("Uniform has the mean and the variance of [0, 1)") {
  Random random(11);
  const int draws = 1000000;
  double sum = 0, squares = 0, lag = 0, last = 0;
  for (int i = 0; i < draws; i++) {
    const float x = random.Uniform();
    REQUIRE(x >= 0);
    REQUIRE(x < 1);
    sum += x;
    squares += static_cast<double>(x) * x;
    lag += (last - 0.5) * (x - 0.5);
    last = x;
  }
  const double mean = sum / draws, variance = squares / draws - mean * mean;
  CHECK(std::fabs(mean - 0.5) < 5 * std::sqrt(1 / 12.0 / draws));
  // the variance of (x - 1/2)^2 is 1/180
  CHECK(std::fabs(variance - 1 / 12.0) < 5 * std::sqrt(1 / 180.0 / draws));
  // neighbours are independent: (x - 1/2)(y - 1/2) has the variance 1/144
  CHECK(std::fabs(lag / draws) < 5 / 12.0 / std::sqrt(draws));
}

TEST_CASE("a permutation visits every number once") {
  for (const uint64_t size : {1u, 2u, 3u, 4u, 5u, 15u, 16u, 17u, 64u, 65u, 1000u, 65537u}) {
    for (uint64_t seed = 0; seed < 5; seed++) {
      CAPTURE(size);
      CAPTURE(seed);
      const Permutation order(seed, size);
      std::vector<bool> seen(size);
      bool bijective = true;
      for (uint64_t i = 0; i < size; i++) {
        const uint64_t x = order[i];
        if (x >= size || seen[x]) {
          bijective = false;
          break;
        }
        seen[x] = true;
      }
      CHECK(bijective);
    }
  }
}

TEST_CASE("permutations of different seeds differ and have no structure in common") {
  const uint64_t size = 1000;
  const Permutation one(1, size), other(2, size);
  int same = 0, fixed = 0;
  double correlation = 0;
  for (uint64_t i = 0; i < size; i++) {
    same += one[i] == other[i];
    fixed += other[i] == i;
    correlation += (static_cast<double>(i) - 499.5) * (static_cast<double>(other[i]) - 499.5);
  }
  // Both counts are about Poisson(1): above 9 once in ten million.
  CHECK(same <= 9);
  CHECK(fixed <= 9);
  // Of a random permutation the correlation has the deviation 1 / sqrt(size - 1).
  const double variance = (1000.0 * 1000 - 1) / 12;
  CHECK(std::fabs(correlation / size / variance) < 5 / std::sqrt(999.0));
}

TEST_CASE("every order of three comes up among many seeds") {
  int counts[27] = {};
  const int seeds = 6000;
  for (int seed = 0; seed < seeds; seed++) {
    const Permutation order(static_cast<uint64_t>(seed), 3);
    counts[order[0] * 9 + order[1] * 3 + order[2]]++;
  }
  // A Feistel network on so few bits is not exactly uniform; each of the 6 orders must only be
  // common.
  int orders = 0;
  for (const int count : counts) {
    if (count == 0) continue;
    orders++;
    CHECK(count > seeds / 6 / 2);
    CHECK(count < seeds / 6 * 2);
  }
  CHECK(orders == 6);
}

}  // namespace
}  // namespace s2v
