// The tokenizer profile `english`, version 10: the tokens of `unicode`, and of these
//
//   Don't hope; the companies' cafés were hoping!   ->   don't hope the compani cafe were hope
//
//  1. Compatible characters become the ordinary ones, CO₂ CO2 before cutting, and accents are left
//     out, as in the profiles of other languages (core/text/plain_letters.h). A token that would
//     become longer, as Ⅷ would, stays.
//  2. ASCII punctuation and symbols are left out.
//  3. 's at the end of a token is cut off.
//  4. A token of 3 to 64 letters a-z becomes its stem (core/text/english_stemmer.h).
//
// All other tokens stay, so a text in another language loses little.
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
// of L'Oréal, in version 7 no numbers of 21.09.1984, nor 22 of 22T01:02, in version 8 A of mA, in
// version 9 neither 1.250.000 of Rp1.250.000 nor 30 of 17:25:30,867.
#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>

#include "core/text/english_stemmer.h"
#include "core/text/plain_letters.h"
#include "core/text/spelled_names.h"
#include "core/text/tokenizer.h"
#include "core/text/unicode_chars.h"

namespace s2v {
namespace {

constexpr size_t kPartLetters = 5;

// Rule 1. Returns the new size of the token.
size_t LeaveOutAccents(char* token, size_t size) {
  const std::string plain = WithoutAccents(OrdinaryLetters({token, size}, /*has_all_forms=*/false),
                                           /*keeps_nukta=*/false, /*has_all_forms=*/false);
  if (plain.size() > size || plain.find(' ') != plain.npos) return size;
  std::memcpy(token, plain.data(), plain.size());
  return plain.size();
}

// Rules 2 to 4.
size_t ShortenEnglish(char* token, size_t size) {
  const char first = token[0];
  const bool is_ascii = static_cast<unsigned char>(first) < 0x80;
  if (is_ascii && !IsEnglishLetter(first) && !(first >= '0' && first <= '9') && first != '_')
    return 0;
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
                           .parts_amounts = version >= 10,
                           .joins_hyphens = version >= 6};
  std::string spelled(SpellNames(text, rules, &scratch));
  std::replace(spelled.begin(), spelled.end(), '_', ' ');
  return spelled;
}

// REQUIRES: word is not empty.
void AddParts(std::string_view word, std::string_view stem, Tokens* terms) {
  if (word.ends_with("'s")) word.remove_suffix(2);
  if (!std::all_of(word.begin(), word.end(), IsEnglishLetter)) return;
  if (word.size() >= kPartLetters) {
    AddPart("<" + std::string(word.substr(0, kPartLetters)), terms);
    AddPart(std::string(word.substr(word.size() - kPartLetters)) + ">", terms);
  } else if (word != stem) {
    AddPart("<" + std::string(word) + ">", terms);
  }
}

void CutEnglish(std::string_view text, bool has_accents, Tokens* tokens) {
  CutUnicode(text, tokens);
  tokens->Shorten([&](char* token, size_t size) -> size_t {
    if (has_accents && !IsAscii({token, size})) size = LeaveOutAccents(token, size);
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
    terms->AddCutFrom(word, stem);
    if (with_parts) AddParts(word, stem, terms);
  }
}

class EnglishTokenizer : public Tokenizer {
 public:
  explicit EnglishTokenizer(int version) : Tokenizer("english", version) {
    if (version > 1) former_ = std::make_unique<EnglishTokenizer>(version - 1);
  }
  ReadingRules reading() const override {
    return {.parts_times = version() >= 8, .parts_amounts = version() >= 10};
  }
  void Tokenize(std::string_view text, Tokens* tokens) const override {
    std::string signs;
    if (version() >= 3) text = OrdinarySigns(text, &signs);
    CutEnglish(text, /*has_accents=*/version() > 1 && !IsAscii(text), tokens);
  }
  void CutTerms(std::string_view text, bool with_parts, Tokens* terms) const override {
    if (version() >= 5) return CutTermsAndParts(text, version(), with_parts, terms);
    Tokenize(SpellEnglishTerms(text, version()), terms);
  }
};

}  // namespace

const Tokenizer* MakeEnglishTokenizer() {
  return new EnglishTokenizer(10);
}

}  // namespace s2v
