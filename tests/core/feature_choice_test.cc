// Which features are kept.
#include "core/model/feature_choice.h"

#include <doctest/doctest.h>

namespace s2v {
namespace {

std::vector<uint64_t> KeptFeatures(const std::vector<double>& usefulness, uint64_t most) {
  const std::vector<bool> is_kept = MostUseful(usefulness, most);
  std::vector<uint64_t> kept;
  for (uint64_t i = 0; i < is_kept.size(); i++) {
    if (is_kept[i]) kept.push_back(i);
  }
  return kept;
}

TEST_CASE("the most useful features are kept, of equal ones the first") {
  using Ids = std::vector<uint64_t>;
  CHECK(KeptFeatures({1, 5, 3, 4, 2}, 2) == Ids{1, 3});
  CHECK(KeptFeatures({2, 2, 2, 2}, 3) == Ids{0, 1, 2});
  CHECK(KeptFeatures({1, 2, 2, 2}, 2) == Ids{1, 2});
  CHECK(KeptFeatures({0, 0, 7}, 1) == Ids{2});
  CHECK(KeptFeatures({3, 1}, 2) == Ids{0, 1});
  CHECK(KeptFeatures({3, 1}, 100) == Ids{0, 1});
  CHECK(KeptFeatures({}, 1).empty());
}

}  // namespace
}  // namespace s2v
