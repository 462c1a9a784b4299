#include "core/text/plain_letters.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <iterator>
#include <memory>
#include <new>
#include <span>

#include "core/text/unicode_chars.h"

namespace s2v {
namespace {

bool IsFrom(int32_t c, int32_t first, int32_t last) {
  return c >= first && c <= last;
}

// Blocks of letters with accents and of compatible characters.
bool HasForms(int32_t c) {
  return IsFrom(c, 0xC0, 0x24F) || IsFrom(c, 0x370, 0x3FF) || IsFrom(c, 0x1E00, 0x1FFF) ||
         IsFrom(c, 0x2070, 0x218F) || IsFrom(c, 0xFB00, 0xFDFF) || IsFrom(c, 0xFE70, 0xFEFF) ||
         IsFrom(c, 0x1D400, 0x1D7FF);
}

constexpr size_t kLongestForm = 32;
// What the character is made of, in small letters; 0 where that is not known.
size_t FormOf(int32_t c, int32_t (&form)[kLongestForm]) {
  constexpr auto kForm =
      static_cast<utf8proc_option_t>(UTF8PROC_DECOMPOSE | UTF8PROC_COMPAT | UTF8PROC_CASEFOLD);
  int boundary = 0;
  const auto size = utf8proc_decompose_char(c, form, kLongestForm, kForm, &boundary);
  return size <= 0 || size > static_cast<ptrdiff_t>(kLongestForm) ? 0 : static_cast<size_t>(size);
}

// Digits of a script stand in the order of their values.
int32_t ValueOfDigit(int32_t c) {
  int32_t first = c;
  while (utf8proc_category(first - 1) == UTF8PROC_CATEGORY_ND) first--;
  return (c - first) % 10;
}

struct Letter {
  int32_t from;
  std::string_view to;
};

const Letter* FindLetter(std::span<const Letter> letters, int32_t c) {
  const auto found = std::find_if(letters.begin(), letters.end(),
                                  [c](const Letter& one) { return one.from == c; });
  return found == letters.end() ? nullptr : &*found;
}

// The text with each `from` replaced.
struct Replacement {
  std::string_view from, to;
};
std::string Replaced(std::string_view text, std::span<const Replacement> replacements) {
  std::string replaced(text);
  for (const Replacement& one : replacements) ReplaceAll(one.from, one.to, &replaced);
  return replaced;
}

// Rule E, of a character.
void AppendPlain(int32_t c, bool has_all_forms, std::string* out) {
  static constexpr Letter kLetters[] = {
      {0xDF, "ss"},        {0xE6, "ae"},        {0xF0, "d"},         {0xF8, "o"},
      {0xFE, "th"},        {0x111, "d"},        {0x131, "i"},        {0x142, "l"},
      {0x153, "oe"},       {0x451, "\xD0\xB5"}, {0x622, "\xD8\xA7"}, {0x623, "\xD8\xA7"},
      {0x625, "\xD8\xA7"}, {0x671, "\xD8\xA7"}, {0x629, "\xD9\x87"}, {0x649, "\xD9\x8A"},
      {0x640, ""}};
  static constexpr Letter kMoreLetters[] = {{0x127, "h"},
                                            {0x14B, "n"},
                                            {0x167, "t"},
                                            {0x192, "f"},
                                            {0x199, "k"},
                                            {0x1B4, "y"},
                                            {0x253, "b"},
                                            {0x254, "o"},
                                            {0x256, "d"},
                                            {0x257, "d"},
                                            {0x259, "e"},
                                            {0x25B, "e"},
                                            {0x272, "n"},
                                            {0x5F0, "\u05D5\u05D5"},
                                            {0x5F1, "\u05D5\u05D9"},
                                            {0x5F2, "\u05D9\u05D9"}};
  const Letter* letter = FindLetter(kLetters, c);
  if (letter == nullptr && has_all_forms) letter = FindLetter(kMoreLetters, c);
  if (letter != nullptr) {
    *out += letter->to;
    return;
  }
  const bool is_mark = IsFrom(c, 0x300, 0x36F) || IsFrom(c, 0x591, 0x5C7) ||
                       IsFrom(c, 0x64B, 0x65F) || c == 0x670 || IsFrom(c, 0x6D6, 0x6ED);
  if (is_mark) return;
  int32_t form[kLongestForm];
  const size_t size = HasForms(c) ? FormOf(c, form) : 0;
  if (size == 0) return AppendPoint(c, out);
  for (size_t i = 0; i < size; i++) {
    if (!IsFrom(form[i], 0x300, 0x36F)) AppendPoint(form[i], out);
  }
}

constexpr std::array<uint32_t, 10> kHighDigits = {0x2070, 0xB9,   0xB2,   0xB3,   0x2074,
                                                  0x2075, 0x2076, 0x2077, 0x2078, 0x2079};
constexpr uint32_t kLowZero = 0x2080;

int ValueOfHighDigit(uint32_t c) {
  const auto* digit = std::find(kHighDigits.begin(), kHighDigits.end(), c);
  return digit == kHighDigits.end() ? -1 : static_cast<int>(digit - kHighDigits.begin());
}

bool HasThreeLettersAtMost(std::string_view word) {
  constexpr size_t kMostBytes = 64;  // with their marks
  if (word.size() > kMostBytes) return false;
  int letters = 0;
  for (const int32_t c : DecodePoints(word)) {
    const CharKind kind = KindOf(static_cast<uint32_t>(c));
    if (kind == CharKind::kMark || ValueOfHighDigit(static_cast<uint32_t>(c)) >= 0) continue;
    letters++;
    if (kind != CharKind::kLetter || letters > 3) return false;
  }
  return letters > 0;
}

constexpr uint32_t kMicro = 0xB5, kOrdinalA = 0xAA, kOrdinalO = 0xBA;
bool IsSign(uint32_t c) {
  const bool is_square = c >= 0x3200 && c <= 0x33FF;
  return c == kMicro || c == kOrdinalA || c == kOrdinalO || is_square || IsEnclosed(c);
}

// False: no sign and no digit of DigitOfWord is in the text. Told by the first two bytes of
// characters.
bool MayHaveSigns(std::string_view text) {
  const auto has = [text](char lead, unsigned char first, unsigned char last) {
    for (size_t at = text.find(lead); at < text.size() - 1; at = text.find(lead, at + 1)) {
      const auto next = static_cast<unsigned char>(text[at + 1]);
      if (next >= first && next <= last) return true;
    }
    return false;
  };
  return !text.empty() &&
         (has('\xC2', 0xAA, 0xBA) || has('\xE2', 0x81, 0x93) || has('\xE3', 0x88, 0x8F));
}

}  // namespace

bool IsEnclosed(uint32_t c) {
  return c >= 0x2460 && c <= 0x24FF;
}

int DigitOfWord(std::string_view word, uint32_t c) {
  if (word.empty()) return -1;
  if (c >= kLowZero && c < kLowZero + 10) return static_cast<int>(c - kLowZero);
  const int value = ValueOfHighDigit(c);
  return value >= 0 && HasThreeLettersAtMost(word) ? value : -1;
}

std::string_view OrdinarySigns(std::string_view text, std::string* made) {
  if (IsAscii(text) || !MayHaveSigns(text)) return text;
  made->clear();
  size_t copied = 0;  // of text
  size_t word = 0;    // where the word began that the text before at ends with; at: there is none
  for (size_t at = 0, size; at < text.size(); at += size) {
    uint32_t c = 0;
    const size_t decoded = DecodeUtf8(text, at, &c);
    size = std::max<size_t>(decoded, 1);
    const bool is_sign = IsSign(c);
    const int digit = c < 0x80 ? -1 : DigitOfWord(text.substr(word, at - word), c);
    const bool is_word = decoded > 0 && IsWordKind(KindOf(c));
    if (!is_sign && digit < 0) {
      if (!is_word) word = at + size;
      continue;
    }
    *made += text.substr(copied, at - copied);
    copied = at + size;
    if (digit >= 0) {
      *made += static_cast<char>('0' + digit);
      continue;
    }
    int32_t form[kLongestForm];
    const size_t count = FormOf(static_cast<int32_t>(c), form);
    if (IsEnclosed(c)) *made += ' ';  // the number of what follows, as a rule
    for (size_t i = 0; i < count; i++) AppendPoint(form[i], made);
    if (IsEnclosed(c)) *made += ' ';
  }
  if (copied == 0) return text;
  *made += text.substr(copied);
  return *made;
}

std::string_view WithPartedAffixes(std::string_view text, bool has_all_forms, std::string* made) {
  constexpr std::string_view kNonJoiner = "\xE2\x80\x8C", kJoiner = "\xE2\x80\x8D";
  // A letter and its virama: of Malayalam, Bengali, and Marathi's and Nepali's r.
  static constexpr Replacement kDead[] = {
      {"\u0D23\u0D4D", "\u0D7A"}, {"\u0D28\u0D4D", "\u0D7B"},      {"\u0D30\u0D4D", "\u0D7C"},
      {"\u0D32\u0D4D", "\u0D7D"}, {"\u0D33\u0D4D", "\u0D7E"},      {"\u0D15\u0D4D", "\u0D7F"},
      {"\u09A4\u09CD", "\u09CE"}, {"\u0930\u094D", "\u0931\u094D"}};
  const auto lead = [&](size_t at) {
    return at < text.size() ? static_cast<unsigned char>(text[at]) : 0;
  };
  const auto is_arabic = [](unsigned char first_byte) {
    return first_byte >= 0xD8 && first_byte <= 0xDB;
  };
  if (IsAscii(text)) return text;
  made->clear();
  size_t copied = 0;  // of text
  for (size_t at = text.find_first_of("\xE2\xD5"), end; at < text.size();
       at = text.find_first_of("\xE2\xD5", end)) {
    end = at + 1;
    const unsigned char second = lead(at + 1);
    if (lead(at) == 0xD5 && (second == 0x9B || second == 0x9C || second == 0x9E)) {
      *made += text.substr(copied, at - copied);
      copied = end = at + 2;
      continue;
    }
    if (has_all_forms && text.substr(at).starts_with(kJoiner)) {
      const auto* dead =
          std::find_if(std::begin(kDead), std::end(kDead), [&](const Replacement& one) {
            return text.substr(copied, at - copied).ends_with(one.from);
          });
      if (dead == std::end(kDead)) continue;
      *made += text.substr(copied, at - copied - dead->from.size());
      *made += dead->to;
      copied = end = at + kJoiner.size();
      continue;
    }
    if (!text.substr(at).starts_with(kNonJoiner)) continue;
    end = at;
    while (text.substr(end).starts_with(kNonJoiner)) end += kNonJoiner.size();
    if (at < 2 || !is_arabic(lead(at - 2)) || !is_arabic(lead(end))) continue;
    *made += text.substr(copied, at - copied);
    *made += '_';
    copied = end;
  }
  if (copied == 0) return text;
  *made += text.substr(copied);
  return *made;
}

std::string OrdinaryLetters(std::string_view word, bool has_all_forms) {
  static constexpr Letter kLetters[] = {{0x2BC, "'"},        {0x587, "\xD5\xA5\xD6\x82"},
                                        {0x6A9, "\xD9\x83"}, {0x6CC, "\xD9\x8A"},
                                        {0x6C0, "\xD9\x87"}, {0x6C1, "\xD9\x87"}};
  static constexpr Letter kMoreLetters[] = {{0x2BB, "'"}, {0x2BD, "'"}, {0x2BE, "'"}, {0x2BF, "'"}};
  std::string ordinary;
  bool is_decomposed = false;
  for (const int32_t c : DecodePoints(word)) {
    const Letter* letter = FindLetter(kLetters, c);
    if (letter == nullptr && has_all_forms) letter = FindLetter(kMoreLetters, c);
    if (letter != nullptr) {
      ordinary += letter->to;
      continue;
    }
    if (c >= 0x80 && utf8proc_category(c) == UTF8PROC_CATEGORY_ND) {
      ordinary += static_cast<char>('0' + ValueOfDigit(c));
      continue;
    }
    int32_t form[kLongestForm];
    const bool is_compatible = HasForms(c) && utf8proc_get_property(c)->decomp_type != 0;
    const size_t size = is_compatible ? FormOf(c, form) : 0;
    if (size == 0) AppendPoint(c, &ordinary);
    for (size_t i = 0; i < size; i++) AppendPoint(form[i], &ordinary);
    is_decomposed |= size > 0;
  }
  if (!is_decomposed) return ordinary;
  utf8proc_uint8_t* composed = nullptr;
  const auto size =
      utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(ordinary.data()),
                   static_cast<ptrdiff_t>(ordinary.size()), &composed,
                   static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_COMPOSE));
  if (size < 0) throw std::bad_alloc();  // there is no other reason: the bytes are UTF-8
  const std::unique_ptr<utf8proc_uint8_t, decltype(&std::free)> owner(composed, &std::free);
  return std::string(reinterpret_cast<const char*>(composed), static_cast<size_t>(size));
}

