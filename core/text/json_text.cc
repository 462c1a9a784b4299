// The text of JSON, version 1.
//
// 1. Where a line begins with { or [ and JSON follows (RFC 8259, but that numbers are not checked),
//    or does as far as the text goes, a line stands for each of its strings and numbers, in their
//    order; not for keys, nor for true, false and null. So JSON may stand behind lines of text, and
//    each line may be JSON.
// 2. In strings \n and the like are blanks, \" and \uXXXX the characters that they stand for; half
//    a pair is U+FFFD.
// 3. What is not JSON is text as it is, up to where it is seen not to be.
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "core/numbers.h"
#include "core/text/markup.h"
#include "core/text/utf8.h"

namespace s2v {
namespace {

bool IsJsonBlank(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

// Reads one value from the front of a text, without recursion.
class JsonReader {
 public:
  explicit JsonReader(std::string_view text) : text_(text) {}

  // Appends what rule 1 says. False where it is no JSON: then at() is where that is seen.
  bool Read(std::string* plain) {
    std::vector<bool> open;  // true: an object
    bool is_value = true;    // a value is next; else what follows one
    for (;;) {
      SkipBlanks();
      if (IsEnd()) return true;
      const char c = text_[at_];
      if (is_value && (c == '{' || c == '[')) {
        at_++;
        open.push_back(c == '{');
        SkipBlanks();
        is_value = IsEnd() || text_[at_] != (c == '{' ? '}' : ']');
        if (is_value && open.back() && !ReadKey()) return false;
      } else if (is_value) {
        if (!ReadScalar(plain)) return false;
        is_value = false;
      } else {
        at_++;
        if (c == ',') {
          is_value = true;
          if (open.back() && !ReadKey()) return false;
          continue;
        }
        if (c != (open.back() ? '}' : ']')) return false;
        open.pop_back();
        if (open.empty()) return true;
      }
    }
  }
  size_t at() const { return at_; }

 private:
  bool IsEnd() const { return at_ >= text_.size(); }
  void SkipBlanks() {
    while (!IsEnd() && IsJsonBlank(text_[at_])) at_++;
  }

  bool ReadKey() {
    SkipBlanks();
    if (IsEnd()) return true;
    if (text_[at_] != '"' || !ReadString(nullptr)) return false;
    SkipBlanks();
    if (IsEnd()) return true;
    return text_[at_++] == ':';
  }

  bool ReadScalar(std::string* plain) {
    if (text_[at_] == '"') {
      EndLine(plain);
      return ReadString(plain);
    }
    const size_t size = std::min(text_.substr(at_).find_first_of(" \t\n\r,]}"), text_.size() - at_);
    const std::string_view word = text_.substr(at_, size);
    if (word.empty()) return false;
    if (word != "true" && word != "false" && word != "null") {
      const bool is_number = (word[0] == '-' || IsAsciiDigit(word[0])) &&
                             word.find_first_not_of("0123456789+-.eE") == word.npos;
      if (!is_number) return false;
      EndLine(plain);
      *plain += word;
    }
    at_ += size;
    return true;
  }

  // plain: nullptr for a value that is left out.
  bool ReadString(std::string* plain) {
    for (at_++; !IsEnd();) {
      const char c = text_[at_++];
      if (c == '"') return true;
      if (static_cast<unsigned char>(c) < 0x20) return false;
      if (c != '\\') {
        if (plain != nullptr) *plain += c;
      } else if (!IsEnd() && !ReadEscaped(plain)) {
        return false;
      }
    }
    return true;  // the text ends within it
  }

  bool ReadEscaped(std::string* plain) {
    const char c = text_[at_++];
    if (c == 'u') {
      if (IsEnd()) return true;
      uint32_t point = 0;
      if (!ReadHex(&point)) return text_.size() - at_ < 4;
      const bool is_high = point >= 0xD800 && point < 0xDC00;
      if (is_high && text_.substr(at_).starts_with("\\u")) {
        const size_t before = at_;
        uint32_t low = 0;
        at_ += 2;
        if (ReadHex(&low) && low >= 0xDC00 && low < 0xE000) {
          point = 0x10000 + ((point - 0xD800) << 10) + (low - 0xDC00);
        } else {
          at_ = before;
        }
      }
      if (plain == nullptr) return true;
      if (point >= 0xD800 && point < 0xE000) point = 0xFFFD;
      point < 0x20 ? plain->push_back(' ') : AppendPoint(static_cast<int32_t>(point), plain);
      return true;
    }
    constexpr std::string_view kEscapes = "\"\\/bfnrt";
    if (kEscapes.find(c) == kEscapes.npos) return false;
    if (plain != nullptr) *plain += c == '"' || c == '\\' || c == '/' ? c : c == 'n' ? '\n' : ' ';
    return true;
  }
  bool ReadHex(uint32_t* number) {
    const std::string_view digits = text_.substr(at_, 4);
    if (digits.size() < 4 || !ParseNumber(digits, number, 16)) return false;
    at_ += digits.size();
    return true;
  }

  std::string_view text_;
  size_t at_ = 0;
};

bool BeginsJson(std::string_view text) {
  return text.starts_with('{') || text.starts_with('[');
}

}  // namespace

void MakePlainJson(std::string_view text, int /*version*/, std::string* plain) {
  plain->clear();
  if (text.find_first_of("{[") == text.npos) {
    *plain = text;
    return;
  }
  size_t tried = 0;  // before here no JSON is looked for again
  for (size_t at = 0; at < text.size();) {
    const size_t line_end = std::min(text.find('\n', at), text.size());
    const size_t begin =
        at + std::min(text.substr(at, line_end - at).find_first_not_of(" \t\r"), line_end - at);
    if (begin >= tried && BeginsJson(text.substr(begin))) {
      JsonReader reader(text.substr(begin));
      const size_t before = plain->size();
      EndLine(plain);
      if (reader.Read(plain)) {
        at = begin + reader.at();
        at += at < text.size() && text[at] == '\n';
        EndLine(plain);
        continue;
      }
      plain->resize(std::min(before, plain->size()));
      tried = begin + reader.at();
    }
    *plain += text.substr(at, line_end - at);
    if (line_end < text.size()) *plain += '\n';
    at = line_end + 1;
  }
  while (!plain->empty() && plain->back() == '\n') plain->pop_back();
}

bool IsWrittenAsJson(std::string_view text) {
  while (!text.empty() && IsJsonBlank(text[0])) text.remove_prefix(1);
  std::string plain;
  JsonReader reader(text);
  return BeginsJson(text) && text.size() > 2 && reader.Read(&plain) &&
         text.find_first_not_of(" \t\r\n", reader.at()) == text.npos;
}

}  // namespace s2v
