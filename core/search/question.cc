#include "core/search/question.h"

#include <algorithm>
#include <iterator>

#include "core/text/plain_letters.h"
#include "core/text/unicode_chars.h"

namespace s2v::search {
namespace {

// A small letter, or one of a script that has no capitals.
bool IsNoCapital(int32_t c) {
  const CharEntry entry = char_table[static_cast<uint32_t>(c)];
  const bool is_letter = entry.kind == CharKind::kLetter || entry.kind == CharKind::kUnspaced;
  return is_letter && entry.fate == CharFate::kKeep && entry.mapped == static_cast<uint32_t>(c);
}
bool HasNoCapital(std::string_view text) {
  const std::vector<int32_t> points = DecodePoints(text);
  return std::any_of(points.begin(), points.end(), IsNoCapital);
}

// A character of what was typed.
struct Char {
  size_t size = 1;
  uint32_t point = 0;
  // what it says: of a form as wide as a Han character, which keyboards of Japan type, the ordinary
  // character
  uint32_t sign = 0;
  // also of what is no UTF-8; what vanishes belongs to the word as a mark does
  CharKind kind = CharKind::kPunctuation;

  bool IsBlank() const { return kind == CharKind::kSpace; }
  bool IsLetter() const { return kind == CharKind::kLetter || kind == CharKind::kUnspaced; }
  bool IsInWord() const {
    return IsLetter() || kind == CharKind::kDigit || kind == CharKind::kMark || IsSmallDigit();
  }
  // Written low or high, as in CO₂.
  bool IsSmallDigit() const { return point >= 0x80 && DigitOfWord("a", point) >= 0; }
  // A word, or what stands for one, as an emoji; a sign beyond ASCII that is no punctuation.
  bool IsLetterOrSymbol() const {
    const bool is_symbol = kind == CharKind::kSingle || kind == CharKind::kRegional;
    return IsLetter() || (is_symbol && !IsPunctuationMark(point));
  }
};
constexpr bool IsHebrew(uint32_t c) {
  return c >= 0x5D0 && c <= 0x5EA;
}
// Of a script without blanks, one of its signs, or Hangul, whose particles follow without one.
bool HasNoBlanks(const Char& c) {
  const bool is_wide_sign = c.point == 0xFF01 || c.point == 0xFF0C || c.point == 0xFF1A ||
                            c.point == 0xFF1B || c.point == 0xFF1F;
  const bool is_sign = (c.point >= 0x3001 && c.point <= 0x301F) || is_wide_sign ||
                       (c.point >= 0xFF61 && c.point <= 0xFF64);
  return c.kind == CharKind::kUnspaced || is_sign || (c.point >= 0xAC00 && c.point <= 0xD7A3);
}
constexpr uint32_t kMinusSign = 0x2212;  // what some keyboards of Japan type for a hyphen

// REQUIRES: at < text.size().
Char CharAt(std::string_view text, size_t at) {
  Char c;
  c.size = DecodeUtf8(text, at, &c.point);
  if (c.size == 0) return {};
  c.sign = c.point;
  if (c.point < 0x80) {
    c.kind = kAsciiKinds[c.point];
    return c;
  }
  const CharEntry entry = char_table[c.point];
  if (entry.fate == CharFate::kKeep && entry.mapped < 0x80) c.sign = entry.mapped;
  if (c.point == kMinusSign) c.sign = '-';
  c.kind = entry.fate == CharFate::kVanish ? CharKind::kMark : entry.kind;
  return c;
}
// The character that ends there. REQUIRES: 0 < end <= text.size().
Char CharBefore(std::string_view text, size_t end) {
  size_t begin = end - 1;
  while (begin > 0 && end - begin < kMaxUtf8Bytes && IsInCharacter(text[begin])) begin--;
  const Char c = CharAt(text, begin);
  return c.size == end - begin ? c : Char();
}
// Of the * at the end; 0 where there is none.
size_t StarSize(std::string_view text) {
  const Char last = text.empty() ? Char() : CharBefore(text, text.size());
  return last.sign == '*' ? last.size : 0;
}

// Quotation marks: which one opens, and those that close.
struct Quotes {
  uint32_t open;
  std::u32string_view close;
};
constexpr uint32_t kGershayim = 0x5F4;  // of Hebrew
constexpr Quotes kQuotes[] = {
    {'"', U"\""},        {0xFF02, U"\uFF02"},         {0x201C, U"\u201D\u201C"},
    {0x201D, U"\u201D"}, {0x201E, U"\u201C\u201D\""}, {0xAB, U"\u00BB"},
    {0xBB, U"\u00AB"},   {0x300C, U"\u300D"},         {0x300E, U"\u300F"},
    {0xFF62, U"\uFF63"}, {kGershayim, U"\u05F4"}};

constexpr std::string_view kAnd[] = {"und", "oder", "bzw", "sowie", "en", "och", "eller", "og"};
constexpr size_t kLongestAnd = 5;  // bytes
constexpr std::string_view kOpenMarks = "<[`'", kCloseMarks = ">]`'", kOfPaths = "/~";

// Keyboards of scripts that are written from right to left, and what is copied, put marks of
// direction beside other signs: a minus would not stand at the beginning of its word.
std::string WithoutDirections(std::string_view given) {
  const auto is_direction = [](int32_t c) {
    return c == 0x200E || c == 0x200F || c == 0x61C || (c >= 0x202A && c <= 0x202E) ||
           (c >= 0x2066 && c <= 0x2069);
  };
  std::string text;
  for (size_t at = 0; at < given.size();) {
    uint32_t c = 0;
    const size_t size = std::max<size_t>(DecodeUtf8(given, at, &c), 1);
    if (!is_direction(static_cast<int32_t>(c))) text += given.substr(at, size);
    at += size;
  }
  return text;
}

// What is seen of the whole of it at once.
struct Overview {
  size_t last = 0;  // behind the last character that is no blank
  bool is_text = true;
};
Overview Look(std::string_view given) {
  Overview seen;
  size_t words = 0;
  bool is_word = false, ends_sentence = true;
  for (size_t at = 0; at < given.size();) {
    const Char c = CharAt(given, at);
    at += c.size;
    words += !c.IsBlank() && !is_word;
    is_word = !c.IsBlank();
    if (!is_word) continue;
    seen.last = at;
    if (c.sign != '*') ends_sentence = EndsSentence(c.sign);
  }
  seen.is_text = ends_sentence || words > kMostExactWords;
  return seen;
}

class FieldReader {
 public:
  FieldReader(std::string_view given, std::span<const std::string> columns)
      : given_(given), columns_(columns), seen_(Look(given)), heeds_not_(HasNoCapital(given)) {}

