// Words that are spelled nearly alike.
//
//   EditDistance("mananger", "manager")   // 1
//   for (const std::string& word : WordsOneEditAway("mananger")) ...   // "manager" among them
//   BeginningOneEditAway("manang", "manager").text    // "manag"
//
// An edit: a letter that is left out, put in or replaced, or two neighbours exchanged; no part is
// edited twice (optimal string alignment). Letters that are put in are those of the word's script,
// as far as languages of today have them, and in scripts of India and the like its signs of vowels;
// without accents, which terms of an index do not have.
//
// Thread rule: any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace s2v {

size_t EditDistance(std::string_view a, std::string_view b);
// Of stem and any beginning of word that leaves out at most `most` letters.
size_t StemDistance(std::string_view stem, std::string_view word, size_t most);
// How sure it is that a word begins as one was typed with an error, the surest first.
enum class ErrorPlace : uint8_t { kWithin, kLetterTooMany, kAtEnd, kNone };
struct Beginning {
  std::string text;  // "" with kNone
  ErrorPlace error = ErrorPlace::kNone;
};
// The surest beginning of word, the shortest of those, that is one edit from what was typed.
Beginning BeginningOneEditAway(std::string_view typed, std::string_view word);
// All, some of them twice.
std::vector<std::string> WordsOneEditAway(std::string_view word);

}  // namespace s2v
