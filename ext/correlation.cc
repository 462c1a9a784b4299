// s2v_pearson(x, y), s2v_spearman(x, y): aggregates over the pairs of a group; a pair with a NULL
// is left out.
//
//   SELECT s2v_spearman(s2v_cosine(a, b), score) FROM pairs;
//
// Pearson takes constant memory; Spearman 16 bytes for each pair.
#include "ext/correlation.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "ext/functions.h"

namespace s2v {
namespace {

double FiniteArgument(sqlite3_value* value, const char* name) {
  const std::optional<double> number = NumberArgument(value);
  if (!number) ThrowType(name, value, "a number");
  if (!std::isfinite(*number)) {
    throw InvalidArgument(std::string(name) + " is infinite; a finite number is expected");
  }
  return *number;
}

}  // namespace

void PearsonSum::Add(double of_x, double of_y) {
  if (count_++ == 0) {
    first_x_ = of_x;
    first_y_ = of_y;
  }
  const double x = of_x - first_x_, y = of_y - first_y_;
  const double dx = x - mean_x_, dy = y - mean_y_;
  mean_x_ += dx / static_cast<double>(count_);
  mean_y_ += dy / static_cast<double>(count_);
  xx_ += dx * (x - mean_x_);
  yy_ += dy * (y - mean_y_);
  xy_ += dx * (y - mean_y_);
}

std::optional<double> PearsonSum::Value() const {
  if (count_ < 2 || !(xx_ > 0) || !(yy_ > 0)) return std::nullopt;
  if (!std::isfinite(xx_) || !std::isfinite(yy_) || !std::isfinite(xy_)) return std::nullopt;
  return std::clamp(xy_ / (std::sqrt(xx_) * std::sqrt(yy_)), -1.0, 1.0);
}

std::optional<double> Pearson(std::span<const double> x, std::span<const double> y) {
  PearsonSum sum;
  for (size_t i = 0; i < x.size(); i++) sum.Add(x[i], y[i]);
  return sum.Value();
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

std::optional<std::pair<double, double>> NumberPair(const Call& call) {
  if (IsNull(call[0]) || IsNull(call[1])) return std::nullopt;
  const double x = FiniteArgument(call[0], "the first argument");
  return std::pair(x, FiniteArgument(call[1], "the second argument"));
}

}  // namespace s2v