std::string WithAnusvara(std::string_view word, bool has_loan_nasals) {
  constexpr int32_t kCandrabindu = 0x901, kAnusvara = 0x902, kVirama = 0x94D, kNa = 0x928,
                    kFirstSibilant = 0x936, kLastSibilant = 0x938;
  // The five rows of stops begin with ka, end with their nasal, and are one after another; U+0929
  // is between the last two.
  constexpr int32_t kFirst[] = {0x915, 0x91A, 0x91F, 0x924, 0x92A};
  constexpr int32_t kStops = 4;
  const std::vector<int32_t> points = DecodePoints(word);
  std::string one;
  for (size_t i = 0; i < points.size(); i++) {
    const bool is_dead = i + 2 < points.size() && points[i + 1] == kVirama;
    const int32_t next = is_dead ? points[i + 2] : 0;
    const bool may_be_loan = has_loan_nasals && points[i] == kNa;
    const bool is_before_stop =
        std::any_of(std::begin(kFirst), std::end(kFirst), [&](int32_t first) {
          const bool is_of_place = points[i] == first + kStops;
          return (is_of_place || may_be_loan) && next >= first && next < first + kStops;
        });
    const bool is_before_sibilant = may_be_loan && next >= kFirstSibilant && next <= kLastSibilant;
    const bool is_nasal = is_before_stop || is_before_sibilant;
    AppendPoint(is_nasal || points[i] == kCandrabindu ? kAnusvara : points[i], &one);
    i += is_nasal;
  }
  return one;
}

