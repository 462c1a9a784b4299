// Characters that are the same to a reader: rules C, for texts and for words in small letters, and
// E of language_tokenizer.cc.
//
//   OrdinarySigns("5 µm², CO₂", &made)   // "5 μm2, CO2"
//   OrdinaryLetters("ﬁnden", true)          // "finden"
//   WithoutAccents("straße", false, true)   // "strasse"
//
// Thread rule: pure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace s2v {

// A number or a letter in a circle or in brackets: ①, Ⓐ, ⑴.
bool IsEnclosed(uint32_t c);
// Rule C, of a text: signs that stand for letters, and digits written high or low that belong to a
// word, become the ordinary ones. Returns text, or what it becomes, in *made.
std::string_view OrdinarySigns(std::string_view text, std::string* made);
// Rule C, of a text: the zero-width non-joiner between Arabic letters, which parts an ending or a
// prefix from its word, becomes _; Armenian marks of emphasis, exclamation and question, which
// stand within a word, are left out. has_all_forms: and a letter with its virama and a zero-width
// joiner, as Malayalam and Bengali were written before Unicode had one for it, becomes that one.
// Returns text, or what it becomes, in *made.
std::string_view WithPartedAffixes(std::string_view text, bool has_all_forms, std::string* made);
// Of a question: numbers as ASCII has them, its digits in place of those of other scripts, and its
// characters in place of full-width ones and of the blank as wide as these.
std::string WithOrdinaryNumbers(std::string_view text);
// The value of c, a digit written high or low, where it belongs to the word before it: a low one to
// any letters and digits (CO₂), a high one to at most three letters (km²), since behind others it
// is the number of a note. -1: it does not, or c is none.
int DigitOfWord(std::string_view word, uint32_t c);
// Rule C, of a word that is not ASCII alone. Blanks may be in it: ﷺ is four words. has_all_forms: ʻ
// ʽ ʾ ʿ are apostrophes.
std::string OrdinaryLetters(std::string_view word, bool has_all_forms);
// Rule C, of a run: the vowel am of Thai and Lao, where it is in the two parts that NFKC makes of
// it, is one character.
std::string WithVowelAm(std::string_view run);
// The same, and what else looks alike in Thai, Lao, Khmer and Burmese: signs in another order, two
// halves of a vowel, ligatures of Lao, Khmer's d and t below a letter.
std::string WithOneSpelling(std::string_view run);
// Rule C, of a word in Devanagari: a vowel in two parts is one character.
std::string WithOneSpellingOfIndia(std::string_view word);
// Rule C, of a Greek word: its iota without dots, which Snowball takes for an eta.
std::string WithoutDiaeresis(std::string_view word);
// Rule C, of a Cyrillic word: Ukrainian ґ as г, as which it was written and often is.
std::string WithOneG(std::string_view word);
// Of a Hebrew word: its last letter as it is within words, of ם מ.
std::string WithoutFinalForms(std::string_view word);
// Of a text with Hebrew acronyms, צה"ל, without the sign within them. Returns text, or what it
// becomes, in *made.
std::string_view WithJoinedAcronyms(std::string_view text, std::string* made);
// Rule C, of a Romanian word: ș and ț with a cedilla, as Snowball knows them.
std::string WithCedillas(std::string_view word);
// Rule C, of a word in Devanagari: of two spellings that both are right the one with the anusvara.
// has_loan_nasals: also na before consonants of another place, as loan words have it, पेन्शन.
std::string WithAnusvara(std::string_view word, bool has_loan_nasals);
// Rule E. keeps_nukta: the dot of Hindi stays, as it did by former rules. has_all_forms: ħ, ŧ, ŋ, ə
// and hooked letters become plain too, Yiddish װ ױ ײ two letters.
std::string WithoutAccents(std::string_view word, bool keeps_nukta, bool has_all_forms);

}  // namespace s2v
