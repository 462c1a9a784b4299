// The rows of a table with several languages that are in one of them.
//
// Thread rule: as the connection's.
#pragma once

#include <string_view>

#include "core/search/word_scores.h"
#include "core/text/tokenizer.h"
#include "sql/index_definition.h"

namespace s2v {

// language: of own, which has several. By a sample of 400 rows; {1, 1} where it tells too little.
// Throws SqlError, FormatError.
search::LanguageRows FindLanguageRows(sqlite3* db, const IndexDefinition& index,
                                      const Tokenizer& own, std::string_view language);

}  // namespace s2v
