// Names of programs and identifiers that cutting at punctuation and capitals would lose: rule A of language_tokenizer.cc.
//
//   SpellNames("C++17, .NET and C#", {.with_pieces = false}, &spelled);   // "Cplusplus 17, dotNET and Csharp "
//   SpellNames("getCafés", {}, &spelled);                                 // "getCafés get Cafés "
//   SpellNames("O'Connor", {}, &spelled);                                 // "O'Connor Connor "
//
// Thread rule: pure.
#pragma once

#include <string>
#include <string_view>

namespace s2v {

struct SpellingRules {
  // Behind an identifier follow its parts.
  bool with_pieces = true;
  // These begin with any capital; else with one of ASCII, and an identifier is of ASCII alone.
  bool has_all_letters = true;
  // Behind C++ and C# may stand a number.
  bool has_numbers = true;
  // With pieces: behind O'Connor, d'Angelo and L'Oreal follow Connor, Angelo and Oreal.
  bool has_apostrophes = true;
};
// Returns text, or what it becomes, in *spelled.
std::string_view SpellNames(std::string_view text, const SpellingRules& rules,
                            std::string* spelled);

}  // namespace s2v
