#include "ext/cli/full_text.h"

#include <unordered_set>

namespace s2v {
namespace {

sqlite3* OpenInMemory() {
  sqlite3* db = nullptr;
  const int code = sqlite3_open(":memory:", &db);
  if (code == SQLITE_OK) return db;
  const std::unique_ptr<sqlite3, int (*)(sqlite3*)> closed(db, sqlite3_close_v2);
  ThrowSqlError(db, code);
}

bool IsWordByte(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || (c & 0x80) != 0;
}

// "Wi-Fi, or wi-fi?" -> "wi" OR "fi" OR "or". Each word once: FTS5 counts a repeated one twice, and
// long questions then find what repeats their commonest words.
std::string AnyWord(std::string_view text) {
  std::string lower(text), any;
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  std::unordered_set<std::string> seen;
  for (size_t begin = 0; begin < lower.size();) {
    size_t end = begin;
    while (end < lower.size() && IsWordByte(lower[end])) end++;
    const std::string word = lower.substr(begin, end - begin);
    if (!word.empty() && seen.insert(word).second)
      any += (any.empty() ? "" : " OR ") + QuoteName(word);
    begin = end + 1;
  }
  return any;
}

}  // namespace

bool FullText::Available() {
  const std::unique_ptr<sqlite3, int (*)(sqlite3*)> db(OpenInMemory(), sqlite3_close_v2);
  Statement select(db.get(), "SELECT 1 FROM pragma_module_list WHERE name = 'fts5'");
  return select.Step();
}

FullText::FullText() : db_(OpenInMemory(), sqlite3_close_v2) {
  Execute(
      db_.get(),
      "CREATE VIRTUAL TABLE full_text USING fts5(text, content = '', tokenize = 'porter unicode61')");
  Execute(db_.get(), "BEGIN");
  insert_ = Statement(db_.get(), "INSERT INTO full_text(rowid, text) VALUES(?1, ?2)");
  select_ =
      Statement(db_.get(), "SELECT rowid, bm25(full_text) FROM full_text WHERE full_text MATCH ?1");
}

void FullText::Add(std::string_view text) {
  insert_.Bind(1, texts_++);
  insert_.Bind(2, text);
  insert_.Run();
}

void FullText::Search(std::string_view query, Scores* scores) {
  scores->assign(static_cast<size_t>(texts_), 0.0f);
  const std::string any = AnyWord(query);
  if (any.empty()) return;  // to FTS5 a syntax error
  select_.Bind(1, std::string_view(any));
  while (select_.Step()) {
    (*scores)[static_cast<size_t>(select_.Int(0))] = static_cast<float>(-select_.Double(1));
  }
  select_.Reset();
}

}  // namespace s2v
