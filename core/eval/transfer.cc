#include "core/eval/transfer.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "core/error.h"
#include "core/eval/logistic_regression.h"
#include "core/parallel.h"
#include "core/random.h"

namespace s2v {
namespace {

constexpr uint32_t kOuterFolds = 10, kInnerFolds = 5;
constexpr uint64_t kFoldSeed = 1;
// Strong to weak: each solution is the start of the next.
constexpr double kStrengths[] = {1e-1, 1e-2, 1e-3, 1e-4, 1e-5};

struct Split {
  std::vector<uint32_t> train, test;
};

// Each row is tested in one fold, and each class is spread evenly over the folds.
std::vector<Split> SplitRows(std::span<const uint32_t> y, std::span<const uint32_t> rows,
                             uint32_t folds) {
  std::vector<uint32_t> order(rows.begin(), rows.end());
  Random random(kFoldSeed);
  for (size_t i = order.size(); i > 1; i--) {
    std::swap(order[i - 1], order[random.Below(static_cast<uint32_t>(i))]);
  }
  std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) { return y[a] < y[b]; });
  std::vector<size_t> fold(y.size());
  for (size_t i = 0; i < order.size(); i++) fold[order[i]] = i % folds;
  std::vector<Split> splits(folds);
  for (const uint32_t row : rows) {
    for (uint32_t f = 0; f < folds; f++) {
      (fold[row] == f ? splits[f].test : splits[f].train).push_back(row);
    }
  }
  return splits;
}

// [dimension]: gives each place that a training vector fills the next number from 0 on, the others
// kNone. A place that none fills would keep the weight 0, and the vocabulary of a large table has
// many more words than a task.
std::vector<uint32_t> FilledPlaces(const LabelledVectors& training) {
  std::vector<uint32_t> places(training.dimension, FeatureMatrix::kNone);
  for (const FeatureVector& x : training.x) {
    for (const uint32_t at : x.index) places[at] = 0;
  }
  uint32_t count = 0;
  for (uint32_t& place : places) {
    if (place != FeatureMatrix::kNone) place = count++;
  }
  return places;
}

// LabelledVectors as the classifier takes them.
struct Data {
  Data(const LabelledVectors& data, const std::vector<uint32_t>& places, float scale)
      : x(data.x, places, scale), y(data.y), classes(data.classes) {}
  const FeatureMatrix x;
  const std::vector<uint32_t>& y;
  const uint32_t classes;
};

uint64_t CountRight(const LogisticRegression& model, const Data& data,
                    std::span<const uint32_t> rows) {
  uint64_t right = 0;
  for (const uint32_t row : rows) right += model.Predict(data.x, row) == data.y[row];
  return right;
}

// The strength with the most right answers over the folds; the stronger of equals.
double ChooseStrength(const Data& data, std::span<const uint32_t> rows, uint32_t folds,
                      uint32_t workers) {
  const std::vector<Split> splits = SplitRows(data.y, rows, folds);
  std::vector<std::array<uint64_t, std::size(kStrengths)>> right(folds);
  RunParallel(folds, workers, [&](size_t f) {
    LogisticRegression model(data.x.dimension(), data.classes, kStrengths[0]);
    for (size_t s = 0; s < std::size(kStrengths); s++) {
      model.set_l2(kStrengths[s]);
      model.Fit(data.x, data.y, splits[f].train);
      right[f][s] = CountRight(model, data, splits[f].test);
    }
  });
  std::array<uint64_t, std::size(kStrengths)> sums{};
  for (const auto& counts : right) {
    for (size_t s = 0; s < sums.size(); s++) sums[s] += counts[s];
  }
  return kStrengths[std::max_element(sums.begin(), sums.end()) - sums.begin()];
}

LogisticRegression FitChosen(const Data& data, std::span<const uint32_t> rows, uint32_t folds,
                             uint32_t workers) {
  LogisticRegression model(data.x.dimension(), data.classes,
                           ChooseStrength(data, rows, folds, workers));
  model.Fit(data.x, data.y, rows);
  return model;
}

