#include "sql/index_terms.h"

#include <algorithm>
#include <charconv>

#include "core/error.h"

namespace s2v {
namespace {

constexpr size_t kMostKnownBytes = size_t{16} << 20, kKnownTermBytes = 56;  // beside its letters

void AddNumber(uint64_t number, std::string* bytes) {
  for (; number >= 128; number >>= 7) *bytes += static_cast<char>(number | 128);
  *bytes += static_cast<char>(number);
}

// Takes a number from the front of bytes.
uint64_t TakeNumber(std::string_view* bytes) {
  uint64_t number = 0;
  for (int shift = 0; shift < 63 && !bytes->empty(); shift += 7) {
    const auto byte = static_cast<unsigned char>(bytes->front());
    bytes->remove_prefix(1);
    number |= uint64_t{byte & 127u} << shift;
    if (byte < 128) return number;
  }
  throw FormatError("terms of a row are no numbers");
}

// A term as N_fts has it.
void AddFtsTerm(int64_t number, std::string* text) {
  char digits[24];
  const auto end = std::to_chars(digits, digits + sizeof(digits), number, 8).ptr;
  if (!text->empty()) *text += ' ';
  text->append(digits, end);
}

int64_t TermId(std::string_view term, int64_t number) {
  const uint64_t hash =
      XXH3_64bits_withSeed(term.data(), term.size(), static_cast<uint64_t>(number));
  return number << 16 | static_cast<int64_t>(hash & 0xffff);
}

// For the values of a row of N_fts.
std::string Places(const IndexDefinition& index) {
  std::string places = "?1";
  for (size_t i = 0; i < FtsColumns(index); i++) places += ", ?" + std::to_string(i + 2);
  return places;
}

void RunWith(int64_t rowid, const std::vector<std::string>& columns, Statement* statement) {
  statement->Bind(1, rowid);
  for (size_t i = 0; i < columns.size(); i++) {
    statement->Bind(static_cast<int>(i) + 2, std::string_view(columns[i]));
  }
  statement->Run();
}

// Takes a number from the front, as FTS5 writes it: 7 bits in each byte, the highest first, and 8
// in a ninth byte. 0 where there are no more bytes.
uint64_t TakeFtsNumber(std::string_view* bytes) {
  uint64_t number = 0;
  for (int i = 0; i < 9 && !bytes->empty(); i++) {
    const auto byte = static_cast<unsigned char>(bytes->front());
    bytes->remove_prefix(1);
    if (i == 8) return number << 8 | byte;
    number = number << 7 | (byte & 127);
    if (byte < 128) break;
  }
  return number;
}

}  // namespace

double ReadTerms(std::string_view stored, const IndexDefinition& index,
                 const std::function<void(uint64_t number)>& visit) {
  double words = 0;
  for (size_t column = 0; column < FtsColumns(index); column++) {
    const auto size = static_cast<double>(TakeNumber(&stored));
    if (!IsOfParts(column)) words += size;
  }
  for (uint64_t number = 0; !stored.empty();) visit(number += TakeNumber(&stored));
  return words;
}

double FtsWords(std::string_view sizes) {
  double sum = 0;
  for (bool is_words = true; !sizes.empty(); is_words = !is_words) {
    const auto size = static_cast<double>(TakeFtsNumber(&sizes));
    if (is_words) sum += size;
  }
  return sum;
}

std::pair<double, double> FtsTotals(sqlite3* db, const IndexDefinition& index) {
  Statement totals(db, "SELECT block FROM " + index.Object("fts_data") + " WHERE id = 1");
  std::string_view bytes = totals.Step() ? totals.Blob(0) : std::string_view();
  const auto rows = static_cast<double>(TakeFtsNumber(&bytes));
  return {rows, FtsWords(bytes)};
}

TermNumbers::TermNumbers(sqlite3* db, const IndexDefinition& index)
    : index_(index), find_(db, "SELECT id FROM " + index.Object("term") + " WHERE term = ?1") {}

int64_t TermNumbers::Number(std::string_view term) {
  const int64_t id = find_.Find(Blob{term}) ? find_.Int(0) : 0;
  find_.Reset();
  const int64_t number = id >> 16;
  if (id != 0 && (number < 1 || TermId(term, number) != id))
    ThrowMalformed(index_.name + "_term, a number; " + RebuildHint(index_));
  return number;
}

std::string TermNumbers::FindPhrase(const std::vector<std::string>& terms) {
  std::string numbers;
  for (const std::string& term : terms) {
    const std::string number = Text(Number(term));
    if (number.empty()) return "";
    numbers += (numbers.empty() ? "" : " ") + number;
  }
  return numbers.empty() ? "" : QuoteName(numbers);
}

std::string TermNumbers::Text(int64_t number) {
  std::string text;
  if (number != 0) AddFtsTerm(number, &text);
  return text;
}

void ExecuteFts(sqlite3* db, const IndexDefinition& index, const char* command, int value) {
  Execute(db,
          "INSERT INTO " + index.Object("fts") + "(" + index.FtsName() + ", rank) VALUES(?1, ?2)",
          std::string_view(command), value);
}

std::string InsertTermsSql(const IndexDefinition& index) {
  return "INSERT INTO " + index.Object("fts") + "(rowid, " + index.TermColumns() + ") VALUES(" +
         Places(index) + ")";
}

TermWriter::TermWriter(sqlite3* db, IndexDefinition* index, KnownTerms* known)
    : index_(index),
      numbers_(db, *index),
      add_(db, "INSERT INTO " + index->Object("term") + " VALUES(?1, ?2)"),
      put_(db, InsertTermsSql(*index)),
      delete_(db, "INSERT INTO " + index->Object("fts") + "(" + index->FtsName() + ", rowid, " +
                      index->TermColumns() + ") VALUES('delete', " + Places(*index) + ")"),
      size_(db, "SELECT sz FROM " + index->Object("fts_docsize") + " WHERE id = ?1"),
      known_(known) {
  if (known->stamp != index->stamp) *known = {};
  known->stamp = 0;
}

int64_t TermWriter::Number(std::string_view term, uint64_t hash) {
  const uint32_t known = known_->terms.Find(term, hash);
  if (known != kUnknownWord) return known_->numbers[known];
  int64_t number = numbers_.Number(term);
  if (number == 0) {
    number = index_->terms + 1;
    add_.Run(Blob{term}, TermId(term, number));
    index_->terms = number;
  }
  if (known_->bytes > kMostKnownBytes) *known_ = {};
  known_->bytes += term.size() + kKnownTermBytes;
  known_->terms.Insert(term, hash);
  known_->numbers.push_back(number);
  return number;
}

NumberedTerms TermWriter::Numbers(const RowTerms& terms) {
  NumberedTerms numbered;
  numbered.columns = terms.columns;
  for (size_t i = 0; i < terms.size(); i++)
    numbered.numbers.push_back(Number(terms[i], HashWord(terms[i])));
  return numbered;
}

std::vector<int64_t> TermWriter::Numbers(const WordTable& terms) {
  std::vector<int64_t> numbers;
  for (uint32_t id = 0; id < terms.size(); id++)
    numbers.push_back(Number(terms[id], terms.hash(id)));
  return numbers;
}

std::string StoredTerms(const NumberedTerms& terms) {
  std::string stored;
  uint32_t before = 0;
  for (const uint32_t end : terms.columns) AddNumber(end - std::exchange(before, end), &stored);
  std::vector<int64_t> numbers = terms.numbers;
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  int64_t former = 0;
  for (const int64_t number : numbers) {
    AddNumber(static_cast<uint64_t>(number - former), &stored);
    former = number;
  }
  return stored;
}

void PutTerms(int64_t rowid, const NumberedTerms& terms, Statement* insert) {
  std::vector<std::string> columns(terms.columns.size());
  size_t at = 0;
  for (size_t column = 0; column < columns.size(); column++) {
    for (; at < terms.columns[column]; at++) AddFtsTerm(terms.numbers[at], &columns[column]);
  }
  RunWith(rowid, columns, insert);
}

std::string TermWriter::Put(int64_t rowid, const NumberedTerms& terms) {
  PutTerms(rowid, terms, &put_);
  return StoredTerms(terms);
}

// To delete a row, FTS5 is shown its terms: it deletes the row from each of these terms, whatever
// the column and however often it is shown, and takes the number of terms off each column's total.
void TermWriter::Delete(int64_t rowid, std::string_view stored) {
  std::vector<uint64_t> sizes(FtsColumns(*index_));
  for (uint64_t& size : sizes) size = TakeNumber(&stored);
  std::string_view known = size_.Find(rowid) ? size_.Blob(0) : "";
  for (const uint64_t size : sizes) {
    if (TakeFtsNumber(&known) != size)
      throw FormatError("terms of a row are not as many as FTS5 has of it");
  }
  size_.Reset();
  std::vector<std::string> columns(sizes.size());
  int64_t number = 0;
  for (size_t column = 0; column < columns.size(); column++) {
    for (uint64_t i = 0; i < sizes[column]; i++) {
      if (!stored.empty())
        number = static_cast<int64_t>(static_cast<uint64_t>(number) + TakeNumber(&stored));
      AddFtsTerm(number, &columns[column]);
    }
  }
  if (!stored.empty()) throw FormatError("terms of a row are more than it has");
  RunWith(rowid, columns, &delete_);
}

}  // namespace s2v
