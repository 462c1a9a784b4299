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
#include "core/text/text_format.h"

namespace s2v {

void CutEnglish(std::string_view text, Tokens* tokens);  // english_tokenizer.cc
void CutEnglish2(std::string_view text, Tokens* tokens);  // by version 2, as the next by 1
void CutEnglish1(std::string_view text, Tokens* tokens);
void CutEnglishTerms(std::string_view text, bool with_parts, Tokens* terms);
void CutEnglishTerms5(std::string_view text, bool with_parts, Tokens* terms);
void CutEnglishTerms4(std::string_view text, bool with_parts, Tokens* terms);
void CutEnglishTerms3(std::string_view text, bool with_parts, Tokens* terms);
void CutEnglishTerms2(std::string_view text, bool with_parts, Tokens* terms);
void CutEnglishTerms1(std::string_view text, bool with_parts, Tokens* terms);
void CutUnicode(std::string_view text, Tokens* tokens);  // unicode_tokenizer.cc
void CutPtb(std::string_view text, Tokens* tokens);      // authors_tokenizers.cc
void CutTweet(std::string_view text, Tokens* tokens);    // authors_tokenizers.cc

const Tokenizer* FindFormatTokenizer(std::string_view name);  // text_format.cc

namespace {

constexpr size_t kMaxPlainTokenBytes = 65535;

void CutWhitespace(std::string_view text, Tokens* tokens) {
  tokens->Clear();
  tokens->bytes().resize(text.size());
  char* const bytes = tokens->bytes().data();
  size_t token = 0, end = 0;
  const auto end_token = [&] {
    while (end - token > kMaxPlainTokenBytes) tokens->EndTokenAt(token += kMaxPlainTokenBytes);
    tokens->EndTokenAt(token = end);
  };
  for (const char c : text) {
    if (c == ' ' || c == '\0' || (c >= '\t' && c <= '\r')) {
      end_token();
    } else {
      bytes[end++] = c;
    }
  }
  end_token();
  tokens->bytes().resize(end);
}

}  // namespace

std::span<const Tokenizer> AllTokenizers() {
  // Never destroyed: a thread of the host may still cut texts while the program ends.
  static const auto& english1 = *new Tokenizer("english", 1, CutEnglish1, CutEnglishTerms1);
  static const auto& english2 = *new Tokenizer("english", 2, CutEnglish2, CutEnglishTerms2, &english1);
  static const auto& english3 = *new Tokenizer("english", 3, CutEnglish, CutEnglishTerms3, &english2);
  static const auto& english4 = *new Tokenizer("english", 4, CutEnglish, CutEnglishTerms4, &english3);
  static const auto& english5 = *new Tokenizer("english", 5, CutEnglish, CutEnglishTerms5, &english4);
  static const auto& all = *new std::array{
      Tokenizer("english", 6, CutEnglish, CutEnglishTerms, &english5),
      Tokenizer("unicode", 1, CutUnicode),
      Tokenizer("whitespace", 1, CutWhitespace),
      Tokenizer("ptb", 1, CutPtb),
      Tokenizer("tweet", 1, CutTweet),
  };
  return all;
}

const Tokenizer* FindTokenizer(std::string_view name) {
  if (name.find(':') != name.npos || FindTextFormat(name) != nullptr) return FindFormatTokenizer(name);
  for (const Tokenizer& tokenizer : AllTokenizers()) {
    if (tokenizer.name() == name) return &tokenizer;
  }
  const Tokenizer* of_language = FindLanguageTokenizer(name);
  return of_language != nullptr ? of_language : FindImportedTokenizer(name);
}

const Tokenizer* FindTokenizer(std::string_view name, int64_t version) {
  const Tokenizer* tokenizer = FindTokenizer(name);
  while (version != 0 && tokenizer != nullptr && tokenizer->version() != version) tokenizer = tokenizer->former();
  return tokenizer;
}

}  // namespace s2v
