// BM25 of SQLite's own full-text search, the rival that every user of SQLite has already: FTS5 with
// tokenize='porter unicode61' in a database of its own, in memory.
//
//   FullText full_text;                                   // REQUIRES: FullText::Available()
//   for (const std::string& text : texts) full_text.Add(text);
//   Scores scores;
//   full_text.Search("rate cuts hit lenders", &scores);   // any of the words
#ifndef S2V_EXT_CLI_FULL_TEXT_H_
#define S2V_EXT_CLI_FULL_TEXT_H_

#include <memory>
#include <string>
#include <string_view>

#include "core/eval/ranking.h"
#include "sql/statement.h"

namespace s2v {

class FullText {
 public:
  static bool Available();
  FullText();
  void Add(std::string_view text);
  // bm25 with its sign turned, so that larger is better; 0 where no word matches.
  void Search(std::string_view query, Scores* scores);

 private:
  const std::unique_ptr<sqlite3, int (*)(sqlite3*)> db_;
  Statement insert_, select_;
  int64_t texts_ = 0;
};

}  // namespace s2v

#endif  // S2V_EXT_CLI_FULL_TEXT_H_