std::string WithVowelAm(std::string_view run) {
  static constexpr Replacement kAm[] = {{"\u0E4D\u0E32", "\u0E33"}, {"\u0ECD\u0EB2", "\u0EB3"}};
  return Replaced(run, kAm);
}

std::string WithOneSpelling(std::string_view run) {
  // A mark of tone stands before the vowel am, or what is typed for it. Then the two halves of a
  // vowel, ligatures of Lao, Khmer's d and t below another letter, and marks in the other order.
  static constexpr Replacement kOthers[] = {{"\u0E4D\u0E48\u0E32", "\u0E48\u0E33"},
                                            {"\u0E4D\u0E49\u0E32", "\u0E49\u0E33"},
                                            {"\u0E4D\u0E4A\u0E32", "\u0E4A\u0E33"},
                                            {"\u0E4D\u0E4B\u0E32", "\u0E4B\u0E33"},
                                            {"\u0E33\u0E48", "\u0E48\u0E33"},
                                            {"\u0E33\u0E49", "\u0E49\u0E33"},
                                            {"\u0E33\u0E4A", "\u0E4A\u0E33"},
                                            {"\u0E33\u0E4B", "\u0E4B\u0E33"},
                                            {"\u0ECD\u0EC8\u0EB2", "\u0EC8\u0EB3"},
                                            {"\u0ECD\u0EC9\u0EB2", "\u0EC9\u0EB3"},
                                            {"\u0ECD\u0ECA\u0EB2", "\u0ECA\u0EB3"},
                                            {"\u0ECD\u0ECB\u0EB2", "\u0ECB\u0EB3"},
                                            {"\u0EB3\u0EC8", "\u0EC8\u0EB3"},
                                            {"\u0EB3\u0EC9", "\u0EC9\u0EB3"},
                                            {"\u0EB3\u0ECA", "\u0ECA\u0EB3"},
                                            {"\u0EB3\u0ECB", "\u0ECB\u0EB3"},
                                            {"\u0E40\u0E40", "\u0E41"},
                                            {"\u0EC0\u0EC0", "\u0EC1"},
                                            {"\u0EDC", "\u0EAB\u0E99"},
                                            {"\u0EDD", "\u0EAB\u0EA1"},
                                            {"\u17D2\u178A", "\u17D2\u178F"},
                                            {"\u17C1\u17B8", "\u17BE"},
                                            {"\u17C1\u17B6", "\u17C4"},
                                            {"\u17BB\u17CA", "\u17CA\u17BB"},
                                            {"\u1036\u102F", "\u102F\u1036"},
                                            {"\u1037\u102F", "\u102F\u1037"}};
  return Replaced(WithVowelAm(run), kOthers);
}

