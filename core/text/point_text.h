// A text as the characters that the profiles `ptb` and `tweet` look at, and tests of these.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/text/unicode_chars.h"

namespace s2v {

// A pattern looks at most so many characters ahead, and a token has at most so many. So time is in
// proportion to the text's length.
inline constexpr size_t kMostRun = 1000;

inline bool IsIn(int32_t c, std::string_view ascii) {
  return c > 0 && c < 0x80 && ascii.find(static_cast<char>(c)) != std::string_view::npos;
}
// A test of characters, as Run and Trim take it.
inline auto Among(std::string_view ascii) {
  return [ascii](int32_t c) { return IsIn(c, ascii); };
}
inline bool IsDigitPoint(int32_t c) {
  return utf8proc_get_property(c)->category == UTF8PROC_CATEGORY_ND;
}
inline bool IsLetterPoint(int32_t c) {
  const auto category = utf8proc_get_property(c)->category;
  return category >= UTF8PROC_CATEGORY_LU && category <= UTF8PROC_CATEGORY_ME;
}
// Python's \w, but with marks and all connectors, and without numbers as ².
inline bool IsWordPoint(int32_t c) {
  const auto category = utf8proc_get_property(c)->category;
  return (category >= UTF8PROC_CATEGORY_LU && category <= UTF8PROC_CATEGORY_NL) ||
         category == UTF8PROC_CATEGORY_PC;
}

// The characters of a text; behind its end they are 0.
class PointText {
 public:
  explicit PointText(std::vector<int32_t> points) : points_(std::move(points)) {
    for (int32_t& c : points_) {
      if (c == 0) c = ' ';
    }
  }
  size_t size() const { return points_.size(); }
  int32_t operator[](size_t i) const { return i < points_.size() ? points_[i] : 0; }
  bool StartsWith(size_t at, std::string_view ascii) const {
    for (size_t i = 0; i < ascii.size(); i++) {
      if (utf8proc_tolower((*this)[at + i]) != ascii[i]) return false;
    }
    return true;
  }
  // The end of the run from `at` on for which is_in holds, of at most kMostRun characters.
  template <typename Test>
  size_t Run(size_t at, const Test& is_in) const {
    const size_t end = std::min(points_.size(), at + kMostRun);
    while (at < end && is_in(points_[at])) at++;
    return at;
  }
  // In UTF-8 and lower case.
  std::string Lower(size_t from, size_t to) const {
    std::string text;
    for (; from < to; from++) AppendPoint(utf8proc_tolower(points_[from]), &text);
    return text;
  }
  // Moves the end back while is_in holds for the character before it.
  template <typename Test>
  size_t Trim(size_t from, size_t to, const Test& is_in) const {
    while (to > from && is_in(points_[to - 1])) to--;
    return to;
  }

 private:
  std::vector<int32_t> points_;
};

}  // namespace s2v
