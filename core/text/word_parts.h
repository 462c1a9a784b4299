// Parts of words, for the words of an index alone: which there are, and what of a word's scripts
// and signs they go by, says the head of language_tokenizer.cc.
//
//   AddPartsOf("haus", rules, &tokens);            // "<hau" "haus" "aus>", each behind kPartMark
//   SyllablePairs pairs;
//   pairs.Add("hà", "ha", &tokens);
//   pairs.Add("nội", "noi", &tokens);              // "ha_noi"
//
// Thread rule: reentrant; a SyllablePairs belongs to one thread.
#pragma once

#include <string>
#include <string_view>

#include "core/text/language_rules.h"
#include "core/text/tokenizer.h"

namespace s2v {

// Of a word without accents all strings of some characters.
void AddPartsOf(std::string_view plain, const LanguageRules& rules, Tokens* tokens);
// C# and C++, as SpellNames has them.
bool IsSpelledSign(std::string_view plain);

// Vietnamese is written syllable by syllable: each two that follow one another are a part.
class SyllablePairs {
 public:
  // The next word follows none.
  void Clear() { last_.clear(); }
  // plain: the word without accents.
  void Add(std::string_view word, const std::string& plain, Tokens* tokens);

 private:
  std::string last_;  // without accents
  bool is_last_vietnamese_ = false;
};

}  // namespace s2v
