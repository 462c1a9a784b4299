// How like a question the titles of rows are that have all of its words.
//
//   TitleComparer titles(db, index, text);
//   titles.LikenessOf("Hamlet");            // of the question hamlet: kButForCapitals
//
// Thread rule: as the connection's.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/search/word_scores.h"
#include "core/text/tokenizer.h"
#include "sql/index_question_text.h"
#include "sql/index_term_cutter.h"

namespace s2v {

class TitleComparer {
 public:
  // asked must outlive it. left_out: terms of it that are not looked for; a title without one of
  // them is another one.
  TitleComparer(sqlite3* db, const IndexDefinition& index, const QuestionText& asked,
                std::vector<uint64_t> left_out);

  search::TitleLikeness LikenessOf(std::string_view title) const;

 private:
  // Whether it has words of the question, but for common ones, by their stems alone, each in the
  // place of another word: University for universe.
  bool HasOtherWords(std::string_view title) const;

  const QuestionText& asked_;
  const std::vector<uint64_t> left_out_;
  // The parts of words tell their forms apart; names are in small letters, in which they have no
  // pieces.
  TermCutter cutter_;
  std::string typed_;  // the question in small letters
  RowTerms terms_;     // of the question, as of a column
  Tokens asked_cut_;   // the same, with the words that they were cut from
  Tokens words_;       // of the question, with their accents
};

}  // namespace s2v
