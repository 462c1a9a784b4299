// FTS5's query syntax (sqlite.org/fts5.html, section 3), for who asks for it.
//
//   NEAR(early snow, 5) AND (title : mountain* OR ^hill) NOT vineyard
//
// Words are barewords or in quotation marks; words that follow one another are an AND that binds
// most, then NOT, AND, OR. `+` joins phrases; a name and `:`, or names in braces, say the columns,
// `-` before them the others; ^ the first place of a column; NEAR(words, 10) at most so many other
// words between the first and the last.
//
// Thread rule: any thread.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/search/question.h"

namespace s2v::search {

struct Fts5Query {
  enum class Kind { kNothing, kPhrase, kNear, kAnd, kOr, kNot };
  Kind kind = Kind::kNothing;
  std::vector<ExactWords> phrases = {};  // of kPhrase one
  size_t distance = 10;                  // of kNear
  bool is_first = false;                 // kPhrase: at the beginning of a column
  // kAnd of words one after another: those of which no term is left, as of signs, do not count.
  bool is_implicit = false;
  std::vector<Fts5Query> of = {};  // kAnd, kOr; kNot: rows of the first that are none of the second
};

// question.text and .beginnings: what ranks, all that is not behind a NOT; .phrases: of the text what
// is not within NEAR, nor a beginning. Throws InvalidArgument where it is not in this syntax, names another column,
// or has more than kMostFts5Phrases phrases or parentheses within one another.
inline constexpr size_t kMostFts5Phrases = 200;
Fts5Query ReadFts5Query(std::string_view given, std::span<const std::string> columns,
                        ReadQuestion* question);

}  // namespace s2v::search
