// Correlation of two lists of numbers, as SemEval's similarity tasks are scored.
#ifndef S2V_EXT_CORRELATION_H_
#define S2V_EXT_CORRELATION_H_

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace s2v {

// Pearson's r of pairs that come one by one (Welford's recurrence: stable for any mean, and a
// constant side has no variance at all, not that of rounding). REQUIRES: finite numbers.
class PearsonSum {
 public:
  void Add(double x, double y);
  // Nothing for fewer than two pairs, where a side is constant, and where squares leave double's
  // range.
  std::optional<double> Value() const;

 private:
  uint64_t count_ = 0;
  double mean_x_ = 0, mean_y_ = 0;
  double xx_ = 0, yy_ = 0, xy_ = 0;  // sums of products of differences from the means
};

// Pearson's r. Nothing as above. REQUIRES: equal sizes, finite numbers.
std::optional<double> Pearson(std::span<const double> x, std::span<const double> y);
// Spearman's rho: Pearson's r of the ranks, equal values sharing the mean of their ranks.
std::optional<double> Spearman(std::span<const double> x, std::span<const double> y);
// [x] ranks 1 .. n by rising value, ties as above.
std::vector<double> Ranks(std::span<const double> x);

}  // namespace s2v

#endif  // S2V_EXT_CORRELATION_H_
