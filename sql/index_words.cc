#include "sql/index_words.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>
#include <vector>

namespace s2v {
namespace {

// Bytes beyond ASCII are left to FTS5's tokenizer, which knows what of them is a letter.
bool IsWordByte(unsigned char c, bool only_blanks_part) {
  if (only_blanks_part) return c > ' ';
  return c >= 0x80 || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

std::string Lower(std::string_view word) {
  std::string lower(word);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

struct RowRange {
  int64_t first, last;  // rowids
};
constexpr int64_t kSampleRows = 500;
constexpr int kSampleRanges = 4;

// Of the indexed rows, kSampleRows one after another at each of kSampleRanges places; empty where there are
// not so many.
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
    part.Reset();
    part.Bind(1, static_cast<int64_t>(first + (last - first) * i / kSampleRanges));
    part.Bind(2, kSampleRows);
    if (!part.Step() || part.Int(2) < kSampleRows) return {};
    sample.push_back({part.Int(0), part.Int(1)});
  }
  return sample;
}

}  // namespace

WordsQuery MakeWordsQuery(const IndexDefinition& index, std::string_view text) {
  // Where punctuation may be part of a word only blanks are sure to part words.
  const bool only_blanks_part = index.tokenize.find("tokenchars") != std::string::npos ||
                                index.tokenize.find("trigram") != std::string::npos;
  std::map<std::string, int> met;  // how often
  WordsQuery query;
  for (size_t at = 0; at < text.size() && met.size() < kMaxQueryWords;) {
    const auto is_word = [&](size_t i) {
      return IsWordByte(static_cast<unsigned char>(text[i]), only_blanks_part);
    };
    size_t end = at;
    while (end < text.size() && is_word(end)) end++;
    const std::string_view word = text.substr(at, end - at);
    if (end > at && met[Lower(word)]++ < 2) query.terms.push_back(QuoteName(word));
    at = end + 1;
  }
  query.words = met.size();
  return query;
}

void LeaveOutCommonWords(sqlite3* db, const IndexDefinition& index, WordsQuery* query) {
  const std::vector<RowRange> sample = SampleRows(db, index);
  if (sample.empty()) return;
  const std::string words = QuoteName(index.name + "_words");
  Statement count(db, "SELECT count(*) FROM " + index.Part("words") + " WHERE " + words +
                          " MATCH ?1 AND rowid BETWEEN ?2 AND ?3");
  const auto is_common = [&](const std::string& term) {
    int64_t rows = 0;
    for (const RowRange& range : sample) {
      count.Reset();
      count.Bind(1, std::string_view(term));
      count.Bind(2, range.first);
      count.Bind(3, range.last);
      if (count.Step()) rows += count.Int(0);
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
                  const std::function<void(int64_t rowid, double bm25)>& visit) {
  std::string expression;
  for (const std::string& term : query.terms) {
    expression += (expression.empty() ? "" : " OR ") + term;
  }
  if (expression.empty()) return;
  const std::string words = QuoteName(index.name + "_words");
  Statement select(db,
                   "SELECT rowid, -bm25(" + words + ") FROM " + index.Part("words") + " WHERE " +
                       words + " MATCH ?1",
                   expression);
  while (select.Step()) visit(select.Int(0), select.Double(1));
}

}  // namespace s2v
