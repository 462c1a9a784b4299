// Questions in FTS5's syntax have the rows that FTS5 finds, those that wait too.
#include "core/random.h"
#include "tests/support/database.h"
#include "tests/support/seed.h"

namespace s2v {
namespace {

using namespace testing;

// Words of FillTexts.
std::string RandomWord(Random* random) {
  static const char* const kWords[] = {"red", "fox",  "blue",  "sea",  "old",  "man",
                                       "new", "rain", "falls", "tree", "zebra"};
  return kWords[random->Next() % std::size(kWords)];
}

std::string RandomQuery(Random* random, int depth) {
  const std::string word = RandomWord(random), other = RandomWord(random);
  if (depth > 0 && random->Next() % 3 > 0) {
    static const char* const kSigns[] = {") AND (", ") OR (", ") NOT ("};
    return "(" + RandomQuery(random, depth - 1) + kSigns[random->Next() % 3] +
           RandomQuery(random, depth - 1) + ")";
  }
  switch (random->Next() % 11) {
    case 0:
      return "\"" + word + " " + other + "\"";
    case 1:
      return word.substr(0, 2) + " *";
    case 2:
      return "^" + word;
    case 3:
      return (random->Next() % 2 == 0 ? "title : " : "- title : ") + word;
    case 4:
      return "NEAR(" + word + " " + other + ", " + std::to_string(random->Next() % 4) + ")";
    case 5:
      return "NEAR(" + word + " " + other + " " + RandomWord(random) + "*)";
    case 6:
      return word + " + " + other;
    case 7:
      return word + " " + other;
    case 8:
      return word + " \"!!\" " + other;
    case 9:
      return "NEAR(\"?\" " + word + " " + other + ", 3)";
    default:
      return word;
  }
}

void FillTitles(Database* db) {
  FillTexts(db, "docs", 120);
  db->Exec(
      "ALTER TABLE docs ADD COLUMN title TEXT; UPDATE docs SET title = substr(body, 1, 3 + id % 9)");
  Train(db, "docs");
}

TEST_CASE("random queries have the rows that FTS5 has, waiting rows too") {
  Random random(Seed("random FTS5 queries"));
  Database db;
  FillTitles(&db);
  db.Exec("CREATE VIRTUAL TABLE s USING s2v_index(docs, title, body, tokenize = 'unicode61')");
  db.Exec(
      "UPDATE docs SET body = 'old rain falls and the new rain', title = 'zebra' WHERE id % 9 = 0");
  db.Exec("DELETE FROM docs WHERE id % 10 = 1");
  REQUIRE(db.Int("SELECT pending FROM s('rain', 1)") > 20);
  db.Exec(
      "CREATE VIRTUAL TABLE f USING fts5(title, body, content = 'docs', content_rowid = 'id');"
      "INSERT INTO f(f) VALUES('rebuild')");
  int with_rows = 0;
  for (int n = 0; n < 400; n++) {
    const std::string query = RandomQuery(&random, static_cast<int>(random.Next() % 4));
    CAPTURE(query);
    const std::string expected =
        db.Text("SELECT json_group_array(rowid) FROM (SELECT rowid FROM f('" + query +
                "') ORDER BY rowid)");
    CHECK(db.Text("SELECT json_group_array(rowid) FROM (SELECT rowid FROM s('" + query +
                  "', 1000, 'fts5') ORDER BY rowid)") == expected);
    with_rows += expected != "[]";
  }
  CHECK(with_rows > 100);
}

TEST_CASE("words are cut as the index cuts them, and rank by bm25") {
  Database db;
  FillTitles(&db);
  db.Exec(
      "INSERT INTO docs(id, title, body) VALUES(900, 'Rates', 'The banks were cutting their rates, then rates again'),"
      "(901, '', 'one bank cut a rate'), (902, '', 'no such thing')");
  db.Exec("CREATE VIRTUAL TABLE s USING s2v_index(docs, title, body, tokenize = 's2v english')");
  CHECK(
      db.Text("SELECT group_concat(rowid) FROM s('bank AND rate', 9, 'fts5') WHERE rowid >= 900") ==
      "900,901");
  CHECK(
      db.Text(
          "SELECT group_concat(rowid) FROM s('bank NOT title : rate', 200, 'fts5') WHERE rowid >= 900") ==
      "901");
  CHECK(db.Count("s('zeppelin OR \"\"', 9, 'fts5')") == 0);
  CHECK(db.Count("s('', 9, 'fts5')") == 0);
  CHECK(db.Count("s(NULL, 9, 'fts5')") == 0);
  CHECK(db.Int("SELECT sum(score = bm25) FROM s('bank', 200, 'fts5')") ==
        db.Count("s('bank', 200, 'fts5')"));
  CHECK(
      db.Text(
            "SELECT s2v_highlight(s, 'body', '[', ']') FROM s('cut NOT no', 1, 'fts5') WHERE rowid IN (900, 901)")
          .find('[') != std::string::npos);
  CHECK(Contains(db.Error("SELECT * FROM s('bank AND', 9, 'fts5')"),
                 "a word is expected at the end"));
  CHECK(Contains(db.Error("SELECT * FROM s('nope : bank', 9, 'fts5')"), "no column 'nope'"));
  CHECK(Contains(db.Error("SELECT * FROM s(x'00000000', 9, 'fts5')"), "a vector has no words"));
  CHECK(Contains(db.Error("SELECT * FROM s('bank', 9, 'fts4')"), "both, meaning, words, fts5"));
  db.Exec("CREATE VIRTUAL TABLE m USING s2v_index(docs, body, words = off)");
  CHECK(Contains(db.Error("SELECT * FROM m('bank', 9, 'fts5')"), "has no words"));
}

TEST_CASE("a beginning has all its rows, though few of its words rank") {
  Database db;
  FillTitles(&db);
  db.Exec(
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300) "
      "INSERT INTO docs(id, body) SELECT 1000 + i, 'word' || i FROM n");
  db.Exec("CREATE VIRTUAL TABLE s USING s2v_index(docs, body)");
  CHECK(db.Count("s('word*', 1000, 'fts5')") == 300);
  CHECK(
      db.Int(
          "SELECT count(DISTINCT rowid) FROM s('word* OR fox', 1000, 'fts5') WHERE rowid > 1000") ==
      300);
  CHECK(db.Count("s('word*', 7, 'fts5')") == 7);
  CHECK(db.Count("s('word*', 1000, 'fts5') WHERE bm25 IS NULL AND score = 0") > 200);
  CHECK(db.Count("s('word* NOT word7*', 1000, 'fts5')") == 300 - 11);
  CHECK(db.Count("s('body:word*', 1000)") == 300);
  CHECK(db.Int("SELECT count(*) FROM s('fox -body:word*', 1000) WHERE rowid > 1000") == 0);
}

TEST_CASE("several beginnings, each of many words, are met by rows that have a word of each") {
  Database db = WordIndex("s2v neutral");
  const std::string words =
      "WITH RECURSIVE n(i) AS (VALUES(10) UNION ALL SELECT i + 1 FROM n WHERE i < 99) "
      "INSERT INTO t(body) ";
  db.Exec(words + "SELECT 'ba' || char(97 + i % 26, 97 + i % 25) || ' tree' FROM n");
  db.Exec(words + "SELECT 'mo' || char(97 + i % 24, 97 + i % 23) || ' tree' FROM n");
  db.Exec(
      "INSERT INTO t(id, body) VALUES(901, 'baaa moaa'), (902, 'mobb tree baab'), (903, 'ba mo'), "
      "(904, 'baaa tree'), (905, 'tree moaa')");
  WaitingAndIndexed(&db, [&] {
    for (const std::string ask : {"'ba* mo*', 99, 'fts5'", "'body:mo* body:ba*', 99, 'words'"}) {
      CAPTURE(ask);
      CHECK(db.Text("SELECT group_concat(rowid) FROM (SELECT rowid FROM s(" + ask +
                    ") ORDER BY rowid)") == "901,902,903");
    }
    CHECK(db.Count("s('ba* mo* tree', 99, 'fts5')") == 1);
  });
}

TEST_CASE(
    "beginnings are those of the tokenizer's own letters, and required ones find all rows that have them") {
  for (const char* tokenize : {"unicode61", "porter", "unicode61 remove_diacritics 0", "ascii"}) {
    CAPTURE(tokenize);
    Database db = WordIndex(tokenize, "title, body");
    db.Exec(
        "INSERT INTO t(title, body) VALUES('Fußzeile', 'x'), ('øresund', 'x'), ('Łódź', 'x'), ('École', 'x'), ('Kopfzeile', 'x')");
    WaitingAndIndexed(&db, [&] {
      for (const auto& one : {std::pair{"Fuß*", 1},
                              {"Fußzeil*", 1},
                              {"øre*", 2},
                              {"Łód*", 3},
                              {"Éco*", 4},
                              {"Kopf*", 5}}) {
        const std::string typed = one.first, row = std::to_string(one.second);
        CAPTURE(typed);
        CHECK(FoundRows(&db, typed, "both") == row);
        CHECK(FoundRows(&db, "title:" + typed, "both") == row);
        CHECK(db.Count("s('x -" + typed + "', 9, 'words')") == 4);
      }
    });
  }
  Database db;
  db.Exec(
      "CREATE TABLE t(id INTEGER PRIMARY KEY, title, body); CREATE VIRTUAL TABLE s USING s2v_index(t, title, body);"
      "WITH n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 39) INSERT INTO t(title, body) SELECT 'pro' || char(97 + i / 26, 97 + i % 26) || 'k', 'a text about things' FROM n");
  for (const char* asked :
       {"'title:pro*', 100", "'title:pro*', 100, 'words'", "'text title:pro*', 100"})
    CHECK(db.Count("s(" + std::string(asked) + ")") == 40);
}

TEST_CASE("a phrase, a column's word and an exclusion may begin with a character that ends a run") {
  Database db = WordIndex("s2v neutral parts", "title, body");
  db.Exec(
      "INSERT INTO t(title, body) VALUES('民法第5条', '本日第5回大会、合計5人'), ('民法第6条', '本日第6回大会、合計6人')");
  WaitingAndIndexed(&db, [&] {
    for (const auto& one : {std::pair{"\"第5条\"", "1"},
                            {"title:第6条", "2"},
                            {"\"計5人\"", "1"},
                            {"民法 -\"第5条\"", "2"},
                            {"\"法5条\"", ""},
                            {"\"民法第6条\"", "2"},
                            {"body:第5*", "1"},
                            {"民法 -第5*", "2"}}) {
      CAPTURE(one.first);
      CHECK(FoundRows(&db, one.first, "both") == one.second);
    }
  });
}

TEST_CASE(
    "^ is of a row's first word, not of its first part, and NEAR takes any number, whether rows wait or not") {
  Database db = WordIndex("s2v neutral parts", "title, body");
  db.Exec("INSERT INTO t(body) VALUES('学生が東京に行く'), ('2 学生'), ('getUserName foo calls')");
  WaitingAndIndexed(&db, [&] {
    for (const auto& one : {std::pair{"^学", "1"},
                            {"^学生", "1"},
                            {"^学*", "1"},
                            {"body : ^学", "1"},
                            {"title : ^学", ""},
                            {"^京", ""},
                            {"^user", ""},
                            {"^foo", ""},
                            {"NEAR(foo calls, 9)", "3"},
                            {"NEAR(foo calls, 2147483648)", "3"},
                            {"NEAR(foo calls, 4294967296)", "3"}}) {
      CAPTURE(one.first);
      CHECK(FoundRows(&db, one.first, "fts5") == one.second);
    }
  });
}

}  // namespace
}  // namespace s2v
