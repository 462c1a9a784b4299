// The characters of the `unicode` tokenizer: what normalising makes of a character (its fate) and
// what it is to the cutting of tokens (its kind). The rules are in
// unicode_tokenizer.cc. Categories, case and composition come from utf8proc, which only files of
// core/text call.
//
// Thread rule: the table fills itself in blocks, without locks; any thread may read it.
#pragma once

#include <utf8proc.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>

#include "core/text/utf8.h"

namespace s2v {

// What cutting does with a character. Word characters are kLetter, kDigit, kConnector and kMark.
enum class CharKind : uint8_t {
  kSpace,        // separates
  kLetter,       // L*, Nl of scripts that separate words
  kDigit,        // Nd
  kConnector,    // Pc, such as _
  kMark,         // M*, conjoining vowels and finals of Hangul: never apart from what is before
  kPunctuation,  // ASCII only: runs of one character are one token
  kSingle,       // a token of its own: symbols, other punctuation
  kUnspaced,     // a letter of a script without spaces between words: Han, kana, Thai ...
  kRegional,     // half a flag
};

constexpr bool IsWordKind(CharKind kind) {
  return kind == CharKind::kLetter || kind == CharKind::kDigit || kind == CharKind::kConnector ||
         kind == CharKind::kMark;
}

// What normalising does with a character.
enum class CharFate : uint8_t {
  kKeep,      // becomes `mapped`
  kVanish,    // becomes nothing
  kSeparate,  // becomes a space
  kMark,      // is composed with the characters before it
  kExpand,    // becomes several characters
};

struct CharEntry {
  // The ordinary form of the character; for kKeep in lower case.
  uint32_t mapped;
  CharFate fate;
  CharKind kind;  // of `mapped`
};

inline constexpr auto kAsciiKinds = [] {
  std::array<CharKind, 128> kinds{};
  for (uint32_t c = 0; c < 128; ++c) {
    kinds[c] = c <= ' ' || c == 0x7F ? CharKind::kSpace
               : IsAsciiLetter(c)    ? CharKind::kLetter
               : c - '0' < 10        ? CharKind::kDigit
               : c == '_'            ? CharKind::kConnector
                                     : CharKind::kPunctuation;
  }
  return kinds;
}();

// Letters of scripts written without spaces between words; assigned blocks of Unicode 15.
inline bool IsUnspacedScript(uint32_t c) {
  static constexpr struct {
    uint32_t first, last;
  } kRanges[] = {
      {0x0E00, 0x0EFF},    // Thai, Lao
      {0x1000, 0x109F},    // Myanmar
      {0x1780, 0x17FF},    // Khmer
      {0x1950, 0x19FF},    // Tai Le, New Tai Lue, Khmer symbols
      {0x1A20, 0x1AAF},    // Tai Tham
      {0x2E80, 0x2FDF},    // Han radicals
      {0x3005, 0x303B},    // Han iteration marks and numerals
      {0x3041, 0x30FF},    // Hiragana, Katakana
      {0x31F0, 0x31FF},    // Katakana extensions
      {0x3400, 0x4DBF},    // Han extension A
      {0x4E00, 0x9FFF},    // Han
      {0xA9E0, 0xA9FF},    // Myanmar extended B
      {0xAA60, 0xAADF},    // Myanmar extended A, Tai Viet
      {0xF900, 0xFAFF},    // Han compatibility ideographs
      {0x1AFF0, 0x1B16F},  // Kana extensions
      {0x20000, 0x3FFFF},  // Han, planes 2 and 3
  };
  for (const auto& range : kRanges) {
    if (c <= range.last) return c >= range.first;
  }
  return false;
}

// Scripts whose words stand beside other letters and digits without a blank, because what other
// languages write as a word of its own is put to them: AI를, בAI, الـAI, 2024년.
enum class AttachingScript : uint8_t { kNone, kHangul, kHebrew, kArabic };
inline AttachingScript AttachingScriptOf(uint32_t c) {
  using enum AttachingScript;
  static constexpr struct {
    uint32_t first, last;
    AttachingScript script;
  } kRanges[] = {
      {0x0590, 0x05FF, kHebrew}, {0x0600, 0x065F, kArabic}, {0x0660, 0x0669, kNone},  // digits
      {0x066A, 0x06EF, kArabic}, {0x06F0, 0x06F9, kNone},                             // digits
      {0x06FA, 0x06FF, kArabic}, {0x0750, 0x077F, kArabic}, {0x08A0, 0x08FF, kArabic},
      {0x1100, 0x11FF, kHangul}, {0xA960, 0xA97F, kHangul}, {0xAC00, 0xD7FF, kHangul},
      {0xFB1D, 0xFB4F, kHebrew}, {0xFB50, 0xFDFF, kArabic}, {0xFE70, 0xFEFF, kArabic},
  };
  for (const auto& range : kRanges) {
    if (c <= range.last) return c >= range.first ? range.script : kNone;
  }
  return kNone;
}

inline CharKind KindOf(uint32_t c) {
  if (c < 0x80) return kAsciiKinds[c];
  const utf8proc_property_t* property = utf8proc_get_property(static_cast<int32_t>(c));
  const auto boundary = property->boundclass;
  if (boundary == UTF8PROC_BOUNDCLASS_REGIONAL_INDICATOR) return CharKind::kRegional;
  if (boundary == UTF8PROC_BOUNDCLASS_V || boundary == UTF8PROC_BOUNDCLASS_T)
    return CharKind::kMark;
  // In the order of utf8proc's constants, which are its interface.
  const auto category = property->category;
  const auto is_from = [&](int first, int last) { return category >= first && category <= last; };
  if (is_from(UTF8PROC_CATEGORY_LU, UTF8PROC_CATEGORY_LO) || category == UTF8PROC_CATEGORY_NL) {
    return IsUnspacedScript(c) ? CharKind::kUnspaced : CharKind::kLetter;
  }
  if (is_from(UTF8PROC_CATEGORY_MN, UTF8PROC_CATEGORY_ME)) return CharKind::kMark;
  if (category == UTF8PROC_CATEGORY_ND) return CharKind::kDigit;
  if (category == UTF8PROC_CATEGORY_PC) return CharKind::kConnector;
  if (is_from(UTF8PROC_CATEGORY_ZS, UTF8PROC_CATEGORY_CS)) return CharKind::kSpace;
  // Private use and unassigned too: symbols of a later Unicode stay tokens.
  return CharKind::kSingle;
}

// Punctuation of any script; quotation marks and dashes among it.
inline bool IsPunctuationMark(uint32_t c) {
  if (c < 0x80) return kAsciiKinds[c] == CharKind::kPunctuation;
  const auto category = utf8proc_category(static_cast<int32_t>(c));
  return category >= UTF8PROC_CATEGORY_PC && category <= UTF8PROC_CATEGORY_PO;
}
// By the first character. REQUIRES: token is not empty.
inline bool IsPunctuation(std::string_view token) {
  return IsPunctuationMark(FirstPoint(token));
}

// What the table holds for a character; unicode_normalizer.cc.
CharEntry DescribeChar(uint32_t c);

class CharTable {
 public:
  // Throws std::bad_alloc. REQUIRES: c <= kMaxCodePoint.
  CharEntry operator[](uint32_t c) {
    const Block* block = blocks_[c / kBlockSize].load(std::memory_order_acquire);
    if (block == nullptr) [[unlikely]]
      block = Fill(c / kBlockSize);
    return (*block)[c % kBlockSize];
  }

