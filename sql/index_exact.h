// A question may demand exact words, and may exclude words: the rows that have the former, and the
// rows that have the latter.
//
//   ExactRows rows = FindExactRows(question, &vocabulary);
//
// Words in quotation marks follow one another, in any forms with the same stems.
//
// Thread rule: as the connection's.
#pragma once

#include <optional>

#include "core/search/fts5_query.h"
#include "core/search/question.h"
#include "core/search/search.h"
#include "sql/index_vocabulary.h"

namespace s2v {

struct ExactRows {
  std::optional<search::RowSet> required;  // nothing: all rows
  std::optional<search::RowSet> excluded;  // beside that
};
ExactRows FindExactRows(const search::ReadQuestion& question, IndexVocabulary* vocabulary);
// Rows that a question in FTS5's syntax asks for, cut as the index cuts texts.
search::RowSet FindFts5Rows(const search::Fts5Query& query, IndexVocabulary* vocabulary);

}  // namespace s2v
