// What is on the way to a word while it is typed: letters that will be others once the word is
// whole.
//
//   FormsOfHangul("무서").likely       // from "무서" on and before "무세": 무선 is one
//   WithAnusvaraAtEnd("हिन्")        // "हिं", of हिंदी
//   WithUmlauts("muell")           // "müll"
//
// Thread rule: pure.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace s2v {

// Terms from the first one on and before the second.
using TermRange = std::pair<std::string, std::string>;
// What a last syllable of Hangul may become: a consonant may still come below it. The guesses: the
// consonant that is there, or its second half, may be the first of the next syllable, as in 뭇 on the
// way to 무선 and 갋 to 갈비; the vowel may get another half, as in 국호 on the way to 국회; and a
// single open syllable, which is a word as it is, may get a consonant. Neither of what is none.
struct HangulForms {
  std::vector<TermRange> likely, guesses;
  bool is_empty() const { return likely.empty() && guesses.empty(); }
};
HangulForms FormsOfHangul(std::string_view run);
// Of Devanagari: a nasal at the end, with or without the sign that no vowel follows, may be the
// anusvara of the next consonant: terms have हिंदी for हिन्दी. Any other word as it is.
std::string WithAnusvaraAtEnd(const std::string& plain);
// Of German, where an umlaut may be typed as two letters. plain: without accents.
std::string WithUmlauts(std::string_view plain);

}  // namespace s2v
