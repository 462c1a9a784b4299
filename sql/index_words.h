// The words of an index: FTS5 asked with a text as people write it.
//
//   WordsQuery query = MakeWordsQuery(index, "rate cuts: \"hit\" the lenders?");
//   LeaveOutCommonWords(db, index, &query);
//   ForEachMatch(db, index, query, [&](const WordsMatch& match) { ... });
//
// Thread rule: as the connection's.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "sql/index_definition.h"

namespace s2v {

struct WordsQuery {
  std::vector<std::string> terms;  // quoted for FTS5
  size_t words = 0;                // different ones of the text
};
// Operators, quotes and punctuation are not FTS5's: each word is quoted. A word that comes again is a term
// twice, as FTS5 adds up what is asked for twice; of a long text the first kMaxQueryWords different words
// count.
inline constexpr size_t kMaxQueryWords = 1000;
WordsQuery MakeWordsQuery(const IndexDefinition& index, std::string_view text);

// Leaves out words that most of a sample of rows have, unless all are such: bm25 gives them a weight of 0.000001, and
// FTS5 reads the whole list of each. Rows that have no other word are then not matched. Of an index of few
// rows nothing is left out. Throws SqlError. REQUIRES: index.words.
void LeaveOutCommonWords(sqlite3* db, const IndexDefinition& index, WordsQuery* query);

// A row that has any of the words. bm25: FTS5's with the sign turned, so that more is better. opening:
// core/search/fusion.h; several columns are one text.
struct WordsMatch {
  int64_t rowid = 0;
  double bm25 = 0, opening = 0;
};
// Gives FTS5 the function that ForEachMatch calls. Once for a connection: FTS5 forgets none. Throws SqlError.
void AddMatchFunction(sqlite3* db);
// Visits the rows that match, by rising rowid. Throws SqlError. REQUIRES: index.words, AddMatchFunction.
void ForEachMatch(sqlite3* db, const IndexDefinition& index, const WordsQuery& query,
                  const std::function<void(const WordsMatch& match)>& visit);

}  // namespace s2v