  ReadQuestion Read() {
    bool is_start = true;
    while (at_ < given_.size()) {
      const bool may_be_exact =
          !seen_.is_text && question_.required.size() + question_.excluded.size() < kMostExactWords;
      if (is_start && ((may_be_exact && TakeExact()) || TakeBeginning())) {
        is_start = is_beginning_ = false;
        continue;
      }
      const Char c = CharAt(given_, at_);
      question_.text += given_.substr(at_, c.size);
      at_ += c.size;
      is_start = c.IsBlank() || c.sign == '(';
      is_beginning_ = is_beginning_ && is_start;
      // Scripts without blanks have none before a quotation either.
      is_start = is_start || (HasNoBlanks(c) && QuoteEnd(at_) != 0);
    }
    return std::move(question_);
  }

 private:
  std::string_view Rest(size_t at) const { return given_.substr(std::min(at, given_.size())); }
  // At the end of what was given, a blank.
  Char At(size_t at) const {
    Char blank;
    blank.kind = CharKind::kSpace;
    return at < given_.size() ? CharAt(given_, at) : blank;
  }
  // Goes on from where it stopped before, so that no byte is looked at twice.
  size_t WordEnd(size_t at) {
    word_end_ = std::max(word_end_, at);
    while (!At(word_end_).IsBlank()) word_end_ += At(word_end_).size;
    return word_end_;
  }

  // A run that ends with a beginning, such as trans-europ*. A number may go on behind . and , as
  // 10. does to 10.113.
  bool TakeBeginning() {
    if (At(at_).IsBlank()) return false;
    const size_t end = WordEnd(at_);
    const size_t star = StarSize(given_.substr(at_, end - at_));
    if (star == 0 || (seen_.is_text && end < seen_.last)) return false;
    std::string_view whole = given_.substr(at_, end - star - at_);
    const bool is_joint = whole.ends_with('.') || whole.ends_with(',');
    if (is_joint && whole.size() > 1 &&
        CharBefore(whole, whole.size() - 1).kind == CharKind::kDigit)
      whole.remove_suffix(1);
    // Of don'* the word don is no more finished than before.
    const Char last = whole.empty() ? Char() : CharBefore(whole, whole.size());
    if (last.sign == '\'') whole.remove_suffix(last.size);
    if (LastWord(whole).empty()) return false;
    question_.beginnings.emplace_back(whole);
    at_ = end;
    return true;
  }

