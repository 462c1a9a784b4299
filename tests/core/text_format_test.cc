#include "core/text/text_format.h"

#include <doctest/doctest.h>

#include <ctime>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "core/config.h"
#include "core/error.h"
#include "core/text/tokenizer.h"
#include "tests/support/emulated.h"

using s2v::FindTextFormat;
using s2v::FindTokenizer;

namespace {

constexpr const char* kFormatNames[] = {"html", "markdown", "json"};

std::string Plain(std::string_view format, std::string_view text) {
  std::string plain = "left from before";
  FindTextFormat(format)->make_plain(text, FindTextFormat(format)->version, &plain);
  return plain;
}
std::string Html(std::string_view text) {
  return Plain("html", text);
}
std::string Markdown(std::string_view text) {
  return Plain("markdown", text);
}
std::string Json(std::string_view text) {
  return Plain("json", text);
}

std::string Cut(std::string_view profile, std::string_view text) {
  s2v::Tokens tokens;
  FindTokenizer(profile)->Tokenize(text, &tokens);
  return tokens.Joined(0, tokens.size());
}

std::string Repeated(std::string_view text, size_t bytes) {
  std::string repeated;
  while (repeated.size() < bytes) repeated += text;
  return repeated;
}

}  // namespace

TEST_CASE("of HTML tags, comments and scripts are no text") {
  CHECK(Html("<p class=\"a > b\" id='x'>Rate <b>cuts</b></p><p>hit</p>") == "Rate cuts\nhit");
  CHECK(Html("H<sub>2</sub>O, inter<wbr>national, one<br>two<br/>three<BR />four") ==
        "H2O, international, one\ntwo\nthree\nfour");
  CHECK(Html("a<!-- no > text -->b<!DOCTYPE html>c<?php echo 1 ?>d<![CDATA[e<b>]]>f") ==
        "abcd\ne<b>\nf");
  CHECK(Html("a<script type=x>if (a < b) '</p>'</SCRIPT>b<style>p { }</style >c") == "a\nb\nc");
  CHECK(Html("  two\n\n  lines\t here ") == "  two\n\n  lines\t here ");  // nothing of HTML in it
  CHECK(Html("  two\n\n  lines\t <i>here</i> ") == "two lines here");
  CHECK(Html("<td>1</td><td>2</td>") == "1\n2");
}

TEST_CASE("what is not HTML is text as it is") {
  CHECK(Html("a < b && c > d, i<3, x<=y, <john@example.org>, <>, </>, <1>") ==
        "a < b && c > d, i<3, x<=y, <john@example.org>, <>, </>, <1>");
  CHECK(Html("a <b unclosed") == "a <b unclosed");
  CHECK(Html("a <p title=\"unclosed>b <i title='c'>d</i>") == "a\nb d");
  CHECK(Html("a <!-- unclosed") == "a <!-- unclosed");
  CHECK(Html("a <!-- unclosed <b>c</b>") == "a c");
  CHECK(Html("a <![CDATA[unclosed") == "a <![CDATA[unclosed");
  CHECK(Html("a <script>unclosed") == "a");
  CHECK(Html("") == "");
  CHECK(Html("<") == "<");
  CHECK(Html("&") == "&");
  CHECK(Html(std::string_view("a\0<b>c", 6)) == std::string("a\0c", 3));
  CHECK(Html("\xFF<b>\xE9") == "\xFF\xE9");
}

TEST_CASE("entities are the characters that they stand for") {
  CHECK(Html("caf&eacute; &lt;b&gt; &amp;amp; &quot;x&quot; &#39;y&#x27; &#8364;&euro;&#128;") ==
        "café <b> &amp; \"x\" 'y' €€€");
  CHECK(Html("a&nbsp;b&#160;c &#10; d") == "a b c d");
  CHECK(Html("&copy=1 &foo; &; &#; &#x; &#xZZ; &#99999999999; &Lstrok;&szlig;&Omega;&omega;") ==
        "&copy=1 &foo; &; &#; &#x; &#xZZ; &#99999999999; ŁßΩω");
  CHECK(Html("&#0;&#xD800;&#1114112;") == "\uFFFD\uFFFD\uFFFD");
}

