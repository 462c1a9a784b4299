// An index with passages: rows by their best part, whatever becomes of them.
#include <string>

#include "tests/support/database.h"

namespace s2v {
namespace {

using namespace testing;

// A model of tiny texts, and a table for the rows.
void MakeBooks(Database* db, const std::string& index = "body, passages = 4") {
  TrainTexts(db, 60);
  db->Exec("CREATE TABLE book(id INTEGER PRIMARY KEY, title TEXT, body TEXT, lang TEXT)");
  db->Exec("CREATE VIRTUAL TABLE s USING s2v_index(book, " + index + ")");
}

std::string Repeated(const std::string& text, int times) {
  std::string all;
  for (int i = 0; i < times; i++) all += text;
  return all;
}

// As an index that is made now, in every way to ask but the ties of both.
void CheckAsNew(Database* db, const std::string& index = "body, passages = 4") {
  db->Exec("CREATE VIRTUAL TABLE fresh USING s2v_index(book, " + index + ")");
  for (const char* question :
       {"red fox", "whale", "\"red fox\"", "red -whale", "old man rain", "wha*"}) {
    for (const char* by : {"words", "meaning"}) {
      const auto answers = [&](const std::string& of) {
        return db->Text(
            "SELECT ifnull(group_concat(rowid || ' ' || ifnull(round(bm25, 6), '') || passage || passage_at, '; '), '') FROM (SELECT rowid, bm25, passage, passage_at FROM " +
            of + "('" + question + "', 500, '" + by + "') ORDER BY rowid)");
      };
      const auto rows = [&](const std::string& of) {
        return db->Text("SELECT ifnull(group_concat(rowid), '') FROM (SELECT rowid FROM " + of +
                        "('" + question + "', 500, '" + by + "') ORDER BY rowid)");
      };
      CAPTURE(std::string(question) + by);
      CHECK((std::string(by) == "words" ? answers("s") == answers("fresh")
                                        : rows("s") == rows("fresh")));
    }
  }
  db->Exec("DROP TABLE fresh; INSERT INTO s(s) VALUES('integrity-check')");
}

TEST_CASE(
    "an index is cut by the rules that it was made with, until 'rebuild', and Urdu by those of now") {
  Database db;
  MakeBooks(&db);
  CHECK(db.Int("SELECT value FROM s_config WHERE name = 'passage_rules'") == 3);
  db.Exec(
      "DELETE FROM s_config WHERE name = 'passage_rules'; INSERT INTO book(id, body) VALUES(1, 'red fox sky۔ old man rain falls'); INSERT INTO s(s) VALUES('sync')");
  const auto best = [&] { return db.Text("SELECT passage FROM s('sky', 1, 'words')"); };
  CHECK(best() == "red fox sky۔ old ");
  db.Exec("INSERT INTO book(id, body) VALUES(2, 'red sea whale۔ old man rain falls')");
  // it waits
  CHECK(db.Text("SELECT passage FROM s('whale', 1, 'words')") == "red sea whale۔ old ");
  db.Exec(
      "INSERT INTO s(s) VALUES('sync'); INSERT INTO s(s) VALUES('integrity-check'); INSERT INTO s(s) VALUES('rebuild')");
  CHECK(best() == "red fox sky۔ ");
  CHECK(db.Int("SELECT value FROM s_config WHERE name = 'passage_rules'") == 3);
  db.Exec(
      "INSERT INTO s(s) VALUES('integrity-check'); UPDATE s_config SET value = 4 WHERE name = 'passage_rules'");
  CHECK(Contains(db.Error("SELECT * FROM s('sky', 1)"), "'s' was made by a newer version of s2v"));
  db.Exec("CREATE VIRTUAL TABLE whole USING s2v_index(book, body)");
  CHECK(db.Count("whole_config WHERE name = 'passage_rules'") == 0);
}

TEST_CASE(
    "of a row that stays whole the passage is of the column that answers; long columns of signs are not in each part") {
  Database db;
  db.Exec(
      "CREATE TABLE docs(id INTEGER PRIMARY KEY, title TEXT, body TEXT, author TEXT);"
      "CREATE VIRTUAL TABLE s USING s2v_index(docs, title, body, author, passages = 50);"
      "INSERT INTO docs VALUES(1, 'Snow', 'Early snow covers the roads, which are closed.', 'Jane Miller'), (2, '', '', ''), (3, 'Jane', NULL, '-')");
  const auto best = [&](const std::string& asked, int row) {
    return db.Text("SELECT passage_column || '|' || passage_at || '|' || passage FROM s('" + asked +
                   "', 9, 'words') WHERE rowid = " + std::to_string(row));
  };
  CHECK(best("closed roads", 1) == "body|1|Early snow covers the roads, which are closed.");
  CHECK(best("miller", 1) == "author|1|Jane Miller");
  CHECK(best("snow", 1) == "title|1|Snow");
  CHECK(best("jane", 3) == "title|1|Jane");
  std::string words, signs;
  for (int i = 0; i < 1000; i++) {
    words += "word" + std::to_string(i) + " ";
    signs += "✓ ";
  }
  db.Exec("INSERT INTO docs VALUES(4, 'Long', '" + words + "', '" + signs + "')");
  WaitingAndIndexed(&db, [&] {
    CHECK(
        db.Int(
            "SELECT passage LIKE 'word%' AND length(passage) < 1000 FROM s('word500', 1, 'words')") ==
        1);
  });
  CHECK(db.Int("SELECT parts FROM s_part WHERE row = 4") == 21);
}

TEST_CASE("a row is found by its best part, once, and says which that is") {
  Database db;
  MakeBooks(&db);
  db.Exec("INSERT INTO book(body) VALUES ('" + Repeated("big sky tree grows. ", 20) +
          "a red fox barks. " + Repeated("cat sleeps sun rises. ", 20) +
          "'), ('red sun'), ('blue sea')");
  for (const char* command : {"sync", "rebuild", "optimize"}) {
    const char* how[] = {"words", "meaning", "both"};
    for (const char* by : how) {
      if (std::string_view(by) != "meaning") {
        CHECK(db.Text("SELECT passage FROM s('red fox barks', 1, '" + std::string(by) + "')") ==
              "a red fox barks. ");
      }
      CHECK(db.Text(
                "SELECT group_concat(n) FROM (SELECT count(*) AS n FROM s('red fox barks', 100, '" +
                std::string(by) + "') GROUP BY rowid)") ==
            (std::string(by) == "words" ? "1,1" : "1,1,1"));
    }
    CHECK(
        db.Text(
            "SELECT substr(body, passage_at, 16) FROM s('red fox', 1) JOIN book ON id = s.rowid") ==
        "a red fox barks.");
    CHECK(db.Text("SELECT s2v_snippet(s, -1, '[', ']', '...', 3) FROM s('red fox', 1)") ==
          "...[red] [fox] barks. ");
    CHECK(db.Text("SELECT s2v_highlight(s, 'body', '[', ']') FROM s('red fox', 1)") ==
          "a [red] [fox] barks. ");
    db.Exec("INSERT INTO s(s) VALUES('" + std::string(command) + "')");
  }
  CHECK(db.Text("SELECT passage_at || passage_column FROM s('red fox', 1)") == "401body");
  // A row is cut once for all that is asked of it, unless it is written in between.
  const auto write = [](sqlite3_context* context, int, sqlite3_value**) {
    sqlite3_exec(sqlite3_context_db_handle(context),
                 "UPDATE book SET body = 'blue ' || body WHERE id = 1", nullptr, nullptr, nullptr);
    sqlite3_result_text(context, "", 0, SQLITE_STATIC);
  };
  REQUIRE(sqlite3_create_function(db.get(), "write", 0, SQLITE_UTF8, nullptr, write, nullptr,
                                  nullptr) == SQLITE_OK);
  db.Exec("BEGIN");
  CHECK(db.Text("SELECT passage || passage FROM s('red fox barks', 1)") ==
        "a red fox barks. a red fox barks. ");
  CHECK(db.Text("SELECT passage || write() || passage FROM s('red fox barks', 1)") !=
        "a red fox barks. a red fox barks. ");
  db.Exec("ROLLBACK");
  CHECK(db.Int("SELECT parts FROM s_part WHERE row = 1") == 41);
  CHECK(db.Count("s_entry") == 43);
  // Without passages there are no such columns.
  db.Exec("CREATE VIRTUAL TABLE whole USING s2v_index(book, body)");
  CHECK(Contains(db.Error("SELECT passage FROM whole('red', 1)"), "no such column"));
  CHECK(db.Count("sqlite_schema WHERE name = 'whole_part'") == 0);
}

TEST_CASE("rows that grow, shrink, come, go and have nothing to say") {
  const std::string two = "title, body, passages = 5, filter = 'lang'";
  for (const std::string& index :
       {std::string("body, passages = 4"), two, std::string("body, passages = 4, words = off")}) {
    Database one;
    MakeBooks(&one, index);
    const char* const kWrites[] = {
        "INSERT INTO book VALUES(1, 'red', NULL, 'de'), (2, NULL, '', 'en'), (3, 'fox', 'whale', 'de'), (4, '', 'red fox', NULL)",
        "UPDATE book SET body = replace(hex(zeroblob(50)), '0', 'old man red fox. ') WHERE id = 3",
        "UPDATE book SET body = 'whale' WHERE id = 3",
        "UPDATE book SET body = replace(hex(zeroblob(3)), '0', 'rain ') || 'whale', title = replace(hex(zeroblob(9)), '0', 'sea fox ') WHERE id IN (1, 2)",
        "UPDATE book SET id = id + 10 WHERE id = 2",
        "DELETE FROM book WHERE id = 12",
        "REPLACE INTO book VALUES(1, 'whale', replace(hex(zeroblob(20)), '0', 'a red. '), 'en')",
        "UPDATE book SET body = CASE WHEN id < 11 THEN body ELSE x'00' END, title = 7.5",
        "INSERT INTO book(body) SELECT body || ' whale ' || body || ' fox' FROM docs",
        "UPDATE book SET body = NULL, title = NULL WHERE id % 2",
        "DELETE FROM book",
    };
    for (const char* write : kWrites) {
      CAPTURE(index);
      CAPTURE(std::string(write));
      one.Exec("BEGIN");  // nothing is taken in
      one.Exec(write);
      if (!Contains(index, "off")) CheckAsNew(&one, index);
      one.Exec("COMMIT; INSERT INTO s(s) VALUES('sync')");
      if (!Contains(index, "off")) CheckAsNew(&one, index);
      CHECK(one.Count("s_part") == one.Count("book"));
      CHECK(one.Int("SELECT total(parts) FROM s_part") == one.Count("s_entry"));
      one.Exec("INSERT INTO s(s) VALUES('integrity-check')");
    }
  }
}

TEST_CASE("thousands of rows are taken in at once") {
  Database db;
  MakeBooks(&db);
  db.Exec(
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 4000) INSERT INTO book(body) SELECT 'red fox ' || i FROM n");
  db.Exec("INSERT INTO s(s) VALUES('sync')");
  db.Exec(
      "UPDATE book SET body = body || ' old man and the sea ' || id; INSERT INTO s(s) VALUES('sync')");
  db.Exec(
      "UPDATE book SET body = 'whale ' || id; DELETE FROM book WHERE id % 3 = 0; INSERT INTO s(s) VALUES('sync')");
  CHECK(db.Count("s('whale', 9999, 'words')") == 2667);
  // Segments of FTS5, of which there may be 2,000.
  CHECK(db.Int("SELECT count(DISTINCT segid) FROM s_fts_idx") < 200);
  db.Exec("INSERT INTO s(s) VALUES('integrity-check')");
}

TEST_CASE("a title is in every part, and of two long columns each has parts") {
  Database db;
  MakeBooks(&db, "title, body, passages = 6");
  db.Exec("INSERT INTO book VALUES(1, 'whale', '" + Repeated("red fox barks. ", 10) +
          "old man sleeps', NULL)");
  CHECK(db.Text("SELECT rowid || passage FROM s('whale old man', 1, 'words')") ==
        "1old man sleeps");
  db.Exec("INSERT INTO s(s) VALUES('sync')");
  CHECK(db.Count("s_entry") == 6);
  db.Exec("UPDATE book SET title = body");
  CHECK(db.Count("s('title:old', 9)") == 1);
  CHECK(db.Text("SELECT passage_column FROM s('title:\"man sleeps\"', 1)") == "title");
  CHECK(db.Text("SELECT passage_column FROM s('body:\"man sleeps\"', 1)") == "body");
  CHECK(
      db.Text(
          "SELECT s2v_highlight(s, 'title', '', '') IS NULL, s2v_highlight(s, 'body', '', '') IS NULL FROM s('title:old', 1)") ==
      "0");
  CheckAsNew(&db, "title, body, passages = 6");
}

TEST_CASE(
    "what is demanded together may stand in different parts of a row, what is excluded in none") {
  Database db;
  MakeBooks(&db);
  db.Exec("INSERT INTO book(body) VALUES('red fox. " + Repeated("big sky tree grows. ", 9) +
          "old whale'), ('red fox'), ('old whale')");
  WaitingAndIndexed(&db, [&] {
    CHECK(FoundRows(&db, "\"red fox\" \"old whale\"", "both") == "1");
    CHECK(FoundRows(&db, "fox -whale") == "2");
    CHECK(FoundRows(&db, "red AND whale", "fts5") == "1");
    CHECK(FoundRows(&db, "fox NOT whale", "fts5") == "2");
    CHECK(FoundRows(&db, "fox OR whale", "fts5") == "1,2,3");
    CHECK(FoundRows(&db, "NEAR(red whale)", "fts5") == "");
    CHECK(db.Text("SELECT group_concat(rowid) FROM s('whale', 9, 'words') WHERE rowid IN (2, 3)") ==
          "3");
  });
}

TEST_CASE("the best part is one that has what is demanded, if one has, else some of it") {
  Database db;
  MakeBooks(&db);
  db.Exec(
      "INSERT INTO book(body) VALUES('whale tree whale tree. red big sky fox. a red fox barks. rain on the sea. the sea sleeps. tree and whale. old man rises.'), ('whale tree')");
  const auto passage = [&](const std::string& question, const std::string& by) {
    return db.Text("SELECT passage FROM s('" + question + "', 9, '" + by + "') WHERE rowid = 1");
  };
  WaitingAndIndexed(&db, [&] {
    CHECK(passage("whale tree", "words") == "whale tree whale tree. ");
    for (const char* by : {"words", "both", "meaning"}) {
      CAPTURE(by);
      CHECK(passage("whale tree \"red fox\"", by) == "a red fox barks. ");
      CHECK(passage("\"red fox\" whale tree -wine", by) == "a red fox barks. ");
    }
    CHECK(passage("(whale OR tree OR red) AND \"red fox\"", "fts5") == "a red fox barks. ");
    CHECK(passage("NEAR(red fox, 1)", "fts5") == "a red fox barks. ");
    CHECK(passage("NEAR(red fox, 5)", "fts5") != "");
    CHECK(passage("\"tree and\" AND whale", "fts5") == "tree and whale. ");
    CHECK(passage("whale NOT wine", "fts5") == "whale tree whale tree. ");
    // None has both.
    const std::string either = passage("\"old man\" \"red fox\" whale tree", "words");
    CHECK((either == "a red fox barks. " || either == "old man rises."));
    CHECK(db.Text("SELECT s2v_highlight(s, 0, '[', ']') FROM s('whale tree \"red fox\"', 1)") ==
          "a [red fox] barks. ");
    const auto bm25 = [&](const std::string& question) {
      return db.Text("SELECT round(bm25, 6) FROM s('" + question +
                     "', 9, 'words') WHERE rowid = 1");
    };
    CHECK(bm25("whale tree \"red fox\"") == bm25("\"red fox\""));
  });
}

TEST_CASE("a row of a megabyte, one without blanks, one that is not UTF-8, and HTML") {
  Database db;
  // An index of an empty table could not tell its language.
  const std::string words = "title, body, passages = 200, tokenize = 's2v english'";
  MakeBooks(&db, words);
  db.Exec(
      "INSERT INTO book(body) VALUES(replace(hex(zeroblob(40000)), '00', 'old man and the sea. ') || 'red whale')");
  db.Exec("INSERT INTO book(title, body) VALUES('fox', replace(hex(zeroblob(100000)), '0', 'x'))");
  db.Exec(
      "INSERT INTO book(body) VALUES(CAST(replace(hex(zeroblob(2000)), '00', 'old man ') AS BLOB) || CAST(x'ff20c3' AS TEXT) || ' whale')");
  CHECK(FoundRows(&db, "whale") == "1,3");
  db.Exec("INSERT INTO s(s) VALUES('sync')");
  CHECK(db.Int("SELECT parts FROM s_part WHERE row = 1") > 500);
  CheckAsNew(&db, words);
  db.Exec("DELETE FROM book; INSERT INTO book(body) VALUES('" +
          Repeated("<p class=\"whale\">old&nbsp;man</p><script>fox = 1</script> ", 30) +
          "<b>red</b> &lt;whale&gt;')");
  const std::string html = "body, passages = 8, tokenize = 's2v html:english'";
  db.Exec("DROP TABLE s; CREATE VIRTUAL TABLE s USING s2v_index(book, " + html + ")");
  CHECK(db.Count("s('fox', 9, 'words')") == 0);
  CHECK(Contains(db.Text("SELECT passage FROM s('whale', 1, 'words')"), "red <whale>"));
  CHECK(Contains(db.Text("SELECT s2v_snippet(s, -1, '[', ']') FROM s('whale', 1, 'words')"),
                 "red <[whale]>"));
  CheckAsNew(&db, html);
}

TEST_CASE("a table without INTEGER PRIMARY KEY: what VACUUM makes of it is said") {
  Database db;
  TrainTexts(&db, 60);
  db.Exec(
      "CREATE TABLE t(body); INSERT INTO t SELECT body || ' ' || body || id FROM docs; CREATE VIRTUAL TABLE s USING s2v_index(t, body, passages = 4)");
  db.Exec("DELETE FROM t WHERE rowid < 20; INSERT INTO s(s) VALUES('sync'); VACUUM");
  CHECK(Contains(db.Error("SELECT * FROM s('red fox', 3)"), "VACUUM"));
  db.Exec("INSERT INTO s(s) VALUES('rebuild'); INSERT INTO s(s) VALUES('integrity-check')");
}

TEST_CASE(
    "a table without INTEGER PRIMARY KEY: rows that wait are taken in under ids of their own") {
  for (const char* command : {"sync", "optimize"}) {
    Database db;
    MakeBooks(&db);
    db.Exec(
        "CREATE TABLE loose(id INT, body); CREATE VIRTUAL TABLE l USING s2v_index(loose, body, passages = 4)");
    db.Exec("INSERT INTO loose VALUES (1, 'red whale'), (2, '" + Repeated("blue sea. ", 9) +
            "'), (3, 'old man')");
    db.Exec("INSERT INTO l(l) VALUES('" + std::string(command) + "')");
    CHECK(db.Text("SELECT rowid || passage FROM l('whale', 1, 'words')") == "1red whale");
    CHECK(db.Text("SELECT rowid || passage FROM l('man', 1, 'words')") == "3old man");
    db.Exec("INSERT INTO l(l) VALUES('integrity-check')");
  }
}

TEST_CASE(
    "a long row that waits hides no other: the next question takes it in, and who may not write finds the others") {
  const TempFile file;
  Database db(file.path());
  MakeBooks(&db);
  db.Exec("INSERT INTO book(id, body) VALUES (1, 'old man'); INSERT INTO s(s) VALUES('sync')");
  const auto insert = [&] {
    db.Exec("INSERT INTO book(id, body) VALUES (2, 'the whale sleeps'), (3, '" +
            Repeated("blue rain falls. ", 3000) + "')");
  };
  const char* const kWhale = "SELECT group_concat(rowid) FROM s('whale', 9, 'words')";
  insert();
  {
    Database reader(file.path(), SQLITE_OPEN_READONLY);
    CHECK(reader.Text(kWhale) == "2");
    CHECK(reader.Int("SELECT pending FROM s('man', 1)") == 2);
  }
  CHECK(db.Text(kWhale) == "2");
  CHECK(db.Int("SELECT pending FROM s('man', 1)") == 0);
  CHECK(FoundRows(&db, "rain") == "3");
  // A long one before many short ones, and many long ones.
  db.Exec("DELETE FROM book WHERE id > 1; INSERT INTO s(s) VALUES('sync')");
  insert();
  db.Exec("UPDATE book SET body = 'red whale' WHERE id = 1");
  CHECK(FoundRows(&db, "whale") == "1,2");
  db.Exec("INSERT INTO s(s) VALUES('sync'); INSERT INTO s(s) VALUES('integrity-check')");
}

TEST_CASE("a file that cannot be written, with rows that wait; renamed, and dropped") {
  TempFile file;
  {
    Database db(file.path());
    MakeBooks(&db);
    db.Exec(
        "INSERT INTO book(body) SELECT body || '. ' || body FROM docs; INSERT INTO s(s) VALUES('sync')");
    db.Exec(
        "UPDATE book SET body = body || ' whale ' || body || ' whale' WHERE id % 2; DELETE FROM book WHERE id = 4");
  }
  Database reader(file.path(), SQLITE_OPEN_READONLY);
  CHECK(reader.Count("s('whale', 100, 'words')") == 30);
  CHECK(Contains(reader.Text("SELECT s2v_snippet(s, -1, '[', ']') FROM s('whale', 1)"), "[whale]"));
  CHECK(reader.Int("SELECT pending FROM s('red', 1)") == 31);
  Database db(file.path());
  CheckAsNew(&db);
  db.Exec("ALTER TABLE s RENAME TO s7; ALTER TABLE s7 RENAME TO s");
  CheckAsNew(&db);
  db.Exec("DROP TABLE s");
  CHECK(
      db.Count(
          "sqlite_schema WHERE name GLOB 's_*' AND name NOT GLOB 's2v_*' AND name NOT GLOB 'sqlite_*'") ==
      0);
}

TEST_CASE("what is no number of words, or has no text to cut, is refused") {
  Database db;
  TrainTexts(&db, 60);
  for (const char* words :
       {"0", "-1", "2.5", "many", "100001", "9223372036854775808", "1e3", "200 words"}) {
    CAPTURE(words);
    CHECK(Contains(db.Error("CREATE VIRTUAL TABLE s USING s2v_index(docs, body, passages = " +
                            std::string(words) + ")"),
                   "passages: the words of a passage"));
  }
  db.Exec(
      "CREATE TABLE v(id INTEGER PRIMARY KEY, e BLOB); INSERT INTO v(e) SELECT s2v_embed(body) FROM docs");
  CHECK(Contains(db.Error("CREATE VIRTUAL TABLE s USING s2v_index(v, e, passages = 200)"),
                 "'e' has vectors"));
  CHECK(Contains(
      db.Error("CREATE VIRTUAL TABLE s USING s2v_index(docs, body, passages = 2, passages = 3)"),
      "given twice"));
  CHECK(Contains(
      db.Error(
          "CREATE TABLE f(body, passage); CREATE VIRTUAL TABLE s USING s2v_index(f, body, passages = 2, filter = 'passage')"),
      "a filter needs a name of its own"));
  CHECK(db.Count("sqlite_schema WHERE name GLOB 's_*'") == 0);
}

TEST_CASE("an index that has the name of one of its columns is refused, also when it is renamed") {
  Database db;
  MakeBooks(&db);
  for (const char* name : {"passage", "passage_at", "Rank", "score", "k", "pending"}) {
    CAPTURE(name);
    const std::string create =
        std::string("CREATE VIRTUAL TABLE ") + name + " USING s2v_index(docs, body";
    CHECK(Contains(db.Error(create + ", passages = 4)"),
                   "is the name of one of the index's own columns; give the index another one"));
    CHECK(Contains(db.Error(std::string("ALTER TABLE s RENAME TO ") + name), "own columns"));
  }
  CHECK(db.Count("s('red', 1)") == 0);
  // Without passages there are no such columns.
  db.Exec("CREATE VIRTUAL TABLE passage USING s2v_index(docs, body)");
  CHECK(db.Count("passage('red', 1)") == 1);
  db.Exec("DROP TABLE passage; DROP TABLE s");
}

TEST_CASE("before there is a model there are words of parts") {
  Database db;
  db.Exec(
      "CREATE TABLE book(id INTEGER PRIMARY KEY, body TEXT); CREATE VIRTUAL TABLE s USING s2v_index(book, body, passages = 4, tokenize = unicode61)");
  db.Exec("INSERT INTO book(body) VALUES('" + Repeated("old man and the sea. ", 30) +
          "red whale')");
  CHECK(db.Text("SELECT passage FROM s('whale', 3)") == "the sea. red whale");
  db.Exec("INSERT INTO s(s) VALUES('sync')");
  CHECK(db.Text("SELECT passage FROM s('whale', 3)") == "the sea. red whale");
  TrainTexts(&db, 60);
  CHECK(db.Text("SELECT passage FROM s('whale', 3)") == "the sea. red whale");
  CHECK(db.Int("SELECT similarity IS NOT NULL FROM s('red', 1)") == 1);
  db.Exec("INSERT INTO s(s) VALUES('integrity-check')");
}

TEST_CASE("an index whose table of parts was tampered with: an error, or what the table says") {
  const char* const kDamages[] = {
      "DELETE FROM s_part WHERE row = 5",
      "DELETE FROM s_part",
      "UPDATE s_part SET row = 999 WHERE row = 5",
      "UPDATE s_part SET row = 1000 - row",
      "UPDATE s_part SET parts = 1 WHERE row = 5",
      "UPDATE s_part SET parts = 100000 WHERE row = 5",
      "UPDATE s_part SET parts = 9223372036854775807",
      "UPDATE s_part SET parts = -1 WHERE row = 5",
      "UPDATE s_part SET hash = 0 WHERE row = 5",
      "UPDATE s_part SET checksum = 'x' WHERE row = 5",
      "UPDATE s_part SET id = -id",
      "UPDATE s_part SET id = id + 1000 WHERE row = 60",
      "UPDATE s_part SET id = 9223372036854775807 WHERE row = 60",
      "INSERT INTO s_part VALUES(5000, 61, 3, 0, 0)",
      "INSERT INTO s_part VALUES(2, 61, 3, 0, 0)",
      "DELETE FROM s_entry WHERE id = 7",
      "UPDATE s_config SET value = 5 WHERE name = 'passages'",
      "DELETE FROM s_config WHERE name = 'passages'",
      "UPDATE s_config SET value = 2 WHERE name = 'version'",
      "UPDATE s_config SET value = 4 WHERE name = 'version'",
  };
  Database whole;
  MakeBooks(&whole);
  whole.Exec(
      "INSERT INTO book(id, body) SELECT id, body || '. ' || body FROM docs; INSERT INTO s(s) VALUES('sync')");
  const std::string bytes = whole.Bytes();
  for (const char* damage : kDamages) {
    for (const char* write :
         {"", "UPDATE book SET body = 'red whale' WHERE id = 5; DELETE FROM book WHERE id = 6"}) {
      Database db = Database::FromBytes(bytes);
      db.Exec(damage);
      db.Exec(write);
      CAPTURE(std::string(damage));
      int errors = 0;
      for (const char* by : {"words", "meaning", "both"}) {
        const int code = db.Run(
            "SELECT count(*) FROM s('red fox', 100, '" + std::string(by) +
            "') AS s LEFT JOIN book AS b ON b.id = s.rowid "
            "WHERE b.id IS NULL OR substr(b.body, s.passage_at, length(s.passage)) <> s.passage");
        if (code == SQLITE_OK) CHECK(db.rows()[0] == "0");
        errors += code != SQLITE_OK;
      }
      // Rows that the index has lost are found at the table's end, and taken in again.
      if (db.Run("INSERT INTO s(s) VALUES('integrity-check')") == SQLITE_OK) {
        CHECK(errors == 0);
        CHECK(std::string_view(damage) == "DELETE FROM s_part");
        CheckAsNew(&db);
      }
      db.Run("SELECT s2v_sync('s')");
      if (db.Run("INSERT INTO s(s) VALUES('rebuild')") == SQLITE_OK) CheckAsNew(&db);
      db.Exec("DROP TABLE s");
    }
  }
}

}  // namespace
}  // namespace s2v
