#include "core/text/tokenizer.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "tests/support/emulated.h"

using s2v::FindTokenizer;
using s2v::Tokenizer;
using s2v::Tokens;

namespace {

using Words = std::vector<std::string>;

Words Cut(std::string_view profile, std::string_view text) {
  const Tokenizer* tokenizer = FindTokenizer(profile);
  REQUIRE(tokenizer != nullptr);
  // A copy of exactly the size, so that the address sanitizer sees a byte read too many.
  const auto exact = std::make_unique<char[]>(text.size());
  std::copy(text.begin(), text.end(), exact.get());
  Tokens tokens;
  tokenizer->Tokenize({exact.get(), text.size()}, &tokens);
  Words words;
  for (size_t i = 0; i < tokens.size(); ++i) words.emplace_back(tokens[i]);
  return words;
}

Words Unicode(std::string_view text) {
  return Cut("unicode", text);
}

// All, and some of imported models.
std::vector<std::string> Profiles() {
  std::vector<std::string> names = {"wordpiece(clean,han,accents,lower)",
                                    "unigram(nmt,nfkc,clean,squeeze,strip)",
                                    "characters(3,6,unicode)"};
  for (const Tokenizer* tokenizer : s2v::AllTokenizers()) names.push_back(tokenizer->name());
  return names;
}

std::string Join(const Words& words) {
  std::string joined;
  for (const std::string& word : words) joined += (joined.empty() ? "" : " ") + word;
  return joined;
}

// By the table of well-formed sequences of the Unicode standard (3-7), written apart from the
// decoder under test.
bool IsUtf8(std::string_view s) {
  const auto in = [&](size_t i, unsigned first, unsigned last) {
    const unsigned byte = i < s.size() ? static_cast<unsigned char>(s[i]) : 0x100;
    return byte >= first && byte <= last;
  };
  const auto tail = [&](size_t i) { return in(i, 0x80, 0xBF); };
  for (size_t i = 0; i < s.size();) {
    if (in(i, 0x00, 0x7F)) {
      i += 1;
    } else if (in(i, 0xC2, 0xDF) && tail(i + 1)) {
      i += 2;
    } else if (((in(i, 0xE0, 0xE0) && in(i + 1, 0xA0, 0xBF)) ||
                (in(i, 0xED, 0xED) && in(i + 1, 0x80, 0x9F)) ||
                ((in(i, 0xE1, 0xEC) || in(i, 0xEE, 0xEF)) && tail(i + 1))) &&
               tail(i + 2)) {
      i += 3;
    } else if (((in(i, 0xF0, 0xF0) && in(i + 1, 0x90, 0xBF)) ||
                (in(i, 0xF4, 0xF4) && in(i + 1, 0x80, 0x8F)) ||
                (in(i, 0xF1, 0xF3) && tail(i + 1))) &&
               tail(i + 2) && tail(i + 3)) {
      i += 4;
    } else {
      return false;
    }
  }
  return true;
}

std::string Escaped(std::string_view s) {
  std::string out;
  for (const unsigned char c : s) {
    char hex[8];
    std::snprintf(hex, sizeof hex, c >= 0x20 && c < 0x7F ? "%c" : "\\x%02X", c);
    out += hex;
  }
  return out;
}

// What must hold for the tokens of any bytes; empty, or what is wrong.
std::string Violation(std::string_view text) {
  const Words words = Unicode(text);
  for (const std::string& word : words) {
    if (word.empty()) return "empty token";
    if (word.size() > 256) return "long token";
    if (!IsUtf8(word)) return "invalid UTF-8: " + Escaped(word);
    for (const unsigned char c : word) {
      if (c <= ' ' || c == 0x7F) return "white space: " + Escaped(word);
      if (c >= 'A' && c <= 'Z') return "upper case: " + Escaped(word);
    }
    for (const char* space : {"\u00A0", "\u1680", "\u2003", "\u2028", "\u3000", "\u200B"}) {
      if (word.find(space) != std::string::npos) return "white space: " + Escaped(word);
    }
  }
  const std::string joined = Join(words);
  const std::string again = Join(Unicode(joined));
  return again == joined ? "" : "not idempotent: " + Escaped(joined) + " -> " + Escaped(again);
}

// REQUIREs are slow; this is for the loops over many texts.
void CheckText(std::string_view text) {
  const std::string violation = Violation(text);
  if (!violation.empty()) FAIL_CHECK(Escaped(text), ": ", violation);
}

}  // namespace