  // What stands before words that a row must have, or must not have.
  struct Signs {
    bool has_minus = false, has_not = false;
    size_t column = SIZE_MAX;  // SIZE_MAX: none is named
    size_t end = 0;
    bool Exclude() const { return has_minus || has_not; }
    bool NameColumn() const { return column != SIZE_MAX; }
  };

  bool TakeExact() {
    const Signs signs = ReadSigns();
    ExactWords exact;
    if (signs.NameColumn()) exact.columns.push_back(signs.column);
    const size_t quote_end = QuoteEnd(signs.end);
    const size_t end =
        quote_end != 0 ? ReadQuotation(signs.end, quote_end, &exact) : ReadBareWord(signs, &exact);
    if (end == 0) return false;
    if (!signs.Exclude()) {
      // The blanks keep words apart.
      question_.text += ' ';
      if (exact.is_beginning) {
        question_.beginnings.push_back(exact.words);
      } else {
        question_.text += exact.words + ' ';
      }
      if (quote_end != 0) question_.phrases.push_back(exact.words);
    }
    (signs.Exclude() ? question_.excluded : question_.required).push_back(std::move(exact));
    at_ = end;
    return true;
  }

  Signs ReadSigns() const {
    Signs signs;
    size_t at = at_;
    signs.has_minus = At(at).sign == '-';
    signs.has_not = heeds_not_ && !is_beginning_ && Rest(at).starts_with("NOT") &&
                    at + 3 < given_.size() && At(at + 3).IsBlank();
    if (signs.Exclude()) at += signs.has_minus ? At(at).size : 3;
    while (signs.has_not && At(at).IsBlank() && at < given_.size()) at += At(at).size;
    signs.column = ColumnAt(at);
    if (signs.NameColumn()) {
      at += columns_[signs.column].size();
      at += At(at).size;
    }
    signs.end = at;
    return signs;
  }

  // Returns where it ends.
  size_t ReadQuotation(size_t at, size_t quote_end, ExactWords* exact) const {
    const size_t begin = at + At(at).size;
    exact->words = given_.substr(begin, quote_end - begin);
    return quote_end + At(quote_end).size;
  }

  // Returns where it ends; 0 where the signs before it, or what it is itself, say nothing of it.
  size_t ReadBareWord(const Signs& signs, ExactWords* exact) {
    if (!signs.Exclude() && !signs.NameColumn()) return 0;
    const size_t at = WithoutWrapper(signs), end = WordEnd(at);
    const Char first = At(at), second = At(at + first.size);
    // With a minus before it a number is text, and 18°C; 3D is not.
    const bool is_number = first.kind == CharKind::kDigit &&
                           (!signs.has_minus || signs.NameColumn() || HasLetter(at, end));
    // A word's own sign, as of #metoo, @bob, .NET and _private.
    const bool has_own_sign =
        (std::u32string_view(U"#@._$").find(first.sign) != std::u32string_view::npos &&
         second.IsLetter()) ||
        (first.sign == '#' && second.kind == CharKind::kDigit);
    if (!first.IsLetterOrSymbol() && !is_number && !has_own_sign) return 0;
    const bool may_be_text = signs.has_minus && !signs.NameColumn();
    if (may_be_text && (IsOption(at) || (first.IsLetter() && IsBehindAnd()))) return 0;
    exact->words = given_.substr(at, end - at);
    if (const size_t star = StarSize(exact->words)) {
      exact->words.resize(exact->words.size() - star);
      exact->is_beginning = !LastWord(exact->words).empty();
    }
    return end;
  }

  // Where the word begins: what is put around it, as around <bob@x.org>, and the sign before
  // /etc/fstab are none of it.
  size_t WithoutWrapper(const Signs& signs) {
    const size_t at = signs.end;
    if (at >= given_.size() || !At(at + 1).IsLetter()) return at;
    const size_t wrapper = kOpenMarks.find(given_[at]);
    const bool is_wrapped =
        wrapper != kOpenMarks.npos && given_.find(kCloseMarks[wrapper], at + 1) == WordEnd(at) - 1;
    const bool is_path = signs.NameColumn() && kOfPaths.find(given_[at]) != kOfPaths.npos;
    return is_wrapped || is_path ? at + 1 : at;
  }

  // A letter alone, as in ls -l, is an option, and gcc -I/usr; C++ and C#, x-ray and O'Connor, H&M
  // and n/a are words.
  bool IsOption(size_t at) const {
    const Char first = At(at), second = At(at + first.size);
    const bool is_joint = std::u32string_view(U"-.'&\u2019\u2010\u2011").find(second.sign) !=
                          std::u32string_view::npos;
    const size_t third_at = at + first.size + second.size;
    const bool is_letter_again = second.sign == '/' && !At(third_at + At(third_at).size).IsInWord();
    const bool goes_on = (is_joint || is_letter_again) && At(third_at).IsInWord();
    const bool is_alone =
        !second.IsInWord() && second.sign != '+' && second.sign != '#' && !goes_on;
    return first.point < 0x80 && first.IsLetter() && is_alone;
  }

