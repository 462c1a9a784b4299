// What is read of a search field, and words that are nearly alike.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>

#include "core/search/question.h"
#include "core/text/spelling.h"

namespace s2v {
namespace {

constexpr std::array<const char*, 2> kColumnNames = {"title", "body"};

search::ReadQuestion ReadField(std::string_view given) {
  const std::vector<std::string> columns(kColumnNames.begin(), kColumnNames.end());
  return search::ReadSearchField(given, columns);
}

TEST_CASE("what is no syntax stays as it was given, byte for byte") {
  for (const char* given :
       {"", " ", "red fox", "a \"", "\"\"", "a \" \"", "well-known", "C++", "a -", "-- -5", "24\" fox", "foo:bar",
        "title:", "title: fox", "http://a.b/c?d=e&f", "NOT a", "a NOT", "BANK NOT LENDERS", "СНЕГ NOT ДОЖДЬ", "1 NOT 2", "*", "a **", "caf\xc3",
        "\xff\"\xfe", "What is a \"red fox\"?", "Say no to -fox.",
        "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 -seventeen"}) {
    CAPTURE(given);
    const search::ReadQuestion read = ReadField(given);
    CHECK(read.text == given);
    CHECK(read.beginnings.empty());
    CHECK(read.required.empty());
    CHECK(read.excluded.empty());
  }
}

TEST_CASE("NOT excludes where a letter is no capital, in any script") {
  for (const char* given : {"red NOT fox", "RED NOT fox", "снег NOT дождь", "été NOT ÉTÉ", "雪 NOT 雨", "ثلج NOT مطر"}) {
    CAPTURE(given);
    const search::ReadQuestion read = ReadField(given);
    REQUIRE(read.excluded.size() == 1);
    CHECK(std::string(given).ends_with(read.excluded[0].words));
    CHECK(read.text.find("NOT") == std::string::npos);
  }
}

TEST_CASE("quotations, exclusions, columns and beginnings are read") {
  const search::ReadQuestion read =
      ReadField("\"red fox\" TITLE:old -body:\"a b\" NOT tree -well-known sle*");
  REQUIRE(read.required.size() == 2);
  CHECK(read.required[0].words == "red fox");
  CHECK(read.required[1].words == "old");
  CHECK(read.required[1].columns == std::vector<size_t>{0});
  REQUIRE(read.excluded.size() == 3);
  CHECK(read.excluded[0].words == "a b");
  CHECK(read.excluded[0].columns == std::vector<size_t>{1});
  CHECK(read.excluded[1].words == "tree");
  CHECK(read.excluded[2].words == "well-known");
  CHECK(read.beginnings == std::vector<std::string>{"sle"});
  CHECK(read.text.find("red fox") != std::string::npos);
  CHECK(read.text.find("tree") == std::string::npos);
  CHECK(ReadField("a -b c. Is it d*").beginnings == std::vector<std::string>{"d"});
  CHECK(ReadField("Is it so?*").beginnings.empty());
  CHECK(ReadField("a covid-19*").beginnings == std::vector<std::string>{"19"});
  // In a text, here one of more than 16 words, the last word alone may be a beginning.
  const std::string text = "a b c d e f g h i j k l m n o p q";
  CHECK(ReadField(text + " europ*").beginnings == std::vector<std::string>{"europ"});
  CHECK(ReadField(text + " europ* \n").beginnings == std::vector<std::string>{"europ"});
  CHECK(ReadField("europ* " + text).beginnings.empty());
  CHECK(ReadField("europ* " + text + " as*").beginnings == std::vector<std::string>{"as"});
  CHECK(ReadField("What of europ* there?").beginnings.empty());
  // As many as a question has words, whatever stands between them.
  std::string quotations;
  for (int i = 0; i < 100; i++) quotations += "(\"a\"";
  CHECK(ReadField(quotations).required.size() == search::kMostExactWords);
}

TEST_CASE("edits: letters of UTF-8, exchanged ones count once") {
  CHECK(EditDistance("manager", "mananger") == 1);
  CHECK(EditDistance("manager", "mnaager") == 1);
  CHECK(EditDistance("\xc3\xbc" "ber", "uber") == 1);
  CHECK(EditDistance("", "abc") == 3);
  CHECK(StemDistance("commun", "comunity", 4) == 1);
  CHECK(StemDistance("commun", "comunity", 0) == 4);
  const std::vector<std::string> near = WordsOneEditAway("fxo");
  for (const char* word : {"fox", "fo", "fxoo", "axo"}) {
    CHECK(std::count(near.begin(), near.end(), word) > 0);
  }
  for (const std::string& word : near) CHECK(EditDistance(word, "fxo") <= 1);
  CHECK(PlainWord("Caf\xc3\xa9") == "cafe");
  CHECK(PlainWord("two words") == "");
  CHECK(PlainWord("a1") == "");
  CHECK(PlainWord("\xe6\x9d\xb1") == "");
  CHECK(PlainToken("Caf\xc3\xa9""19") == "cafe19");
  CHECK(PlainToken("a-1") == "");
}

TEST_CASE("blanks before all else, and a megabyte of signs") {
  CHECK(ReadField("\n oil*").beginnings == std::vector<std::string>{"oil"});
  CHECK(ReadField(" ").text == " ");
  CHECK(ReadField("*").beginnings.empty());
  const std::string signs = std::string(1 << 20, '(') + "*" + std::string(1 << 20, ' ');
  CHECK(ReadField(signs).text == signs);
}

TEST_CASE("letters are small or capital as asked, whatever else the bytes are") {
  CHECK(SmallLetters("") == "");
  CHECK(SmallLetters("Straße ÜBER Éa\xFFZ 東") == "straße über éa\xFFz 東");
  CHECK(WithCapitalOf("Ueberashung", "überraschung") == "Überraschung");
  CHECK(WithCapitalOf("ueberashung", "überraschung") == "überraschung");
  CHECK(WithCapitalOf("Fxo", "fox") == "Fox");
  CHECK(WithCapitalOf("", "fox") == "fox");
  CHECK(WithCapitalOf("\xFF", "fox") == "fox");
  CHECK(WithCapitalOf("Fox", "") == "");
}

}  // namespace
}  // namespace s2v
