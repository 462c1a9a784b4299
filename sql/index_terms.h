// The words of an index's rows: cut by one of our tokenizers, as the model cuts texts, or by one of
// FTS5's; kept as numbers.
//
//   's2v german'         tokenizer profile `german` (core/text/tokenizer.h)
//   's2v german parts'   the same, and parts of words
//   'porter unicode61'   FTS5's
//   'auto s2v german parts'   chosen by AutomaticTokenize, and anew at each 'rebuild'; as the rest says
//
//   TermCutter cutter(db, index);
//   RowTerms terms;
//   cutter.AddColumn("Rate cuts hit the lenders", &terms);       // "rate" "cut" "hit" "the" "lender"
//   TermWriter writer(db, &index, known);
//   const std::string stored = writer.Put(rowid, writer.Numbers(terms));  // for N_entry
//   writer.Delete(rowid, stored);                                // when the row changes
//
// N_term(term, id)  each term that any row ever had. id = number * 2^16 + the lowest 16 bits of its XXH3-64, seed = number;
//                   numbers from 1 on, in the order in which terms came
// N_fts             FTS5, contentless, columns c0, p0, c1, p1, ...: for each row of N_entry the words of its first column
//                   of text, their parts (none with FTS5's tokenizers), and so on: so a row's size is that of its words.
//                   Each term is written as its number in octal, which the tokenizer `ascii` leaves as it is: FTS5's hash
//                   shifts by three bits a byte, and digits of more bits fall together so often that writing takes four
//                   times as long
// N_entry.terms     what FTS5 must be shown to forget the row: for each column how many terms it has, then
//                   the different ones of all columns by rising number, each as its distance from the one before; numbers
//                   of 7 bits a byte, the lowest first, the highest bit set in all bytes but the last
//
// Numbers take 40 bytes for a row of 26 words, where its text takes 140 and FTS5's own copy as
// much; and an FTS5 table of 2023 (contentless_delete) could not be read by the SQLite of most
// systems. Figures: docs/figures.md.
//
// Thread rule: a TermCutter belongs to one thread at a time; the others to the connection's.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/text/tokenizer.h"
#include "core/vocab/vocabulary.h"
#include "sql/index_definition.h"

struct Fts5Tokenizer;
struct fts5_api;

namespace s2v {

// What FTS5 lets extensions call. Throws SqlError where there is no FTS5.
fts5_api* Fts5Api(sqlite3* db);

// The terms of a row, one behind the other: of each column of text its words, then their parts.
struct RowTerms {
  static constexpr size_t kMost = size_t{1} << 22;  // terms of a row; what follows them is left out
  std::string bytes;
  std::vector<uint32_t> ends;  // [terms] in bytes
  // [2 * columns] terms up to the end of each column's words, and parts
  std::vector<uint32_t> columns;

  void Clear() {
    bytes.clear();
    ends.clear();
    columns.clear();
  }
  size_t size() const { return ends.size(); }
  std::string_view operator[](size_t i) const {
    const size_t begin = i == 0 ? 0 : ends[i - 1];
    return std::string_view(bytes).substr(begin, ends[i] - begin);
  }
};

// The terms of a row by numbers.
struct NumberedTerms {
  std::vector<int64_t> numbers;   // [terms]
  std::vector<uint32_t> columns;  // as of RowTerms
};

// Where a term stands in its text, in bytes, at the borders of characters.
struct TermPlace {
  size_t begin = 0, end = 0;
};

inline constexpr std::string_view kAutomatic = "auto";
// "auto s2v ...": the profile of a language, with parts of words.
std::string AutomaticTokenize(const std::string& profile);

// Runs a command of N_fts.
void ExecuteFts(sqlite3* db, const IndexDefinition& index, const char* command, int value = 0);
// The statement that puts a row into N_fts: its rowid, then its term columns.
std::string InsertTermsSql(const IndexDefinition& index);

class TermCutter {
 public:
  // By tokenize, as above, where FTS5's is as its own option of this name, and tokenizer_version.
  // Throws InvalidArgument where there is no such tokenizer.
  TermCutter(sqlite3* db, const IndexDefinition& index);
  ~TermCutter();
  TermCutter(const TermCutter&) = delete;
  TermCutter& operator=(const TermCutter&) = delete;

