// Languages: their scripts, their stemmers, the words that tell them apart; which ones a table's
// texts are in.
//
//   LanguageDetector detector;
//   for (text of some thousand rows) detector.Add(text);
//   detector.Guess();   // {"german", "german, 100 % of the words by its common ones (of 3900 words in 300 rows)"}
//
// A script decides where it writes one language. Where several share one, the words that each
// language has in nearly every sentence tell: articles, prepositions, pronouns.
//
// Stemmers: Snowball (M. F. Porter and others, https://snowballstem.org), statically linked libstemmer.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/text/tokenizer.h"

namespace s2v {

enum class Script : uint8_t {
  kOther,
  kLatin,
  kGreek,
  kCyrillic,
  kArmenian,
  kHebrew,
  kArabic,
  kDevanagari,
  kTamil,
  // Han, kana, Thai and others written without spaces; Hangul, whose words change with what is put
  // to them
  kUnspaced,
};
// Of the first character of a word in UTF-8.
Script ScriptOf(std::string_view word);

struct Language {
  std::string_view name;  // in English, as Snowball calls it
  Script script;
  bool has_stemmer;
  double share;                   // of its common words in running text, about
  std::string_view common_words;  // in lower case, with blanks between them
  // More of them, and their share, for finding the languages of a table: what cuts, and its
  // version, go by common_words alone.
  double more_share = 0;
  std::string_view more_words = "";
};
std::span<const Language> Languages();
// nullptr where there is none of this name, or no stemmer for it.
const Language* FindStemmedLanguage(std::string_view name);

// Adds to each of Languages() that has the word among its common ones as many words as running text
// has for one such.
void AddCommon(std::string_view word, std::vector<double>* evidence);
// An article, a pronoun or the like of one of the languages that the profile names, as
// german+english; of any where it names none.
bool IsCommonWord(std::string_view word, std::string_view profile = "");

struct LanguageGuess {
  std::string tokenizer;  // a name for FindTokenizer
  std::string reason;
};

class LanguageDetector {
 public:
  void Add(std::string_view text);
  LanguageGuess Guess() const;

 private:
  // Those of a language's common words that the texts have, but for those of others: how many
  // different ones; and of more than one character, how often all are met, and the commonest.
  struct OwnWords {
    uint64_t different = 0, times = 0, most = 0;
  };
  // Both: places in Languages().
  OwnWords FindOwnWords(size_t language, const std::vector<size_t>& besides) const;
  // Those of main's script that the texts are in, main among them.
  std::vector<size_t> LanguagesBeside(size_t main) const;
  // How much the texts have of the language: its common words tell more where they have a small share
  // of it, but a few that another one has too may be very common there.
  double StrengthOf(size_t language) const;
  // About how many words are running text in the language.
  double WordsIn(size_t language) const;

  Tokens tokens_;
  uint64_t rows_ = 0, words_ = 0, unspaced_ = 0;
  uint64_t others_ = 0;    // words of other scripts; not among words_
  uint64_t accented_ = 0;  // words in Latin letters with one that English lacks
  std::map<Script, uint64_t> words_of_script_;
  std::vector<uint64_t> hits_ = std::vector<uint64_t>(Languages().size());  // common words of each
  // clearly of the language
  std::vector<uint64_t> rows_of_ = std::vector<uint64_t>(Languages().size());
  std::unordered_map<std::string_view, uint64_t> times_;  // of each common word
  uint64_t decided_rows_ = 0;
};

}  // namespace s2v
