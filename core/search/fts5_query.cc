#include "core/search/fts5_query.h"

#include <algorithm>
#include <utility>

#include "core/error.h"
#include "core/numbers.h"
#include "core/text/utf8.h"

namespace s2v::search {
namespace {

// A bareword, a quotation, or a sign; at the end none of them.
struct Token {
  bool is_words = false, is_quoted = false;
  char sign = 0;
  std::string words;
  size_t begin = 0;
  bool Is(std::string_view keyword) const { return is_words && !is_quoted && words == keyword; }
};

// More than the phrases that there may be have signs and columns.
constexpr size_t kMostTokens = 20000;
constexpr size_t kMostShown = 40;  // bytes of a question in an error

bool IsBare(char c) {
  return IsAsciiLetter(c) || IsAsciiDigit(c) || c == '_' || c == '\x1a' ||
         static_cast<signed char>(c) < 0;
}

class Fts5Reader {
 public:
  Fts5Reader(std::string_view given, std::span<const std::string> columns, ReadQuestion* question)
      : given_(given), columns_(columns), question_(question) {
    for (Token token = Cut(); token.is_words || token.sign != 0; token = Cut()) {
      if (tokens_.size() == kMostTokens)
        throw InvalidArgument("FTS5's syntax: at most " + std::to_string(kMostFts5Phrases) +
                              " phrases, and what belongs to them");
      tokens_.push_back(token);
    }
    tokens_.emplace_back();  // the end
    tokens_.back().begin = given.size();
  }

  Fts5Query Read() {
    if (IsEnd()) return {};
    Fts5Query query = Or({});
    if (!IsEnd()) ThrowAt("the end");
    return query;
  }

 private:
  using Columns = std::vector<size_t>;  // none: all of them

  Token Cut() {
    while (at_ < given_.size() && IsAsciiBlank(given_[at_])) at_++;
    Token token;
    token.begin = at_;
    if (at_ == given_.size()) return token;
    if (given_[at_] == '"') {
      token.is_words = token.is_quoted = true;
      for (at_++;; at_++) {
        if (at_ >= given_.size())
          throw InvalidArgument("FTS5's syntax: a quotation mark without another");
        const bool is_mark = given_[at_] == '"';
        const bool is_doubled = is_mark && given_.substr(at_).starts_with("\"\"");
        if (is_mark && !is_doubled) break;
        at_ += is_doubled;
        token.words += given_[at_];
      }
      at_++;
      return token;
    }
    size_t end = at_;
    while (end < given_.size() && IsBare(given_[end])) end++;
    if (end > at_) {
      token.is_words = true;
      token.words = given_.substr(at_, end - at_);
    } else {
      token.sign = given_[end++];
    }
    at_ = end;
    return token;
  }

  const Token& Next(size_t ahead = 0) const {
    return tokens_[std::min(next_ + ahead, tokens_.size() - 1)];
  }
  bool IsEnd() const { return next_ + 1 >= tokens_.size(); }
  bool Take(char sign) {
    const bool is_there = Next().sign == sign && !IsEnd();
    next_ += is_there;
    return is_there;
  }
  bool TakeKeyword(std::string_view keyword) {
    const bool is_there = Next().Is(keyword);
    next_ += is_there;
    return is_there;
  }
  [[noreturn]] void ThrowAt(const std::string& expected) const {
    const std::string_view rest = given_.substr(Next().begin);
    const std::string where =
        rest.empty() ? "the end"
                     : "'" + ValidUtf8(rest.substr(0, std::min(rest.find(' '), kMostShown))) + "'";
    throw InvalidArgument(
        "FTS5's syntax: " + expected + " is expected at " + where +
        "; words with other signs than letters, digits and _ are put in quotation marks");
  }

  // ---- from what binds least ----

  Fts5Query Or(const Columns& columns) {
    return Several(Fts5Query::Kind::kOr, "OR", [&] { return And(columns); });
  }
  Fts5Query And(const Columns& columns) {
    return Several(Fts5Query::Kind::kAnd, "AND", [&] { return Not(columns); });
  }
  template <typename Part>
  Fts5Query Several(Fts5Query::Kind kind, std::string_view keyword, const Part& part) {
    Fts5Query first = part();
    if (!Next().Is(keyword)) return first;
    Fts5Query all{.kind = kind};
    all.of.push_back(std::move(first));
    while (TakeKeyword(keyword)) all.of.push_back(part());
    return all;
  }
  Fts5Query Not(const Columns& columns) {
    Fts5Query left = Together(columns);
    while (TakeKeyword("NOT")) {
      Fts5Query both{.kind = Fts5Query::Kind::kNot};
      both.of.push_back(std::move(left));
      negations_++;
      both.of.push_back(Together(columns));
      negations_--;
      left = std::move(both);
    }
    return left;
  }

