// What the words of a question count in a row: the words' half of core/search/fusion.h.
//
//   WordScores scores(phrases, /*words=*/2, /*title_terms=*/std::nullopt);
//   scores.AddRows(0, 120);                                        // 120 rows have the first phrase
//   scores.SetTotals(/*rows=*/117659, /*words=*/1400000);          // of the whole table
//   scores.Score(rowid, occurrences, {.words = 12});               // of each row that has a phrase
//
// Thread rule: belongs to one thread. Score takes no memory and throws nothing, as FTS5 calls it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace s2v::search {

// A word of a question, or several words that must follow one another.
struct Phrase {
  double weight = 1;  // that of parts of words is another
  uint64_t term = 0;  // of a single word: by which `joins` of others names it
  // Of a word that rows have in place of several of the question, as 5kg is for 5 and kg: a row
  // with it has these.
  std::vector<uint64_t> joins = {};
  // Words of the question that stand together here: where rows have this, they count half elsewhere.
  std::vector<uint64_t> halves = {};
  // Of one word of the question another form, as 62.5 is of 62,5, which may be much commoner: how
  // rare the word is, the rows with itself tell.
  bool is_other_form = false;
  bool is_loose = false;        // what joins words may also be another number, as 14.50 of 14
  bool may_be_version = false;  // it is another one among versions, as 1.10 of 1.1: not matched
  // All words of the question, one after another: beside them it counts in Match::words and in the
  // opening, not in bm25.
  bool is_question = false;
  // The same phrase stands before it: it counts in bm25 again, but has no value of its own.
  bool is_repeated = false;
  // Neighbours with the same number, other than 0, are choices for one word: what it may be when it
  // is written to its end. They count as one word, which every row has that has one of them.
  size_t choice = 0;
  // Of the word among all words of the texts that were counted (WordScores::SetTotals); 0: not
  // known.
  double frequency = 0;
  uint64_t name = 0;         // of a piece of a name, or a part of one: the name's term
  bool is_of_titles = true;  // a word of the question's own: a title that is the question has it
  bool is_common = false;    // one of a language's commonest words, as `the`
  // Neighbours with the same number, other than 0, are stems of one word, in several languages.
  uint64_t asked = 0;
  bool is_whole = false;  // of a choice: it is the word as it was written
  // Of a choice: the stem of what was written, as new is of news. Rows with it may lack any word
  // that begins so.
  bool is_doubtful = false;
};

// Where and how often a row has a phrase.
struct Occurrence {
  double times = 0;   // each occurrence counts what its column weighs
  double before = 0;  // terms that precede the first one
  bool is_found = false;
  bool in_title = false;  // the first one is in the row's first column
};

struct RowSize {
  double words = 0;
  size_t title_terms = 0;  // of the first column
};

// How like what was typed a title is, the least first.
enum class TitleLikeness : uint8_t {
  kOther,      // it is another title
  kUnknown,    // nobody looked, or nothing tells
  kBegins,     // it begins so
  kSameWords,  // those too that are not looked for
  kButForCapitals,
  kSame
};

// A row that has words of the question.
struct Match {
  int64_t rowid = 0;
  double bm25 = 0;   // FTS5's, with the sign turned
  double words = 0;  // what core/search/fusion.h calls so
  double opening = 0;
  // Of the question's different words, without common ones unless there are no others, the share
  // that the row has, 0 to 1.
  double matched = 0;
  bool has_all_words = false;  // of these, where they are two or more
  bool is_title = false;       // its title is the question, as far as words are looked for
  TitleLikeness title_likeness = TitleLikeness::kUnknown;  // of such a title, set by the caller
  // Its title is longer, and begins as the question does, whose last word is not written to its
  // end.
  bool begins_title = false;
  double counts = 0;  // beside meaning, by words, opening and title; set by Ranker::Order
};

