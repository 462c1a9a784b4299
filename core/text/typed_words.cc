#include "core/text/typed_words.h"

#include <algorithm>

#include "core/text/letters.h"
#include "core/text/spelled_names.h"
#include "core/text/utf8.h"
#include "core/text/word_places.h"

namespace s2v {
namespace {

// Of a name, as asyncio.Task or parse_int, the first sign from there on that joins two words; the
// end of the text where there is none.
size_t JointOfName(std::string_view text, size_t at) {
  const auto is_joint = [&](size_t i) {
    return (text[i] == '.' || text[i] == '_') && IsAsciiLetter(text[i - 1]) &&
           IsAsciiLetter(text[i + 1]);
  };
  for (size_t i = at + 1; i + 1 < text.size(); i++) {
    if (is_joint(i)) return i;
  }
  return text.size();
}

}  // namespace

TypedWords::TypedWords(std::string_view text, const ReadingRules& rules, size_t most)
    : text_(text), most_(most) {
  ForEachBareWord(text, rules, [&](size_t begin, size_t end) {
    for (size_t at = begin; at < end && !are_too_many();) {
      const size_t joint = JointOfName(text.substr(0, end), at);
      words_.emplace_back(at, joint);
      at = joint + 1;
    }
    return !are_too_many();
  });
}

std::string_view TypedWords::RunOf(size_t i) const {
  return UnbrokenRunAt(text_, Begin(i));
}

bool TypedWords::ArePair(size_t i) const {
  const std::string_view between = Between(i);
  if (IsHyphen(between)) return AreAlone(Begin(i), End(i + 1));
  const std::vector<int32_t> points = DecodePoints(between);
  return std::all_of(points.begin(), points.end(), IsBlankPoint) && AreAlone(Begin(i), End(i)) &&
         AreAlone(Begin(i + 1), End(i + 1));
}

size_t TypedWords::LastWithApostrophes(size_t i) const {
  const auto is_apostrophe = [](std::string_view between) {
    const std::span<const std::string_view> all = Apostrophes(/*has_all_forms=*/false);
    return std::find(all.begin(), all.end(), between) != all.end();
  };
  while (i + 1 < size() && is_apostrophe(Between(i))) i++;
  return i;
}

std::pair<size_t, size_t> TypedWords::NameOf(size_t i) const {
  const auto is_joint = [](std::string_view between) { return between == "." || between == "_"; };
  size_t first = i, last = i;
  while (first > 0 && is_joint(Between(first - 1))) first--;
  while (last + 1 < size() && is_joint(Between(last))) last++;
  return {first, last};
}

bool TypedWords::AreAlone(size_t begin, size_t end) const {
  const std::string_view run = UnbrokenRunAt(text_, begin);
  return run.substr(0, run.find_last_not_of(".,;:!?") + 1) == text_.substr(begin, end - begin);
}

}  // namespace s2v
