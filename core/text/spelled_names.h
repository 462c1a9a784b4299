// Names of programs and identifiers that cutting at punctuation and capitals would lose: rule A of
// language_tokenizer.cc.
//
//   SpellNames("C++17, .NET and C#", {.with_pieces = false}, &spelled);   // "Cplusplus 17, dotNET and Csharp "
//   SpellNames("getCafés it", {}, &spelled);                              // "getCafés it \U0010FFFD get Cafés "
//   SpellNames("O'Connor", {}, &spelled);                                 // "O'Connor \U0010FFFD Connor "
//   SpellNames("an e-mail", {.joins_hyphens = true}, &spelled);           // "an e-mail \U0010FFFD email "
//
// Thread rule: pure.
#pragma once

#include <string>
#include <string_view>

namespace s2v {

// A character for private use that stands between a text and the pieces of its names; a token of
// every profile.
inline constexpr std::string_view kPiecesMark = "\U0010FFFD";

// How many tokens stand before the pieces of names.
template <typename Tokens>
size_t CountBeforePieces(const Tokens& tokens) {
  size_t count = 0;
  while (count < tokens.size() && tokens[count] != kPiecesMark) count++;
  return count;
}

struct NameRules {
  // Behind the text follow the parts of its identifiers.
  bool with_pieces = true;
  // Each identifier is followed by its own at once: a phrase with the next word is not found.
  bool has_pieces_within = false;
  // These begin with any capital; else with one of ASCII, and an identifier is of ASCII alone.
  bool has_all_letters = true;
  // Behind C++ and C# may stand a number.
  bool has_numbers = true;
  // With pieces: of O'Connor, d'Angelo and L'Oreal these are Connor, Angelo and Oreal.
  bool has_apostrophes = true;
  bool has_accented_names = true;  // of L'Oréal Oréal, not Or
  // With pieces, in ASCII: XMLFile and utf8Decoder are identifiers, too, of XML and File, utf8 and
  // Decoder.
  bool has_acronyms = false;
  // With parts_numbers: of 1,25,000 too, as it is written in India, 125000.
  bool has_pairs_of_digits = false;
  // With pieces: a unit with a small letter before its capital, as mA and kHz, is one piece.
  bool has_units = false;
  // A T between a date and a time is a blank, and a Z behind these: 2026-01-22T01:02:57Z. With
  // pieces: of 21.09.1984 this is 1984, of v2.9 and v2.9.7 2.9 and 2.9.7, of 2,980 2980.
  bool parts_numbers = false;
  // Letters are parted from a number whose thousands are, Rp1.250.000 and 4.990kr, and a time from
  // its fraction, 17:25:30,867.
  bool parts_amounts = false;
  // With pieces: of e-mail, wi-fi and covid-19 these are email, wifi and covid19. Two parts, of
  // which one is of one or two characters.
  bool joins_hyphens = false;
};
// Of the hyphen with which text begins, -, U+2010 or U+2011; 0: with none.
size_t HyphenSize(std::string_view text);
inline bool IsHyphen(std::string_view text) {
  return !text.empty() && HyphenSize(text) == text.size();
}
// 2980 of 2,980 and 2980.50 of 2,980.50; "" of what has not a comma before each three digits, or,
// has_pairs, before the last three and each two before them, as 1,25,000.
// REQUIRES: digits, commas and full stops alone.
std::string WithoutCommas(std::string_view number, bool has_pairs = true);
// Whether there is the T of 2026-01-22T01:02:57Z, or its Z. REQUIRES: at < text.size().
bool IsOfTime(std::string_view text, size_t at);
// Whether .NET, .Net or .net begins there, and no word stands before it. REQUIRES: at <
// text.size().
bool IsNet(std::string_view text, size_t at);
// Whether the sign there stands before the fraction of 17:25:30,867 or 17:25:30.867. REQUIRES: at <
// text.size().
bool IsBeforeFraction(std::string_view text, size_t at);
// Whether a number with thousands begins there behind a letter, or ends there before one; not of v,
// as of a version. REQUIRES: at < text.size().
bool PartsAmount(std::string_view text, size_t at);
// Returns text, or what it becomes, in *spelled.
std::string_view SpellNames(std::string_view text, const NameRules& rules, std::string* spelled);

}  // namespace s2v
