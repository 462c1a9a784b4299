#include "core/eval/logistic_regression.h"

#include <lbfgs.h>

#include <algorithm>
#include <cmath>

#include "core/error.h"

namespace s2v {

static_assert(sizeof(lbfgsfloatval_t) == sizeof(double));

FeatureMatrix::FeatureMatrix(std::span<const FeatureVector> vectors,
                             std::span<const uint32_t> columns, float scale)
    : rows_(vectors.size()),
      dimension_(static_cast<uint32_t>(
          std::count_if(columns.begin(), columns.end(), [](uint32_t c) { return c != kNone; }))) {
  for (const FeatureVector& vector : vectors) {
    for (size_t i = 0; i < vector.index.size(); i++) {
      const uint32_t column = columns[vector.index[i]];
      if (column == kNone) continue;
      index_.push_back(column);
      value_.push_back(scale * vector.value[i]);
    }
    ends_.push_back(index_.size());
  }
  constexpr uint64_t kListCost = 8;  // of a filled place of a list, in places of a row of floats
  if (index_.size() * kListCost < uint64_t{rows_} * dimension_) return;
  dense_ = Matrix(rows_, dimension_);
  for (size_t row = 0, i = 0; row < rows_; row++) {
    for (; i < ends_[row]; i++) dense_[row][index_[i]] = value_[i];
  }
  index_ = {};
  value_ = {};
}

double FeatureMatrix::Dot(size_t row, const double* w) const {
  if (dense()) return k_.dot_double(dense_[row], w, stride());
  double sum = 0;
  for (size_t i = row == 0 ? 0 : ends_[row - 1]; i < ends_[row]; i++) {
    sum += static_cast<double>(value_[i]) * w[index_[i]];
  }
  return sum;
}

void FeatureMatrix::Axpy(double* y, double a, size_t row) const {
  if (dense()) return k_.axpy_double(y, a, dense_[row], stride());
  for (size_t i = row == 0 ? 0 : ends_[row - 1]; i < ends_[row]; i++) {
    y[index_[i]] += a * static_cast<double>(value_[i]);
  }
}

LogisticRegression::LogisticRegression(uint32_t dimension, uint32_t classes, double l2)
    : stride_(Matrix::Stride(dimension)),
      classes_(classes),
      l2_(l2),
      parameters_((size_t{stride_} + 1) * classes, 0.0),
      differences_(size_t{stride_} * (classes - 1)),
      scores_(classes) {}

// softmax depends on differences of scores only, and over the classes its derivatives add up to 0:
// so the first class costs no product with x, and two classes cost one.
double LogisticRegression::Objective(const FeatureMatrix& x, std::span<const uint32_t> y,
                                     std::span<const uint32_t> rows,
                                     std::span<const double> parameters,
                                     std::span<double> gradient) {
  const size_t weights = size_t{stride_} * classes_;
  const double* b = parameters.data() + weights;
  double* b_gradient = gradient.data() + weights;
  for (size_t i = 0; i < differences_.size(); i++) {
    differences_[i] = parameters[stride_ + i] - parameters[i % stride_];
  }
  std::fill(gradient.begin(), gradient.end(), 0.0);
  std::vector<double>& p = scores_;
  double loss = 0;
  for (const uint32_t row : rows) {
    p[0] = 0;
    for (uint32_t c = 1; c < classes_; c++) {
      p[c] = b[c] - b[0] + x.Dot(row, differences_.data() + size_t{c - 1} * stride_);
    }
    const double most = *std::max_element(p.begin(), p.end());
    const double right = p[y[row]];
    double sum = 0;
    for (double& score : p) sum += score = std::exp(score - most);
    loss += most + std::log(sum) - right;
    for (double& e : p) e /= sum;
    p[y[row]] -= 1;  // d loss / d score
    for (uint32_t c = 1; c < classes_; c++) {
      x.Axpy(gradient.data() + size_t{c} * stride_, p[c], row);
      b_gradient[c] += p[c];
    }
  }
  for (uint32_t c = 1; c < classes_; c++) {
    for (uint32_t i = 0; i < stride_; i++) gradient[i] -= gradient[size_t{c} * stride_ + i];
    b_gradient[0] -= b_gradient[c];
  }
  const double n = static_cast<double>(rows.size());
  double square = 0;
  for (double& value : gradient) value /= n;
  for (size_t i = 0; i < weights; i++) {
    square += parameters[i] * parameters[i];
    gradient[i] += l2_ * parameters[i];
  }
  return loss / n + l2_ / 2 * square;
}

void LogisticRegression::Fit(const FeatureMatrix& x, std::span<const uint32_t> y,
                             std::span<const uint32_t> rows) {
  auto objective = [&](const double* at, double* gradient, size_t n) {
    return Objective(x, y, rows, {at, n}, {gradient, n});
  };
  const auto evaluate = [](void* f, const double* at, double* gradient, int n, double) {
    return (*static_cast<decltype(objective)*>(f))(at, gradient, static_cast<size_t>(n));
  };
  lbfgs_parameter_t options;
  lbfgs_parameter_init(&options);
  options.m = 10;
  // |gradient| against |parameters|: well below L2's own share of it, l2 * |parameters|.
  options.epsilon = std::clamp(0.03 * l2_, 1e-8, 1e-5);
  options.past = 10;  // or: in these iterations the objective has fallen by less than this share
  options.delta = 1e-6;
  options.max_iterations = 5000;
  const int n = static_cast<int>(parameters_.size());
  lbfgsfloatval_t* at = lbfgs_malloc(n);
  if (at == nullptr) throw std::bad_alloc();
  std::copy(parameters_.begin(), parameters_.end(), at);
  const int code = lbfgs(n, at, nullptr, evaluate, nullptr, &objective, &options);
  std::copy(at, at + n, parameters_.begin());
  lbfgs_free(at);
  // At the limit of double's precision a line search finds no better point: that is the solution.
  const bool solved = code == LBFGS_SUCCESS || code == LBFGS_STOP ||
                      code == LBFGS_ALREADY_MINIMIZED || code == LBFGSERR_ROUNDING_ERROR ||
                      code == LBFGSERR_MAXIMUMLINESEARCH || code == LBFGSERR_MINIMUMSTEP;
  if (!solved) {
    throw InvalidArgument("logistic regression did not converge (liblbfgs code " +
                          std::to_string(code) + ")");
  }
}

uint32_t LogisticRegression::Predict(const FeatureMatrix& x, size_t row) const {
  uint32_t best = 0;
  double most = -HUGE_VAL;
  for (uint32_t c = 0; c < classes_; c++) {
    const double score = Intercept(c) + x.Dot(row, parameters_.data() + size_t{c} * stride_);
    if (score <= most) continue;
    most = score;
    best = c;
  }
  return best;
}

}  // namespace s2v
