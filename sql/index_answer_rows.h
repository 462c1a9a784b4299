// The rows that may be answers to a question: those that it is asked among, as far as they have
// what it demands exactly, less those that have what it excludes.
//
//   AnswerRows rows(index, question.allowed, &pending);
//   rows.Find(changed, &text);
//   if (rows.choice().Contains(rowid)) ...
//
// Thread rule: as the connection's.
#pragma once

#include <optional>

#include "core/search/search.h"
#include "sql/index_exact.h"
#include "sql/index_nearest.h"
#include "sql/index_pending.h"
#include "sql/index_question_text.h"

namespace s2v {

class AnswerRows {
 public:
  // given: nullptr: all rows. All that is given must outlive it.
  AnswerRows(const IndexDefinition& index, const search::RowSet* given, PendingRows* pending)
      : pending_(*pending),
        given_(given),
        are_cut_(index.passages > 0),
        choice_{.allowed = given} {}

  AnswerRows(const AnswerRows&) = delete;
  AnswerRows& operator=(const AnswerRows&) = delete;

  // Again whenever further rows are pending. changed: so many rows were found changed by now. text:
  // nullptr where a vector is asked for.
  void Find(size_t changed, QuestionText* text);
  // With passages of parts.
  const RowChoice& choice() const { return choice_; }
  // Those that have what is demanded; nothing where the question demands nothing.
  const std::optional<search::RowSet>& required() const { return exact_.required; }

 private:
  PendingRows& pending_;
  const search::RowSet* const given_;
  const bool are_cut_;
  std::optional<search::RowSet> parts_;  // of given_, with passages
  size_t changed_ = 0;                   // rows that were, when these were looked up
  ExactRows exact_;
  std::optional<search::RowSet> left_out_;  // pending or excluded, where the question excludes any
  RowChoice choice_;
};

}  // namespace s2v