std::string WithOneSpellingOfIndia(std::string_view word) {
  static constexpr Replacement kCandra[] = {{"\u093E\u0945", "\u0949"}, {"\u0906\u0945", "\u0911"}};
  return Replaced(word, kCandra);
}

std::string WithoutDiaeresis(std::string_view word) {
  static constexpr Replacement kIota[] = {{"\u03CA", "\u03B9"}, {"\u0390", "\u03AF"}};
  return Replaced(word, kIota);
}

std::string WithOrdinaryNumbers(std::string_view text) {
  constexpr int32_t kFirstWide = 0xFF01, kLastWide = 0xFF5E, kWideBlank = 0x3000;
  std::string ordinary;
  for (int32_t c : DecodePoints(text)) {
    if (IsFrom(c, kFirstWide, kLastWide)) {
      c += '!' - kFirstWide;
    } else if (c == kWideBlank) {
      c = ' ';
    } else if (c >= 0x80 && utf8proc_category(c) == UTF8PROC_CATEGORY_ND) {
      c = '0' + ValueOfDigit(c);
    }
    AppendPoint(c, &ordinary);
  }
  return ordinary;
}

std::string WithOneG(std::string_view word) {
  static constexpr Replacement kG[] = {{"\u0491", "\u0433"}};
  return Replaced(word, kG);
}

