// Correlation of two lists of numbers, as SemEval's similarity tasks are scored.
#ifndef S2V_CORE_EVAL_CORRELATION_H_
#define S2V_CORE_EVAL_CORRELATION_H_

#include <optional>
#include <span>
#include <vector>

namespace s2v {

// Pearson's r. Nothing for fewer than two pairs and where a side is constant. REQUIRES: equal sizes, finite.
std::optional<double> Pearson(std::span<const double> x, std::span<const double> y);
// Spearman's rho: Pearson's r of the ranks, equal values sharing the mean of their ranks.
std::optional<double> Spearman(std::span<const double> x, std::span<const double> y);
// [x] ranks 1 .. n by rising value, ties as above.
std::vector<double> Ranks(std::span<const double> x);

}  // namespace s2v

#endif  // S2V_CORE_EVAL_CORRELATION_H_
