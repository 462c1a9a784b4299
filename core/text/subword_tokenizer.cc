#include "core/text/subword_tokenizer.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "core/text/unicode_chars.h"

namespace s2v {
namespace {

constexpr std::string_view kCharacters = "characters(";
constexpr std::string_view kRuleNames[] = {"nmt",   "nfkc",  "clean",   "han",   "accents",
                                           "lower", "punct", "squeeze", "strip", "words",
                                           "whole", "bare",  "unk"};
constexpr int32_t kSpaceMark = 0x2581;
constexpr size_t kMostWordBytes = 65536;

using Points = std::vector<int32_t>;

// As IsPunctuationMark, and _, which is a connector there.
bool IsPunctuationOrLine(int32_t c) {
  return c == '_' || IsPunctuationMark(static_cast<uint32_t>(c));
}

bool IsChinese(int32_t c) {
  return (c >= 0x4E00 && c <= 0x9FFF) || (c >= 0x3400 && c <= 0x4DBF) ||
         (c >= 0x20000 && c <= 0x2A6DF) || (c >= 0x2A700 && c <= 0x2B81F) ||
         (c >= 0x2B920 && c <= 0x2CEAF) || (c >= 0xF900 && c <= 0xFAFF) ||
         (c >= 0x2F800 && c <= 0x2FA1F);
}

// What the rule nmt makes of a character: itself, a space, or -1 for nothing.
int32_t Nmt(int32_t c) {
  if ((c >= 1 && c <= 8) || c == 11 || (c >= 14 && c <= 31) || c == 0x7F || c == 0x8F || c == 0x9F)
    return -1;
  if (c == 9 || c == 10 || c == 12 || c == 13 || c == 0x1680 || (c >= 0x200B && c <= 0x200F) ||
      c == 0x2028 || c == 0x2029 || c == kSpaceMark || c == 0xFEFF || c == 0xFFFD) {
    return ' ';
  }
  return c;
}

// The rule clean, likewise.
int32_t Clean(int32_t c) {
  if (c == 0 || c == 0xFFFD) return -1;
  if (IsBlankPoint(c) && (c < 11 || c == '\r' || (c > 13 && c != 0x85))) return ' ';
  const auto category = utf8proc_get_property(c)->category;
  return category == UTF8PROC_CATEGORY_CC || category == UTF8PROC_CATEGORY_CF ||
                 category == UTF8PROC_CATEGORY_CO
             ? -1
             : c;
}

void Compose(Points* points) {
  std::string utf8(points->size() * kMaxUtf8Bytes, '\0');
  char* end = utf8.data();
  for (const int32_t c : *points) end = EncodeUtf8(static_cast<uint32_t>(c), end);
  constexpr auto kNfkc =
      static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_COMPOSE | UTF8PROC_COMPAT);
  const auto* bytes = reinterpret_cast<const uint8_t*>(utf8.data());
  const ptrdiff_t size = utf8proc_decompose(bytes, end - utf8.data(), nullptr, 0, kNfkc);
  points->resize(static_cast<size_t>(std::max<ptrdiff_t>(size, 0)));
  utf8proc_decompose(bytes, end - utf8.data(), points->data(), size, kNfkc);
  points->resize(static_cast<size_t>(utf8proc_normalize_utf32(points->data(), size, kNfkc)));
}

// The rules from clean to lower.
Points Fold(const Points& points, uint32_t rules) {
  Points folded;
  folded.reserve(points.size());
  for (const int32_t point : points) {
    const int32_t c = (rules & kCleanRule) != 0 ? Clean(point) : point;
    if (c < 0) continue;
    const bool is_apart = (rules & kHanRule) != 0 && IsChinese(c);
    if (is_apart) folded.push_back(' ');
    int32_t parts[4] = {c};
    int boundary = 0;
    ptrdiff_t count = 1;
    if ((rules & kAccentsRule) != 0 && c >= 0x80) {
      count = utf8proc_decompose_char(c, parts, std::size(parts), UTF8PROC_DECOMPOSE, &boundary);
      count = std::remove_if(parts, parts + count,
                             [](int32_t part) {
                               return utf8proc_get_property(part)->category == UTF8PROC_CATEGORY_MN;
                             }) -
              parts;
    }
    for (ptrdiff_t i = 0; i < count; i++) {
      folded.push_back((rules & kLowerRule) != 0 ? utf8proc_tolower(parts[i]) : parts[i]);
      // The one letter whose lower case is two characters.
      if ((rules & kLowerRule) != 0 && parts[i] == 0x130) folded.push_back(0x307);
    }
    if (is_apart) folded.push_back(' ');
  }
  return folded;
}

// The rules punct, squeeze and strip.
Points Space(const Points& points, uint32_t rules) {
  const bool apart = (rules & kPunctuationRule) != 0, squeeze = (rules & kSqueezeRule) != 0;
  Points spaced;
  spaced.reserve(points.size());
  const auto add = [&](int32_t c) {
    if (apart && squeeze && IsBlankPoint(c)) c = ' ';
    if (!squeeze || c != ' ' || spaced.empty() || spaced.back() != ' ') spaced.push_back(c);
  };
  for (const int32_t c : points) {
    const bool is_apart = apart && c < 0x80 && IsPunctuationOrLine(c);
    if (is_apart) add(' ');
    add(c);
    if (is_apart) add(' ');
  }
  while ((rules & kStripRule) != 0 && !spaced.empty() && IsBlankPoint(spaced.back()))
    spaced.pop_back();
  return spaced;
}

class SubwordTokenizer final : public Tokenizer {
 public:
  SubwordTokenizer(PieceKind kind, uint32_t rules)
      : Tokenizer(SubwordName(kind, rules), 1), kind_(kind), rules_(rules) {}
  PieceKind pieces() const override { return kind_; }
  std::string_view unknown_piece() const override {
    if ((rules_ & kUnknownRule) == 0) return "";
    return kind_ == PieceKind::kWordPiece ? "[UNK]" : "<unk>";
  }

