#include "core/train/whitening.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/model/element.h"
#include "core/simd/kernels.h"
#include "core/train/squares.h"

namespace s2v {
namespace {

// Only the most frequent words count: they are nearly all of the text.
constexpr uint32_t kMostWords = 10000;

Square SecondMoment(const Model& model) {
  const simd::Kernels& k = simd::BestKernels();
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

// Gives each source row longer than initial_norm the length that `to` makes of its own, both as
// multiples of initial_norm.
template <typename To>
void ChangeLengths(To to, Model* model) {
  if (model->config.whitening == 0) return;
  const double norm = model->config.initial_norm > 0 ? model->config.initial_norm : 1;
  const uint32_t n = model->source.dimension();
  for (uint64_t row = 0; row < model->source.rows(); row++) {
    float* const v = model->source[row];
    const double length = std::sqrt(SquaredLength({v, n})) / norm;
    if (!(length > 1)) continue;
    const auto factor = static_cast<float>(to(length) / length);
    for (uint32_t i = 0; i < n; i++) v[i] *= factor;
  }
}

void Stretch(double whitening, Model* model) {
  if (model->vocabulary.size() == 0 || model->source.dimension() > kLargestWhitened) return;
  Square vectors = SecondMoment(*model);
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
  const size_t n = values.size();
  const auto power = [&](double exponent, double factor) {
    std::vector<double> powers = Powers(values, exponent);
    for (double& value : powers) value *= factor;
    return Floats(Product(Transposed(vectors, n), powers, vectors, n), n);
  };
  MultiplyRows(power(-whitening / 2, scale), &model->source);
  MultiplyRows(power(whitening / 2, 1 / scale), &model->target);
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
