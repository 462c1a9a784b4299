#include "core/text/passages.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "core/text/unicode_chars.h"

namespace s2v {
namespace {

constexpr size_t kLongWord = 32;

enum class Kind { kBlank, kWord, kUnspaced, kSentenceEnd, kOther };

struct ReadChar {
  Kind kind = Kind::kBlank;
  size_t size = 1;
};

// By the rules before this version.
constexpr int64_t kAllEnds = 2;
constexpr bool EndedSentence(uint32_t point) {
  constexpr uint32_t kEnds[] = {'.', '!', '?', 0x0964, 0x061F, 0x3002, 0xFF01, 0xFF1F};
  return std::find(std::begin(kEnds), std::end(kEnds), point) != std::end(kEnds);
}

ReadChar CharAt(std::string_view text, size_t at, int64_t rules) {
  uint32_t point = 0;
  const size_t size = DecodeUtf8(text, at, &point);
  if (size == 0) return {};
  if (rules < kAllEnds ? EndedSentence(point) : EndsSentence(point))
    return {Kind::kSentenceEnd, size};
  const CharEntry entry =
      size == 1 ? CharEntry{point, CharFate::kKeep, kAsciiKinds[point]} : char_table[point];
  if (entry.fate == CharFate::kSeparate || entry.kind == CharKind::kSpace)
    return {Kind::kBlank, size};
  if (entry.kind == CharKind::kUnspaced) return {Kind::kUnspaced, size};
  const bool is_word = entry.kind == CharKind::kLetter || entry.kind == CharKind::kDigit;
  return {is_word ? Kind::kWord : Kind::kOther, size};
}

// Counts in halves of words.
class PassageCutter {
 public:
  PassageCutter(size_t words, size_t most) : full_(2 * words), most_(most) {}

  void Count(size_t halves) { count_ += halves; }
  // A passage may end here, before a word.
  void MayEnd(size_t at, bool is_sentence) {
    if (is_sentence && 2 * count_ >= full_) {
      sentence_ = at;
      at_sentence_ = count_;
    }
    // Behind the sentence there may be a whole passage too.
    while (count_ >= full_ && cut_.ends.size() + 1 < most_) {
      const size_t taken = sentence_ > 0 ? at_sentence_ : count_;
      cut_.ends.push_back(sentence_ > 0 ? sentence_ : at);
      before_ += taken;
      count_ -= taken;
      sentence_ = 0;
    }
  }
  CutText Finish(size_t size) {
    if (!cut_.ends.empty() && 2 * count_ < full_) cut_.ends.pop_back();
    cut_.ends.push_back(size);
    cut_.words = (before_ + count_ + 1) / 2;
    return std::move(cut_);
  }

 private:
  const size_t full_, most_;
  CutText cut_;
  size_t before_ = 0, count_ = 0;  // halves before this passage, and in it
  // Where a sentence ended last behind the first half, and the halves up to there.
  size_t sentence_ = 0, at_sentence_ = 0;
};

}  // namespace

CutText CutPassages(std::string_view text, size_t words, size_t most, int64_t rules) {
  PassageCutter cutter(words, most);
  bool is_behind_blank = true, is_behind_sentence = false;
  size_t word = text.npos;  // begin of the one that is being read, and was counted
  for (size_t at = 0; at < text.size();) {
    const ReadChar c = CharAt(text, at, rules);
    if (c.kind == Kind::kBlank) {
      is_behind_sentence |= text[at] == '\n';
      is_behind_blank = true;
      word = text.npos;
      at += c.size;
      continue;
    }
    if (at > 0 && (is_behind_blank || c.kind == Kind::kUnspaced))
      cutter.MayEnd(at, is_behind_sentence);
    if (is_behind_blank || c.kind == Kind::kWord || c.kind == Kind::kUnspaced)
      is_behind_sentence = false;
    is_behind_blank = false;
    if (c.kind == Kind::kSentenceEnd) is_behind_sentence = true;
    if (c.kind == Kind::kUnspaced) {
      cutter.Count(1);
      word = text.npos;
    }
    if (c.kind == Kind::kWord && (word == text.npos || at - word >= kLongWord)) {
      cutter.Count(2);
      word = at;
    }
    at += c.size;
    if (c.kind != Kind::kWord) continue;
    // The usual case.
    const size_t end = std::min(text.size(), word + kLongWord);
    while (at < end && IsAsciiLetter(text[at])) at++;
  }
  return cutter.Finish(text.size());
}

}  // namespace s2v
