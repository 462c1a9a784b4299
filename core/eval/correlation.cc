#include "core/eval/correlation.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace s2v {

std::optional<double> Pearson(std::span<const double> x, std::span<const double> y) {
  const size_t n = x.size();
  if (n < 2) return std::nullopt;
  const double mean_x = std::accumulate(x.begin(), x.end(), 0.0) / static_cast<double>(n);
  const double mean_y = std::accumulate(y.begin(), y.end(), 0.0) / static_cast<double>(n);
  double xx = 0, yy = 0, xy = 0;
  for (size_t i = 0; i < n; i++) {
    const double dx = x[i] - mean_x, dy = y[i] - mean_y;
    xx += dx * dx;
    yy += dy * dy;
    xy += dx * dy;
  }
  if (!(xx > 0) || !(yy > 0)) return std::nullopt;
  return std::clamp(xy / (std::sqrt(xx) * std::sqrt(yy)), -1.0, 1.0);
}

std::vector<double> Ranks(std::span<const double> x) {
  std::vector<size_t> order(x.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) { return x[a] < x[b]; });
  std::vector<double> ranks(x.size());
  for (size_t begin = 0; begin < order.size();) {
    size_t end = begin + 1;
    while (end < order.size() && x[order[end]] == x[order[begin]]) end++;
    const double rank = static_cast<double>(begin + 1 + end) / 2;  // mean of begin+1 .. end
    for (; begin < end; begin++) ranks[order[begin]] = rank;
  }
  return ranks;
}

std::optional<double> Spearman(std::span<const double> x, std::span<const double> y) {
  return Pearson(Ranks(x), Ranks(y));
}

}  // namespace s2v
