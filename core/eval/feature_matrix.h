// Many vectors as a classifier walks them again and again: rows of floats side by side where most
// places are filled (embeddings), else lists of the places that are (bags of words).
//
//   const FeatureMatrix x(vectors, dimension, /*scale=*/1);
//   std::vector<double> w(x.stride());
//   x.Axpy(w.data(), 0.5, row);                    // w += 0.5 * x_row
//   double score = x.Dot(row, w.data());
//
// Values are float, sums double. Thread rule: constant once made.
#ifndef S2V_CORE_EVAL_FEATURE_MATRIX_H_
#define S2V_CORE_EVAL_FEATURE_MATRIX_H_

#include <cstdint>
#include <span>
#include <vector>

#include "core/eval/encoder.h"
#include "core/model/matrix.h"
#include "core/simd/kernels.h"

namespace s2v {

class FeatureMatrix {
 public:
  // The vectors times scale. Throws std::bad_alloc. REQUIRES: places below dimension.
  FeatureMatrix(std::span<const FeatureVector> vectors, uint32_t dimension, float scale);

  size_t rows() const { return rows_; }
  uint32_t dimension() const { return dimension_; }
  bool dense() const { return dense_.rows() > 0; }
  // Places of the vectors that rows are multiplied with: the dimension and padding, which is zero
  // in every row.
  uint32_t stride() const { return Stride(dimension_); }
  static uint32_t Stride(uint32_t dimension) { return Matrix::Stride(dimension); }

  // x_row . w, w [stride]
  double Dot(size_t row, const double* w) const;
  // y += a * x_row, y [stride]
  void Axpy(double* y, double a, size_t row) const;

 private:
  const size_t rows_;
  const uint32_t dimension_;
  const simd::Kernels& k_ = simd::BestKernels();
  Matrix dense_;                 // [rows, dimension], or nothing
  std::vector<size_t> ends_;     // [rows] of the row's places, where not dense
  std::vector<uint32_t> index_;  // [filled places]
  std::vector<float> value_;     // [filled places]
};

}  // namespace s2v

#endif  // S2V_CORE_EVAL_FEATURE_MATRIX_H_
