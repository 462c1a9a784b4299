// Of the languages of a profile those that a text's words are stemmed in: rule D of
// language_tokenizer.cc.
//
//   const TextLanguages of(languages, /*has_all_scripts=*/true);       // german, english, russian
//   of.LanguageOf(runs);                                               // "german"
//   of.In(Script::kLatin, of.EvidenceIn(runs, /*has_dotless_i=*/false))    // {0}, or {0, 1}
//
// Thread rule: const functions may be called from any thread.
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string_view>
#include <vector>

#include "core/text/languages.h"

namespace s2v {

class TextLanguages {
 public:
  // has_all_scripts: of LanguageRules.
  TextLanguages(std::vector<const Language*> languages, bool has_all_scripts);

  // Of each of Languages(), for In: how much of it these words say. Empty where no two languages
  // share a script.
  std::vector<double> EvidenceIn(const Tokens& words, bool has_dotless_i) const;
  // Places of the languages that have this script, in the order of the profile; of several the one
  // whose common words the text has, where that is clear, else all of them.
  std::span<const size_t> In(Script script, const std::vector<double>& evidence) const;
  // The one that these words are clearly in, of two or more; "" for none.
  std::string_view LanguageOf(const Tokens& words) const;

 private:
  double EvidenceOf(const Language* language, const std::vector<double>& evidence) const;
  std::span<const size_t> ClearlyOne(std::span<const size_t> languages,
                                     const std::vector<double>& evidence) const;

  const std::vector<const Language*> languages_;
  const bool has_all_scripts_;
  std::map<Script, std::vector<size_t>> of_script_;  // in languages_
  bool shares_script_ = false;                       // any two of them
};

}  // namespace s2v