// Of a table in several languages the rows in one of them: their share of all rows, and their mean
// size as a multiple of the table's.
struct LanguageRows {
  double share = 1, size = 1;
};

class WordScores {
 public:
  // words: different ones of the question. title_terms: terms of a title that is the question;
  // nothing where rows have no titles. more_terms: so many more may be those of the question's last
  // word, which is not written to its end.
  WordScores(std::span<const Phrase> phrases, size_t words, std::optional<size_t> title_terms,
             size_t more_terms = 0);

  // Adds to the number of rows that have the phrase. REQUIRES: before SetTotals.
  void AddRows(size_t phrase, double rows) {
    Word& word = words_[word_of_[phrase]];
    word.rows += rows;
    if (!phrases_[phrase].is_doubtful) word.sure_rows += rows;
    for (const size_t other : stands_for_[phrase]) {
      words_[other].rows += rows;
      if (!phrases_[phrase].is_other_form) words_[other].sure_rows += rows;
    }
  }
  // rows, words: of the whole table. own: of the question's language, among which all is counted
  // but Match::bm25 and bursts. counted_texts: of which the phrases' frequencies are. They count
  // where these are the rows, or about as many.
  void SetTotals(double rows, double words, const LanguageRows& own = {}, double counted_texts = 0);
  bool is_ready() const { return is_ready_; }  // SetTotals was called
  // Of the value of all words of the question, each counted once: how much of it is this phrase's
  // word. 0 before SetTotals.
  double Share(size_t phrase) const {
    double share = words_[word_of_[phrase]].share;
    for (const size_t word : stands_for_[phrase]) share += words_[word].share;
    return share;
  }
  // Of all rows: how many have this phrase's word. REQUIRES: is_ready.
  double ShareOfRows(size_t phrase) const {
    return words_[word_of_[phrase]].rows / std::max(1.0, rows_);
  }
  // found: [phrases]. REQUIRES: is_ready. No row of any size with these has more bm25 than the
  // second says.
  Match Score(int64_t rowid, std::span<const Occurrence> found, const RowSize& size) const;
  double MostBm25(std::span<const Occurrence> found) const;

 private:
  struct Weights {
    double bm25 = 0, words = 0;  // in Match::bm25, and in Match::words
  };
  // One phrase, or all choices for one word.
  struct Word {
    size_t begin = 0, end = 0;           // in phrases_
    std::vector<size_t> stand_ins = {};  // in phrases_: what joins it with others
    double rows = 0;                     // that have it
    double sure_rows = 0;                // that have a choice which is not doubtful
    double share = 0;
    double weight = 1;                 // the phrase's, or half of it
    size_t asked = 0;                  // which word of Match::matched it is, from 1 on; 0: none
    Weights sure = {}, doubtful = {};  // doubtful: in rows that have doubtful choices alone
  };
  // In a row: all choices as one, or where it has no other, the doubtful ones; where it has none,
  // what joins the word with others, of which a title has fewer words than the question.
  struct Gathered : Occurrence {
    bool is_doubtful = false;
    bool may_be_version = false;
  };
  void WeighWords();
  void ShareNames();
  Gathered Gather(const Word& word, std::span<const Occurrence> found) const;
  static const Weights& WeightsOf(const Word& word, const Gathered& one) {
    return one.is_doubtful ? word.doubtful : word.sure;
  }

  std::vector<Phrase> phrases_;
  std::vector<Word> words_;
  std::vector<size_t> word_of_;  // [phrases]
  // [phrases]: of words that it joins, those that are asked for.
  std::vector<std::vector<size_t>> stands_for_;
  size_t question_words_, asked_words_ = 0;
  std::optional<size_t> title_terms_;
  size_t title_words_ = 0;  // of words_, those that a title has which is the question
  size_t more_terms_;
  double rows_ = 0, mean_size_ = 1, own_mean_size_ = 1, length_share_ = 0;
  bool is_ready_ = false;
};

}  // namespace s2v::search
