#include "core/text/unfinished.h"

#include <algorithm>
#include <iterator>

#include "core/text/utf8.h"

namespace s2v {

std::vector<std::pair<std::string, std::string>> FormsOfHangul(std::string_view run) {
  constexpr int32_t kFirst = 0xAC00, kLast = 0xD7A3, kFinals = 28, kOfInitial = 588;
  constexpr int32_t kInitialOf[kFinals] = {-1, 0,  1, -1, 2,  -1, -1, 3,  5,  -1, -1, -1, -1, -1,
                                           -1, -1, 6, 7,  -1, 9,  10, 11, 12, 14, 15, 16, 17, 18};
  std::vector<int32_t> points = DecodePoints(run);
  if (points.empty() || points.back() < kFirst || points.back() > kLast) return {};
  const int32_t last = points.back(), final = (last - kFirst) % kFinals,
                initial = kInitialOf[final];
  points.pop_back();
  const std::string before = EncodePoints(points);
  const auto with = [](std::string text, int32_t c) {
    AppendPoint(c, &text);
    return text;
  };
  std::vector<std::pair<std::string, std::string>> forms;
  if (final > 0 || !before.empty())
    forms.emplace_back(with(before, last), with(before, final > 0 ? last + 1 : last + kFinals));
  if (initial >= 0) {
    const std::string open = with("", last - final);
    forms.emplace_back(with(open, kFirst + initial * kOfInitial),
                       with(open, kFirst + (initial + 1) * kOfInitial));
  }
  return forms;
}

std::string WithAnusvaraAtEnd(const std::string& plain) {
  constexpr int32_t kAnusvara = 0x902, kVirama = 0x94D,
                    kNasals[] = {0x919, 0x91E, 0x923, 0x928, 0x92E};
  std::vector<int32_t> points = DecodePoints(plain);
  if (points.size() > 2 && points.back() == kVirama) points.pop_back();
  if (points.size() < 2 || std::count(std::begin(kNasals), std::end(kNasals), points.back()) == 0)
    return plain;
  points.back() = kAnusvara;
  return EncodePoints(points);
}

std::string WithUmlauts(std::string_view plain) {
  constexpr std::string_view kVowels = "aou", kUmlauts[] = {"ä", "ö", "ü"};
  std::string one;
  for (size_t i = 0; i < plain.size(); i++) {
    // Behind a vowel or q, ue is hardly ü: neue, Mauer, Quelle; but geändert, geöffnet.
    const bool is_no_umlaut =
        plain[i] == 'u' && i > 0 &&
        std::string_view("aeiouq").find(plain[i - 1]) != std::string_view::npos;
    const size_t vowel = plain.substr(i + 1).starts_with('e') && !is_no_umlaut
                             ? kVowels.find(plain[i])
                             : std::string_view::npos;
    if (vowel != std::string_view::npos) {
      one += kUmlauts[vowel];
      i++;
    } else {
      one += plain[i];
    }
  }
  return one;
}

}  // namespace s2v
