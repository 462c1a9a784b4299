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
  std::vector<FeatureVector> vectors;
  std::vector<uint32_t> y, rows;

  void Add(FeatureVector vector, uint32_t label) {
    rows.push_back(static_cast<uint32_t>(vectors.size()));
    vectors.push_back(std::move(vector));
    y.push_back(label);
  }
  FeatureMatrix X(uint32_t dimension, float scale = 1) const {
    std::vector<uint32_t> columns(dimension);
    std::iota(columns.begin(), columns.end(), 0u);
    return FeatureMatrix(vectors, columns, scale);
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

double GradientNorm(LogisticRegression* model, const FeatureMatrix& x, const Data& data) {
  std::vector<double> gradient(model->parameters().size());
  model->Objective(x, data.y, data.rows, model->parameters(), gradient);
  return std::sqrt(std::inner_product(gradient.begin(), gradient.end(), gradient.begin(), 0.0));
}

TEST_CASE("the gradient is that of the objective, for any number of classes, dense or not") {
  for (const uint32_t dimension : {5, 1000}) {  // as rows of floats; as lists of places
    for (uint32_t classes = 2; classes <= 8; classes++) {
      const Data data = RandomData(30, 5, classes, 1);
      const FeatureMatrix x = data.X(dimension);
      REQUIRE(x.dense() == (dimension == 5));
      LogisticRegression model(dimension, classes, 0.3);
      std::vector<double> at(model.parameters().size()), gradient(at.size()), unused(at.size());
      Random random(2);
      for (double& value : at) value = random.Uniform() * 4 - 2;
      model.Objective(x, data.y, data.rows, at, gradient);
      constexpr double kStep =
          1e-5;  // error of the difference: kStep^2 * third derivative, 1e-16 / kStep
      for (uint32_t c = 0; c <= classes; c++) {  // the intercepts last
        for (uint32_t place = 0; place < (c < classes ? 7 : classes); place++) {
          const size_t i = size_t{c} * x.stride() + place;
          std::vector<double> above = at, below = at;
          above[i] += kStep;
          below[i] -= kStep;
          const double difference = model.Objective(x, data.y, data.rows, above, unused) -
                                    model.Objective(x, data.y, data.rows, below, unused);
          // L2 of a thousand weights is large beside the rest: so is its rounding.
          CHECK(std::fabs(difference / (2 * kStep) - gradient[i]) < (x.dense() ? 1e-8 : 1e-7));
        }
      }
    }
  }
}

TEST_CASE("rows of floats and lists of places hold the same vectors") {
  const Data data = RandomData(20, 37, 2, 6);
  const FeatureMatrix dense = data.X(37, 0.5), lists = data.X(3700, 0.5);
  REQUIRE(dense.dense());
  REQUIRE(!lists.dense());
  std::vector<double> w(lists.stride());
  Random random(3);
  for (double& value : w) value = random.Uniform() - 0.5;
  for (size_t row = 0; row < 20; row++) {
    CHECK(dense.Dot(row, w.data()) == doctest::Approx(lists.Dot(row, w.data())).epsilon(1e-12));
    std::vector<double> a(dense.stride()), b(lists.stride());
    dense.Axpy(a.data(), 3, row);
    lists.Axpy(b.data(), 3, row);
    CHECK(std::equal(a.begin(), a.begin() + 37, b.begin()));
    for (size_t i = 0; i < data.vectors[row].index.size(); i++) {
      CHECK(a[data.vectors[row].index[i]] == 1.5 * data.vectors[row].value[i]);
    }
  }
}

TEST_CASE("the objective is finite and right for scores of any size") {
  Data data;
  data.Add({{0}, {1}}, 0);
  const FeatureMatrix x = data.X(1);
  LogisticRegression model(1, 2, 0);
  std::vector<double> at(model.parameters().size()), gradient(at.size());
  at[0] = 1000;  // the score of class 0, the right one
  CHECK(model.Objective(x, data.y, data.rows, at, gradient) == doctest::Approx(0));
  at[0] = 0;
  at[x.stride()] = 1000;  // of class 1
  CHECK(model.Objective(x, data.y, data.rows, at, gradient) == doctest::Approx(1000));
  CHECK(gradient[x.stride()] == doctest::Approx(1));
  CHECK(gradient[0] == doctest::Approx(-1));
}

TEST_CASE("with a weight for nothing but the intercept the answer is the classes' shares") {
  Data data;
  for (uint32_t i = 0; i < 8; i++) data.Add({}, i < 6 ? 0 : 1);
  const FeatureMatrix x = data.X(3);
  LogisticRegression model(3, 2, 1);
  model.Fit(x, data.y, data.rows);
  // log odds 6 : 2; weights without data stay 0
  CHECK(model.Intercept(0) - model.Intercept(1) == doctest::Approx(std::log(3.0)).epsilon(1e-3));
  for (size_t i = 0; i < 2 * x.stride(); i++) CHECK(model.parameters()[i] == 0);
  CHECK(model.Predict(x, 0) == 0);
}

TEST_CASE("a separable set has the optimum of its one-dimensional equation") {
  // x = 1 of class 1, x = -1 of class 0. By symmetry b = 0 and the weights are -w/2 and w/2; the
  // objective is log(1 + e^-w) + l2/2 * w^2/2, so that w solves 1 / (1 + e^w) = l2 w / 2.
  Data data;
  data.Add({{0}, {1}}, 1);
  data.Add({{0}, {-1}}, 0);
  const FeatureMatrix x = data.X(1);
  for (const double l2 : {1.0, 0.1, 1e-3, 1e-5}) {
    double low = 0, high = 100;
    for (int i = 0; i < 200; i++) {
      const double w = (low + high) / 2;
      (1 / (1 + std::exp(w)) > l2 * w / 2 ? low : high) = w;
    }
    LogisticRegression model(1, 2, l2);
    model.Fit(x, data.y, data.rows);
    const double w0 = model.parameters()[0], w1 = model.parameters()[x.stride()];
    CHECK(w1 - w0 == doctest::Approx(low).epsilon(1e-2));
    CHECK(w1 + w0 == doctest::Approx(0));
    CHECK(model.Intercept(0) - model.Intercept(1) == doctest::Approx(0));
    CHECK(model.Predict(x, 0) == 1);
    CHECK(model.Predict(x, 1) == 0);
  }
}

TEST_CASE("the solution is where the gradient vanishes, from any start") {
  const Data data = RandomData(300, 8, 4, 3);
  const FeatureMatrix x = data.X(8);
  std::vector<double> from_zero;
  for (const double l2 : {1e-1, 1e-3, 1e-5}) {
    LogisticRegression model(8, 4, l2);
    model.Fit(x, data.y, data.rows);
    CHECK(GradientNorm(&model, x, data) < 1e-3);
    // A warm start comes to the same objective: the problem is convex.
    LogisticRegression warm(8, 4, 1.0);
    warm.Fit(x, data.y, data.rows);
    warm.set_l2(l2);
    warm.Fit(x, data.y, data.rows);
    std::vector<double> gradient(model.parameters().size());
    const double a = model.Objective(x, data.y, data.rows, model.parameters(), gradient);
    const double b = warm.Objective(x, data.y, data.rows, warm.parameters(), gradient);
    CHECK(a == doctest::Approx(b).epsilon(1e-4));
  }
}

TEST_CASE("only the rows that are named are fitted") {
  Data data = RandomData(100, 4, 2, 4);
  const FeatureMatrix x = data.X(4);
  LogisticRegression part(4, 2, 0.01), again(4, 2, 0.01);
  const std::vector<uint32_t> half(data.rows.begin(), data.rows.begin() + 50);
  part.Fit(x, data.y, half);
  for (size_t i = 50; i < 100; i++) data.y[i] = 1 - data.y[i];
  again.Fit(x, data.y, half);
  CHECK(std::vector<double>(part.parameters().begin(), part.parameters().end()) ==
        std::vector<double>(again.parameters().begin(), again.parameters().end()));
}

}  // namespace
}  // namespace s2v
