// Part A of the tokenizer profile `unicode`: the same bytes however the characters were written.
// The rules are at the head of unicode_tokenizer.cc.
#ifndef S2V_CORE_TEXT_UNICODE_NORMALIZER_H_
#define S2V_CORE_TEXT_UNICODE_NORMALIZER_H_

#include <string>
#include <string_view>

namespace s2v {

// Appends the normalised text to *bytes: valid UTF-8 whatever text is.
void NormalizeUnicode(std::string_view text, std::string* bytes);

}  // namespace s2v

#endif  // S2V_CORE_TEXT_UNICODE_NORMALIZER_H_
