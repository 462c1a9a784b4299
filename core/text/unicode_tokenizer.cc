// The tokenizer profile `unicode`, version 1. These rules are its definition; "character" is a
// Unicode code point with the properties that utf8proc gives it (2.8: Unicode 15.0).
//
//   Don't pay €1,000... in Zürich (東京)!   ->   don't pay € 1,000 ... in zürich ( 東 京 ) !
//
// A. The text is normalised. The result is the same however the characters were written.
//  A1. A byte that is not part of valid UTF-8 separates, as white space does. Overlong forms,
//      surrogates, code points beyond U+10FFFF and cut off sequences are not valid.
//  A2. White space, control characters (NUL too), line and paragraph separators, ZERO WIDTH SPACE
//      U+200B, noncharacters and visible format characters (U+0600..) separate.
//  A3. The other default-ignorable characters vanish, as if they had not been written: soft hyphen,
//      joiners, byte order mark, direction marks, variation selectors, tags. So do the skin tones
//      U+1F3FB..1F3FF.
//  A4. U+2018 and U+2019 become ', U+201C and U+201D become ". Full-width and half-width forms
//      become the ordinary character (their <wide> or <narrow> decomposition).
//  A5. The text is put in NFC, lower case (simple mapping, character by character), and NFC again.
//      A character keeps at most 30 marks. Where İ is one character in NFC it becomes i.
//
// B. The normalised text is cut.
//  B1. A word is a longest run of letters (L*, Nl), digits (Nd), marks (M*, and the conjoining
//      vowels and final consonants of Hangul) and connectors (Pc, such as _).
//  B2. ' between two letters, and . or , between two digits, stay inside the word: don't, 3.14,
//      1,000, 127.0.0.1. Marks are skipped in looking back. Elsewhere they are punctuation (B4), so
//      e.g. gives e . g . and 'tis gives ' tis.
//  B3. A letter of a script without spaces between words is a token with its marks: Han, Hiragana,
//      Katakana; Thai, Lao, Khmer, Myanmar and the Tai scripts. There, a Thai vowel that is not a
//      mark is a token too, and a subscript consonant of Khmer is apart from its base.
//  B4. A run of one ASCII punctuation character or symbol is one token, of at most 3 characters:
//      ... stands for every longer run.
//  B5. Every other character is a token: punctuation, symbols, numbers that are not digits (², ½),
//      private use, unassigned. Two regional indicators (a flag) are one token. Marks belong to the
//      token they follow.
//  B6. A token is at most 256 bytes. A longer word becomes several, each as long as it may be
//      without parting a mark from its base. Next to such an end ' . and , are punctuation.
//  B7. A word of more than one character that ends in σ ends in ς.
//
// It follows that tokens are valid UTF-8 without white space, never empty, and that cutting them
// again, joined by spaces, gives the same tokens. The limits of A5 and B6 keep the time linear.
#include "core/text/unicode_tokenizer.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "core/text/tokenizer.h"

namespace s2v {
namespace {

constexpr size_t kMaxTokenBytes = 256;
constexpr size_t kMaxMarks = 30;
constexpr size_t kMaxPunctuationRun = 3;
constexpr size_t kStep = 16;    // bytes that are copied at a time
constexpr size_t kWindow = 64;  // bytes that are classified at a time

CharTable char_table;

constexpr uint64_t Repeat(uint8_t byte) {
  return 0x0101010101010101u * byte;
}

// The high bit of every byte that is in [first, last]. REQUIRES: bytes below 0x80.
constexpr uint64_t InRange(uint64_t bytes, uint8_t first, uint8_t last) {
  return (bytes + Repeat(0x80 - first)) & ~(bytes + Repeat(0x7F - last)) & Repeat(0x80);
}

constexpr char LowerAscii(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
}

// ---- A. Normalising ----

// A base and its marks (A5), with room for their longest decomposition.
class Cluster {
 public:
  void Add(uint32_t c) { utf8_end_ = EncodeUtf8(c, utf8_end_); }

