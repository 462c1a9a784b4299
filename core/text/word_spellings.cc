#include "core/text/word_spellings.h"

#include <algorithm>
#include <iterator>

#include "core/text/letters.h"
#include "core/text/utf8.h"

namespace s2v {
namespace {

// The letters that stand before a Hebrew word as "and", "that" and "when", "in", "as", "to" and
// "from", and "the" do, in this order.
constexpr std::string_view kAndOfHebrew = "\u05D5", kThatOfHebrew = "\u05E9",
                           kTheOfHebrew = "\u05D4", kWhenOfHebrew[] = {"\u05DB", "\u05DE"},
                           kInOfHebrew[] = {"\u05D1", "\u05DB", "\u05DC", "\u05DE"};

// Whether these may be such letters: not two of a kind, but for כש and מש.
bool ArePrefixes(std::string_view letters) {
  const auto take = [&](std::string_view letter) {
    const bool is_next = letters.starts_with(letter);
    if (is_next) letters.remove_prefix(letter.size());
    return is_next;
  };
  take(kAndOfHebrew);
  for (const std::string_view first : kWhenOfHebrew) {
    if (take(std::string(first) + std::string(kThatOfHebrew))) break;
  }
  take(kThatOfHebrew);
  std::any_of(std::begin(kInOfHebrew), std::end(kInOfHebrew), take);
  take(kTheOfHebrew);
  return letters.empty();
}

}  // namespace

std::string WrittenApart(const std::string& word) {
  const auto is_of_number = [](char c) { return IsAsciiDigit(c) || c == '.' || c == ','; };
  const auto is_other_kind = [&](char a, char b) { return is_of_number(a) != is_of_number(b); };
  const auto border = std::adjacent_find(word.begin(), word.end(), is_other_kind);
  if (border == word.end()) return "";
  return std::string(word.begin(), border + 1) + " " + std::string(border + 1, word.end());
}

std::string_view WithoutVirama(std::string_view word) {
  std::vector<int32_t> points = DecodePoints(word);
  const bool is_indian = !points.empty() && points.back() >= 0x900 && points.back() < 0xD80;
  if (!is_indian || (points.back() & 0x7F) != 0x4D) return word;
  return FirstLetters(word, points.size() - 1);
}

std::string WithoutPlural(const std::string& plain) {
  if (!plain.ends_with('s')) return plain;
  const std::string_view one = std::string_view(plain).substr(0, plain.size() - 1);
  return one.ends_with("ie") ? std::string(one.substr(0, one.size() - 2)) + "y" : std::string(one);
}

bool MayLackApostrophe(std::string_view plain) {
  return plain.starts_with('o') || plain.starts_with('d') || plain.starts_with('l');
}

std::vector<std::string> WithApostrophe(const std::string& plain) {
  std::vector<std::string> names;
  for (size_t at = 1; at < plain.size(); at++) {
    if (!IsInCharacter(plain[at])) names.push_back(plain.substr(0, at) + "'" + plain.substr(at));
  }
  for (const std::string_view article : {"d'", "l'", "n'", "dell'"})
    names.push_back(std::string(article) + plain);
  return names;
}

bool BeginsSoft(std::string_view rest) {
  constexpr std::string_view kSoft[] = {"\u044F", "\u044E", "\u0454", "\u0457"};
  return std::any_of(std::begin(kSoft), std::end(kSoft),
                     [&](std::string_view letter) { return rest.starts_with(letter); });
}

std::vector<std::string> WithoutPrefixes(std::string_view word) {
  constexpr size_t kMostPrefixes = 3, kLeastOfHebrew = 3;
  std::vector<std::string> left;
  const size_t letters = CharacterCount(word);
  for (size_t count = 1; count <= kMostPrefixes && count + kLeastOfHebrew <= letters; count++) {
    const std::string_view prefixes = FirstLetters(word, count);
    if (ArePrefixes(prefixes)) left.emplace_back(word.substr(prefixes.size()));
  }
  return left;
}

std::vector<std::string> WithPrefix(std::string_view word) {
  std::vector<std::string_view> prefixes(std::begin(kInOfHebrew), std::end(kInOfHebrew));
  prefixes.insert(prefixes.end(), {kAndOfHebrew, kThatOfHebrew, kTheOfHebrew});
  std::vector<std::string> longer;
  for (const std::string_view prefix : prefixes)
    longer.push_back(std::string(prefix) + std::string(word));
  return longer;
}

bool AreInflections(std::string_view a, std::string_view b, bool is_english) {
  constexpr std::string_view kOfQuality[] = {"idad", "idade", "idades", "it\u00E0"};
  constexpr std::string_view kOfEnglish[] = {
      "",      "s",      "es",   "d",     "ed", "ing", "y",  "ies", "ied", "ying", "ion",  "ions",
      "ation", "ations", "ment", "ments", "er", "ers", "or", "ors", "ly",  "ness", "iness"};
  // Behind what ends in e; not local beside locale.
  constexpr std::string_view kBehindE[] = {"ing", "ion", "ions", "ation", "ations", "or", "ors"};
  if (!is_english) {
    const auto is_quality = [&](std::string_view word) {
      return std::any_of(std::begin(kOfQuality), std::end(kOfQuality),
                         [&](std::string_view ending) { return word.ends_with(ending); });
    };
    return is_quality(a) == is_quality(b);
  }
  if (!IsAscii(a) || !IsAscii(b)) return true;  // which have no stems
  for (std::string_view* word : {&a, &b}) {
    if (word->ends_with("'s")) word->remove_suffix(2);
  }
  const auto differ = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
  const auto same = static_cast<size_t>(differ.first - a.begin());
  const auto is_of_english = [&](std::string_view ending) {
    return std::find(std::begin(kOfEnglish), std::end(kOfEnglish), ending) != std::end(kOfEnglish);
  };
  const auto is_ending = [&](std::string_view ending, std::string_view other) {
    if (ending == "e")
      return std::find(std::begin(kBehindE), std::end(kBehindE), other) != std::end(kBehindE);
    const bool is_doubled = same > 0 && ending.size() > 2 && ending[0] == a[same - 1];  // running
    return is_of_english(ending) || (is_doubled && is_of_english(ending.substr(1)));
  };
  return is_ending(a.substr(same), b.substr(same)) && is_ending(b.substr(same), a.substr(same));
}

bool HasSameStart(std::string_view a, std::string_view b) {
  const std::string_view first_a = FirstLetters(a, 1), first_b = FirstLetters(b, 1);
  if (first_a == first_b) return true;
  const std::string_view two_a = FirstLetters(a, 2), two_b = FirstLetters(b, 2);
  return two_a.substr(first_a.size()) == first_b && two_b.substr(first_b.size()) == first_a;
}

}  // namespace s2v
