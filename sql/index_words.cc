#include "sql/index_words.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/search/fusion.h"

namespace s2v {
namespace {

// Bytes beyond ASCII are left to FTS5's tokenizer, which knows what of them is a letter.
bool IsWordByte(unsigned char c, bool only_blanks_part) {
  if (only_blanks_part) return c > ' ';
  return c >= 0x80 || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

struct RowRange {
  int64_t first, last;  // rowids
};
constexpr int64_t kSampleRows = 500;
constexpr int kSampleRanges = 4;

// Of the indexed rows, kSampleRows one after another at each of kSampleRanges places; empty where there are
// fewer rows.
std::vector<RowRange> SampleRows(sqlite3* db, const IndexDefinition& index) {
  const std::string rows = "(SELECT rowid AS id FROM " + index.Part("words");
  Statement ends(db, "SELECT (SELECT id FROM " + rows +
                         " ORDER BY rowid LIMIT 1)), (SELECT id FROM " + rows +
                         " ORDER BY rowid DESC LIMIT 1))");
  if (!ends.Step() || ends.Type(0) == SQLITE_NULL) return {};
  const double first = static_cast<double>(ends.Int(0)), last = static_cast<double>(ends.Int(1));
  Statement part(db, "SELECT min(id), max(id), count(*) FROM " + rows +
                         " WHERE rowid >= ?1 ORDER BY rowid LIMIT ?2)");
  std::vector<RowRange> sample;
  for (int i = 0; i < kSampleRanges; i++) {
    const auto begin = static_cast<int64_t>(first + (last - first) * i / kSampleRanges);
    if (!part.Find(begin, kSampleRows) || part.Int(2) < kSampleRows) return {};
    sample.push_back({part.Int(0), part.Int(1)});
  }
  return sample;
}

// Of the pointer that the match function gets, to the WordsMatch that it fills.
constexpr char kMatchPointer[] = "s2v_match";

// The rows with a word, counted; and its first place of all, by which words of one stem are known.
struct WordRows {
  double count = 0;
  sqlite3_int64 first = 0;
  int column = 0, place = 0;
  bool operator==(const WordRows&) const = default;
};

// What is the same for all rows that a query finds; FTS5 keeps it as long as the statement runs.
struct QueryWord {
  WordRows rows;
  double idf = 0, share = 0;  // share: of the value of all words, each counted once
};

int CountRow(const Fts5ExtensionApi* fts5, Fts5Context* query, void* data) {
  auto* rows = static_cast<WordRows*>(data);
  if (rows->count++ > 0) return SQLITE_OK;
  rows->first = fts5->xRowid(query);
  Fts5PhraseIter at;
  return fts5->xPhraseFirst(query, 0, &at, &rows->column, &rows->place);
}

// words: [phrases of the query].
int FindWords(const Fts5ExtensionApi* fts5, Fts5Context* query, double rows, QueryWord** words) {
  *words = static_cast<QueryWord*>(fts5->xGetAuxdata(query, 0));
  if (*words != nullptr) return SQLITE_OK;
  const int count = fts5->xPhraseCount(query);
  auto* made = static_cast<QueryWord*>(
      sqlite3_malloc64(static_cast<sqlite3_uint64>(count) * sizeof(QueryWord)));
  if (made == nullptr) return SQLITE_NOMEM;
  int code = SQLITE_OK;
  double sum = 0;
  for (int i = 0; i < count && code == SQLITE_OK; i++) {
    QueryWord& word = made[i] = {};
    code = fts5->xQueryPhrase(query, i, &word.rows, CountRow);
    const double idf = std::log((rows - word.rows.count + 0.5) / (word.rows.count + 0.5));
    word.idf = idf > 0 ? idf : 1e-6;
    const bool is_new = std::none_of(
        made, made + i, [&](const QueryWord& other) { return other.rows == word.rows; });
    if (is_new) word.share = search::WordValue(rows, word.rows.count);
    sum += word.share;
  }
  if (code != SQLITE_OK) {
    sqlite3_free(made);
    return code;
  }
  for (int i = 0; i < count && sum > 0; i++) made[i].share /= sum;
  *words = made;
  return fts5->xSetAuxdata(query, made, sqlite3_free);  // which frees them where it fails
}

// bm25 as FTS5 computes it: k1 = 1.2, b = 0.75, all columns alike.
int FillMatch(const Fts5ExtensionApi* fts5, Fts5Context* query, WordsMatch* match) {
  sqlite3_int64 rows = 0, tokens = 0;
  int size = 0;
  QueryWord* words = nullptr;
  int code = fts5->xRowCount(query, &rows);
  if (code == SQLITE_OK) code = fts5->xColumnTotalSize(query, -1, &tokens);
  if (code == SQLITE_OK) code = fts5->xColumnSize(query, -1, &size);
  if (code == SQLITE_OK) code = FindWords(fts5, query, static_cast<double>(rows), &words);
  const double mean_size = static_cast<double>(tokens) / static_cast<double>(rows);
  const double k1 = 1.2, b = 0.75, damping = k1 * (1 - b + b * size / mean_size);
  match->bm25 = match->opening = 0;
  for (int i = 0; code == SQLITE_OK && i < fts5->xPhraseCount(query); i++) {
    Fts5PhraseIter at;
    int column = 0, place = 0;
    code = fts5->xPhraseFirst(query, i, &at, &column, &place);
    if (code != SQLITE_OK || column < 0) continue;
    int before = place;
    for (int c = 0; c < column && code == SQLITE_OK; c++) {
      code = fts5->xColumnSize(query, c, &size);
      before += size;
    }
    match->opening += words[i].share * search::OpeningShare(before);
    double times = 0;
    for (; column >= 0; fts5->xPhraseNext(query, &at, &column, &place)) times++;
    match->bm25 += words[i].idf * (times * (k1 + 1) / (times + damping));
  }
  return code;
}

// Throws nothing, as FTS5 calls it.
void MatchFunction(const Fts5ExtensionApi* fts5, Fts5Context* query, sqlite3_context* context,
                   int count, sqlite3_value** values) {
  auto* match = static_cast<WordsMatch*>(
      count == 1 ? sqlite3_value_pointer(values[0], kMatchPointer) : nullptr);
  if (match == nullptr) return;  // somebody else's call
  const int code = FillMatch(fts5, query, match);
  if (code != SQLITE_OK) sqlite3_result_error_code(context, code);
}

}  // namespace

void AddMatchFunction(sqlite3* db) {
  fts5_api* fts5 = nullptr;
  Statement select(db, "SELECT fts5(?1)");
  int code = sqlite3_bind_pointer(select.get(), 1, &fts5, "fts5_api_ptr", nullptr);
  if (code == SQLITE_OK) select.Step();
  if (fts5 == nullptr) throw SqlError(SQLITE_ERROR, "FTS5 does not say how to add functions to it");
  code = fts5->xCreateFunction(fts5, "s2v_match", nullptr, MatchFunction, nullptr);
  if (code != SQLITE_OK) ThrowSqlError(db, code);
}

WordsQuery MakeWordsQuery(const IndexDefinition& index, std::string_view text) {
  // Where punctuation may be part of a word only blanks are sure to part words.
  const bool only_blanks_part = index.tokenize.find("tokenchars") != std::string::npos ||
                                index.tokenize.find("trigram") != std::string::npos;
  const auto is_before = [](const std::string& a, const std::string& b) {
    return sqlite3_stricmp(a.c_str(), b.c_str()) < 0;
  };
  std::map<std::string, int, decltype(is_before)> met(is_before);  // how often
  WordsQuery query;
  for (size_t at = 0; at < text.size() && met.size() < kMaxQueryWords;) {
    const auto is_word = [&](size_t i) {
      return IsWordByte(static_cast<unsigned char>(text[i]), only_blanks_part);
    };
    size_t end = at;
    while (end < text.size() && is_word(end)) end++;
    const std::string_view word = text.substr(at, end - at);
    if (end > at && met[std::string(word)]++ < 2) query.terms.push_back(QuoteName(word));
    at = end + 1;
  }
  query.words = met.size();
  return query;
}

void LeaveOutCommonWords(sqlite3* db, const IndexDefinition& index, WordsQuery* query) {
  if (query->terms.size() < 2) return;  // all that there is
  const std::vector<RowRange> sample = SampleRows(db, index);
  if (sample.empty()) return;
  const std::string words = QuoteName(index.name + "_words");
  Statement count(db, "SELECT count(*) FROM " + index.Part("words") + " WHERE " + words +
                          " MATCH ?1 AND rowid BETWEEN ?2 AND ?3");
  const auto is_common = [&](const std::string& term) {
    int64_t rows = 0;
    for (const RowRange& range : sample) {
      if (count.Find(term, range.first, range.last)) rows += count.Int(0);
      if (rows * 4 < kSampleRows) return false;  // a rare word costs one look
    }
    return rows * 2 > kSampleRows * kSampleRanges;
  };
  std::vector<std::string> kept;
  std::remove_copy_if(query->terms.begin(), query->terms.end(), std::back_inserter(kept),
                      is_common);
  if (!kept.empty()) query->terms = std::move(kept);
}

void ForEachMatch(sqlite3* db, const IndexDefinition& index, const WordsQuery& query,
                  const std::function<void(const WordsMatch& match)>& visit) {
  const std::string expression = NamesOf(query.terms, std::identity(), " OR ");
  if (expression.empty()) return;
  const std::string words = QuoteName(index.name + "_words");
  Statement select(db,
                   "SELECT rowid, s2v_match(" + words + ", ?2) FROM " + index.Part("words") +
                       " WHERE " + words + " MATCH ?1",
                   expression);
  WordsMatch match;
  const int code = sqlite3_bind_pointer(select.get(), 2, &match, kMatchPointer, nullptr);
  if (code != SQLITE_OK) ThrowSqlError(db, code);
  while (select.Step()) {
    match.rowid = select.Int(0);
    visit(match);
  }
}

}  // namespace s2v
