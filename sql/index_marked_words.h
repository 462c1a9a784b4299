// Where texts of rows have the words of a question.
//
//   MarkedWords words(db, index, question, result);
//   std::vector<MarkedWords::Place> places = words.PlacesOf("The bank cut its rates.");
//   words.LeaveOut(words.MarkPhrases(&places), &places);
//
// A word is marked where the index's tokenizer makes the same term of it as of a word of the
// question, as it does of other forms. In scripts without blanks, pairs of characters are marked
// that are in the question. A word that has more than half of the parts of a word of the question
// is marked as well: Haustür for Haus. A word that the question has within quotation marks alone is
// marked where the whole phrase stands, which gets one mark.
//
// Thread rule: as the connection's.
#pragma once

#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "sql/index_search.h"
#include "sql/index_term_cutter.h"
#include "sql/index_words_query.h"

namespace s2v {

class MarkedWords {
 public:
  // A word of a text, and what it has of the question.
  struct Found {
    std::optional<size_t> word;  // of the question, by its number; nullopt: it has nothing
    bool is_part = false;
    bool has_no_term = false;  // the tokenizer leaves nothing of it, as of a sign
  };
  struct Place {
    size_t begin, end;
    Found found;
    bool is_in_phrase = false, continues_phrase = false;
  };
  // Of an index without words, and of a question without text, no place has any.
  MarkedWords(sqlite3* db, const IndexDefinition& index, const IndexQuestion& question,
              const IndexResult& result);

  // Of the question.
  size_t size() const { return asked_.size(); }
  // Of all words 1, but for phrases.
  double value(size_t word) const { return asked_[word].value; }
  // Quoted, or other forms of words.
  bool has_phrases() const { return !phrases_.empty(); }
  // nullptr where no words are looked for.
  const TermCutter* cutter() const { return cutter_ ? &*cutter_ : nullptr; }

  std::vector<Place> PlacesOf(std::string_view text);
  // False where none of the phrases stands there.
  bool MarkPhrases(std::vector<Place>* places) const;
  // What is only looked for in phrases. has_phrase: any text of the row has one.
  void LeaveOut(bool has_phrase, std::vector<Place>* places) const;

 private:
  struct AskedWord {
    double value = 0;
    size_t parts = 0;
    bool is_of_phrases = false;  // the question has it in phrases alone
    bool is_left_out = false;    // too common: it is looked for within phrases only
  };

  void AddAsked(const WordsQuery& query);
  // What a row may have, in words side by side, in place of a word of the question.
  void AddForm(const std::vector<uint64_t>& terms, double value);
  // Of each word of it: its stems in several languages are one, and its parts tell other forms.
  void AddWordsOf(std::string_view question);
  void AddPhrases(const IndexResult& result);
  const Tokenizer& own() const { return *cutter_->plain(); }  // REQUIRES: it is not FTS5's
  void AddRun(std::string_view run, size_t begin, std::vector<Place>* places);
  void FindJoined(std::string_view text, std::vector<Place>* places);
  Found FindWord(std::string_view word);
  Found FindTerm(std::string_view term) const;

  std::optional<TermCutter> cutter_;
  std::vector<AskedWord> asked_;
  std::unordered_map<uint64_t, size_t> by_term_;  // HashWord
  std::unordered_map<uint64_t, std::vector<size_t>> by_part_;
  // [phrases, places]: words of asked_; nullopt where a place has none.
  std::vector<std::vector<std::optional<size_t>>> phrases_;
  std::unordered_map<uint64_t, Found> known_;  // words of texts that were looked at, by HashWord
  Tokens tokens_;
};

}  // namespace s2v
