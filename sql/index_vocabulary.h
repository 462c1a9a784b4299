// The words of an index's rows: what a word becomes as a term, which rows have it, and how it is
// written there.
//
//   IndexVocabulary vocabulary(db, index, &pending);
//   vocabulary.TermsOf("Houses");                             // "hous"
//   vocabulary.CountRowsWith({"hous", "price"}, 2000);        // how many have "house prices"
//   vocabulary.WordWith("hous", accept);                      // "house", as most of its rows have it
//
// Thread rule: as the connection's.
#pragma once

#include <algorithm>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "core/text/letters.h"
#include "sql/index_pending.h"
#include "sql/index_terms.h"
#include "sql/model_reader.h"

namespace s2v {

inline bool HasTerm(const std::vector<std::string>& terms, std::string_view term) {
  return std::find(terms.begin(), terms.end(), term) != terms.end();
}

class IndexVocabulary {
 public:
  // All that is given must outlive it. REQUIRES: index.words.
  IndexVocabulary(sqlite3* db, const IndexDefinition& index, PendingRows* pending);

  sqlite3* db() const { return db_; }
  const IndexDefinition& index() const { return index_; }
  const TermCutter& cutter() const { return cutter_; }
  bool has_words() const { return !index_.HasTrigrams(); }  // terms are words, not trigrams
  PendingRows& pending() { return *pending_; }
  // PlainWord, by the index's rules.
  std::string Plain(std::string_view word) const {
    return PlainWord(word, cutter_.reading().has_all_forms);
  }
  // What a word becomes in the index, in all these languages.
  std::vector<std::string> TermsOf(std::string_view word) const;
  // The terms that rows have one behind another where they have these words as a phrase, for each
  // language that the words may be of; of a long text the first ones. Empty where no row can have
  // them.
  std::vector<std::vector<std::string>> PhrasesOf(std::string_view words) const;
  // All that an index keeps beside the word. REQUIRES: the index has parts of words.
  std::vector<std::string> WordPartsOf(std::string_view word) const;

  // The model that the index embeds its texts with; nullptr where it has none, or that is gone.
  ModelReader* Model() {
    IndexEmbedder& embedder = pending_->source()->embedder();
    return index_.dimension == 0 || !embedder.HasModel() ? nullptr : &embedder.Model();
  }

  // Of the table: those of the index, with those that wait.
  double CountRows();
  // Whether a row of the index ever had the term, which keeps its number when its last row goes.
  bool HasNumber(std::string_view term) { return numbers_.Number(term) != 0; }
  // The same, or a row that waits has it.
  bool IsTerm(std::string_view term) { return HasNumber(term) || IsWaiting(term); }
  bool HasRows(const std::string& term) { return CountRowsWith({term}, 1) > 0; }
  // Any of them.
  bool HaveRows(const std::vector<std::string>& terms) {
    return std::any_of(terms.begin(), terms.end(),
                       [&](const std::string& term) { return HasRows(term); });
  }
  // Whether a row has it among its words, not only as a piece of one beside them.
  bool IsWord(const std::string& term) {
    return CountRowsWith({term}, 1, cutter_.has_pieces_beside()) > 0;
  }
  bool HasPhrase(std::string_view words);
  // Of the index's terms that meet the condition: term, id.
  Statement SelectTerms(const std::string& condition) const {
    return Statement(db_, "SELECT term, id FROM " + index_.Object("term") + " WHERE " + condition);
  }
  // How many rows ForEachRowWith visits, counted up to most.
  int64_t CountRowsWith(const std::vector<std::string>& phrase, int64_t most,
                        bool among_words = false);
  // Visits the rows that have these terms one behind another and none of `without`, first those of
  // the index, then those that wait, until visit(rowid) returns false. among_words: those that have
  // them as words, not only as parts or pieces of some.
  void ForEachRowWith(const std::vector<std::string>& phrase,
                      const std::function<bool(int64_t rowid)>& visit, bool among_words = false,
                      const std::vector<std::string>& without = {});

  // Whether a row of the index has these terms one behind another, other than those that wait.
  bool IsIndexed(const std::vector<std::string>& phrase);
  // Terms that begin so, in rows that wait, where they stand behind the term `before`.
  std::set<std::string> WaitingBehind(std::string_view before, std::string_view beginning);

  // Visits the words of a row as they are written, of a long text those of its first kMostBytesRead
  // bytes. Returns how many bytes were read.
  size_t ForEachWordOf(int64_t rowid, const std::function<void(std::string_view word)>& visit);
  // A word of the rows that has the term, and that is accepted, as it is written there most often,
  // in small letters where these make the same term; "" for none. is_any: the first one that is met
  // will do.
  std::string WordWith(std::string_view term,
                       const std::function<bool(const std::string& plain)>& accept,
                       bool is_any = false);
  // Whether one of the first rows with the phrase has both words, as they are without accents; ""
  // for any.
  bool HaveWritten(const std::vector<std::string>& phrase, std::string_view first,
                   std::string_view second);
  // Whether one of the first rows with the phrase has one of these, but for capitals.
  bool HaveSpelling(const std::vector<std::string>& phrase, std::span<const std::string> spellings);

 private:
  // ForEachRowWith in the index alone. Returns whether visit has not ended it.
  bool ForEachIndexedRow(const std::vector<std::string>& phrase,
                         const std::function<bool(int64_t rowid)>& visit, bool among_words,
                         const std::vector<std::string>& without);
  // A row's text, of a long one its first kMostBytesRead bytes; "" where it is gone. Valid until
  // the next row is read.
  std::string_view HeadOf(int64_t rowid);
  // Whether one of the first rows with the phrase is accepted, of as many as may be read. accept
  // adds to *bytes_read what it has read.
  bool AnyFirstRow(const std::vector<std::string>& phrase,
                   const std::function<bool(int64_t rowid, size_t* bytes_read)>& accept);
  // Of the rows that wait.
  bool IsWaiting(std::string_view term);

  sqlite3* db_;
  const IndexDefinition& index_;
  PendingRows* pending_;
  TermCutter cutter_;
  // Of a tokenizer of s2v itself, and of each of its languages, where it has several.
  struct Cut {
    const Tokenizer* tokenizer;
    Tokens tokens;  // each has its own: making stemmers takes longer than cutting a word
  };
  mutable std::vector<Cut> cuts_;
  TermNumbers numbers_;
  std::optional<double> row_count_;                      // what CountRows has found
  std::optional<std::unordered_set<uint64_t>> waiting_;  // HashWord of the terms of rows that wait
};

}  // namespace s2v
