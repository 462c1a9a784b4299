#include "core/eval/logistic_regression.h"

#include <lbfgs.h>

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "core/error.h"

namespace s2v {

static_assert(sizeof(lbfgsfloatval_t) == sizeof(double));

namespace {

// Calls body with the number of classes, as a constant where it is small: then its loops over
// classes are unrolled and sums stay in registers, several times as fast.
template <typename Body>
void WithClasses(uint32_t classes, Body body) {
  switch (classes) {
    case 2:
      return body(std::integral_constant<uint32_t, 2>());
    case 3:
      return body(std::integral_constant<uint32_t, 3>());
    case 4:
      return body(std::integral_constant<uint32_t, 4>());
    case 5:
      return body(std::integral_constant<uint32_t, 5>());
    case 6:
      return body(std::integral_constant<uint32_t, 6>());
    default:
      return body(classes);
  }
}

constexpr uint32_t kUnrolledClasses = 6;

// scores[c] += sum over i of x_i * weights[i, c]
template <typename Classes>
void AddScores(const FeatureVector& x, const double* weights, Classes classes, double* scores) {
  if constexpr (std::is_same_v<Classes, uint32_t>) {
    for (size_t i = 0; i < x.index.size(); i++) {
      const double value = x.value[i];
      const double* row = weights + size_t{x.index[i]} * classes;
      for (uint32_t c = 0; c < classes; c++) scores[c] += value * row[c];
    }
  } else {
    double sums[kUnrolledClasses] = {};
    for (size_t i = 0; i < x.index.size(); i++) {
      const double value = x.value[i];
      const double* row = weights + size_t{x.index[i]} * classes;
      for (uint32_t c = 0; c < classes; c++) sums[c] += value * row[c];
    }
    for (uint32_t c = 0; c < classes; c++) scores[c] += sums[c];
  }
}

// gradient[i, c] += x_i * p[c]
template <typename Classes>
void AddProducts(const FeatureVector& x, const double* p, Classes classes, double* gradient) {
  double factors[kUnrolledClasses];
  if constexpr (!std::is_same_v<Classes, uint32_t>) {
    std::copy_n(p, uint32_t{classes}, factors);
    p = factors;
  }
  for (size_t i = 0; i < x.index.size(); i++) {
    const double value = x.value[i];
    double* row = gradient + size_t{x.index[i]} * classes;
    for (uint32_t c = 0; c < classes; c++) row[c] += value * p[c];
  }
}

}  // namespace

LogisticRegression::LogisticRegression(uint32_t dimension, uint32_t classes, double l2)
    : dimension_(dimension),
      classes_(classes),
      l2_(l2),
      parameters_((size_t{dimension} + 1) * classes, 0.0) {}

void LogisticRegression::Scores(const FeatureVector& x, const double* parameters,
                                double* scores) const {
  std::copy_n(parameters + size_t{dimension_} * classes_, classes_, scores);
  WithClasses(classes_, [&](auto classes) { AddScores(x, parameters, classes, scores); });
}

double LogisticRegression::Objective(std::span<const FeatureVector> x, std::span<const uint32_t> y,
                                     std::span<const uint32_t> rows,
                                     std::span<const double> parameters,
                                     std::span<double> gradient) const {
  std::fill(gradient.begin(), gradient.end(), 0.0);
  std::vector<double> p(classes_);
  double loss = 0;
  for (const uint32_t row : rows) {
    Scores(x[row], parameters.data(), p.data());
    const double most = *std::max_element(p.begin(), p.end());
    double sum = 0;
    for (double& score : p) sum += std::exp(score - most);
    loss += most + std::log(sum) - p[y[row]];
    for (double& score : p) score = std::exp(score - most) / sum;
    p[y[row]] -= 1;  // d loss / d score
    WithClasses(classes_,
                [&](auto classes) { AddProducts(x[row], p.data(), classes, gradient.data()); });
    double* bias = gradient.data() + size_t{dimension_} * classes_;
    for (uint32_t c = 0; c < classes_; c++) bias[c] += p[c];
  }
  const double n = static_cast<double>(rows.size());
  double square = 0;
  for (size_t i = 0; i < parameters.size(); i++) {
    gradient[i] /= n;
    if (i >= size_t{dimension_} * classes_) continue;
    square += parameters[i] * parameters[i];
    gradient[i] += l2_ * parameters[i];
  }
  return loss / n + l2_ / 2 * square;
}

void LogisticRegression::Fit(std::span<const FeatureVector> x, std::span<const uint32_t> y,
                             std::span<const uint32_t> rows) {
  struct Problem {
    const LogisticRegression* self;
    std::span<const FeatureVector> x;
    std::span<const uint32_t> y, rows;
  } problem{this, x, y, rows};
  const auto evaluate = [](void* instance, const lbfgsfloatval_t* at, lbfgsfloatval_t* gradient,
                           int n, lbfgsfloatval_t) -> lbfgsfloatval_t {
    const auto* p = static_cast<const Problem*>(instance);
    const auto size = static_cast<size_t>(n);
    return p->self->Objective(p->x, p->y, p->rows, {at, size}, {gradient, size});
  };
  lbfgs_parameter_t options;
  lbfgs_parameter_init(&options);
  options.m = 10;
  // |gradient| against |parameters|: well below L2's own share of it, l2 * |parameters|.
  options.epsilon = std::clamp(0.03 * l2_, 1e-8, 1e-5);
  options.past = 10;  // or: the objective has fallen by less than this share in so many iterations
  options.delta = 1e-6;
  options.max_iterations = 5000;
  const int n = static_cast<int>(parameters_.size());
  lbfgsfloatval_t* at = lbfgs_malloc(n);
  if (at == nullptr) throw std::bad_alloc();
  std::copy(parameters_.begin(), parameters_.end(), at);
  const int code = lbfgs(n, at, nullptr, evaluate, nullptr, &problem, &options);
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

uint32_t LogisticRegression::Predict(const FeatureVector& x) const {
  std::vector<double> scores(classes_);
  Scores(x, parameters_.data(), scores.data());
  return static_cast<uint32_t>(std::max_element(scores.begin(), scores.end()) - scores.begin());
}

}  // namespace s2v
