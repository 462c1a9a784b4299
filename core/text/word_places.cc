#include "core/text/word_places.h"

#include <algorithm>

#include "core/text/languages.h"
#include "core/text/plain_letters.h"
#include "core/text/spelled_names.h"
#include "core/text/unicode_chars.h"

namespace s2v {
namespace {

constexpr uint32_t kZeroWidthJoiner = 0x200D;

struct PlacedChar {
  size_t size = 1;
  uint32_t point = 0;
  CharKind kind = CharKind::kSpace;
  bool vanishes = false;  // as a soft hyphen does
  bool is_unspaced = false;
  AttachingScript script = AttachingScript::kNone;
  char joins = 0;  // ' . or , however written

  bool IsWord() const { return IsWordKind(kind) || is_unspaced; }
  bool IsLike(const PlacedChar& other) const {
    return is_unspaced == other.is_unspaced && script == other.script;
  }
};

PlacedChar CharAt(std::string_view text, size_t at, const ReadingRules& rules) {
  PlacedChar c;
  if (at >= text.size()) return c;
  const char byte = text[at];
  if (static_cast<signed char>(byte) >= 0) {
    c.kind = kAsciiKinds[static_cast<unsigned char>(byte)];
    if (byte == '\'' || byte == '.' || byte == ',') c.joins = byte;
    return c;
  }
  uint32_t point = 0;
  const size_t size = DecodeUtf8(text, at, &point);
  if (size == 0) return c;
  c.size = size;
  c.point = point;
  const CharEntry entry = char_table[point];
  c.kind = entry.fate == CharFate::kSeparate ? CharKind::kSpace : entry.kind;
  // Armenian marks within words
  c.vanishes =
      entry.fate == CharFate::kVanish || point == 0x55B || point == 0x55C || point == 0x55E;
  c.is_unspaced = c.kind == CharKind::kUnspaced;
  if (rules.parts_scripts && c.kind == CharKind::kLetter) c.script = AttachingScriptOf(point);
  const bool is_joint = entry.fate == CharFate::kKeep &&
                        (entry.mapped == '\'' || entry.mapped == '.' || entry.mapped == ',');
  if (is_joint) c.joins = static_cast<char>(entry.mapped);
  return c;
}

bool PartsTime(std::string_view text, size_t at, const ReadingRules& rules) {
  return (rules.parts_times && IsOfTime(text, at)) ||
         (rules.parts_amounts && IsBeforeFraction(text, at));
}

// Whether a word that began before ends there.
bool EndsWord(std::string_view text, size_t begin, size_t at, const ReadingRules& rules) {
  return PartsTime(text, at, rules) || (at > begin && rules.parts_amounts && PartsAmount(text, at));
}

// The end of the run or word that begins there with `first`. Characters that vanish do not belong
// to it at its end.
size_t WordEnd(std::string_view text, size_t begin, const PlacedChar& first,
               const ReadingRules& rules) {
  const bool is_usual = first.IsLike(PlacedChar());
  size_t end = begin;
  CharKind last = CharKind::kSpace;  // the kind of the last character that is not a mark
  for (size_t at = begin; at < text.size();) {
    // The usual case first.
    while (is_usual && at < text.size() && IsAsciiLetter(text[at]) && at - begin < kMaxWordBytes &&
           !EndsWord(text, begin, at, rules)) {
      end = ++at;
      last = CharKind::kLetter;
    }
    if (at == text.size() || EndsWord(text, begin, at, rules)) break;
    const PlacedChar c = CharAt(text, at, rules);
    const bool is_digit =
        is_usual && c.point >= 0x80 && DigitOfWord(text.substr(begin, at - begin), c.point) >= 0;
    const bool belongs = c.kind == CharKind::kMark || is_digit || (c.IsWord() && c.IsLike(first));
    const CharKind joined = c.joins == '\'' ? CharKind::kLetter : CharKind::kDigit;
    const bool joins =
        c.joins != 0 && last == joined && CharAt(text, at + c.size, rules).kind == joined;
    if (!(belongs || joins || c.vanishes) || at + c.size - begin > kMaxWordBytes) break;
    if (belongs && c.kind != CharKind::kMark) last = c.kind;
    // it may be part of the last letter
    const bool is_joined = c.point == kZeroWidthJoiner && end == at;
    at += c.size;
    if (belongs || is_joined) end = at;
  }
  return end;
}

enum class Parting { kNothing, kPunctuation, kJoint, kBlank };
// What a character of a text is to the words around it. A joint, as an apostrophe, a hyphen or a
// slash, stands between two words, if the tokenizer cuts there.
Parting PartingOf(uint32_t c, bool has_all_forms) {
  if (c < 0x80) {
    if (std::string_view("'-/+:=|&;").find(static_cast<char>(c)) != std::string_view::npos)
      return Parting::kJoint;
    if (c <= ' ') return Parting::kBlank;
    return IsPunctuationMark(c) || c == '_' || c == 0x7F ? Parting::kPunctuation
                                                         : Parting::kNothing;
  }
  if (has_all_forms && c >= 0x2BB && c <= 0x2BF) return Parting::kJoint;
  const CharEntry entry = char_table[c];
  const bool is_dash = c >= 0x2010 && c <= 0x2015;
  if (is_dash || (entry.fate == CharFate::kKeep && (entry.mapped == '\'' || entry.mapped == '-')))
    return Parting::kJoint;
  if (entry.fate == CharFate::kSeparate) return Parting::kBlank;
  return entry.kind == CharKind::kSingle && IsPunctuationMark(c) ? Parting::kPunctuation
                                                                 : Parting::kNothing;
}

}  // namespace

std::vector<WordPlace> FindWords(std::string_view text, const ReadingRules& rules) {
  std::vector<WordPlace> words;
  for (size_t at = 0; at < text.size();) {
    const PlacedChar c = CharAt(text, at, rules);
    const bool is_symbol = c.kind == CharKind::kSingle && !IsPunctuationMark(c.point);
    if (c.vanishes || !(c.IsWord() || is_symbol || c.kind == CharKind::kRegional) ||
        PartsTime(text, at, rules)) {
      at += c.size;
      continue;
    }
    if (is_symbol || c.kind == CharKind::kRegional) {
      words.push_back({at, at + c.size, false});
      at += c.size;
      const PlacedChar next = CharAt(text, at, rules);
      if (c.kind != CharKind::kRegional || next.kind != c.kind) continue;
      words.back().end = at += next.size;  // a flag
      continue;
    }
    const bool is_run = ScriptOf(text.substr(at, c.size)) == Script::kUnspaced;
    WordPlace word{at, std::max(WordEnd(text, at, c, rules), at + c.size), is_run};
    const std::string_view letters = text.substr(at, word.end - at);
    if (letters.size() == 1 && IsAsciiLetter(letters[0])) {
      const std::string_view next = text.substr(word.end, 2);
      word.end += next == "++" ? 2 : next.starts_with('#') ? 1 : 0;
    }
    if (at > 0 && IsNet(text, at - 1)) word.begin--;
    words.push_back(word);
    at = word.end;
  }
  return words;
}

void ForEachBareWord(std::string_view text, const ReadingRules& rules,
                     const std::function<bool(size_t begin, size_t end)>& use) {
  // of the word, as far as it was read; end: behind what is no punctuation
  size_t begin = 0, end = 0;
  bool is_word = false;
  for (size_t at = 0; at <= text.size();) {
    uint32_t c = ' ';
    size_t size = 1;
    if (at < text.size()) size = DecodeUtf8(text, at, &c);
    const Parting parting = size == 0 ? Parting::kNothing : PartingOf(c, rules.has_all_forms);
    size = std::max<size_t>(size, 1);
    if (parting == Parting::kNothing) {
      if (!is_word) begin = at;
      is_word = true;
      end = at + size;
    } else if (parting != Parting::kPunctuation) {
      if (is_word && !use(begin, end)) return;
      is_word = false;
    }
    at += size;
  }
}

std::string_view UnbrokenRunAt(std::string_view text, size_t place) {
  size_t from = 0;
  for (size_t at = 0; at < text.size();) {
    uint32_t c = 0;
    const size_t size = DecodeUtf8(text, at, &c);
    const bool is_blank = size > 0 && PartingOf(c, /*has_all_forms=*/false) == Parting::kBlank;
    if (is_blank && at > place) return text.substr(from, at - from);
    at += std::max<size_t>(size, 1);
    if (is_blank) from = at;
  }
  return text.substr(from);
}

bool IsOfLetters(std::string_view run) {
  const uint32_t c = FirstPoint(run);
  return (c >= 0x0E00 && c <= 0x0EFF) || (c >= 0x1000 && c <= 0x109F) ||
         (c >= 0x1780 && c <= 0x17FF);
}

std::vector<size_t> CharacterPlaces(std::string_view run) {
  std::vector<size_t> places;
  for (size_t at = 0; at < run.size();) {
    uint32_t point = 0;
    const size_t size = DecodeUtf8(run, at, &point);
    const CharEntry c = char_table[point];
    if (places.empty() || (c.kind != CharKind::kMark && c.fate != CharFate::kVanish))
      places.push_back(at);
    at += std::max<size_t>(size, 1);
  }
  places.push_back(run.size());
  return places;
}

std::pair<size_t, size_t> WithWholeClusters(std::string_view text, size_t begin, size_t end) {
  constexpr size_t kMostBytesOfCluster = 64;
  // the next letter stands below the last one
  constexpr int32_t kCoeng = 0x17D2, kBurmeseVirama = 0x1039;
  size_t at = begin - std::min(begin, kMostBytesOfCluster);
  while (at < begin && IsInCharacter(text[at])) at++;
  size_t start = at;
  int32_t last = 0, state = 0;
  for (bool is_first = true; at < text.size() && at < end + kMostBytesOfCluster; is_first = false) {
    uint32_t point = 0;
    const size_t size = DecodeUtf8(text, at, &point);
    const auto c = static_cast<int32_t>(size == 0 ? ' ' : point);
    const bool is_border = is_first || (utf8proc_grapheme_break_stateful(last, c, &state) &&
                                        last != kCoeng && last != kBurmeseVirama);
    if (is_border && at <= begin) start = at;
    if (is_border && at >= end) return {start, at};
    last = c;
    at += std::max<size_t>(size, 1);
  }
  return {start, std::min(at, text.size())};
}

size_t WholeCharacters(std::string_view text, size_t size) {
  if (size >= text.size()) return text.size();
  // Back over the bytes that follow another in a character.
  for (size_t back = 0; back < kMaxUtf8Bytes && back < size; back++) {
    if (!IsInCharacter(text[size - back])) return size - back;
  }
  return size;
}

}  // namespace s2v
