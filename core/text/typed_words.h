// The words of a question, as it was typed, and what stands between them.
//
//   const TypedWords words("we dont use asyncio.Task", rules, 32);
//   words.At(1);          // "dont"
//   words.ArePair(0);     // true: a blank alone is between them
//   words.NameOf(3);      // {3, 4}: asyncio, Task
//
// Thread rule: any thread.
#pragma once

#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

#include "core/text/tokenizer.h"

namespace s2v {

class TypedWords {
 public:
  // text must outlive it. rules: of the tokenizer that cuts it. Of more than `most` words
  // are_too_many(), and it has not all of them.
  TypedWords(std::string_view text, const ReadingRules& rules, size_t most);
  bool are_too_many() const { return words_.size() > most_; }
  size_t size() const { return words_.size(); }
  size_t Begin(size_t i) const { return words_[i].first; }
  size_t End(size_t i) const { return words_[i].second; }
  std::string_view At(size_t i) const { return From(i, i); }
  // From the first one to the last one.
  std::string_view From(size_t first, size_t last) const {
    return text_.substr(Begin(first), End(last) - Begin(first));
  }
  // What stands between blanks around it.
  std::string_view RunOf(size_t i) const;
  // Whether i and i + 1 are two words alone with blanks between them, or a hyphen.
  bool ArePair(size_t i) const;
  // The last one of those that have apostrophes alone between them, from i on.
  size_t LastWithApostrophes(size_t i) const;
  // The first and the last word of the name that i is of, as asyncio.Task; i itself elsewhere.
  std::pair<size_t, size_t> NameOf(size_t i) const;

 private:
  // Word i and the next one.
  std::string_view Between(size_t i) const { return text_.substr(End(i), Begin(i + 1) - End(i)); }
  // Whether these bytes stand between blanks; a comma or a sentence's end, but no apostrophe or
  // other sign, may be behind them.
  bool AreAlone(size_t begin, size_t end) const;

  std::string_view text_;
  size_t most_;
  std::vector<std::pair<size_t, size_t>> words_;  // begin, end
};

}  // namespace s2v
