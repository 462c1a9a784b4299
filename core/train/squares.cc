#include "core/train/squares.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "core/simd/kernels.h"

namespace s2v {

// Rotates the rows of s into each other until they are orthogonal (Hestenes 1958). s being
// symmetric, row i is then the i-th eigenvalue, which becomes its length, times its eigenvector.
std::vector<double> Eigen(Square* s, size_t n) {
  constexpr int kMostSweeps = 30;
  constexpr double kSmall = 1e-7;  // cosine of two rows that are orthogonal enough
  const auto dot = [&](const double* a, const double* b) {
    double lanes[8] = {};
    size_t i = 0;
    for (; i + 8 <= n; i += 8) {
      for (size_t j = 0; j < 8; j++) lanes[j] += a[i + j] * b[i + j];
    }
    for (; i < n; i++) lanes[0] += a[i] * b[i];
    return lanes[0] + lanes[1] + lanes[2] + lanes[3] + lanes[4] + lanes[5] + lanes[6] + lanes[7];
  };
  std::vector<double> squares(n);
  bool rotated = true;
  for (int sweep = 0; sweep < kMostSweeps && rotated; sweep++) {
    rotated = false;
    for (size_t i = 0; i < n; i++) squares[i] = dot(&(*s)[i * n], &(*s)[i * n]);
    for (size_t p = 0; p + 1 < n; p++) {
      for (size_t q = p + 1; q < n; q++) {
        double* const a = &(*s)[p * n];
        double* const b = &(*s)[q * n];
        const double ab = dot(a, b);
        if (!(std::fabs(ab) > kSmall * std::sqrt(squares[p] * squares[q]))) continue;
        rotated = true;
        const double zeta = (squares[q] - squares[p]) / (2 * ab);
        const double t = std::copysign(1 / (std::fabs(zeta) + std::sqrt(1 + zeta * zeta)), zeta);
        const double cosine = 1 / std::sqrt(1 + t * t), sine = cosine * t;
        for (size_t i = 0; i < n; i++) {
          const double x = a[i];
          a[i] = cosine * x - sine * b[i];
          b[i] = sine * x + cosine * b[i];
        }
        squares[p] -= t * ab;
        squares[q] += t * ab;
      }
    }
  }
  std::vector<double> values(n);
  for (size_t i = 0; i < n; i++) {
    double* const row = &(*s)[i * n];
    values[i] = std::sqrt(dot(row, row));
    for (size_t j = 0; j < n && values[i] > 0; j++) row[j] /= values[i];
  }
  return values;
}

Square Transposed(const Square& a, size_t n) {
  Square out(n * n);
  for (size_t i = 0; i < n; i++) {
    for (size_t j = 0; j < n; j++) out[j * n + i] = a[i * n + j];
  }
  return out;
}

Square Product(const Square& a, const std::vector<double>& values, const Square& b, size_t n) {
  Square out(n * n);
  for (size_t i = 0; i < n; i++) {
    for (size_t k = 0; k < n; k++) {
      const double factor = a[i * n + k] * values[k];
      for (size_t j = 0; j < n; j++) out[i * n + j] += factor * b[k * n + j];
    }
  }
  return out;
}

std::vector<double> Powers(std::vector<double> values, double power) {
  for (double& value : values) value = std::pow(value, power);
  return values;
}

Matrix Floats(const Square& a, size_t n) {
  Matrix out(n, static_cast<uint32_t>(n));
  for (size_t i = 0; i < n; i++) {
    for (size_t j = 0; j < n; j++) out[i][j] = static_cast<float>(a[i * n + j]);
  }
  return out;
}

void MultiplyRows(const Matrix& by, Matrix* rows) {
  const simd::Kernels& k = simd::BestKernels();
  const size_t n = by.rows(), stride = by.stride();
  std::vector<const float*> columns;
  for (size_t i = 0; i < n; i++) columns.push_back(by[i]);
  std::vector<float> products(simd::kMostTogether * n);
  for (uint64_t row = 0; row < rows->rows(); row += simd::kMostTogether) {
    const size_t together = std::min<uint64_t>(simd::kMostTogether, rows->rows() - row);
    k.dot_rows(products.data(), columns.data(), n, (*rows)[row], together, stride);
    for (size_t i = 0; i < together; i++) {
      std::memcpy((*rows)[row + i], &products[i * n], n * sizeof(float));
    }
  }
}

}  // namespace s2v