  // NFC, lower case, NFC.
  void Normalize() {
    Compose();
    bool lowered = false;
    for (int32_t* c = points_; c < points_ + size_; ++c) {
      const int32_t lower = utf8proc_tolower(*c);
      lowered |= lower != *c;
      *c = lower;
    }
    if (!lowered) return;
    utf8_end_ = utf8_;
    for (size_t i = 0; i < size_; ++i) Add(points_[i]);
    Compose();
  }
  size_t size() const { return size_; }
  uint32_t operator[](size_t i) const { return static_cast<uint32_t>(points_[i]); }

 private:
  static constexpr size_t kMaxPoints = 4 * (1 + kMaxMarks);  // no NFD is longer than 4

  void Compose() {
    constexpr auto kNfc = static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_COMPOSE);
    const ptrdiff_t decomposed = utf8proc_decompose(reinterpret_cast<const uint8_t*>(utf8_),
                                                    utf8_end_ - utf8_, points_, kMaxPoints, kNfc);
    size_ =
        utf8proc_normalize_utf32(points_, std::clamp<ptrdiff_t>(decomposed, 0, kMaxPoints), kNfc);
  }

  char utf8_[kMaxPoints * kMaxUtf8Bytes];
  char* utf8_end_ = utf8_;
  int32_t points_[kMaxPoints];
  size_t size_ = 0;
};

// The ordinary form (A4).
uint32_t OrdinaryForm(uint32_t c) {
  if (c == 0x2018 || c == 0x2019) return '\'';
  if (c == 0x201C || c == 0x201D) return '"';
  const auto type = utf8proc_get_property(static_cast<int32_t>(c))->decomp_type;
  if (type != UTF8PROC_DECOMP_TYPE_WIDE && type != UTF8PROC_DECOMP_TYPE_NARROW) return c;
  constexpr auto kCompatible = static_cast<utf8proc_option_t>(UTF8PROC_DECOMPOSE | UTF8PROC_COMPAT);
  int32_t form[kMaxUtf8Bytes];
  int boundary = 0;
  const auto size =
      utf8proc_decompose_char(static_cast<int32_t>(c), form, 4, kCompatible, &boundary);
  return size == 1 ? static_cast<uint32_t>(form[0]) : c;
}

// Appends the normalised text to *bytes.
class Normalizer {
 public:
  Normalizer(std::string_view text, std::string* bytes)
      : in_(text.data()), end_(in_ + text.size()), bytes_(bytes) {
    Grow(bytes->size());
  }

  void Run() {
    while (in_ < end_) {
      if (static_cast<signed char>(*in_) >= 0) {
        CopyAscii();
      } else {
        // The room for the rest of the text and one cluster is always there.
        if (static_cast<size_t>(limit_ - out_) < (end_ - in_) + kRoom) Grow(out_ - bytes_->data());
        NormalizeChar();
      }
    }
    bytes_->resize(out_ - bytes_->data());
  }

 private:
  static constexpr size_t kRoom = (2 + kMaxMarks) * kMaxUtf8Bytes;

  void Grow(size_t used) {
    const size_t base = base_out_ == nullptr ? 0 : base_out_ - bytes_->data();
    const size_t rest = end_ - in_;
    bytes_->resize(used + rest + rest / 4 + 2 * kRoom);
    out_ = bytes_->data() + used;
    limit_ = bytes_->data() + bytes_->size();
    if (base_out_ != nullptr) base_out_ = bytes_->data() + base;
  }

  void CopyAscii() {
    for (; end_ - in_ >= 8; in_ += 8, out_ += 8) {
      uint64_t bytes;
      std::memcpy(&bytes, in_, 8);
      if ((bytes & Repeat(0x80)) != 0) break;
      bytes |= InRange(bytes, 'A', 'Z') >> 2;
      std::memcpy(out_, &bytes, 8);
    }
    while (in_ < end_ && static_cast<signed char>(*in_) >= 0) *out_++ = LowerAscii(*in_++);
    SetBase(in_ - 1, out_ - 1);
  }

