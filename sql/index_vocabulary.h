// The words of an index's rows: which of them a misspelled word of a question may be, and which of them an unfinished word may become.
//
//   IndexVocabulary vocabulary(db, index, &source, &pending);
//   vocabulary.Correct(&text);              // "sale mananger" -> "sale manager": what was corrected
//   vocabulary.Completions("europ", 16);    // terms: "european" "europ"
//
// Both have files of their own, sql/index_corrections.cc and sql/index_completions.cc; what they read is in sql/index_vocabulary.cc.
//
// Thread rule: as the connection's.
#pragma once

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "core/text/spelling.h"
#include "sql/index_pending.h"
#include "sql/index_words.h"
#include "sql/index_source.h"
#include "sql/index_terms.h"

namespace s2v {

// Of a term that rows have: kNoMore says that no other one is looked for either.
enum class TermChoice { kYes, kNo, kNoMore };

class IndexVocabulary {
 public:
  // All that is given must outlive it. REQUIRES: index.words.
  IndexVocabulary(sqlite3* db, const IndexDefinition& index, IndexSource* source,
                  PendingRows* pending);

  // Replaces each word that neither a row nor the model has by the word that it and its neighbour are without the blank or hyphen between them, else by two words of the rows that it is without a blank or an apostrophe, or by the nearest word: itself
  // with its accents, else the one with the fewest edits, then the one that most rows have. Apostrophes and hyphens part words where the tokenizer cuts there. Words of less than four letters or
  // more than kMostLetters, or with anything but letters (but for 10mm, where rows have 10 mm), and questions of more than kMostCorrectedWords stay. Returns "mananger → manager", with commas between several; "" where nothing was changed.
  std::string Correct(std::string* text);

  // Of words that stand before a * what is not written to its end, the last word as the tokenizer cuts: of trans-europ europ, of
  // v18.78 all. "" where they do not end with a letter or a digit. Valid as long as words is.
  // Of a run that the tokenizer cuts into pairs of characters, of which more may come, as of Thai and Hangul, the last pair.
  std::string_view UnfinishedWord(std::string_view words) const;
  // What stands before it, and of a run its first character too, which ends the pair before.
  std::string_view FinishedWords(std::string_view words) const;
  // Terms of words that begin so, about the commonest first; words of letters and digits, of scripts with blanks between them. Of a single
  // character of other scripts the terms of what begins so, or has it; none of longer runs, whose pairs of characters are looked for.
  WordChoices Completions(std::string_view beginning, size_t most);
  // Where the term is one character of a script without blanks: the pairs of characters that begin with it. What follows 3 in 3月に is 月に.
  std::vector<std::string> PairsFrom(const std::string& term, size_t most);
  // Those that end with it. What precedes 5 in 民法第5 is 法第.
  std::vector<std::string> PairsTo(const std::string& term, size_t most);

  // The terms that rows have one behind another where they have these words as a phrase, for each language that the words may be
  // of; of a long text the first ones. Empty where no row can have them.
  std::vector<std::vector<std::string>> PhrasesOf(std::string_view words) const;

  // PlainWord, by the index's rules.
  std::string Plain(std::string_view word) const { return PlainWord(word, cutter_.reading().has_all_forms); }

