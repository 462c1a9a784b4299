// Multinomial logistic regression with L2 regularisation, solved to convergence by L-BFGS
// (liblbfgs).
//
//   minimise  mean over i of -log softmax(W x_i + b)[y_i]  +  l2 / 2 * |W|^2
//
// where b is not regularised. The classifier of the paper's supervised evaluation (section 5).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/eval/encoder.h"
#include "core/model/matrix.h"
#include "core/simd/kernels.h"

namespace s2v {

// Many vectors as the solver walks them again and again: rows of floats side by side where most
// places are filled (embeddings), else lists of the places that are (bags of words). Values are
// float, sums double.
// Thread rule: constant once made.
class FeatureMatrix {
 public:
  static constexpr uint32_t kNone = UINT32_MAX;
  // The vectors times scale. columns: where each of their places goes, kNone: left out; the others
  // are 0 .. dimension-1. Throws std::bad_alloc.
  FeatureMatrix(std::span<const FeatureVector> vectors, std::span<const uint32_t> columns,
                float scale);

  size_t rows() const { return rows_; }
  uint32_t dimension() const { return dimension_; }
  bool dense() const { return dense_.rows() > 0; }
  // Places of the vectors that rows are multiplied with: the dimension and padding of zeros.
  uint32_t stride() const { return Matrix::Stride(dimension_); }

  // x_row . w, w [stride]
  double Dot(size_t row, const double* w) const;
  // y += a * x_row, y [stride]
  void Axpy(double* y, double a, size_t row) const;

 private:
  const size_t rows_;
  const uint32_t dimension_;
  const simd::Kernels& k_ = simd::BestKernels();
  Matrix dense_;                 // [rows, dimension], or nothing
  std::vector<size_t> ends_;     // [rows] of the row's places
  std::vector<uint32_t> index_;  // [filled places], where not dense
  std::vector<float> value_;     // [filled places], where not dense
};

class LogisticRegression {
 public:
  // labels: 0 .. classes-1; classes >= 2.
  LogisticRegression(uint32_t dimension, uint32_t classes, double l2);

  // Starts from the parameters as they are: a solution for a neighbouring l2 is a good start.
  // Throws InvalidArgument where the solver gives up. Row rows[i] of x has label y[rows[i]].
  // REQUIRES: x has the dimension.
  void Fit(const FeatureMatrix& x, std::span<const uint32_t> y, std::span<const uint32_t> rows);
  uint32_t Predict(const FeatureMatrix& x, size_t row) const;
  void set_l2(double l2) { l2_ = l2; }
  double Intercept(uint32_t c) const { return parameters_[size_t{classes_} * stride_ + c]; }

  // The objective and its gradient at parameters [classes * (stride + 1)], for the solver and the
  // tests: W [classes, stride], then b [classes].
  double Objective(const FeatureMatrix& x, std::span<const uint32_t> y,
                   std::span<const uint32_t> rows, std::span<const double> parameters,
                   std::span<double> gradient);
  std::span<const double> parameters() const { return parameters_; }

 private:
  const uint32_t stride_, classes_;
  double l2_;
  std::vector<double> parameters_;   // as Objective has them
  std::vector<double> differences_;  // [classes - 1, stride] scratch: W less its first row
  // [classes] scratch: no memory is taken while lbfgs, which is C, calls.
  std::vector<double> scores_;
};

}  // namespace s2v
