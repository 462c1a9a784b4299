#include "sql/sql_tokens.h"

#include "core/text/utf8.h"

namespace s2v {
namespace {

bool IsInName(char c) {
  return IsAsciiLetter(c) || IsAsciiDigit(c) || c == '_' || c == '$' || (c & 0x80) != 0;
}

}  // namespace

bool TakeQuoted(std::string_view* sql, std::string* value) {
  const char close = sql->front() == '[' ? ']' : sql->front();
  size_t at = 1;
  for (; at < sql->size(); at++) {
    if ((*sql)[at] == close) {
      const bool is_doubled = close != ']' && sql->substr(at + 1).starts_with(close);
      if (!is_doubled) break;
      at++;
    }
    *value += (*sql)[at];
  }
  const bool is_closed = at < sql->size();
  sql->remove_prefix(std::min(at + 1, sql->size()));
  return is_closed;
}

SqlTokens::SqlTokens(std::string_view sql) {
  while (!sql.empty()) {
    size_t size = 1;
    if (sql.starts_with("--")) {
      size = sql.find('\n');
    } else if (sql.starts_with("/*")) {
      const size_t end = sql.find("*/", 2);
      size = end == sql.npos ? end : end + 2;
    } else if (BeginsQuoted(sql)) {
      std::string value;
      TakeQuoted(&sql, &value);
      tokens_.push_back(LowerAscii(value));
      continue;
    } else if (!IsAsciiBlank(sql.front())) {
      while (size < sql.size() && IsInName(sql.front()) && IsInName(sql[size])) size++;
      tokens_.push_back(LowerAscii(sql.substr(0, size)));
    }
    sql.remove_prefix(std::min(size, sql.size()));
  }
}

std::optional<VirtualTableSql> ReadVirtualTable(std::string_view sql) {
  const SqlTokens tokens(sql);
  if (tokens[1] != "virtual") return std::nullopt;
  // SQLite itself writes the first words, and no more of these; a stranger may have.
  size_t at = tokens[3] == "if" && tokens[4] == "not" ? 6 : 3;
  if (tokens[at + 1] == ".") at += 2;
  VirtualTableSql table;
  table.name = tokens[at];
  if (tokens[at + 1] == "using") table.module = tokens[at + 2];
  const size_t arguments = std::min(at + 3, tokens.all().size());
  table.arguments.assign(tokens.all().begin() + static_cast<ptrdiff_t>(arguments),
                         tokens.all().end());
  return table;
}

}  // namespace s2v
