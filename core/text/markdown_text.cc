// The text of Markdown (CommonMark and GitHub's tables), version 3.
//
// 1. At a line's beginning these are left out: # to ######, > , a list's - * + 1. 1) and its [ ] or
//    [x], the | of a table; lines of nothing but - = * _ | : and blanks; and [name]: address, of
//    footnotes [^name]: alone.
// 2. Lines between ``` or ~~~ are code and stay as they are, without what stands behind the first
//    ```. So does what is between as many ` and ` in a line.
// 3. [text](address) and [text][name] are text, ![text](address) too, where the text has at most
//    kMostLinkBytes.
// 4. *, ** , _, __ and ~~ around words are left out, not those between two blanks. Between two
//    letters _ and __ stay, the others too but where they are a pair: **서버**를, Haus**tür**,
//    *server*s, not 2*3 and x**2. A \ before punctuation is left out. By versions 1 and 2 all stay
//    between two letters.
// 5. Tags and entities are those of HTML (html_text.cc), in version 1 those of its version 1, and
//    <address> is the address.
// 6. The lines of a paragraph are one line.
#include <algorithm>
#include <string>
#include <string_view>

#include "core/text/markup.h"
#include "core/text/unicode_chars.h"

namespace s2v {
namespace {

constexpr size_t kMostLinkBytes = 1000;
constexpr size_t kMostTicks = 8;
constexpr std::string_view kNoWords = "-=*_|: \t\r";

bool IsLineBlank(char c) {
  return c == ' ' || c == '\t' || c == '\r';
}
bool IsMark(char c) {
  return static_cast<signed char>(c) > 0 &&
         kAsciiKinds[static_cast<unsigned char>(c)] == CharKind::kPunctuation;
}
size_t RunOf(char c, std::string_view text) {
  return std::min(text.find_first_not_of(c), text.size());
}

class MarkdownReader {
 public:
  MarkdownReader(std::string_view text, int version, std::string* plain)
      : text_(text),
        plain_(*plain),
        html_(text, /*is_former=*/version == 1),
        has_pairs_in_words_(version >= 3) {}

  void Read() {
    for (size_t at = 0; at < text_.size();) {
      line_end_ = std::min(text_.find('\n', at), text_.size());
      at = ReadLine(at);
    }
    while (!plain_.empty() && (IsLineBlank(plain_.back()) || plain_.back() == '\n'))
      plain_.pop_back();
  }

 private:
  std::string_view Line(size_t at) const { return text_.substr(at, line_end_ - at); }

  // Reads what begins a line, or a line that is no text. Returns where reading goes on.
  size_t ReadLine(size_t at) {
    const size_t begin = at;
    at += std::min(Line(at).find_first_not_of(" \t"), Line(at).size());
    const size_t fence = std::max(RunOf('`', Line(at)), RunOf('~', Line(at)));
    if (fence >= 3 && Line(at + fence).find('`') == text_.npos) return ReadCode(text_[at], fence);
    if (Line(at).find_first_not_of(kNoWords) == text_.npos) {
      EndLine(&plain_);
      return line_end_ + 1;
    }
    at = SkipMarks(begin);
    if (at != begin) EndLine(&plain_);
    if (!plain_.empty() && plain_.back() != '\n') plain_ += ' ';
    std::fill(std::begin(has_ticks_), std::end(has_ticks_), true);
    std::fill(std::begin(pairs_), std::end(pairs_), EmphasisPair());
    has_close_ = true;
    opened_ = 0;
    const size_t next = ReadWords(at);
    if (at != begin && begin < text_.size() && text_[begin] == '#') EndLine(&plain_);
    return next;
  }

  size_t ReadCode(char mark, size_t fence) {
    EndLine(&plain_);
    for (size_t at = line_end_ + 1; at < text_.size(); at = line_end_ + 1) {
      line_end_ = std::min(text_.find('\n', at), text_.size());
      const std::string_view line = Line(at);
      const std::string_view behind =
          line.substr(std::min(line.find_first_not_of(' '), line.size()));
      const size_t run = RunOf(mark, behind);
      if (run >= fence && behind.find_first_not_of(" \t\r", run) == behind.npos) break;
      plain_ += line;
      EndLine(&plain_);
    }
    return line_end_ + 1;
  }

