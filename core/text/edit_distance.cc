#include "core/text/edit_distance.h"

#include <algorithm>
#include <span>

#include "core/text/languages.h"
#include "core/text/letters.h"
#include "core/text/unicode_chars.h"

namespace s2v {
namespace {

struct Letters {
  int32_t first, last;
};
constexpr Letters kLatin[] = {{'a', 'z'}};
constexpr Letters kGreek[] = {{0x3B1, 0x3C9}};
// Of the Slavic languages, then of Kazakh, Tatar, Bashkir, Kyrgyz, Tajik, Mongolian and others.
constexpr Letters kCyrillic[] = {
    {0x430, 0x44F}, {0x452, 0x45C}, {0x45E, 0x45F}, {0x491, 0x491}, {0x493, 0x493}, {0x497, 0x497},
    {0x499, 0x499}, {0x49B, 0x49B}, {0x4A1, 0x4A1}, {0x4A3, 0x4A3}, {0x4AB, 0x4AB}, {0x4AF, 0x4AF},
    {0x4B1, 0x4B1}, {0x4B3, 0x4B3}, {0x4B7, 0x4B7}, {0x4BB, 0x4BB}, {0x4D9, 0x4D9}, {0x4E9, 0x4E9}};
constexpr Letters kArmenian[] = {{0x561, 0x586}};
constexpr Letters kHebrew[] = {{0x5D0, 0x5EA}, {0x5F0, 0x5F2}};
// Of Arabic, then of Persian, Urdu, Sindhi, Pashto, Kurdish and Uighur.
constexpr Letters kArabic[] = {
    {0x621, 0x63A}, {0x641, 0x64A}, {0x679, 0x67F}, {0x680, 0x681}, {0x683, 0x68A},
    {0x68C, 0x68D}, {0x68F, 0x68F}, {0x691, 0x691}, {0x693, 0x696}, {0x698, 0x69A},
    {0x6A4, 0x6A4}, {0x6A6, 0x6A6}, {0x6A9, 0x6AB}, {0x6AD, 0x6AF}, {0x6B1, 0x6B1},
    {0x6B3, 0x6B3}, {0x6B5, 0x6B5}, {0x6BA, 0x6BC}, {0x6BE, 0x6BE}, {0x6C0, 0x6C1},
    {0x6C6, 0x6C8}, {0x6CB, 0x6CE}, {0x6D0, 0x6D0}, {0x6D2, 0x6D3}, {0x6D5, 0x6D5}};
// Of other scripts with an alphabet all letters and signs of vowels.
constexpr Letters kAlphabets[] = {
    {0x700, 0x74F},    // Syriac
    {0x780, 0x7BF},    // Thaana
    {0x7C0, 0x7FF},    // N'Ko
    {0x900, 0x97F},    // Devanagari
    {0x980, 0x9FF},    // Bengali, Assamese
    {0xA00, 0xA7F},    // Gurmukhi
    {0xA80, 0xAFF},    // Gujarati
    {0xB00, 0xB7F},    // Oriya
    {0xB80, 0xBFF},    // Tamil
    {0xC00, 0xC7F},    // Telugu
    {0xC80, 0xCFF},    // Kannada
    {0xD00, 0xD7F},    // Malayalam
    {0xD80, 0xDFF},    // Sinhala
    {0x10D0, 0x10FF},  // Georgian
    {0x1200, 0x137F},  // Ethiopic
    {0x1820, 0x1878},  // Mongolian
    {0x2D30, 0x2D7F},  // Tifinagh
};

struct LettersOfScript {
  Script script;
  std::span<const Letters> letters;
};
constexpr LettersOfScript kScripts[] = {
    {Script::kLatin, kLatin},       {Script::kGreek, kGreek},   {Script::kCyrillic, kCyrillic},
    {Script::kArmenian, kArmenian}, {Script::kHebrew, kHebrew}, {Script::kArabic, kArabic}};

std::span<const Letters> RangesOf(std::string_view word) {
  const Script script = ScriptOf(word);
  for (const LettersOfScript& one : kScripts) {
    if (one.script == script) return one.letters;
  }
  const int32_t first = word.empty() ? 0 : DecodePoints(FirstLetters(word, 1))[0];
  for (const Letters& block : kAlphabets) {
    if (first >= block.first && first <= block.last) return std::span(&block, 1);
  }
  return {};
}

// The letters of the word's script, and signs that stand for vowels, as the terms of an index have
// them; none where the script has no alphabet.
std::vector<int32_t> AlphabetOf(std::string_view word) {
  std::vector<int32_t> alphabet;
  for (const Letters& range : RangesOf(word)) {
    for (int32_t c = range.first; c <= range.last; c++) {
      const CharEntry entry = char_table[static_cast<uint32_t>(c)];
      const bool is_letter = entry.kind == CharKind::kLetter && entry.fate == CharFate::kKeep;
      const bool is_sign = entry.kind == CharKind::kMark && entry.fate == CharFate::kMark;
      if ((is_letter || is_sign) && entry.mapped == static_cast<uint32_t>(c)) alphabet.push_back(c);
    }
  }
  return alphabet;
}

// The last row of the table of edit distances, [letters of b + 1]: from all of a to each beginning
// of b.
std::vector<size_t> LastDistances(const std::vector<int32_t>& a, const std::vector<int32_t>& b) {
  std::vector<size_t> before, former(b.size() + 1), row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); j++) row[j] = j;
  for (size_t i = 1; i <= a.size(); i++) {
    before = former;
    former = row;
    row[0] = i;
    for (size_t j = 1; j <= b.size(); j++) {
      row[j] = std::min({former[j] + 1, row[j - 1] + 1, former[j - 1] + (a[i - 1] != b[j - 1])});
      const bool is_exchanged = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (is_exchanged) row[j] = std::min(row[j], before[j - 2] + 1);
    }
  }
  return row;
}

}  // namespace

