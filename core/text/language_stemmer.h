// The stems of a language's words: rules D and E of language_tokenizer.cc.
//
//   LanguageStemmer stemmer("arabic");
//   stemmer.StemOf("والشركة", {kNewestLanguageRules})     // that of الشركة
//
// Thread rule: belongs to one thread, as libstemmer's objects do.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/text/language_rules.h"
#include "core/text/languages.h"

struct sb_stemmer;

namespace s2v {

// Snowball's; of English that of the profile `english`, so that English texts are cut among others
// as they are alone.
class LanguageStemmer {
 public:
  // language: a name of languages.h, which must outlive it.
  explicit LanguageStemmer(std::string_view language);
  // False where this libstemmer lacks the language: then nothing else may be called.
  bool is_there() const { return is_english_ || snowball_; }
  // By rules D and E: a word in small letters.
  std::string StemOf(std::string_view word, const LanguageRules& rules);
  // As the stemmer has it; good until the next call.
  std::string_view RawStemOf(std::string_view word);

 private:
  struct Delete {
    void operator()(sb_stemmer* stemmer) const;
  };
  // The word, or as the stemmer knows it, in *made.
  std::string_view AsStemmed(std::string_view word, const LanguageRules& rules,
                             std::string* made) const;

  std::string_view language_;
  bool is_english_;
  std::string word_;  // English, that is stemmed in its place
  std::unique_ptr<sb_stemmer, Delete> snowball_;
};

// The version of a profile of these languages by the rules of an age. It has a hash of stems, since
// another libstemmer may give other ones.
int VersionOfLanguages(const std::vector<const Language*>& languages, size_t age);

}  // namespace s2v
