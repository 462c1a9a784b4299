// An index of rows in several languages: how rare a word is and how long rows are is counted among
// the rows in the question's own.
#include "sql/index_languages.h"

#include <cmath>

#include "core/error.h"
#include "core/text/tokenizer.h"
#include "tests/support/database.h"

namespace s2v {
namespace {

using namespace testing;

// 400 rows in German, of 16 words, and 200 in English behind them, of 8.
struct Mixed {
  Database db;

  explicit Mixed(int rows = 400) {
    db.Exec(
        "CREATE TABLE docs(id INTEGER PRIMARY KEY, body TEXT);"
        "WITH RECURSIVE n(i) AS (VALUES(1) UNION ALL SELECT i + 1 FROM n LIMIT " +
        std::to_string(rows) +
        ") INSERT INTO docs(body) SELECT "
        "'Der Hund und die Katze sind nicht auf dem Sofa und das Haus ist blau' || char(32) || i FROM n;"
        "WITH RECURSIVE n(i) AS (VALUES(1) UNION ALL SELECT i + 1 FROM n LIMIT " +
        std::to_string(rows / 2) +
        ") INSERT INTO docs(body) SELECT "
        "'the kitten of the sea was red ' || i FROM n;"
        "UPDATE docs SET body = 'the kittenish boat and the harbour' WHERE id = (SELECT max(id) FROM docs);");
    Train(&db, "docs", "\"tokenizer\":\"german+english\"");
    db.Exec("CREATE VIRTUAL TABLE s USING s2v_index(docs, body)");
  }
  search::LanguageRows Rows(const std::string& language) {
    return FindLanguageRows(db.get(), ReadIndexDefinition(db.get(), "main", "s"),
                            *FindTokenizer("german+english"), language);
  }
};

TEST_CASE("rows in a language are told by a sample of the index") {
  Mixed s;
  const search::LanguageRows german = s.Rows("german"), english = s.Rows("english");
  CHECK(german.share + english.share == doctest::Approx(1));
  CHECK(english.share == doctest::Approx(1 / 3.0).epsilon(0.1));
  const double mean = (400 * 16 + 200 * 8) / 600.0;
  CHECK(german.size == doctest::Approx(16 / mean).epsilon(0.1));
  CHECK(english.size == doctest::Approx(8 / mean).epsilon(0.1));
  // Nothing is known of a language that is not the profile's, of one with hardly a row, or of an
  // index without rows.
  CHECK(s.Rows("french").share == 1);
  s.db.Exec("DELETE FROM docs WHERE id BETWEEN 401 AND 595; INSERT INTO s(s) VALUES('sync')");
  CHECK(s.Rows("english").share == 1);
  s.db.Exec("DELETE FROM docs; INSERT INTO s(s) VALUES('sync')");
  CHECK(s.Rows("german").share == 1);
}

TEST_CASE("rowids at the ends of their range are no obstacle") {
  Mixed s(60);
  s.db.Exec(
      "UPDATE docs SET id = 9223372036854775807 WHERE id = 1; UPDATE docs SET id = -9223372036854775808 WHERE id = 2;"
      "INSERT INTO s(s) VALUES('sync')");
  const search::LanguageRows german = s.Rows("german");
  CHECK(german.share > 0);
  CHECK(german.share <= 1);
}

TEST_CASE(
    "a question in English asks for no parts of words, one whose language is not clear does") {
  Mixed s;
  const auto has_kittenish = [&](const std::string& question) {
    return s.db.Count("s('" + question + "', 1000, 'words') WHERE rowid = 600");
  };
  CHECK(has_kittenish("kittens") == 1);
  CHECK(has_kittenish("which of kittens") == 0);
}

TEST_CASE("however many parts the words of a question have, all of its words count") {
  Database db = WordIndex("s2v german parts");
  std::string question;
  for (int i = 0; i < 32; i++) {
    std::string word;  // that shares no part with the others
    for (int j = 0; j < 14; j++)
      word += static_cast<char>('a' + (i * 7 + j * (i + 1) + j * j) % 26);
    db.Exec("INSERT INTO t(body) VALUES('Der " + word + "')");
    question += word + " ";
    if (i == 15) db.Exec("INSERT INTO s(s) VALUES('sync')");
  }
  CHECK(db.Count("s('" + question + "', 99, 'words')") == 32);
}

TEST_CASE(
    "Persian endings behind a zero-width non-joiner, Armenian marks within words, flags: found, demanded, excluded and marked") {
  Database db = WordIndex("s2v neutral parts");
  db.Exec(
      "INSERT INTO t(body) VALUES('کتاب برای زن‌ها است'), ('پنیر و تخم‌مرغ'), ('Որտե՞ղ ես դու'), ('մա՛րդ'), ('in 🇩🇪 with')");
  WaitingAndIndexed(&db, [&] {
    for (const auto& one : {std::pair{"زن", "1"},
                            {"\"زن ها\"", "1"},
                            {"زن‌ها", "1"},
                            {"زنها", "1"},
                            {"زنه*", "1"},
                            {"زن\u200c\u200cه*", "1"},
                            {"\"تخم مرغ\"", "2"},
                            {"پنیر -مرغ", ""},
                            {"تخم‌مر*", "2"},
                            {"\"որտեղ\"", "3"},
                            {"մարդ", "4"},
                            {"մար*", "4"},
                            {"🇩🇪", "5"}}) {
      CAPTURE(one.first);
      CHECK(FoundRows(&db, one.first, "both") == one.second);
    }
    CHECK(db.Text("SELECT s2v_highlight(s, 0, '[', ']') FROM s('زن', 1)") ==
          "کتاب برای [زن‌ها] است");
    CHECK(db.Text("SELECT s2v_highlight(s, 0, '[', ']') FROM s('որտեղ', 1)") == "[Որտե՞ղ] ես դու");
    CHECK(db.Text("SELECT s2v_highlight(s, 0, '[', ']') FROM s('🇩🇪', 1)") == "in [🇩🇪] with");
  });
}

TEST_CASE(
    "the language is that of the index's own table, whatever the names of schemas and tables") {
  Database db;
  db.Exec(
      "ATTACH ':memory:' AS z; CREATE TABLE \"z.t\"(body); INSERT INTO \"z.t\" VALUES('which of them was there with this and that, but not from their own');"
      "ATTACH ':memory:' AS \"x.y\"");
  for (const char* schema : {"z", "\"x.y\""}) {
    const std::string of = std::string(schema) + ".";
    db.Exec(
        "CREATE TABLE " + of + "t(body); CREATE VIRTUAL TABLE " + of +
        "s USING s2v_index(t, body);"
        "WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 50) INSERT INTO " +
        of +
        "t SELECT 'der Hund und die Katze sind nicht mit dem von einer ' || i FROM n; INSERT INTO " +
        of + "s(s) VALUES('rebuild')");
    CHECK(db.Text("SELECT value FROM " + of + "s_config WHERE name = 'tokenize'") ==
          "auto s2v german parts");
  }
}

TEST_CASE(
    "words of an index whose model has no language are cut as all of its columns are written, and by the model's format") {
  Database db;
  db.Exec(
      "CREATE TABLE docs(id INTEGER PRIMARY KEY, title TEXT, body TEXT);"
      "WITH RECURSIVE n(i) AS (VALUES(1) UNION ALL SELECT i + 1 FROM n LIMIT 300) INSERT INTO docs SELECT i, i, "
      "'der Hund und die Katze sind nicht auf dem Sofa ' || iif(i % 10, '', '<a href=\"/garten\">') || i FROM n");
  db.Exec(
      "SELECT s2v_train('docs', 'body', '{\"tokenizer\":\"html:unicode\",\"dimension\":5,\"workers\":1}');"
      "CREATE VIRTUAL TABLE s USING s2v_index(docs, title, body)");
  CHECK(db.Text("SELECT value FROM s_config WHERE name = 'tokenize'") ==
        "auto s2v html:german parts");
  CHECK(db.Count("s('garten ', 9, 'words')") == 0);
  CHECK(db.Count("s('hund ', 9, 'words')") == 9);
}

TEST_CASE(
    "of rows with the same syllables those come first that have them as the question does: Vietnamese, and triples of Thai") {
  Database db;
  db.Exec(
      "CREATE TABLE docs(id INTEGER PRIMARY KEY, body TEXT);"
      "CREATE VIRTUAL TABLE s USING s2v_index(docs, body, tokenize = 's2v neutral parts');"
      "INSERT INTO docs(body) VALUES('sinh học và đại cương'), ('đại học và sinh viên'), ('học sinh giỏi toán học'), ('một điều khác, lớn hơn'),"
      "('กา แฟ กาก'), ('กาแฟ'), ('แฟกา'); INSERT INTO s(s) VALUES('sync')");
  CHECK(db.Int("SELECT rowid FROM s('đại học ', 1, 'words')") == 2);
  CHECK(db.Int("SELECT rowid FROM s('đại cương ', 1, 'words')") == 1);
  CHECK(db.Text("SELECT group_concat(rowid) FROM (SELECT rowid FROM s('học sinh ', 2, 'words'))")
            .starts_with("3"));
  CHECK(db.Int("SELECT rowid FROM s('กาแฟ ', 1, 'words')") == 6);
  db.Exec("INSERT INTO s(s) VALUES('integrity-check')");
}

TEST_CASE(
    "a word that all rows of its language have says nothing, as in a table of that language alone") {
  Mixed s;
  // "kitten" has half of the German rows' number of rows, so it would count among all rows.
  CHECK(s.db.Int("SELECT rowid FROM s('which of the kitten harbour', 1)") == 600);
  const std::string bm25 = s.db.Text("SELECT bm25 FROM s('which of the harbour', 1)");
  const double size = 6, mean = 8000 / 600.0;
  const double idf = std::log((600 - 1 + 0.5) / (1 + 0.5));
  // FTS5's, of all rows
  CHECK(std::stod(bm25) > idf * 2.2 / (1 + 1.2 * (0.25 + 0.75 * size / mean)) - 0.1);
}

TEST_CASE("what is stored of a row is checked where a question reads it") {
  Mixed s;
  s.db.Exec("UPDATE s_entry SET terms = x'ffff' WHERE id = 1");
  CHECK(Contains(s.db.Error("SELECT * FROM s('which of the kittens', 3)"),
                 "terms of a row are no numbers"));
  s.db.Exec("UPDATE s_entry SET terms = x''");
  CHECK(Contains(s.db.Error("SELECT * FROM s('which of the kittens', 3)"),
                 "terms of a row are no numbers"));
}

TEST_CASE("a Hebrew acronym is found behind a preposition, with its sign and without") {
  Database db = WordIndex("s2v neutral parts");
  db.Exec(
      "INSERT INTO t(body) VALUES('שירות בצה\"ל'), ('טיסות זולות לחו״ל'), ('כתובת דוא\"ל'), ('המנכ\"ל החדש'), ('פקיד בחל\"ל'), ('סניף מיכל'), ('Ґрунт для розсади'), ('Ціна 100 грн')");
  WaitingAndIndexed(&db, [&] {
    const auto first = [&](const std::string& question) {
      return db.Int("SELECT ifnull(max(rowid), 0) FROM s('" + question + "', 1)");
    };
    for (const char* question : {"צה\"ל", "צה״ל", "צהל"}) CHECK(first(question) == 1);
    for (const char* question : {"חו\"ל", "חול"}) CHECK(first(question) == 2);
    CHECK(first("מנכל") == 4);
    for (const char* question : {"ґрунт", "грунт", "грун*", "\"грунт\""})
      CHECK(first(question) == 7);
  });
  db.Exec("INSERT INTO s(s) VALUES('integrity-check')");
}

}  // namespace
}  // namespace s2v