  // Rule 1: where the words of a line begin.
  size_t SkipMarks(size_t at) {
    is_table_ = false;
    const size_t begin = at;
    for (bool is_more = true; is_more && at < line_end_;) {
      const size_t blanks = std::min(Line(at).find_first_not_of(" \t"), Line(at).size());
      const std::string_view line = Line(at + blanks);
      const size_t heading = RunOf('#', line);
      const size_t digits = std::min(line.find_first_not_of("0123456789"), line.size());
      const auto has_blank = [&](size_t i) { return i >= line.size() || IsLineBlank(line[i]); };
      size_t skipped = 0;
      if (line.starts_with('>')) skipped = 1;
      if (heading >= 1 && heading <= 6 && has_blank(heading)) skipped = heading;
      if (!line.empty() && std::string_view("-*+").find(line[0]) != text_.npos && has_blank(1))
        skipped = 1;
      if (digits >= 1 && digits <= 3 && digits < line.size() &&
          (line[digits] == '.' || line[digits] == ')') && has_blank(digits + 1)) {
        skipped = digits + 1;
      }
      if (at != begin && (line.starts_with("[ ] ") || line.starts_with("[x] "))) skipped = 3;
      if (line.starts_with('|')) {
        is_table_ = true;
        skipped = 1;
      }
      is_more = skipped > 0;
      at += is_more ? blanks + skipped : 0;
    }
    const std::string_view line = Line(at);
    const size_t name = line.find("]:");
    if (line.starts_with('[') && name != line.npos && line.find(']') == name && name > 1) {
      at = line[1] == '^' ? at + name + 2 : line_end_;
    }
    return at;
  }

  // The rest of a line, and of the tags that begin in it.
  size_t ReadWords(size_t at) {
    while (at < line_end_) {
      const char c = text_[at];
      size_t next = 0;
      switch (c) {
        case '`':
          next = TakeTicks(at);
          break;
        case '\\':
          next = TakeEscaped(at);
          break;
        case '<':
          next = TakeAngle(at);
          break;
        case '&':
          next = html_.TakeEntity(at, &plain_);
          break;
        case '[':
          opened_++;
          break;
        case ']':
          next = TakeLink(at);
          break;
        case '*':
        case '_':
        case '~':
          next = TakeEmphasis(at);
          break;
        case '|':
          if (is_table_) next = AddBlank(at + 1);
          break;
        case ' ':
        case '\t':
        case '\r':
          next = AddBlank(at + 1);
          break;
        default:
          break;
      }
      if (next == 0) {
        plain_ += c;
        next = at + 1;
      }
      at = next;
      // a tag of several lines
      if (at > line_end_) line_end_ = std::min(text_.find('\n', at), text_.size());
    }
    return at + 1;
  }

  size_t AddBlank(size_t next) {
    if (!plain_.empty() && plain_.back() != ' ' && plain_.back() != '\n') plain_ += ' ';
    return next;
  }

  size_t TakeTicks(size_t at) {
    const size_t ticks = RunOf('`', Line(at));
    if (ticks > kMostTicks || !has_ticks_[ticks - 1]) return Copy(at, ticks);
    for (size_t end = at + ticks; (end = text_.find('`', end)) < line_end_;) {
      const size_t run = RunOf('`', Line(end));
      if (run == ticks) {
        Copy(at + ticks, end - at - ticks);
        return end + ticks;
      }
      end += run;
    }
    has_ticks_[ticks - 1] = false;
    return Copy(at, ticks);
  }
  size_t Copy(size_t at, size_t size) {
    plain_ += text_.substr(at, size);
    return at + size;
  }

  size_t TakeEscaped(size_t at) {
    if (at + 1 >= line_end_ || !IsMark(text_[at + 1])) return 0;
    return Copy(at + 1, 1);
  }

  size_t TakeAngle(size_t at) {
    const std::string_view rest = Line(at).substr(0, kMostLinkBytes);
    const size_t end = rest.find_first_of(" \t<>", 1);
    const bool is_address = end != rest.npos && rest[end] == '>' &&
                            rest.substr(0, end).find_first_of(":@") != rest.npos &&
                            IsAsciiLetter(rest[1]);
    if (!is_address) return html_.TakeTag(at, &plain_);
    Copy(at + 1, end - 1);
    return at + end + 1;
  }

