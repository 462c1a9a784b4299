// Leaves out of a question what would cost much and say little.
//
//   LeaveOutCommonWords(db, index, LeavingOut::kAll, &pending, &query);
//
// Thread rule: as the connection's.
#pragma once

#include <vector>

#include "sql/index_pending.h"
#include "sql/index_words_query.h"

namespace s2v {

// Leaves out words that most rows of a sample have (in a large table 30 %): they count next to
// nothing in bm25, and FTS5 reads the whole list of each. If all words are such, kUnlessAll leaves
// none out, and kAll leaves out all: then the meaning ranks. kAll does so too if the words that are
// left are frequent and common. A word that more than a tenth of the rows have is marked as
// frequent: beside rarer words, a row that has only frequent ones is no match, one that is pending
// neither. The rarest parts of words are kept whose rows together are at most kMostPartRows, and
// the rarest choices for a word up to kMostChoiceRows. In an index of few rows none of this
// happens. Of more than kMostPhrases phrases about the rarest are kept in any index. kChoices
// leaves out choices, phrases beyond kMostPhrases and what all words are side by side, and nothing
// else. Throws SqlError.
// REQUIRES: index.words.
enum class LeavingOut { kChoices, kUnlessAll, kAll };
void LeaveOutCommonWords(sqlite3* db, const IndexDefinition& index, LeavingOut leaving_out,
                         PendingRows* pending, WordsQuery* query);

// Marks the commonest words of a long question as frequent, until the others are in `enough` rows,
// but no more of them than have kMostValueOfCommonest of what all its words are worth: a row that
// has only these could gain little by them. How many rows have a word is told by the model's count
// of it; one that it does not know is rare. rows, words: of the index.
void MarkCommonest(double rows, double words, double enough, std::vector<WordsPhrase>* phrases);

}  // namespace s2v