  // Appends a column of text: words and parts. Of a question FTS5 may cut in another way. places:
  // filled by FTS5's tokenizers alone; of ours core/text/word_places.h knows.
  void AddColumn(std::string_view text, RowTerms* terms, bool is_question = false,
                 std::vector<TermPlace>* places = nullptr) const;
  // Our tokenizer; nullptr where it is FTS5's. Of an index with passages, whose texts are cut as
  // plain text, it knows of no format, as the profile does.
  const Tokenizer* own() const { return own_; }
  // What cuts its text, where own() is of a format too; nullptr where that is.
  const Tokenizer* plain() const { return own_ != nullptr ? &own_->plain() : nullptr; }
  // FTS5's tokenizers end no words at letters, but parts of scripts are words to a reader.
  ReadingRules reading() const {
    return own_ != nullptr ? plain()->reading() : ReadingRules{.parts_scripts = true};
  }
  const Tokenizer* profile() const { return profile_; }
  bool with_parts() const { return with_parts_; }
  // Alone, not among others; its parts of words are ends of words, those of other profiles all
  // strings of four letters.
  bool is_english() const { return own_ != nullptr && plain()->name() == "english"; }
  // Whether pieces of names stand before the parts, behind kPiecesMark: so a title is no longer for
  // them.
  bool has_pieces_beside() const { return has_pieces_beside_; }
  // Whether cutters of this kind may be used by several threads, each its own: ours, and FTS5's
  // own.
  bool is_parallel() const { return is_parallel_; }

 private:
  struct Functions;
  void FindFts5(sqlite3* db, const std::string& tokenize, const std::vector<std::string>& words);
  void AddOwn(std::string_view text, RowTerms* terms) const;

  const Tokenizer *own_ = nullptr, *profile_ = nullptr;
  bool with_parts_ = false, has_pieces_beside_ = false;
  mutable Tokens tokens_;
  std::unique_ptr<Functions> functions_;
  Fts5Tokenizer* tokenizer_ = nullptr;
  bool is_parallel_ = false;
};

// Of what TermWriter::Put gave: visits the number of each different term, and returns how many
// words the row has, parts not counted. Throws FormatError where it is none of ours.
double ReadTerms(std::string_view stored, const IndexDefinition& index,
                 const std::function<void(uint64_t number)>& visit);

// The numbers of terms.
class TermNumbers {
 public:
  // index must outlive it.
  TermNumbers(sqlite3* db, const IndexDefinition& index);
  // 0 where no row has the term. Throws FormatError for a damaged number.
  int64_t Number(std::string_view term);
  // The number as N_fts has it; "" where no row has the term.
  std::string Find(std::string_view term);
  // These terms one behind another, quoted, as N_fts is asked for them; "" where no row has one of
  // them.
  std::string FindPhrase(const std::vector<std::string>& terms);
  // A number as N_fts has it; "" of 0.
  static std::string Text(int64_t number);

 private:
  const IndexDefinition& index_;
  Statement find_;
};

// sizes: of a row's columns, or of all rows', as FTS5 writes them. Adds up those of columns of
// words.
double FtsWords(std::string_view sizes);
// Of N_fts: rows, and their words. Throws SqlError. REQUIRES: index.words.
std::pair<double, double> FtsTotals(sqlite3* db, const IndexDefinition& index);

// Numbers that were looked up, for the next ones that write.
struct KnownTerms {
  int64_t stamp = 0;  // of the index whose numbers these are
  WordTable terms;
  std::vector<int64_t> numbers;  // [terms]
  size_t bytes = 0;
};

// Writes N_term and N_fts.
class TermWriter {
 public:
  // index, whose member terms is kept in step, and known must outlive it.
  TermWriter(sqlite3* db, IndexDefinition* index, KnownTerms* known);
  // Of terms that no row has had they are new ones.
  NumberedTerms Numbers(const RowTerms& terms);
  std::vector<int64_t> Numbers(const WordTable& terms);
  // What N_entry is to have of them.
  std::string Put(int64_t rowid, const NumberedTerms& terms);
  // Throws FormatError where stored is none of ours.
  void Delete(int64_t rowid, std::string_view stored);

 private:
  int64_t Number(std::string_view term, uint64_t hash);

  IndexDefinition* index_;
  TermNumbers numbers_;
  Statement add_, put_, delete_;
  KnownTerms* known_;
};

}  // namespace s2v
