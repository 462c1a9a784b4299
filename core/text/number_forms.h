// What rows may have in place of the numbers of a question.
//
//   FormsOfNumbers("2,980 kg")    // 2980 and 2.980, of "2,980"; 2,980kg and 2.980kg, of "2,980 kg"
//
// Thread rule: pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace s2v {

struct NumberForm {
  std::string words, given;     // as rows may have it; what it stands for in the question
  bool is_loose = false;        // it may be another number
  bool may_be_version = false;  // which it is among versions, as 1.1 of 1.10; loose, too
};
// Of a number alone: itself; 2,980 and 2'980 without commas; 62,5 and 4,7mm with a full stop, and
// the other way round; 1.900,00, 1900,00, "1 900,00", 1'900.00 as each other, with a full stop and
// with a comma before the fraction; 4.7uF as 4.7μF, and the other way round; 180C with °; v2.9
// without v; a date or the like with full stops, or parted: 21.09.1984, 21/09/1984; a date with
// other zeros, and in the other order, 1984-09-21, also of and as 19840921; of 21.09.84 and
// 21/09/84 those of 2084; 0xc0000005 without 0x, and the other way round; 12500 and 2980kg with a
// comma or full stop for the thousands; a time as 9:30, 9.30 or 9h30 with the other signs, and with
// or without 0 before it; an article's number as 6-7908 with a full stop; what has eight digits or
// more, with hyphens or strokes, without these; of 256GB, as of a number and a unit of up to three
// letters behind it, both ways. Of 18-55 mm, or 1/4 W, too the last number and the unit. Of a word
// of up to eight letters and a number behind it, as GTX 1080, GTX-1080 and SD 8779 T, all in one;
// of NE968E "NE 968 E", of "B2 19" B2.19. Of numbers with x or × between them, 120x60 and 120 x 60,
// also with a unit behind all or each, and M8x40, the other ways, and itself; with words as by
// between them, too. Of numbers with blanks between them, 2 980 or 06 12 34 56, all in one, with
// what has up to four letters and digits before them too, as a number with thousands, or with full
// stops. Loosely, since these may be other numbers: of 14.00 14, of 14.5 14.50 and 14,50, of
// 21.09.84 the dates of 1984, of 21.09.1984 21.09.84, of 5.2.23, which may be a version, dates; of
// 2.980 2980, of 2980 "2 980", of 230V 230; of 120x60 "120 cm x 60 cm"; of get_name getname, which
// is another name.
std::vector<NumberForm> FormsOfNumbers(std::string_view text);
// Up to three letters.
bool MayBeUnit(std::string_view text);

}  // namespace s2v
