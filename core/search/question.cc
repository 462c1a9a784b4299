#include "core/search/question.h"

#include <algorithm>
#include <optional>

#include "core/text/unicode_chars.h"

namespace s2v::search {
namespace {

// A small letter, or one of a script that has no capitals.
bool IsNoCapital(int32_t c) {
  const CharEntry entry = char_table[static_cast<uint32_t>(c)];
  const bool is_letter = entry.kind == CharKind::kLetter || entry.kind == CharKind::kUnspaced;
  return is_letter && entry.fate == CharFate::kKeep && entry.mapped == static_cast<uint32_t>(c);
}
bool HasNoCapital(std::string_view text) {
  const std::vector<int32_t> points = DecodePoints(text);
  return std::any_of(points.begin(), points.end(), IsNoCapital);
}
// Every letter beyond ASCII counts.
bool IsLetter(char c) {
  return IsAsciiLetter(c) || static_cast<signed char>(c) < 0;
}
bool IsInWord(char c) {
  return IsLetter(c) || (c >= '0' && c <= '9');
}

bool IsText(std::string_view text) {
  while (!text.empty() && (IsAsciiBlank(text.back()) || text.back() == '*')) text.remove_suffix(1);
  if (text.empty() || text.back() == '.' || text.back() == '?' || text.back() == '!') return true;
  size_t words = 0;
  for (size_t i = 0; i < text.size(); i++) {
    words += !IsAsciiBlank(text[i]) && (i == 0 || IsAsciiBlank(text[i - 1]));
  }
  return words > kMostExactWords;
}

class FieldReader {
 public:
  FieldReader(std::string_view given, std::span<const std::string> columns)
      : given_(given),
        columns_(columns),
        is_text_(IsText(given)),
        heeds_not_(HasNoCapital(given)) {
    while (last_ > 0 && IsAsciiBlank(given[last_ - 1])) last_--;
  }

  ReadQuestion Read() {
    while (at_ < given_.size()) {
      const bool is_start = at_ == 0 || IsAsciiBlank(given_[at_ - 1]) || given_[at_ - 1] == '(';
      const bool may_be_exact = !is_text_ && question_.required.size() + question_.excluded.size() < kMostExactWords;
      if (is_start && ((may_be_exact && TakeExact()) || TakeBeginning())) continue;
      question_.text += given_[at_++];
    }
    return std::move(question_);
  }

 private:
  std::string_view Rest(size_t at) const { return given_.substr(std::min(at, given_.size())); }
  // Goes on from where it stopped before, so that no byte is looked at twice.
  size_t WordEnd(size_t at) {
    word_end_ = std::max(word_end_, at);
    while (word_end_ < given_.size() && !IsAsciiBlank(given_[word_end_])) word_end_++;
    return word_end_;
  }

  // A beginning such as europ*. What stands before it in the same word, as in "trans-europ*", stays text.
  bool TakeBeginning() {
    if (IsAsciiBlank(given_[at_])) return false;
    const size_t end = WordEnd(at_);
    if (given_[end - 1] != '*' || (is_text_ && end < last_)) return false;
    const std::string_view whole = given_.substr(at_, end - 1 - at_), last = LastWord(whole);
    if (last.empty()) return false;
    question_.text += whole.substr(0, whole.size() - last.size());
    question_.beginnings.emplace_back(last);
    at_ = end;
    return true;
  }

  bool TakeExact() {
    size_t at = at_;
    ExactWords exact;
    const bool has_minus = Rest(at).starts_with('-');
    const bool is_excluded = has_minus || (heeds_not_ && at > 0 && Rest(at).starts_with("NOT "));
    if (is_excluded) at += has_minus ? 1 : 4;
    const size_t named = ColumnAt(at);
    if (named != SIZE_MAX) {
      exact.columns.push_back(named);
      at += columns_[named].size() + 1;
    }
    const std::optional<size_t> quoted = QuoteEnd(at);
    const bool is_sign = is_excluded || named != SIZE_MAX;
    size_t end = at;
    if (quoted) {
      exact.words = given_.substr(at + 1, *quoted - at - 1);
      end = *quoted + 1;
    } else {
      const bool is_word =
          at < given_.size() &&
          (has_minus && named == SIZE_MAX ? IsLetter(given_[at]) : IsInWord(given_[at]));
      if (!is_sign || !is_word) return false;
      end = WordEnd(at);
      exact.words = given_.substr(at, end - at);
      if (exact.words.ends_with('*')) {
        exact.words.pop_back();
        exact.is_beginning = IsInWord(exact.words.back());
      }
    }
    if (!is_excluded) {
      // The blanks keep words apart.
      question_.text += ' ';
      if (exact.is_beginning) {
        question_.beginnings.push_back(exact.words);
      } else {
        question_.text += exact.words + ' ';
      }
    }
    (is_excluded ? question_.excluded : question_.required).push_back(std::move(exact));
    at_ = end;
    return true;
  }

  // Of the column whose name stands there, followed by ":"; SIZE_MAX where none does.
  size_t ColumnAt(size_t at) const {
    const auto is_there = [&](const std::string& column) {
      const std::string_view rest = Rest(at);
      return rest.size() > column.size() + 1 && rest[column.size()] == ':' &&
             IsSameName(rest.substr(0, column.size()), column);
    };
    const auto found = std::find_if(columns_.begin(), columns_.end(), is_there);
    return found == columns_.end() ? SIZE_MAX : static_cast<size_t>(found - columns_.begin());
  }

  // The end of the quotation that begins there; nothing where no quotation does, or where it has no word.
  std::optional<size_t> QuoteEnd(size_t at) const {
    if (!Rest(at).starts_with('"')) return std::nullopt;
    const size_t end = given_.find('"', at + 1);
    const bool is_end =
        end != std::string_view::npos && (end + 1 == given_.size() || !IsInWord(given_[end + 1]));
    const std::string_view quoted = given_.substr(at, end - at);
    if (!is_end || std::none_of(quoted.begin(), quoted.end(), IsInWord)) return std::nullopt;
    return end;
  }

  const std::string_view given_;
  const std::span<const std::string> columns_;
  const bool is_text_, heeds_not_;
  size_t last_ = given_.size();  // behind the last byte that is no blank
  size_t at_ = 0, word_end_ = 0;
  ReadQuestion question_;
};

}  // namespace

std::string_view LastWord(std::string_view text) {
  size_t begin = text.size();
  while (begin > 0 && IsInWord(text[begin - 1])) begin--;
  return text.substr(begin);
}

ReadQuestion ReadSearchField(std::string_view given, std::span<const std::string> columns) {
  return FieldReader(given, columns).Read();
}

}  // namespace s2v::search
