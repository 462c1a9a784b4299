// Correlations against values worked out by hand, and against a naive form on random numbers with
// ties.
#include "ext/correlation.h"

#include <doctest/doctest.h>

#include <cmath>

#include "core/random.h"

namespace s2v {
namespace {

using Numbers = std::vector<double>;

// The rank of x[i] counted one by one: 1 + those below + half of the others that are equal.
Numbers NaiveRanks(const Numbers& x) {
  Numbers ranks;
  for (const double a : x) {
    double below = 0, equal = 0;
    for (const double b : x) {
      below += b < a;
      equal += b == a;
    }
    ranks.push_back(1 + below + (equal - 1) / 2);
  }
  return ranks;
}

// In two passes.
double NaivePearson(const Numbers& x, const Numbers& y) {
  const auto n = static_cast<double>(x.size());
  long double mean_x = 0, mean_y = 0, xx = 0, yy = 0, xy = 0;
  for (size_t i = 0; i < x.size(); i++) {
    mean_x += x[i] / n;
    mean_y += y[i] / n;
  }
  for (size_t i = 0; i < x.size(); i++) {
    xx += (x[i] - mean_x) * (x[i] - mean_x);
    yy += (y[i] - mean_y) * (y[i] - mean_y);
    xy += (x[i] - mean_x) * (y[i] - mean_y);
  }
  return static_cast<double>(xy / std::sqrt(xx * yy));
}

TEST_CASE("Pearson's r of known lists") {
  CHECK(*Pearson(Numbers{1, 2, 3}, Numbers{2, 4, 6}) == doctest::Approx(1).epsilon(1e-15));
  CHECK(*Pearson(Numbers{1, 2, 3}, Numbers{-1, -2, -3}) == doctest::Approx(-1).epsilon(1e-15));
  // means 2.5 and 2.5, products 1.5*1.5 + -.5*.5 + .5*-.5 + ... : xy = 3, xx = yy = 5
  CHECK(*Pearson(Numbers{1, 2, 3, 4}, Numbers{1, 3, 2, 4}) == doctest::Approx(0.8).epsilon(1e-15));
  CHECK(*Pearson(Numbers{1, 2, 3, 4}, Numbers{1, -1, -1, 1}) == doctest::Approx(0));
}

TEST_CASE("Spearman's rho of known lists, with ties") {
  CHECK(*Spearman(Numbers{1, 2, 3}, Numbers{1, 100, 1e6}) == doctest::Approx(1).epsilon(1e-15));
  // 1 - 6 * sum of d^2 / (n (n^2 - 1)) = 1 - 6 * 2 / 60
  CHECK(*Spearman(Numbers{1, 2, 3, 4}, Numbers{10, 30, 20, 40}) ==
        doctest::Approx(0.8).epsilon(1e-15));
  // ranks 1, 2.5, 2.5, 4 and 1.5, 1.5, 4, 3: xy = 2.25, xx = yy = 4.5
  CHECK(*Spearman(Numbers{1, 2, 2, 4}, Numbers{1, 1, 3, 2}) == doctest::Approx(0.5).epsilon(1e-15));
  CHECK(Ranks(Numbers{3, 1, 3, 2, 3}) == Numbers{4, 1, 4, 2, 4});
  CHECK(Ranks(Numbers{}).empty());
}

TEST_CASE("there is no correlation of one pair or of a constant") {
  CHECK_FALSE(Pearson(Numbers{}, Numbers{}));
  CHECK_FALSE(Pearson(Numbers{1}, Numbers{2}));
  CHECK_FALSE(Spearman(Numbers{1}, Numbers{2}));
  // 0.1 summed ten times and divided by ten is not 0.1: rounding is no variance
  const Numbers tenths(10, 0.1), rising = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
  CHECK_FALSE(Pearson(tenths, rising));
  CHECK_FALSE(Pearson(rising, tenths));
  CHECK_FALSE(Spearman(tenths, rising));
  CHECK_FALSE(Pearson(Numbers{1e300, -1e300}, Numbers{1, 2}));  // squares beyond double
  CHECK(*Spearman(Numbers{1e300, -1e300}, Numbers{1, 2}) == doctest::Approx(-1));
}

TEST_CASE("a large mean takes nothing from the precision") {
  Numbers x, y;
  for (int i = 0; i < 1000; i++) {
    x.push_back(1e9 + i % 7 * 0.25);
    y.push_back(-1e9 + i % 5 * 0.5);
  }
  Numbers near_x, near_y;
  for (int i = 0; i < 1000; i++) {
    near_x.push_back(i % 7 * 0.25);
    near_y.push_back(i % 5 * 0.5);
  }
  CHECK(*Pearson(x, y) == doctest::Approx(NaivePearson(near_x, near_y)).epsilon(1e-7));
}

TEST_CASE("random lists with ties agree with the naive forms") {
  Random random(5);
  for (const uint32_t n : {2u, 3u, 10u, 500u}) {
    Numbers x, y;
    for (uint32_t i = 0; i < n; i++) {
      x.push_back(static_cast<double>(random.Below(20)) + (i == 0 ? 0.5 : 0));
      y.push_back(x.back() + random.Below(30) + (i == 1 ? 0.25 : 0));
    }
    CHECK(Ranks(x) == NaiveRanks(x));
    const auto pearson = Pearson(x, y);
    REQUIRE(pearson);
    CHECK(std::fabs(*pearson - NaivePearson(x, y)) < 1e-12);
    CHECK(std::fabs(*Spearman(x, y) - NaivePearson(NaiveRanks(x), NaiveRanks(y))) < 1e-12);
  }
}

}  // namespace
}  // namespace s2v