 private:
  static constexpr uint32_t kBlockSize = 256;
  using Block = std::array<CharEntry, kBlockSize>;

  const Block* Fill(uint32_t index) {
    auto block = std::make_unique<Block>();
    for (uint32_t i = 0; i < kBlockSize; ++i) (*block)[i] = DescribeChar(index * kBlockSize + i);
    const Block* expected = nullptr;
    if (!blocks_[index].compare_exchange_strong(expected, block.get(), std::memory_order_acq_rel)) {
      return expected;  // another thread was first
    }
    return block.release();
  }

  std::array<std::atomic<const Block*>, (kMaxCodePoint + 1) / kBlockSize> blocks_{};
};

inline constexpr uint64_t Repeat(uint8_t byte) {
  return 0x0101010101010101u * byte;
}

// The high bit of every byte that is in [first, last]. REQUIRES: bytes below 0x80.
inline constexpr uint64_t InRange(uint64_t bytes, uint8_t first, uint8_t last) {
  return (bytes + Repeat(0x80 - first)) & ~(bytes + Repeat(0x7F - last)) & Repeat(0x80);
}

// Never destroyed, nor are its blocks: a thread that is still running when the program ends, in a
// detached worker of the host, may read it.
inline CharTable char_table;
static_assert(std::is_trivially_destructible_v<CharTable>);

// Appends the normalised text to *bytes: valid UTF-8 whatever text is.
void NormalizeUnicode(std::string_view text, std::string* bytes);

class Tokens;
// The tokens of `unicode`, and those of texts whose words other profiles cut further:
// unicode_tokenizer.cc.
void CutUnicode(std::string_view text, Tokens* tokens);
void CutRuns(std::string_view text, bool parts_scripts, Tokens* tokens);

}  // namespace s2v
