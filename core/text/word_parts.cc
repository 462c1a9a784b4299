#include "core/text/word_parts.h"

#include <algorithm>
#include <vector>

#include "core/text/languages.h"
#include "core/text/utf8.h"

namespace s2v {
namespace {

constexpr size_t kPartCharacters = 4, kShortPartCharacters = 3;

// Has a letter that hardly any language but Vietnamese has: with a horn, or with a hook, a dot or
// two marks.
bool IsVietnamese(std::string_view word) {
  constexpr int32_t kHornedO = 0x01A1, kHornedU = 0x01B0, kFirst = 0x1EA1,
                    kLast = 0x1EF9;  // ơ ư ạ ỹ
  const std::vector<int32_t> points = DecodePoints(word);
  return std::any_of(points.begin(), points.end(), [](int32_t c) {
    return c == kHornedO || c == kHornedU || (c >= kFirst && c <= kLast);
  });
}

}  // namespace

void AddPartsOf(std::string_view plain, const LanguageRules& rules, Tokens* tokens) {
  const bool is_short = rules.has_short_roots && ScriptOf(plain) == Script::kHebrew;
  const size_t characters = is_short ? kShortPartCharacters : kPartCharacters;
  const std::string marked = "<" + (is_short ? WithoutFinalForms(plain) : std::string(plain)) + ">";
  std::vector<size_t> starts;
  FindCharacters(marked, &starts);
  for (size_t i = 0; i + characters < starts.size(); i++) {
    AddPart(std::string_view(marked).substr(starts[i], starts[i + characters] - starts[i]), tokens);
  }
}

bool IsSpelledSign(std::string_view plain) {
  return (plain.size() == 6 && plain.ends_with("sharp")) ||
         (plain.size() == 9 && plain.ends_with("plusplus"));
}

void SyllablePairs::Add(std::string_view word, const std::string& plain, Tokens* tokens) {
  const bool is_vietnamese = !IsAscii(word) && IsVietnamese(word);
  if (!last_.empty() && (is_vietnamese || is_last_vietnamese_))
    AddPart(last_ + "_" + plain, tokens);
  last_ = plain;
  is_last_vietnamese_ = is_vietnamese;
}

}  // namespace s2v
