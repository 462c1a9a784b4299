#include "sql/index_words.h"

#include <map>
#include <utility>

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

}  // namespace

WordsQuery MakeWordsQuery(const IndexDefinition& index, std::string_view text) {
  // Where punctuation may be part of a word only blanks are sure to part words.
  const bool only_blanks_part = index.tokenize.find("tokenchars") != std::string::npos ||
                                index.tokenize.find("trigram") != std::string::npos;
  std::map<std::string, int> words;  // how often each was met
  std::string expression;
  for (size_t at = 0; at < text.size() && words.size() < kMaxQueryWords;) {
    const auto is_word = [&](size_t i) {
      return IsWordByte(static_cast<unsigned char>(text[i]), only_blanks_part);
    };
    size_t end = at;
    while (end < text.size() && is_word(end)) end++;
    if (end > at && words[Lower(text.substr(at, end - at))]++ < 2) {
      expression += (expression.empty() ? "" : " OR ") + QuoteName(text.substr(at, end - at));
    }
    at = end + 1;
  }
  return {std::move(expression), words.size()};
}

void ForEachMatch(sqlite3* db, const IndexDefinition& index, const std::string& expression,
                  const std::function<void(int64_t rowid, double bm25)>& visit) {
  const std::string words = QuoteName(index.name + "_words");
  Statement select(db,
                   "SELECT rowid, -bm25(" + words + ") FROM " + index.Part("words") + " WHERE " +
                       words + " MATCH ?1",
                   expression);
  while (select.Step()) visit(select.Int(0), select.Double(1));
}

}  // namespace s2v
