// Where words stand: core/text/word_places.h.
#include "core/text/word_places.h"

#include <doctest/doctest.h>

#include <string>

namespace s2v {
namespace {

// The words with | between them, runs in parentheses.
std::string Shown(std::string_view text, bool parts_scripts = true) {
  std::string shown;
  size_t last = 0;
  for (const WordPlace& word :
       FindWords(text, {.parts_scripts = parts_scripts, .parts_times = true})) {
    CHECK(last <= word.begin);
    CHECK(word.begin < word.end);
    CHECK(word.end <= text.size());
    last = word.end;
    const std::string bytes(text.substr(word.begin, word.end - word.begin));
    shown += (shown.empty() ? "" : "|") + (word.is_run ? "(" + bytes + ")" : bytes);
  }
  return shown;
}

TEST_CASE("words stand where a reader sees them") {
  CHECK(Shown("") == "");
  CHECK(Shown(" .,!") == "");
  CHECK(Shown("Don't pay, 1,000.5 euros.") == "Don't|pay|1,000.5|euros");
  CHECK(Shown("'tis l’eau rock'") == "tis|l’eau|rock");
  CHECK(Shown("C++, c# i.e. .NET a.net snake_case foo#bar") ==
        "C++|c#|i|e|.NET|a|net|snake_case|foo|bar");
  CHECK(Shown("在東京Tokyo都 Haus") == "(在東京)|Tokyo|(都)|Haus");
  CHECK(Shown("서울에서 살") == "(서울에서)|(살)");
  CHECK(Shown("har\u00ADbour\u00AD!") == "har\u00ADbour");
  CHECK(Shown("Cafe\u0301s") == "Cafe\u0301s");
  CHECK(Shown("価格は１，２３４円 ９９．９％ ☀a €5 ½ …") ==
        "(価格は)|１，２３４|(円)|９９．９|☀|a|€|5|½");
  CHECK(Shown("H₂O, 5 µm² born² 10³ ₂ CO₂東₂") == "H₂O|5|µm²|born|²|10|³|₂|CO₂|(東)|₂");
  CHECK(Shown("a\xFFz\xC3") == "a|z");
}

TEST_CASE("words end where the tokenizer ends them between scripts") {
  CHECK(Shown("AI를 2024년 K팝 東京서울") == "AI|(를)|2024|(년)|K|(팝)|(東京)|(서울)");
  CHECK(Shown("בAI الـAI, SQL'을") == "ב|AI|الـ|AI|SQL|(을)");
  CHECK(Shown("AI를 2024년 를AI בAI", false) == "AI를|2024년|(를AI)|בAI");
}

TEST_CASE("no word is longer than a token may be, and no character is cut") {
  const std::string long_word(1000, 'x');
  for (const WordPlace& word : FindWords(long_word, {.parts_scripts = true}))
    CHECK(word.end - word.begin <= kMaxWordBytes);
  std::string letters;
  for (int i = 0; i < 1000; i++) letters += "ж";
  size_t bytes = 0;
  for (const WordPlace& word : FindWords(letters, {.parts_scripts = true})) {
    CHECK((word.end - word.begin) % 2 == 0);
    bytes += word.end - word.begin;
  }
  CHECK(bytes == letters.size());
  CHECK(WholeCharacters("aж", 2) == 1);
  CHECK(WholeCharacters("aж", 3) == 3);
  CHECK(WholeCharacters("aж", 9) == 3);
  CHECK(WholeCharacters("\x80\x80\x80\x80\x80\x80", 5) == 5);
  CHECK(CharacterPlaces("東京\u0301都") == std::vector<size_t>{0, 3, 8, 11});
}

}  // namespace
}  // namespace s2v
