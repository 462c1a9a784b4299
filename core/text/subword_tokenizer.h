// The profiles of imported models. `wordpiece` and `unigram`, version 1: how a text is cut for a
// model that brings its own vocabulary of pieces, as tokenizer.json of Hugging Face's tokenizers
// says it. A profile normalises and gives words; the model's own words then cut these into pieces
// (core/embed/pieces.h). Its name holds the rules:
//
//   wordpiece(clean,han,accents,lower)    the tokenizer of BERT, uncased
//   unigram(nmt,nfkc,squeeze,strip)       that of SentencePiece models
//
// The rules that a name lists are applied in the order below. Bytes that are not UTF-8 become
// U+FFFD.
//
//   nmt      control characters vanish; tabs, line ends, U+200B-200F, U+FEFF and the like are spaces
//   nfkc     Unicode's compatibility form, composed
//   clean    U+0000, U+FFFD and characters of the categories Cc, Cf, Co vanish, but tab and line ends; white space is
//            a space
//   han      spaces around Chinese characters
//   accents  characters are decomposed, and nonspacing marks vanish
//   lower    lower case
//   punct    spaces around ASCII punctuation
//   squeeze  white space after punct, spaces else: several are one
//   strip    none at the end
//   words    unigram: words are what white space separates
//   whole    unigram: pieces may reach across spaces
//   bare     unigram: no mark of a space before the first word
//   unk      a word without pieces counts as the piece [UNK] (wordpiece), a stretch of one as <unk> (unigram)
//
// A third, characters(3,6,unicode), gives the tokens of another profile, here of `unicode`, to a
// model of fastText: a word that this does not know has the mean of the rows of its n-grams of 3 to
// 6 characters (core/embed/pieces.h).
//
// The words of wordpiece are stretches without white space and punctuation, and each punctuation
// mark. In those of unigram spaces are U+2581, at the beginning of a word. A word of more than
// 65,536 bytes is cut there.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/text/tokenizer.h"

namespace s2v {

// The bits of a profile's rules, in the order in which they are applied and named.
enum SubwordRule : uint32_t {
  kNmtRule = 1 << 0,
  kNfkcRule = 1 << 1,
  kCleanRule = 1 << 2,
  kHanRule = 1 << 3,
  kAccentsRule = 1 << 4,
  kLowerRule = 1 << 5,
  kPunctuationRule = 1 << 6,
  kSqueezeRule = 1 << 7,
  kStripRule = 1 << 8,
  kWordsRule = 1 << 9,
  kWholeRule = 1 << 10,
  kBareRule = 1 << 11,
  kUnknownRule = 1 << 12,
};

// "wordpiece(clean,han)".
std::string SubwordName(PieceKind kind, uint32_t rules);
// "characters(3,6,unicode)".
inline constexpr int kMostNgramCharacters = 30;
std::string CharactersName(CharacterLengths lengths, std::string_view words);
// The profile that cuts: "unicode" of "characters(3,6,unicode)", any other name itself.
std::string_view NameOfCutter(std::string_view name);
// nullptr where the name is not one that these give.
const Tokenizer* FindImportedTokenizer(std::string_view name);

}  // namespace s2v
