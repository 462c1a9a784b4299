// Where the words of a text stand, as its reader sees them: what a term of our tokenizers may have
// been made of.
//
//   for (const WordPlace& word : FindWords("Don't pay C++ in 東京", rules)) ...   // Don't  pay  C++  in  東京 (a run)
//
// A word is a longest run of letters, digits, marks and connectors, of at most kMaxWordBytes, with
// ' between letters and . or , between digits, and digits written low or high (CO₂, km²), or a
// symbol (☀, €); a single letter has ++ or # behind it, and NET a dot before it. Letters of scripts
// without blanks, and words that begin with Hangul, which the tokenizers of languages cut further,
// are runs. Where scripts are parted, a word ends where letters of an AttachingScript
// (core/text/unicode_chars.h) meet other ones. Bytes that are not UTF-8 separate.
//
// Thread rule: pure.
#pragma once

#include <cstddef>
#include <functional>
#include <string_view>
#include <utility>
#include <vector>

#include "core/text/tokenizer.h"

namespace s2v {

inline constexpr size_t kMaxWordBytes = 256;

struct WordPlace {
  size_t begin = 0, end = 0;  // bytes of the text, at the borders of characters
  bool is_run = false;
};
// rules: of the tokenizer that cuts the text.
std::vector<WordPlace> FindWords(std::string_view text, const ReadingRules& rules);

// Calls use(begin, end) for each run of text between blanks and joints, without the punctuation
// around it, until use returns false. A joint is an apostrophe, a hyphen, a slash or the like, at
// which a tokenizer may cut. Bytes that are not UTF-8 are part of a run.
void ForEachBareWord(std::string_view text, const ReadingRules& rules,
                     const std::function<bool(size_t begin, size_t end)>& use);
// What stands between blanks around the place, joints and all.
std::string_view UnbrokenRunAt(std::string_view text, size_t place);

// Whether a run begins with Thai, Lao, Burmese or Khmer: scripts without blanks in which a
// character is a letter.
bool IsOfLetters(std::string_view run);
// Where each character of a run begins, marks with what they are put on, and its end.
std::vector<size_t> CharacterPlaces(std::string_view run);

// [begin, end) with all of what a reader takes for one character there (Unicode's grapheme
// clusters; in Khmer and Burmese also a letter below another): an emoji with its tone of skin, a
// letter with its marks; up to some 64 bytes more on either side. REQUIRES: both are at borders of
// characters, end behind begin.
std::pair<size_t, size_t> WithWholeClusters(std::string_view text, size_t begin, size_t end);

// The largest number of bytes, up to size, after which no character of the text is cut.
size_t WholeCharacters(std::string_view text, size_t size);

}  // namespace s2v
