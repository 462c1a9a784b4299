// The words of an index's rows, kept as numbers.
//
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
// Thread rule: as the connection's.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/vocab/hash.h"
#include "core/vocab/vocabulary.h"
#include "sql/index_definition.h"
#include "sql/index_term_cutter.h"

namespace s2v {

// Columns of N_fts.
inline size_t FtsColumns(const IndexDefinition& index) {
  return 2 * index.TextColumns().size();
}
constexpr size_t TextColumnOf(size_t fts_column) {
  return fts_column / 2;
}
// Whether it has parts of words, and pieces of names.
constexpr bool IsOfParts(size_t fts_column) {
  return fts_column % 2 == 1;
}

// HashWord of each.
template <typename Terms>
std::vector<uint64_t> HashesOf(const Terms& terms) {
  std::vector<uint64_t> hashes;
  hashes.reserve(terms.size());
  for (size_t i = 0; i < terms.size(); i++) hashes.push_back(HashWord(terms[i]));
  return hashes;
}

// The terms of a row by numbers.
struct NumberedTerms {
  std::vector<int64_t> numbers;   // [terms]
  std::vector<uint32_t> columns;  // as of RowTerms
};

// Runs a command of N_fts.
void ExecuteFts(sqlite3* db, const IndexDefinition& index, const char* command, int value = 0);
// Puts a row into N_fts by a statement of this SQL; a number 0 as a term that no row has.
std::string InsertTermsSql(const IndexDefinition& index);
void PutTerms(int64_t rowid, const NumberedTerms& terms, Statement* insert);

// What N_entry has of a row's terms.
std::string StoredTerms(const NumberedTerms& terms);
// Of what StoredTerms gave: visits the number of each different term, and returns how many
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
  // Returns their StoredTerms.
  std::string Put(int64_t rowid, const NumberedTerms& terms);
  // Throws FormatError where stored is none of ours.
  void Delete(int64_t rowid, std::string_view stored);

 private:
  int64_t Number(std::string_view term, uint64_t hash);

  IndexDefinition* index_;
  TermNumbers numbers_;
  Statement add_, put_, delete_, size_;
  KnownTerms* known_;
};

}  // namespace s2v
