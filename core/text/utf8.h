// Strict UTF-8, blanks and ends of sentences, and what programs do with names and texts in ASCII.
//
// Thread rule: reentrant.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

namespace s2v {

constexpr uint32_t kMaxCodePoint = 0x10FFFF;
constexpr size_t kMaxUtf8Bytes = 4;

constexpr bool IsAsciiLetter(int32_t c) {
  return (static_cast<uint32_t>(c) | 0x20) - 'a' < 26;
}
constexpr bool IsAsciiDigit(int32_t c) {
  return c >= '0' && c <= '9';
}
constexpr bool IsAsciiWord(char c) {
  return IsAsciiLetter(c) || IsAsciiDigit(c) || c == '_';
}
inline bool IsAscii(std::string_view text) {
  uint8_t all = 0;
  for (const char c : text) all = static_cast<uint8_t>(all | static_cast<uint8_t>(c));
  return all < 0x80;
}
// A space, or a control character, which parts words as well.
constexpr bool IsAsciiBlank(char c) {
  return static_cast<unsigned char>(c) <= ' ';
}

// The length of the character at `in` and its code point; both 0 where the bytes are not UTF-8:
// overlong, a surrogate, beyond U+10FFFF, cut off by `end`. REQUIRES: in < end.
inline size_t DecodeUtf8(const char* in, const char* end, uint32_t* code_point) {
  const auto byte = [in](size_t i) -> uint32_t { return static_cast<unsigned char>(in[i]); };
  const auto continues = [&](size_t i) { return (byte(i) & 0xC0) == 0x80; };
  const size_t size = end - in;
  const uint32_t lead = byte(0);
  *code_point = 0;
  if (lead < 0x80) {
    *code_point = lead;
    return 1;
  }
  if (lead < 0xE0) {
    if (lead < 0xC2 || size < 2 || !continues(1)) return 0;
    *code_point = (lead & 0x1F) << 6 | (byte(1) & 0x3F);
    return 2;
  }
  if (lead < 0xF0) {
    if (size < 3 || !continues(1) || !continues(2)) return 0;
    const uint32_t c = (lead & 0x0F) << 12 | (byte(1) & 0x3F) << 6 | (byte(2) & 0x3F);
    if (c < 0x800 || c - 0xD800 < 0x800) return 0;
    *code_point = c;
    return 3;
  }
  if (lead > 0xF4 || size < 4 || !continues(1) || !continues(2) || !continues(3)) return 0;
  const uint32_t c =
      (lead & 0x07) << 18 | (byte(1) & 0x3F) << 12 | (byte(2) & 0x3F) << 6 | (byte(3) & 0x3F);
  if (c < 0x10000 || c > kMaxCodePoint) return 0;
  *code_point = c;
  return 4;
}

// Of a text's character at a place. REQUIRES: at < text.size().
inline size_t DecodeUtf8(std::string_view text, size_t at, uint32_t* code_point) {
  return DecodeUtf8(text.data() + at, text.data() + text.size(), code_point);
}

// The code point of a text's first character; 0 where there is none.
inline uint32_t FirstPoint(std::string_view text) {
  uint32_t c = 0;
  if (!text.empty()) DecodeUtf8(text, 0, &c);
  return c;
}

// Writes a valid code point, returns the end.
inline char* EncodeUtf8(uint32_t c, char* out) {
  if (c < 0x80) {
    *out++ = static_cast<char>(c);
  } else if (c < 0x800) {
    *out++ = static_cast<char>(0xC0 | c >> 6);
    *out++ = static_cast<char>(0x80 | (c & 0x3F));
  } else if (c < 0x10000) {
    *out++ = static_cast<char>(0xE0 | c >> 12);
    *out++ = static_cast<char>(0x80 | (c >> 6 & 0x3F));
    *out++ = static_cast<char>(0x80 | (c & 0x3F));
  } else {
    *out++ = static_cast<char>(0xF0 | c >> 18);
    *out++ = static_cast<char>(0x80 | (c >> 12 & 0x3F));
    *out++ = static_cast<char>(0x80 | (c >> 6 & 0x3F));
    *out++ = static_cast<char>(0x80 | (c & 0x3F));
  }
  return out;
}

// White space, as SentencePiece has it.
constexpr bool IsBlankPoint(int32_t c) {
  return (c >= 9 && c <= 13) || c == ' ' || c == 0x85 || c == 0xA0 || c == 0x1680 ||
         (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 || c == 0x202F || c == 0x205F ||
         c == 0x3000;
}

// A full stop and the like, of Latin, Armenian, Arabic, Urdu, Indic, Tibetan, Burmese, Ethiopic,
// Khmer and East Asian texts. Not what some of these have for a comma.
constexpr bool EndsSentence(uint32_t c) {
  constexpr uint32_t kEnds[] = {'.',    '!',    '?',    0x0589, 0x061F, 0x06D4, 0x0964,
                                0x0965, 0x0F0D, 0x0F0E, 0x104B, 0x1362, 0x1367, 0x1368,
                                0x17D4, 0x17D5, 0x3002, 0xFF01, 0xFF0E, 0xFF1F, 0xFF61};
  return std::find(std::begin(kEnds), std::end(kEnds), c) != std::end(kEnds);
}

// Whether the byte is one of a character but the first.
constexpr bool IsInCharacter(char byte) {
  return (byte & 0xC0) == 0x80;
}
// How many characters a text has, where it is UTF-8.
inline size_t CharacterCount(std::string_view text) {
  return text.size() - static_cast<size_t>(std::count_if(text.begin(), text.end(), IsInCharacter));
}
// Replaces *starts by where each of them begins, and the text's end.
inline void FindCharacters(std::string_view text, std::vector<size_t>* starts) {
  starts->clear();
  for (size_t i = 0; i < text.size(); i++) {
    if (!IsInCharacter(text[i])) starts->push_back(i);
  }
  starts->push_back(text.size());
}

// A text's characters; U+FFFD for each byte that is not UTF-8.
inline std::vector<int32_t> DecodePoints(std::string_view text) {
  std::vector<int32_t> points;
  points.reserve(text.size());
  for (size_t at = 0; at < text.size();) {
    uint32_t c = 0;
    const size_t size = DecodeUtf8(text, at, &c);
    points.push_back(size == 0 ? 0xFFFD : static_cast<int32_t>(c));
    at += size == 0 ? 1 : size;
  }
  return points;
}

inline void AppendPoint(int32_t c, std::string* bytes) {
  char utf8[kMaxUtf8Bytes];
  bytes->append(utf8, EncodeUtf8(static_cast<uint32_t>(c), utf8));
}

// The bytes of these characters.
inline std::string EncodePoints(const std::vector<int32_t>& points) {
  std::string bytes;
  for (const int32_t c : points) AppendPoint(c, &bytes);
  return bytes;
}

// As JSON and programs can have it: each byte that is not UTF-8 becomes U+FFFD.
inline std::string ValidUtf8(std::string_view text) {
  return EncodePoints(DecodePoints(text));
}

inline constexpr char LowerAscii(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
}

inline std::string LowerAscii(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = LowerAscii(c);
  return lower;
}

// Without white space of ASCII around it.
inline std::string_view Trimmed(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n\f\v";
  text.remove_prefix(std::min(text.find_first_not_of(kSpace), text.size()));
  return text.substr(0, text.find_last_not_of(kSpace) + 1);
}

// Whether two names are one for SQLite, which ignores the case of ASCII letters.
inline bool IsSameName(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char one, char other) { return LowerAscii(one) == LowerAscii(other); });
}

// Replaces `from` by `to` wherever it stands. REQUIRES: from is not empty.
inline void ReplaceAll(std::string_view from, std::string_view to, std::string* text) {
  std::string replaced;
  size_t begin = 0;
  for (size_t at; (at = text->find(from, begin)) != text->npos; begin = at + from.size())
    (replaced += std::string_view(*text).substr(begin, at - begin)) += to;
  if (begin == 0) return;
  replaced += std::string_view(*text).substr(begin);
  *text = std::move(replaced);
}

// What stands between the separators.
inline std::vector<std::string_view> SplitAt(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    const size_t end = std::min(text.find(separator), text.size());
    parts.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

}  // namespace s2v
