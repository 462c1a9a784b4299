// What rows may have in place of the numbers of a question.
//
//   FormsOfNumbers("2,980 m of 5 kg")   // 2980 and 2.980, of "2,980"; 2,980m, of "2,980 m"; ... 5kg, of "5 kg"
//
// Thread rule: pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace s2v {

struct NumberForm {
  std::string words, given;  // as rows may have it; what it stands for in the question
};
// Of 2,980 the number without commas; of 62,5 and 4,7mm those with a full stop, and the other way
// round; of 4.7uF 4.7μF, and the other way round; of v2.9 without v; of a date or the like the
// numbers with full stops, or parted: 21.09.1984, 21/09/1984. Of a unit of up to three letters, and
// the number with which the word before it ends, and all of that word, both in one.
std::vector<NumberForm> FormsOfNumbers(std::string_view text);

}  // namespace s2v
