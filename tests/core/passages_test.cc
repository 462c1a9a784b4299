// How a text is cut into passages: core/text/passages.h.
#include "core/text/passages.h"

#include <doctest/doctest.h>

#include <string>
#include <string_view>

#include "core/random.h"

namespace s2v {
namespace {

constexpr size_t kMany = 1000000;

// The passages with | between them.
std::string Shown(std::string_view text, size_t words, size_t most = kMany,
                  int64_t rules = kPassageRules) {
  std::string shown;
  size_t begin = 0;
  for (const size_t end : CutPassages(text, words, most, rules).ends) {
    shown += (begin == 0 ? "" : "|") + std::string(text.substr(begin, end - begin));
    begin = end;
  }
  CHECK(begin == text.size());
  return shown;
}

TEST_CASE("passages end with sentences or lines, or at a blank") {
  CHECK(Shown("", 3) == "");
  CHECK(Shown("one", 3) == "one");
  CHECK(Shown("one two three", 3) == "one two three");
  CHECK(Shown("one two three four five six", 3) == "one two three |four five six");
  CHECK(Shown("one two. three four five. six seven", 3) == "one two. |three four five. |six seven");
  CHECK(Shown("one two\nthree four five six", 3) == "one two\n|three four five six");
  CHECK(Shown("1.5 e.g. two three four", 2) == "1.5 e.g. |two three |four");
  // A sentence that ends too early is no end, and a tail of less than half a passage has no passage
  // of its own.
  CHECK(Shown("a. b c d e f g h i j", 4) == "a. b c d |e f g h |i j");
  CHECK(Shown("a b c d e f g h i", 4) == "a b c d |e f g h i");
  CHECK(Shown("  one  two  ", 1) == "  one  |two  ");
  CHECK(Shown("... --- !!!", 1) == "... --- !!!");  // no words
}

TEST_CASE(
    "sentences of other scripts end with signs of their own, by the former rules with some of them") {
  struct Case {
    std::string_view end;
    bool was_known;
  };
  // Danda, Arabic, Urdu, Armenian, Ethiopic and Tibetan signs; of Burmese, Khmer and Chinese ones
  // no blank stands behind.
  for (const auto& [end, was_known] :
       {Case{"।", true}, Case{"॥", false}, Case{"؟", true}, Case{"۔", false}, Case{"։", false},
        Case{"።", false}, Case{"།", false}}) {
    const std::string sentence = "a b" + std::string(end) + " c d e f";
    CAPTURE(sentence);
    CHECK(Shown(sentence, 3) == "a b" + std::string(end) + " |c d e f");
    CHECK(Shown(sentence, 3, kMany, 1) ==
          (was_known ? Shown(sentence, 3) : "a b" + std::string(end) + " c |d e f"));
  }
  CHECK(Shown("မြန်မာ။စာကား", 2) == "မြန်မာ။|စာကား");
  CHECK(Shown("ខ្មែរ។ភាសាខ្មែរ", 2).find("។|") != std::string::npos);
  CHECK(Shown("ခဂဃ၊ငစဆဇ", 2) == "ခဂဃ၊င|စဆဇ");  // a comma
  CHECK(Shown("東京都。北区東京都北区", 2, kMany, 1) == Shown("東京都。北区東京都北区", 2));
}

TEST_CASE("what was before a change stays as it was") {
  const std::string text = "one two three four. five six seven eight. nine ten eleven twelve. ";
  CHECK(Shown(text + "thirteen fourteen", 4) ==
        "one two three four. |five six seven eight. |nine ten eleven twelve. |thirteen fourteen");
}

TEST_CASE("scripts without blanks are cut between characters, two of which are a word") {
  CHECK(Shown("東京都北区東京都北区", 2) == "東京都北|区東京都|北区");
  CHECK(Shown("東京都。北区東京都北区", 2) == "東京都。|北区東京|都北区");
  CHECK(Shown("か\u3099か\u3099か\u3099か\u3099", 1) == "か\u3099か\u3099|か\u3099か\u3099");
  CHECK(Shown("서울에서 살아요 그리고", 1) == "서울에서 |살아요 |그리고");
}

TEST_CASE(
    "long words count more, bytes that are not UTF-8 are blanks, and there is a largest number") {
  CHECK(CutPassages(std::string(320, 'x'), 5, kMany, kPassageRules).words == 10);
  CHECK(CutPassages("", 5, kMany, kPassageRules).words == 0);
  CHECK(CutPassages("a b, c!", 5, kMany, kPassageRules).words == 3);
  CHECK(Shown("a\xFF"
              "b\xFF"
              "c",
              1) == "a\xFF|b\xFF|c");
  CHECK(Shown("a b c d", 1, 2) == "a |b c d");
  CHECK(Shown("a b c d", 1, 1) == "a b c d");
  const CutText cut = CutPassages(std::string(1 << 20, ' '), 1, kMany, kPassageRules);
  CHECK(cut.ends == std::vector<size_t>{1 << 20});
}

TEST_CASE(
    "any text: passages join to the text, none is empty or far from its length, no character is cut") {
  const std::string_view pieces[] = {"a ",   "word ", "word ", " ",  "\n",       ". ", "東",
                                     "京。", "\xFF",  "é ",    "1 ", "か\u3099", "-"};
  Random random(7);
  for (int round = 0; round < 2000; round++) {
    std::string text;
    for (uint64_t i = random.Next() % 200; i > 0; i--)
      text += pieces[random.Next() % std::size(pieces)];
    const size_t words = 1 + random.Next() % 20;
    const CutText cut = CutPassages(text, words, kMany, kPassageRules);
    size_t begin = 0, sum = 0;
    for (const size_t end : cut.ends) {
      CHECK((end > begin || text.empty()));
      if (end < text.size()) CHECK((text[end] & 0xC0) != 0x80);
      const size_t count = CutPassages(std::string_view(text).substr(begin, end - begin), kMany,
                                       kMany, kPassageRules)
                               .words;
      CHECK(2 * count <= 3 * words + 2);
      if (cut.ends.size() > 1) CHECK(2 * count + 1 >= words);
      sum += count;
      begin = end;
    }
    CHECK(begin == text.size());
    CHECK(sum + 1 >= cut.words);
  }
}

}  // namespace
}  // namespace s2v