  void NormalizeChar() {
    uint32_t c;
    const size_t length = DecodeUtf8(in_, end_, &c);
    const CharEntry entry =
        length == 0 ? CharEntry{0, CharFate::kSeparate, CharKind::kSpace} : char_table[c];
    switch (entry.fate) {
      case CharFate::kKeep:
        SetBase(in_, out_);
        out_ = EncodeUtf8(entry.mapped, out_);
        break;
      case CharFate::kVanish:
        break;
      case CharFate::kSeparate:
        *out_++ = ' ';
        SetBase(nullptr, nullptr);
        break;
      case CharFate::kExpand:
        SetBase(in_, out_);
        [[fallthrough]];
      case CharFate::kMark:
        NormalizeCluster();
        return;
    }
    in_ += length == 0 ? 1 : length;
  }

  // Writes the last base again, with the marks that stand at in_.
  void NormalizeCluster() {
    Cluster cluster;
    uint32_t c;
    if (base_in_ != nullptr) {
      const size_t length = DecodeUtf8(base_in_, end_, &c);
      cluster.Add(c < 0x80 ? c : OrdinaryForm(c));
      if (base_in_ == in_) in_ += length;
      out_ = base_out_;
    }
    size_t marks = 0;
    while (in_ < end_) {
      const size_t length = DecodeUtf8(in_, end_, &c);
      if (length == 0) break;
      const CharEntry entry = char_table[c];
      if (entry.fate == CharFate::kMark) {
        if (marks++ < kMaxMarks) cluster.Add(entry.mapped);
      } else if (entry.fate != CharFate::kVanish) {
        break;
      }
      in_ += length;
    }
    cluster.Normalize();
    const size_t most = kMaxMarks + (base_in_ != nullptr);
    for (size_t i = 0; i < cluster.size() && i < most; ++i) out_ = EncodeUtf8(cluster[i], out_);
  }

  void SetBase(const char* in, char* out) {
    base_in_ = in;
    base_out_ = out;
  }

  const char* in_;
  const char* end_;
  std::string* bytes_;
  char* out_ = nullptr;
  char* limit_ = nullptr;
  // The last character that marks can belong to, where it is read and where it was written;
  // nullptr after a separator.
  const char* base_in_ = nullptr;
  char* base_out_ = nullptr;
};

// ---- B. Cutting ----

// Bit i is set where in[i], lower-cased, is an ASCII letter, digit or _.
// REQUIRES: kWindow readable bytes.
uint64_t FindWordBytes(const char* in) {
  uint64_t found = 0;
  for (size_t i = 0; i < kWindow; i += 8) {
    uint64_t bytes;
    std::memcpy(&bytes, in + i, 8);
    if constexpr (std::endian::native == std::endian::big) bytes = __builtin_bswap64(bytes);
    const uint64_t ascii = bytes & Repeat(0x7F);
    const uint64_t words =
        InRange(ascii, 'a', 'z') | InRange(ascii, '0', '9') | InRange(ascii, '_', '_');
    // The multiplication brings the high bits together.
    found |= (((words & ~bytes) >> 7) * 0x0102040810204080u >> 56) << i;
  }
  return found;
}

// What a byte means to Cutter::CutPlainTokens().
struct PlainTraits {
  bool ascii;
  bool starts;  // a plain token
  bool inner;   // may stay inside a word: ' . ,
  bool joins;   // and what may follow it there
};

constexpr std::array<PlainTraits, 256> MakePlainTraits() {
  std::array<PlainTraits, 256> traits{};
  for (size_t c = 0; c < 128; ++c) {
    const CharKind kind = kAsciiKinds[c];
    traits[c] = {true, kind != CharKind::kSpace, c == '\'' || c == '.' || c == ',',
                 kind == CharKind::kLetter || kind == CharKind::kDigit};
  }
  for (size_t c = 128; c < 256; ++c) traits[c] = {false, false, false, true};
  return traits;
}
constexpr std::array<PlainTraits, 256> kPlainTraits = MakePlainTraits();

// Cuts normalised text, which stands in tokens->bytes() between kStep bytes and kWindow NULs.
// Tokens are written to the beginning of that buffer: they are never longer than the text they are
// made of, so that writing stays kStep bytes behind reading.
class Cutter {
 public:
  explicit Cutter(Tokens* tokens)
      : tokens_(tokens),
        begin_(tokens->bytes().data()),
        end_(begin_ + tokens->bytes().size() - kWindow),
        in_(begin_ + kStep),
        out_(begin_) {}

