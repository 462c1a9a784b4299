#include "core/text/unfinished.h"

#include <algorithm>
#include <iterator>

#include "core/text/utf8.h"

namespace s2v {
namespace {

// A consonant below a syllable that may begin the next one: as which initial, and what stays below.
struct MovedFinal {
  int32_t final, initial, stays = 0;
};
constexpr MovedFinal kMovedFinals[] = {
    {1, 0},     {2, 1},     {4, 2},      {7, 3},      {8, 5},      {16, 6},    {17, 7},
    {19, 9},    {20, 10},   {21, 11},    {22, 12},    {23, 14},    {24, 15},   {25, 16},
    {26, 17},   {27, 18},   {3, 9, 1},   {5, 12, 4},  {6, 18, 4},  {9, 0, 8},  {10, 6, 8},
    {11, 7, 8}, {12, 9, 8}, {13, 16, 8}, {14, 17, 8}, {15, 18, 8}, {18, 9, 17}};
// A vowel of which as many others are made by one more key: of o wa, wae and oe.
struct HalfVowel {
  int32_t vowel, others;
};
constexpr HalfVowel kHalfVowels[] = {{8, 3}, {13, 3}, {18, 1}};

}  // namespace

HangulForms FormsOfHangul(std::string_view run) {
  constexpr int32_t kFirst = 0xAC00, kLast = 0xD7A3, kFinals = 28, kVowels = 21,
                    kOfInitial = kVowels * kFinals;
  std::vector<int32_t> points = DecodePoints(run);
  if (points.empty() || points.back() < kFirst || points.back() > kLast) return {};
  const int32_t last = points.back(), final = (last - kFirst) % kFinals,
                vowel = (last - kFirst) / kFinals % kVowels;
  points.pop_back();
  const std::string before = EncodePoints(points);
  const auto range = [](std::string text, int32_t from, int32_t to) {
    std::string end = text;
    AppendPoint(from, &text);
    AppendPoint(to, &end);
    return TermRange(std::move(text), std::move(end));
  };
  HangulForms forms;
  if (final > 0) {
    forms.likely.push_back(range(before, last, last + 1));
  } else if (!before.empty()) {
    forms.likely.push_back(range(before, last, last + kFinals));
  } else {
    forms.guesses.push_back(range(before, last + 1, last + kFinals));
  }
  for (const MovedFinal& one : kMovedFinals) {
    if (one.final != final) continue;
    std::string open;
    AppendPoint(last - final + one.stays, &open);
    forms.guesses.push_back(
        range(open, kFirst + one.initial * kOfInitial, kFirst + (one.initial + 1) * kOfInitial));
  }
  for (const HalfVowel& one : kHalfVowels) {
    if (final == 0 && one.vowel == vowel)
      forms.guesses.push_back(range(before, last + kFinals, last + (one.others + 1) * kFinals));
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
