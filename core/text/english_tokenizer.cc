// The tokenizer profile `english`, version 9: the tokens of `unicode`, and of these
//
//   Don't hope; the companies' cafés were hoping!   ->   don't hope the compani cafe were hope
//
//  1. Compatible characters become the ordinary ones, CO₂ CO2 before cutting, and accents are left
//     out, as in the profiles of other languages (core/text/plain_letters.h). A token that would
//     become longer, as Ⅷ would, stays.
//  2. ASCII punctuation and symbols are left out.
//  3. 's at the end of a token is cut off.
//  4. A token of 3 to 64 letters a-z becomes its stem: M. F. Porter's rules ("An algorithm for
//     suffix stripping", Program 14(3), 1980) with the two changes that he made later (bli, logi),
//     applied until nothing changes. So a stem is its own stem, and cutting tokens again gives the
//     same.
//
// All other tokens stay, so a text in another language loses little. FTS5's tokenizer `porter` does
// the same once.
//
// In the terms of an index no punctuation is left, such as – and …; and parts of words are the
// first five letters of a word and the last five, <compa and anies> of companies, or all of a
// shorter one that is not its own stem, <was>. They tell forms of a stem apart, and bring together
// words whose stems differ, as analysis and analyze. What they are worth: docs/languages.md.
//
// Version 1 has no rule 1. Version 2 has nothing of it before cutting, and in the terms of an index
// neither C++ apart from 17 in C++17 nor Connor of O'Connor. In version 3 the pieces of a name
// follow it at once, in the terms of an index, not all of the text. In version 4 an index has no
// parts of words, and has punctuation that is not of ASCII. In version 5 there are no pieces of
// XMLFile and utf8Decoder, nor email of e-mail, among the terms of an index, in version 6 not Oréal
// of L'Oréal, in version 7 no numbers of 21.09.1984, nor 22 of 22T01:02, in version 8 A of mA.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "core/text/plain_letters.h"
#include "core/text/spelled_names.h"
#include "core/text/tokenizer.h"
#include "core/text/unicode_chars.h"

namespace s2v {

void CutUnicode(std::string_view text, Tokens* tokens);  // unicode_tokenizer.cc

namespace {

constexpr size_t kPartLetters = 5;

struct Rule {
  std::string_view suffix, replacement;
};

// The rules of a step by the last letter of their suffixes, which most words rule out; of one
// letter the longest first.
template <size_t kRules>
class RuleTable {
 public:
  constexpr explicit RuleTable(const std::array<Rule, kRules>& rules) : rules_(rules) {
    std::sort(rules_.begin(), rules_.end(), [](const Rule& a, const Rule& b) {
      const char last_a = a.suffix.back(), last_b = b.suffix.back();
      return last_a != last_b ? last_a < last_b : a.suffix.size() > b.suffix.size();
    });
    for (char letter = 'a'; letter <= 'z'; letter++) {
      size_t end = ends_[letter - 'a'];
      while (end < kRules && rules_[end].suffix.back() == letter) end++;
      ends_[letter - 'a' + 1] = static_cast<uint8_t>(end);
    }
  }
  constexpr std::span<const Rule> ForLast(char letter) const {
    const size_t begin = ends_[letter - 'a'];
    return std::span(rules_).subspan(begin, ends_[letter - 'a' + 1] - begin);
  }

 private:
  std::array<Rule, kRules> rules_;
  std::array<uint8_t, 27> ends_ =
      {};  // those of the alphabet's letter i are from ends_[i] to ends_[i + 1]
};

constexpr RuleTable kSecond(std::to_array<Rule>(
    {{"ational", "ate"}, {"tional", "tion"}, {"enci", "ence"},   {"anci", "ance"}, {"izer", "ize"},
     {"logi", "log"},    {"bli", "ble"},     {"alli", "al"},     {"entli", "ent"}, {"eli", "e"},
     {"ousli", "ous"},   {"ization", "ize"}, {"ation", "ate"},   {"ator", "ate"},  {"alism", "al"},
     {"iveness", "ive"}, {"fulness", "ful"}, {"ousness", "ous"}, {"aliti", "al"},  {"iviti", "ive"},
     {"biliti", "ble"}}));
constexpr RuleTable kThird(std::to_array<Rule>({{"icate", "ic"},
                                                {"ative", ""},
                                                {"alize", "al"},
                                                {"iciti", "ic"},
                                                {"ical", "ic"},
                                                {"ful", ""},
                                                {"ness", ""}}));
constexpr RuleTable kFourth(
    std::to_array<Rule>({{"al", ""},   {"ance", ""},  {"ence", ""},  {"er", ""},    {"ic", ""},
                         {"able", ""}, {"ible", ""},  {"ant", ""},   {"ement", ""}, {"ment", ""},
                         {"ent", ""},  {"sion", "s"}, {"tion", "t"}, {"ou", ""},    {"ism", ""},
                         {"ate", ""},  {"iti", ""},   {"ous", ""},   {"ive", ""},   {"ize", ""}}));

// A word that gets shorter, or changes its end. In the comments m is Porter's measure: how often a
// vowel is followed by a consonant.
class Stem {
 public:
  Stem(char* word, size_t size) : word_(word), size_(size) {}

