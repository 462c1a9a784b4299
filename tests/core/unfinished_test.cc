#include "core/text/unfinished.h"

#include <doctest/doctest.h>

namespace s2v {
namespace {

using Forms = std::vector<std::pair<std::string, std::string>>;

TEST_CASE("a syllable of Hangul gets a last consonant, or gives it to the next one") {
  CHECK(FormsOfHangul("무서") == Forms{{"무서", "무세"}});
  CHECK(FormsOfHangul("뭇") == Forms{{"뭇", "뭈"}, {"무사", "무싸"}});
  CHECK(FormsOfHangul("자전") == Forms{{"자전", "자젅"}, {"저나", "저다"}});
  // of two consonants the second one
  CHECK(FormsOfHangul("닭") == Forms{{"닭", "닮"}, {"달가", "달까"}});
  CHECK(FormsOfHangul("갋") == Forms{{"갋", "갌"}, {"갈바", "갈빠"}});
  // an open one alone is likelier so; half of a vowel
  CHECK(FormsOfHangul("테") == Forms{{"테", "텍"}, {"텍", "텨"}});
  CHECK(FormsOfHangul("국호") == Forms{{"국호", "국화"}, {"국화", "국효"}});
  CHECK(FormsOfHangul("가힣").front().second == std::string("가\xED\x9E\xA4"));
  for (const char* other : {"", "a", "ไทย", "무a", "ㅁ"}) CHECK(FormsOfHangul(other).empty());
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
