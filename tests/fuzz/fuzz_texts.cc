// Fuzzing of what cuts texts and reads questions: tokenizers of all languages, the finding of
// languages, the syntax of a search field, corrections, and passages.
//
//   build/tests/s2v_fuzz_texts --seconds 600 --seed 1      best with
//   -DS2V_SANITIZE=address,undefined
//
// Each execution makes a text of letters of many scripts, signs, marks, pieces of words and bytes
// that are no UTF-8, now and then a long one; half of the texts have all characters of one script
// besides. What must hold: no crash and no sanitizer report; terms and places within their bounds;
// a question with the text has an answer, and the passages shown are UTF-8; nothing takes longer
// than kSlowSeconds of processor time.
//
//   --profile german --profile 'wordpiece(clean,han)'   cut by these, and no index is asked, which takes most of the time
//   --script thai                                       all texts have characters of this script (kScripts)
#include <sqlite3.h>

#include <string>
#include <string_view>
#include <vector>

#include "core/random.h"
#include "core/search/question.h"
#include "core/text/edit_distance.h"
#include "core/text/languages.h"
#include "core/text/letters.h"
#include "core/text/passages.h"
#include "core/text/tokenizer.h"
#include "core/text/utf8.h"
#include "core/text/word_places.h"
#include "ext/s2v.h"
#include "tests/fuzz/fuzz.h"

