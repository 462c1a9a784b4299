#include "core/text/tokenizer.h"

#include <array>

namespace s2v {

const Tokenizer& GetUnicodeTokenizer();     // unicode_tokenizer.cc
const Tokenizer& GetWhitespaceTokenizer();  // whitespace_tokenizer.cc

std::span<const Tokenizer* const> AllTokenizers() {
  static const std::array<const Tokenizer*, 2> all = {&GetUnicodeTokenizer(),
                                                      &GetWhitespaceTokenizer()};
  return all;
}

const Tokenizer* FindTokenizer(std::string_view name) {
  for (const Tokenizer* tokenizer : AllTokenizers()) {
    if (tokenizer->name() == name) return tokenizer;
  }
  return nullptr;
}

}  // namespace s2v
