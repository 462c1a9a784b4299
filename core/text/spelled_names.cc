#include "core/text/spelled_names.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/text/unicode_chars.h"

namespace s2v {
namespace {

bool IsAsciiWord(char c) {
  return IsAsciiLetter(c) || (c >= '0' && c <= '9') || c == '_';
}

// What a character is to camelCase. kOther: digits, letters without case and _; kMark: belongs to the letter before it.
enum class CamelKind : uint8_t { kNone, kSmall, kCapital, kOther, kMark };
struct CamelChar {
  CamelKind kind = CamelKind::kNone;
  size_t size = 1;
};
CamelChar CamelCharAt(std::string_view text, size_t at, bool has_all_letters) {
  const char byte = text[at];
  if (IsAsciiLetter(byte))
    return {LowerAscii(byte) == byte ? CamelKind::kSmall : CamelKind::kCapital};
  if (static_cast<signed char>(byte) >= 0)
    return {IsAsciiWord(byte) ? CamelKind::kOther : CamelKind::kNone};
  uint32_t c = 0;
  const size_t size =
      has_all_letters ? DecodeUtf8(text.data() + at, text.data() + text.size(), &c) : 0;
  if (size == 0 || !IsWordKind(KindOf(c))) return {};
  if (KindOf(c) == CharKind::kMark) return {CamelKind::kMark, size};
  switch (utf8proc_category(static_cast<int32_t>(c))) {
    case UTF8PROC_CATEGORY_LL:
      return {CamelKind::kSmall, size};
    case UTF8PROC_CATEGORY_LU:
      return {CamelKind::kCapital, size};
    default:
      return {CamelKind::kOther, size};
  }
}

// False: no word has a capital behind a small letter. Letters of ASCII are told without reading them one by one, beyond them it may be.
bool MayHaveCamel(std::string_view text, bool has_all_letters) {
  const auto may_be = [&](char before, char c) {
    const bool is_ascii = static_cast<signed char>(c) >= 0;
    return is_ascii ? before >= 'a' && before <= 'z' && c >= 'A' && c <= 'Z' : has_all_letters;
  };
  return std::adjacent_find(text.begin(), text.end(), may_be) != text.end();
}

// Returns the end of the word that begins there; *capitals: where in it a capital follows a small letter.
size_t ReadCamelWord(std::string_view text, size_t begin, bool has_all_letters,
                     std::vector<size_t>* capitals) {
  capitals->clear();
  CamelKind last = CamelKind::kNone;
  size_t end = begin;
  while (end < text.size()) {
    const CamelChar c = CamelCharAt(text, end, has_all_letters);
    if (c.kind == CamelKind::kNone) break;
    if (c.kind == CamelKind::kCapital && last == CamelKind::kSmall) capitals->push_back(end);
    if (c.kind != CamelKind::kMark) last = c.kind;
    end += c.size;
  }
  return end;
}

// Of the apostrophe at `at`, as ' or as U+2019; 0: there is none.
size_t ApostropheSize(std::string_view text, size_t at) {
  if (text[at] == '\'') return 1;
  constexpr std::string_view kCurly = "\u2019";
  return text.substr(at).starts_with(kCurly) ? kCurly.size() : 0;
}

// Where what follows O', d' or L' ends, if it is a name and the apostrophe is at `at`; 0 elsewhere.
size_t NameEnd(std::string_view text, size_t at) {
  const size_t size = ApostropheSize(text, at);
  if (size == 0 || at == 0 || (at > 1 && IsAsciiWord(text[at - 2]))) return 0;
  constexpr std::string_view kPrefixes = "odl";
  const auto is_letter = [&](size_t i) { return i < text.size() && IsAsciiLetter(text[i]); };
  size_t end = at + size;
  if (kPrefixes.find(LowerAscii(text[at - 1])) == kPrefixes.npos || !is_letter(end) ||
      LowerAscii(text[end]) == text[end])
    return 0;
  while (is_letter(end)) {
    end++;
    const size_t more = end < text.size() ? ApostropheSize(text, end) : 0;  // O'Connor's
    if (more > 0 && is_letter(end + more)) end += more;
  }
  return end;
}

}  // namespace

std::string_view SpellNames(std::string_view text, const SpellingRules& rules,
                            std::string* spelled) {
  spelled->clear();
  size_t copied = 0;  // of text
  const auto replace = [&](size_t from, size_t to, std::string_view by) {
    *spelled += text.substr(copied, from - copied);
    *spelled += by;
    copied = to;
  };
  const auto is_word = [&](size_t i) { return i < text.size() && IsAsciiWord(text[i]); };
  const auto may_end_name = [&](size_t i) {
    return !is_word(i) || (rules.has_numbers && IsAsciiDigit(text[i]));
  };
  const bool with_pieces = rules.with_pieces && MayHaveCamel(text, rules.has_all_letters);
  const bool has_apostrophes = rules.with_pieces && rules.has_apostrophes;
  std::vector<size_t> capitals;
  std::string behind;   // the text
  size_t word_end = 0;  // of the word that was looked at last
  const auto add_pieces = [&](size_t from, size_t to, const std::string& pieces) {
    if (rules.has_pieces_within) {
      replace(from, to, std::string(text.substr(from, to - from)) + pieces + ' ');
    } else {
      behind += pieces;
    }
  };
  for (size_t i = 0; i < text.size(); i++) {
    const char c = text[i];
    if (c == '+' || c == '#') {
      const bool is_letter = i > 0 && IsAsciiLetter(text[i - 1]) && (i < 2 || !is_word(i - 2));
      const size_t size = c == '+' ? 2 : 1;
      if (is_letter && text.substr(i, size) == (c == '+' ? "++" : "#") && may_end_name(i + size)) {
        replace(i, i + size, c == '+' ? "plusplus " : "sharp ");
      }
    } else if (c == '.') {
      const std::string_view next = text.substr(i + 1, 3);
      const bool is_net = next == "NET" || next == "Net" || next == "net";
      if (is_net && (i == 0 || !is_word(i - 1)) && !is_word(i + 4)) replace(i, i + 1, "dot");
    } else if (const size_t name_end =
                   has_apostrophes && (c == '\'' || c == '\xE2') ? NameEnd(text, i) : 0;
               name_end > 0) {
      const size_t begin = i + ApostropheSize(text, i);
      add_pieces(i, name_end, " " + std::string(text.substr(begin, name_end - begin)));
      word_end = name_end;
      i = name_end - 1;
    } else if (with_pieces && i >= word_end) {
      const size_t end = ReadCamelWord(text, i, rules.has_all_letters, &capitals);
      word_end = std::max(end, i + 1);
      if (capitals.empty()) continue;
      std::string pieces;
      size_t begin = i;
      for (const size_t capital : capitals) {
        pieces += ' ';
        pieces += text.substr(begin, capital - begin);
        begin = capital;
      }
      pieces += ' ';
      pieces += text.substr(begin, end - begin);
      add_pieces(i, end, pieces);
    }
  }
  if (copied == 0 && behind.empty()) return text;
  *spelled += text.substr(copied);
  if (!behind.empty()) *spelled += " " + std::string(kPiecesMark) + behind + " ";
  return *spelled;
}

}  // namespace s2v
