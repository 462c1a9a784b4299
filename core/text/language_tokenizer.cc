// The tokenizer profiles of languages: `german`, `french`, ..., several as `german+russian`, and `neutral`, which
// has none. `english` alone is another profile; `english+neutral` is English by these rules.
//
//   Die Häuser der C++-Gruppe in 東京都   ->   die haus der cplusplus grupp in 東京 京都 東 京 都
//
// A. Names are spelled out: C++ and other single letters with ++ become cplusplus, C# csharp, .NET dotnet; in an index
//    without parts of words behind camelCase follow camel and case, in all letters that have capitals. (Among words they would count twice, which costs a German
//    embedding a point, and nDCG@10 of an index 0.2.)
// B. The text is cut by the rules of `unicode`, but that characters of scripts without blanks stay together, and that words end
//    where Hangul, Hebrew or Arabic letters meet other ones (CutRuns): AI를 is ai and 를.
//  B1. Punctuation is left out, and arrows, operators, boxes and shapes (U+2190 to U+25FF), which stand between words as it
//      does; _ separates, and so does ' in all languages but English.
//  B2. A run of a script without blanks, or a word of Hangul, becomes its overlapping pairs of characters, with their
//      marks; a single character stays. Lucene's CJKAnalyzer does the same. In a model the run's Han characters follow them, each
//      alone: they have meanings, and a pair of two words that stand side by side has none.
// C. Characters that are the same to a reader become one: compatible ones the ordinary (ﬁ to fi), digits of all scripts those of
//    ASCII, Persian and Urdu kaf, ye and he the Arabic ones, U+02BC an apostrophe. In Turkish I is the capital of ı.
// D. A word in the script of one of the profile's languages becomes its stem by Snowball, in English, where accents are left
//    out before, by the rules of `english`. Where several have that script, the text's language is the one whose common words (languages.h) it has
//    most of; where none is clearly ahead, the word's stems in all of them stand there, so that the text is found in
//    whatever language a question is read.
// E. Accents, vowel marks and the like are left out: é to e, ß to ss, ø to o, أ to ا; those of Indic scripts stay, but for the dot
//    nukta, and й.
//
// Parts of words, for the words of an index alone: of a word between < and > all strings of 4 characters, of a run each
// single character; kPartMark stands before them. What they are worth: docs/languages.md.
#include <libstemmer.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/text/languages.h"
#include "core/text/spelling.h"
#include "core/text/tokenizer.h"
#include "core/text/unicode_chars.h"
#include "core/text/word_places.h"
#include "core/vocab/hash.h"

