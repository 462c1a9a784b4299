// What an unfinished word of a question may become.
//
//   IndexVocabulary vocabulary(db, index, &source, &pending);
//   WordCorrector corrector(&vocabulary);
//   WordCompleter completer(&vocabulary, &corrector);
//   completer.Completions("europ", 16).terms;    // "european" "europ"
//
// Thread rule: as the connection's.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "sql/index_corrections.h"
#include "sql/index_vocabulary.h"
#include "sql/index_words_query.h"

namespace s2v {

class WordCompleter {
 public:
  // All that is given must outlive it.
  WordCompleter(IndexVocabulary* vocabulary, WordCorrector* corrector)
      : vocabulary_(*vocabulary), corrector_(*corrector), cutter_(vocabulary->cutter()) {}

  const IndexVocabulary& vocabulary() const { return vocabulary_; }

  // Of words that stand before a * what is not written to its end, the last word as the tokenizer
  // cuts: of trans-europ europ, of v18.78 all. "" where they do not end with a letter or a digit.
  // Valid as long as words is. Of a run that the tokenizer cuts into pairs of characters, of which
  // more may come, as of Thai and Hangul, the last pair.
  std::string_view UnfinishedWord(std::string_view words) const;
  // What stands before it, and of a run its first character too, which ends the pair before.
  std::string_view FinishedWords(std::string_view words) const;
  // The term of the last word, by the profile of all languages; "" for none.
  std::string LastTerm(std::string_view words) const;
  // Terms of words that begin so, about the commonest first; words of letters and digits, of
  // scripts with blanks between them. Of a single character of other scripts the terms of what
  // begins so, or has it; none of longer runs, whose pairs of characters are looked for. Those go
  // first that rows have behind the term `before`, if it is not empty: of 16 in PROJ-16.
  WordChoices Completions(std::string_view beginning, size_t most, const std::string& before = "");
  // Terms that rows have of words that begin so, about the commonest first.
  std::vector<std::string> TermsFrom(std::string_view beginning, size_t most) {
    std::vector<std::string> terms;
    const std::string plain = PlainToken(beginning, cutter_.reading().has_all_forms);
    if (!plain.empty()) AddTermsFrom(plain, most, AnyTerm, &terms);
    return terms;
  }
  // Of the numbers and sizes of a question what rows have that goes on with a fraction or a unit:
  // 14.00 and 14kg of 14.
  std::vector<NumberForm> LongerNumbers(std::string_view text);
  // Of terms that begin so those that rows have behind the term `before`.
  void AddTermsBehind(const std::string& before, const std::string& beginning, size_t most,
                      std::vector<std::string>* terms);
  // Where the term is one character of a script without blanks: the pairs of characters that begin
  // with it. What follows 3 in 3月に is 月に.
  std::vector<std::string> PairsFrom(const std::string& term, size_t most);
  // Those that end with it. What precedes 5 in 民法第5 is 法第.
  std::vector<std::string> PairsTo(const std::string& term, size_t most);

 private:
  // Of a term that rows have: kNoMore says that no other one is looked for either.
  enum class TermChoice { kYes, kNo, kNoMore };
  using AcceptTerm = std::function<TermChoice(const std::string& term)>;
  static TermChoice AnyTerm(const std::string& /*term*/) { return TermChoice::kYes; }

  // Where that pair begins, of a run of at least three characters with which words end; npos
  // elsewhere.
  size_t LastPair(std::string_view words) const;
  bool IsCharacterOfRun(const std::string& term) const;
  // How terms begin that begin so: without accents; with one of FTS5's tokenizers, which may leave
  // ß and é as they are, as it cuts it too.
  std::vector<std::string> StartsOf(std::string_view beginning, const std::string& plain) const;
  // Of what a beginning becomes in the index where the tokenizer changes the front of words:
  // without a prefix, in another script.
  std::vector<std::string> BeginningsOf(const std::string& plain) const;
  // Whether a word of the rows has the term and begins as was typed; or, in another script, as that
  // becomes in the index.
  bool HasWordFrom(std::string_view term, const std::string& plain, const std::string& changed) {
    return !WordFrom(term, plain, changed).empty();
  }
  // One of these words.
  std::string WordFrom(std::string_view term, const std::string& plain, const std::string& changed);
  // Whether a row has this word, whose term this is, just so: all of its parts tell it, or words of
  // some rows.
  bool IsWhole(const std::string& term, const std::string& plain);
  // Puts the word as it stands before the terms and returns how many of these that are; adds its
  // stem to them, or where that is doubtful to doubtful. stems: as WordChoices has it.
  size_t AddWhole(std::string_view beginning, const std::string& plain,
                  std::vector<std::string>* terms, std::vector<std::string>* doubtful,
                  size_t* stems);
  // Of words that begin so, as far as terms, or parts of words, tell them.
  void AddTermsOfWordsFrom(std::string_view beginning, const std::string& plain, size_t most,
                           std::vector<std::string>* terms);
  // AddHalfEndings, as far as they are new: to terms where rows have a word that begins so, or there
  // are no others.
  void AddGuesses(const std::string& plain, std::vector<std::string>* terms,
                  std::vector<std::string>* doubtful);
  // With umlauts in German, in scripts of India with an anusvara at its end; else as it is.
  std::string OtherSpelling(const std::string& plain) const;
  // The longest term shorter than `cut` that is the stem of a word which begins so: organiz of
  // organization.
  void AddShorterStem(const std::string& cut, const std::string& plain,
                      std::vector<std::string>* terms);
  // To parts: in English, where stems are shorter than what was typed, and have rows with other
  // words, the end of a word that begins so.
  void AddEndsOfWords(const std::string& plain, const std::vector<std::string>& terms,
                      std::vector<std::string>* parts);
  // Of words that begin so, the stems that do not begin so themselves: parts of words tell which
  // rows have any.
  void AddStemsByParts(const std::string& plain, size_t most, std::vector<std::string>* terms);
  // Stems that rows have of words that begin so and end as English words do.
  void AddHalfEndings(const std::string& beginning, std::vector<std::string>* terms);
  void PutCommonestFirst(std::vector<std::string>* terms);
  // Terms from begin on and before end that only rows which wait have.
  std::vector<std::string> WaitingBetween(std::string_view begin, std::string_view end);
  // Terms from begin on and before end that rows have, the commonest first of those that came
  // first.
  void AddTermsBetween(std::string_view begin, std::string_view end, size_t most,
                       const AcceptTerm& accept, std::vector<std::string>* terms);
  // Those that begin so.
  void AddTermsFrom(std::string_view beginning, size_t most, const AcceptTerm& accept,
                    std::vector<std::string>* terms);
  // Parts of the word but those of its end, which is not written. Of one with accents also the
  // words of rows that begin with these. typed_last: set to the last of them.
  std::vector<std::string> UnfinishedParts(std::string_view beginning, std::string* typed_last);
  // Of a single letter of a script with blanks.
  WordChoices LetterChoices(std::string_view letter, const std::string& plain);
  // Of a single character of a script without blanks, or of a pair as UnfinishedWord has it.
  WordChoices CharacterChoices(std::string_view character, size_t most);

  IndexVocabulary& vocabulary_;
  WordCorrector& corrector_;
  const TermCutter& cutter_;
};

}  // namespace s2v
