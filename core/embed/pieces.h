// Texts into tokens as a model takes them: those of its tokenizer, or the pieces that its own words
// cut these into.
//
//   TextCutter cutter(*shape.tokenizer, &source);
//   cutter.Cut("unaffable", &tokens);              // una ##ffa ##ble
//
// wordpiece: the longest beginning of a word that the model has, then the longest beginning of the
// rest, which is looked up with ## before it, to the end. A word of more than 100 characters, or
// one whose rest has none, is unknown as a whole.
//
// unigram: the pieces whose frequencies have the largest product (Viterbi); a character that is no
// piece counts as one of e^-10 times the least frequency of all pieces, and neighbouring ones are
// one unknown token. Equal scores: the piece that begins first. A piece has at most
// kMostPieceCharacters.
//
// Words that a model of fastText does not know (profile characters): the mean of the rows of their
// n-grams of characters, of the word between < and >, but < and > alone; an n-gram's bucket is its
// hash, FNV-1a with bytes as signed numbers, modulo the number of buckets.
//
// Pieces are looked up among the words of the model, text by text: nothing is loaded beforehand.
//
// Thread rule: belongs to one thread at a time.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/feature_source.h"
#include "core/text/tokenizer.h"
#include "core/text/utf8.h"

namespace s2v {

inline constexpr size_t kMostPieceCharacters = 32;  // of unigram
inline constexpr size_t kMostWordCharacters = 100;  // of wordpiece

class TextCutter {
 public:
  // Both must outlive it.
  TextCutter(const Tokenizer& tokenizer, FeatureSource* source)
      : tokenizer_(tokenizer), source_(source) {}
  // Replaces *tokens by the tokens of text. Throws what the source throws. The source's rows from
  // before are not valid any more.
  void Cut(std::string_view text, Tokens* tokens);

 private:
  void CutWord(std::string_view word, Tokens* tokens);
  void CutUnigrams(std::string_view word, Tokens* tokens);
  // Fills asked_ with the pieces that may begin at ends_[from] and found_ with what the model has
  // of them.
  void FindPieces(std::string_view word, size_t from);
  void AddUnknown(std::string_view token, Tokens* tokens) const;

  const Tokenizer& tokenizer_;
  FeatureSource* const source_;
  // What follows is scratch, kept from text to text.
  struct Best {
    double score = 0;
    size_t from = 0;
    bool is_known = false;
  };
  Tokens words_;
  std::vector<size_t> ends_;  // where the word's characters begin, and its end
  std::string probe_;
  std::vector<WordKey> asked_;
  std::vector<Feature> found_;
  std::vector<Best> best_;    // [characters + 1] the best way to each character's beginning
  std::vector<size_t> path_;  // characters where its pieces end, the last first
};

// visit(hash) for each n-gram of characters of a word in UTF-8.
template <typename Visit>
void ForEachCharacterNgram(std::string_view word, CharacterLengths lengths, const Visit& visit) {
  const std::string marked = "<" + std::string(word) + ">";
  const auto is_inner = [&](size_t at) { return at < marked.size() && IsInCharacter(marked[at]); };
  for (size_t from = 0; from < marked.size(); from++) {
    if (is_inner(from)) continue;
    uint32_t hash = 2166136261u;
    size_t to = from;
    for (int n = 1; to < marked.size() && n <= lengths.most; n++) {
      do {
        hash = (hash ^ static_cast<uint32_t>(static_cast<int8_t>(marked[to++]))) * 16777619u;
      } while (is_inner(to));
      const bool is_mark = n == 1 && (from == 0 || to == marked.size());
      if (n >= lengths.least && !is_mark) visit(hash);
    }
  }
}

// Writes the row of a word that the model does not know to row [dimension]; false where it has
// none.
bool FindCharacterRow(const Tokenizer& tokenizer, std::string_view word, uint64_t bucket_count,
                      FeatureSource* source, std::span<float> row);

}  // namespace s2v
