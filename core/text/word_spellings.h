// What a word that was typed may be instead: with a sign that was left out, without a prefix or a
// plural's ending.
//
//   WithoutPlural("batteries")       // "battery"
//   WithApostrophe("cant")           // "can't"
//
// Thread rule: pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace s2v {

// "10 mm" of 10mm, "7.5 ml" of 7.5ml, "75 m2" of 75m2; "" of words without a number.
std::string WrittenApart(const std::string& word);
// Without the sign of scripts of India that no vowel follows, at its end.
std::string_view WithoutVirama(std::string_view word);
// As it is without the s, or ies in place of y, of a plural.
std::string WithoutPlural(const std::string& plain);
// Whether it may be a name or an article and a word, without the apostrophe behind its first
// letter: obrien, lecole.
bool MayLackApostrophe(std::string_view plain);
// What may be one word of English with an apostrophe that was not typed, o'brien, can't, qur'an, or
// with an article before it, d'etat.
std::vector<std::string> WithApostrophe(const std::string& plain);
// Whether it begins with я, ю, є or ї, before which Ukrainian and Belarusian have apostrophes.
bool BeginsSoft(std::string_view rest);
// What is left of a Hebrew word without one, two, three of the letters that stand before words as
// "and", "that", "in" and "the" do: of והספר also הספר and ספר.
std::vector<std::string> WithoutPrefixes(std::string_view word);
// The word with each of these letters before it.
std::vector<std::string> WithPrefix(std::string_view word);
// Whether one of two words that have the same stem is an inflection of the other, or what does it or
// comes of it, or both of a third: company, companies; install, installation; not universe,
// university. Beyond English, where endings are many, all are but
// words for a quality, as universidad beside universo.
bool AreInflections(std::string_view a, std::string_view b, bool is_english);
// Whether two words have the same first letter, or the first two exchanged.
bool HasSameStart(std::string_view a, std::string_view b);

}  // namespace s2v
