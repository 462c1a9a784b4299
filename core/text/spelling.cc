#include "core/text/spelling.h"

#include <algorithm>

#include "core/text/languages.h"
#include "core/text/tokenizer.h"
#include "core/text/unicode_chars.h"

namespace s2v {
namespace {

struct Letters {
  int32_t first, last;
};
// Of the scripts that have an alphabet.
Letters AlphabetOf(std::string_view word) {
  switch (ScriptOf(word)) {
    case Script::kLatin:
      return {'a', 'z'};
    case Script::kGreek:
      return {0x3B1, 0x3C9};
    case Script::kCyrillic:
      return {0x430, 0x44F};
    case Script::kArmenian:
      return {0x561, 0x586};
    case Script::kHebrew:
      return {0x5D0, 0x5EA};
    case Script::kArabic:
      return {0x621, 0x64A};
    default:
      return {1, 0};
  }
}

// The last row of the table of edit distances, [letters of b + 1]: from all of a to each beginning of b.
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

std::string TextOf(const std::vector<int32_t>& letters) {
  std::string text;
  for (const int32_t c : letters) AppendPoint(c, &text);
  return text;
}

}  // namespace

std::string PlainToken(std::string_view word) {
  static const Tokenizer* const neutral = FindTokenizer(kNeutralTokenizer);
  Tokens tokens;
  neutral->Tokenize(word, &tokens);
  const bool is_word = tokens.size() == 1 && ScriptOf(tokens[0]) != Script::kUnspaced;
  return is_word ? std::string(tokens[0]) : "";
}

std::string PlainWord(std::string_view word) {
  std::string plain = PlainToken(word);
  for (const int32_t c : DecodePoints(plain)) {
    const CharKind kind = KindOf(static_cast<uint32_t>(c));
    if (kind != CharKind::kLetter && kind != CharKind::kMark) return "";
  }
  return plain;
}

std::string SmallLetters(std::string_view text) {
  std::string small;
  for (size_t at = 0; at < text.size();) {
    uint32_t point = 0;
    const size_t size = DecodeUtf8(text.data() + at, text.data() + text.size(), &point);
    if (size == 0) {
      small += text[at++];
      continue;
    }
    AppendPoint(utf8proc_tolower(static_cast<int32_t>(point)), &small);
    at += size;
  }
  return small;
}

std::string WithCapitalOf(std::string_view like, std::string_view word) {
  const std::string_view first = FirstLetters(like, 1), letter = FirstLetters(word, 1);
  if (letter.empty() || SmallLetters(first) == first) return std::string(word);
  std::string capital;
  AppendPoint(utf8proc_toupper(DecodePoints(letter)[0]), &capital);
  return capital + std::string(word.substr(letter.size()));
}

size_t LetterCount(std::string_view word) {
  return static_cast<size_t>(
      std::count_if(word.begin(), word.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

std::string_view FirstLetters(std::string_view word, size_t count) {
  size_t end = 0;
  for (; end < word.size(); end++) {
    if ((word[end] & 0xC0) != 0x80 && count-- == 0) break;
  }
  return word.substr(0, end);
}

size_t EditDistance(std::string_view a, std::string_view b) {
  return LastDistances(DecodePoints(a), DecodePoints(b)).back();
}

size_t StemDistance(std::string_view stem, std::string_view word, size_t most) {
  const std::vector<size_t> distances = LastDistances(DecodePoints(stem), DecodePoints(word));
  const size_t least = distances.size() - 1 - std::min(most, distances.size() - 1);
  return *std::min_element(distances.begin() + static_cast<ptrdiff_t>(least), distances.end());
}

std::vector<std::string> WordsOneEditAway(std::string_view word) {
  const std::vector<int32_t> letters = DecodePoints(word);
  const Letters alphabet = AlphabetOf(word);
  std::vector<std::string> words;
  for (size_t i = 0; i <= letters.size(); i++) {
    std::vector<int32_t> edited = letters;
    const auto at = [&] { return edited.begin() + static_cast<ptrdiff_t>(i); };
    for (int32_t c = alphabet.first; c <= alphabet.last && i < letters.size(); c++) {
      *at() = c;
      words.push_back(TextOf(edited));
    }
    edited = letters;
    if (i + 1 < letters.size() && letters[i] != letters[i + 1]) {
      std::swap(edited[i], edited[i + 1]);
      words.push_back(TextOf(edited));
    }
    edited = letters;
    if (i < letters.size()) {
      edited.erase(at());
      words.push_back(TextOf(edited));
    }
    edited = letters;
    edited.insert(at(), 0);
    for (int32_t c = alphabet.first; c <= alphabet.last; c++) {
      *at() = c;
      words.push_back(TextOf(edited));
    }
  }
  return words;
}

}  // namespace s2v
