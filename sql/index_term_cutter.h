// The words of an index's rows: cut by one of our tokenizers, as the model cuts texts, or by one of
// FTS5's.
//
//   's2v german'         tokenizer profile `german` (core/text/tokenizer.h)
//   's2v german parts'   the same, and parts of words
//   'porter unicode61'   FTS5's
//   'auto s2v german parts'   chosen by AutomaticTokenize, and anew at each 'rebuild'; as the rest says
//
//   TermCutter cutter(db, index);
//   RowTerms terms;
//   cutter.AddColumn("Rate cuts hit the lenders", &terms);       // "rate" "cut" "hit" "the" "lender"
//
// Thread rule: a TermCutter belongs to one thread at a time.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/text/tokenizer.h"
#include "core/text/word_places.h"
#include "sql/index_definition.h"

namespace s2v {

// What FTS5 lets extensions call. Throws SqlError where there is no FTS5.
fts5_api* Fts5Api(sqlite3* db);

// The terms of a row, one behind the other: of each column of text its words, then their parts.
struct RowTerms {
  static constexpr size_t kMost = size_t{1} << 22;  // terms of a row; what follows them is left out
  std::string bytes;
  std::vector<uint32_t> ends;  // [terms] in bytes
  // [2 * columns] terms up to the end of each column's words, and parts
  std::vector<uint32_t> columns;

  void Clear() {
    bytes.clear();
    ends.clear();
    columns.clear();
  }
  size_t size() const { return ends.size(); }
  std::string_view operator[](size_t i) const {
    const size_t begin = i == 0 ? 0 : ends[i - 1];
    return std::string_view(bytes).substr(begin, ends[i] - begin);
  }
};

inline constexpr std::string_view kAutomatic = "auto";
// "auto s2v ...": the profile of a language, with parts of words.
std::string AutomaticTokenize(const std::string& profile);

class TermCutter {
 public:
  // By tokenize, as above, where FTS5's is as its own option of this name, and tokenizer_version.
  // Throws InvalidArgument where there is no such tokenizer.
  TermCutter(sqlite3* db, const IndexDefinition& index);
  ~TermCutter();
  TermCutter(const TermCutter&) = delete;
  TermCutter& operator=(const TermCutter&) = delete;

  // Appends a column of text: words and parts. Of a question FTS5 may cut in another way. places: of
  // the terms, filled by FTS5's tokenizers alone; of ours FindWords knows.
  void AddColumn(std::string_view text, RowTerms* terms, bool is_question = false,
                 std::vector<WordPlace>* places = nullptr) const;
  // Whether it is one of our tokenizers, not one of FTS5's.
  bool is_ours() const { return own_ != nullptr; }
  // Our tokenizer; nullptr where it is FTS5's. Of an index with passages, whose texts are cut as
  // plain text, it knows of no format, as the profile does.
  const Tokenizer* own() const { return own_; }
  // What cuts its text, where own() is of a format too; nullptr where that is.
  const Tokenizer* plain() const { return own_ != nullptr ? &own_->plain() : nullptr; }
  // FTS5's tokenizers end no words at letters, but parts of scripts are words to a reader.
  ReadingRules reading() const {
    return is_ours() ? plain()->reading() : ReadingRules{.parts_scripts = true};
  }
  const Tokenizer* profile() const { return profile_; }
  bool with_parts() const { return with_parts_; }
  // Alone, not among others; its parts of words are ends of words.
  bool is_english() const { return is_ours() && plain()->name() == "english"; }
  // Of another language than English. REQUIRES: is_ours, not is_english.
  bool has_stems() const {
    return plain()->name() != kNeutralTokenizer && plain()->name() != "english+neutral";
  }
  // Whether a word's parts are all of its strings of four letters.
  bool tells_words() const { return with_parts_ && !is_english(); }
  // Whether pieces of names stand before the parts, behind kPiecesMark: so a title is no longer for
  // them.
  bool has_pieces_beside() const { return has_pieces_beside_; }
  // Whether cutters of this kind may be used by several threads, each its own: ours, and FTS5's
  // own.
  bool is_parallel() const { return is_parallel_; }

 private:
  void FindFts5(sqlite3* db, const std::string& tokenize, const std::vector<std::string>& words);
  void AddOwn(std::string_view text, RowTerms* terms) const;

  const Tokenizer *own_ = nullptr, *profile_ = nullptr;
  bool with_parts_ = false, has_pieces_beside_ = false;
  mutable Tokens tokens_;
  fts5_tokenizer functions_ = {};
  Fts5Tokenizer* tokenizer_ = nullptr;  // FTS5's, by functions_
  bool is_parallel_ = false;
};

}  // namespace s2v