namespace s2v {

void CutEnglish(std::string_view text, Tokens* tokens);  // english_tokenizer.cc
void CutFormerEnglish(std::string_view text, Tokens* tokens);
size_t StemEnglish(char* token, size_t size);
void CutRuns(std::string_view text, bool parts_scripts, Tokens* tokens);  // unicode_tokenizer.cc

namespace {

constexpr size_t kPartCharacters = 4;
// A text is of a language if it has at least two of that language's common words, and half as many again as of the next language.
constexpr double kLeastEvidence = 1.5, kAhead = 1.5;
constexpr std::string_view kEnglish = "english", kTurkish = "turkish";

// What differs between the rules above and those before them, which are kept for what was made by them.
struct Rules {
  bool pieces_in_models;   // A: camel and case follow camelCase in models too
  bool leaves_out_shapes;  // B1
  bool has_han_alone;      // B2
  bool parts_scripts;      // B
  bool has_ordinary;       // C, the English stems of D, and nukta
  bool has_all_letters;    // A: camelCase beyond ASCII
};
// By version, the oldest first; the last ones are those above.
constexpr Rules kRules[] = {
    {.pieces_in_models = true, .leaves_out_shapes = false, .has_han_alone = false,
     .parts_scripts = false, .has_ordinary = false, .has_all_letters = false},
    {.pieces_in_models = false, .leaves_out_shapes = true, .has_han_alone = false,
     .parts_scripts = false, .has_ordinary = false, .has_all_letters = false},
    {.pieces_in_models = false, .leaves_out_shapes = true, .has_han_alone = true,
     .parts_scripts = false, .has_ordinary = false, .has_all_letters = false},
    {.pieces_in_models = false, .leaves_out_shapes = true, .has_han_alone = true,
     .parts_scripts = true, .has_ordinary = true, .has_all_letters = false},
    {.pieces_in_models = false, .leaves_out_shapes = true, .has_han_alone = true,
     .parts_scripts = true, .has_ordinary = true, .has_all_letters = true},
};

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
  if (IsAsciiLetter(byte)) return {LowerAscii(byte) == byte ? CamelKind::kSmall : CamelKind::kCapital};
  if (static_cast<signed char>(byte) >= 0) return {IsAsciiWord(byte) ? CamelKind::kOther : CamelKind::kNone};
  uint32_t c = 0;
  const size_t size = has_all_letters ? DecodeUtf8(text.data() + at, text.data() + text.size(), &c) : 0;
  if (size == 0 || !IsWordKind(KindOf(c))) return {};
  if (KindOf(c) == CharKind::kMark) return {CamelKind::kMark, size};
  switch (utf8proc_category(static_cast<int32_t>(c))) {
    case UTF8PROC_CATEGORY_LL: return {CamelKind::kSmall, size};
    case UTF8PROC_CATEGORY_LU: return {CamelKind::kCapital, size};
    default: return {CamelKind::kOther, size};
  }
}

// Returns the end of the word that begins there; *capitals: where in it a capital follows a small letter.
size_t ReadCamelWord(std::string_view text, size_t begin, bool has_all_letters, std::vector<size_t>* capitals) {
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

// Rule A. Returns text, or what it becomes, in *spelled. has_all_letters: of camelCase.
std::string_view SpellNames(std::string_view text, bool with_pieces, bool has_all_letters, std::string* spelled) {
  spelled->clear();
  size_t copied = 0;  // of text
  const auto replace = [&](size_t from, size_t to, std::string_view by) {
    *spelled += text.substr(copied, from - copied);
    *spelled += by;
    copied = to;
  };
  const auto is_word = [&](size_t i) { return i < text.size() && IsAsciiWord(text[i]); };
  std::vector<size_t> capitals;
  size_t word_end = 0;  // of the word that was looked at last
  for (size_t i = 0; i < text.size(); i++) {
    const char c = text[i];
    if (c == '+' || c == '#') {
      const bool is_letter = i > 0 && IsAsciiLetter(text[i - 1]) && (i < 2 || !is_word(i - 2));
      const size_t size = c == '+' ? 2 : 1;
      if (is_letter && text.substr(i, size) == (c == '+' ? "++" : "#") && !is_word(i + size)) {
        replace(i, i + size, c == '+' ? "plusplus " : "sharp ");
      }
    } else if (c == '.') {
      const std::string_view next = text.substr(i + 1, 3);
      const bool is_net = next == "NET" || next == "Net" || next == "net";
      if (is_net && (i == 0 || !is_word(i - 1)) && !is_word(i + 4)) replace(i, i + 1, "dot");
    } else if (with_pieces && i >= word_end) {
      const size_t end = ReadCamelWord(text, i, has_all_letters, &capitals);
      word_end = std::max(end, i + 1);
      if (capitals.empty()) continue;
      // A word's parts follow it, once.
      std::string parts(text.substr(i, end - i));
      size_t begin = i;
      for (const size_t capital : capitals) {
        parts += ' ';
        parts += text.substr(begin, capital - begin);
        begin = capital;
      }
      parts += ' ';
      parts += text.substr(begin, end - begin);
      parts += ' ';
      replace(i, end, parts);
    }
  }
  if (copied == 0) return text;
  *spelled += text.substr(copied);
  return *spelled;
}

bool IsFrom(int32_t c, int32_t first, int32_t last) {
  return c >= first && c <= last;
}

// Blocks of letters with accents and of compatible characters.
bool HasForms(int32_t c) {
  return IsFrom(c, 0xC0, 0x24F) || IsFrom(c, 0x370, 0x3FF) || IsFrom(c, 0x1E00, 0x1FFF) || IsFrom(c, 0x2070, 0x218F) ||
         IsFrom(c, 0xFB00, 0xFDFF) || IsFrom(c, 0xFE70, 0xFEFF) || IsFrom(c, 0x1D400, 0x1D7FF);
}

constexpr size_t kLongestForm = 32;
// What the character is made of, in small letters; 0 where that is not known.
size_t FormOf(int32_t c, int32_t (&form)[kLongestForm]) {
  constexpr auto kForm = static_cast<utf8proc_option_t>(UTF8PROC_DECOMPOSE | UTF8PROC_COMPAT | UTF8PROC_CASEFOLD);
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

// Rule C, of a word that is not ASCII alone. Blanks may be in it: ﷺ is four words.
std::string Ordinary(std::string_view word) {
  struct Letter {
    int32_t from;
    std::string_view to;
  };
  static constexpr Letter kLetters[] = {{0x2BC, "'"},         {0x587, "\xD5\xA5\xD6\x82"}, {0x6A9, "\xD9\x83"},
                                        {0x6CC, "\xD9\x8A"}, {0x6C0, "\xD9\x87"},         {0x6C1, "\xD9\x87"}};
  std::string ordinary;
  bool is_decomposed = false;
  for (const int32_t c : DecodePoints(word)) {
    const auto* letter = std::find_if(std::begin(kLetters), std::end(kLetters), [c](const Letter& one) { return one.from == c; });
    if (letter != std::end(kLetters)) {
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
  const auto size = utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(ordinary.data()), static_cast<ptrdiff_t>(ordinary.size()),
                                 &composed, static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_COMPOSE));
  if (size < 0) throw std::bad_alloc();  // there is no other reason: the bytes are UTF-8
  const std::unique_ptr<utf8proc_uint8_t, decltype(&std::free)> owner(composed, &std::free);
  return std::string(reinterpret_cast<const char*>(composed), static_cast<size_t>(size));
}

// Rule E, of a character.
void AppendPlain(int32_t c, std::string* out) {
  const auto is_from = [c](int32_t first, int32_t last) { return IsFrom(c, first, last); };
  struct Letter {
    int32_t from;
    std::string_view to;
  };
  static constexpr Letter kLetters[] = {
      {0xDF, "ss"},      {0xE6, "ae"},      {0xF0, "d"},       {0xF8, "o"},      {0xFE, "th"},
      {0x111, "d"},      {0x131, "i"},      {0x142, "l"},      {0x153, "oe"},    {0x451, "\xD0\xB5"},
      {0x622, "\xD8\xA7"}, {0x623, "\xD8\xA7"}, {0x625, "\xD8\xA7"}, {0x671, "\xD8\xA7"},
      {0x629, "\xD9\x87"}, {0x649, "\xD9\x8A"}, {0x640, ""}};
  for (const Letter& letter : kLetters) {
    if (letter.from == c) {
      *out += letter.to;
      return;
    }
  }
  const bool is_mark = is_from(0x300, 0x36F) || is_from(0x591, 0x5C7) || is_from(0x64B, 0x65F) ||
                       c == 0x670 || is_from(0x6D6, 0x6ED);
  if (is_mark) return;
  int32_t form[kLongestForm];
  const size_t size = HasForms(c) ? FormOf(c, form) : 0;
  if (size == 0) return AppendPoint(c, out);
  for (size_t i = 0; i < size; i++) {
    if (!IsFrom(form[i], 0x300, 0x36F)) AppendPoint(form[i], out);
  }
}

std::string Plain(std::string_view word, bool keeps_nukta) {
  constexpr int32_t kNukta = 0x93C;
  if (IsAscii(word)) return std::string(word);
  std::string plain;
  for (const int32_t c : DecodePoints(word)) {
    if (c != kNukta || keeps_nukta) AppendPlain(c, &plain);
  }
  return plain;
}

// The word as other languages have it.
std::string WithDottedI(std::string_view word) {
  std::string dotted(word);
  for (size_t at = 0; (at = dotted.find(kDotlessI, at)) != dotted.npos; at++) dotted.replace(at, kDotlessI.size(), "i");
  return dotted;
}

bool IsPunctuation(std::string_view token) {
  uint32_t c = 0;
  DecodeUtf8(token.data(), token.data() + token.size(), &c);
  if (c < 0x80) return kAsciiKinds[c] == CharKind::kPunctuation;
  const auto category = utf8proc_category(static_cast<int32_t>(c));
  return category >= UTF8PROC_CATEGORY_PC && category <= UTF8PROC_CATEGORY_PO;
}

bool IsHan(uint32_t c) {
  const auto is_from = [c](uint32_t first, uint32_t last) { return c >= first && c <= last; };
  return is_from(0x3400, 0x4DBF) || is_from(0x4E00, 0x9FFF) || is_from(0xF900, 0xFAFF) || is_from(0x20000, 0x3FFFF);
}

bool IsShape(std::string_view token) {
  uint32_t c = 0;
  DecodeUtf8(token.data(), token.data() + token.size(), &c);
  return c >= 0x2190 && c <= 0x25FF;
}

// A language's stemmer is Snowball's. English has that of the profile `english`, so that English texts are cut among others as they are
// alone.
class Stemmer {
 public:
  explicit Stemmer(std::string_view language)
      : is_english_(language == kEnglish),
        snowball_(is_english_ ? nullptr : sb_stemmer_new(std::string(language).c_str(), "UTF_8")) {}
  bool is_there() const { return is_english_ || snowball_; }
  // The stem is good until the next call. REQUIRES: is_there.
  std::string_view StemOf(std::string_view word) {
    if (is_english_) {
      word_ = word;
      return {word_.data(), StemEnglish(word_.data(), word_.size())};
    }
    const auto* stem = sb_stemmer_stem(snowball_.get(), reinterpret_cast<const sb_symbol*>(word.data()),
                                       static_cast<int>(word.size()));
    if (stem == nullptr) throw std::bad_alloc();
    return {reinterpret_cast<const char*>(stem), static_cast<size_t>(sb_stemmer_length(snowball_.get()))};
  }

 private:
  struct Delete {
    void operator()(sb_stemmer* stemmer) const { sb_stemmer_delete(stemmer); }
  };
  bool is_english_;
  std::string word_;
  std::unique_ptr<sb_stemmer, Delete> snowball_;
};

// A version has a hash of stems, since another libstemmer may give other ones: the stems of each language's common words, each with the
// next one at its end.
int VersionOf(const std::vector<const Language*>& languages, size_t rules) {
  std::string stems;
  for (const Language* language : languages) {
    Stemmer stemmer(language->name);
    const std::string_view words = language->common_words;
    for (size_t at = 0; at < words.size();) {
      const size_t blank = std::min(words.find(' ', at), words.size());
      const size_t next = std::min(words.find(' ', std::min(blank + 1, words.size())), words.size());
      std::string word(words.substr(at, next - at));
      std::erase(word, ' ');
      stems += stemmer.StemOf(word);
      stems += ' ';
      at = blank + 1;
    }
  }
  // In a version before kRules, a text of no clear language was of the first of several.
  const int version = (languages.size() > 1 ? 2 : 1) + static_cast<int>(rules);
  const uint64_t hash = XXH3_64bits(stems.data(), stems.size());
  return languages.empty() ? version : version << 24 | static_cast<int>(hash & 0xffffff);
}

class LanguageTokenizer : public Tokenizer {
 public:
  // rules: a place in kRules.
  LanguageTokenizer(std::string_view name, std::vector<const Language*> languages, size_t rules = std::size(kRules) - 1)
      : Tokenizer(name, VersionOf(languages, rules)), languages_(std::move(languages)), rules_(kRules[rules]) {
    if (rules > 0) former_ = std::make_unique<LanguageTokenizer>(name, languages_, rules - 1);
    for (const Language* one : languages_) {
      for (const Language& entry : Languages()) {
        if (entry.name == one->name) stemmed_[entry.script].push_back(IndexOf(one));
      }
    }
    for (const auto& [script, sharing] : stemmed_) shares_script_ |= sharing.size() > 1;
    for (const Language* one : languages_) has_dotless_i_ |= one->name == kTurkish && rules_.has_ordinary;
  }

  const Tokenizer* former() const override { return former_.get(); }
  bool parts_scripts() const override { return rules_.parts_scripts; }
  bool HasDotlessI(std::string_view text) const override {
    return has_dotless_i_ && (languages_.size() == 1 || LanguageOf(text) == kTurkish);
  }

  void Tokenize(std::string_view text, Tokens* tokens) const override {
    Cut(text, /*is_index=*/false, /*with_parts=*/false, tokens);
  }
  void CutTerms(std::string_view text, bool with_parts, Tokens* terms) const override {
    Cut(text, /*is_index=*/true, with_parts, terms);
  }
  // By two different words that no other of the languages has among its common ones. One is too few: "in" is German too, though not among
  // those.
  std::string_view LanguageOf(std::string_view text) const override {
    if (languages_.size() < 2) return "";
    Tokens runs;
    CutRuns(text, rules_.parts_scripts, &runs);
    std::set<std::string_view> words;
    for (size_t i = 0; i < runs.size(); i++) words.insert(runs[i]);
    std::vector<double> evidence(languages_.size()), of_word(Languages().size());
    for (const std::string_view word : words) {
      std::fill(of_word.begin(), of_word.end(), 0.0);
      AddCommon(word, &of_word);
      const auto has_word = [&](const Language* language) { return of_word[Place(language)] > 0; };
      if (std::count_if(languages_.begin(), languages_.end(), has_word) != 1) continue;
      const auto only = std::find_if(languages_.begin(), languages_.end(), has_word);
      evidence[static_cast<size_t>(only - languages_.begin())] += of_word[Place(*only)];
    }
    const auto best = std::max_element(evidence.begin(), evidence.end());
    const double most = std::exchange(*best, 0);
    const Language* language = languages_[static_cast<size_t>(best - evidence.begin())];
    const bool is_clear = most * language->share > kLeastEvidence &&
                          most > kAhead * *std::max_element(evidence.begin(), evidence.end());
    return is_clear ? language->name : "";
  }

 private:
  // What a thread needs to cut: libstemmer's objects are not shared.
  struct Scratch : TokenScratch {
    const LanguageTokenizer* owner = nullptr;
    std::vector<Stemmer> stemmers;  // [languages_]
    Tokens runs;
    std::string spelled, with_dotless_i;
  };

  static size_t Place(const Language* language) { return static_cast<size_t>(language - Languages().data()); }
  size_t IndexOf(const Language* language) const {
    return static_cast<size_t>(std::find(languages_.begin(), languages_.end(), language) -
                               languages_.begin());
  }

  Scratch* ScratchOf(Tokens* tokens) const {
    auto* scratch = dynamic_cast<Scratch*>(tokens->scratch().get());
    if (scratch != nullptr && scratch->owner == this) return scratch;
    auto made = std::make_unique<Scratch>();
    made->owner = this;
    for (const Language* language : languages_) {
      made->stemmers.emplace_back(language->name);
      if (!made->stemmers.back().is_there()) throw std::bad_alloc();  // it was there before
    }
    scratch = made.get();
    tokens->scratch() = std::move(made);
    return scratch;
  }

  // Of several languages that share a script: the one whose common words the text has, where that is clear; else all of them. evidence: of
  // each language (AddCommon).
  std::span<const size_t> ClearlyOne(const std::vector<size_t>& languages, const std::vector<double>& evidence) const {
    if (languages.size() == 1) return languages;
    double most = 0, next = 0;
    const size_t* best = nullptr;
    for (const size_t& language : languages) {
      const double of = evidence[Place(languages_[language])];
      if (of > most) best = &language;
      next = std::max(next, std::min(most, of));
      most = std::max(most, of);
    }
    const bool is_clear = best != nullptr && most * languages_[*best]->share > kLeastEvidence && most > kAhead * next;
    return is_clear ? std::span(best, 1) : std::span(languages);
  }

  void Cut(std::string_view text, bool is_index, bool with_parts, Tokens* tokens) const {
    Scratch* scratch = ScratchOf(tokens);
    const Tokens& runs = scratch->runs;
    const bool with_pieces = (is_index && !with_parts) || rules_.pieces_in_models;
    std::string_view spelled = SpellNames(text, with_pieces, rules_.has_all_letters, &scratch->spelled);
    if (has_dotless_i_) spelled = WithDotlessI(spelled, &scratch->with_dotless_i);
    CutRuns(spelled, rules_.parts_scripts, &scratch->runs);
    std::vector<double> evidence;
    if (shares_script_) {
      evidence.resize(Languages().size());
      for (size_t i = 0; i < runs.size(); i++) {
        if (has_dotless_i_) {
          AddCommon(WithDottedI(runs[i]), &evidence);
        } else {
          AddCommon(runs[i], &evidence);
        }
      }
    }
    tokens->Clear();
    std::string ordinary;
    for (size_t i = 0; i < runs.size(); i++) {
      if (IsPunctuation(runs[i]) || (rules_.leaves_out_shapes && IsShape(runs[i]))) continue;
      std::string_view run = runs[i];
      Script script = ScriptOf(run);
      if (script == Script::kUnspaced) {
        AddPairs(run, with_parts, tokens);
        if (!is_index && rules_.has_han_alone) AddHan(run, tokens);
        continue;
      }
      if (rules_.has_ordinary && !IsAscii(run)) {
        run = ordinary = Ordinary(run);
        script = ScriptOf(run);
      }
      const auto stemmed = stemmed_.find(script);
      const bool has_stems = stemmed != stemmed_.end();
      AddWords(run, has_stems ? ClearlyOne(stemmed->second, evidence) : std::span<const size_t>(), scratch, with_parts,
               tokens);
    }
  }

  std::string Plain(std::string_view word) const { return s2v::Plain(word, /*keeps_nukta=*/!rules_.has_ordinary); }

  std::string StemOf(std::string_view word, size_t language, Scratch* scratch) const {
    Stemmer& stemmer = scratch->stemmers[language];
    const bool is_english = languages_[language]->name == kEnglish;
    return Plain(stemmer.StemOf(is_english && rules_.has_ordinary ? Plain(word) : word));
  }

  // A word, or several that _, ' or a blank separate: its stem in each of the languages.
  void AddWords(std::string_view token, std::span<const size_t> languages, Scratch* scratch,
                bool with_parts, Tokens* tokens) const {
    const bool is_english = languages.size() == 1 && languages_[languages[0]]->name == kEnglish;
    while (!token.empty()) {
      const size_t end = std::min(token.find_first_of(is_english ? "_ " : "_' "), token.size());
      const std::string_view word = token.substr(0, end);
      token.remove_prefix(std::min(end + 1, token.size()));
      if (word.empty()) continue;
      if (languages.empty()) tokens->AddCutFrom(word, Plain(word));
      const size_t first = tokens->size();
      for (const size_t language : languages) {
        const bool has_dotted_i = has_dotless_i_ && languages_[language]->name != kTurkish;
        const std::string dotted = has_dotted_i ? WithDottedI(word) : "";
        const std::string_view form = has_dotted_i ? dotted : word;
        const std::string stem = StemOf(form, language, scratch);
        bool is_new = true;
        for (size_t i = first; i < tokens->size(); i++) is_new = is_new && (*tokens)[i] != stem;
        if (is_new) tokens->AddCutFrom(form, stem);
      }
      if (with_parts) AddParts(Plain(word), tokens);
    }
  }

  static void AddParts(std::string_view word, Tokens* tokens) {
    const std::string marked = "<" + std::string(word) + ">";
    std::vector<size_t> starts;
    for (size_t i = 0; i <= marked.size(); i++) {
      if (i == marked.size() || (marked[i] & 0xC0) != 0x80) starts.push_back(i);
    }
    for (size_t i = 0; i + kPartCharacters < starts.size(); i++) {
      AddPart(std::string_view(marked).substr(starts[i], starts[i + kPartCharacters] - starts[i]),
              tokens);
    }
  }
  static void AddPart(std::string_view part, Tokens* tokens) {
    tokens->bytes() += kPartMark;
    tokens->Add(part);
  }

  static void AddPairs(std::string_view run, bool with_parts, Tokens* tokens) {
    const std::vector<size_t> starts = CharacterPlaces(run);
    const size_t count = starts.size() - 1;
    if (count == 1) tokens->Add(run);
    for (size_t i = 0; i < count; i++) {
      if (with_parts) AddPart(run.substr(starts[i], starts[i + 1] - starts[i]), tokens);
      if (i + 1 < count) tokens->Add(run.substr(starts[i], starts[i + 2] - starts[i]));
    }
  }

  // Of a run that is more than one character.
  static void AddHan(std::string_view run, Tokens* tokens) {
    const std::vector<size_t> starts = CharacterPlaces(run);
    for (size_t i = 0; i + 1 < starts.size() && starts.size() > 2; i++) {
      uint32_t c = 0;
      DecodeUtf8(run.data() + starts[i], run.data() + run.size(), &c);
      if (IsHan(c)) tokens->Add(run.substr(starts[i], starts[i + 1] - starts[i]));
    }
  }

  const std::vector<const Language*> languages_;
  const Rules& rules_;
  std::unique_ptr<const LanguageTokenizer> former_;
  std::map<Script, std::vector<size_t>> stemmed_;  // in languages_, in the order of the name
  bool shares_script_ = false;  // any two of them
  bool has_dotless_i_ = false;  // Turkish is one of them
};

// nullptr where a part of the name is no language with a stemmer, or stands twice; the last part may be `neutral`.
std::unique_ptr<const LanguageTokenizer> MakeLanguageTokenizer(std::string_view name) {
  std::vector<const Language*> languages;
  for (std::string_view rest = name; rest != kNeutralTokenizer;) {
    const size_t end = std::min(rest.find('+'), rest.size());
    const Language* language = FindStemmedLanguage(rest.substr(0, end));
    if (language == nullptr || std::count(languages.begin(), languages.end(), language) > 0) return nullptr;
    if (!Stemmer(language->name).is_there()) return nullptr;  // this libstemmer lacks it
    languages.push_back(language);
    if (end == rest.size()) break;
    rest.remove_prefix(end + 1);
  }
  return std::make_unique<LanguageTokenizer>(name, std::move(languages));
}

std::string SpellEnglishTerms(std::string_view text) {
  std::string scratch;
  std::string spelled(SpellNames(text, /*with_pieces=*/true, /*has_all_letters=*/false, &scratch));
  for (char& c : spelled) {
    if (c == '_') c = ' ';
  }
  return spelled;
}

}  // namespace

std::string OrdinaryWithoutAccents(std::string_view word) {
  return Plain(Ordinary(word), /*keeps_nukta=*/false);
}

// The words of an index in English: rule A, and _ separates.
void CutEnglishTerms(std::string_view text, Tokens* tokens) {
  CutEnglish(SpellEnglishTerms(text), tokens);
}
void CutFormerEnglishTerms(std::string_view text, Tokens* tokens) {
  CutFormerEnglish(SpellEnglishTerms(text), tokens);
}

const Tokenizer* FindLanguageTokenizer(std::string_view name) {
  static auto& mutex = *new std::mutex;
  // Never destroyed, as all tokenizers. A name is a choice of languages in some order: as many as anybody gives.
  static auto& made = *new std::map<std::string, std::unique_ptr<const LanguageTokenizer>, std::less<>>;
  constexpr size_t kMostMade = 1000;
  const std::lock_guard lock(mutex);
  const auto found = made.find(name);
  if (found != made.end()) return found->second.get();
  auto tokenizer = made.size() < kMostMade ? MakeLanguageTokenizer(name) : nullptr;
  if (!tokenizer) return nullptr;
  return (made[std::string(name)] = std::move(tokenizer)).get();
}

}  // namespace s2v