TransferScore Score(std::span<const uint32_t> answers, std::span<const uint32_t> truth) {
  double right = 0;
  double hits = 0, said = 0, actual = 0;  // of class 1
  for (size_t i = 0; i < answers.size(); i++) {
    right += answers[i] == truth[i];
    hits += answers[i] == 1 && truth[i] == 1;
    said += answers[i] == 1;
    actual += truth[i] == 1;
  }
  TransferScore score;
  if (!answers.empty()) score.accuracy = right / static_cast<double>(answers.size());
  if (said + actual > 0) score.f1 = 2 * hits / (said + actual);
  return score;
}

// Factor that brings the mean length to 1.
float MeanLengthScale(const LabelledVectors& data) {
  double sum = 0;
  for (const FeatureVector& x : data.x) sum += std::sqrt(Dot(x, x));
  return sum > 0 ? static_cast<float>(static_cast<double>(data.x.size()) / sum) : 1.0f;
}

void Check(const LabelledVectors& data, uint32_t folds) {
  if (data.classes < 2) throw InvalidArgument("at least two different labels are needed");
  std::vector<uint64_t> members(data.classes);
  for (const uint32_t label : data.y) members[label]++;
  if (*std::min_element(members.begin(), members.end()) < folds) {
    throw InvalidArgument("every label needs at least " + std::to_string(folds) + " sentences");
  }
}

std::vector<uint32_t> AllRows(const LabelledVectors& data) {
  std::vector<uint32_t> rows(data.x.size());
  std::iota(rows.begin(), rows.end(), 0u);
  return rows;
}

}  // namespace

TransferScore CrossValidate(const LabelledVectors& vectors, uint32_t workers) {
  Check(vectors, kOuterFolds);
  const Data data(vectors, FilledPlaces(vectors), MeanLengthScale(vectors));
  const std::vector<Split> splits = SplitRows(data.y, AllRows(vectors), kOuterFolds);
  std::vector<uint32_t> answers(data.y.size());
  RunParallel(kOuterFolds, workers, [&](size_t f) {
    const LogisticRegression model = FitChosen(data, splits[f].train, kInnerFolds, 1);
    for (const uint32_t row : splits[f].test) answers[row] = model.Predict(data.x, row);
  });
  return Score(answers, data.y);
}

TransferScore TrainAndTest(const LabelledVectors& raw_train, const LabelledVectors& raw_test,
                           uint32_t workers) {
  Check(raw_train, kOuterFolds);
  const std::vector<uint32_t> places = FilledPlaces(raw_train);
  const float scale = MeanLengthScale(raw_train);
  const Data train(raw_train, places, scale), test(raw_test, places, scale);
  const LogisticRegression model = FitChosen(train, AllRows(raw_train), kOuterFolds, workers);
  std::vector<uint32_t> answers;
  for (size_t i = 0; i < test.x.rows(); i++) answers.push_back(model.Predict(test.x, i));
  return Score(answers, test.y);
}

FeatureVector PairFeatures(const FeatureVector& u, const FeatureVector& v, uint32_t dimension) {
  FeatureVector features;
  const auto merge = [&](auto value_of, uint32_t offset) {
    size_t i = 0, j = 0;
    while (i < u.index.size() || j < v.index.size()) {
      const uint32_t at_u = i < u.index.size() ? u.index[i] : dimension;
      const uint32_t at_v = j < v.index.size() ? v.index[j] : dimension;
      const uint32_t at = std::min(at_u, at_v);
      const float value =
          value_of(at_u == at ? u.value[i++] : 0.0f, at_v == at ? v.value[j++] : 0.0f);
      if (value == 0) continue;
      features.index.push_back(offset + at);
      features.value.push_back(value);
    }
  };
  merge([](float a, float b) { return std::fabs(a - b); }, 0);
  merge([](float a, float b) { return a * b; }, dimension);
  return features;
}

}  // namespace s2v
