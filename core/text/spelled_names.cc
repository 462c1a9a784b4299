#include "core/text/spelled_names.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/text/unicode_chars.h"

namespace s2v {
namespace {

// Whether it is written so, with a digit for each 0.
bool HasForm(std::string_view text, std::string_view form) {
  return std::equal(text.begin(), text.end(), form.begin(), form.end(), [](char c, char of_form) {
    return of_form == '0' ? IsAsciiDigit(c) : c == of_form;
  });
}

// Whether it is a number as 1.250.000, 4,990 or 2.499,00: threes of digits, and up to two behind
// another sign.
bool HasThousands(std::string_view number) {
  const size_t sign = number.find_first_of(".,");
  if (sign == number.npos || sign == 0 || sign > 3 || number[0] == '0') return false;
  size_t at = sign;
  while (at < number.size() && number[at] == number[sign] &&
         std::min(number.find_first_of(".,", at + 1), number.size()) == at + 4)
    at += 4;
  const size_t behind = number.size() - at;  // with its sign
  return at > sign && (behind == 0 || (number[at] != number[sign] && behind > 1 && behind <= 3 &&
                                       number.find_first_of(".,", at + 1) == number.npos));
}

// What a character is to camelCase. kOther: digits, letters without case and _; kMark: belongs to
// the letter before it.
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
  const size_t size = has_all_letters ? DecodeUtf8(text, at, &c) : 0;
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

// False: no word has a capital behind a small letter; of acronyms: nor behind another capital or a
// digit. Letters of ASCII are told without reading them one by one, beyond them it may be.
bool MayHaveCamel(std::string_view text, const NameRules& rules) {
  const auto may_be = [&](char before, char c) {
    if (static_cast<signed char>(c) < 0) return rules.has_all_letters;
    const bool is_before =
        rules.has_acronyms ? IsAsciiWord(before) : before >= 'a' && before <= 'z';
    return is_before && c >= 'A' && c <= 'Z';
  };
  return std::adjacent_find(text.begin(), text.end(), may_be) != text.end();
}

// Whether a piece begins with the capital with which rest begins, behind another one or a digit:
// File of XMLFile, not Ds of PDs, Decoder of utf8Decoder, not D of 3D. has_letter: before it, in
// the word.
bool BeginsBehindAcronym(char before, bool has_letter, std::string_view rest) {
  const auto is_small = [&](size_t i) {
    return i < rest.size() && rest[i] >= 'a' && rest[i] <= 'z';
  };
  if (IsAsciiDigit(before)) return is_small(1) && has_letter;
  return IsAsciiLetter(before) && is_small(1) && is_small(2);
}

// mA, kHz, µF, dB and the like: a small letter before a unit with a capital.
bool IsUnit(std::string_view prefix, std::string_view unit) {
  constexpr std::string_view kPrefixes[] = {"p", "n", "u", "\u00B5", "\u03BC", "m",
                                            "c", "d", "h", "k",      "e"};
  constexpr std::string_view kUnits[] = {"A", "Ah", "B",  "Bq", "C", "F", "H", "Hz", "J", "K",
                                         "L", "N",  "Pa", "Sv", "S", "T", "V", "VA", "W", "Wh"};
  return std::find(std::begin(kPrefixes), std::end(kPrefixes), prefix) != std::end(kPrefixes) &&
         std::find(std::begin(kUnits), std::end(kUnits), unit) != std::end(kUnits);
}

// Returns the end of the word that begins there; *capitals: where in it a capital begins a piece.
size_t ReadCamelWord(std::string_view text, size_t begin, const NameRules& rules,
                     std::vector<size_t>* capitals) {
  capitals->clear();
  CamelKind last = CamelKind::kNone;
  size_t end = begin;
  bool has_letter = false;
  while (end < text.size()) {
    const CamelChar c = CamelCharAt(text, end, rules.has_all_letters);
    if (c.kind == CamelKind::kNone) break;
    const bool is_capital = c.kind == CamelKind::kCapital;
    const bool is_behind_acronym = is_capital && rules.has_acronyms && end > begin &&
                                   BeginsBehindAcronym(text[end - 1], has_letter, text.substr(end));
    has_letter |= is_capital || c.kind == CamelKind::kSmall;
    if (is_capital && (last == CamelKind::kSmall || is_behind_acronym)) capitals->push_back(end);
    if (c.kind != CamelKind::kMark) last = c.kind;
    end += c.size;
  }
  if (rules.has_units && !capitals->empty()) {
    // Behind a number, if any: 100mA.
    const std::string_view word = text.substr(begin, end - begin);
    const size_t prefix = std::min(word.find_first_not_of("0123456789"), word.size()),
                 capital = capitals->front() - begin,
                 next = (capitals->size() > 1 ? (*capitals)[1] : end) - begin;
    if (prefix < capital &&
        IsUnit(word.substr(prefix, capital - prefix), word.substr(capital, next - capital)))
      capitals->erase(capitals->begin());
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
size_t NameEnd(std::string_view text, size_t at, bool has_accented_names) {
  const size_t size = ApostropheSize(text, at);
  if (size == 0 || at == 0 || (at > 1 && IsAsciiWord(text[at - 2]))) return 0;
  constexpr std::string_view kPrefixes = "odl";
  // The bytes of the letter there; 0: there is none.
  const auto letter = [&](size_t i) -> size_t {
    if (i >= text.size()) return 0;
    const CamelChar c = CamelCharAt(text, i, has_accented_names);
    return c.kind == CamelKind::kNone || c.kind == CamelKind::kOther ? 0 : c.size;
  };
  size_t end = at + size;
  if (kPrefixes.find(LowerAscii(text[at - 1])) == kPrefixes.npos || letter(end) == 0 ||
      CamelCharAt(text, end, has_accented_names).kind != CamelKind::kCapital)
    return 0;
  while (letter(end) > 0) {
    end += letter(end);
    const size_t more = end < text.size() ? ApostropheSize(text, end) : 0;  // O'Connor's
    if (more > 0 && letter(end + more) > 0) end += more;
  }
  return end;
}

// Whether a word goes on there, or a hyphen stands there.
bool GoesOn(std::string_view text, size_t at) {
  const std::string_view rest = text.substr(at);
  return IsWordKind(KindOf(FirstPoint(rest))) || HyphenSize(rest) > 0;
}

// Of two parts around the hyphen of so many bytes at `at`, one of them short, both together; ""
// elsewhere.
std::string JoinedParts(std::string_view text, size_t at, size_t size) {
  constexpr size_t kShort = 2;
  const auto is_of_part = [&](size_t i) { return IsAsciiLetter(text[i]) || IsAsciiDigit(text[i]); };
  size_t begin = at, end = at + size;
  while (begin > 0 && is_of_part(begin - 1)) begin--;
  while (end < text.size() && is_of_part(end)) end++;
  const std::string_view first = text.substr(begin, at - begin),
                         second = text.substr(at + size, end - at - size);
  size_t before = begin;
  while (before > 0 && begin - before < kMaxUtf8Bytes &&
         (before == begin || IsInCharacter(text[before])))
    before--;
  const bool is_longer = GoesOn(text, end) || (before < begin && GoesOn(text, before));
  const size_t shortest = std::min(first.size(), second.size());
  std::string joined = std::string(first) + std::string(second);
  const bool has_letter = std::any_of(joined.begin(), joined.end(), IsAsciiLetter);
  return shortest > 0 && shortest <= kShort && has_letter && !is_longer ? joined : "";
}

// As a question may have the number that begins there: without its commas; of one with two full
// stops or more the longer numbers between them, as the year of a date; where v stands before it,
// first itself. "": no other way.
constexpr size_t kLeastOfNumber = 4;  // digits: shorter ones are too many
std::string NumbersOf(std::string_view text, size_t begin, bool has_pairs) {
  const auto goes_on = [&](size_t from) {
    return from > 0 &&
           (IsAsciiWord(text[from - 1]) || text[from - 1] == '.' || text[from - 1] == ',');
  };
  const bool has_v = begin > 0 && LowerAscii(text[begin - 1]) == 'v' && !goes_on(begin - 1);
  if (!has_v && goes_on(begin)) return "";
  std::string_view number =
      text.substr(begin, text.find_first_not_of("0123456789.,", begin) - begin);
  number = number.substr(0, number.find_last_not_of(".,") + 1);
  if (begin + number.size() < text.size() && IsAsciiWord(text[begin + number.size()])) return "";
  if (number.find(',') != number.npos) {
    const std::string digits = WithoutCommas(number, has_pairs);
    return digits.empty() ? "" : " " + digits;
  }
  const std::vector<std::string_view> parts = SplitAt(number, '.');
  const bool is_whole =
      std::none_of(parts.begin(), parts.end(), [](std::string_view part) { return part.empty(); });
  std::string numbers = has_v && is_whole && parts.size() > 1 ? " " + std::string(number) : "";
  for (const std::string_view part : parts) {
    if (is_whole && parts.size() > 2 && part.size() >= kLeastOfNumber)
      numbers += " " + std::string(part);
  }
  return numbers;
}

// Each behind a blank: from begin to the text's end, cut before the capitals.
std::string PiecesOf(std::string_view text, size_t begin, const std::vector<size_t>& capitals) {
  std::string pieces;
  for (const size_t capital : capitals) {
    pieces += " " + std::string(text.substr(begin, capital - begin));
    begin = capital;
  }
  return pieces + " " + std::string(text.substr(begin));
}

}  // namespace

size_t HyphenSize(std::string_view text) {
  if (text.starts_with('-')) return 1;
  return text.starts_with("\u2010") || text.starts_with("\u2011") ? 3 : 0;
}

bool IsNet(std::string_view text, size_t at) {
  const auto is_word = [&](size_t i) { return i < text.size() && IsAsciiWord(text[i]); };
  const std::string_view name = text.substr(at).substr(0, 4);
  return (name == ".NET" || name == ".Net" || name == ".net") && (at == 0 || !is_word(at - 1)) &&
         !is_word(at + 4);
}

bool IsOfTime(std::string_view text, size_t at) {
  constexpr std::string_view kDate = "0000-00-00";
  constexpr size_t kLongestTime = 32;
  const auto is_digit = [&](size_t i) { return i < text.size() && IsAsciiDigit(text[i]); };
  const auto is_behind_date = [&](size_t end) {
    if (end < kDate.size() || (end > kDate.size() && is_digit(end - kDate.size() - 1)))
      return false;
    return HasForm(text.substr(end - kDate.size(), kDate.size()), kDate);
  };
  const char c = LowerAscii(text[at]);
  const bool ends = at + 1 == text.size() || !IsAsciiWord(text[at + 1]);
  if (c == 't') return (ends || is_digit(at + 1)) && is_behind_date(at);
  if (c != 'z' || !ends || at == 0 || !is_digit(at - 1)) return false;
  const size_t begin = at - std::min(at, kLongestTime);
  const size_t before = text.substr(begin, at - begin).find_last_not_of("0123456789:.");
  return before != text.npos && LowerAscii(text[begin + before]) == 't' &&
         is_behind_date(begin + before);
}

std::string WithoutCommas(std::string_view number, bool has_pairs) {
  const std::string_view whole = number.substr(0, number.find('.'));
  const std::vector<std::string_view> groups = SplitAt(whole, ',');
  if (groups.size() < 2 || groups[0].empty() || groups.back().size() != 3) return "";
  // In India 12,50,000.
  const size_t size = has_pairs && groups.size() > 2 && groups[1].size() == 2 ? 2 : 3;
  std::string digits;
  for (size_t i = 0; i < groups.size(); i++) {
    const bool is_first = i == 0, is_last = i + 1 == groups.size();
    if (is_first ? groups[i].size() > size : !is_last && groups[i].size() != size) return "";
    digits += groups[i];
  }
  return digits + std::string(number.substr(whole.size()));
}

bool PartsAmount(std::string_view text, size_t at) {
  constexpr std::string_view kOfNumber = "0123456789.,";
  const auto is_of_number = [&](size_t i) { return kOfNumber.find(text[i]) != kOfNumber.npos; };
  if (at == 0 || is_of_number(at) == is_of_number(at - 1)) return false;
  const auto is_letter = [&](size_t i) { return IsAsciiLetter(text[i]) || (text[i] & 0x80) != 0; };
  size_t begin = at, end = at;
  if (is_of_number(at)) {
    const bool is_version =
        LowerAscii(text[at - 1]) == 'v' && (at == 1 || !IsAsciiWord(text[at - 2]));
    if (!is_letter(at - 1) || is_version) return false;
    end = std::min(text.find_first_not_of(kOfNumber, at), text.size());
  } else {
    if (!is_letter(at)) return false;
    while (begin > 0 && is_of_number(begin - 1)) begin--;
  }
  std::string_view number = text.substr(begin, end - begin);
  return HasThousands(number.substr(0, number.find_last_not_of(".,") + 1));
}

bool IsBeforeFraction(std::string_view text, size_t at) {
  constexpr std::string_view kTime = "00:00:00";
  if (text[at] != '.' && text[at] != ',') return false;
  if (at < kTime.size() || at + 1 >= text.size() || !IsAsciiDigit(text[at + 1])) return false;
  return HasForm(text.substr(at - kTime.size(), kTime.size()), kTime);
}

std::string_view SpellNames(std::string_view text, const NameRules& rules, std::string* spelled) {
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
  const bool with_pieces = rules.with_pieces && MayHaveCamel(text, rules);
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
  const bool parts_numbers = rules.with_pieces && rules.parts_numbers;
  for (size_t i = 0; i < text.size(); i++) {
    const char c = text[i];
    const bool may_quote = c == '\'' || c == '\xE2', may_join = c == '-' || c == '\xE2';
    const size_t name_end =
        has_apostrophes && may_quote ? NameEnd(text, i, rules.has_accented_names) : 0;
    const size_t hyphen = rules.joins_hyphens && may_join ? HyphenSize(text.substr(i)) : 0;
    if (rules.parts_amounts && PartsAmount(text, i)) replace(i, i, " ");
    const bool is_of_fraction =
        rules.parts_amounts && i + 2 < text.size() && IsBeforeFraction(text, i + 2);
    if (parts_numbers && IsAsciiDigit(c) && !is_of_fraction)
      behind += NumbersOf(text, i, rules.has_pairs_of_digits);
    if (rules.parts_numbers && IsOfTime(text, i)) {
      replace(i, i + 1, " ");
    } else if (c == '+' || c == '#') {
      const bool is_letter = i > 0 && IsAsciiLetter(text[i - 1]) && (i < 2 || !is_word(i - 2));
      const size_t size = c == '+' ? 2 : 1;
      if (is_letter && text.substr(i, size) == (c == '+' ? "++" : "#") && may_end_name(i + size)) {
        replace(i, i + size, c == '+' ? "plusplus " : "sharp ");
      }
    } else if (rules.parts_amounts && IsBeforeFraction(text, i)) {
      replace(i, i + 1, " ");
    } else if (c == '.') {
      if (IsNet(text, i)) replace(i, i + 1, "dot");
    } else if (name_end > 0) {
      const size_t begin = i + ApostropheSize(text, i);
      add_pieces(i, name_end, " " + std::string(text.substr(begin, name_end - begin)));
      word_end = name_end;
      i = name_end - 1;
    } else if (hyphen > 0) {
      const std::string joined = JoinedParts(text, i, hyphen);
      if (!joined.empty()) behind += ' ' + joined;
    } else if (with_pieces && i >= word_end) {
      const size_t end = ReadCamelWord(text, i, rules, &capitals);
      word_end = std::max(end, i + 1);
      if (capitals.empty()) continue;
      add_pieces(i, end, PiecesOf(text.substr(0, end), i, capitals));
    }
  }
  if (copied == 0 && behind.empty()) return text;
  *spelled += text.substr(copied);
  if (!behind.empty()) *spelled += " " + std::string(kPiecesMark) + behind + " ";
  return *spelled;
}

}  // namespace s2v
