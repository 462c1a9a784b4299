// Multinomial logistic regression with L2 regularisation, solved to convergence by L-BFGS
// (liblbfgs).
//
//   minimise  mean over i of -log softmax(W x_i + b)[y_i]  +  l2 / 2 * |W|^2      (b is not
//   regularised)
//
// The classifier of the paper's supervised evaluation (section 5): vectors stay as they are.
#ifndef S2V_CORE_EVAL_LOGISTIC_REGRESSION_H_
#define S2V_CORE_EVAL_LOGISTIC_REGRESSION_H_

#include <cstdint>
#include <span>
#include <vector>

#include "core/eval/encoder.h"

namespace s2v {

class LogisticRegression {
 public:
  // labels: 0 .. classes-1.
  LogisticRegression(uint32_t dimension, uint32_t classes, double l2);

  // Starts from the parameters as they are: a solution for a neighbouring l2 is a good start.
  // Throws InvalidArgument where the solver gives up. x[rows[i]] has label y[rows[i]].
  void Fit(std::span<const FeatureVector> x, std::span<const uint32_t> y,
           std::span<const uint32_t> rows);
  uint32_t Predict(const FeatureVector& x) const;
  void set_l2(double l2) { l2_ = l2; }

  // The objective and its gradient at parameters [classes * (dimension + 1)], for the solver and
  // the tests.
  double Objective(std::span<const FeatureVector> x, std::span<const uint32_t> y,
                   std::span<const uint32_t> rows, std::span<const double> parameters,
                   std::span<double> gradient) const;
  std::span<const double> parameters() const { return parameters_; }

 private:
  void Scores(const FeatureVector& x, const double* parameters, double* scores) const;
  const uint32_t dimension_, classes_;
  double l2_;
  std::vector<double> parameters_;  // [dimension + 1, classes], the last row is b
};

}  // namespace s2v

#endif  // S2V_CORE_EVAL_LOGISTIC_REGRESSION_H_