 private:
  // Where that pair begins, of a run of at least three characters with which words end; npos elsewhere.
  size_t LastPair(std::string_view words) const;
  bool IsCharacterOfRun(const std::string& term) const;
  // What a word becomes in the index, in all these languages.
  std::vector<std::string> TermsOf(std::string_view word) const;
  // The term of the last word, by the profile of all languages; "" for none.
  std::string LastTerm(std::string_view words) const;
  // Of the table: those of the index, with those that wait.
  double CountRows();
  bool IsKnownToModel(std::string_view word);
  // Visits the rows that have these terms one behind another and none of `without`, first those of the index, then those that wait, until
  // visit(rowid) returns false. among_words: those that have them as words, not only as parts or pieces of some.
  void ForEachRowWith(const std::vector<std::string>& phrase, const std::function<bool(int64_t rowid)>& visit, bool among_words = false,
                      const std::vector<std::string>& without = {});
  // Visits the words of a row as they are written, of a long text those of its first kMostBytesRead bytes. Returns how many bytes were read.
  size_t ForEachWordOf(int64_t rowid, const std::function<void(std::string_view word)>& visit);
  // How many rows ForEachRowWith visits, counted up to most.
  int64_t RowsWith(const std::vector<std::string>& phrase, int64_t most, bool among_words = false);
  // Of the rows that wait.
  bool IsWaiting(std::string_view term);
  // A term keeps its number when its last row goes.
  bool HasRows(const std::string& term) { return RowsWith({term}, 1) > 0; }
  // Any of them.
  bool HaveRows(const std::vector<std::string>& terms) {
    return std::any_of(terms.begin(), terms.end(), [&](const std::string& term) { return HasRows(term); });
  }
  // Whether a row has it among its words, not only as a piece of one beside them.
  bool IsWord(const std::string& term) { return RowsWith({term}, 1, cutter_.has_pieces_beside()) > 0; }
  // A word of the rows that has the term, and that is accepted, as it is written there most often, in small letters where these
  // make the same term; "" for none. is_any: the first one that is met will do.
  std::string WordWith(std::string_view term,
                       const std::function<bool(const std::string& plain)>& accept, bool is_any = false);
  // How terms begin that begin so: without accents; with one of FTS5's tokenizers, which may leave ß and é as they are, as it cuts it too.
  std::vector<std::string> StartsOf(std::string_view beginning, const std::string& plain) const;
  // Of what a beginning becomes in the index where the tokenizer changes the front of words: without a prefix, in another script.
  std::vector<std::string> BeginningsOf(const std::string& plain) const;
  // Whether a word of the rows has the term and begins as was typed; or, in another script, as that becomes in the index.
  bool HasWordFrom(std::string_view term, const std::string& plain, const std::string& changed) { return !WordFrom(term, plain, changed).empty(); }
  // One of these words.
  std::string WordFrom(std::string_view term, const std::string& plain, const std::string& changed);
  // Whether a row has this word, whose term this is, just so: all of its parts tell it, or words of some rows.
  bool IsWhole(const std::string& term, const std::string& plain);
  // The word as it stands, and its stem where that is doubtful.
  void AddWhole(std::string_view beginning, const std::string& plain, WordChoices* choices, std::vector<std::string>* doubtful);
  // The longest term shorter than `cut` that is the stem of a word which begins so: organiz of organization.
  void AddShorterStem(const std::string& cut, const std::string& plain, std::vector<std::string>* terms);
  // To parts: in English, where stems are shorter than what was typed, and have rows with other words, the end of a word that begins so.
  void AddEndsOfWords(const std::string& plain, WordChoices* choices);
  // Of words that begin so, the stems that do not begin so themselves: parts of words tell which rows have any.
  void AddStemsByParts(const std::string& plain, size_t most, std::vector<std::string>* terms);
  // Stems that rows have of words that begin so and end as English words do.
  void AddHalfEndings(const std::string& beginning, std::vector<std::string>* terms);
  void PutCommonestFirst(std::vector<std::string>* terms);
  // Terms from begin on and before end that only rows which wait have.
  std::vector<std::string> WaitingBetween(std::string_view begin, std::string_view end);
  // Terms from begin on and before end that rows have, the commonest first of those that came first.
  void AddTermsBetween(std::string_view begin, std::string_view end, size_t most, const std::function<TermChoice(const std::string& term)>& accept,
                       std::vector<std::string>* terms);
  // Those that begin so.
  void AddTermsFrom(std::string_view beginning, size_t most, const std::function<TermChoice(const std::string& term)>& accept,
                    std::vector<std::string>* terms);
  // All that an index keeps beside the word. REQUIRES: the index has parts of words.
  std::vector<std::string> PartsOf(std::string_view word) const;
  // Parts of the word but those of its end, which is not written. Of one with accents also the words of rows that begin with these.
  // typed_last: set to the last of them.
  std::vector<std::string> UnfinishedParts(std::string_view beginning, std::string* typed_last);
  // Of a single character of a script without blanks, or of a pair as UnfinishedWord has it.
  WordChoices CharacterChoices(std::string_view character, size_t most);
  bool HasPhrase(std::string_view words);
  struct Correction;
  // Sets the words that rows have in place of what was typed; leaves out those for which there is none.
  void SetWords(std::string_view text, std::vector<Correction>* corrections);
  // Returns "mananger → manager", with commas between several, each said once.
  static std::string PutIn(const std::vector<Correction>& corrections, std::string* text);
  // In English o'brien is one word: with blanks for its apostrophes, where rows have it so alone; "" where they do not.
  std::string Parted(std::string_view run);
  // Its letters with full stops, where rows have them side by side, as of U.S.A.; "" where they do not.
  std::string Abbreviation(const std::string& plain);
  // Whether rows have it within a longer word, as the end of a compound: then it is spelled right, and parts of words find it.
  bool IsWithinWord(const std::string& plain);
  std::string Nearest(const std::string& plain);
  // The word that rows have for two, of which they lack one and have the other seldom; "" where there is none.
  std::string Joined(std::string_view first, std::string_view second, bool is_first_known);
  // Whether one of the first rows with the phrase has both words, as they are without accents; "" for any.
  bool HaveWritten(const std::vector<std::string>& phrase, std::string_view first, std::string_view second);
  // The two words that it is without the blank between them, if as many rows have these as a short word's correction; "" for none.
  // is_written: just these words, as HaveWritten sees them, not forms of them.
  std::string InTwo(const std::string& plain, bool is_written);
  // The best of these terms that has a word with at most `edits`.
  std::string BestOf(std::vector<std::string> terms, const std::string& plain, size_t edits);
  std::vector<std::string> TermsOneEditAway(const std::string& plain);
  std::vector<std::string> TermsNear(const std::string& plain, size_t most_edits);

  sqlite3* db_;
  const IndexDefinition& index_;
  IndexSource* source_;
  PendingRows* pending_;
  TermCutter cutter_;
  TermNumbers numbers_;
  const bool has_words_;  // terms are words, not trigrams
  std::optional<double> row_count_;                      // what CountRows has found
  std::optional<std::unordered_set<uint64_t>> waiting_;  // HashWord of the terms of rows that wait
};

}  // namespace s2v
