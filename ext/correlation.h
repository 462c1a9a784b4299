// Correlation of two lists of numbers, as SemEval's similarity tasks are scored. REQUIRES, of all:
// finite numbers.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace s2v {

// Pearson's r of pairs that come one by one (Welford's recurrence, of differences from the first
// pair: stable for any mean, and a constant side has no variance at all, not that of rounding).
class PearsonSum {
 public:
  void Add(double of_x, double of_y);
  // Nothing for fewer than two pairs, where a side is constant, and where squares leave double's
  // range.
  std::optional<double> Value() const;

 private:
  uint64_t count_ = 0;
  double first_x_ = 0, first_y_ = 0, mean_x_ = 0, mean_y_ = 0;
  double xx_ = 0, yy_ = 0, xy_ = 0;  // sums of products of differences from the means
};

// Of lists of equal sizes.
std::optional<double> Pearson(std::span<const double> x, std::span<const double> y);
std::optional<double> Spearman(std::span<const double> x, std::span<const double> y);

// Spearman's rho: Pearson's r of the ranks, equal values sharing the mean of their ranks. Keeps the
// pairs.
class SpearmanSum {
 public:
  void Add(double x, double y) {
    x_.push_back(x);
    y_.push_back(y);
  }
  std::optional<double> Value() const { return Spearman(x_, y_); }

 private:
  std::vector<double> x_, y_;
};

// [x] ranks 1 .. n by rising value, ties as above.
std::vector<double> Ranks(std::span<const double> x);

}  // namespace s2v
