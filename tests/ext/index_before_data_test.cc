// s2v_index without a model: words alone, until a model is stored.
#include "tests/support/database.h"
#include "tests/support/error_of.h"
#include "tests/support/failing_memory.h"

namespace s2v {
namespace {

using namespace testing;

// An index that awaits a model; some of its rows wait. Another model was there and is gone: where
// the tables of models are made by the statement that lacks memory, SQLite may be unable to undo
// that before the statement ends.
std::string AwaitingBytes() {
  Database db;
  db.Exec(
      "CREATE TABLE docs(id INTEGER PRIMARY KEY, body TEXT); CREATE VIRTUAL TABLE s USING s2v_index(docs, body, model = docs)");
  TrainTexts(&db, 33, "\"model\":\"other\",\"epochs\":1");
  db.Exec(
      "SELECT s2v_drop('other'); INSERT INTO s(s) VALUES('sync'); UPDATE docs SET body = 'old man' WHERE id = 3; DELETE FROM docs WHERE id = 4");
  return db.Bytes();
}

std::string WordsAnswer(Database* db) {
  return db->Text(
      "SELECT json_group_array(rowid || ' ' || round(bm25, 6)) FROM s('red fox in the rain', 9, 'words')");
}

TEST_CASE("a training without memory takes an index over, or leaves it awaiting a model") {
  const std::string bytes = AwaitingBytes(), train = TrainSql("docs", "\"epochs\":1");
  Database whole = Database::FromBytes(bytes);
  const std::string answer = WordsAnswer(&whole);
  EmptyCache();
  for (const int64_t n : FaultPoints(whole.get(), train.c_str())) {
    Database db = Database::FromBytes(bytes);
    EmptyCache();
    MemoryFault fault(n, n % 2 == 0);
    const int code = sqlite3_exec(db.get(), train.c_str(), nullptr, nullptr, nullptr);
    fault.Stop();
    CAPTURE(n);
    CHECK((code == SQLITE_OK || code == SQLITE_NOMEM || code == SQLITE_ERROR));
    CHECK(sqlite3_get_autocommit(db.get()) != 0);
    const int64_t models = db.Count("s2v_models");
    if (code == SQLITE_OK) CHECK(models == 1);  // else there may be no memory for the answer
    // A connection whose memory ended may keep wrong totals of FTS5's, and store them
    // (index_fault_test.cc).
    Database stored = code == SQLITE_OK ? std::move(db) : Database::FromBytes(db.Bytes());
    stored.Exec("INSERT INTO s(s) VALUES('integrity-check')");
    if (models == 0) {
      CHECK(WordsAnswer(&stored) == answer);
      CHECK(Contains(stored.Error("SELECT * FROM s('red fox', 3, 'meaning')"), "train one"));
    } else {
      CHECK(stored.Int("SELECT count(similarity) FROM s('red fox', 3)") == 3);
    }
  }
}

TEST_CASE("an interrupt of a training leaves an index awaiting a model") {
  Database db = Database::FromBytes(AwaitingBytes());
  const std::string answer = WordsAnswer(&db);
  const std::string train = "BEGIN; " + TrainSql("docs", "\"epochs\":1");
  bool interrupted = true;
  for (int n = 1; interrupted; n += 1 + n / 4) {
    const int code = RunInterrupted(&db, train, n, &interrupted);
    CHECK((code == SQLITE_OK || code == SQLITE_INTERRUPT));
    CHECK((db.Count("s2v_models") == 1) == (code == SQLITE_OK));
    CHECK(WordsAnswer(&db).size() > 2);
    db.Exec("INSERT INTO s(s) VALUES('integrity-check')");
    if (sqlite3_get_autocommit(db.get()) == 0) db.Exec("ROLLBACK");
    CHECK(WordsAnswer(&db) == answer);
  }
}

TEST_CASE(
    "a training does not fail for an index that is damaged, of version 1, or of a model that is not there") {
  for (const char* harm :
       {"DROP TRIGGER s_update", "DROP TABLE s_config",
        "UPDATE s_config SET value = 7 WHERE name = 'stamp'",
        "CREATE TRIGGER x AFTER INSERT ON s_entry BEGIN SELECT 1; END", "DELETE FROM s_log"}) {
    Database db = Database::FromBytes(AwaitingBytes());
    CAPTURE(std::string(harm));
    db.Run("PRAGMA writable_schema = 1");
    db.Exec(harm);
    Train(&db, "docs");
    CHECK(db.Count("s2v_models") == 1);
  }
  Database db = Database::FromBytes(Database(S2V_FORMATS "/index-1.db").Bytes());
  Train(&db, "docs");
  CHECK(Contains(db.Error("SELECT * FROM s('red fox', 3)"), "older version"));
}

TEST_CASE(
    "rows that are written before there is a model are answers, in step, and the same ones after a dump") {
  Database db;
  db.Exec(
      "CREATE TABLE docs(id INTEGER PRIMARY KEY, body TEXT); CREATE VIRTUAL TABLE s USING s2v_index(docs, body)");
  for (int i = 0; i < 300; i++) {
    db.Exec("INSERT OR REPLACE INTO docs VALUES(" + std::to_string(i * 37 % 101) + ", 'w" +
            std::to_string(i) + " red " + (i % 3 == 0 ? "fox" : "sea") + "')");
    CHECK(db.Int("SELECT rowid FROM s('w" + std::to_string(i) + "', 1)") == i * 37 % 101);
    if (i % 50 == 0) db.Exec("INSERT INTO s(s) VALUES('integrity-check'); SELECT s2v_sync('s')");
  }
  CHECK(db.Count("s('fox', 200)") == db.Count("docs WHERE body LIKE '%fox'"));
  Database copy = Database::FromBytes(db.Bytes());
  copy.Exec("INSERT INTO docs SELECT id + 1000, body || ' rain falls' FROM docs");
  Train(&copy, "docs");
  CHECK(copy.Int("SELECT count(similarity) FROM s('rain falls', 5)") == 5);
  copy.Exec("INSERT INTO s(s) VALUES('integrity-check')");
}

TEST_CASE("an index of vectors cuts words as the model that embedded them, however few rows came") {
  Database db;
  TrainTexts(&db, 30, "\"tokenizer\":\"english\"");
  db.Exec(
      "CREATE TABLE notes(id INTEGER PRIMARY KEY, body, e BLOB); CREATE VIRTUAL TABLE s USING s2v_index(notes, e, words = body, model = docs);"
      "INSERT INTO notes(body, e) VALUES('walking home', s2v_embed('old man')); SELECT s2v_sync('s')");
  CHECK(db.Text("SELECT value FROM s_config WHERE name = 'tokenize'") == "auto s2v english parts");
  CHECK(db.Count("s('walked', 5, 'words')") == 1);
}

TEST_CASE("an index that is renamed under an open question asks for its new name") {
  Database db = TextIndex(200);
  Statement open(db.get(), "SELECT rowid FROM s('red fox')");
  REQUIRE(open.Step());
  db.Exec("ALTER TABLE s RENAME TO other");
  const auto read_on = [&] {
    while (open.Step()) continue;
  };
  CHECK(Contains(test::ErrorOf<SqlError>(read_on), "'s' was renamed while its rows were read"));
  CHECK(db.Count("other('red fox', 3)") == 3);
}

TEST_CASE("s2v_sync finds an index of temp first, as SQL does") {
  Database db = TextIndex(30);
  db.Exec(
      "CREATE TEMP TABLE notes(body); CREATE VIRTUAL TABLE temp.s USING s2v_index(notes, body, model = docs); INSERT INTO notes VALUES('an old fox')");
  CHECK(db.Text("SELECT s2v_sync('s') ->> 'schema'") == "temp");
  CHECK(db.Text("SELECT s2v_sync('main.s') ->> 'schema'") == "main");
}

}  // namespace
}  // namespace s2v