namespace s2v {
namespace {

#ifdef __SANITIZE_ADDRESS__
constexpr double kSlowSeconds = 60;  // a text that takes 0.5 s otherwise takes 8 to 10
#else
constexpr double kSlowSeconds = 10;
#endif
constexpr size_t kLongestTerm = 8192;  // of ptb: 2,001 characters
constexpr size_t kLongestCut = 65536;

constexpr std::string_view kPieces[] = {"a",
                                        "Z",
                                        "the",
                                        "der",
                                        "Haus",
                                        "houses",
                                        "camelCase",
                                        "snake_case",
                                        "C++",
                                        "c#",
                                        ".NET",
                                        "3.14",
                                        "x@y.de",
                                        " ",
                                        " ",
                                        " ",
                                        "\n",
                                        "\"",
                                        "'",
                                        "-",
                                        "*",
                                        ":",
                                        "body:",
                                        "NOT ",
                                        " AND ",
                                        " OR ",
                                        "NEAR(",
                                        ", 3)",
                                        "^",
                                        "(",
                                        ")",
                                        "+",
                                        "#",
                                        "<b>",
                                        "</p>",
                                        "<!--",
                                        "-->",
                                        "<script>",
                                        "&amp;",
                                        "&#x",
                                        ";",
                                        "[",
                                        "](",
                                        "`",
                                        "```",
                                        "{",
                                        "}",
                                        "\\u00",
                                        ",",
                                        "é",
                                        "ß",
                                        "İ",
                                        "ı",
                                        "ﬁ",
                                        "Ｗ",
                                        "東京",
                                        "都",
                                        "プログラム",
                                        "ﾌﾟ",
                                        "한국어",
                                        "ภาษา",
                                        "हिन्दी",
                                        "الكِتَابُ",
                                        "ـ",
                                        "עִברִית",
                                        "дом",
                                        "ёлка",
                                        "ὀδυσσεύς",
                                        "\xCC\x81",
                                        "\xE2\x80\x8B",
                                        "\xE2\x80\xAE",
                                        "\xC2\xAD",
                                        "🙂",
                                        "\xF0\x9F\x91\xA8\xE2\x80\x8D\xF0\x9F\x91\xA9",
                                        "\xF4\x8F\xBF\xBF",
                                        "\xEF\xBF\xBF",
                                        "\xED\xA0\x80",
                                        "\xC0\x80",
                                        "\xFF",
                                        "\xE6",
                                        "\xF0\x9F"};

struct ScriptRange {
  std::string_view name;
  uint32_t first, last;
};
constexpr ScriptRange kScripts[] = {
    {"latin", 0xA0, 0x24F},         {"vietnamese", 0x1E80, 0x1EFF},   {"greek", 0x370, 0x3FF},
    {"cyrillic", 0x400, 0x52F},     {"armenian", 0x530, 0x58F},       {"hebrew", 0x590, 0x5FF},
    {"arabic", 0x600, 0x6FF},       {"arabic-forms", 0xFB50, 0xFEFF}, {"devanagari", 0x900, 0x97F},
    {"indic", 0x980, 0xDFF},        {"thai", 0xE00, 0xE7F},           {"lao", 0xE80, 0xEFF},
    {"burmese", 0x1000, 0x109F},    {"khmer", 0x1780, 0x17FF},        {"jamo", 0x1100, 0x11FF},
    {"hangul", 0xAC00, 0xD7FF},     {"kana", 0x3040, 0x30FF},         {"han", 0x4E00, 0x4E80},
    {"wide-forms", 0xFF00, 0xFFFF}, {"signs", 0x2000, 0x25FF},        {"squares", 0x3300, 0x33FF},
    {"rare-han", 0x1FFF0, 0x20100}, {"any", 0x80, 0x10FFFF}};

// scripts: those that its characters may be of; none: half of the texts have some of any.
std::string RandomText(const std::vector<const ScriptRange*>& scripts, Random* random) {
  const ScriptRange* script = nullptr;
  if (!scripts.empty()) {
    script = scripts[random->Below(static_cast<uint32_t>(scripts.size()))];
  } else if (random->Below(2) == 0) {
    script = &kScripts[random->Below(static_cast<uint32_t>(std::size(kScripts)))];
  }
  std::string text;
  const uint32_t most = random->Below(50) == 0 ? 20000 : 40;
  const uint32_t pieces = random->Below(most);
  for (uint32_t i = 0; i < pieces; i++) {
    std::string piece(kPieces[random->Below(std::size(kPieces))]);
    if (script != nullptr && random->Below(4) != 0) {
      piece.clear();
      for (uint32_t n = random->Below(8); n > 0; n--) {
        AppendPoint(
            static_cast<int32_t>(script->first + random->Below(script->last - script->first + 1)),
            &piece);
      }
    }
    const uint32_t times = random->Below(40) == 0 ? random->Below(300) : 1;
    for (uint32_t n = 0; n < times; n++) text += piece;
    if (random->Below(20) == 0) text += static_cast<char>(random->Below(256));
  }
  return text;
}

void CheckSpelling(std::string_view word, std::string_view other) {
  const std::string plain = PlainWord(word, /*has_all_forms=*/true);
  if (EditDistance(word, other) != EditDistance(other, word))
    Fail("a distance that is not the same both ways");
  StemDistance(plain, other, 3);
  if (plain.size() <= 40) WordsOneEditAway(plain);
}

void CheckPassages(std::string_view text, Random* random) {
  size_t begin = 0;
  for (const size_t end : CutPassages(text, 1 + random->Below(50), 1 + random->Below(100),
                                      1 + random->Below(kPassageRules))
                              .ends) {
    if (end < begin || end > text.size()) Fail("a passage's place");
    begin = end;
  }
  if (begin != text.size()) Fail("passages that end before the text does");
}

void CheckCutting(const std::string& text, const std::vector<const Tokenizer*>& tokenizers,
                  Random* random) {
  const Tokenizer& tokenizer = *tokenizers[random->Below(static_cast<uint32_t>(tokenizers.size()))];
  Tokens terms;
  tokenizer.CutTerms(text, /*with_parts=*/true, &terms);
  for (size_t i = 0; i < terms.size(); i++) {
    // What `whitespace` gets was cut by somebody else, and words of imported models are cut into
    // pieces.
    const bool is_cut_elsewhere =
        tokenizer.name() == "whitespace" || tokenizer.pieces() != PieceKind::kNone;
    if (terms[i].empty() || terms[i].size() > (is_cut_elsewhere ? kLongestCut : kLongestTerm))
      Fail("a term of " + std::to_string(terms[i].size()) + " bytes, " + tokenizer.name());
  }
  tokenizer.Tokenize(text, &terms);
  LanguageDetector detector;
  for (int i = 0; i < 3; i++) detector.Add(text);
  if (FindTokenizer(detector.Guess().tokenizer) == nullptr) Fail("a guess that is no tokenizer");
  size_t end = 0;
  std::string_view before;
  for (const WordPlace& place : FindWords(text, tokenizer.reading())) {
    if (place.begin < end || place.end <= place.begin || place.end > text.size())
      Fail("a word's place");
    end = place.end;
    const std::string_view word =
        std::string_view(text).substr(place.begin, place.end - place.begin);
    if (word.size() < 100 && random->Below(10) == 0) CheckSpelling(word, before);
    before = FirstLetters(word, 40);
  }
  CheckPassages(text, random);
  const std::vector<std::string> columns = {"body", "title"};
  const search::ReadQuestion read = search::ReadSearchField(text, columns);
  if (read.required.size() + read.excluded.size() > text.size()) Fail("more conditions than bytes");
}

// A table with an index, in German and English.
sqlite3* OpenIndexed() {
  sqlite3* db = nullptr;
  const int code =
      sqlite3_open(":memory:", &db) | sqlite3_s2v_init(db, nullptr, nullptr) |
      sqlite3_exec(
          db,
          "CREATE TABLE docs(id INTEGER PRIMARY KEY, body TEXT);"
          "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 199) INSERT INTO docs(body) SELECT "
          "'the ' || substr('red old big new', 1 + i % 4 * 4, 3) || ' houses of der Hund und die ' || "
          "substr('Katze Haus  Strasse', 1 + i % 3 * 6, 6) || ' ' || substr('東京都 京都', 1 + i % 5, 2) FROM n;"
          "SELECT s2v_train('docs', 'body', '{\"dimension\": 8, \"epochs\": 1, \"min_count\": 1, \"min_target_count\": 1, "
          "\"tokenizer\": \"german+english\"}');"
          "CREATE VIRTUAL TABLE s USING s2v_index(docs, body);"
          "CREATE VIRTUAL TABLE p USING s2v_index(docs, body, passages = 3)",
          nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) Fail(std::string("setting up: ") + sqlite3_errmsg(db));
  return db;
}

bool IsUtf8(std::string_view text) {
  return WholeCharacters(text, text.size()) == text.size();
}

// The text is a row, and asks for rows.
void CheckSearching(sqlite3* db, const std::string& text) {
  const auto run = [&](const char* sql) {
    sqlite3_stmt* statement = nullptr;
    if (sqlite3_prepare_v2(db, sql, -1, &statement, nullptr) != SQLITE_OK) Fail(sqlite3_errmsg(db));
    sqlite3_bind_text(statement, 1, text.data(), static_cast<int>(text.size()), SQLITE_STATIC);
    int code = SQLITE_ROW;
    while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
      for (int i = 0; i < sqlite3_column_count(statement); i++) {
        if (sqlite3_column_type(statement, i) != SQLITE_TEXT) continue;
        const auto* bytes = reinterpret_cast<const char*>(sqlite3_column_text(statement, i));
        const std::string_view shown(bytes,
                                     static_cast<size_t>(sqlite3_column_bytes(statement, i)));
        if (IsUtf8(text) && !IsUtf8(shown)) Fail("a character was cut");
      }
    }
    const bool is_refused =
        std::string_view(sqlite3_errmsg(db)).find("FTS5's syntax: ") != std::string_view::npos;
    if (code != SQLITE_DONE && !is_refused) Fail(std::string(sql) + ": " + sqlite3_errmsg(db));
    sqlite3_finalize(statement);
  };
  run("UPDATE docs SET body = ?1 WHERE id = 7");
  run("SELECT s2v_snippet(s, 0, '<', '>', '...', 8, 'html'), s2v_highlight(s, 0, '<', '>'), corrections FROM s(?1, 3)");
  run("SELECT s2v_snippet(s, 0, '<', '>', '...', 8) FROM s(?1, 3, 'fts5')");
  run("SELECT s2v_snippet(s, 0, '<', '>', '...', 8) FROM s('houses', 3, 'words') WHERE rowid = 7 OR ?1 IS NULL");
  run("SELECT passage, passage_at, s2v_snippet(p, 0, '<', '>', '...', 8, 'html') FROM p(?1, 3)");
  run("SELECT passage FROM p('houses', 3, 'words') WHERE rowid = 7 OR ?1 IS NULL");
  run("SELECT passage, passage_at FROM p(?1, 3, 'fts5')");
}

std::vector<const Tokenizer*> AllProfiles() {
  std::vector<const Tokenizer*> profiles;
  for (const Tokenizer* tokenizer : AllTokenizers()) profiles.push_back(tokenizer);
  for (const char* name :
       {"neutral", "german+english", "english+neutral", "html:english", "markdown:german+english",
        "json:neutral", "arabic+russian+hindi", "wordpiece(clean,han,accents,lower)",
        "unigram(nmt,nfkc,squeeze,strip)", "characters(3,6,unicode)"}) {
    profiles.push_back(FindTokenizer(name));
  }
  for (const Language& language : Languages()) {
    if (language.has_stemmer) profiles.push_back(FindTokenizer(language.name));
  }
  return profiles;
}

int FuzzTexts(int argc, char** argv) {
  std::vector<std::string> profile_names, script_names;
  std::vector<const Tokenizer*> profiles;
  std::vector<const ScriptRange*> scripts;
  sqlite3* db = nullptr;
  const auto prepare = [&] {
    for (const std::string& name : profile_names) {
      profiles.push_back(FindTokenizer(name));
      if (profiles.back() == nullptr) Fail("no profile has the name " + name);
    }
    for (const std::string& name : script_names) {
      const size_t before = scripts.size();
      for (const ScriptRange& script : kScripts) {
        if (script.name == name) scripts.push_back(&script);
      }
      if (scripts.size() == before) Fail("no script has the name " + name);
    }
    if (!profiles.empty()) return;
    profiles = AllProfiles();
    db = OpenIndexed();
  };
  const std::vector<FuzzOption> options = {{"--profile", &profile_names},
                                           {"--script", &script_names}};
  const uint64_t executions = Fuzz("s2v_fuzz_texts", argc, argv, options, [&](Random* random) {
    if (profiles.empty()) prepare();
    const std::string text = RandomText(scripts, random);
    const double begun = SpentSeconds();
    CheckCutting(text, profiles, random);
    if (db != nullptr) CheckSearching(db, text);
    if (SpentSeconds() - begun > kSlowSeconds) Fail("too slow");
  });
  sqlite3_close(db);
  return executions > 0 ? 0 : 1;
}

}  // namespace
}  // namespace s2v

int main(int argc, char** argv) {
  return s2v::FuzzTexts(argc, argv);
}
