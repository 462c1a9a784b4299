// What is read of a search field, and words that are nearly alike.
#include "core/search/question.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>

#include "core/text/edit_distance.h"
#include "core/text/letters.h"

namespace s2v {
namespace {

constexpr std::array<const char*, 2> kColumnNames = {"title", "body"};

search::ReadQuestion ReadField(std::string_view given) {
  const std::vector<std::string> columns(kColumnNames.begin(), kColumnNames.end());
  return search::ReadSearchField(given, columns);
}

TEST_CASE("what is no syntax stays as it was given, byte for byte") {
  for (const char* given : {"",
                            " ",
                            "red fox",
                            "a \"",
                            "\"\"",
                            "a \" \"",
                            "well-known",
                            "C++",
                            "a -",
                            "-- -5",
                            "ls -l",
                            "tar (-C)",
                            "-p WORD",
                            "a -x=1",
                            "24\" fox",
                            "foo:bar",
                            "title:",
                            "title: fox",
                            "http://a.b/c?d=e&f",
                            "NOT a",
                            " NOT a",
                            "\t(NOT a)",
                            "a NOT",
                            "BANK NOT LENDERS",
                            "СНЕГ NOT ДОЖДЬ",
                            "1 NOT 2",
                            "*",
                            "a **",
                            "caf\xc3",
                            "\xff\"\xfe",
                            "What is a \"red fox\"?",
                            "Say no to -fox.",
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
  for (const char* given : {"red NOT fox", "RED NOT fox", "снег NOT дождь", "été NOT ÉTÉ",
                            "雪 NOT 雨", "ثلج NOT مطر"}) {
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
  CHECK(read.phrases == std::vector<std::string>{"red fox"});
  CHECK(read.required[1].columns == std::vector<size_t>{0});
  REQUIRE(read.excluded.size() == 3);
  CHECK(read.excluded[0].words == "a b");
  CHECK(read.excluded[0].columns == std::vector<size_t>{1});
  CHECK(read.excluded[1].words == "tree");
  CHECK(read.excluded[2].words == "well-known");
  CHECK(read.beginnings == std::vector<std::string>{"sle"});
  CHECK(read.text.find("red fox") != std::string::npos);
  CHECK(read.text.find("tree") == std::string::npos);
  // Of symbols, and where no blanks stand around it.
  CHECK(ReadField("cake -\"🎂\"").excluded.at(0).words == "🎂");
  CHECK(ReadField("a \"?!\"").required.empty());
  for (const char* given : {"「京都大学」の図書館", "図書館「京都大学」", "図書館、「京都大学」",
                            "图书馆，\"京都大学\"", "图书馆：『京都大学』", "！\"京都大学\"",
                            "図書館｢京都大学｣", "“京都大学”图书馆", "図書館\"京都大学\""})
    CHECK(ReadField(given).required.at(0).words == "京都大学");
  CHECK(ReadField("\"김치찌개\"를 만드는").required.at(0).words == "김치찌개");
  CHECK(ReadField("24\" 27\"x").required.empty());
  // A quotation mark between Hebrew letters is a sign of the word.
  CHECK(ReadField("\"דובר צה\"ל\" a").required.at(0).words == "דובר צה\"ל");
  CHECK(ReadField("a -\"צה\"ל\"").excluded.at(0).words == "צה\"ל");
  CHECK(ReadField("\"צה\" ל\"").required.at(0).words == "צה");
  CHECK(ReadField("שולחן -״עץ״").excluded.at(0).words == "עץ");
  CHECK(ReadField("דו״ח -״דו״ח״").excluded.at(0).words == "דו״ח");
  // marks of direction
  for (const char* text :
       {"طاولة \u200F-خشبية", "طاولة -\u200Fخشبية", "طاولة \u202B-خشبية\u202C"}) {
    CAPTURE(text);
    CHECK(ReadField(text).excluded.at(0).words == "خشبية");
  }
  CHECK(ReadField("a NOT   b").excluded.at(0).words == "b");
  CHECK(ReadField("a -b c. Is it d*").beginnings == std::vector<std::string>{"d"});
  CHECK(ReadField("Is it so?*").beginnings.empty());
  CHECK(ReadField("a covid-19*").beginnings == std::vector<std::string>{"covid-19"});
  CHECK(ReadField("costs $10.113*").beginnings == std::vector<std::string>{"$10.113"});
  CHECK(ReadField("at 10.113.*").beginnings == std::vector<std::string>{"10.113"});
  CHECK(ReadField("at home.*").beginnings.empty());
  for (const char* word : {"C++", "C#", "xy", "x1", "\u00E9", "\u96EA"}) {
    CAPTURE(word);
    REQUIRE(ReadField(std::string("a -") + word).excluded.size() == 1);
    CHECK(ReadField(std::string("a -") + word).excluded[0].words == word);
  }
  for (const char* word : {"h&m", "n/a", "#42"}) {
    CAPTURE(word);
    REQUIRE(ReadField(std::string("a -") + word).excluded.size() == 1);
    CHECK(ReadField(std::string("a -") + word).excluded[0].words == word);
    CHECK(ReadField(std::string("a title:") + word).required.size() == 1);
  }
  for (const char* word : {"<bob@x.org>", "[error]", "`name`", "'alice'"}) {
    CAPTURE(word);
    CHECK(ReadField(std::string("a -") + word).excluded.size() == 1);
    CHECK(ReadField(std::string("a title:") + word).required.size() == 1);
  }
  for (const char* word : {"/etc/fstab", "~work"})
    CHECK(ReadField(std::string("a title:") + word).required.size() == 1);
  for (const char* text :
       {"gcc -I/usr/include", "nmap -p:80", "curl -d@data.json", "-/usr/bin +/bin", "-<b>old</b>",
        "a -<", "a -<5", "a -[]", "a -'b c'", "a -[b c]", "a -<b"}) {
    CAPTURE(text);
    CHECK(ReadField(text).excluded.empty());
  }
  CHECK(ReadField("a -title:x").excluded.size() == 1);
  for (const char* text :
       {"Schuhe und -stiefel", "Ein oder -zwei", "Kurse bzw. -gebühren", "in- EN -uitvoer"}) {
    CAPTURE(text);
    CHECK(ReadField(text).excluded.empty());
    CHECK(ReadField(text).text == text);
  }
  CHECK(ReadField("Hund -stiefel").excluded.size() == 1);
  CHECK(ReadField("-und -stiefel").excluded.size() == 2);
  for (const char* one :
       {"Schuhe und -\"rote Stiefel\"", "Schuhe und -title:Stiefel", "Schuhe und -#metoo",
        "Schuhe und rot* -blau", "\"und\" -blau", "title:und -blau"}) {
    CAPTURE(one);
    CHECK(ReadField(one).excluded.size() == 1);
  }
  CHECK(ReadField("Schuhe und\u00A0-stiefel").excluded.empty());
  CHECK(ReadField("Schuhe und NOT rot -blau").excluded.size() == 2);
  for (const char* typed : {"don'*", "don\u2019*", "don*"})
    CHECK(ReadField(typed).beginnings == std::vector<std::string>{"don"});
  CHECK(ReadField("'*").beginnings.empty());
  for (const char* word : {"O'Connor", "e-mail", "x-ray", "x\u2011ray", "#metoo", ".NET",
                           "_private", "@bob", "3D", "3.5mm"}) {
    CAPTURE(word);
    for (const char* sign : {"-", "NOT ", "-title:"}) {
      REQUIRE(ReadField(std::string("a ") + sign + word).excluded.size() == 1);
      CHECK(ReadField(std::string("a ") + sign + word).excluded[0].words == word);
    }
  }
  for (const char* text : {"a -5", "a -1.2", "a -18°C", "a -18ºC", "ls -l", "ls -l, and", "a -.5",
                           "a -- b", "a -$3", "a -#"}) {
    CAPTURE(text);
    CHECK(ReadField(text).excluded.empty());
  }
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

TEST_CASE("blanks and signs are read as each keyboard types them") {
  for (const char* given :
       {"sun\u3000-rain", "sun\u00A0-rain", "sun \uFF0Drain", "sun \u2212rain",
        "sun\u2009NOT\u3000rain", "sun -\u201Crain\u201D", "sun -\u300Crain\u300D"}) {
    CAPTURE(given);
    const search::ReadQuestion read = ReadField(given);
    REQUIRE(read.excluded.size() == 1);
    CHECK(read.excluded[0].words == "rain");
    CHECK(read.text.find("rain") == std::string::npos);
  }
  for (const char* given :
       {"\u201Cred fox\u201D", "\u201Ered fox\u201C", "\u201Dred fox\u201D", "\u201Ered fox\"",
        "\u00ABred fox\u00BB", "\u00BBred fox\u00AB", "\u300Cred fox\u300D", "\u300Ered fox\u300F",
        "\uFF02red fox\uFF02", "a\u3000\u201Cred fox\u201D", "(\u201Cred fox\u201D)"}) {
    CAPTURE(given);
    const search::ReadQuestion read = ReadField(given);
    REQUIRE(read.required.size() == 1);
    CHECK(read.required[0].words == "red fox");
  }
  for (const char* given :
       {"\u201Cred fox", "red\u201Cfox\u201D", "\u201Cred fox\u201Des", "\u2018red fox\u2019",
        "\u00AB \u00BB", "\u300Cred\u300C", "red \u2014fox",
        "\u2212"
        "5",
        "\uFF0D\uFF15", "\u300C\u6771\u300D\u306F\uFF1F", "\u201Cred fox\u201D \u061F",
        "\u201Cred fox\u201D \u17D4"}) {
    CAPTURE(given);
    const search::ReadQuestion read = ReadField(given);
    CHECK(read.text == given);
    CHECK(read.required.size() + read.excluded.size() == 0);
  }
  CHECK(ReadField("TITLE\uFF1Afox").required.size() == 1);
  CHECK(ReadField("oil\u3000foo\uFF0A").beginnings == std::vector<std::string>{"foo"});
}

TEST_CASE("the last word ends at an apostrophe of any kind, at dashes and at quotation marks") {
  for (const char* given : {"l'\u00E9c", "l\u2019\u00E9c", "\u201C\u00E9c", "a\u3000\u00E9c",
                            "a\u00A0\u00E9c", "\u00AB\u00E9c", "a\u2013\u00E9c", "\u3001\u00E9c"}) {
    CAPTURE(given);
    CHECK(search::LastWord(given) == "\u00E9c");
    REQUIRE(ReadField(std::string(given) + "*").beginnings.size() == 1);
    CHECK(std::string(given).ends_with(ReadField(std::string(given) + "*").beginnings[0]));
  }
  CHECK(search::LastWord("a \u30C7\u30FC") == "\u30C7\u30FC");
  CHECK(search::LastWord("e\u0301") == "e\u0301");
  CHECK(search::LastWord("a\xff") == "");
  CHECK(search::LastWord("\x80\x80\x80\x80\x80") == "");
}

TEST_CASE("letters are put in of each script, and of its languages") {
  struct Edit {
    const char *wrong, *right;
  };
  // Ukrainian, Serbian, Kazakh, Persian, Urdu, Hindi, Tamil, Bengali, Georgian, Amharic.
  for (const Edit& edit : std::initializer_list<Edit>{
           {"\u043C\u0441\u0442\u043E", "\u043C\u0456\u0441\u0442\u043E"},
           {"\u0431\u0443\u0430\u043A", "\u0452\u0443\u0430\u043A"},
           {"\u043A\u0430\u043B\u0430", "\u049B\u0430\u043B\u0430"},
           {"\u06A9\u0631", "\u06AF\u0631"},
           {"\u0644\u0627", "\u0644\u0679\u0627"},
           {"\u0939\u0928\u094D\u0926\u0940", "\u0939\u093F\u0928\u094D\u0926\u0940"},
           {"\u0BA4\u0BAE\u0BB4\u0BCD", "\u0BA4\u0BAE\u0BBF\u0BB4\u0BCD"},
           {"\u09AC\u0982\u09B2\u09BE", "\u09AC\u09BE\u0982\u09B2\u09BE"},
           {"\u10E5\u10D0\u10DA\u10D8", "\u10E5\u10D0\u10DA\u10D0\u10D8"},
           {"\u1230\u120B", "\u1230\u120B\u121D"}}) {
    CAPTURE(edit.right);
    const std::vector<std::string> near = WordsOneEditAway(edit.wrong);
    CHECK(std::count(near.begin(), near.end(), edit.right) > 0);
  }
  // Of a word of Latin letters as many as there ever were: 26 in each place, neighbours exchanged,
  // and each left out.
  CHECK(WordsOneEditAway("fox").size() == 26 * 3 + 2 + 3 + 26 * 4);
  CHECK(WordsOneEditAway("\u6771\u4EAC").size() == 1 + 2);
}

TEST_CASE("edits: letters of UTF-8, exchanged ones count once") {
  CHECK(EditDistance("manager", "mananger") == 1);
  CHECK(EditDistance("manager", "mnaager") == 1);
  CHECK(EditDistance("\xc3\xbc"
                     "ber",
                     "uber") == 1);
  CHECK(EditDistance("", "abc") == 3);
  CHECK(StemDistance("commun", "comunity", 4) == 1);
  CHECK(StemDistance("commun", "comunity", 0) == 4);
  const auto beginning = [](const char* typed, const char* word) {
    const Beginning found = BeginningOneEditAway(typed, word);
    return found.text + " " + std::to_string(static_cast<int>(found.error));
  };
  CHECK(beginning("matre", "mattress") == "mattre 0");
  CHECK(beginning("matre", "material") == "mate 1");
  CHECK(beginning("samsu", "samsong") == "sams 2");
  CHECK(beginning("ofice", "office") == "office 0");
  CHECK(beginning("office", "office") == "offic 2");  // the word itself was looked for
  CHECK(beginning("mü", "") == " 3");
  CHECK(beginning("", "m") == " 3");
  const std::vector<std::string> near = WordsOneEditAway("fxo");
  for (const char* word : {"fox", "fo", "fxoo", "axo"}) {
    CHECK(std::count(near.begin(), near.end(), word) > 0);
  }
  for (const std::string& word : near) CHECK(EditDistance(word, "fxo") <= 1);
  CHECK(PlainWord("Caf\xc3\xa9", /*has_all_forms=*/true) == "cafe");
  CHECK(PlainWord("two words", /*has_all_forms=*/true) == "");
  CHECK(PlainWord("a1", /*has_all_forms=*/true) == "");
  CHECK(PlainWord("\xe6\x9d\xb1", /*has_all_forms=*/true) == "");
  CHECK(PlainToken("Caf\xc3\xa9"
                   "19",
                   /*has_all_forms=*/true) == "cafe19");
  CHECK(PlainToken("a-1", /*has_all_forms=*/true) == "");
  CHECK(PlainToken("O\u2019Reilly", /*has_all_forms=*/true) == "o'reilly");
  CHECK(PlainToken("10.113", /*has_all_forms=*/true) == "10.113");
  CHECK(PlainToken("O'", /*has_all_forms=*/true) == "");
  CHECK(PlainToken("'", /*has_all_forms=*/true) == "");
  CHECK(PlainWord("O'Reilly", /*has_all_forms=*/true) == "");
  CHECK(PlainWord("Ħamrun", /*has_all_forms=*/true) == "hamrun");
  CHECK(PlainWord("Ħamrun", /*has_all_forms=*/false) == "ħamrun");
}

TEST_CASE("blanks before all else, and a megabyte of signs") {
  CHECK(ReadField("\n oil*").beginnings == std::vector<std::string>{"oil"});
  CHECK(ReadField(" ").text == " ");
  CHECK(ReadField("*").beginnings.empty());
  CHECK(ReadField("H₂*").beginnings == std::vector<std::string>{"H₂"});
  const std::string signs = std::string(1 << 20, '(') + "*" + std::string(1 << 20, ' ');
  CHECK(ReadField(signs).text == signs);
  std::string numbers;
  while (numbers.size() < 1 << 20) numbers += "(-1";
  CHECK(ReadField(numbers).excluded.empty());
}

TEST_CASE("letters are small or capital as asked, whatever else the bytes are") {
  CHECK(SmallLetters("") == "");
  CHECK(SmallLetters("ΤΗΛΕΦΩΝΙΚΟΣ") == "τηλεφωνικος");
  CHECK(SmallLetters("Σ") == "σ");
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
