#include "sql/sql_tokens.h"

#include "core/text/utf8.h"

namespace s2v {
namespace {

bool IsInName(char c) {
  return IsAsciiLetter(c) || IsAsciiDigit(c) || c == '_' || c == '$' || (c & 0x80) != 0;
}

}  // namespace

void SqlTokens::Take() {
  const char c = sql_[at_];
  const std::string_view rest = sql_.substr(at_);
  if (IsAsciiBlank(c)) {
    at_++;
  } else if (rest.starts_with("--")) {
    at_ = std::min(sql_.find('\n', at_), sql_.size());
  } else if (rest.starts_with("/*")) {
    const size_t end = sql_.find("*/", at_ + 2);
    at_ = end == sql_.npos ? sql_.size() : end + 2;
  } else if (c == '"' || c == '\'' || c == '`' || c == '[') {
    TakeQuoted(c == '[' ? ']' : c);
  } else {
    const size_t begin = at_;
    while (at_ < sql_.size() && IsInName(sql_[at_])) at_++;
    at_ = std::max(at_, begin + 1);
    tokens_.push_back(LowerAscii(sql_.substr(begin, at_ - begin)));
  }
}

void SqlTokens::TakeQuoted(char close) {
  std::string value;
  for (at_++; at_ < sql_.size(); at_++) {
    const bool is_end = sql_[at_] == close;
    const bool is_doubled =
        is_end && close != ']' && at_ + 1 < sql_.size() && sql_[at_ + 1] == close;
    if (is_doubled) at_++;
    if (is_end && !is_doubled) break;
    value += sql_[at_];
  }
  at_ = std::min(at_ + 1, sql_.size());
  tokens_.push_back(LowerAscii(value));
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
