// The list of profiles, and the simple one.
//
// The tokenizer profile `whitespace`, version 1: for text that was cut into tokens already.
//
// 1. A token is a longest run of bytes other than ASCII white space (space, \t, \n, \v, \f, \r) and
//    NUL.
// 2. Its bytes are kept as they are: case, punctuation, invalid UTF-8. Other spaces, such as
//    U+00A0, do not separate.
// 3. A token of more than 65535 bytes becomes pieces of 65535 bytes and a rest.
#include "core/text/tokenizer.h"

#include <array>

#include "core/text/subword_tokenizer.h"

namespace s2v {

const Tokenizer& GetEnglishTokenizer();  // english_tokenizer.cc
const Tokenizer& GetUnicodeTokenizer();  // unicode_tokenizer.cc
const Tokenizer& GetPtbTokenizer();      // authors_tokenizers.cc
const Tokenizer& GetTweetTokenizer();    // authors_tokenizers.cc

namespace {

constexpr size_t kMaxPlainTokenBytes = 65535;

constexpr std::array<bool, 256> MakeSeparators() {
  std::array<bool, 256> separators{};
  for (unsigned char c : {' ', '\t', '\n', '\v', '\f', '\r', '\0'}) separators[c] = true;
  return separators;
}
constexpr std::array<bool, 256> kIsSeparator = MakeSeparators();

class WhitespaceTokenizer final : public Tokenizer {
 public:
  std::string_view name() const override { return "whitespace"; }
  int version() const override { return 1; }
  std::string_view description() const override {
    return "text already cut into tokens: splits at ASCII white space and keeps every other byte";
  }

  void Tokenize(std::string_view text, Tokens* tokens) const override {
    tokens->Clear();
    std::string& bytes = tokens->bytes();
    bytes.resize(text.size());
    char* const begin = bytes.data();
    char* out = begin;
    char* token = begin;
    for (const char c : text) {
      if (kIsSeparator[static_cast<unsigned char>(c)]) {
        EndToken(begin, token, out, tokens);
        token = out;
      } else {
        *out++ = c;
      }
    }
    EndToken(begin, token, out, tokens);
    bytes.resize(out - begin);
  }

 private:
  static void EndToken(const char* begin, const char* token, const char* end, Tokens* tokens) {
    while (static_cast<size_t>(end - token) > kMaxPlainTokenBytes) {
      token += kMaxPlainTokenBytes;
      tokens->EndTokenAt(token - begin);
    }
    tokens->EndTokenAt(end - begin);
  }
};

}  // namespace

std::span<const Tokenizer* const> AllTokenizers() {
  static const WhitespaceTokenizer whitespace;
  static const std::array<const Tokenizer*, 5> all = {&GetEnglishTokenizer(),
                                                      &GetUnicodeTokenizer(), &whitespace,
                                                      &GetPtbTokenizer(), &GetTweetTokenizer()};
  return all;
}

const Tokenizer* FindTokenizer(std::string_view name) {
  for (const Tokenizer* tokenizer : AllTokenizers()) {
    if (tokenizer->name() == name) return tokenizer;
  }
  return FindImportedTokenizer(name);
}

}  // namespace s2v
