// The rows that have words of a question: those of the index by FTS5, those that wait by their
// text.
//
//   ForEachMatch(db, index, &query, choice, &pending, [&](const search::Match& match) { ... });
//
// Thread rule: as the connection's.
#pragma once

#include <functional>

#include "core/search/word_scores.h"
#include "sql/index_nearest.h"
#include "sql/index_pending.h"
#include "sql/index_words_query.h"

namespace s2v {

// Visits the rows of the choice that have any of the words, those of the index by rising rowid,
// then those that are pending; all as if those were in the index already. How rare a word is, all
// rows tell. Several columns are one text; is_title: of several the first one has all phrases of
// the question, and as many terms. least_bm25: rows with less need not be visited, and of others
// only bm25 counts; visit may raise it; nullptr: all are. Throws SqlError. REQUIRES: index.words,
// and kMatchFunction is registered.
void ForEachMatch(sqlite3* db, const IndexDefinition& index, WordsQuery* query,
                  const RowChoice& choice, PendingRows* pending,
                  const std::function<void(const search::Match& match)>& visit,
                  const double* least_bm25 = nullptr);

// ---- for ext/match_function.cc, which registers what FTS5 calls ----

// ForEachMatch selects kMatchFunction(N_fts, pointer), where the pointer, of type kMatchPointer, is
// to a Matching. The function calls FillMatch for each row that FTS5 finds.
inline constexpr char kMatchFunction[] = "s2v_match", kMatchPointer[] = "s2v_match";
struct Matching;
// Returns a result code.
int FillMatch(const Fts5ExtensionApi* fts5, Fts5Context* query, Matching* matching) noexcept;

}  // namespace s2v
