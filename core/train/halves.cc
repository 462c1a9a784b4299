#include "core/train/halves.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <vector>

#include "core/embed/embedder.h"
#include "core/model/element.h"
#include "core/model/feature.h"
#include "core/parallel.h"
#include "core/simd/kernels.h"
#include "core/train/squares.h"
#include "core/train/whitening.h"

namespace s2v {
namespace {

// Sentences are embedded side by side, and then added row by row of the sums, so that these are the
// same with any number of workers.
constexpr uint64_t kTogether = 512;
// Of the mean of S's diagonal, added to each number of it, as few sentences say little of its
// smallest directions.
constexpr double kRidge = 0.1;
constexpr double kLeastVariance = 0.001;
constexpr double kLeastAgreement = 0.001, kMostAgreement = 0.95;

// For halves a and b: the sums of (a + b)(a + b)', of (a - b)(a - b)' and of a + b, and how many
// there were.
class Halves {
 public:
  Halves(const Corpus& corpus, const Model& model)
      : corpus_(corpus), model_(model), n_(model.source.dimension()) {
    for (uint32_t id = 0; id < model.vocabulary.size(); id++) {
      weights_.push_back(FeatureWeight(static_cast<float>(model.config.smoothing),
                                       static_cast<float>(model.vocabulary.Frequency(id))));
    }
  }

  // [2 n + 2, n], the number is the first one of the last row.
  Matrix Sums(const Tick& tick) {
    Matrix sums(2 * uint64_t{n_} + 2, n_);
    const uint64_t sentences = std::min(corpus_.sentences(), kMostHalved);
    for (uint64_t begin = 0; begin < sentences; begin += kTogether) {
      tick();
      const uint64_t count = std::min(kTogether, sentences - begin);
      const size_t workers = WorkerCount(model_.config);
      RunParallel(count, workers, [&](size_t i) {
        halved_[i] = Embed((begin + i) * corpus_.sentences() / sentences, sum_[i], apart_[i]);
      });
      std::vector<const float*> rows[2];
      for (uint64_t i = 0; i < count; i++) {
        if (!halved_[i]) continue;
        rows[0].push_back(sum_[i]);
        rows[1].push_back(apart_[i]);
      }
      RunParallel(2 * n_, workers,
                  [&](size_t row) { AddProducts(rows[row / n_], row % n_, sums[row]); });
      const std::vector<float> ones(rows[0].size(), 1.0f);
      k_.axpy_rows(sums[2 * uint64_t{n_}], ones.data(), rows[0].data(), ones.size(), n_);
      sums[2 * uint64_t{n_} + 1][0] += static_cast<float>(ones.size());
    }
    return sums;
  }

 private:
  // Writes a + b and a - b. False where the sentence has too few words, or a half no direction.
  bool Embed(uint64_t place, float* sum, float* apart) {
    Sentence sentence;
    corpus_.Read(place, &sentence);
    std::vector<const float*> rows;
    std::vector<float> weights;
    for (const uint32_t id : sentence.words) {
      if (id == kUnknownWord) continue;
      rows.push_back(model_.source[id]);
      weights.push_back(weights_[id]);
    }
    if (rows.size() < kLeastHalved) return false;
    const size_t half = rows.size() / 2;
    std::fill_n(sum, n_, 0.0f);
    std::fill_n(apart, n_, 0.0f);
    k_.axpy_rows(sum, weights.data(), rows.data(), half, n_);
    k_.axpy_rows(apart, &weights[half], &rows[half], rows.size() - half, n_);
    if (!Normalize(sum, n_) || !Normalize(apart, n_)) return false;
    for (uint32_t i = 0; i < n_; i++) {
      const float a = sum[i], b = apart[i];
      sum[i] = a + b;
      apart[i] = a - b;
    }
    return true;
  }

  // to += sum over the rows of row[at] * row
  void AddProducts(const std::vector<const float*>& rows, size_t at, float* to) const {
    std::vector<float> factors;
    for (const float* row : rows) factors.push_back(row[at]);
    k_.axpy_rows(to, factors.data(), rows.data(), rows.size(), n_);
  }

