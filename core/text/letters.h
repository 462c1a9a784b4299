// The letters of a word: small ones, capitals, accents and apostrophes, and how many there are.
//
//   SmallLetters("ÉCOLE")                       // "école"
//   PlainWord("École", true)                    // "ecole"
//
// Thread rule: any thread.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace s2v {

// In small letters without accents, an apostrophe within it as '; "" for what is not one word, of a
// script with blanks between words. has_all_forms: of the index (ReadingRules).
std::string PlainToken(std::string_view word, bool has_all_forms);
// The same; "" also for what has anything but letters.
std::string PlainWord(std::string_view word, bool has_all_forms);
// All letters small, accents kept; a Σ at the end is ς. Bytes that are not UTF-8 stay.
std::string SmallLetters(std::string_view text);
// Of Turkish: where I is the capital of ı, text with ı for each I, which may be in *changed. İ,
// which may be I with a dot behind it, stays.
inline constexpr std::string_view kDotlessI = "\xC4\xB1";
std::string_view WithDotlessI(std::string_view text, std::string* changed);
// With i for each ı, as other languages have the word, and what is typed without accents.
std::string WithDottedI(std::string_view text);
// The word with a capital as its first letter, where that of `like` is one. REQUIRES: word is
// UTF-8.
std::string WithCapitalOf(std::string_view like, std::string_view word);
// Signs that may be one: ', ‘ and ’; with has_all_forms also ʻ ʼ ʽ ʾ ʿ.
std::span<const std::string_view> Apostrophes(bool has_all_forms);
// "U.S.A." of "usa", a word of three to six letters; "" of another.
std::string WithFullStops(std::string_view word);
// Its first count letters; all where it has fewer.
std::string_view FirstLetters(std::string_view word, size_t count);

}  // namespace s2v
