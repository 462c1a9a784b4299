// Text that is HTML, Markdown or JSON: what of it is text. A step before a tokenizer profile, and a
// part of its name.
//
//   FindTokenizer("html:english")->Tokenize("<p>caf&eacute; <a href='/menu'>prices</a></p>", &tokens);   // cafe price
//   FindTextFormat("html")->make_plain("5 &lt; 6<br>ok", /*version=*/2, &plain);                          // "5 < 6\nok"
//
// Rules: html_text.cc, markdown_text.cc, json_text.cc, each at its head; a change of what they give
// is a new version. A text that has no markup stays as it is, so that questions go through the same
// rules. All take time in proportion to the text, but for brackets of Markdown that do not close, and are
// never an error.
//
// Thread rule: pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/text/languages.h"

namespace s2v {

struct TextFormat {
  std::string_view name;
  int version;  // of the present rules
  // version: from 1 on, for what was made by former rules.
  void (*make_plain)(std::string_view text, int version, std::string* plain);
  // Whether a text, or the beginning of one, is in this format almost surely.
  bool (*is_written_so)(std::string_view text);
  std::string_view sign;  // what is_written_so looks for, in words
  double least_share;     // of texts that are written so, for a table to be of this format
};

// nullptr where there is none of this name.
const TextFormat* FindTextFormat(std::string_view name);

// The two parts of a profile's name: "html:english" is html and english; "english" is "" and
// english; "html" is html and "".
struct ProfileName {
  std::string_view format, profile;
};
ProfileName SplitProfileName(std::string_view name);

// The profile for a sample of texts, by the format that they have and by their languages. format:
// where it is known.
LanguageGuess GuessProfile(const std::vector<std::string>& texts, std::string_view format = "");

}  // namespace s2v