std::string WithoutFinalForms(std::string_view word) {
  static constexpr Replacement kForms[] = {{"\u05DA", "\u05DB"},
                                           {"\u05DD", "\u05DE"},
                                           {"\u05DF", "\u05E0"},
                                           {"\u05E3", "\u05E4"},
                                           {"\u05E5", "\u05E6"}};
  return Replaced(word, kForms);
}

std::string_view WithJoinedAcronyms(std::string_view text, std::string* made) {
  constexpr char kHebrewLead = '\xD7';  // the first byte of its letters
  constexpr int32_t kGershayim = 0x5F4;
  if (text.find(kHebrewLead) == text.npos) return text;
  const auto is_letter = [](int32_t c) { return c >= 0x5D0 && c <= 0x5EA; };
  const std::vector<int32_t> points = DecodePoints(text);
  std::vector<int32_t> joined;
  for (size_t i = 0; i < points.size(); i++) {
    const bool is_sign = points[i] == '"' || points[i] == kGershayim;
    const bool is_within = is_sign && i > 0 && i + 1 < points.size() && is_letter(points[i - 1]) &&
                           is_letter(points[i + 1]);
    if (!is_within) joined.push_back(points[i]);
  }
  if (joined.size() == points.size()) return text;
  return *made = EncodePoints(joined);
}

std::string WithCedillas(std::string_view word) {
  static constexpr Replacement kCedillas[] = {{"\u0219", "\u015F"}, {"\u021B", "\u0163"}};
  return Replaced(word, kCedillas);
}

std::string WithoutAccents(std::string_view word, bool keeps_nukta, bool has_all_forms) {
  constexpr int32_t kNukta = 0x93C;
  if (IsAscii(word)) return std::string(word);
  std::string plain;
  for (const int32_t c : DecodePoints(word)) {
    if (c != kNukta || keeps_nukta) AppendPlain(c, has_all_forms, &plain);
  }
  return plain;
}

}  // namespace s2v