  void Run() {
    while (in_ < end_) {
      CutPlainTokens();
      if (in_ >= end_) break;
      const CharKind kind = PeekKind();
      switch (kind) {
        case CharKind::kSpace:
          ++in_;
          break;
        case CharKind::kLetter:
        case CharKind::kDigit:
        case CharKind::kConnector:
        case CharKind::kMark:
          CutWord();
          break;
        case CharKind::kPunctuation:
          CutPunctuation();
          break;
        case CharKind::kSingle:
        case CharKind::kRegional:
          CopyChar();
          if (kind == CharKind::kRegional && in_ < end_ && PeekKind() == kind) CopyChar();
          EndWithMarks();
          break;
      }
    }
    tokens_->bytes().resize(out_ - begin_);
  }

 private:
  bool AtAscii() const { return static_cast<signed char>(*in_) >= 0; }

  CharKind PeekKind() const { return KindAt(in_); }
  CharKind KindAt(const char* in) const {
    if (static_cast<signed char>(*in) >= 0) return kAsciiKinds[static_cast<unsigned char>(*in)];
    uint32_t c;
    DecodeUtf8(in, end_, &c);
    return char_table[c].kind;
  }

  void CopyChar() {
    do {
      *out_++ = *in_++;
    } while (in_ < end_ && (*in_ & 0xC0) == 0x80);
  }

  void EndToken() { tokens_->EndTokenAt(out_ - begin_); }

  void EndWithMarks() {
    while (in_ < end_ && !AtAscii() && PeekKind() == CharKind::kMark) CopyChar();
    EndToken();
  }

  void CutPunctuation() {
    const char c = *in_;
    const char* const run = in_;
    while (in_ < end_ && *in_ == c) ++in_;
    for (size_t i = 0; i < kMaxPunctuationRun && run + i < in_; ++i) *out_++ = c;
    EndWithMarks();
  }

  // The plain ASCII tokens that stand at in_, nearly all of an English text, with few branches that
  // depend on it: a word or a single punctuation character, before ASCII that cannot belong to it,
  // and perhaps a space.
  void CutPlainTokens() {
    const auto traits = [](char c) { return kPlainTraits[static_cast<unsigned char>(c)]; };
    while (in_ < end_ && AtAscii()) {
      const char* in = in_;
      const char* const last = in + kWindow - kStep - 2;
      char* out = out_;
      uint64_t words = FindWordBytes(in);
      bool is_plain = true;
      while (in < last) {
        const size_t word_size = std::countr_one(words);
        const bool is_word = word_size > 0;
        const size_t size = word_size + !is_word;
        const PlainTraits next = traits(in[size]);
        const bool is_run = !is_word & (in[0] == in[1]);
        const bool is_joined = is_word & next.inner & traits(in[size + 1]).joins;
        is_plain = traits(in[0]).starts & next.ascii & !is_run & !is_joined & (size <= kStep);
        if (!is_plain) break;
        std::memcpy(out, in, kStep);
        out += size;
        tokens_->EndTokenAt(out - begin_);
        const size_t step = size + (in[size] == ' ');
        in += step;
        words >>= step;
      }
      in_ = in;
      out_ = out;
      if (!is_plain) break;
    }
  }

  void CutWord() {
    word_ = out_;
    while (in_ < end_) {
      if (!AtAscii()) {
        if (!CopyWordChar()) break;
      } else if (IsWordKind(PeekKind())) {
        if (Size() == kMaxTokenBytes) CutAt(out_);
        SetLast(out_, PeekKind());
        *out_++ = *in_++;
      } else if (IsInner()) {
        *out_++ = *in_++;
      } else {
        break;
      }
    }
    EndWord(out_);
  }

