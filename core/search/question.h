// What people type into a search field.
//
//   "rate cuts" -mortgage title:lenders in europ*
//
//   "..."          rows that have these words in this order
//   title:word, title:"..."   rows that have it in this column; where no column has the name, it is text
//   -word, NOT word           rows that do not have it; also -"..." and -title:word. -5 is a number, -l with a letter a to z
//                             an option, and NOT a word as any other where none stands before it and where all letters are capitals
//   europ*         words that begin so; also title:europ* and -europ*
//
// Signs are read as each keyboard types them: any blank of Unicode parts words, forms as wide as a
// Han character (＂－＊：) are the ordinary signs, and so is the minus sign; “ ” ” ” „ “ « » » « 「 」 『
// 』 ｢ ｣ ״ ״ quote as " does.
//
// All else is text, and nothing is an error: a quotation mark without another, or within a word (a
// 24" monitor), ‘ and ’, a hyphen between letters, C++, an address; and what follows
// kMostExactWords conditions. In a text nothing is said exactly: one that ends as a sentence does,
// with . ? or ! of any script, or has more than kMostExactWords words. There a quotation is a
// quotation, and * at the very end alone is heeded, which a search box puts there itself.
//
// Thread rule: any thread.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace s2v::search {

inline constexpr size_t kMostExactWords = 16;

struct ExactWords {
  std::string words;
  std::vector<size_t> columns;  // none: any
  bool is_beginning = false;
};
inline constexpr size_t kNoColumn = SIZE_MAX;  // among them, where no column is allowed
struct ReadQuestion {
  // what ranks: as it was given, without the signs of `required`, without `beginnings` and
  // `excluded`
  std::string text;
  // That rank: each all that stands before the *, as trans-europ, of which the last word is not
  // written to its end. Which one that is, the tokenizer says (sql/index_completions.h).
  std::vector<std::string> beginnings;
  std::vector<ExactWords> required, excluded;
  std::vector<std::string> phrases;  // of the text, what must stand together: in quotation marks
};
ReadQuestion ReadSearchField(std::string_view given, std::span<const std::string> columns);
// The letters and digits at its end, with their marks.
std::string_view LastWord(std::string_view text);

}  // namespace s2v::search
