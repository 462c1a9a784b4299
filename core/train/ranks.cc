#include "core/train/ranks.h"

#include <algorithm>

#include "core/text/utf8.h"

namespace s2v {
namespace {

std::string Join(const std::vector<std::string>& texts) {
  std::string joined;
  for (const std::string& text : texts) joined += text + '\0';
  return joined;
}

std::vector<std::string> Split(const std::string& joined) {
  const std::vector<std::string_view> texts = SplitAt(joined, '\0');
  return {texts.begin(), texts.end()};
}

}  // namespace

std::vector<std::string> RankGroup::GatherFirst(const std::vector<std::string>& mine) {
  return Split(Gather(Join(mine))[0]);
}

void CheckAlike(RankGroup* ranks, const std::vector<NamedValue>& values) {
  std::vector<std::string> fields;
  for (const auto& [name, value] : values) {
    fields.push_back(name);
    fields.push_back(value);
  }
  const std::vector<std::string> all = ranks->Gather(Join(fields));
  const std::vector<std::string> first = Split(all[0]);
  for (size_t rank = 1; rank < all.size(); rank++) {
    const std::vector<std::string> other = Split(all[rank]);
    for (size_t i = 0; i + 1 < std::min(first.size(), other.size()); i += 2) {
      if (first[i] == other[i] && first[i + 1] == other[i + 1]) continue;
      throw SharedError("rank " + std::to_string(rank) + " was started with " + other[i] + " '" +
                        other[i + 1] + "', rank 0 with " + first[i] + " '" + first[i + 1] +
                        "': start all with the same program and options");
    }
  }
}

}  // namespace s2v
