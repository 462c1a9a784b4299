// The kernels of kernels.h as plain loops in double precision: the oracle of their tests.
//
//   double expected = reference::Dot(a, b, n);
//
// Same parameters and shapes as in struct Kernels; what a kernel writes in place is returned
// instead, one double per element, so that the inputs stay for the error bound.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace s2v::simd::reference {

inline double Dot(const float* a, const float* b, size_t n) {
  double sum = 0;
  for (size_t i = 0; i < n; ++i) sum += static_cast<double>(a[i]) * b[i];
  return sum;
}

// sum of |a[i] * b[i]|: what the rounding error of Dot scales with
inline double AbsoluteDot(const float* a, const float* b, size_t n) {
  double sum = 0;
  for (size_t i = 0; i < n; ++i) sum += std::fabs(static_cast<double>(a[i]) * b[i]);
  return sum;
}

// The rounding of a sum in double scales with the sum of |x[i] * w[i]| too.
inline double DotDouble(const float* x, const double* w, size_t n) {
  long double sum = 0;
  for (size_t i = 0; i < n; ++i) sum += static_cast<long double>(x[i]) * w[i];
  return static_cast<double>(sum);
}

// Of float rows, and of int8 ones.
template <typename Number>
std::vector<double> AxpyRows(const float* y, const float* a, const Number* const* rows,
                             size_t count, size_t n) {
  std::vector<double> result(y, y + n);
  for (size_t r = 0; r < count; ++r) {
    for (size_t i = 0; i < n; ++i) result[i] += static_cast<double>(a[r]) * rows[r][i];
  }
  return result;
}

inline std::vector<double> Axpy(const float* y, float a, const float* x, size_t n) {
  return AxpyRows(y, &a, &x, 1, n);
}

inline std::vector<double> Add(const float* y, const float* x, size_t n) {
  return Axpy(y, 1, x, n);
}

inline std::vector<double> Scale(const float* y, float a, size_t n) {
  std::vector<double> result(y, y + n);
  for (double& v : result) v *= a;
  return result;
}

inline std::vector<double> SumRows(const float* const* rows, size_t count, size_t n) {
  std::vector<double> result(n, 0.0);
  for (size_t r = 0; r < count; ++r) {
    for (size_t i = 0; i < n; ++i) result[i] += rows[r][i];
  }
  return result;
}

inline std::vector<double> ScaledDifference(const float* x, const float* const* rows, size_t count,
                                            float a, size_t n) {
  const std::vector<double> sum = SumRows(rows, count, n);
  std::vector<double> result(n);
  for (size_t i = 0; i < n; ++i) result[i] = a * (x[i] - sum[i]);
  return result;
}

// In place, on rows of double.
inline void AddToRows(double* const* rows, size_t count, const float* x, size_t n) {
  for (size_t r = 0; r < count; ++r) {
    for (size_t i = 0; i < n; ++i) rows[r][i] += x[i];
  }
}

inline std::vector<double> DotRows(const float* const* rows, size_t count, const float* x,
                                   size_t x_count, size_t n) {
  std::vector<double> result;
  for (size_t s = 0; s < x_count; ++s) {
    for (size_t r = 0; r < count; ++r) result.push_back(Dot(rows[r], x + s * n, n));
  }
  return result;
}

// What PullRows writes to y [x_count x n] and to the rows [count][n].
struct Pulled {
  std::vector<double> y;
  std::vector<std::vector<double>> rows;
};

inline Pulled PullRows(const float* a, const float* const* rows, size_t count, const float* x,
                       size_t x_count, size_t n) {
  Pulled result{std::vector<double>(x_count * n), {}};
  for (size_t r = 0; r < count; ++r) result.rows.emplace_back(rows[r], rows[r] + n);
  for (size_t s = 0; s < x_count; ++s) {
    for (size_t r = 0; r < count; ++r) {
      const double weight = a[s * count + r];
      for (size_t i = 0; i < n; ++i) {
        result.y[s * n + i] += weight * rows[r][i];
        result.rows[r][i] += weight * x[s * n + i];
      }
    }
  }
  return result;
}

inline std::vector<double> SoftThreshold(const float* y, float tau, size_t n) {
  std::vector<double> result(n);
  for (size_t i = 0; i < n; ++i) {
    const double left = std::fabs(static_cast<double>(y[i])) - tau;
    result[i] = left > 0 ? std::copysign(left, y[i]) : 0;
  }
  return result;
}

inline double Sigmoid(double x) {
  return 1 / (1 + std::exp(-x));
}

inline std::vector<double> Sigmoid(const float* x, size_t n) {
  std::vector<double> result(n);
  for (size_t i = 0; i < n; ++i) result[i] = Sigmoid(static_cast<double>(x[i]));
  return result;
}

// {a.b, a.a, b.b} of unaligned bytes
inline std::array<double, 3> CosineSums(const void* a, const void* b, size_t n) {
  std::vector<float> va(n), vb(n);
  if (n > 0) {
    std::memcpy(va.data(), a, n * sizeof(float));
    std::memcpy(vb.data(), b, n * sizeof(float));
  }
  return {Dot(va.data(), vb.data(), n), Dot(va.data(), va.data(), n), Dot(vb.data(), vb.data(), n)};
}

}  // namespace s2v::simd::reference
