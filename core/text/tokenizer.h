// Tokenizer profiles: bytes in, tokens out.
//
//   const Tokenizer* tokenizer = FindTokenizer("unicode");
//   Tokens tokens;
//   tokenizer->Tokenize("Rate cuts hit lenders.", &tokens);   // rate cuts hit lenders .
//
// A profile's name and version are stored with every model, so that a text is always cut as the
// training text was. A change of what a profile gives for any input is a new version.
//
// Thread rule: a Tokenizer is immutable and shared by all threads; a Tokens belongs to one.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace s2v {

// What a profile keeps between two texts that one thread cuts.
struct TokenScratch {
  virtual ~TokenScratch() = default;
};

// A list of tokens in one buffer that is reused from text to text, so that tokenizing allocates
// nothing once it is warm.
class Tokens {
 public:
  void Clear() {
    bytes_.clear();
    ends_.clear();
    form_bytes_.clear();
    forms_.clear();
  }
  size_t size() const { return ends_.size(); }
  bool empty() const { return ends_.empty(); }
  // Valid until the next change of the list.
  std::string_view operator[](size_t i) const {
    const size_t begin = i == 0 ? 0 : ends_[i - 1];
    return std::string_view(bytes_).substr(begin, ends_[i] - begin);
  }

  // Tokens first .. end-1 with spaces between them.
  std::string Joined(size_t first, size_t end) const {
    std::string joined;
    for (size_t i = first; i < end; i++) {
      if (i > first) joined += ' ';
      joined += (*this)[i];
    }
    return joined;
  }

  // From now on the whole word that a token was cut from is kept beside it, where that is another.
  void KeepForms() { keeps_forms_ = true; }
  struct Form {
    size_t token, end;  // end: in the bytes of all forms
  };
  // By rising token; empty without KeepForms.
  const std::vector<Form>& forms() const { return forms_; }
  // Of forms()[f]. Valid until the next change of the list, as the next.
  std::string_view form_at(size_t f) const {
    const size_t begin = f == 0 ? 0 : forms_[f - 1].end;
    return std::string_view(form_bytes_).substr(begin, forms_[f].end - begin);
  }
  // The word that token i was cut from, or the token itself.
  std::string_view form(size_t i) const {
    const auto at =
        std::lower_bound(forms_.begin(), forms_.end(), i,
                         [](const Form& form, size_t token) { return form.token < token; });
    if (at == forms_.end() || at->token != i) return (*this)[i];
    return form_at(static_cast<size_t>(at - forms_.begin()));
  }

  // A token is built by appending to bytes() and closed by EndToken(); an empty one is ignored.
  std::string& bytes() { return bytes_; }
  void EndToken() { EndTokenAt(bytes_.size()); }
  void Add(std::string_view token) {
    bytes_ += token;
    EndToken();
  }
  // A token that was cut from a whole word.
  void AddCutFrom(std::string_view word, std::string_view token) {
    if (keeps_forms_ && word != token && !token.empty()) {
      form_bytes_ += word;
      forms_.push_back({ends_.size(), form_bytes_.size()});
    }
    Add(token);
  }
  // For a profile that sizes bytes() once and writes through a pointer: closes the token that ends
  // before bytes()[end]. When it is done it cuts bytes() to the end of the last token.
  // REQUIRES: end <= bytes().size(), and not before an earlier end.
  void EndTokenAt(size_t end) {
    if (end > (ends_.empty() ? 0 : ends_.back())) ends_.push_back(end);
  }

  std::unique_ptr<TokenScratch>& scratch() { return scratch_; }

  // Rewrites each token in its place: shorten(char* token, size_t size) returns its new size, at
  // most the old one; a token of size 0 is left out.
  template <typename Rewrite>
  void Shorten(Rewrite shorten) {
    size_t begin = 0, out = 0, kept = 0;
    for (size_t i = 0; i < ends_.size(); i++) {
      const size_t end = ends_[i], form = form_bytes_.size();
      if (keeps_forms_) form_bytes_.append(bytes_, begin, end - begin);
      const size_t size = shorten(bytes_.data() + begin, end - begin);
      if (keeps_forms_ && size > 0 &&
          bytes_.compare(begin, size, form_bytes_, form, end - begin) != 0) {
        forms_.push_back({kept, form_bytes_.size()});
      } else {
        form_bytes_.resize(form);
      }
      std::memmove(bytes_.data() + out, bytes_.data() + begin, size);
      out += size;
      if (size > 0) ends_[kept++] = out;
      begin = end;
    }
    ends_.resize(kept);
    bytes_.resize(out);
  }

