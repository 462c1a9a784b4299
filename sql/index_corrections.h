// Which word of the rows a misspelled word of a question may be.
//
//   IndexVocabulary vocabulary(db, index, &pending);
//   WordCorrector corrector(&vocabulary);
//   corrector.Correct(&text);              // "sale mananger" -> "sale manager": what was corrected
//
// Thread rule: as the connection's.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/text/number_forms.h"
#include "core/text/typed_words.h"
#include "sql/index_vocabulary.h"

namespace s2v {

// The two words that it is without the blank between them, if as many rows have these as a short
// word's correction; "" for none. is_written: just these words, as HaveWritten sees them, not forms
// of them.
std::string InTwo(IndexVocabulary* vocabulary, const std::string& plain, bool is_written);

class WordCorrector {
 public:
  // The vocabulary must outlive it.
  explicit WordCorrector(IndexVocabulary* vocabulary)
      : vocabulary_(*vocabulary), cutter_(vocabulary->cutter()) {}

  // Replaces each word that neither a row nor the model has by the word that it and its neighbour
  // are without the blank or hyphen between them, else by two words of the rows that it is without
  // a blank or an apostrophe, or by the nearest word: itself with its accents, else the one with
  // the fewest edits, then the nearest to the accents that were typed, then the one that most rows
  // have. Apostrophes, hyphens, and . and _ within names part words where the tokenizer cuts there.
  // Of words of less than four letters signs alone may be missing, as those of U.S.A. Words of more
  // than kMostLetters, or with anything but letters (but for 10mm, where rows have 10 mm), and
  // questions of more than kMostCorrectedWords stay. Returns "mananger → manager", with commas
  // between several; "" where nothing was changed.
  std::string Correct(std::string* text);
  // Of two words that rows have, what rows have them as in one, where they hardly have them side by
  // side: keyboard for key board.
  std::vector<NumberForm> FindJoined(std::string_view text);
  // Whether a row or the model has it.
  bool IsKnown(std::string_view word) {
    return vocabulary_.HaveRows(vocabulary_.TermsOf(word)) || IsKnownToModel(word);
  }
  // Whether it may be the half of a word.
  bool MayBeHalf(std::string_view word) const;
  // Of a word that is not written to its end, which no word of the rows begins with: what some
  // begin with, one edit from it (sql/index_near_terms.h); "" where there is none, or the word
  // seems right.
  std::string NearestBeginning(std::string_view typed);

 private:
  struct Correction;
  // What is to be corrected, from left to right: of two words that are one, of words without their
  // apostrophes and of short ones with what rows have, of others with what was typed.
  std::vector<Correction> FindWrong(const TypedWords& words);
  // Word i, unless it is spelled right, or cannot be corrected.
  std::optional<Correction> WrongWord(const TypedWords& words, size_t i);
  // Of words with apostrophes between them that begin with i, what they are without these.
  std::optional<Correction> WithoutApostrophes(const TypedWords& words, size_t i);
  // Whether rows have one of these words, but few.
  bool HasSeldomWord(const TypedWords& words, size_t first, size_t last);
  // Whether the tokenizer makes the same of it where it stands: in English wouldn't is one word, of
  // which wouldn is no word.
  bool IsCutApart(const TypedWords& words, size_t i);
  bool IsKnownToModel(std::string_view word);
  // How many rows must have what a word is read as.
  double LeastRows(size_t letters, size_t edits);
  // Sets the words that rows have in place of what was typed; leaves out those for which there is
  // none.
  void SetWords(std::string_view text, std::vector<Correction>* corrections);
  // Returns "mananger → manager", with commas between several, each said once.
  static std::string PutIn(const std::vector<Correction>& corrections, std::string* text);
  // In English o'brien is one word: with blanks for its apostrophes, where rows have it so alone;
  // "" where they do not.
  std::string Parted(std::string_view run);
  // Its letters with full stops, where rows have them side by side, as of U.S.A.; "" where they do
  // not.
  std::string Abbreviation(const std::string& plain);
  // Of a Hebrew word with a sign before its last letter, of a Cyrillic or Latin one with an
  // apostrophe, where rows have it so: צה"ל, сім'я, hawai'i; "" where they do not.
  std::string WithSign(const std::string& plain);
  // Of a word that is too short for others: the same, or with a sign that was not typed.
  std::string OfShort(const std::string& plain);
  // Whether rows have it within a longer word, as the end of a compound: then it is spelled right,
  // and parts of words find it.
  bool IsWithinWord(const std::string& plain);
  // Whether rows have it behind letters that are a word of their own in other languages, as Hebrew
  // "the": then it is spelled right, and parts of words find it.
  bool IsBehindPrefix(const std::string& plain);
  // The word of rows that differs from it in the last letters alone, as byt of byty, and mesta of
  // mesto, where nearest does not: parts of words find its other forms. "" for none.
  std::string WithOtherEnding(const std::string& plain, const std::string& nearest);
  // typed: in small letters, with its accents. Each is looked for once.
  const std::string& Nearest(const std::string& plain, const std::string& typed);
  std::string FindNearest(const std::string& plain, const std::string& typed);
  // Whether rows have the word, and much oftener than these two side by side.
  bool HaveOftener(const std::string& word, const std::string& apart);
  // The word that rows have for two, of which they lack one and have the other seldom; "" where
  // there is none.
  std::string Joined(std::string_view first, std::string_view second, bool is_first_known);
  // The word with at most `edits` of that of these terms which most rows have; where accents were
  // typed, the word that is nearest with these.
  std::string BestOf(std::vector<std::string> terms, const std::string& plain,
                     const std::string& typed, size_t edits);

  IndexVocabulary& vocabulary_;
  const TermCutter& cutter_;
  std::map<std::pair<std::string, std::string>, std::string> nearest_;
};

}  // namespace s2v
