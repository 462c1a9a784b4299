// Why a row is an answer: the passage of its text that answers best, with the question's words
// marked.
//
//   Snippets snippets(db, index, &memory->files, question, result);      // result: of SearchIndex
//   snippets.Snippet(answer, kAnyColumn, {"<b>", "</b>"}, "...", 16)      // ...the <b>rates</b> were <b>cut</b> by the bank...
//   snippets.Highlight(answer, 0, {"<b>", "</b>"})                        // all of the first column
//
// A word is marked where the index's tokenizer makes the same term of it as of a word of the
// question, as it does of other forms. In scripts without blanks, pairs of characters are marked
// that are in the question. A word that has more than half of the parts of a word of the question
// is marked as well: Haustür for Haus. A word that the question has within quotation marks alone is
// marked where the whole phrase stands, which gets one mark.
//
// A passage is worth
//
//   (values of the question's words that it has) / (values of all)
//   + similarity of the passage and the question
//
// value: search::WordValue, for a part of a word times search::kPartWeight; of the words of such a
// phrase half of all at least. Passages are weighed that begin with a sentence, or a quarter of
// their length before a word of the question. The similarity is computed of the kMostEmbedded best
// of them by words, as far as it may decide; of a text without the question's words, of some
// kMostSpread passages from all over it. It counts nothing where another model has taken the place
// of the question's, or none.
//
// Thread rule: as the connection's. While it lives, a read transaction of the model stays open.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "sql/index_search.h"
#include "sql/index_source.h"
#include "sql/index_term_cutter.h"
#include "sql/index_words_query.h"

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

  // A word of a text, and what it has of the question.
  struct Found {
    std::optional<size_t> word;  // in asked_; nullopt: it has nothing
    bool is_part = false;
    bool has_no_term = false;  // the tokenizer leaves nothing of it, as of a sign
  };
  struct Place {
    size_t begin, end;
    Found found;
    bool is_in_phrase = false, continues_phrase = false;
  };
  struct Window {
    double value = 0;
    size_t first = 0, last = 0;  // places; last is the one behind it
  };

 private:
  struct AskedWord {
    double value = 0;  // of all words 1, but for phrases
    size_t parts = 0;
    bool is_of_phrases = false;  // the question has it in phrases alone
    bool is_left_out = false;    // too common: it is looked for within phrases only
  };
  // The words of the question in a window that moves.
  class Counting;

  const SourceRow* Row(const IndexAnswer& answer);
  void AddAsked(const WordsQuery& query);
  // Of each word of it: its stems in several languages are one, and its parts tell other forms.
  void AddWordsOf(std::string_view question);
  void AddPhrases();
  // Of a row's text what is text, where it is in a format (core/text/text_format.h): of that are
  // places and passages.
  std::string_view PlainText(std::string_view text, std::string* scratch);
  const Tokenizer& own() const { return *cutter_->plain(); }  // REQUIRES: it is not FTS5's
  std::vector<Place> PlacesOf(std::string_view text);
  // False where none of the phrases stands there.
  bool MarkPhrases(std::vector<Place>* places) const;
  struct ColumnText {
    size_t column = 0;
    std::string text;           // plain
    std::vector<Place> places;  // with what is to be marked
  };
  // Of one column, or with kAnyColumn of all.
  std::vector<ColumnText> TextsOf(const SourceRow& row, int64_t column);
  void AddRun(std::string_view run, size_t begin, std::vector<Place>* places);
  void FindJoined(std::string_view text, std::vector<Place>* places);
  Found FindWord(std::string_view word);
  // The asked word of the first of these terms that is one.
  std::optional<size_t> FindAny(std::span<const uint64_t> terms) const;
  Found FindTerm(std::string_view term) const;
  std::vector<Window> Windows(std::string_view text, const std::vector<Place>& places,
                              size_t words) const;
  // Those whose similarity is to decide: apart from each other, the best first.
  static std::vector<Window> Candidates(std::vector<Window> windows, size_t words);
  struct Chosen {
    ColumnText of;  // without text: no column has any
    Window window;
  };
  // column: or kAnyColumn.
  Chosen Choose(const SourceRow& row, int64_t column, size_t words);
  // is_compared: with those of other columns, so that its similarity has to be in its value.
  Window BestWindow(const ColumnText& of, size_t words, bool is_compared);

  const IndexDefinition& index_;
  const IndexResult& result_;
  const size_t most_bytes_;  // of a text of this connection
  IndexSource source_;
  std::optional<TermCutter> cutter_;  // where the index has words
  std::vector<AskedWord> asked_;
  std::unordered_map<uint64_t, size_t> by_term_;  // HashWord
  std::unordered_map<uint64_t, std::vector<size_t>> by_part_;
  // [phrases, places]: words of asked_; nullopt where a place has none.
  std::vector<std::vector<std::optional<size_t>>> phrases_;
  std::unordered_map<uint64_t, Found> known_;  // words of texts that were looked at, by HashWord
  Tokens tokens_;
};

}  // namespace s2v
