// What rows have that a number of a question, or a name with one, may go on to, or that has signs or
// blanks within it.
//
//   LongerNumbers(&vocabulary, "hat $14")          // 14.00 and 14kg, of "14"
//   LongerNumbers(&vocabulary, "php8 cli")         // php8.2, of "php8"
//   LongerNumbers(&vocabulary, "9780306406157")    // "978 0 306 40615 7"
//
// Thread rule: as the connection's.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/text/number_forms.h"
#include "sql/index_vocabulary.h"

namespace s2v {

// Of the numbers and sizes of a question, and their other forms, what rows have that goes on with a
// fraction or a unit; of names as php8 what goes on with a full stop and a digit; of long numbers, and
// of names with digits, what rows have in several words. Of more than kMaxPartWords words none.
std::vector<NumberForm> LongerNumbers(IndexVocabulary* vocabulary, std::string_view text);
// What rows have that goes on so: php8.2 of php8, and "k 56.609" of k56, which the tokenizer cuts from
// K56.609 as from Rp1.250 the amount. None of a word that is no such name.
std::vector<std::string> LongerNames(IndexVocabulary* vocabulary, std::string_view word,
                                     size_t most);

}  // namespace s2v