  const simd::Kernels& k_ = simd::BestKernels();
  const Corpus& corpus_;
  const Model& model_;
  const uint32_t n_;
  std::vector<float> weights_;  // [words]
  Matrix sum_{kTogether, n_}, apart_{kTogether, n_};
  std::vector<char> halved_ = std::vector<char>(kTogether);
};

// Eigenvectors are rows here.
struct Directions {
  std::vector<double> variance, factor;  // of S; g, as the head of halves.h has it
  Square of_variance, of_agreement;      // the latter in coordinates of the former
};

// Nothing where all halves are alike.
std::optional<Directions> FindDirections(const Matrix& sums, size_t n) {
  const double halves = 2 * double{sums[2 * n + 1][0]};
  const float* const total = sums[2 * n];
  Directions d;
  d.of_variance.resize(n * n);
  Square c(n * n);
  double trace = 0;
  for (size_t i = 0; i < n; i++) {
    for (size_t j = 0; j < n; j++) {
      // Sums of products are alike on both sides of the diagonal but for rounding.
      const double both = (sums[i][j] + double{sums[j][i]}) / 2;
      const double apart = (sums[n + i][j] + double{sums[n + j][i]}) / 2;
      const double means = total[i] / halves * (total[j] / halves);
      d.of_variance[i * n + j] = (both + apart) / (2 * halves) - means;
      c[i * n + j] = (both - apart) / (2 * halves) - means;
    }
    trace += d.of_variance[i * n + i];
  }
  if (!(trace > kLeastVariance)) return std::nullopt;
  const double ridge = kRidge * trace / static_cast<double>(n);
  for (size_t i = 0; i < n; i++) d.of_variance[i * n + i] += ridge;
  d.variance = Eigen(&d.of_variance, n);
  const std::vector<double> white = Powers(d.variance, -0.5), ones(n, 1.0);
  c = Product(Product(d.of_variance, ones, c, n), ones, Transposed(d.of_variance, n), n);
  for (size_t i = 0; i < n; i++) {
    for (size_t j = 0; j < n; j++) c[i * n + j] *= white[i] * white[j];
  }
  // Eigen has the eigenvalues without their signs; these are between -1 and 1.
  for (size_t i = 0; i < n; i++) c[i * n + i] += 1;
  d.factor = Eigen(&c, n);
  for (double& factor : d.factor) {
    const double agreement = std::clamp(factor - 1, kLeastAgreement, kMostAgreement);
    factor = std::pow(agreement / (1 - agreement * agreement), kHalvesPower);
  }
  d.of_agreement = std::move(c);
  return d;
}

// F^-power Q' diag(g^sign) Q F^rest, where F is S in the coordinates of its own eigenvectors, which
// rows are turned to and back from.
Square Map(const Directions& d, double power, double rest, int sign, size_t n) {
  const std::vector<double> ones(n, 1.0);
  Square map = Product(Transposed(d.of_agreement, n), Powers(d.factor, sign), d.of_agreement, n);
  const std::vector<double> left = Powers(d.variance, power), right = Powers(d.variance, rest);
  for (size_t i = 0; i < n; i++) {
    for (size_t j = 0; j < n; j++) map[i * n + j] *= left[i] * right[j];
  }
  return Product(Product(Transposed(d.of_variance, n), ones, map, n), ones, d.of_variance, n);
}

double SquaredLengths(const Model& model) {
  double sum = 0;
  for (uint32_t id = 0; id < model.vocabulary.size(); id++) {
    const std::span<const float> row(model.source[id], model.source.dimension());
    sum += model.vocabulary.Frequency(id) * SquaredLength(row);
  }
  return sum;
}

}  // namespace

uint64_t HalvesBytes(const Config& config) {
  const auto n = static_cast<uint32_t>(config.dimension);
  if (config.whitening == 0 || n > kLargestWhitened) return 0;
  // The sums, two maps and the halves; some squares in double precision.
  return Matrix::Bytes(4 * uint64_t{n} + 2 + 2 * kTogether, n) + 7 * sizeof(double) * n * n;
}

void FavourHalves(const Corpus& corpus, const SumOfRanks& sum, const Tick& tick, Model* model) {
  const uint32_t n = model->source.dimension();
  if (model->config.whitening == 0 || n > kLargestWhitened || model->vocabulary.size() == 0) return;
  Matrix sums = Halves(corpus, *model).Sums(tick);
  sum(&sums);
  if (!(sums[2 * uint64_t{n} + 1][0] >= static_cast<float>(kFewestHalved * n))) return;
  const std::optional<Directions> directions = FindDirections(sums, n);
  if (!directions) return;
  tick();
  // Each row v becomes v M, and u M'^-1; MultiplyRows wants the transposed.
  const Matrix source = Floats(Transposed(Map(*directions, -0.5, kKeptVariance, 1, n), n), n);
  const Matrix target = Floats(Map(*directions, -kKeptVariance, 0.5, -1, n), n);
  const simd::Kernels& k = simd::BestKernels();
  LengthenRows(model);
  const double before = SquaredLengths(*model);
  MultiplyRows(source, &model->source);
  MultiplyRows(target, &model->target);
  const double after = SquaredLengths(*model);
  if (before > 0 && after > 0) {
    const auto scale = static_cast<float>(std::sqrt(before / after));
    for (uint64_t row = 0; row < model->source.rows(); row++) k.scale(model->source[row], scale, n);
    for (uint64_t row = 0; row < model->target.rows(); row++) {
      k.scale(model->target[row], 1 / scale, n);
    }
  }
  ShortenRows(model);
}

}  // namespace s2v