  // Something in parentheses, or words one after another.
  Fts5Query Together(const Columns& columns) {
    Fts5Query first = Item(columns);
    if (was_in_parentheses_ || !IsItem()) return first;
    Fts5Query all{.kind = Fts5Query::Kind::kAnd, .is_implicit = true};
    all.of.push_back(std::move(first));
    while (IsItem()) {
      all.of.push_back(Item(columns));
      if (was_in_parentheses_) ThrowAt("AND, OR or NOT before parentheses");
    }
    return all;
  }
  bool IsWord() const {
    const Token& next = Next();
    return next.is_words && !next.Is("AND") && !next.Is("OR") && !next.Is("NOT");
  }
  bool IsItem() const {
    const char sign = Next().sign;
    return IsWord() || sign == '^' || sign == '{' || sign == '-';
  }

  Fts5Query Item(Columns columns) {
    TakeColumns(&columns);
    was_in_parentheses_ = false;
    if (Take('(')) {
      if (++depth_ > kMostFts5Phrases) ThrowAt("an end of so many parentheses");
      Fts5Query query = Or(columns);
      if (!Take(')')) ThrowAt("')'");
      depth_--;
      was_in_parentheses_ = true;
      return query;
    }
    if (Next().Is("NEAR") && Next(1).sign == '(') return Near(columns);
    Fts5Query query{.kind = Fts5Query::Kind::kPhrase, .is_first = Take('^')};
    query.phrases.push_back(Phrase(columns));
    const ExactWords& phrase = query.phrases[0];
    if (negations_ == 0 && !phrase.is_beginning) question_->phrases.push_back(phrase.words);
    return query;
  }

  Fts5Query Near(const Columns& columns) {
    next_ += 2;
    Fts5Query query{.kind = Fts5Query::Kind::kNear};
    while (IsWord()) query.phrases.push_back(Phrase(columns));
    if (query.phrases.empty()) ThrowAt("a word");
    if (Take(',')) {
      if (!ParseNumber(Next().words, &query.distance)) ThrowAt("a number of words");
      next_++;
    }
    if (!Take(')')) ThrowAt("')'");
    return query;
  }

  ExactWords Phrase(const Columns& columns) {
    ExactWords phrase;
    phrase.columns = columns;
    do {
      if (!IsWord()) ThrowAt("a word");
      phrase.words += (phrase.words.empty() ? "" : " ") + Next().words;
      next_++;
    } while (Take('+'));
    phrase.is_beginning = Take('*');
    if (++phrases_ > kMostFts5Phrases) {
      throw InvalidArgument("FTS5's syntax: a question has at most " +
                            std::to_string(kMostFts5Phrases) + " phrases");
    }
    if (negations_ > 0) return phrase;
    if (phrase.is_beginning) {
      question_->beginnings.push_back(phrase.words);
    } else {
      question_->text += (question_->text.empty() ? "" : " ") + phrase.words;
    }
    return phrase;
  }

  // As "title :", "{title body} :" or "- title :", within what columns says.
  void TakeColumns(Columns* columns) {
    const bool are_others = Next().sign == '-';
    const size_t first = are_others ? 1 : 0;
    const bool has_name = Next(first).is_words && Next(first + 1).sign == ':';
    if (!has_name && Next(first).sign != '{') {
      if (are_others) ThrowAt("a column's name behind '-'");
      return;
    }
    next_ += first;
    Columns named;
    if (has_name) {
      named.push_back(Column());
    } else {
      Take('{');
      while (Next().is_words) named.push_back(Column());
      if (!Take('}')) ThrowAt("'}'");
    }
    if (!Take(':')) ThrowAt("':'");
    Columns kept;
    for (size_t i = 0; i < columns_.size(); i++) {
      const bool is_named = std::count(named.begin(), named.end(), i) > 0;
      const bool was_allowed =
          columns->empty() || std::count(columns->begin(), columns->end(), i) > 0;
      if (is_named != are_others && was_allowed) kept.push_back(i);
    }
    if (kept.empty()) kept.push_back(kNoColumn);
    *columns = std::move(kept);
  }
  size_t Column() {
    const std::string& name = Next().words;
    const auto found =
        std::find_if(columns_.begin(), columns_.end(),
                     [&](const std::string& column) { return IsSameName(column, name); });
    if (found == columns_.end())
      throw InvalidArgument("FTS5's syntax: the index has no column '" + name + "'");
    next_++;
    return static_cast<size_t>(found - columns_.begin());
  }

  const std::string_view given_;
  const std::span<const std::string> columns_;
  ReadQuestion* question_;
  std::vector<Token> tokens_;
  size_t at_ = 0, next_ = 0;  // bytes, tokens
  size_t depth_ = 0, negations_ = 0, phrases_ = 0;
  bool was_in_parentheses_ = false;
};

}  // namespace

Fts5Query ReadFts5Query(std::string_view given, std::span<const std::string> columns,
                        ReadQuestion* question) {
  return Fts5Reader(given, columns, question).Read();
}

}  // namespace s2v::search
