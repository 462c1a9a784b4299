// The classifier: its gradient against central differences, its solutions against optima that can
// be worked out.
#include "core/eval/logistic_regression.h"

#include <doctest/doctest.h>

#include <cmath>
#include <numeric>

#include "core/random.h"

namespace s2v {
namespace {

struct Data {
  std::vector<FeatureVector> x;
  std::vector<uint32_t> y, rows;

  void Add(FeatureVector vector, uint32_t label) {
    rows.push_back(static_cast<uint32_t>(x.size()));
    x.push_back(std::move(vector));
    y.push_back(label);
  }
};

// Classes overlap; some places of each vector are missing.
Data RandomData(uint32_t count, uint32_t dimension, uint32_t classes, uint64_t seed) {
  Random random(seed);
  Data data;
  for (uint32_t i = 0; i < count; i++) {
    const uint32_t label = random.Below(classes);
    FeatureVector vector;
    for (uint32_t d = 0; d < dimension; d++) {
      if (random.Below(4) == 0) continue;
      vector.index.push_back(d);
      vector.value.push_back(random.Uniform() * 2 - 1 + (d == label ? 0.5f : 0.0f));
    }
    data.Add(std::move(vector), label);
  }
  return data;
}

double GradientNorm(const LogisticRegression& model, const Data& data) {
  std::vector<double> gradient(model.parameters().size());
  model.Objective(data.x, data.y, data.rows, model.parameters(), gradient);
  return std::sqrt(std::inner_product(gradient.begin(), gradient.end(), gradient.begin(), 0.0));
}

TEST_CASE("the gradient is that of the objective, for any number of classes") {
  for (uint32_t classes = 2; classes <= 8; classes++) {
    const Data data = RandomData(30, 5, classes, 1);
    const LogisticRegression model(5, classes, 0.3);
    std::vector<double> at(size_t{6} * classes), gradient(at.size()), unused(at.size());
    Random random(2);
    for (double& value : at) value = random.Uniform() * 4 - 2;
    model.Objective(data.x, data.y, data.rows, at, gradient);
    constexpr double kStep =
        1e-5;  // error of the difference: kStep^2 * third derivative, 1e-16 / kStep
    for (size_t i = 0; i < at.size(); i++) {
      std::vector<double> above = at, below = at;
      above[i] += kStep;
      below[i] -= kStep;
      const double difference = model.Objective(data.x, data.y, data.rows, above, unused) -
                                model.Objective(data.x, data.y, data.rows, below, unused);
      CHECK(std::fabs(difference / (2 * kStep) - gradient[i]) < 1e-8);
    }
  }
}

TEST_CASE("the objective is finite and right for scores of any size") {
  Data data;
  data.Add({{0}, {1}}, 0);
  const LogisticRegression model(1, 2, 0);
  std::vector<double> gradient(4);
  // scores 1000 and 0 of the right class, then of the wrong one
  CHECK(model.Objective(data.x, data.y, data.rows, std::vector<double>{1000, 0, 0, 0}, gradient) ==
        doctest::Approx(0));
  CHECK(model.Objective(data.x, data.y, data.rows, std::vector<double>{0, 1000, 0, 0}, gradient) ==
        doctest::Approx(1000));
  CHECK(gradient[1] == doctest::Approx(1));
}

TEST_CASE("with a weight for nothing but the intercept the answer is the classes' shares") {
  Data data;
  for (uint32_t i = 0; i < 8; i++) data.Add({}, i < 6 ? 0 : 1);
  LogisticRegression model(3, 2, 1);
  model.Fit(data.x, data.y, data.rows);
  // log odds 6 : 2; weights without data stay 0
  CHECK(model.parameters()[6] - model.parameters()[7] ==
        doctest::Approx(std::log(3.0)).epsilon(1e-3));
  for (size_t i = 0; i < 6; i++) CHECK(model.parameters()[i] == 0);
  CHECK(model.Predict({}) == 0);
}

TEST_CASE("a separable set has the optimum of its one-dimensional equation") {
  // x = 1 of class 1, x = -1 of class 0. By symmetry b = 0 and the weights are -w/2 and w/2; the
  // objective is log(1 + e^-w) + l2/2 * w^2/2, so that w solves 1 / (1 + e^w) = l2 w / 2.
  Data data;
  data.Add({{0}, {1}}, 1);
  data.Add({{0}, {-1}}, 0);
  for (const double l2 : {1.0, 0.1, 1e-3, 1e-5}) {
    double low = 0, high = 100;
    for (int i = 0; i < 200; i++) {
      const double w = (low + high) / 2;
      (1 / (1 + std::exp(w)) > l2 * w / 2 ? low : high) = w;
    }
    LogisticRegression model(1, 2, l2);
    model.Fit(data.x, data.y, data.rows);
    CHECK(model.parameters()[1] - model.parameters()[0] == doctest::Approx(low).epsilon(1e-2));
    CHECK(model.parameters()[1] + model.parameters()[0] == doctest::Approx(0));
    CHECK(model.parameters()[2] - model.parameters()[3] == doctest::Approx(0));
    CHECK(model.Predict(data.x[0]) == 1);
    CHECK(model.Predict(data.x[1]) == 0);
  }
}

TEST_CASE("the solution is where the gradient vanishes, from any start") {
  const Data data = RandomData(300, 8, 4, 3);
  std::vector<double> from_zero;
  for (const double l2 : {1e-1, 1e-3, 1e-5}) {
    LogisticRegression model(8, 4, l2);
    model.Fit(data.x, data.y, data.rows);
    CHECK(GradientNorm(model, data) < 1e-3);
    // A warm start comes to the same objective: the problem is convex.
    LogisticRegression warm(8, 4, 1.0);
    warm.Fit(data.x, data.y, data.rows);
    warm.set_l2(l2);
    warm.Fit(data.x, data.y, data.rows);
    std::vector<double> gradient(model.parameters().size());
    const double a = model.Objective(data.x, data.y, data.rows, model.parameters(), gradient);
    const double b = warm.Objective(data.x, data.y, data.rows, warm.parameters(), gradient);
    CHECK(a == doctest::Approx(b).epsilon(1e-4));
  }
}

TEST_CASE("only the rows that are named are fitted") {
  Data data = RandomData(100, 4, 2, 4);
  LogisticRegression part(4, 2, 0.01), again(4, 2, 0.01);
  const std::vector<uint32_t> half(data.rows.begin(), data.rows.begin() + 50);
  part.Fit(data.x, data.y, half);
  for (size_t i = 50; i < 100; i++) data.y[i] = 1 - data.y[i];
  again.Fit(data.x, data.y, half);
  CHECK(std::vector<double>(part.parameters().begin(), part.parameters().end()) ==
        std::vector<double>(again.parameters().begin(), again.parameters().end()));
}

}  // namespace
}  // namespace s2v
