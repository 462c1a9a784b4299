// Letters that are the same to a reader: rules C and E of language_tokenizer.cc, for words in small letters.
//
//   OrdinaryLetters("ﬁnden")          // "finden"
//   WithoutAccents("straße", false)   // "strasse"
//
// Thread rule: pure.
#pragma once

#include <string>
#include <string_view>

namespace s2v {

// Rule C, of a word that is not ASCII alone. Blanks may be in it: ﷺ is four words.
std::string OrdinaryLetters(std::string_view word);
// Rule E. keeps_nukta: the dot of Hindi stays, as it did by former rules.
std::string WithoutAccents(std::string_view word, bool keeps_nukta);

}  // namespace s2v
