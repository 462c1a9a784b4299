#include <algorithm>
#include <cstring>
#include <string>
#include <string_view>

#include "core/text/unicode_chars.h"

namespace s2v {
namespace {

constexpr size_t kMaxMarks = 30;

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

  // Writes the last base again, with the marks at in_.
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

void NormalizeUnicode(std::string_view text, std::string* bytes) {
  Normalizer(text, bytes).Run();
}

}  // namespace s2v