  // Returns the size of the stem.
  size_t Find() {
    while (size_ >= kShortest && Strip()) {
    }
    return size_;
  }

 private:
  static constexpr size_t kShortest = 3;

  // All steps once; false where nothing changed.
  bool Strip() {
    const size_t size = size_;
    const char last = word_[size - 1];
    Plural();
    PastOrGerund();
    if (EndsWith("y") && HasVowel(size_ - 1)) word_[size_ - 1] = 'i';
    ReplaceFirst(kSecond, 0);
    ReplaceFirst(kThird, 0);
    ReplaceFirst(kFourth, 1);
    if (EndsWith("e")) {
      const size_t m = Measure(size_ - 1);
      if (m > 1 || (m == 1 && !EndsShort(size_ - 1))) size_--;
    }
    if (EndsWith("ll") && Measure(size_ - 1) > 1) size_--;
    return size_ != size || word_[size_ - 1] != last;
  }

  void Plural() {
    if (EndsWith("sses") || EndsWith("ies")) {
      size_ -= 2;
    } else if (EndsWith("s") && !EndsWith("ss")) {
      size_--;
    }
  }

  void PastOrGerund() {
    if (EndsWith("eed")) {
      if (Measure(size_ - 3) > 0) size_--;
      return;
    }
    const size_t cut = EndsWith("ed") ? 2 : EndsWith("ing") ? 3 : 0;
    if (cut == 0 || !HasVowel(size_ - cut)) return;
    size_ -= cut;
    const char last = word_[size_ - 1];
    const bool is_double = size_ > 1 && word_[size_ - 2] == last && !IsVowel(size_ - 1);
    if (EndsWith("at") || EndsWith("bl") || EndsWith("iz") ||
        (!is_double && Measure(size_) == 1 && EndsShort(size_))) {
      word_[size_++] = 'e';
    } else if (is_double && last != 'l' && last != 's' && last != 'z') {
      size_--;
    }
  }

  // Applies the rule of the longest suffix that the word has, if the measure of what precedes the
  // suffix is above `above`.
  template <size_t kRules>
  void ReplaceFirst(const RuleTable<kRules>& rules, size_t above) {
    for (const auto& [suffix, replacement] : rules.ForLast(word_[size_ - 1])) {
      if (!EndsWith(suffix)) continue;
      const size_t kept = size_ - suffix.size();
      // The s or t of sion and tion belongs to what is measured.
      const size_t measured = above > 0 ? kept + replacement.size() : kept;
      if (Measure(measured) <= above) return;
      std::memcpy(word_ + kept, replacement.data(), replacement.size());
      size_ = kept + replacement.size();
      return;
    }
  }

  // From the end, where most suffixes differ; a call to compare them would take longer.
  bool EndsWith(std::string_view suffix) const {
    if (suffix.size() > size_) return false;
    const char* end = word_ + size_;
    for (size_t i = suffix.size(); i-- > 0;) {
      if (*--end != suffix[i]) return false;
    }
    return true;
  }

  // y after a consonant is a vowel.
  bool IsVowel(size_t i) const {
    constexpr uint32_t kVowels = 1 << ('a' - 'a') | 1 << ('e' - 'a') | 1 << ('i' - 'a') |
                                 1 << ('o' - 'a') | 1 << ('u' - 'a');
    if (word_[i] == 'y') return i > 0 && !IsVowel(i - 1);
    return (kVowels >> (word_[i] - 'a') & 1) != 0;
  }

  bool HasVowel(size_t size) const {
    for (size_t i = 0; i < size; i++) {
      if (IsVowel(i)) return true;
    }
    return false;
  }

  size_t Measure(size_t size) const {
    size_t m = 0;
    bool was_vowel = false;
    for (size_t i = 0; i < size; i++) {
      const bool is_vowel = word_[i] == 'y' ? i > 0 && !was_vowel : IsVowel(i);
      m += was_vowel && !is_vowel;
      was_vowel = is_vowel;
    }
    return m;
  }

  // consonant, vowel, consonant other than w, x, y
  bool EndsShort(size_t size) const {
    return size >= 3 && !IsVowel(size - 3) && IsVowel(size - 2) && !IsVowel(size - 1) &&
           word_[size - 1] != 'w' && word_[size - 1] != 'x' && word_[size - 1] != 'y';
  }

