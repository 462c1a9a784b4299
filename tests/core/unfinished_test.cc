#include "core/text/unfinished.h"

#include <doctest/doctest.h>

namespace s2v {
namespace {

// The likely ones, then the guesses.
std::string HangulText(std::string_view run) {
  const HangulForms forms = FormsOfHangul(run);
  std::string shown;
  for (const auto& [first, end] : forms.likely) shown += first + "-" + end + " ";
  shown += "|";
  for (const auto& [first, end] : forms.guesses) shown += " " + first + "-" + end;
  return shown;
}

TEST_CASE("a syllable of Hangul gets a last consonant, or gives it to the next one") {
  CHECK(HangulText("무서") == "무서-무세 |");
  CHECK(HangulText("뭇") == "뭇-뭈 | 무사-무싸");
  CHECK(HangulText("자전") == "자전-자젅 | 저나-저다");
  // of two consonants the second one
  CHECK(HangulText("닭") == "닭-닮 | 달가-달까");
  CHECK(HangulText("갋") == "갋-갌 | 갈바-갈빠");
  // an open one alone is a word; half of a vowel
  CHECK(HangulText("테") == "| 텍-텨");
  CHECK(HangulText("국호") == "국호-국화 | 국화-국효");
  CHECK(HangulText("가힣") == "가힣-가\xED\x9E\xA4 | 히하-히\xED\x9E\xA4");
  for (const char* other : {"", "a", "ไทย", "무a", "ㅁ"}) CHECK(FormsOfHangul(other).is_empty());
}

TEST_CASE("other spellings of what is typed") {
  CHECK(WithAnusvaraAtEnd("हिन्") == "हिं");
  CHECK(WithAnusvaraAtEnd("मुम") == "मुं");
  for (const char* same : {"", "म", "हिंदी", "मुम्ब", "men", "न्"})
    CHECK(WithAnusvaraAtEnd(same) == same);
  CHECK(WithUmlauts("muell") == "müll");
  CHECK(WithUmlauts("feuerloescher fuer maeuse quelle geoeffnet") ==
        "feuerlöscher für mäuse quelle geöffnet");
  CHECK(WithUmlauts("elch") == "elch");
}

}  // namespace
}  // namespace s2v