TEST_CASE("the profiles are listed, the default first, and found by name") {
  const auto all = s2v::AllTokenizers();
  REQUIRE(all.size() >= 3);
  CHECK(all[0]->name() == "english");
  CHECK(all[1]->name() == "unicode");
  CHECK(all[2]->name() == "whitespace");
  for (const Tokenizer* tokenizer : all) {
    CHECK(FindTokenizer(tokenizer->name()) == tokenizer);
    CHECK(tokenizer->version() == (tokenizer->name() == "english" ? 10 : 1));
  }
  CHECK(FindTokenizer("Unicode") == nullptr);
  CHECK(FindTokenizer("") == nullptr);
  for (const std::string name :
       {"wordpiece()", "wordpiece(clean,han,accents,lower)", "unigram(nmt,nfkc,squeeze,strip,unk)",
        "characters(3,6,unicode)", "characters(1,30,ptb)"}) {
    REQUIRE(FindTokenizer(name) != nullptr);
    CHECK(FindTokenizer(name)->name() == name);
    CHECK(FindTokenizer(name) == FindTokenizer(name));
  }
  for (const std::string name :
       {"wordpiece", "wordpiece(", "wordpiece(lower,clean)", "wordpiece(lower,lower)",
        "wordpiece(lower", "unigram(x)", "(lower)", "characters(3,6)", "characters(3,2,unicode)",
        "characters(0,2,unicode)", "characters(1,31,unicode)", "characters(03,6,unicode)",
        "characters(3,6,nothing)", "characters(3,6,unigram(nmt))",
        "characters(3,6,characters(3,6,unicode))", "characters(,,)"}) {
    INFO(name);
    CHECK(FindTokenizer(name) == nullptr);
  }
}