  // Where German and its like leave out what two words share: Damenschuhe und -stiefel.
  bool IsBehindAnd() const {
    size_t end = at_;
    while (end > 0 && CharBefore(given_, end).IsBlank()) end -= CharBefore(given_, end).size;
    size_t begin = end;
    while (begin > 0 && end - begin <= kLongestAnd && !CharBefore(given_, begin).IsBlank())
      begin -= CharBefore(given_, begin).size;
    std::string_view word = given_.substr(begin, end - begin);
    if (word.ends_with('.')) word.remove_suffix(1);
    return std::any_of(std::begin(kAnd), std::end(kAnd),
                       [&](std::string_view one) { return IsSameName(word, one); });
  }

  // Whether there is one before the end, or before a sign for degrees, as in 18°C. at: never before
  // those of earlier calls.
  bool HasLetter(size_t at, size_t end) {
    if (at < no_letter_before_) return false;
    constexpr std::u32string_view kDegrees =
        U"\u00B0\u00BA\u02DA";  // º is what many keyboards have
    const auto is_degree = [&] { return kDegrees.find(At(at).point) != kDegrees.npos; };
    for (; at < end && !is_degree(); at += At(at).size) {
      if (At(at).IsLetter()) return true;
    }
    no_letter_before_ = at;
    return false;
  }

  // Of the column whose name stands there, followed by ":"; SIZE_MAX where none does.
  size_t ColumnAt(size_t at) const {
    const auto is_there = [&](const std::string& column) {
      const std::string_view rest = Rest(at);
      return rest.size() > column.size() && IsSameName(rest.substr(0, column.size()), column) &&
             At(at + column.size()).sign == ':';
    };
    const auto found = std::find_if(columns_.begin(), columns_.end(), is_there);
    return found == columns_.end() ? SIZE_MAX : static_cast<size_t>(found - columns_.begin());
  }

  // Where the mark stands that closes the quotation which begins there; 0 where no quotation does,
  // or where it has no word.
  size_t QuoteEnd(size_t at) const {
    const Char mark = At(at);
    const auto quotes = std::find_if(std::begin(kQuotes), std::end(kQuotes),
                                     [&](const Quotes& one) { return one.open == mark.point; });
    if (quotes == std::end(kQuotes)) return 0;
    bool has_word = false;
    for (size_t end = at + mark.size; end < given_.size();) {
      const Char c = At(end);
      // Within a word it is the sign of a Hebrew abbreviation.
      const bool is_in_hebrew = (c.point == '"' || c.point == kGershayim) &&
                                IsHebrew(CharBefore(given_, end).point) &&
                                IsHebrew(At(end + c.size).point);
      if (!is_in_hebrew &&
          quotes->close.find(static_cast<char32_t>(c.point)) != quotes->close.npos) {
        const Char next = At(end + c.size);
        return has_word && (!next.IsInWord() || HasNoBlanks(next)) ? end : 0;
      }
      // Here another one begins: so no part of a text is looked at more than once for each kind of
      // marks.
      if (!is_in_hebrew && c.point == quotes->open) return 0;
      has_word |= c.IsInWord() || c.IsLetterOrSymbol();
      end += c.size;
    }
    return 0;
  }

  const std::string_view given_;
  const std::span<const std::string> columns_;
  const Overview seen_;
  const bool heeds_not_;
  bool is_beginning_ = true;  // nothing was read but blanks and (
  size_t at_ = 0, word_end_ = 0;
  size_t no_letter_before_ = 0;  // from the last place that HasLetter was asked for on
  ReadQuestion question_;
};

}  // namespace

std::string_view LastWord(std::string_view text) {
  size_t begin = text.size();
  while (begin > 0) {
    const Char c = CharBefore(text, begin);
    const bool is_apostrophe = c.point >= 0x2BB && c.point <= 0x2BF;  // a letter to Unicode
    if (!c.IsInWord() || is_apostrophe) break;
    begin -= c.size;
  }
  return text.substr(begin);
}

ReadQuestion ReadSearchField(std::string_view given, std::span<const std::string> columns) {
  const std::string text = WithoutDirections(given);
  return FieldReader(text, columns).Read();
}

}  // namespace s2v::search