  size_t TakeLink(size_t at) {
    if (opened_ == 0 || at + 1 >= line_end_) return 0;
    opened_--;
    const char open = text_[at + 1], close = open == '(' ? ')' : ']';
    if ((open != '(' && open != '[') || !has_close_) return 0;
    int depth = 0;
    size_t end = at + 1;
    for (; end < line_end_; end++) {
      if (text_[end] == open) depth++;
      if (text_[end] == close && --depth == 0) break;
    }
    if (end == line_end_) {
      has_close_ = false;
      return 0;
    }
    const size_t least = plain_.size() - std::min(plain_.size(), kMostLinkBytes);
    size_t bracket = std::string_view(plain_).substr(least).rfind('[');
    if (bracket == plain_.npos) return 0;
    bracket += least;
    const bool is_image = bracket > 0 && plain_[bracket - 1] == '!';
    plain_.erase(is_image ? bracket - 1 : bracket, is_image ? 2 : 1);
    return end + 1;
  }

  size_t TakeEmphasis(size_t at) {
    const size_t run = RunOf(text_[at], Line(at));
    if (text_[at] == '~' && run != 2) return Copy(at, run);
    const auto is_open = [&](size_t i) { return i >= line_end_ || IsLineBlank(text_[i]); };
    const auto is_word = [&](size_t i) { return !is_open(i) && !IsMark(text_[i]); };
    const size_t behind = at + run;
    const bool is_first = at == 0 || text_[at - 1] == '\n';
    const bool blanks = (is_first || IsLineBlank(text_[at - 1])) && is_open(behind);
    const bool words = !is_first && is_word(at - 1) && is_word(behind);
    const bool may_pair = has_pairs_in_words_ && text_[at] != '_' && run <= kMostEmphasis;
    if (words && may_pair) return PairsInWord(at, run) ? behind : Copy(at, run);
    if (blanks || words) return Copy(at, run);
    if (may_pair) PairOf(text_[at], run)->is_open ^= true;
    return behind;
  }

  // A run of * or ~ of one length. is_open: one was met to which the next belongs. has_next: there
  // may be another in the line.
  struct EmphasisPair {
    bool is_open = false, has_next = true;
  };
  static constexpr size_t kMostEmphasis = 3;
  EmphasisPair* PairOf(char mark, size_t run) {
    return &pairs_[(mark == '~' ? kMostEmphasis : 0) + run - 1];
  }
  // Whether the run between two letters is one of a pair.
  bool PairsInWord(size_t at, size_t run) {
    EmphasisPair* pair = PairOf(text_[at], run);
    const char before = text_[at - 1], next = text_[at + run];
    const bool are_ascii =
        static_cast<signed char>(before) >= 0 && static_cast<signed char>(next) >= 0;
    const bool is_formula = are_ascii && (IsAsciiDigit(before) || IsAsciiDigit(next));
    if (pair->is_open && !(is_formula && run == 1)) {
      pair->is_open = false;
      return true;
    }
    if (run == 1 || is_formula || !pair->has_next) return false;
    pair->has_next = Line(at + run).find(text_.substr(at, run)) != text_.npos;
    return pair->is_open = pair->has_next;
  }

  std::string_view text_;
  std::string& plain_;
  HtmlReader html_;
  size_t line_end_ = 0;
  size_t opened_ = 0;  // [ of the line
  bool is_table_ = false;
  const bool has_pairs_in_words_;
  EmphasisPair pairs_[2 * kMostEmphasis];
  bool has_close_ = true;            // a ) or ] for what may be a link, in what is left of the line
  bool has_ticks_[kMostTicks] = {};  // runs of 1, 2, ... `, in what is left of the line
};

bool HasPair(std::string_view text, std::string_view open, std::string_view close) {
  const size_t at = text.find(open);
  return at != text.npos && at + open.size() < text.size() &&
         !IsLineBlank(text[at + open.size()]) &&
         text.find(close, at + open.size() + 1) != text.npos;
}

}  // namespace

void MakePlainMarkdown(std::string_view text, int version, std::string* plain) {
  plain->clear();
  MarkdownReader(text, version, plain).Read();
}

bool IsWrittenAsMarkdown(std::string_view text) {
  if (HasPair(text, "](", ")") || HasPair(text, "**", "**")) return true;
  for (size_t at = 0; at < text.size(); at = std::min(text.find('\n', at), text.size()) + 1) {
    const std::string_view line = text.substr(at, 10);
    const size_t heading = RunOf('#', line);
    if (line.starts_with("```") ||
        (heading >= 2 && heading <= 6 && heading + 1 < line.size() && line[heading] == ' '))
      return true;
  }
  return false;
}

}  // namespace s2v
