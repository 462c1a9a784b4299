#include "core/eval/encoder.h"

#include <algorithm>
#include <cmath>

namespace s2v {

double Dot(const FeatureVector& a, const FeatureVector& b) {
  double sum = 0;
  for (size_t i = 0, j = 0; i < a.index.size() && j < b.index.size();) {
    if (a.index[i] == b.index[j]) {
      sum += static_cast<double>(a.value[i++]) * static_cast<double>(b.value[j++]);
    } else if (a.index[i] < b.index[j]) {
      i++;
    } else {
      j++;
    }
  }
  return sum;
}

double Cosine(const FeatureVector& a, const FeatureVector& b) {
  const double aa = Dot(a, a), bb = Dot(b, b);
  if (!(aa > 0) || !(bb > 0)) return 0;
  return std::clamp(Dot(a, b) / (std::sqrt(aa) * std::sqrt(bb)), -1.0, 1.0);
}

}  // namespace s2v