TEST_CASE("a name that nests ever deeper names no tokenizer") {
  std::string name;
  for (int i = 0; i < 200'000; i++) name += "characters(1,1,";
  name += "unicode" + std::string(200'000, ')');
  CHECK(FindTokenizer(name) == nullptr);
}

TEST_CASE("unicode cuts texts of many languages as version 1 says") {
  struct Row {
    const char* text;
    const char* tokens;  // joined by spaces
  };
  const Row rows[] = {
      {"Rate cuts hit lenders.", "rate cuts hit lenders ."},
      {"Hello,world!", "hello , world !"},
      {"Straße, ÜBER Äpfel", "straße , über äpfel"},
      {"İstanbul IĞDIR ışık", "istanbul iğdir ışık"},
      {"I\u0307stanbul", "istanbul"},
      {"Η ΟΔΟΣ του Σοφού, Σ.", "η οδος του σοφού , σ ."},
      {"Ёлка и ЩИ", "ёлка и щи"},
      {"L'été, aujourd’hui : « où ? »", "l'été , aujourd'hui : « où ? »"},
      {"مَرْحَبًا بالعالم، ١٬٠٠٠", "مَرْحَبًا بالعالم ، ١ ٬ ٠٠٠"},
      {"שָׁלוֹם עולם", "שָׁלוֹם עולם"},
      {"हिन्दी में लिखना।", "हिन्दी में लिखना ।"},
      {"தமிழ் மொழி", "தமிழ் மொழி"},
      {"我爱北京2008。", "我 爱 北 京 2008 。"},
      {"カタカナとひらがな", "カ タ カ ナ と ひ ら が な"},
      {"は\u3099 ﾊﾞｶ", "ば バ カ"},
      {"한국어 문장입니다.", "한국어 문장입니다 ."},
      {"สวัสดี ๑๒", "ส วั ส ดี ๑๒"},
      {"ភាសា", "ភា សា"},
      {"iPhone手机Pro", "iphone 手 机 pro"},
      {"𠮷野家 𐐀𐐁", "𠮷 野 家 𐐨𐐩"},
      {"ＡＢＣ　１２．５％", "abc 12.5 %"},
      // Emoji: joiners, variation selectors and skin tones vanish, flags stay whole.
      {"ok👍🏽!", "ok 👍 !"},
      {"👩‍💻 ❤️ 1️⃣ #️⃣", "👩 💻 ❤ 1⃣ #⃣"},
      {"🇫🇷🇩🇪🇯", "🇫🇷 🇩🇪 🇯"},
      // Numbers.
      {"3.14 1,000,000.5 .5 5. 1..2 1.,2", "3.14 1,000,000.5 . 5 5 . 1 .. 2 1 . , 2"},
      {"$5 -7 10% 3rd x² ½", "$ 5 - 7 10 % 3rd x ² ½"},
      {"v1.2.3 127.0.0.1 12:30", "v1.2.3 127.0.0.1 12 : 30"},
      // Apostrophes and quotes.
      {"don't DON’T don‘t rock'n'roll", "don't don't don't rock'n'roll"},
      {"'tis dogs' 'quoted' a''b 5'a a'5", "' tis dogs ' ' quoted ' a '' b 5 ' a a ' 5"},
      {"“He said ‘no’”", "\" he said ' no ' \""},
      {"é't e\u0301't", "é't é't"},
      {"e.g. U.S. a,b", "e . g . u . s . a , b"},
      {"well-known x—y", "well - known x — y"},
      {"Wait... what....... !!!! ?! --- =====", "wait ... what ... !!! ? ! --- ==="},
      {"…", "…"},
      {"https://a.org/x?y=1&z", "https : // a . org / x ? y = 1 & z"},
      {"me@x.com #tag snake_case __init__", "me @ x . com # tag snake_case __init__"},
      // Invisible characters.
      {"co\u00ADop zero\u200Bwidth na\u200Dme \uFEFFbom a\u00A0b", "coop zero width name bom a b"},
      {"3\u00AD.\u200D1 don\u2060't", "3.1 don't"},
      {"a\u2028b\u0085c\u3000d\uFFFEe", "a b c d e"},
      // Marks belong to what they follow, or stand alone.
      {"=\u0338 !!\u0301 \u0301 x", "\u2260 !!\u0301 \u0301 x"},
      {"\u212B \u2126 \u1E9E \u037E", "å ω ß ;"},
      {"longestwordsofseventeenbytes and-supercalifragilistic'expialidocious",
       "longestwordsofseventeenbytes and - supercalifragilistic'expialidocious"},
  };
  for (const Row& row : rows) {
    CHECK_MESSAGE(Join(Unicode(row.text)) == row.tokens, row.text);
    CheckText(row.text);
  }
}

TEST_CASE("unicode gives composed and decomposed text the same tokens") {
  const char* pairs[][2] = {
      {"\u00E9t\u00E9", "e\u0301te\u0301"},
      {"\u00C9T\u00C9", "E\u0301TE\u0301"},
      {"Vi\u1EC7t", "Vie\u0323\u0302t"},
      {"Vi\u1EC7t", "Vie\u0302\u0323t"},  // the marks in the other order
      {"\u01F0", "J\u030C"},              // composed in lower case only
      {"\uD55C\uAE00", "\u1112\u1161\u11AB\u1100\u1173\u11AF"},
      {"\u0130\u0323", "I\u0323\u0307"},
      {"\u0958", "\u0915\u093C"},  // never composed
      {"\u304C", "\u304B\u3099"},
      {"\u0419\u0401", "\u0418\u0306\u0415\u0308"},
      {"\u2260", "=\u0338"},
      {"\uFF25\u0301", "\u00E9"},
  };
  for (const auto& pair : pairs) {
    CHECK(Unicode(pair[0]) == Unicode(pair[1]));
    CheckText(pair[0]);
    CheckText(pair[1]);
  }
}

TEST_CASE("unicode takes invalid UTF-8 as a separator at the start, middle and end") {
  const std::string_view invalid[] = {
      "\x80",
      "\xBF\x80",
      "\xC0\xAF",
      "\xC1\xBF",
      "\xC3",
      "\xE2\x82",
      "\xE0\x80\xAF",
      "\xE0\x9F\xBF",
      "\xED\xA0\x80",
      "\xED\xBF\xBF",
      "\xF0\x9F\x98",
      "\xF0\x80\x80\xAF",
      "\xF0\x9F",
      "\xF4\x90\x80\x80",
      "\xF5\x80\x80\x80",
      "\xF8\x88\x80\x80\x80",
      "\xFE",
      "\xFF\xFF",
      "\xE2",
      "\xF0",
  };
  for (const std::string_view bytes : invalid) {
    const std::string bad(bytes);
    INFO(Escaped(bad));
    CHECK(Unicode(bad).empty());
    CHECK(Unicode(bad + "Ab é") == Words{"ab", "é"});
    CHECK(Unicode("don" + bad + "'t") == Words{"don", "'", "t"});
    CHECK(Unicode("é" + bad + "\u0301") == Words{"é", "\u0301"});
    CHECK(Unicode("ab é" + bad) == Words{"ab", "é"});
    CHECK(Unicode("3." + bad) == Words{"3", "."});
  }
}

TEST_CASE("english cuts as unicode, and words are their stems, without ASCII punctuation") {
  struct Row {
    const char* text;
    const char* tokens;  // joined by spaces
  };
  const Row rows[] = {
      {"The companies' hopes -- hoping!", "the compani hope hope"},
      {"Company's 3.14% of $5; don't, C++", "compani 3.14 of 5 don't c"},
      // of each step of Porter's paper an example where it applies and one where it does not
      {"caresses ponies ties cats caress", "caress poni ti cat caress"},
      {"feed agreed plastered bled motoring sing", "feed agr plaster bled motor sing"},
      {"conflated troubled sized tanned falling failing filing",
       "conflat troubl size tan fall fail file"},
      {"happy sky", "happi sky"},
      {"relational rational vileli", "relat ration vile"},
      {"triplicate formative hopeful goodness", "triplic form hope good"},
      {"revival adjustment adoption homologous effective", "reviv adjust adopt homolog effect"},
      {"probate rate controlling roll", "probat rate control roll"},
      {"Zürich naïve 東京 €", "zurich naiv 東 京 €"},
      {"...!? -", ""},
  };
  for (const Row& row : rows) {
    INFO(row.text);
    CHECK(Join(Cut("english", row.text)) == row.tokens);
    CHECK(Join(Cut("english", row.tokens)) == row.tokens);
  }
}

TEST_CASE("ptb cuts as the Penn Treebank is cut, in lower case") {
  const std::pair<const char*, const char*> rows[] = {
      {"Good muffins cost $3.88. Please buy me two.",
       "good muffins cost $ 3.88 . please buy me two ."},
      {"Don't cry, it's John's \"best\" friend (he said) -- isn't it?",
       "do n't cry , it 's john 's `` best '' friend ( he said ) -- is n't it ?"},
      {"\"We cannot go,\" she said; 'tis gonna rain... Wow!!",
       "`` we can not go , '' she said ; 't is gon na rain ... wow !!"},
      {"The U.S. and Mr. Smith agree.", "the u.s. and mr. smith agree ."},
      {"Visit http://a.org/b?c=d, or mail @user and/or call at 10:30.",
       "visit <url> , or mail <user> and\\/or call at 10:30 ."},
      {"The dogs' well-known owner paid 1,000.50 pounds, 50%, 1/2 of AT&T",
       "the dogs ' well-known owner paid 1,000.50 pounds , 50 % , 1\\/2 of at&t"},
      {"He\u2019s O'Neil\u2019s \u201Cfriend\u201D \u2013 they'd better\u2026",
       "he 's o'neil 's `` friend '' -- they 'd better ..."},
      {"[a] {b} 'single' etc. J. R. Tolkien, \u00DCber caf\u00E9 \u65E5\u672C",
       "[ a ] { b } ` single ' etc. j. r. tolkien , \u00FCber caf\u00E9 \u65E5\u672C"},
      {"a\xFF"
       "b (",
       "a \uFFFD b ("},
  };
  for (const auto& [text, tokens] : rows) CHECK(Join(Cut("ptb", text)) == tokens);
}

TEST_CASE(
    "tweet cuts as NLTK's tokenizer of tweets does, and folds URLs and names as the authors did") {
  const std::pair<const char*, const char*> rows[] = {
      {"This is a cooool #smiley: :-) :-P <3 and arrows < > -> <--",
       "this is a cooool #smiley : :-) :-p <3 and arrows < > -> <--"},
      {"@remy: waaaay too much!!!!!!", "<user> : waaaay too much ! ! !"},
      {"RT @john_doe: see http://t.co/abc123, it's great :D #win #a",
       "rt <user> : see <url> , it's great :d #win # a"},
      {"www.example.com or example.org/path?x=1 now. foo.bar@example.com!",
       "<url> or example.org/path?x=1 now . foo.bar<user> !"},
      {"+1 (555) 123-4567 or 555 1234", "+1 (555) 123-4567 or 555 1234"},
      {"I paid $3.50 for 1,000 on 12/25/2013... rock-n-roll",
       "i paid $ 3.50 for 1,000 on 12/25 / 2013 ... rock-n-roll"},
      {"&lt;3 you &amp; me &#8364;5", "<3 you & me \u20AC 5"},
      {"(http://a.org/PC_(x)) end.Next one", "( <url> ) end.next one"},
      {"\U0001F44D\U0001F3FD \U0001F468\u200D\U0001F469 \U0001F1E9\U0001F1EA\U0001F1EB\U0001F1F7",
       "\U0001F44D\U0001F3FD \U0001F468\u200D\U0001F469 \U0001F1E9\U0001F1EA \U0001F1EB\U0001F1F7"},
      {"caf\u00E9 \u00DCBER a-b --- -- =>", "caf\u00E9 \u00FCber a-b - - - - - = >"},
      {"xD </3 =D 8) :'( \xFF", "xd </3 =d 8) :'( \uFFFD"},
  };
  for (const auto& [text, tokens] : rows) CHECK(Join(Cut("tweet", text)) == tokens);
}

TEST_CASE(
    "the profiles of the authors, and of imported models, take time in proportion to the text") {
  for (const char* piece :
       {"a",   "-",      "a-", "a.",      "(",          "<",      "<a",   "@",  "a@",
        "1 ",  "1-",     "#",  "http://", "http://(",   "www.",   "'",    "\"", "&",
        "&#1", "\u65E5", " ",  "\u200D",  "\U0001F1E9", "\u0301", "\xFF", "."}) {
    std::string text;
    while (text.size() < 70000) text += piece;  // more than the longest token has
    for (const std::string& profile : Profiles()) {
      Tokens tokens;
      FindTokenizer(profile)->Tokenize(text, &tokens);
      bool short_enough = true;
      for (size_t i = 0; i < tokens.size(); i++) short_enough &= tokens[i].size() <= 65560;
      CHECK(short_enough);
    }
  }
}

TEST_CASE("a text without tokens gives none") {
  for (const std::string& profile : Profiles()) {
    CHECK(Cut(profile, "").empty());
    CHECK(Cut(profile, " \t\r\n\v\f").empty());
    CHECK(Cut(profile, std::string_view("\0 \0", 3)).empty());
    Tokens tokens;
    FindTokenizer(profile)->Tokenize(std::string_view(), &tokens);
    CHECK(tokens.empty());
  }
  CHECK(Unicode("\u00A0\u3000\u200B\uFEFF\u00AD\x01\x7F").empty());
}

TEST_CASE("a Tokens object can be used again, and tells nothing of the text before") {
  for (const std::string& profile : Profiles()) {
    Tokens tokens;
    for (const char* text : {"a long text of many words é", "b", "", "c d", "\xFF"}) {
      FindTokenizer(profile)->Tokenize(text, &tokens);
      Words words;
      for (size_t i = 0; i < tokens.size(); ++i) words.emplace_back(tokens[i]);
      CHECK(words == Cut(profile, text));
    }
    tokens.Clear();
    tokens.bytes() += "x";
    tokens.EndToken();
    tokens.EndToken();
    REQUIRE(tokens.size() == 1);
    CHECK(tokens[0] == "x");
  }
}

TEST_CASE("unicode cuts a very long word into tokens of at most 256 bytes") {
  const size_t size = 10'000'000;
  const Words words = Unicode(std::string(size, 'A'));
  REQUIRE(words.size() == (size + 255) / 256);
  CHECK(words.front() == std::string(256, 'a'));
  CHECK(words.back() == std::string(size % 256, 'a'));
  // Around the limit, with every kind of character across it.
  for (size_t n = 240; n < 262; ++n) {
    for (const char* end : {"", "'b", "'é", "é", "éé", "e\u0301\u0302\u0303", "\u0915\u093C", "𐐀",
                            "'\u0915\u093C", "1.2", "1,٣", "_", "σ", "Σσσσσσσ", "Σ'бб", "-x"}) {
      CheckText(std::string(n, 'a') + end);
      CheckText(std::string(n, 'a') + end + std::string(n, 'Z') + end);
    }
  }
  CHECK(Unicode(std::string(255, 'a') + "é") == Words{std::string(255, 'a'), "é"});
  CHECK(Unicode(std::string(255, 'a') + "e\u0302\u0323\u0301") ==
        Words{std::string(255, 'a'), "ệ\u0301"});
  CHECK(Unicode(std::string(255, 'a') + "'b") == Words{std::string(255, 'a'), "'", "b"});
  CHECK(Unicode(std::string(254, 'a') + "'b") == Words{std::string(254, 'a') + "'b"});
}

TEST_CASE("unicode takes any number of marks in linear time and keeps thirty") {
  std::string marks;
  for (int i = 0; i < 300'000; ++i) marks += i % 2 == 0 ? "\u0315" : "\u0316";
  for (const char* base : {"", "x", "é", "!", "漢", "\u0958"}) {
    const Words words = Unicode(base + marks);
    REQUIRE(words.size() == 1);
    CHECK(words[0].size() <= std::strlen(base) + 3 + 2 * 30);
    CheckText(base + marks);
  }
  std::string expanding;
  for (int i = 0; i < 100'000; ++i) expanding += "\u0344\U0001D160\u0958\uFB2C";
  CheckText(expanding);
}

TEST_CASE("unicode knows every single byte and every two bytes") {
  std::string text;
  for (int a = 0; a < 256; ++a) {
    CheckText(std::string(1, static_cast<char>(a)));
    for (int b = 0; b < 256; ++b) {
      text = {static_cast<char>(a), static_cast<char>(b)};
      CheckText(text);
      CheckText("x" + text + "y");
    }
  }
}

TEST_CASE("every character keeps the rules, alone and between others") {
  for (uint32_t c = 1; c <= 0x10FFFF; c += c < 0x3000 || (c >= 0xF900 && c < 0x20000) ? 1 : 97) {
    std::string text;
    if (c < 0x80) {
      text = {static_cast<char>(c)};
    } else if (c < 0x800) {
      text = {static_cast<char>(0xC0 | c >> 6), static_cast<char>(0x80 | (c & 63))};
    } else if (c < 0x10000) {
      text = {static_cast<char>(0xE0 | c >> 12), static_cast<char>(0x80 | (c >> 6 & 63)),
              static_cast<char>(0x80 | (c & 63))};
    } else {
      text = {static_cast<char>(0xF0 | c >> 18), static_cast<char>(0x80 | (c >> 12 & 63)),
              static_cast<char>(0x80 | (c >> 6 & 63)), static_cast<char>(0x80 | (c & 63))};
    }
    CheckText(text);
    CheckText("A" + text + "\u0301'" + text + "." + text + text);
  }
}

TEST_CASE("random texts keep the rules") {
  const std::string_view pieces[] = {
      "a",        "Z",      "q",      "5",      "0",        "_",        " ",
      " ",        "'",      "'",      ".",      ",",        "-",        "!",
      "\"",       "\t",     "é",      "E",      "\u0301",   "\u0323",   "\u0307",
      "\u0344",   "\u0315", "I",      "İ",      "Σ",        "σ",        "ς",
      "б",        "’",      "“",      "漢",     "か",       "\u3099",   "ﾊ",
      "ﾞ",        "１",     "．",     "＇",     "ก",        "า",        "ิ",
      "\u1100",   "\u1161", "\u11A8", "가",     "\u0915",   "\u093C",   "\u0958",
      "\u00AD",   "\u200B", "\u200D", "\uFE0F", "👍",        "🏽",     "🇫",
      "🇷",        "²",      "\u00A0", "\xFF",   "\xE2\x82", "\xF0\x9F", "\xED\xA0\x80",
      "abcdefgh", "the",    "٣",      "\uFB2C", "=",        "\u0338",   "\U0001D15E",
  };
  std::mt19937 random(20240607);
  std::string text;
  const int share = s2v::testing::Emulated() ? 10 : 1;
  for (int round = 0; round < 100'000 / share; ++round) {
    text.clear();
    const size_t count = 1 + random() % 24;
    for (size_t i = 0; i < count; ++i) text += pieces[random() % std::size(pieces)];
    CheckText(text);
  }
  for (int round = 0; round < 50'000 / share; ++round) {  // plain bytes, half of them ASCII
    text.resize(1 + random() % 40);
    for (char& c : text) c = static_cast<char>(random() % (round % 2 == 0 ? 256 : 128));
    CheckText(text);
  }
  for (int round = 0; round < 2'500 / share; ++round) {  // words far beyond 256 bytes
    text.clear();
    const size_t kinds = 1 + random() % 6;
    std::string_view few[6];
    for (auto& piece : few) piece = pieces[random() % std::size(pieces)];
    while (text.size() < 900) text += few[random() % kinds];
    CheckText(text);
  }
}

TEST_CASE("threads may share a tokenizer from its first use") {
  std::string text;
  for (char a = '\x81'; a < '\xBF'; ++a) text += std::string("\xE4") + a + "\x80\xE1" + a + "\x81 ";
  std::vector<Words> results(4);
  std::vector<std::thread> threads;
  for (Words& result : results) threads.emplace_back([&] { result = Unicode(text); });
  for (std::thread& thread : threads) thread.join();
  for (const Words& result : results) CHECK(result == results[0]);
}

TEST_CASE("whitespace splits at ASCII white space and NUL and keeps every other byte") {
  CHECK(Cut("whitespace", "  The  cat\tsat\non\vthe\fmat\r.\r\n") ==
        Words{"The", "cat", "sat", "on", "the", "mat", "."});
  CHECK(Cut("whitespace", std::string_view("a\0b\0\0c", 6)) == Words{"a", "b", "c"});
  CHECK(Cut("whitespace", "Don't É\u00A0x \xFF\xC3 \x01\x7F") ==
        Words{"Don't", "É\u00A0x", "\xFF\xC3", "\x01\x7F"});
  for (int c = 0; c < 256; ++c) {
    const std::string byte(1, static_cast<char>(c));
    const bool separates = c == 0 || c == ' ' || (c >= '\t' && c <= '\r');
    CHECK(Cut("whitespace", "a" + byte + "b") ==
          (separates ? Words{"a", "b"} : Words{"a" + byte + "b"}));
  }
}

TEST_CASE("whitespace cuts a token of more than 65535 bytes into pieces") {
  for (const size_t size : {size_t{65534}, size_t{65535}, size_t{65536}, size_t{131070},
                            size_t{131071}, size_t{10'000'000}}) {
    const Words words = Cut("whitespace", "x " + std::string(size, 'A') + " y");
    REQUIRE(words.size() == 2 + (size + 65534) / 65535);
    size_t total = 0;
    for (size_t i = 1; i + 1 < words.size(); ++i) {
      CHECK(words[i].size() == std::min<size_t>(65535, size - total));
      total += words[i].size();
    }
    CHECK(total == size);
  }
}
