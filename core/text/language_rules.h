// What differs between the present rules of the profiles of languages (language_tokenizer.cc, whose
// letters stand behind each member) and those before them, which are kept for what was made by
// them.
//
//   const LanguageRules rules{kNewestLanguageRules};
//   if (rules.has_accented_parts) ...
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "core/text/plain_letters.h"

namespace s2v {

constexpr size_t kNewestLanguageRules = 14;
struct LanguageRules {
  size_t age;                         // 0: the oldest rules
  bool pieces_in_models = age == 0;   // A: camel and case follow camelCase in models too
  bool leaves_out_shapes = age >= 1;  // B1
  bool has_han_alone = age >= 2;      // B2
  bool parts_scripts = age >= 3;      // B
  bool has_ordinary = age >= 3;       // C, the English stems of D, and nukta
  bool has_all_letters = age >= 4;    // A: camelCase beyond ASCII
  bool has_accented_parts = age >= 4;
  bool has_signs = age >= 5;  // C before cutting, and B1's exception; A: a number may follow C++
  bool has_syllables = age >= 6;     // triples and pairs among the parts
  bool has_pieces_within = age < 6;  // A: they follow the word, not the text
  bool has_anusvara = age >= 7;      // C: of Hindi
  bool keeps_all_words = age >= 7;   // D: those that are an ending alone
  bool parts_affixes = age >= 8;     // C: the zero-width non-joiner, and Armenian marks
  bool has_own_scripts = age >= 9;  // B1: each word between _ is of its own script, not the first's
  // C and E: has_all_forms of plain_letters.h, the vowel am, and Romanian commas; A: dates, times,
  // dotted numbers
  bool has_all_forms = age >= 10;
  bool has_units = age >= 11;        // A: mA and kHz are one piece, 1,25,000 a number
  bool has_all_scripts = age >= 11;  // D: the common words of a language in each of its scripts
  bool has_whole_signs = age >= 11;  // parts: csharp shares none with fsharp
  // C: WithOneSpelling and the like of plain_letters.h, in place of the vowel am alone
  bool has_one_spelling = age >= 11;
  bool has_one_g = age >= 12;          // C: ґ is г
  bool has_acronyms = age >= 12;       // parts: those of צה"ל in one
  bool parts_amounts = age >= 13;      // A
  bool has_short_roots = age >= 13;    // parts: of Hebrew
  bool has_whole_article = age >= 13;  // D: of Arabic
  bool has_loan_nasals = age >= 14;    // C: of Hindi, before consonants of another place
  bool has_plurals = age >= 14;        // D: of Portuguese

  // E.
  std::string Plain(std::string_view word) const {
    return WithoutAccents(word, /*keeps_nukta=*/!has_ordinary, has_all_forms);
  }
};

}  // namespace s2v