TEST_CASE("entities of HTML 5 that are letters part no word, and those of symbols are no words") {
  CHECK(
      Html(
          "R&imacr;ga Lietuv&omacr;s &Lcaron;ubov &Tcedil;ara &Ncedil;e &iogon; &wcirc; &fcirc;") ==
      "Rīga Lietuvōs Ľubov Ţara Ņe į ŵ &fcirc;");
  CHECK(Html("&Mcy;&ocy;&scy;&kcy;&vcy;&acy; &iukcy; &yicy; &shchcy;") == "Москва і ї щ");
  CHECK(
      Html(
          "info&commat;example&period;org &lpar;a&comma;b&rpar; &lbrack;x&rsqb;&colon;&sol;&bsol;&verbar; &AMP;&LT;") ==
      "info@example.org (a,b) [x]:/\\| &<");
  CHECK(Html("a&hairsp;b&numsp;c&NonBreakingSpace;d&NewLine;e&Tab;f") == "a b c d e f");
  CHECK(Html("&check; &hearts; &star; &phone; &rArr; &lowast; &and;") == "✓ ♥ ☆ ☎ ⇒ ∗ ∧");
  CHECK(Markdown("**R&imacr;ga** &check;") == "Rīga ✓");
}

TEST_CASE(
    "HTML and Markdown are known by all of their rules, for models that were made with them") {
  std::string text;
  for (const char* name : {"html:german", "markdown:german"}) {
    CAPTURE(name);
    // Under each rules of the format, the present ones first, all of the plain profile.
    std::vector<const s2v::Tokenizer*> by_format;
    const s2v::Tokenizer* one = FindTokenizer(name);
    while (one != nullptr) {
      by_format.push_back(one);
      for (const s2v::Tokenizer* plain = FindTokenizer("german"); plain != nullptr;
           plain = plain->former()) {
        REQUIRE(one != nullptr);
        CHECK(&one->plain() == plain);
        CHECK(one->name() == name);
        CHECK(FindTokenizer(name, one->version()) == one);
        one = one->former();
      }
    }
    REQUIRE(by_format.size() == (std::string_view(name) == "html:german" ? 2 : 3));
    CHECK(by_format[0]->PlainText("R&imacr;ga &Zcaron;&nbsp;&lpar;", &text) == "Rīga Ž (");
    CHECK(by_format.back()->PlainText("R&imacr;ga &Zcaron;&nbsp;&lpar;", &text) ==
          "R&imacr;ga Ž &lpar;");
    if (by_format.size() == 2) continue;
    CHECK(by_format[0]->PlainText("**R&imacr;ga**s", &text) == "Rīgas");
    CHECK(by_format[1]->PlainText("**R&imacr;ga**s", &text) == "Rīga**s");
  }
  CHECK(&FindTokenizer("json:german")->former()->plain() == FindTokenizer("german")->former());
}

TEST_CASE("of Markdown the marks are no text") {
  CHECK(
      Markdown(
          "# Rate cuts #\n\nThe **bank** cut\nits _rate_.\n\n- one\n- [x] two\n  3. three\n> said") ==
      "Rate cuts #\nThe bank cut its rate.\none\ntwo\nthree\nsaid");
  CHECK(
      Markdown(
          "See [the page](https://a.example/x_(y) \"title\"), ![a picture](p.png) and [this][1].\n\n[1]: https://b.example") ==
      "See the page, a picture and this.");
  CHECK(Markdown("a[0] [b] m(1)[2], 2 * 3, 2*3, snake_case, \\*kept\\* ~~gone~~ ~5") ==
        "a[0] [b] m(1)[2], 2 * 3, 2*3, snake_case, *kept* gone ~5");
  CHECK(
      Markdown(
          "text\n```cpp\nvector<int> a; // &lt; **x**\n```\nmore `vector<int> *p` <b>bold</b> &amp; <https://c.example>") ==
      "text\nvector<int> a; // &lt; **x**\nmore vector<int> *p bold & https://c.example");
  CHECK(Markdown("| a | b |\n|---|:-:|\n| 1 | 2 |\n\nTitle\n=====\n") == "a b\n1 2\nTitle");
  CHECK(Markdown("Said[^1].\n\n[^1]: A note.") == "Said[^1].\nA note.");
  CHECK(Markdown("It was in\n2020. Then `unclosed ``` and [unclosed](x\n~~~\ncode") ==
        "It was in 2020. Then `unclosed ``` and [unclosed](x\ncode");
  CHECK(Markdown("<div\nclass=x>a</div> b") == "a\nb");
  CHECK(Markdown("plain text, nothing else.") == "plain text, nothing else.");
  CHECK(
      Markdown(
          "설정에서 **서버**를, Haus**tür**, Die **Haus**tür, 这是**重点**内容, 重要**なお知らせ") ==
      "설정에서 서버를, Haustür, Die Haustür, 这是重点内容, 重要**なお知らせ");
  CHECK(Markdown("the *server*s, ~~削除~~済み, ***強調***です, 第**2**章, **2024**年") ==
        "the servers, 削除済み, 強調です, 第2章, 2024年");
  CHECK(Markdown("2*3*4, x**2 + y**2, a*b*c, 2 *3 4*5, snake_case_name, a~~b") ==
        "2*3*4, x**2 + y**2, a*b*c, 2 3 4*5, snake_case_name, a~~b");
  CHECK(Markdown("**a *b* c**s, Haus**tür\nnext** line") == "a b cs, Haus**tür next line");
}