  void Tokenize(std::string_view text, Tokens* tokens) const override {
    tokens->Clear();
    Points points = DecodePoints(text);
    if ((rules_ & kNmtRule) != 0) {
      for (int32_t& c : points) c = Nmt(c);
      std::erase(points, -1);
    }
    if ((rules_ & kNfkcRule) != 0) Compose(&points);
    points = Fold(points, rules_);
    if ((rules_ & (kPunctuationRule | kSqueezeRule | kStripRule)) != 0)
      points = Space(points, rules_);
    if (kind_ == PieceKind::kWordPiece) {
      SplitWords(points, tokens);
    } else {
      MarkSpaces(points, tokens);
    }
  }

 private:
  static void SplitWords(const Points& points, Tokens* tokens) {
    size_t begin = 0;  // of the word that is being written, in bytes
    for (const int32_t c : points) {
      const bool is_mark = IsPunctuationOrLine(c);
      if (is_mark || IsBlankPoint(c) || tokens->bytes().size() - begin >= kMostWordBytes) {
        tokens->EndToken();
        begin = tokens->bytes().size();
      }
      if (!IsBlankPoint(c)) AppendPoint(c, &tokens->bytes());
      if (is_mark) tokens->EndToken();
    }
    tokens->EndToken();
  }

  void MarkSpaces(const Points& points, Tokens* tokens) const {
    const bool words = (rules_ & kWordsRule) != 0, whole = (rules_ & kWholeRule) != 0;
    size_t begin = 0;      // of the word that is being written, in bytes
    bool at_start = true;  // of a piece of text that gets a mark
    for (int32_t c : points) {
      if (words && IsBlankPoint(c)) {
        at_start = true;
        continue;
      }
      if (c == ' ') c = kSpaceMark;
      const bool mark = at_start && (rules_ & kBareRule) == 0 && c != kSpaceMark;
      if (mark || at_start || (c == kSpaceMark && !whole) ||
          tokens->bytes().size() - begin >= kMostWordBytes) {
        tokens->EndToken();
        begin = tokens->bytes().size();
      }
      if (mark) AppendPoint(kSpaceMark, &tokens->bytes());
      AppendPoint(c, &tokens->bytes());
      at_start = false;
    }
    tokens->EndToken();
  }

