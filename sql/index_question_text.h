// A question's text, as an index reads it: what ranks, what is asked for exactly, what unfinished
// words may become, and what was corrected.
//
//   QuestionText text(db, index, &pending, "sale mananger -berlin lond*", /*is_fts5=*/false);
//   text.text();             // "sale manager", and what is left of unfinished words
//   text.corrections();      // "mananger → manager"
//   text.choices()[0].terms; // "london", "londonderry", ...
//   text.FindExact();        // the rows with berlin are excluded
//
// Thread rule: as the connection's.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/search/fts5_query.h"
#include "core/search/question.h"
#include "sql/index_completions.h"
#include "sql/index_corrections.h"
#include "sql/index_exact.h"
#include "sql/index_vocabulary.h"

namespace s2v {

class QuestionText {
 public:
  // Of an index without words text() is all of it. is_fts5: it is in FTS5's syntax. Throws
  // InvalidArgument where that is wrong. All that is given must outlive it.
  QuestionText(sqlite3* db, const IndexDefinition& index, PendingRows* pending,
               const std::string& text, bool is_fts5);

  const std::string& text() const { return read_.text; }
  // The same with unfinished words that have digits or are of a script without blanks, which are
  // meant as they were typed.
  std::string embedded() const { return read_.text + meant_as_typed_; }
  // For each word that is not written to its end.
  const std::vector<WordChoices>& choices() const { return choices_; }
  // What rows may have in place of words of the text, beside other forms of numbers.
  const std::vector<NumberForm>& other_forms() const { return other_forms_; }
  // Of the text, what must stand together.
  const std::vector<std::string>& phrases() const { return read_.phrases; }
  const std::string& corrections() const { return corrections_; }
  // All that ranks, with its unfinished words.
  const std::string& as_typed() const { return as_typed_; }
  bool is_unfinished() const { return !read_.beginnings.empty(); }

  bool asks_exactly() const { return fts5_ || !read_.required.empty() || !read_.excluded.empty(); }
  // REQUIRES: the index has words.
  ExactRows FindExact();

 private:
  void CompleteWords();
  // The term that stands before what is typed last of a run, as proj before the 16 of PROJ-16, or of
  // numbers; "" for none. finished: what stands in the run before it.
  std::string TermBefore(std::string_view finished, std::string_view beginning) const;
  // The term of the word that was typed last, as sodium before chl; "" for none, and for a common
  // word, behind which anything may stand.
  std::string WordBefore() const;
  // Whether rows have letters and a number apart that a beginning has together; change: where the
  // second of them begins.
  bool IsApart(const std::string& beginning, size_t change);
  // Makes one word of a beginning and the word before it, where rows have words that begin so, and
  // none has that word; is_known: or none has one that begins as the beginning does.
  bool JoinBefore(bool is_known, std::string* beginning);
  // Of one that no word of the rows begins with. False where it stays as it is.
  bool CorrectBeginning(std::string* beginning);
  bool HasWordsFrom(const std::string& beginning) {
    return !TermsOfWordsFrom(&*vocabulary_, beginning, 1).empty() ||
           vocabulary_->HaveRows(vocabulary_->TermsOf(beginning));  // of a shorter stem
  }
  void AddCorrection(const std::string& correction);

  const std::string& given_;  // the text
  search::ReadQuestion read_;
  std::optional<search::Fts5Query> fts5_;
  std::optional<IndexVocabulary> vocabulary_;
  std::optional<WordCorrector> corrector_;
  std::vector<WordChoices> choices_;
  std::vector<NumberForm> other_forms_;
  std::string as_typed_, meant_as_typed_, corrections_;
};

}  // namespace s2v
