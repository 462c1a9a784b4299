// Names of programs and identifiers that cutting at punctuation and capitals would lose: rule A of language_tokenizer.cc.
//
//   SpellNames("C++, .NET and C#", /*with_pieces=*/false, true, &spelled);   // "Cplusplus , dotNET and Csharp "
//   SpellNames("getCafés", /*with_pieces=*/true, true, &spelled);            // "getCafés get Cafés "
//
// Thread rule: pure.
#pragma once

#include <string>
#include <string_view>

namespace s2v {

// Returns text, or what it becomes, in *spelled. with_pieces: behind an identifier follow its parts. has_all_letters: these begin with any
// capital; else with one of ASCII, and an identifier is of ASCII alone.
std::string_view SpellNames(std::string_view text, bool with_pieces, bool has_all_letters,
                            std::string* spelled);

}  // namespace s2v