  // A non-ASCII character; false where it does not belong to a word.
  bool CopyWordChar() {
    const CharKind kind = PeekKind();
    if (!IsWordKind(kind)) return false;
    if (kind != CharKind::kMark || out_ == word_) SetLast(out_, kind);
    CopyChar();
    if (Size() > kMaxTokenBytes) CutAt(last_);
    return true;
  }

  // B2, B6: is the character at in_ inside the word that is being written?
  bool IsInner() const {
    const char c = *in_;
    const CharKind kind = c == '\''              ? CharKind::kLetter
                          : c == '.' || c == ',' ? CharKind::kDigit
                                                 : CharKind::kSpace;
    return last_kind_ == kind && in_ + 1 < end_ && KindAt(in_ + 1) == kind &&
           Size() + 2 <= kMaxTokenBytes;
  }

  size_t Size() const { return out_ - word_; }

  void SetLast(char* last, CharKind kind) {
    last_ = last;
    last_kind_ = kind;
  }

  // Ends the word before `end` and begins the next there.
  void CutAt(char* end) {
    const char before = end[-1];
    if (before == '\'' || before == '.' || before == ',') EndWord(end - 1);
    EndWord(end);
    word_ = end;
  }

  void EndWord(char* end) {
    if (end - word_ > 2 && end[-1] == '\x83' && end[-2] == '\xCF') end[-1] = '\x82';  // B7
    tokens_->EndTokenAt(end - begin_);
  }

  Tokens* const tokens_;
  char* const begin_;
  const char* const end_;
  const char* in_;
  char* out_;
  // The word that is being written: its beginning, its last character that is not a mark.
  char* word_ = nullptr;
  char* last_ = nullptr;
  CharKind last_kind_ = CharKind::kSpace;
};

class UnicodeTokenizer final : public Tokenizer {
 public:
  std::string_view name() const override { return "unicode"; }
  int version() const override { return 1; }
  std::string_view description() const override {
    return "words and numbers in lower case, punctuation apart, each Han or kana character alone; "
           "invalid UTF-8 separates";
  }

  void Tokenize(std::string_view text, Tokens* tokens) const override {
    tokens->Clear();
    std::string& bytes = tokens->bytes();
    bytes.resize(kStep);
    Normalizer(text, &bytes).Run();
    bytes.append(kWindow, '\0');
    Cutter(tokens).Run();
  }
};

}  // namespace

CharEntry DescribeChar(uint32_t c) {
  const utf8proc_property_t* property = utf8proc_get_property(static_cast<int32_t>(c));
  const bool is_noncharacter = (c & 0xFFFE) == 0xFFFE || c - 0xFDD0 < 0x20;
  const bool is_skin_tone = c - 0x1F3FB < 5;
  if (is_noncharacter || c == 0x200B) return {' ', CharFate::kSeparate, CharKind::kSpace};
  if (property->ignorable || is_skin_tone) return {0, CharFate::kVanish, CharKind::kSingle};
  const uint32_t ordinary = OrdinaryForm(c);
  const CharKind kind = KindOf(ordinary);
  if (kind == CharKind::kSpace) return {' ', CharFate::kSeparate, kind};
  if (kind == CharKind::kMark) return {ordinary, CharFate::kMark, kind};
  if (ordinary < 0x80)
    return {static_cast<uint32_t>(LowerAscii(static_cast<char>(ordinary))), CharFate::kKeep, kind};
  Cluster cluster;
  cluster.Add(ordinary);
  cluster.Normalize();
  if (cluster.size() != 1) return {ordinary, CharFate::kExpand, kind};
  return {cluster[0], CharFate::kKeep, KindOf(cluster[0])};
}

const Tokenizer& GetUnicodeTokenizer() {
  static const UnicodeTokenizer instance;
  return instance;
}

}  // namespace s2v