size_t EditDistance(std::string_view a, std::string_view b) {
  return LastDistances(DecodePoints(a), DecodePoints(b)).back();
}

size_t StemDistance(std::string_view stem, std::string_view word, size_t most) {
  const std::vector<size_t> distances = LastDistances(DecodePoints(stem), DecodePoints(word));
  const size_t least = distances.size() - 1 - std::min(most, distances.size() - 1);
  return *std::min_element(distances.begin() + static_cast<ptrdiff_t>(least), distances.end());
}

Beginning BeginningOneEditAway(std::string_view typed, std::string_view word) {
  const std::vector<int32_t> asked = DecodePoints(typed), letters = DecodePoints(word);
  const std::vector<size_t> distances = LastDistances(asked, letters);
  Beginning best;
  for (size_t j = 1; j <= letters.size() && !asked.empty(); j++) {
    if (distances[j] != 1) continue;
    const ErrorPlace error = letters[j - 1] != asked.back() ? ErrorPlace::kAtEnd
                             : j < asked.size()             ? ErrorPlace::kLetterTooMany
                                                            : ErrorPlace::kWithin;
    if (error >= best.error) continue;
    best = {EncodePoints({letters.begin(), letters.begin() + static_cast<ptrdiff_t>(j)}), error};
  }
  return best;
}

std::vector<std::string> WordsOneEditAway(std::string_view word) {
  const std::vector<int32_t> letters = DecodePoints(word);
  const std::vector<int32_t> alphabet = AlphabetOf(word);
  std::vector<std::string> words;
  for (size_t i = 0; i <= letters.size(); i++) {
    std::vector<int32_t> edited = letters;
    const auto at = [&] { return edited.begin() + static_cast<ptrdiff_t>(i); };
    for (const int32_t c : alphabet) {
      if (i == letters.size()) break;
      *at() = c;
      words.push_back(EncodePoints(edited));
    }
    edited = letters;
    if (i + 1 < letters.size() && letters[i] != letters[i + 1]) {
      std::swap(edited[i], edited[i + 1]);
      words.push_back(EncodePoints(edited));
    }
    edited = letters;
    if (i < letters.size()) {
      edited.erase(at());
      words.push_back(EncodePoints(edited));
    }
    edited = letters;
    edited.insert(at(), 0);
    for (const int32_t c : alphabet) {
      *at() = c;
      words.push_back(EncodePoints(edited));
    }
  }
  return words;
}

}  // namespace s2v