TEST_CASE("of JSON the strings and numbers that are values are text") {
  CHECK(
      Json(
          R"({"title": "Rate \"cuts\"", "tags": ["a", "b"], "n": -1.5e3, "ok": true, "no": null, "in": {"x": "y"}})") ==
      "Rate \"cuts\"\na\nb\n-1.5e3\ny");
  CHECK(Json(R"(["caf\u00e9 \uD83D\uDE00 \uD83D x\n\ty\/"])") == "café 😀 \uFFFD x\n y/");
  CHECK(Json("A title\n{\"a\": \"b\"}\n[\"c\"]\nthe end") == "A title\nb\nc\nthe end");
  CHECK(Json("[]") == "");
  CHECK(Json("{ }") == "");
  // What is cut off is JSON as far as it goes.
  CHECK(Json(R"({"a": "b", "c": "d e)") == "b\nd e");
  for (const char* text :
       {"plain", "[sic] it says", "{not: json}", "[1 2]", "[1,]", "{\"a\"}", "{\"a\" \"b\"}",
        "[\"\\q\"]", "[\"\\u12G4\"]", "[tru]", "[-x]", "[1}", "\"a string\"", "12"}) {
    CHECK(Json(text) == text);
  }
  CHECK(Json("[\"a\x01\"]") == "[\"a\x01\"]");
}

TEST_CASE("a format is a part of a profile's name, and so of what models keep") {
  CHECK(Cut("html:english", "<p>Rate&nbsp;cuts</p>") == Cut("english", "Rate cuts"));
  CHECK(Cut("markdown:german", "**Häuser**") == "haus");
  CHECK(Cut("json:unicode", "{\"key\": \"Rate\"}") == "rate");
  CHECK(Cut("html", "<b>cafés</b>") == "cafes");
  CHECK(FindTokenizer("html:english+german")->name() == "html:english+german");
  CHECK(FindTokenizer("html:english")->version() != FindTokenizer("english")->version());
  CHECK(FindTokenizer("html:english")->version() != FindTokenizer("json:english")->version() - 1);
  CHECK(&FindTokenizer("html:english")->plain() == FindTokenizer("english"));
  CHECK(FindTokenizer("html:english") == FindTokenizer("html:english"));
  for (const char* name : {"html:", "html:klingon", "xml:english", ":english", "html:html:english",
                           "html:html", "english:html", "html:wordpiece(clean)"}) {
    CAPTURE(name);
    s2v::Config config;
    config.tokenizer = name;
    const bool is_one = std::string_view(name) == "html:";
    CHECK((FindTokenizer(name) != nullptr) == is_one);
    if (!is_one) CHECK_THROWS_AS(s2v::ValidateConfig(config), s2v::InvalidArgument);
  }
}