  const PieceKind kind_;
  const uint32_t rules_;
};

// The tokens of another profile.
class CharactersTokenizer final : public Tokenizer {
 public:
  CharactersTokenizer(std::string_view name, const Tokenizer& words, CharacterLengths lengths)
      : Tokenizer(name, words.version()), words_(words), lengths_(lengths) {
    if (words.former() != nullptr)
      former_ = std::make_unique<CharactersTokenizer>(name, *words.former(), lengths);
  }
  void Tokenize(std::string_view text, Tokens* tokens) const override {
    words_.Tokenize(text, tokens);
  }
  CharacterLengths characters() const override { return lengths_; }
  ReadingRules reading() const override { return words_.reading(); }

 private:
  const Tokenizer& words_;
  const CharacterLengths lengths_;
};

std::unique_ptr<const Tokenizer> MakeCharacters(std::string_view name) {
  CharacterLengths lengths;
  const size_t open = name.find('('), first = name.find(','), second = name.find(',', first + 1);
  if (second == std::string_view::npos || !name.ends_with(')')) return nullptr;
  std::from_chars(name.data() + open + 1, name.data() + first, lengths.least);
  std::from_chars(name.data() + first + 1, name.data() + second, lengths.most);
  const std::string_view inner = NameOfCutter(name);
  if (inner.find('(') != inner.npos)
    return nullptr;  // nor is it looked up: names within one another may go as deep as a file says
  const Tokenizer* words = FindTokenizer(inner);
  const bool is_plain =
      words != nullptr && words->pieces() == PieceKind::kNone && words->characters().most == 0;
  if (!is_plain || CharactersName(lengths, words->name()) != name || lengths.least < 1 ||
      lengths.most < lengths.least || lengths.most > kMostNgramCharacters) {
    return nullptr;
  }
  return std::make_unique<CharactersTokenizer>(name, *words, lengths);
}

std::unique_ptr<const Tokenizer> MakeSubword(std::string_view name) {
  const PieceKind kind =
      name.starts_with("wordpiece(") ? PieceKind::kWordPiece : PieceKind::kUnigram;
  uint32_t rules = 0;
  for (size_t at = name.find('('); at < name.size();) {
    const size_t end = name.find_first_of(",)", ++at);
    const auto* rule =
        std::find(std::begin(kRuleNames), std::end(kRuleNames), name.substr(at, end - at));
    if (rule != std::end(kRuleNames)) rules |= 1u << (rule - kRuleNames);
    at = end;
  }
  if (SubwordName(kind, rules) != name) return nullptr;
  return std::make_unique<SubwordTokenizer>(kind, rules);
}

}  // namespace

std::string CharactersName(CharacterLengths lengths, std::string_view words) {
  return std::string(kCharacters) + std::to_string(lengths.least) + "," +
         std::to_string(lengths.most) + "," + std::string(words) + ")";
}

std::string_view NameOfCutter(std::string_view name) {
  const size_t second = name.find(',', name.find(',') + 1);
  const bool has_lengths =
      name.starts_with(kCharacters) && second != name.npos && name.ends_with(')');
  return has_lengths ? name.substr(second + 1, name.size() - second - 2) : name;
}

std::string SubwordName(PieceKind kind, uint32_t rules) {
  std::string names;
  for (size_t i = 0; i < std::size(kRuleNames); i++) {
    if ((rules >> i & 1) != 0) names += (names.empty() ? "" : ",") + std::string(kRuleNames[i]);
  }
  return (kind == PieceKind::kWordPiece ? "wordpiece(" : "unigram(") + names + ")";
}

const Tokenizer* FindImportedTokenizer(std::string_view name) {
  // Never destroyed, as the other profiles: whoever found one keeps it. There are as many as names
  // that somebody gives.
  static auto& mutex = *new std::mutex;
  static auto& known = *new std::map<std::string, std::unique_ptr<const Tokenizer>, std::less<>>();
  const std::scoped_lock lock(mutex);
  const auto found = known.find(name);
  if (found != known.end()) return found->second.get();
  auto made = name.starts_with(kCharacters) ? MakeCharacters(name) : MakeSubword(name);
  if (made == nullptr) return nullptr;
  return known.emplace(name, std::move(made)).first->second.get();
}

}  // namespace s2v
