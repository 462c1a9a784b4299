// The supervised protocol on data whose answer is known.
#include "core/eval/transfer.h"

#include <doctest/doctest.h>

#include "core/error.h"
#include "core/random.h"

namespace s2v {
namespace {

// Label, and vectors of length about scale: the label's own place stands out by so much.
LabelledVectors MakeData(uint32_t count, uint32_t classes, float signal, float scale,
                         uint64_t seed) {
  Random random(seed);
  LabelledVectors data;
  data.dimension = 10;
  data.classes = classes;
  for (uint32_t i = 0; i < count; i++) {
    const uint32_t label = random.Below(classes);
    FeatureVector vector;
    for (uint32_t d = 0; d < data.dimension; d++) {
      vector.index.push_back(d);
      vector.value.push_back(scale * (random.Uniform() - 0.5f + (d == label ? signal : 0.0f)));
    }
    data.x.push_back(std::move(vector));
    data.y.push_back(label);
  }
  return data;
}

TEST_CASE("what can be told apart is told apart, at any scale") {
  for (const float scale : {1e-3f, 1.0f, 1e3f}) {
    CHECK(CrossValidate(MakeData(300, 3, 3, scale, 1), 2).accuracy == 1);
    CHECK(TrainAndTest(MakeData(300, 3, 3, scale, 1), MakeData(100, 3, 3, scale, 2), 1).accuracy ==
          1);
  }
}

TEST_CASE("labels at random are guessed by chance") {
  const double accuracy = CrossValidate(MakeData(1000, 2, 0, 1, 3), 1).accuracy;
  CHECK(accuracy > 0.43);  // more than four standard deviations of 0.016
  CHECK(accuracy < 0.57);
}

TEST_CASE("the result does not depend on the number of workers") {
  const LabelledVectors data = MakeData(200, 2, 0.5, 1, 4), test = MakeData(200, 2, 0.5, 1, 5);
  const TransferScore one = CrossValidate(data, 1), four = CrossValidate(data, 4);
  CHECK(one.accuracy == four.accuracy);
  CHECK(one.f1 == four.f1);
  CHECK(TrainAndTest(data, test, 1).accuracy == TrainAndTest(data, test, 3).accuracy);
  CHECK(one.accuracy > 0.6);
  CHECK(one.accuracy < 1);
}

TEST_CASE("F1 is of class 1") {
  // Trained to follow place 1 against place 0; of the tests two are right as 1, one is wrongly 1,
  // one wrongly 0 and one right as 0: F1 = 2 * 2 / (3 + 3).
  const LabelledVectors train = MakeData(200, 2, 3, 1, 6);
  LabelledVectors test;
  test.dimension = 10;
  test.classes = 2;
  const FeatureVector zero{{0}, {3}}, one{{1}, {3}};
  for (const auto& [x, y] : {std::pair{one, 1u}, {one, 1u}, {one, 0u}, {zero, 1u}, {zero, 0u}}) {
    test.x.push_back(x);
    test.y.push_back(y);
  }
  const TransferScore score = TrainAndTest(train, test, 1);
  CHECK(score.accuracy == doctest::Approx(3.0 / 5));
  CHECK(score.f1 == doctest::Approx(4.0 / 6));
}

TEST_CASE("vectors of unknown sentences are allowed") {
  LabelledVectors data = MakeData(100, 2, 3, 1, 7);
  for (size_t i = 0; i < 10; i++) data.x[i].Clear();
  CHECK(CrossValidate(data, 1).accuracy > 0.9);
  for (FeatureVector& x : data.x) x.Clear();
  CHECK(CrossValidate(data, 1).accuracy > 0.3);
}

TEST_CASE("too few labels or too few of a label are errors") {
  LabelledVectors data = MakeData(50, 2, 1, 1, 8);
  data.classes = 1;
  data.y.assign(data.y.size(), 0);
  CHECK_THROWS_WITH_AS(CrossValidate(data, 1), "at least two different labels are needed",
                       InvalidArgument);
  data.classes = 2;
  for (size_t i = 0; i < 9; i++) data.y[i] = 1;
  CHECK_THROWS_WITH_AS(CrossValidate(data, 1), "every label needs at least 10 sentences",
                       InvalidArgument);
  CHECK_THROWS_AS(TrainAndTest(data, data, 1), InvalidArgument);
  data.y[9] = 1;
  CHECK_NOTHROW(CrossValidate(data, 1));
}

TEST_CASE("the features of a pair are |u - v| and u * v") {
  const FeatureVector u{{0, 2}, {1, -2}}, v{{1, 2}, {4, 5}}, none;
  const FeatureVector pair = PairFeatures(u, v, 3);
  CHECK(pair.index == std::vector<uint32_t>{0, 1, 2, 5});
  CHECK(pair.value == std::vector<float>{1, 4, 7, -10});
  CHECK(PairFeatures(none, none, 3).empty());
  const FeatureVector one_side = PairFeatures(u, none, 3);
  CHECK(one_side.index == std::vector<uint32_t>{0, 2});
  CHECK(one_side.value == std::vector<float>{1, 2});
}

}  // namespace
}  // namespace s2v