 private:
  std::string bytes_;
  std::vector<size_t> ends_;  // of each token, in bytes_
  bool keeps_forms_ = false;
  std::string form_bytes_;
  std::vector<Form> forms_;
  std::unique_ptr<TokenScratch> scratch_;
};

// Whether a model's own words cut the tokens of a profile further (core/embed/pieces.h).
enum class PieceKind : uint8_t { kNone, kWordPiece, kUnigram };

struct CharacterLengths {
  int least = 0, most = 0;
};

// What has to be known of a profile to find its words in a text as they are written (word_places.h,
// letters.h).
struct ReadingRules {
  // words end where letters of an AttachingScript (unicode_chars.h) meet other ones: AI를 is AI and
  // 를
  bool parts_scripts = false;
  bool parts_times = false;    // and at the T and the Z of 2026-01-22T01:02:57Z
  bool has_all_forms = false;  // ħ is h, and ʻ an apostrophe: has_all_forms of plain_letters.h
  bool parts_amounts = false;  // as those of NameRules
};

class Tokenizer {
 public:
  using Function = void(std::string_view text, Tokens* tokens);
  // cut: Tokenize, where that is not overridden.
  Tokenizer(std::string_view name, int version, Function* cut = nullptr)
      : name_(name), version_(version), cut_(cut) {}
  virtual ~Tokenizer() = default;
  const std::string& name() const { return name_; }
  int version() const { return version_; }
  // Replaces *tokens by the tokens of text (UTF-8; invalid bytes are dealt with as the profile's
  // rules say, never an error). Throws only std::bad_alloc.
  virtual void Tokenize(std::string_view text, Tokens* tokens) const { cut_(text, tokens); }
  // The same for the words of an index: tokens, and where with_parts is set the parts of words that
  // the profile knows of, each with kPartMark before it, behind the token that they are parts of.
  virtual void CutTerms(std::string_view text, bool /*with_parts*/, Tokens* terms) const {
    Tokenize(text, terms);
  }
  // Of text in a format (core/text/text_format.h) what is text, which may be in *scratch, and the
  // profile that cuts it; of others all of it, and this.
  virtual std::string_view PlainText(std::string_view text, std::string* /*scratch*/) const {
    return text;
  }
  virtual const Tokenizer& plain() const { return *this; }
  // The profile by the rules that it had before, for what was made with them; nullptr where these
  // are the oldest that are known.
  const Tokenizer* former() const { return former_.get(); }
  virtual ReadingRules reading() const { return {}; }
  // Of several languages that the profile has the one that a text's common words tell; "" where
  // they do not, or it has no several.
  virtual std::string_view LanguageOf(std::string_view /*text*/) const { return ""; }
  // Whether an I of the text is a capital ı, as in Turkish.
  virtual bool HasDotlessI(std::string_view /*text*/) const { return false; }
  virtual PieceKind pieces() const { return PieceKind::kNone; }
  // The piece that counts where the vocabulary has no piece; "" where such characters do not count.
  virtual std::string_view unknown_piece() const { return ""; }
  // Of the n-grams of characters that unknown words are made of; 0 where they are not.
  virtual CharacterLengths characters() const { return {}; }

 protected:
  std::unique_ptr<const Tokenizer> former_;

 private:
  const std::string name_;
  const int version_;
  Function* const cut_;
};

inline constexpr char kPartMark = '\1';  // in no token of a profile that has parts of words
inline bool IsPart(std::string_view term) {
  return term.starts_with(kPartMark);
}
inline void AddPart(std::string_view part, Tokens* terms) {
  terms->bytes() += kPartMark;
  terms->Add(part);
}
inline constexpr std::string_view kNeutralTokenizer = "neutral";

// The profiles that a model can be trained with, `english` first, but for those of other languages.
std::span<const Tokenizer* const> AllTokenizers();
// `neutral`, or the names of languages with a stemmer (core/text/languages.h) with + between them;
// nullptr for any other.
const Tokenizer* FindLanguageTokenizer(std::string_view name);
// Of all these, or of imported models (core/text/subword_tokenizer.h); before the former may stand
// a format, as html:english (core/text/text_format.h). nullptr where there is no such profile.
const Tokenizer* FindTokenizer(std::string_view name);
// By the rules of a version; 0: by the present ones. nullptr too where this library lacks that
// version.
const Tokenizer* FindTokenizer(std::string_view name, int64_t version);

}  // namespace s2v
