#include "core/text/letters.h"

#include <algorithm>

#include "core/text/languages.h"
#include "core/text/tokenizer.h"
#include "core/text/unicode_chars.h"

namespace s2v {
namespace {

struct Apostrophe {
  size_t begin = 0, end = 0;
};
// The first one from there on; behind the word where there is none.
Apostrophe NextApostrophe(std::string_view word, size_t from, bool has_all_forms) {
  Apostrophe next{word.size(), word.size() + 1};
  for (const std::string_view sign : Apostrophes(has_all_forms)) {
    const size_t at = word.find(sign, from);
    if (at < next.begin) next = {at, at + sign.size()};
  }
  return next;
}

}  // namespace

std::span<const std::string_view> Apostrophes(bool has_all_forms) {
  static constexpr std::string_view kSigns[] = {"'",      "\u2018", "\u2019", "\u02BB",
                                                "\u02BC", "\u02BD", "\u02BE", "\u02BF"};
  return std::span(kSigns).first(has_all_forms ? std::size(kSigns) : 3);
}

std::string PlainToken(std::string_view given, bool has_all_forms) {
  // The zero-width non-joiner parts terms, but is no letter of what is typed.
  constexpr std::string_view kNonJoiner = "\u200C";
  std::string word(given);
  ReplaceAll(kNonJoiner, "", &word);
  static const Tokenizer* const newest = FindTokenizer(kNeutralTokenizer);
  const Tokenizer* neutral = newest;
  // A word that is typed is one, as far as it goes: Rp1.250 too.
  while (neutral->reading().has_all_forms != has_all_forms || neutral->reading().parts_amounts)
    neutral = neutral->former();
  std::string plain;
  Tokens tokens;
  for (size_t at = 0; at <= word.size();) {
    const Apostrophe apostrophe = NextApostrophe(word, at, has_all_forms);
    neutral->Tokenize(std::string_view(word).substr(at, apostrophe.begin - at), &tokens);
    if (tokens.size() != 1 || ScriptOf(tokens[0]) == Script::kUnspaced) return "";
    plain += (at == 0 ? "" : "'") + std::string(tokens[0]);
    at = apostrophe.end;
  }
  return plain;
}

std::string PlainWord(std::string_view word, bool has_all_forms) {
  std::string plain = PlainToken(word, has_all_forms);
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
    const size_t size = DecodeUtf8(text, at, &point);
    if (size == 0) {
      small += text[at++];
      continue;
    }
    AppendPoint(utf8proc_tolower(static_cast<int32_t>(point)), &small);
    at += size;
  }
  constexpr std::string_view kCapitalSigma = "Σ", kSigma = "σ", kFinalSigma = "ς";
  if (text.ends_with(kCapitalSigma) && text != kCapitalSigma)
    small.replace(small.size() - kSigma.size(), kSigma.size(), kFinalSigma);
  return small;
}

std::string WithDottedI(std::string_view text) {
  std::string dotted(text);
  ReplaceAll(kDotlessI, "i", &dotted);
  return dotted;
}

std::string_view WithDotlessI(std::string_view text, std::string* changed) {
  constexpr std::string_view kDot = "\xCC\x87";
  if (text.find('I') == text.npos) return text;
  changed->clear();
  for (size_t i = 0; i < text.size(); i++) {
    if (text[i] == 'I' && text.substr(i + 1, kDot.size()) != kDot) {
      *changed += kDotlessI;
    } else {
      *changed += text[i];
    }
  }
  return *changed;
}

std::string WithCapitalOf(std::string_view like, std::string_view word) {
  const std::string_view first = FirstLetters(like, 1), letter = FirstLetters(word, 1);
  if (letter.empty() || SmallLetters(first) == first) return std::string(word);
  std::string capital;
  AppendPoint(utf8proc_toupper(DecodePoints(letter)[0]), &capital);
  return capital + std::string(word.substr(letter.size()));
}

std::string WithFullStops(std::string_view word) {
  constexpr size_t kLeast = 3, kMost = 6;
  std::string apart;
  const std::vector<int32_t> letters = DecodePoints(word);
  if (letters.size() < kLeast || letters.size() > kMost) return "";
  for (const int32_t c : letters) {
    if (KindOf(static_cast<uint32_t>(c)) != CharKind::kLetter) return "";
    AppendPoint(utf8proc_toupper(c), &apart);
    apart += '.';
  }
  return apart;
}

std::string_view FirstLetters(std::string_view word, size_t count) {
  size_t end = 0;
  for (; end < word.size(); end++) {
    if (!IsInCharacter(word[end]) && count-- == 0) break;
  }
  return word.substr(0, end);
}

}  // namespace s2v
