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

#include "core/text/subword_tokenizer.h"
#include "core/text/text_format.h"
#include "core/text/unicode_chars.h"

namespace s2v {

const Tokenizer* MakeEnglishTokenizer();               // english_tokenizer.cc
void CutPtb(std::string_view text, Tokens* tokens);    // ptb_tokenizer.cc
void CutTweet(std::string_view text, Tokens* tokens);  // tweet_tokenizer.cc

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

std::span<const Tokenizer* const> AllTokenizers() {
  // Never destroyed: a thread of the host may still cut texts while the program ends.
  static const Tokenizer* const all[] = {
      MakeEnglishTokenizer(),
      new Tokenizer("unicode", 1, CutUnicode),
      new Tokenizer("whitespace", 1, CutWhitespace),
      new Tokenizer("ptb", 1, CutPtb),
      new Tokenizer("tweet", 1, CutTweet),
  };
  return all;
}

const Tokenizer* FindTokenizer(std::string_view name) {
  if (name.find('(') != name.npos) return FindImportedTokenizer(name);
  if (name.find(':') != name.npos || FindTextFormat(name) != nullptr)
    return FindFormatTokenizer(name);
  for (const Tokenizer* tokenizer : AllTokenizers()) {
    if (tokenizer->name() == name) return tokenizer;
  }
  return FindLanguageTokenizer(name);
}

const Tokenizer* FindTokenizer(std::string_view name, int64_t version) {
  const Tokenizer* tokenizer = FindTokenizer(name);
  while (version != 0 && tokenizer != nullptr && tokenizer->version() != version)
    tokenizer = tokenizer->former();
  return tokenizer;
}

}  // namespace s2v
