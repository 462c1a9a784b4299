// A text cut into passages of about so many words, as an index with passages has them
// (sql/index_parts.h).
//
//   size_t begin = 0;
//   for (const size_t end : CutPassages(text, 200, 1000, kPassageRules).ends) {
//     Use(text.substr(begin, end - begin));
//     begin = end;
//   }
//
// A word is what stands between two blanks and has a letter or a digit, of more than kLongWord
// bytes a word for each as many; of scripts without blanks two characters are one. A passage ends
// where a sentence or a line ends, if one does behind its first half, else at a word that is one
// too many; what is left for the last one and is less than half a passage belongs to the one
// before. So a change of the text leaves the passages before it as they were, but perhaps the last
// of them. Bytes that are not UTF-8 are blanks.
//
// An index keeps where passages begin, and so the version of these rules. In version 1, which is
// what an index has that keeps none, a sentence ended with . ! ? । ؟ 。 ！ ？ alone; now what
// EndsSentence (core/text/utf8.h) knows ends it. Up to version 2 a column of signs, which
// has no words, was in each part of its row however long it was (sql/index_parts.cc).
//
// Thread rule: pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace s2v {

inline constexpr int64_t kPassageRules = 3;

struct CutText {
  std::vector<size_t> ends;  // bytes; one at least, the last one is the text's
  size_t words = 0;          // of the text
};
// most: passages; the last of them has what is left. REQUIRES: words, most > 0.
// rules: kPassageRules or former ones.
CutText CutPassages(std::string_view text, size_t words, size_t most, int64_t rules);

}  // namespace s2v
