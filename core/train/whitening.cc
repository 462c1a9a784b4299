#include "core/train/whitening.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "core/simd/kernels.h"

namespace s2v {
namespace {

// Only the most frequent words count: they are nearly all of the text.
constexpr uint32_t kMostWords = 10000;

using Square = std::vector<double>;  // [n, n], symmetric

Square SecondMoment(const Model& model, const simd::Kernels& k) {
  const uint32_t n = model.source.dimension();
  const uint32_t words = std::min(model.vocabulary.size(), kMostWords);
  Square s(size_t{n} * n);
  for (uint32_t id = 0; id < words; id++) {
    const float* v = model.source[id];
    const double f = model.vocabulary.Frequency(id);
    for (uint32_t i = 0; i < n; i++) k.axpy_double(&s[size_t{i} * n], f * v[i], v, n);
  }
  return s;
}

// sum over i of values[i]^power times the i-th eigenvector and itself
Matrix Power(const Square& vectors, const std::vector<double>& values, double power, double scale) {
  const size_t n = values.size();
  Matrix out(n, static_cast<uint32_t>(n));
  std::vector<double> row(n);
  for (size_t i = 0; i < n; i++) {
    std::fill(row.begin(), row.end(), 0.0);
    for (size_t e = 0; e < n; e++) {
      const double* const vector = &vectors[e * n];
      const double weight = scale * std::pow(values[e], power) * vector[i];
      for (size_t j = 0; j < n; j++) row[j] += weight * vector[j];
    }
    for (size_t j = 0; j < n; j++) out[i][j] = static_cast<float>(row[j]);
  }
  return out;
}

}  // namespace

void MultiplyRows(const Matrix& by, const simd::Kernels& k, Matrix* rows) {
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

// Rotates the rows of s into each other until they are orthogonal (Hestenes 1958). s being symmetric,
// row i is then the i-th eigenvalue, which becomes its length, times its eigenvector.
std::vector<double> Eigen(std::vector<double>* s, size_t n) {
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

namespace {

// Gives each source row longer than initial_norm the length that `to` makes of its own, both as multiples of
// initial_norm.
template <typename To>
void ChangeLengths(To to, Model* model) {
  if (model->config.whitening == 0) return;
  const double norm = model->config.initial_norm > 0 ? model->config.initial_norm : 1;
  const uint32_t n = model->source.dimension();
  for (uint64_t row = 0; row < model->source.rows(); row++) {
    float* const v = model->source[row];
    double square = 0;
    for (uint32_t i = 0; i < n; i++) square += double{v[i]} * v[i];
    const double length = std::sqrt(square) / norm;
    if (!(length > 1)) continue;
    const auto factor = static_cast<float>(to(length) / length);
    for (uint32_t i = 0; i < n; i++) v[i] *= factor;
  }
}

void Stretch(double whitening, Model* model) {
  if (model->vocabulary.size() == 0 || model->source.dimension() > kLargestWhitened) return;
  const simd::Kernels& k = simd::BestKernels();
  Square vectors = SecondMoment(*model, k);
  std::vector<double> values = Eigen(&vectors, model->source.dimension());
  // Directions in which no word lies keep what n-grams have in them.
  constexpr double kSmallestShare = 1e-6;
  const double largest = *std::max_element(values.begin(), values.end());
  if (!(largest > 0)) return;
  double before = 0, after = 0;
  for (double& value : values) {
    value = std::max(value, kSmallestShare * largest);
    before += value;
    after += std::pow(value, 1 - whitening);
  }
  const double scale = std::sqrt(before / after);
  MultiplyRows(Power(vectors, values, -whitening / 2, scale), k, &model->source);
  MultiplyRows(Power(vectors, values, whitening / 2, 1 / scale), k, &model->target);
}

}  // namespace

void Whiten(Model* model) {
  if (model->config.whitening == 0) return;
  Stretch(model->config.whitening, model);
  ShortenRows(model);
}

void ShortenRows(Model* model) {
  ChangeLengths([](double length) { return std::sqrt(length); }, model);
}

void LengthenRows(Model* model) {
  ChangeLengths([](double length) { return length * length; }, model);
}

}  // namespace s2v