TEST_CASE("a sample of texts tells the format, and the language of what is text in it") {
  const auto guess = [](const std::string& text, const std::string& other = "") {
    std::vector<std::string> texts;
    for (int i = 0; i < 40; i++) texts.push_back(i % 2 == 0 ? text : other.empty() ? text : other);
    return s2v::GuessProfile(texts);
  };
  const std::string english =
      "the bank has cut its rate and that is what all of them have said in the morning of the day";
  CHECK(guess(english).tokenizer == "english");
  CHECK(guess("<p>" + english + "</p>").tokenizer == "html:english");
  CHECK(guess("<p>" + english + "</p>").reason.starts_with("40 of 40 texts have tags of HTML; "));
  CHECK(guess("<p>" + english + "</p>", english).tokenizer == "html:english");
  CHECK(guess("what does <name> do, and a < b > c, " + english).tokenizer == "english");
  CHECK(guess("{\"der\": \"" + english + "\"}").tokenizer == "json:english");
  CHECK(guess("{\"der\": \"" + english).tokenizer == "json:english");
  CHECK(guess("[1] " + english).tokenizer == "english");
  CHECK(guess("## " + english, english).tokenizer == "markdown:english");
  CHECK(guess("see [this](http://a.example), " + english).tokenizer == "markdown:english");
  CHECK(guess("- " + english + "\n* " + english + "\n# " + english).tokenizer == "english");
  CHECK(s2v::GuessProfile({}).tokenizer == "neutral");
  CHECK(s2v::GuessProfile({english}, "html").tokenizer == "html:neutral");  // too few words
}

TEST_CASE("formats take time in proportion to the text, and make it no longer") {
  const size_t bytes = s2v::testing::Emulated() ? 1 << 18 : 1 << 20;
  for (const char* piece : {"<",
                            "<a ",
                            "<a b='",
                            "<a b='>' ",
                            "<a b=\"<a b='",
                            "<!--",
                            "<!-- -->",
                            "<![CDATA[",
                            "<script>",
                            "</",
                            "<script></",
                            "&",
                            "&#",
                            "&amp",
                            "[",
                            "](",
                            "[](",
                            "[a](b",
                            "[a](b)",
                            "![",
                            "`",
                            "` `` ``` ",
                            "*",
                            "_a_",
                            "**a",
                            "a**b",
                            "é~~é***",
                            "> ",
                            "- ",
                            "#",
                            "# \n",
                            "~~~\n",
                            "```a\n",
                            "|",
                            "\\",
                            "{",
                            "[{\"a\":",
                            "{\n",
                            "[\"",
                            "[\"a\n",
                            "[\"\\u",
                            "[1,",
                            "{\"a\":1}\n",
                            "[[]\n",
                            " ",
                            "\n",
                            "<b>&lt;**[x](y)`z`</b>\n"}) {
    const std::string text = Repeated(piece, bytes);
    for (const char* format : kFormatNames) {
      CAPTURE(piece);
      CAPTURE(format);
      const std::clock_t begin = std::clock();
      const std::string plain = Plain(format, text);
      // Of the processor, so that a busy machine does not matter: milliseconds; minutes where it is
      // quadratic.
      CHECK(std::clock() - begin < 20 * CLOCKS_PER_SEC);
      CHECK(plain.size() <= text.size());
    }
  }
}

TEST_CASE("formats stay within a text of any bytes") {
  constexpr std::string_view kPieces[] = {
      "<",  ">", "</p>", "<b ",  "a=\"", "'",        "&",         "amp;", "#x",   ";",
      "[",  "]", "(",    ")",    "*",    "_",        "`",         "```",  "\n",   " ",
      "{",  "}", "\"",   ":",    ",",    "\\u00",    "\\",        "1",    "true", "|",
      "~~", "é", "\xFF", "<!--", "-->",  "<script>", "</script>", "![",   "> ",   "# "};
  std::mt19937 random(7);
  for (int i = 0; i < 20000; i++) {
    std::string text;
    for (size_t pieces = random() % 30; pieces > 0; pieces--)
      text += kPieces[random() % std::size(kPieces)];
    // so that the address sanitizer sees a byte read too many
    const std::vector<char> exact(text.begin(), text.end());
    for (const char* format : kFormatNames) {
      const std::string plain = Plain(format, {exact.data(), exact.size()});
      CAPTURE(text);
      CHECK(plain.size() <= text.size());
      FindTextFormat(format)->is_written_so({exact.data(), exact.size()});
    }
  }
}
