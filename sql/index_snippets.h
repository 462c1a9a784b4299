// Why a row is an answer: the passage of its text that answers best, with the question's words
// marked.
//
//   Snippets snippets(db, index, &memory->files, question, result);      // result: of SearchIndex
//   snippets.Snippet(answer, kAnyColumn, {"<b>", "</b>"}, "...", 16)      // ...the <b>rates</b> were <b>cut</b> by the bank...
//   snippets.Highlight(answer, 0, {"<b>", "</b>"})                        // all of the first column
//
// Which words are marked: sql/index_marked_words.h. A passage is worth
//
//   (values of the question's words that it has) / (values of all)
//   + similarity of the passage and the question
//
// value: search::WordValue, for a part of a word times search::kPartWeight; of the words of a phrase
// half of all at least. Passages are weighed that begin with a sentence, or a quarter of their
// length before a word of the question. The similarity is computed of the kMostEmbedded best of them
// by words, as far as it may decide; of a text without the question's words, of some kMostSpread
// passages from all over it. It counts nothing where another model has taken the place of the
// question's, or none.
//
// Thread rule: as the connection's. While it lives, a read transaction of the model stays open.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sql/index_marked_words.h"
#include "sql/index_search.h"
#include "sql/index_source.h"

namespace s2v {

struct Marks {
  std::string_view before, after;
  bool escapes_html = false;  // the text, not what is around it
};

class Snippets {
 public:
  static constexpr int64_t kAnyColumn = -1;
  static constexpr int64_t kMostWords = 1000, kDefaultWords = 24;

  // index, files, question and result must outlive it.
  Snippets(sqlite3* db, const IndexDefinition& index, OpenFiles* files,
           const IndexQuestion& question, const IndexResult& result);

  // Of a column of text, by its number, or of the one with the best passage. Nothing where the row
  // or its text is gone. words: about as many, of kMostWordBytes each at most. REQUIRES: 0 < words
  // <= kMostWords.
  std::optional<std::string> Snippet(const IndexAnswer& answer, int64_t column, const Marks& marks,
                                     std::string_view ellipsis, size_t words);
  std::optional<std::string> Highlight(const IndexAnswer& answer, size_t column,
                                       const Marks& marks);
  struct Passage {
    std::string text;
    int64_t at = 1;  // the character with which it begins in its column
    std::string column;
  };
  // The answer's best part without columns that are in each part, of a row that is one part the
  // column with the best passage. Nothing where the row is gone, or the index has no passages.
  std::optional<Passage> BestPassage(const IndexAnswer& answer);

  struct Window {
    double value = 0;
    size_t first = 0, last = 0;  // places; last is the one behind it
  };

 private:
  const SourceRow* Row(const IndexAnswer& answer);
  // Of a row's text what is text, where it is in a format (core/text/text_format.h): of that are
  // places and passages.
  std::string_view PlainText(std::string_view text, std::string* scratch);
  struct ColumnText {
    size_t column = 0;
    std::string text;                        // plain
    std::vector<MarkedWords::Place> places;  // with what is to be marked
    Window best{.value = -2};                // without places less than any
  };
  // Of one column, or with kAnyColumn of all.
  std::vector<ColumnText> TextsOf(const SourceRow& row, int64_t column);
  // Without text: no column has any. column: or kAnyColumn.
  ColumnText Choose(const SourceRow& row, int64_t column, size_t words);
  // is_compared: with those of other columns, so that its similarity has to be in its value.
  Window BestWindow(const ColumnText& of, size_t words, bool is_compared);

  const IndexDefinition& index_;
  const IndexResult& result_;
  const size_t most_bytes_;  // of a text of this connection
  IndexSource source_;
  MarkedWords words_;
};

}  // namespace s2v
