// What is on the way to a word while it is typed: letters that will be others once the word is
// whole.
//
//   FormsOfHangul("무서")          // {"무서", "무세"}: terms from the first on and before the second; 무선 is one
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

// What a last syllable of Hangul may become, as terms from one on and before another, the likeliest
// first. A consonant may still come below it; the one that is there, or its second half, may be the
// first of the next syllable, as in 뭇 on the way to 무선 and 갋 to 갈비; its vowel may get another
// half, as in 국호 on the way to 국회. A single open syllable is likelier one than not. Nothing of
// what is none.
std::vector<std::pair<std::string, std::string>> FormsOfHangul(std::string_view run);
// Of Devanagari: a nasal at the end, with or without the sign that no vowel follows, may be the
// anusvara of the next consonant: terms have हिंदी for हिन्दी. Any other word as it is.
std::string WithAnusvaraAtEnd(const std::string& plain);
// Of German, where an umlaut may be typed as two letters. plain: without accents.
std::string WithUmlauts(std::string_view plain);

}  // namespace s2v