  char* const word_;
  size_t size_;
};

bool IsLetter(char c) {
  return c >= 'a' && c <= 'z';
}

// Rule 1. Returns the new size of the token.
size_t LeaveOutAccents(char* token, size_t size) {
  const std::string plain = WithoutAccents(OrdinaryLetters({token, size}, /*has_all_forms=*/false),
                                           /*keeps_nukta=*/false, /*has_all_forms=*/false);
  if (plain.size() > size || plain.find(' ') != plain.npos) return size;
  std::memcpy(token, plain.data(), plain.size());
  return plain.size();
}

}  // namespace

// Rules 3 and 4. Returns the new size of the token, which becomes its stem.
size_t StemEnglish(char* token, size_t size) {
  constexpr size_t kLongest = 64;
  if (std::string_view(token, size).ends_with("'s")) size -= 2;
  if (size > kLongest || !std::all_of(token, token + size, IsLetter)) return size;
  return Stem(token, size).Find();
}

namespace {

// Rules 2 to 4.
size_t ShortenEnglish(char* token, size_t size) {
  const char first = token[0];
  const bool is_ascii = static_cast<unsigned char>(first) < 0x80;
  if (is_ascii && !IsLetter(first) && !(first >= '0' && first <= '9') && first != '_') return 0;
  return StemEnglish(token, size);
}

// version: of the profile.
std::string SpellEnglishTerms(std::string_view text, int version) {
  std::string scratch;
  const NameRules rules = {.with_pieces = true,
                           .has_pieces_within = version < 4,
                           .has_all_letters = false,
                           .has_numbers = version >= 3,
                           .has_apostrophes = version >= 3,
                           .has_accented_names = version >= 7,
                           .has_acronyms = version >= 6,
                           .has_pairs_of_digits = version >= 9,
                           .has_units = version >= 9,
                           .parts_numbers = version >= 8,
                           .joins_hyphens = version >= 6};
  std::string spelled(SpellNames(text, rules, &scratch));
  for (char& c : spelled) {
    if (c == '_') c = ' ';
  }
  return spelled;
}

// REQUIRES: word is not empty.
void AddParts(std::string_view word, std::string_view stem, Tokens* terms) {
  if (word.ends_with("'s")) word.remove_suffix(2);
  if (!std::all_of(word.begin(), word.end(), IsLetter)) return;
  if (word.size() >= kPartLetters) {
    AddPart("<" + std::string(word.substr(0, kPartLetters)), terms);
    AddPart(std::string(word.substr(word.size() - kPartLetters)) + ">", terms);
  } else if (word != stem) {
    AddPart("<" + std::string(word) + ">", terms);
  }
}

void CutEnglish1(std::string_view text, Tokens* tokens) {
  CutUnicode(text, tokens);
  tokens->Shorten([](char* token, size_t size) { return ShortenEnglish(token, size); });
}

void CutEnglish2(std::string_view text, Tokens* tokens) {
  if (IsAscii(text)) return CutEnglish1(text, tokens);
  CutUnicode(text, tokens);
  tokens->Shorten([](char* token, size_t size) -> size_t {
    if (!IsAscii({token, size})) size = LeaveOutAccents(token, size);
    return size == 0 ? 0 : ShortenEnglish(token, size);
  });
}

// The words of an index: names are spelled out, and _ separates.
void CutTermsAndParts(std::string_view text, int version, bool with_parts, Tokens* terms) {
  std::string signs;
  const std::string spelled = SpellEnglishTerms(text, version);
  Tokens words;
  CutUnicode(OrdinarySigns(spelled, &signs), &words);
  terms->Clear();
  std::string word, stem;
  for (size_t i = 0; i < words.size(); i++) {
    word = words[i];
    if (!IsAscii(word)) word.resize(LeaveOutAccents(word.data(), word.size()));
    if (word.empty() || IsPunctuation(word)) continue;
    stem = word;
    stem.resize(ShortenEnglish(stem.data(), stem.size()));
    terms->Add(stem);
    if (with_parts) AddParts(word, stem, terms);
  }
}

class EnglishTokenizer : public Tokenizer {
 public:
  explicit EnglishTokenizer(int version) : Tokenizer("english", version) {
    if (version > 1) former_ = std::make_unique<EnglishTokenizer>(version - 1);
  }
  const Tokenizer* former() const override { return former_.get(); }
  ReadingRules reading() const override { return {.parts_times = version() >= 8}; }
  void Tokenize(std::string_view text, Tokens* tokens) const override {
    std::string signs;
    if (version() >= 3) text = OrdinarySigns(text, &signs);
    version() == 1 ? CutEnglish1(text, tokens) : CutEnglish2(text, tokens);
  }
  void CutTerms(std::string_view text, bool with_parts, Tokens* terms) const override {
    if (version() >= 5) return CutTermsAndParts(text, version(), with_parts, terms);
    Tokenize(SpellEnglishTerms(text, version()), terms);
  }

 private:
  std::unique_ptr<const EnglishTokenizer> former_;
};

}  // namespace

const Tokenizer* MakeEnglishTokenizer() {
  return new EnglishTokenizer(9);
}

}  // namespace s2v
