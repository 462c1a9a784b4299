// Names of programs and identifiers that cutting at punctuation and capitals would lose: rule A of language_tokenizer.cc.
//
//   SpellNames("C++17, .NET and C#", {.with_pieces = false}, &spelled);   // "Cplusplus 17, dotNET and Csharp "
//   SpellNames("getCafés it", {}, &spelled);                              // "getCafés it \U0010FFFD get Cafés "
//   SpellNames("O'Connor", {}, &spelled);                                 // "O'Connor \U0010FFFD Connor "
//
// Thread rule: pure.
#pragma once

#include <string>
#include <string_view>

namespace s2v {

// A character for private use that stands between a text and the pieces of its names; a token of every profile.
inline constexpr std::string_view kPiecesMark = "\U0010FFFD";

struct SpellingRules {
  // Behind the text follow the parts of its identifiers.
  bool with_pieces = true;
  // Each identifier is followed by its own at once: a phrase with the next word is not found.
  bool has_pieces_within = false;
  // These begin with any capital; else with one of ASCII, and an identifier is of ASCII alone.
  bool has_all_letters = true;
  // Behind C++ and C# may stand a number.
  bool has_numbers = true;
  // With pieces: of O'Connor, d'Angelo and L'Oreal these are Connor, Angelo and Oreal.
  bool has_apostrophes = true;
};
// Returns text, or what it becomes, in *spelled.
std::string_view SpellNames(std::string_view text, const SpellingRules& rules,
                            std::string* spelled);

}  // namespace s2v
