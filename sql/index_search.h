// A question to an index: the rows nearest to it by meaning, by words, or by both.
//
//   IndexQuestion question{.text = "rate cuts hit lenders", .k = 10};
//   for (const IndexAnswer& answer : SearchIndex(db, index, &memory, question).answers) ...
//
// Where the log has more entries than kFewPending (of cut rows kFewPendingLong), or more than count
// exactly, and the connection may write and is in no transaction, a slice of them
// (sql/index_limits.h) is taken into the index first, the oldest ones, without waiting for a lock.
// The newest of the others are read from the table and compared one by one, as if they were in the
// index. Each row of the answer is looked up in the table: one that is not what was indexed is
// compared anew as the table has it, and noted in the log.
//
// Thread rule: as the connection's.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/search/ranker.h"
#include "core/search/search.h"
#include "sql/index_definition.h"
#include "sql/index_memory.h"
#include "sql/index_words_query.h"

namespace s2v {

enum class Ranking { kBoth, kMeaning, kWords };

struct IndexQuestion {
  // One of the two. text: as core/search/question.h reads it, and with its typing forgiven
  // (sql/index_question_text.h), where the index has words. vector: [dimension], any length.
  std::optional<std::string> text;
  std::vector<float> vector;
  uint64_t k = 0;
  // so many rows are ranked, if these are more than k, of which the k best are given: that a
  // further page fits
  uint64_t ranked = 0;
  // Nothing: both where there are words and a text, else meaning.
  std::optional<Ranking> ranking;
  // text is in FTS5's syntax (core/search/fts5_query.h) instead. REQUIRES: kWords.
  bool is_fts5 = false;
  const search::RowSet* allowed = nullptr;  // nullptr: all rows
  // Rows are left out that are more similar than that to a better row of the answer; others follow
  // in their place. Each is compared with the kMostAnswersCompared best ones.
  std::optional<double> max_similar;
};
inline constexpr size_t kMostAnswersCompared = 1000;

struct IndexAnswer {
  int64_t rowid = 0;
  double score = 0;                         // by which answers are ordered, largest first
  std::optional<double> similarity;         // nothing where the row or the question has no vector
  std::optional<double> bm25;               // nothing where no word matched, or none was looked for
  std::optional<double> matched;            // search::Match::matched; nothing by meaning alone, or
                                            // where nothing of the row ranks
  std::optional<search::ScoreParts> parts;  // by both
  size_t part = 0;                          // the best one of the row (sql/index_parts.h)
};

struct IndexResult {
  std::vector<IndexAnswer> answers;  // at most k
  uint64_t pending = 0;              // entries of the log that were not taken in
  std::string corrections;           // "mananger → manager, ..."; "" where no word was corrected
  // The question as it was asked, for sql/index_snippets.h: its vector, of length 1, empty where it
  // has none, and the hash of the model whose embeddings may be compared with it, "" for none; the
  // text that ranks, what of it must stand together, the choices for its unfinished words, and its
  // words, none where they were not looked for.
  std::vector<float> vector;
  std::string model_hash, text;
  std::vector<std::string> phrases;
  std::vector<WordChoices> choices;
  WordsQuery words_query;
};
// Throws InvalidArgument for a question that the index cannot answer.
IndexResult SearchIndex(sqlite3* db, const IndexDefinition& index, IndexMemory* memory,
                        const IndexQuestion& question);

}  // namespace s2v
