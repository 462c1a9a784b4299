#include "core/eval/feature_matrix.h"

namespace s2v {

namespace {

// The cost of a filled place of a list, in places of a row of floats.
constexpr uint64_t kListCost = 8;

}  // namespace

FeatureMatrix::FeatureMatrix(std::span<const FeatureVector> vectors, uint32_t dimension,
                             float scale)
    : rows_(vectors.size()), dimension_(dimension) {
  uint64_t filled = 0;
  for (const FeatureVector& vector : vectors) filled += vector.index.size();
  if (filled * kListCost >= uint64_t{rows_} * dimension) {
    dense_ = Matrix(rows_, dimension);
    for (size_t row = 0; row < rows_; row++) {
      const FeatureVector& vector = vectors[row];
      for (size_t i = 0; i < vector.index.size(); i++) {
        dense_[row][vector.index[i]] = scale * vector.value[i];
      }
    }
    return;
  }
  index_.reserve(filled);
  value_.reserve(filled);
  for (const FeatureVector& vector : vectors) {
    index_.insert(index_.end(), vector.index.begin(), vector.index.end());
    for (const float value : vector.value) value_.push_back(scale * value);
    ends_.push_back(index_.size());
  }
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

}  // namespace s2v
