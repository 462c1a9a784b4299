// What a question asks FTS5 for: its words as the index has them.
//
//   WordsQuery query = MakeWordsQuery(db, index, "rate cuts: \"hit\" the lenders?");
//
// Thread rule: as the connection's.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/search/word_scores.h"
#include "core/text/number_forms.h"
#include "sql/index_pending.h"
#include "sql/model_reader.h"

namespace s2v {

// A phrase of a question as it is looked for: the tokenizer may cut a word into several terms that
// must follow one another.
struct WordsPhrase : search::Phrase {
  std::vector<uint64_t> terms;  // HashWord of each
  std::string fts;  // as N_fts has it, quoted; "" where no row of the index has one of the terms
  // Of its term that the index met last: the larger, the rarer, mostly. 0: no row of the index has
  // it; INT64_MAX, since LeaveOutCommonWords: only rows that wait.
  int64_t number = 0;
  bool is_pending = false;  // since LeaveOutCommonWords: a row that waits has it
  // many rows have it: it is looked for in the rows of the other words, if there are any
  bool is_frequent = false;
  // A row that has such phrases alone is no match: parts of an unfinished word, and all in an index
  // in English.
  bool needs_others = false;
  // It may be among the parts of a title's words: a part, or a piece of a name, as user of
  // getUserName.
  bool is_beside = false;
  bool is_part = false;  // of a word, which parts tell more of
  double share = 0;      // of the value of all words; set by ForEachMatch

  // column: of N_fts, where the phrase stands first. A word that is only a piece of the title's
  // name is not in the title.
  bool IsInTitle(size_t column) const { return column == 0 || (column == 1 && is_beside); }
  // A part of words; what else stands in columns of parts is a piece of a name.
  bool IsPartOfWords() const { return is_part || (choice > 0 && is_beside); }
};
// The terms that a word may be which is not written to its end. parts: of what is written of it,
// where the index has any: among rows with one of the terms they tell those that have more of what
// was written.
struct WordChoices {
  struct Term {
    std::string term;
    bool is_whole = false;  // it is the word as it stands
    // it is the word's stem, shorter than that, which rows have without a word that begins so
    bool is_doubtful = false;
  };
  std::vector<Term> terms;  // those that are the word first, the doubtful ones last
  std::vector<std::string> parts;
  std::string typed_last;  // of the parts, where they are all strings of some characters
  size_t stems = 0;  // terms that the word as it stands becomes, in languages that share a script
  // all that stands before the *, without blanks, and what its last word may be: 2024-06-08 is one
  // more word
  std::string typed;
  std::vector<std::string> together;
  bool is_question = false;  // typed is all of it
  bool is_run = false;       // of a script without blanks
  bool is_letter = false;    // a single one of another script, which a word hardly is
};
struct WordsQuery {
  std::vector<WordsPhrase> phrases;
  search::LanguageRows language_rows;  // of the language that the question is clearly in
  double counted_texts = 0;            // of which the phrases' frequencies are
  size_t word_count = 0;               // different ones of the text
  std::vector<uint64_t> left_out;      // terms of words that LeaveOutCommonWords left out
  // that a column with this text would have; of FTS5's words only where titles count
  size_t words_of_column = 0;
  // so many more a title may have that begins so, where the last word is not written to its end
  size_t more_of_column = 0;
};
// Operators, quotes and punctuation are not FTS5's: each word, or each term of our tokenizers, is
// one phrase. One that comes again, however often, is a phrase twice, as FTS5 adds up what is asked
// for twice; of a long text the first kMaxQueryWords different words count. Of more than
// kMaxPartWords words no parts are asked for, nor where, among other languages, it is clearly in
// English. REQUIRES: index.words.
inline constexpr size_t kMaxQueryWords = 1000, kMaxPartWords = 32;
// choices: of each further word. other_forms: beside those of numbers. model: that frequencies are of; nullptr: they are not known.
WordsQuery MakeWordsQuery(sqlite3* db, const IndexDefinition& index, std::string_view text,
                          const std::vector<WordChoices>& choices = {},
                          const std::vector<NumberForm>& other_forms = {},
                          ModelReader* model = nullptr);

}  // namespace s2v
