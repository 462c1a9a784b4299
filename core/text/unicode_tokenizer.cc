// The tokenizer profile `unicode`, version 1. These rules are its definition; "character" is a
// Unicode code point with the properties that utf8proc gives it (2.8: Unicode 15.0).
//
//   Don't pay €1,000... in Zürich (東京)!   ->   don't pay € 1,000 ... in zürich ( 東 京 ) !
//
// A. The text is normalised (unicode_normalizer.cc). The result is the same however the characters
// were written.
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
// B. The normalised text is cut (this file).
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
// CutRuns differs in B3: a run of such letters is one token, of at most 256 bytes and the marks of
// its last character. Where it parts scripts, a word ends where letters of an AttachingScript meet
// other letters, digits or connectors; there ' is punctuation.
//
// It follows that tokens are valid UTF-8 without white space, never empty, and that cutting them
// again, joined by spaces, gives the same tokens. The limits of A5 and B6 keep the time linear.
#include <bit>
#include <cstring>

#include "core/text/tokenizer.h"
#include "core/text/unicode_chars.h"

namespace s2v {
namespace {

constexpr size_t kMaxTokenBytes = 256;
constexpr size_t kMaxPunctuationRun = 3;
constexpr size_t kStep = 16;    // bytes that are copied at a time
constexpr size_t kWindow = 64;  // bytes that are classified at a time

// Bit i is set where in[i], lower-cased, is an ASCII letter, digit or _.
// REQUIRES: kWindow readable bytes.
uint64_t FindWordBytes(const char* in) {
  uint64_t found = 0;
  for (size_t i = 0; i < kWindow; i += 8) {
    uint64_t bytes;
    std::memcpy(&bytes, in + i, 8);
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

constexpr auto kPlainTraits = [] {
  std::array<PlainTraits, 256> traits{};
  for (size_t c = 0; c < 128; ++c) {
    const CharKind kind = kAsciiKinds[c];
    traits[c] = {true, kind != CharKind::kSpace, c == '\'' || c == '.' || c == ',',
                 kind == CharKind::kLetter || kind == CharKind::kDigit};
  }
  for (size_t c = 128; c < 256; ++c) traits[c] = {false, false, false, true};
  return traits;
}();

// Cuts normalised text, which is in tokens->bytes() between kStep bytes and kWindow NULs.
// Tokens are written to the beginning of that buffer: they are never longer than the text they are
// made of, so that writing stays kStep bytes behind reading.
class Cutter {
 public:
  Cutter(Tokens* tokens, bool keeps_runs, bool parts_scripts)
      : tokens_(tokens),
        keeps_runs_(keeps_runs),
        parts_scripts_(parts_scripts),
        begin_(tokens->bytes().data()),
        end_(begin_ + tokens->bytes().size() - kWindow),
        in_(begin_ + kStep),
        out_(begin_) {}

  void Run() {
    while (in_ < end_) {
      CutPlainTokens();
      if (in_ >= end_) break;
      const CharKind kind = PeekKind();
      if (kind == CharKind::kUnspaced && keeps_runs_) {
        CutRun();
      } else if (kind == CharKind::kSingle || kind == CharKind::kUnspaced ||
                 kind == CharKind::kRegional) {
        CopyChar();
        if (kind == CharKind::kRegional && in_ < end_ && PeekKind() == kind) CopyChar();
        EndWithMarks();
      } else if (IsWordKind(kind)) {
        CutWord();
      } else if (kind == CharKind::kPunctuation) {
        CutPunctuation();
      } else {
        ++in_;
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
    } while (in_ < end_ && IsInCharacter(*in_));
  }

  void EndToken() { tokens_->EndTokenAt(out_ - begin_); }

  void EndWithMarks() {
    while (in_ < end_ && !AtAscii() && PeekKind() == CharKind::kMark) CopyChar();
    EndToken();
  }

  void CutRun() {
    word_ = out_;
    for (; in_ < end_ && !AtAscii(); CopyChar()) {
      const CharKind kind = PeekKind();
      if (kind != CharKind::kUnspaced && kind != CharKind::kMark) break;
      if (kind == CharKind::kUnspaced && Size() + kMaxUtf8Bytes > kMaxTokenBytes) break;
    }
    EndToken();
  }

  void CutPunctuation() {
    const char c = *in_;
    const char* const run = in_;
    while (in_ < end_ && *in_ == c) ++in_;
    for (size_t i = 0; i < kMaxPunctuationRun && run + i < in_; ++i) *out_++ = c;
    EndWithMarks();
  }

  // The plain ASCII tokens at in_, nearly all of an English text, with few branches that
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
    script_ = AttachingScript::kNone;
    while (in_ < end_) {
      if (!AtAscii()) {
        if (!CopyWordChar()) break;
      } else if (IsWordKind(PeekKind())) {
        if (Size() == kMaxTokenBytes) CutAt(out_);
        PartFrom(AttachingScript::kNone);
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
    if (parts_scripts_ && kind != CharKind::kMark) {
      uint32_t c;
      DecodeUtf8(in_, end_, &c);
      PartFrom(AttachingScriptOf(c));
    }
    if (kind != CharKind::kMark || out_ == word_) SetLast(out_, kind);
    CopyChar();
    if (Size() > kMaxTokenBytes) CutAt(last_);
    return true;
  }

  // Before a character of the script that is no mark.
  void PartFrom(AttachingScript script) {
    if (script != script_ && out_ > word_ && parts_scripts_) CutAt(out_);
    script_ = script;
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
  const bool keeps_runs_, parts_scripts_;
  char* const begin_;
  const char* const end_;
  const char* in_;
  char* out_;
  // The word that is being written: its script, its beginning, its last character that is not a
  // mark.
  AttachingScript script_ = AttachingScript::kNone;
  char* word_ = nullptr;
  char* last_ = nullptr;
  CharKind last_kind_ = CharKind::kSpace;
};

void Cut(std::string_view text, bool keeps_runs, bool parts_scripts, Tokens* tokens) {
  tokens->Clear();
  std::string& bytes = tokens->bytes();
  bytes.resize(kStep);
  NormalizeUnicode(text, &bytes);
  bytes.append(kWindow, '\0');
  Cutter(tokens, keeps_runs, parts_scripts).Run();
}

}  // namespace

void CutUnicode(std::string_view text, Tokens* tokens) {
  Cut(text, /*keeps_runs=*/false, /*parts_scripts=*/false, tokens);
}

void CutRuns(std::string_view text, bool parts_scripts, Tokens* tokens) {
  Cut(text, /*keeps_runs=*/true, parts_scripts, tokens);
}

}  // namespace s2v
