// What was made by a tokenizer's former rules goes on by them: a model, its copies and updates, and
// an index, whose new rows are cut as its old ones were.
#include "core/text/tokenizer.h"
#include "sql/model_writer.h"
#include "tests/sql/trained.h"
#include "tests/support/database.h"

namespace s2v {
namespace {

using namespace testing;

const Tokenizer& First(std::string_view name) {
  const Tokenizer* first = FindTokenizer(name);
  while (first->former() != nullptr) first = first->former();
  return *first;
}

// A model of the table docs, which has 40 rows, by rules that a training would not take any more.
void TrainDocs(Database* db, const Config& config) {
  db->Exec("SELECT body FROM docs");
  SaveModel(db->get(),
            {ParseModelName("docs"),
             R"({"table":"docs","column":"body","where":null,"max_rowid":40})", true},
            test::TrainOn(config, db->rows()), NeverWait);
}

// A table and its model, by the first rules of `german`: arrows are words, and camelCase is
// followed by its parts.
struct Former {
  Database db;
  const int64_t present = FindTokenizer("german")->version(), former = First("german").version();

  Former() {
    db.Exec(
        "CREATE TABLE docs(id INTEGER PRIMARY KEY, body TEXT);"
        "WITH RECURSIVE n(i) AS (VALUES(1) UNION ALL SELECT i + 1 FROM n LIMIT 40) "
        "INSERT INTO docs SELECT i, 'Datei ▸ LibreOffice Haus Nummer' FROM n");
    Config config = TinyConfig();
    config.tokenizer = "german";
    config.tokenizer_version = former;
    TrainDocs(&db, config);
  }
  std::string Tokens(const std::string& text, const std::string& model) {
    return db.Text("SELECT group_concat(token, ' ') FROM s2v_tokens('" + text + "', '" + model +
                   "')");
  }
  int64_t VersionOf(const std::string& index) {
    return db.Int("SELECT value FROM " + index + "_config WHERE name = 'tokenizer_version'");
  }
  std::string Found(const std::string& question) {
    return db.Text("SELECT group_concat(rowid) FROM (SELECT rowid FROM s('" + question +
                   "', 50, 'words') WHERE rowid > 39 ORDER BY 1)");
  }
};

TEST_CASE("a copy and an update of a model have its rules") {
  Former s;
  const std::string tokens = s.Tokens("LibreOffice ▸", "docs");
  CHECK(tokens == "libreoffic libr offic ▸");
  s.db.Exec("SELECT s2v_convert('docs', 'small', 'int8')");
  CHECK(s.Tokens("LibreOffice ▸", "small") == tokens);
  s.db.Exec("INSERT INTO docs(body) SELECT 'Komet → KreisBahn' FROM docs");
  s.db.Exec("SELECT s2v_update('docs', '{\"workers\":1}')");
  CHECK(s.Tokens("LibreOffice ▸", "docs") == tokens);
  CHECK(s.db.Count("s2v_words('docs') WHERE word IN ('→', 'kreis', 'bahn', 'kreisbahn')") == 4);
  CHECK(s.db.Count("s2v_model WHERE tokenizer_version = " + std::to_string(s.former)) == 2);
  s.db.Exec(
      "SELECT s2v_train('docs', 'body', '{\"tokenizer\":\"german\",\"workers\":1,\"dimension\":5}')");
  CHECK(s.Tokens("LibreOffice ▸", "docs") == "libreoffic");
}

TEST_CASE(
    "an index has its model's rules for old rows and new ones, and the model's new ones when it is made anew") {
  for (const char* tokenize : {"", ", tokenize = 's2v german parts'"}) {
    CAPTURE(tokenize);
    Former s;
    s.db.Exec("CREATE VIRTUAL TABLE s USING s2v_index(docs, body" + std::string(tokenize) + ")");
    CHECK(s.VersionOf("s") == s.former);
    s.db.Exec("INSERT INTO docs VALUES(41, 'Bild ▸ KreisOffice')");
    CHECK(s.Found("▸") == "40,41");  // it waits
    s.db.Exec("INSERT INTO s(s) VALUES('sync'); INSERT INTO s(s) VALUES('integrity-check')");
    CHECK(s.Found("▸") == "40,41");
    CHECK(s.db.Text("SELECT s2v_highlight(s, 'body', '[', ']') FROM s('\"▸ KreisOffice\"', 1)") ==
          "Bild [▸ KreisOffice]");
    s.db.Exec(
        "SELECT s2v_train('docs', 'body', '{\"tokenizer\":\"german\",\"workers\":1,\"dimension\":5}'); INSERT INTO s(s) VALUES('rebuild')");
    CHECK(s.VersionOf("s") == s.present);
    CHECK(s.Found("▸") == "NULL");
    s.db.Exec("INSERT INTO s(s) VALUES('integrity-check')");
  }
}

TEST_CASE("an index that was made before versions were stored has the former rules") {
  Former s;
  s.db.Exec("CREATE VIRTUAL TABLE s USING s2v_index(docs, body)");
  s.db.Exec(
      "DELETE FROM s_config WHERE name = 'tokenizer_version'; INSERT INTO docs VALUES(41, 'Bild ▸ KreisOffice')");
  s.db.Exec("INSERT INTO s(s) VALUES('sync'); INSERT INTO s(s) VALUES('integrity-check')");
  CHECK(s.Found("▸") == "40,41");
  CHECK(s.Found("▸ KreisOffice") == "40,41");
}

TEST_CASE("an index of rules that this library lacks says so, and 'rebuild' is enough") {
  Former s;
  s.db.Exec(
      "CREATE VIRTUAL TABLE s USING s2v_index(docs, body); INSERT INTO docs VALUES(41, 'Bild ▸ KreisOffice')");
  for (const char* version : {"7", "-1", "'text'", "9223372036854775807", "NULL"}) {
    CAPTURE(version);
    s.db.Exec("UPDATE s_config SET value = " + std::string(version) +
              " WHERE name = 'tokenizer_version'");
    // as if there were none
    if (std::string(version) == "'text'" || std::string(version) == "NULL") continue;
    for (const char* sql : {"SELECT * FROM s('Datei', 3)", "SELECT * FROM s('Datei', 3, 'words')",
                            "INSERT INTO s(s) VALUES('sync')"}) {
      CHECK(Contains(
          s.db.Error(sql),
          "'s' was made with other rules of the tokenizer german, which this library lacks; INSERT INTO \"s\"(\"s\") VALUES('rebuild')"));
    }
  }
  s.db.Exec("INSERT INTO s(s) VALUES('rebuild')");
  CHECK(s.VersionOf("s") == s.former);
  CHECK(s.Found("▸") == "40,41");
}

TEST_CASE(
    "an index of vectors, whose words no model cuts, has the present rules from its first row on") {
  Former s;
  s.db.Exec(
      "CREATE TABLE v(id INTEGER PRIMARY KEY, x BLOB, body TEXT);"
      "CREATE VIRTUAL TABLE s USING s2v_index(v, x, words = body, tokenize = 's2v german');"
      "INSERT INTO v SELECT id, s2v_embed(body), body FROM docs; INSERT INTO s(s) VALUES('sync')");
  CHECK(s.VersionOf("s") == s.present);
  CHECK(s.Found("▸") == "NULL");
  CHECK(s.Found("Datei") == "40");
}

TEST_CASE(
    "a model in English that was trained when accents stayed keeps them, and a new one meets words without them") {
  Database db;
  db.Exec(
      "CREATE TABLE docs(id INTEGER PRIMARY KEY, body TEXT);"
      "WITH RECURSIVE n(i) AS (VALUES(1) UNION ALL SELECT i + 1 FROM n LIMIT 40) "
      "INSERT INTO docs SELECT i, 'the Pokémon of the page ' || i FROM n");
  Config config = TinyConfig();
  config.tokenizer = "english";
  config.tokenizer_version = 1;
  TrainDocs(&db, config);
  CHECK(db.Text("SELECT token FROM s2v_tokens('Pokémon', 'docs')") == "pokémon");
  db.Exec("CREATE VIRTUAL TABLE s USING s2v_index(docs, body)");
  CHECK(db.Int("SELECT value FROM s_config WHERE name = 'tokenizer_version'") == 1);
  db.Exec(
      "INSERT INTO docs VALUES(41, 'one more Pokémon'); INSERT INTO s(s) VALUES('sync'); INSERT INTO s(s) VALUES('integrity-check')");
  CHECK(db.Count("s('\"pokémon\"', 50, 'words')") == 41);
  CHECK(db.Count("s('\"pokemon\"', 50, 'words')") == 0);
  db.Exec(
      "SELECT s2v_train('docs', 'body', '{\"tokenizer\":\"english\",\"workers\":1,\"dimension\":5}'); INSERT INTO s(s) VALUES('rebuild')");
  CHECK(db.Int("SELECT value FROM s_config WHERE name = 'tokenizer_version'") ==
        FindTokenizer("english")->version());
  CHECK(db.Count("s('\"pokemon\"', 50, 'words')") == 41);
  CHECK(
      db.Text("SELECT s2v_highlight(s, 'body', '[', ']') FROM s('pokemon', 1)").find("[Pokémon]") !=
      std::string::npos);
}

TEST_CASE(
    "in an index of several languages a phrase has the terms of each by the rules of the index's time") {
  const Tokenizer* rules = FindTokenizer("german+english");
  for (; rules != nullptr; rules = rules->former()) {
    CAPTURE(rules->version());
    Database db;
    db.Exec(
        "CREATE TABLE docs(id INTEGER PRIMARY KEY, body TEXT); CREATE VIRTUAL TABLE s USING s2v_index(docs, body, tokenize = 's2v german+english');"
        "REPLACE INTO s_config VALUES('tokenizer_version', " +
        std::to_string(rules->version()) +
        ");"
        "INSERT INTO docs(body) VALUES('which of the cafés is this'), ('der Hund und die Cafés sind dort'); INSERT INTO s(s) VALUES('sync')");
    CHECK(FoundRows(&db, "\"cafés is\"") == "1");
    CHECK(FoundRows(&db, "\"cafés sind\"") == "2");
  }
}

TEST_CASE(
    "a phrase in small letters goes over camelCase and O'Connor, by the rules of now; by former ones it did not") {
  for (const char* tokenize : {"english", "english parts", "german"}) {
    CAPTURE(tokenize);
    const bool is_english = std::string_view(tokenize) != "german";
    const Tokenizer *rules = FindTokenizer(is_english ? "english" : tokenize), *former = rules;
    constexpr int kRulesSince = 9;
    for (int i = 0; i < kRulesSince && !is_english; i++) former = former->former();
    for (const bool is_former : {false, true}) {
      CAPTURE(is_former);
      const Tokenizer* of_index = !is_former   ? rules
                                  : is_english ? FindTokenizer("english", 3)
                                               : former;
      Database db;
      db.Exec(
          "CREATE TABLE docs(id INTEGER PRIMARY KEY, body TEXT); CREATE VIRTUAL TABLE s USING s2v_index(docs, body, tokenize = 's2v " +
          std::string(tokenize) +
          "');"
          "REPLACE INTO s_config VALUES('tokenizer_version', " +
          std::to_string(of_index->version()) +
          ");"
          "INSERT INTO docs(body) VALUES('so McCarthy had said'), ('had she McCarthy'), ('gitHub javaScript'), ('one more'), ('O''Connor has it'); INSERT INTO s(s) VALUES('sync')");
      CHECK(FoundRows(&db, "\"mccarthy had\"") == (is_former ? "" : "1"));
      CHECK(FoundRows(&db, "\"McCarthy had said\"") == "1");
      CHECK(FoundRows(&db, "had -\"mccarthy had\"") == (is_former ? "1,2" : "2"));
      CHECK(FoundRows(&db, "\"so mccarthy\"") == "1");
      CHECK(FoundRows(&db, "carthy") == "1,2");
      CHECK(FoundRows(&db, "\"git hub\"") == "3");
      CHECK(FoundRows(&db, "\"github javascript\"") == (is_former ? "" : "3"));
      if (is_english) {
        CHECK(FoundRows(&db, "connor") == "5");
        CHECK(FoundRows(&db, "\"o''connor has\"") == (is_former ? "" : "5"));
      }
      CHECK(db.Text("SELECT s2v_highlight(s, 0, '[', ']') FROM s('carthy', 1, 'words')")
                .find("[McCarthy]") != std::string::npos);
      CHECK(
          db.Text("SELECT group_concat(s2v_highlight(s, 0, '[', ']')) FROM s('getId', 9, 'words')")
              .find('[') == std::string::npos);
      db.Exec("INSERT INTO s(s) VALUES('integrity-check')");
    }
  }
}

TEST_CASE("what is marked is cut as the index is, where Hangul stands beside Latin letters") {
  Database db;
  db.Exec(
      "CREATE TABLE docs(id INTEGER PRIMARY KEY, body TEXT);"
      "CREATE VIRTUAL TABLE n USING s2v_index(docs, body, tokenize = 's2v neutral parts');"
      "CREATE VIRTUAL TABLE e USING s2v_index(docs, body, tokenize = 's2v english');"
      "INSERT INTO docs(body) VALUES('AI를 이용한 검색'), ('2024년 예산'), ('다른 문장입니다');"
      "INSERT INTO n(n) VALUES('sync'); INSERT INTO e(e) VALUES('sync')");
  CHECK(db.Text("SELECT s2v_highlight(n, 'body', '[', ']') FROM n('AI', 3, 'words')") ==
        "[AI]를 이용한 검색");
  CHECK(db.Text("SELECT s2v_highlight(n, 'body', '[', ']') FROM n('2024년', 3, 'words')") ==
        "[2024][년] 예산");
  CHECK(db.Text("SELECT s2v_highlight(e, 'body', '[', ']') FROM e('2024년', 3, 'words')") ==
        "[2024년] 예산");
}

}  // namespace
}  // namespace s2v
