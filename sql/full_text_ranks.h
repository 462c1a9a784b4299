// BM25 of SQLite's own full-text search on a retrieval task: the rival that every user of SQLite
// has already.
#ifndef S2V_SQL_FULL_TEXT_RANKS_H_
#define S2V_SQL_FULL_TEXT_RANKS_H_

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/text/tokenizer.h"

namespace s2v {

// [queries] rank of candidates[i] for queries[i] among all candidates, from 1, those that score the
// same sharing the mean of their ranks; in a database of its own, in memory. A query is any of the
// tokenizer's tokens, each quoted. Nothing where SQLite lacks FTS5. done is called with the number
// of queries answered. REQUIRES: equal sizes.
std::optional<std::vector<double>> FullTextRanks(std::span<const std::string> queries,
                                                 std::span<const std::string> candidates,
                                                 const Tokenizer& tokenizer,
                                                 const std::function<void(size_t)>& done);

}  // namespace s2v

#endif  // S2V_SQL_FULL_TEXT_RANKS_H_
