// The table-valued functions: plans, laziness, joins, snapshots, interrupts, large texts, damage.
// What they give is in tests/sql_scripts; out of memory in fault_test.cc.
#include <thread>

#include "tests/support/database.h"

namespace s2v {
namespace {

using namespace testing;

void MakeTable(Database* db) {
  TrainTexts(db, 40);
}

// The plan of the query's first table.
std::string Plan(Database* db, const std::string& sql) {
  db->Exec("EXPLAIN QUERY PLAN " + sql);
  return db->rows().at(3);
}

const char* const kScans[] = {
    "SELECT word, count, norm, vector FROM s2v_words",
    "SELECT * FROM s2v_tokens('red fox blue sea zzz')",
    "SELECT * FROM s2v_nearest_words('red fox')",
    "SELECT * FROM s2v_analogy('red', 'fox', 'sea')",
    "SELECT * FROM s2v_explain('red fox', 'blue sea')",
};

TEST_CASE("a word is looked up, not looked for") {
  Database db;
  MakeTable(&db);
  for (const char* where : {"word = 'fox'", "'fox' = word", "word IN ('fox', 'sea')",
                            "word = 'fox' AND count > 0", "word = 'fox' OR word = 'sea'"}) {
    CAPTURE(where);
    CHECK(Contains(Plan(&db, std::string("SELECT * FROM s2v_words WHERE ") + where), "lookup"));
  }
  for (const char* where : {"word = 'fox' COLLATE NOCASE", "word > 'fox'", "word LIKE 'fox'",
                            "count = 3", "word IS NOT NULL", "word = 'fox' OR count = 1"}) {
    CAPTURE(where);
    CHECK(Contains(Plan(&db, std::string("SELECT * FROM s2v_words WHERE ") + where), "scan"));
  }
  // The lookup gives what a scan gives, for every word, and nothing else.
  CHECK(db.Count("s2v_words a JOIN s2v_words b ON a.word = b.word AND a.count = "
                 "b.count AND a.norm = b.norm AND a.vector = b.vector") ==
        db.Int("SELECT words FROM s2v_models"));
  for (const char* none : {"'unheard'", "NULL", "x'666f78'", "''", "7", "zeroblob(1000000)",
                           "'fox' || char(0)", "printf('%.*c', 1000000, 'x')", "'FOX'"}) {
    CAPTURE(none);
    CHECK(db.Int(std::string("SELECT count(*) FROM s2v_words WHERE word = ") + none) == 0);
  }
  CHECK(db.Count("s2v_words WHERE word = 'FOX' COLLATE NOCASE") == 1);
}

TEST_CASE("an order is taken for granted only where rows come in it") {
  Database db;
  MakeTable(&db);
  const auto sorts = [&](const std::string& sql) {
    db.Exec("EXPLAIN QUERY PLAN " + sql);
    return db.rows().size() > 4;
  };
  // of an imported model they are in the file's order
  CHECK(sorts("SELECT * FROM s2v_words ORDER BY count DESC"));
  CHECK(sorts("SELECT * FROM s2v_words ORDER BY norm DESC"));
  CHECK(!sorts("SELECT * FROM s2v_nearest_words('fox', 3) ORDER BY similarity DESC"));
  CHECK(sorts("SELECT * FROM s2v_nearest_words('fox', 3) ORDER BY similarity"));
  CHECK(sorts("SELECT * FROM s2v_explain('red', 'fox') ORDER BY share DESC"));
  for (const char* table :
       {"s2v_words", "s2v_nearest_words('red fox')", "s2v_analogy('red', 'fox', 'sea')"}) {
    const std::string column = table[4] == 'w' ? "count" : "similarity";
    CHECK(db.Count("(SELECT " + column + " < lead(" + column + ") OVER () AS rises FROM " + table +
                   ") WHERE rises") == 0);
  }
  CHECK(db.Text("SELECT group_concat(count) FROM (SELECT count FROM s2v_words WHERE word IN "
                "('sea', 'fox', 'old') ORDER BY count DESC)") ==
        db.Text("SELECT group_concat(count) FROM (SELECT count FROM s2v_words WHERE +word IN "
                "('sea', 'fox', 'old') ORDER BY +count DESC)"));
}

TEST_CASE("LIMIT stops the reading") {
  Database db;
  db.Exec(
      "CREATE TABLE many(body); WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n "
      "WHERE i < 3000) INSERT INTO many SELECT 'w' || i || ' w' || (i + 1) FROM n");
  Train(&db, "many");
  CHECK(db.Count("s2v_words") == 3001);
  const int all = Steps(&db, "SELECT word FROM s2v_words");
  CHECK(all > 3000);
  CHECK(Steps(&db, "SELECT word FROM s2v_words LIMIT 3") < all / 20);
  CHECK(Steps(&db, "SELECT count FROM s2v_words WHERE word = 'w2999'") < all / 20);
  // All words are compared, and only those that are asked for are read again.
  const int nearest = Steps(&db, "SELECT word FROM s2v_nearest_words('w1')");
  CHECK(Steps(&db, "SELECT word FROM s2v_nearest_words('w1') LIMIT 3") < nearest * 2 / 3);
}

TEST_CASE("arguments come from joined tables, and several cursors are open at once") {
  Database db;
  MakeTable(&db);
  CHECK(db.Count("docs d JOIN s2v_nearest_words(d.body, 3) n WHERE d.id <= 5") == 15);
  CHECK(db.Count("s2v_nearest_words AS n JOIN docs d ON n.text = d.body AND n.k "
                 "= d.id WHERE d.id <= 5") == 15);
  CHECK(db.Count("docs d LEFT JOIN s2v_tokens(CASE WHEN d.id > 3 THEN 'red' "
                 "END) t ON t.known WHERE d.id <= 5 AND (t.token IS NULL) = (d.id <= 3)") == 5);
  CHECK(db.Count("s2v_words w, s2v_tokens(w.word) t WHERE t.token = w.word AND "
                 "t.count = w.count AND t.norm = w.norm") == db.Count("s2v_words"));
  CHECK(db.Count("s2v_words a, s2v_words b, s2v_tokens('red fox')") >
        db.Count("s2v_words") * db.Count("s2v_words"));
  CHECK(db.Int("SELECT max((SELECT count(*) FROM s2v_nearest_words(d.body, 2))) FROM docs d") == 2);
  // Every argument is a column too.
  CHECK(db.Text("SELECT text || k || model FROM s2v_nearest_words('fox', 1, 'docs')") ==
        "fox1docs");
  CHECK(db.Count("s2v_tokens('red') WHERE text = 'blue'") == 0);
  // Each needs the other: no plan.
  CHECK(Contains(db.Error("SELECT * FROM s2v_tokens(b.token) a, s2v_tokens(a.token) b"),
                 "no query solution"));
  CHECK(db.Error("SELECT * FROM s2v_explain('red')") ==
        "s2v_explain: b is missing: s2v_explain(a, b [, model])");
  CHECK(Contains(db.Error("SELECT * FROM s2v_words('docs', 1)"), "too many arguments"));
}

TEST_CASE("a scan reads the model that it began with, whatever another connection stores") {
  TempFile file;
  Database db(file.path()), other(file.path());
  db.Exec("PRAGMA journal_mode = wal");
  MakeTable(&db);
  const char kRows[] = "SELECT group_concat(hex(vector)) FROM s2v_words";
  const std::string before = db.Text(kRows);
  std::string read;
  int rows = 0;
  for (Statement select(db.get(), "SELECT hex(vector) FROM s2v_words"); select.Step();) {
    read += (rows == 0 ? "" : ",") + std::string(select.Text(0));
    if (rows++ == 3) Train(&other, "docs", "\"seed\":7");
  }
  CHECK(read == before);
  CHECK(db.Text(kRows) != before);
}

TEST_CASE("a scan says so where its own connection stores or drops a model") {
  for (const char* sql : kScans) {
    for (const char* change : {"SELECT s2v_drop('docs')", "SELECT s2v_drop('other')"}) {
      Database db;
      MakeTable(&db);
      Train(&db, "docs", "\"model\":\"other\",\"seed\":4");
      CAPTURE(sql);
      const Statement statement(db.get(), sql);
      REQUIRE(sqlite3_step(statement.get()) == SQLITE_ROW);
      db.Exec(change);
      const int code = sqlite3_step(statement.get());
      if (Contains(sql, "explain")) {
        CHECK(code == SQLITE_ROW);  // it keeps what it needs
      } else {
        CHECK(code == SQLITE_ERROR);
        CHECK(Contains(sqlite3_errmsg(db.get()),
                       ": a model was stored or dropped while this statement was running"));
      }
    }
  }
}

TEST_CASE("no statement of ours is left when a scan ends, is reset, or fails") {
  Database db;
  MakeTable(&db);
  for (const char* sql : kScans) {
    CAPTURE(sql);
    db.Exec(sql);
    CHECK(sqlite3_next_stmt(db.get(), nullptr) == nullptr);
    const Statement statement(db.get(), sql);
    for (int round = 0; round < 2; round++) {
      CHECK(sqlite3_step(statement.get()) == SQLITE_ROW);
      sqlite3_reset(statement.get());
      CHECK(sqlite3_next_stmt(db.get(), nullptr) == statement.get());
      CHECK(sqlite3_next_stmt(db.get(), statement.get()) == nullptr);
    }
  }
  db.Error("SELECT * FROM s2v_words('nope')");
  db.Error("SELECT * FROM s2v_nearest_words('fox', -1)");
  CHECK(sqlite3_next_stmt(db.get(), nullptr) == nullptr);
}

// Interrupts at the n-th time that the virtual machine looks, whichever statement it runs.
TEST_CASE("an interrupt ends each scan") {
  Database db;
  MakeTable(&db);
  struct Countdown {
    sqlite3* db;
    int left;
  };
  for (const std::string sql : kScans) {
    CAPTURE(sql);
    int interrupted = 0;
    for (int n = 1;; n++) {
      Countdown countdown{db.get(), n};
      sqlite3_progress_handler(
          db.get(), 5,
          [](void* context) {
            auto* at = static_cast<Countdown*>(context);
            if (--at->left == 0) sqlite3_interrupt(at->db);
            return 0;
          },
          &countdown);
      const int code = db.Run(sql);
      sqlite3_progress_handler(db.get(), 0, nullptr, nullptr);
      CAPTURE(n);
      CAPTURE(db.message());
      if (countdown.left > 0) {
        CHECK(code == SQLITE_OK);
        break;
      }
      interrupted += code == SQLITE_INTERRUPT;
      CHECK((code == SQLITE_OK || code == SQLITE_INTERRUPT));
    }
    CHECK(interrupted > 0);
  }
}

TEST_CASE("an interrupt from another thread ends the comparing of all words") {
  Database db;
  MakeTable(&db);
  // Never ends by itself: each row compares all words again.
  int code = SQLITE_OK;
  std::thread reader([&] {
    code = db.Run(
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(similarity) "
        "FROM n, s2v_nearest_words('red ' || i, 3)");
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  sqlite3_interrupt(db.get());
  reader.join();
  CHECK(code == SQLITE_INTERRUPT);
}

TEST_CASE("a text of ten megabytes") {
  Database db;
  MakeTable(&db);
  db.Exec(
      "CREATE TEMP TABLE long AS SELECT group_concat(body, ' zzz ') AS t FROM docs, (WITH "
      "RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 6000) SELECT i FROM "
      "n)");
  CHECK(db.Int("SELECT length(t) FROM long") > 7000000);
  CHECK(db.Count("long, s2v_tokens(t)") > 1000000);
  CHECK(db.Count("long, s2v_tokens(t) LIMIT 1") > 0);
  CHECK(db.Count("long, s2v_nearest_words(t, 5)") == 5);
  CHECK(db.Count("long, s2v_analogy(t, 'red', 'fox') ") == 0);  // all left out
  // A million rows are summed in float by s2v_embed, in double here.
  CHECK(db.Int("SELECT abs(sum(share) - s2v_cosine(t, 'red fox')) < 1e-2 FROM long, s2v_explain(t, "
               "'red fox')") == 1);
  // The tokenizer cuts a token that is too long.
  CHECK(db.Count("s2v_tokens(printf('%.*c', 10000000, 'x'))") > 1);
}

TEST_CASE("shares add up to the cosine, weights included") {
  Database db;
  FillTexts(&db, "docs", 40);
  for (const char* smoothing : {"auto", "0"}) {
    Train(&db, "docs", std::string("\"smoothing\":\"") + smoothing + "\"");
    CHECK(db.Count("docs a, docs b WHERE a.id < 9 AND b.id < 9 AND "
                   "(abs((SELECT sum(share) FROM s2v_explain(a.body, b.body)) - "
                   "s2v_cosine(s2v_embed(a.body), s2v_embed(b.body))) < 1e-6) IS NOT TRUE") == 0);
    CHECK(db.Count("s2v_nearest_words('red fox zzz') WHERE (abs(similarity - "
                   "s2v_cosine('red fox zzz', word)) < 1e-6) IS NOT TRUE") == 0);
  }
}

TEST_CASE("every damage to a model is an error that names its place, or changes nothing") {
  const char* damages[] = {
      "DELETE FROM s2v_word WHERE key % 3 = 0",
      "DELETE FROM s2v_word WHERE key = (SELECT max(key) FROM s2v_word)",
      "INSERT INTO s2v_word SELECT key + 1000, word, count, vector, checksum, NULL, burst FROM s2v_word",
      "UPDATE s2v_word SET vector = x'77' || substr(vector, 2)",
      "UPDATE s2v_word SET vector = x''",
      "UPDATE s2v_word SET count = count + 1",
      "UPDATE s2v_word SET word = word || 's'",
      "UPDATE s2v_word SET burst = burst + 1",
      "UPDATE s2v_word SET burst = NULL",
      "UPDATE s2v_word SET burst = 1e300",
      "UPDATE s2v_word SET burst = 'much'",
  };
  for (const char* damage : damages) {
    for (const char* sql : kScans) {
      if (!Contains(sql, "words") && !Contains(sql, "analogy")) continue;
      CAPTURE(damage);
      CAPTURE(sql);
      Database db;
      MakeTable(&db);
      db.Exec(damage);
      EmptyCache();
      CHECK(db.Run(sql) == SQLITE_CORRUPT_VTAB);
      CHECK(Contains(db.message(), "database disk image is malformed: table s2v_word, key "));
    }
  }
  for (const char* sql : kScans) {
    CAPTURE(sql);
    Database db;
    MakeTable(&db);
    db.Exec("UPDATE s2v_directory SET entries = substr(entries, 2)");
    EmptyCache();
    const int code = db.Run(sql);
    CHECK((code == SQLITE_CORRUPT_VTAB) == (std::string_view(sql) != kScans[0]));
    db.Exec("UPDATE s2v_model SET dimension = 4");
    CHECK(db.Run(sql) == SQLITE_CORRUPT_VTAB);
    CHECK(Contains(db.message(), "table s2v_model, key "));
  }
  Database db;
  MakeTable(&db);
  db.Exec("UPDATE s2v_word SET count = count + 1");
  EmptyCache();
  CHECK(db.Run("SELECT * FROM s2v_words WHERE word = 'fox'") == SQLITE_CORRUPT_VTAB);
}

TEST_CASE("a model that cannot be read hides no other") {
  Database db;
  MakeTable(&db);
  Train(&db, "docs", "\"model\":\"other\",\"seed\":4");
  db.Exec("UPDATE s2v_model SET dimension = 4 WHERE name = 'docs'");
  CHECK(db.Text("SELECT group_concat(name || ifnull(dim, '-') || is_default || (error IS NULL), "
                "' ') FROM s2v_models") == "docs-10 other801");
  CHECK(Contains(db.Text("SELECT error FROM s2v_models WHERE name = 'docs'"),
                 "database disk image is malformed: table s2v_model, key "));
  CHECK(db.Int("SELECT coalesce(words, ngrams, tokens, parameters, created, hash, corpus, losses, "
               "library) IS NULL FROM s2v_models WHERE name = 'docs'") == 1);
  CHECK(db.Text("SELECT length(s2v_embed('red', 'other'))") == "32");
  CHECK(db.Error("SELECT s2v_embed('red', 'nope')") ==
        "s2v_embed: no model 'nope': name one of docs, other");
}

TEST_CASE("the hash of a model tells one from another") {
  Database db;
  FillTexts(&db, "docs", 20);
  CHECK(Contains(db.Error("SELECT s2v_model_hash()"), "s2v_model_hash: no default model here"));
  Train(&db, "docs");
  const std::string first = db.Text("SELECT s2v_model_hash()");
  CHECK(first == db.Text("SELECT hash FROM s2v_models"));
  CHECK(first == db.Text("SELECT s2v_model_hash('main.docs')"));
  Train(&db, "docs", "\"seed\":2");
  CHECK(first != db.Text("SELECT s2v_model_hash()"));
  Train(&db, "docs");
  CHECK(first == db.Text("SELECT s2v_model_hash(NULL)"));
  CHECK(Contains(db.Error("SELECT s2v_model_hash('nope')"), "no model 'nope': name one of docs"));
  CHECK(Contains(db.Error("SELECT s2v_model_hash(x'00')"), "model is a BLOB"));
  CHECK(Contains(db.Error("SELECT s2v_model_hash('')"), "model is empty"));
}

}  // namespace
}  // namespace s2v
