// The words of an index: FTS5 asked with a text as people write it.
//
//   const WordsQuery query = MakeWordsQuery(index, "rate cuts: \"hit\" lenders?");
//   // "rate" OR "cuts" OR "hit" OR "lenders"
//   ForEachMatch(db, index, query.expression, [&](int64_t rowid, double bm25) { ... });
//
// Thread rule: as the connection's.
#ifndef S2V_SQL_INDEX_WORDS_H_
#define S2V_SQL_INDEX_WORDS_H_

#include <functional>
#include <string>
#include <string_view>

#include "sql/index_definition.h"

namespace s2v {

struct WordsQuery {
  std::string expression;  // FTS5's, which any of the words matches; "" where there is none
  size_t words = 0;        // different ones
};
// Operators, quotes and punctuation are not FTS5's: each word is quoted. A word that comes again counts
// twice, as FTS5 adds up what is asked for twice; of a long text the first kMaxQueryWords different words
// count.
inline constexpr size_t kMaxQueryWords = 1000;
WordsQuery MakeWordsQuery(const IndexDefinition& index, std::string_view text);

// Visits the rows that match, by rising rowid. bm25: FTS5's with the sign turned, so that more is
// better. Throws SqlError. REQUIRES: index.words.
void ForEachMatch(sqlite3* db, const IndexDefinition& index, const std::string& expression,
                  const std::function<void(int64_t rowid, double bm25)>& visit);

}  // namespace s2v

#endif  // S2V_SQL_INDEX_WORDS_H_
