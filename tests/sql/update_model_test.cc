// Training a stored model on with new rows, through SQL.

#include "sql/update_model.h"

#include <doctest/doctest.h>

#include <string>

#include "sql/model_loader.h"
#include "sql/model_writer.h"
#include "sql/train_table.h"
#include "tests/sql/trained.h"
#include "tests/support/database.h"
#include "tests/support/error_of.h"

namespace s2v {
namespace {

using namespace testing;

const char kUpdate[] = "SELECT s2v_update('docs', '{\"workers\":1}')";

UpdateRequest UpdateOf() {
  UpdateRequest request;
  request.model = "docs";
  request.lock_wait_milliseconds = 0;
  return request;
}

// A model of docs, and the same table with new rows about something else.
struct Updated {
  Database db;
  std::string hash;

  explicit Updated(bool new_rows = true, const std::string& path = ":memory:") : db(path) {
    TrainTexts(&db, 100);
    hash = Hash();
    if (new_rows) AddNew();
  }
  void AddNew() {
    db.Exec(
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 30) INSERT INTO "
        "docs(body) SELECT 'comet planet orbit red ' || (i % 3) FROM n");
  }
  std::string Hash() { return db.Text("SELECT hash FROM s2v_models WHERE name = 'docs'"); }
  std::string Update(const std::string& options, const std::string& field) {
    return db.Text("SELECT json_extract(s2v_update('docs', '" + options + "'), '$." + field + "')");
  }
};

TEST_CASE("new words join, old ones stay, the model is another") {
  Updated s;
  CHECK(s.db.Text("SELECT s2v_embed('comet orbit')") == "NULL");
  const std::string json = s.db.Text("SELECT s2v_update('docs')");
  const auto field = [&](const std::string& name) {
    return s.db.Text("SELECT json_extract('" + json + "', '$." + name + "')");
  };
  CHECK(field("new_texts") == "30");
  CHECK(field("new_sentences") == "30");
  CHECK(field("replayed_sentences") == "30");
  CHECK(field("new_words") == "6");
  CHECK(field("former_hash") == s.hash);
  CHECK(field("hash") == s.Hash());
  CHECK(s.Hash() != s.hash);
  CHECK(field("drift_texts") == "100");
  const double cosine = std::stod(field("mean_cosine"));
  CHECK(cosine > 0.5);
  CHECK(cosine < 1);
  CHECK(s.db.Int("SELECT length(s2v_embed('comet orbit'))") == 32);
  CHECK(
      s.db.Int("SELECT s2v_cosine('comet planet', 'orbit') > s2v_cosine('comet planet', 'bank')") ==
      1);
  CHECK(s.db.Int("SELECT is_default FROM s2v_models") == 1);
  CHECK(s.db.Count("s2v_model") == 1);
  CHECK(s.db.Text("SELECT json_extract(corpus, '$.max_rowid') FROM s2v_models") == "130");
  CHECK(s.db.Text("SELECT json_extract(corpus, '$.updates[0].texts') FROM s2v_models") == "30");
  CHECK(s.db.Int("SELECT json_array_length(losses) FROM s2v_models") == 2 + 5);
  // The parameters are those of the training.
  CHECK(s.db.Text("SELECT json_extract(parameters, '$.epochs') FROM s2v_models") == "2");
  // Counts are those of the whole table.
  CHECK(s.db.Int("SELECT count FROM s2v_word WHERE word = 'comet'") == 30);
  CHECK(s.db.Int("SELECT texts FROM s2v_model") == 130);

  // And again: nothing, then one row more.
  CHECK(s.Update("{}", "new_texts") == "0");
  s.db.Exec("INSERT INTO docs(body) VALUES('red comet')");
  CHECK(s.Update("{}", "new_texts") == "1");
  CHECK(s.db.Int("SELECT json_array_length(corpus, '$.updates') FROM s2v_models") == 2);
}

TEST_CASE("an updated model embeds by the rules of its version") {
  Updated s;
  Model model = LoadModel(s.db.get(), {"main", "docs"});
  model.favours_opening = false;
  model.word_bursts.clear();
  const std::string origin = s.db.Text("SELECT corpus FROM s2v_models");
  SaveModel(s.db.get(), {ParseModelName("docs"), origin, true}, model, NeverWait);
  CHECK(s.db.Int("SELECT compatible_version FROM s2v_model") == 2);
  s.db.Exec(kUpdate);
  CHECK(s.db.Int("SELECT compatible_version FROM s2v_model") == 2);
  Updated now;
  now.db.Exec(kUpdate);
  CHECK(now.db.Int("SELECT compatible_version FROM s2v_model") == 6);
}

TEST_CASE("with one worker the same update is the same model") {
  Updated a, b;
  a.db.Exec(kUpdate);
  b.db.Exec(kUpdate);
  CHECK(a.Hash() == b.Hash());
}

TEST_CASE("no new rows leave the model as it is") {
  Updated s(false);
  const std::string before = s.db.Bytes();
  CHECK(s.Update("{}", "new_texts") == "0");
  CHECK(s.Update("{}", "hash") == s.hash);
  CHECK(s.Update("{\"where\":\"0\"}", "new_texts") == "0");
  CHECK(s.db.Bytes() == before);
  s.db.Exec("INSERT INTO docs(body) VALUES(NULL), (x'00')");
  CHECK(s.Update("{}", "skipped") == "2");
  CHECK(s.Hash() == s.hash);
}

TEST_CASE("new rows without two words are read again by the next update") {
  Updated s(false);
  for (const bool in_transaction : {false, true}) {
    s.db.Exec("INSERT INTO docs(body) VALUES(''), ('comet')");
    if (in_transaction) s.db.Exec("BEGIN");
    CHECK(Contains(s.Update("{}", "warning"), "no two words"));
    if (in_transaction) s.db.Exec("COMMIT");
    CHECK(s.Hash() == s.hash);
  }
  s.db.Exec("INSERT INTO docs(body) VALUES('red comet')");
  CHECK(s.Update("{}", "new_texts") == "5");
  CHECK(s.Hash() != s.hash);
}

TEST_CASE(
    "new rows with smaller rowids than the largest seen are refused with the reason, not passed over") {
  for (const bool beside_new_ones : {false, true}) {
    Updated s(beside_new_ones);
    s.db.Exec("INSERT INTO docs(id, body) VALUES(-3, 'comet orbit'), (-2, NULL)");
    CHECK(Contains(
        s.db.Error(kUpdate),
        "has seen 100 texts with rowids up to 100, and there are 101 now: say with where"));
    CHECK(s.Hash() == s.hash);
    CHECK(s.Update("{\"where\":\"id < 0 OR id > 100\"}", "new_texts") ==
          (beside_new_ones ? "31" : "1"));
    CHECK(s.Update("{}", "new_texts") == "0");
    s.db.Exec("UPDATE docs SET body = 'comet' WHERE id = -2");
    CHECK(Contains(s.db.Error(kUpdate), "and there are"));
  }
}

TEST_CASE("an update of a model that was outgrown says so, once") {
  Updated s;
  CHECK(s.Update("{}", "warning") == "NULL");
  s.db.Exec("INSERT INTO docs(body) SELECT body FROM docs");
  CHECK(Contains(s.Update("{}", "warning"),
                 "'docs' was trained from 130 texts, and there are 260 by now"));
  s.db.Exec("INSERT INTO docs(body) VALUES('red comet')");
  CHECK(s.Update("{}", "warning") == "NULL");
}

TEST_CASE("since and where say which rows are new") {
  Updated s;
  SUBCASE("since") {
    CHECK(s.Update("{\"since\":120}", "new_texts") == "10");
  }
  SUBCASE("since before what it has seen") {
    CHECK(s.Update("{\"since\":-5}", "new_texts") == "130");
  }
  SUBCASE("where") {
    CHECK(s.Update("{\"where\":\"body LIKE ''comet%''\",\"replay\":0.5}", "replayed_sentences") ==
          "15");
    CHECK(s.db.Text("SELECT json_extract(corpus, '$.where') FROM s2v_models") == "NULL");
  }
  SUBCASE("where, of a model of some rows") {
    s.db.Exec(TrainSql("docs", "\"where\":\"id <= 50\""));
    const std::string few = s.Hash();
    CHECK(s.Update("{\"where\":\"id > 110 -- the last\"}", "new_texts") == "0");
    CHECK(Contains(
        s.Update("{\"where\":\"id > 110\"}", "warning"),
        "meets the condition that model 'docs' was trained with, id <= 50; to change it, train anew"));
    CHECK(s.Update("{\"where\":\"id > 200\"}", "warning") == "NULL");
    CHECK(s.Hash() == few);
  }
  SUBCASE("where, of a model of some rows, however often") {
    s.db.Exec("ALTER TABLE docs ADD COLUMN lang DEFAULT 'de'");
    s.db.Exec(TrainSql("docs", "\"where\":\"lang = ''de'' -- all\""));
    for (int i = 0; i < 120; i++) {
      s.db.Exec("INSERT INTO docs(id, body, lang) VALUES(" + std::to_string(1000 + 2 * i) +
                ", 'red comet', 'de'), (" + std::to_string(1001 + 2 * i) +
                ", 'green comet', 'en')");
      CHECK(s.Update("{\"epochs\":1,\"where\":\"id >= " + std::to_string(1000 + 2 * i) + "\"}",
                     "new_texts") == "1");
    }
    CHECK(s.db.Text("SELECT corpus ->> 'where' FROM s2v_models") == "lang = 'de' -- all");
    s.db.Exec("INSERT INTO docs(body, lang) VALUES('red comet', 'en'), ('blue comet', 'de')");
    CHECK(s.Update("{}", "new_texts") == "1");
  }
  CHECK(s.Hash() != s.hash);
}

TEST_CASE("rows that an update leaves out are not taken for seen") {
  Updated s;
  for (const char* some : {R"({"where":"id = 123"})", R"({"since":125})"}) {
    Updated one;
    CHECK(one.Update(some, "new_texts") != "0");
    CHECK(one.db.Text("SELECT corpus ->> 'max_rowid' FROM s2v_models") == "NULL");
    CHECK(
        Contains(one.db.Error("SELECT s2v_update('docs')"),
                 "does not remember the largest rowid that it has seen: say with since or where"));
    CHECK(one.Update(R"({"since":129})", "new_texts") == "1");
    CHECK(one.db.Int("SELECT corpus ->> 'max_rowid' FROM s2v_models") == 130);
  }
  CHECK(s.Update(R"({"where":"id > 100"})", "new_texts") == "30");
  CHECK(s.db.Int("SELECT corpus ->> 'max_rowid' FROM s2v_models") == 130);
}

TEST_CASE("what cannot be updated says why") {
  Updated s;
  const auto error = [&](const std::string& call) {
    return s.db.Error("SELECT s2v_update" + call);
  };
  CHECK(Contains(error("('nothing')"), "no model 'nothing': name one of docs"));
  CHECK(Contains(error("('')"), "a model's name is empty"));
  CHECK(Contains(error("(x'00')"), "model is a BLOB"));
  CHECK(Contains(error("('docs', 'no JSON')"), "options are not a JSON object"));
  CHECK(Contains(error("('docs', '{\"sinc\":1}')"), "no option 'sinc'; there are since, where"));
  CHECK(Contains(error("('docs', '{\"since\":1.5}')"), "since: a whole number expected"));
  CHECK(
      Contains(error("('docs', '{\"since\":\"9999999999999999999\"}')"), "since: a whole number"));
  CHECK(Contains(error("('docs', '{\"where\":\"id < 0) OR (id > 100\"}')"), "where: "));
  CHECK(Contains(error("('docs', '{\"epochs\":0}')"), "epochs: a number from 1 to 100000"));
  CHECK(Contains(error("('docs', '{\"replay\":-1}')"), "replay: a number from 0 to"));
  CHECK(Contains(error("('docs', '{\"learning_rate\":\"nan\"}')"), "learning_rate: a number from"));
  CHECK(Contains(error("('docs', '{\"workers\":-1}')"), "workers: a number from 0 to 1024"));
  CHECK(Contains(error("('docs', '{\"since\":1,\"where\":\"1\"}')"), "give one of them"));
  CHECK(Contains(error("('docs', '{\"where\":\"missing = 1\"}')"),
                 "model 'docs', trained on docs.body: where: no such column: missing"));
  CHECK(Contains(
      error("('docs', '{\"where\":\"1) UNION SELECT name FROM sqlite_schema WHERE (1\"}')"),
      "where: "));
  CHECK(s.Hash() == s.hash);

  s.db.Exec("ALTER TABLE docs RENAME COLUMN body TO text");
  CHECK(
      Contains(error("('docs')"), "trained on docs.body: table 'main.docs' has no column 'body'"));
  s.db.Exec("ALTER TABLE docs RENAME TO gone");
  CHECK(Contains(error("('docs')"), "trained on docs.body: no table or view 'docs'"));
  CHECK(s.Hash() == s.hash);
}

TEST_CASE("tables without rowids need where") {
  Database db;
  FillTexts(&db, "texts", 60);
  db.Exec(
      "CREATE TABLE docs(id INTEGER PRIMARY KEY, body TEXT) WITHOUT ROWID; INSERT INTO docs SELECT "
      "* FROM texts; CREATE VIEW seen AS SELECT * FROM texts");
  for (const char* table : {"docs", "seen"}) {
    CAPTURE(std::string(table));
    Train(&db, table);
    const std::string call = "SELECT s2v_update('" + std::string(table) + "'";
    CHECK(Contains(
        db.Error(call + ")"),
        "has no rowid to tell new rows by, as views and virtual tables have none: say with where"));
    CHECK(Contains(db.Error(call + ", '{\"since\":1}')"), "has no rowid"));
    CHECK(db.Int("SELECT json_extract(s2v_update('" + std::string(table) +
                 "', '{\"where\":\"id > 50\"}'), '$.new_texts')") == 10);
  }
  // A column called rowid is not the rowid.
  db.Exec("CREATE TABLE odd(rowid TEXT, body TEXT); INSERT INTO odd SELECT 'z', body FROM texts");
  Train(&db, "odd");
  CHECK(db.Int("SELECT json_extract(corpus, '$.max_rowid') FROM s2v_models WHERE name = 'odd'") ==
        60);
  db.Exec("INSERT INTO odd VALUES('a', 'red comet')");
  CHECK(db.Int("SELECT json_extract(s2v_update('odd'), '$.new_texts')") == 1);
}

TEST_CASE("a model without an origin or without target embeddings is refused") {
  Database db;
  Config config = TinyConfig();
  Model model = TrainedModel(config, 60, 40);
  Save(&db, "bare", model);
  CHECK(Contains(db.Error("SELECT s2v_update('bare')"),
                 "model 'bare' does not tell which table it was trained on"));
  model.target = Matrix(0, static_cast<uint32_t>(config.dimension));
  SaveModel(db.get(), {{"", "flat"}, "{\"table\":\"docs\",\"column\":\"body\"}"}, model, NeverWait);
  CHECK(Contains(db.Error("SELECT s2v_update('flat')"), "model 'flat' has no target embeddings"));
}

TEST_CASE("a model of smaller rows is refused, and stays as it is") {
  Updated s;
  s.db.Exec("SELECT s2v_convert('docs', 'small', 'int8')");
  CHECK(Contains(s.db.Error("SELECT s2v_update('small')"),
                 "model 'small' is stored as int8, without the target embeddings that training "
                 "needs: update the float32 model that it was made from"));
  CHECK(s.db.Text("SELECT element FROM s2v_models WHERE name = 'small'") == "int8");
  s.db.Exec("SELECT s2v_convert('docs', 'copy', 'float32', 20)");
  CHECK(
      Contains(s.db.Error("SELECT s2v_update('copy')"), "update the model that it was converted"));
  s.db.Exec(kUpdate);
  CHECK(s.db.Text("SELECT element FROM s2v_models WHERE name = 'docs'") == "float32");
}

TEST_CASE("what was chosen for a model stays told after an update") {
  Updated s;
  const std::string choices = s.db.Text("SELECT choices FROM s2v_models");
  const std::string parameters = s.db.Text("SELECT parameters FROM s2v_models");
  CHECK(Contains(choices, "\"value\":"));
  s.db.Exec(kUpdate);
  CHECK(s.db.Text("SELECT choices FROM s2v_models") == choices);
  CHECK(s.db.Text("SELECT parameters FROM s2v_models") == parameters);
}

TEST_CASE("too little memory is an error before training") {
  Updated s;
  Train(&s.db, "docs", "\"dimension\":4096");
  s.hash = s.Hash();
  s.AddNew();
  const auto error = [&](const std::string& options) {
    return s.db.Error("SELECT s2v_update('docs', '" + options + "')");
  };
  const std::string message = error("{\"memory_limit\":1}");
  CHECK(Contains(message, "training needs about "));
  CHECK(Contains(message, "free memory, or train afresh, without the "));
  for (const char* value : {"-1", "1.5", "\"much\"", "1e30"}) {
    CAPTURE(std::string(value));
    CHECK(Contains(error("{\"memory_limit\":" + std::string(value) + "}"),
                   "memory_limit: a whole number of megabytes"));
  }
  CHECK(s.Hash() == s.hash);
}

TEST_CASE("an update or a conversion of an unfinished training's name takes its rows away") {
  Updated s;
  s.db.Exec("SELECT s2v_convert('docs', 'other', 'float32')");
  for (const std::string& sql :
       {std::string(kUpdate), std::string("SELECT s2v_convert('other', 'docs', 'float32')")}) {
    CAPTURE(sql);
    TrainRequest request;
    request.table = "docs";
    request.column = "body";
    request.checkpoint_every = 1000;
    request.settings.Set("epochs", "100000");
    request.settings.Set("min_count", "1");
    CHECK_THROWS_AS(TrainTable(s.db.get(), request,
                               [](const TrainProgress& p) {
                                 return p.phase != TrainProgress::kTraining || p.fraction == 0;
                               }),
                    StoppedTraining);
    REQUIRE(s.db.Count("s2v_checkpoint_rows") > 0);
    s.db.Exec(sql);
    CHECK(s.db.Count("s2v_checkpoint") == 0);
    CHECK(s.db.Count("s2v_checkpoint_rows") == 0);
  }
}

TEST_CASE("a model in an attached database reads its own table") {
  const TempFile file;
  { const Updated s(true, file.path()); }
  Database db;
  db.Exec("ATTACH '" + file.path() + "' AS aux; CREATE TABLE docs(id INTEGER PRIMARY KEY, body)");
  CHECK(db.Int("SELECT json_extract(s2v_update('aux.docs'), '$.new_texts')") == 30);
  CHECK(db.Int("SELECT json_extract(s2v_update(NULL), '$.new_texts')") == 0);
  CHECK(db.Count("s2v_models WHERE schema = 'aux'") == 1);
}

TEST_CASE("a table of temp hides the model's own from SQL, not from its updates") {
  Database db;
  TrainTexts(&db, 100);
  db.Exec(
      "CREATE TEMP TABLE docs(id INTEGER PRIMARY KEY, body); INSERT INTO temp.docs SELECT id + 1000, 'zebra draft ' || id FROM main.docs; INSERT INTO main.docs(body) VALUES('a new fox')");
  CHECK(db.Int("SELECT s2v_update('docs') ->> '$.new_texts'") == 1);
  CHECK(db.Count("s2v_words('docs') WHERE word = 'zebra'") == 0);
  db.Exec(
      "SELECT s2v_train('docs', 'body', '{\"model\":\"drafts\",\"dimension\":9,\"epochs\":1}')");
  CHECK(
      db.Text(
          "SELECT corpus ->> '$.table' || ' ' || rows_now FROM s2v_models WHERE name = 'drafts'") ==
      "temp.docs 100");
  db.Exec("DROP TABLE temp.docs");
  CHECK(Contains(db.Error("SELECT s2v_update('drafts')"), "no table or view 'temp.docs'"));
}

TEST_CASE("an update is one transaction of the caller's, or none") {
  Updated s;
  s.db.Exec("BEGIN");
  s.db.Exec(kUpdate);
  CHECK(s.Hash() != s.hash);
  s.db.Exec("ROLLBACK");
  CHECK(s.Hash() == s.hash);
  s.db.Exec("BEGIN");
  s.db.Exec(kUpdate);
  s.db.Exec("COMMIT");
  CHECK(s.Hash() != s.hash);
  CHECK(s.db.Text("PRAGMA integrity_check") == "ok");
}

TEST_CASE("stopped, read-only, locked, full: the model is as it was") {
  const TempFile file;
  Updated s(true, file.path());
  SUBCASE("stopped") {
    for (const auto phase : {TrainProgress::kTraining, TrainProgress::kStoring}) {
      CHECK_THROWS_AS(UpdateModel(s.db.get(), UpdateOf(),
                                  [&](const TrainProgress& p) { return p.phase != phase; }),
                      Interrupted);
    }
  }
  SUBCASE("read-only") {
    Database db(file.path(), SQLITE_OPEN_READONLY);
    CHECK(Contains(db.Error(kUpdate), "is read-only"));
  }
  SUBCASE("locked") {
    Database other(file.path());
    other.Exec("BEGIN IMMEDIATE");
    CHECK_THROWS_AS(UpdateModel(s.db.get(), UpdateOf(), [](const TrainProgress&) { return true; }),
                    SqlError);
    other.Exec("COMMIT");
  }
  SUBCASE("full") {
    Train(&s.db, "docs", "\"dimension\":500");
    s.AddNew();
    s.db.Exec("VACUUM");
    s.hash = s.Hash();
    const int64_t pages = s.db.Int("PRAGMA page_count");
    s.db.Exec("PRAGMA max_page_count = " + std::to_string(pages));
    CHECK(Contains(s.db.Error("SELECT s2v_update('docs')"), "full"));
  }
  SUBCASE("replaced meanwhile") {
    Database other(file.path());
    bool done = false;
    CHECK_THROWS_AS(UpdateModel(s.db.get(), UpdateOf(),
                                [&](const TrainProgress& p) {
                                  if (p.phase == TrainProgress::kTraining && !done) {
                                    done = true;
                                    Train(&other, "docs", "\"seed\":5");
                                    s.hash = s.Hash();
                                  }
                                  return true;
                                }),
                    InvalidArgument);
    CHECK(done);
  }
  SUBCASE("replaced while it waited for the lock") {
    Database other(file.path());
    UpdateRequest request = UpdateOf();
    request.lock_wait_milliseconds = 20000;
    int storing = 0;
    const auto observe = [&](const TrainProgress& p) {
      if (p.phase == TrainProgress::kTraining && sqlite3_get_autocommit(other.get()) != 0) {
        other.Exec("BEGIN IMMEDIATE");
      }
      if (p.phase == TrainProgress::kStoring && ++storing == 2) {
        Train(&other, "docs", "\"seed\":5");
        other.Exec("COMMIT");
        s.hash = other.Text("SELECT hash FROM s2v_models");
      }
      return true;
    };
    const std::string message = test::ErrorOf([&] { UpdateModel(s.db.get(), request, observe); });
    CHECK(storing >= 2);
    CHECK(Contains(message, "model 'docs' was replaced by another connection meanwhile"));
  }
  CHECK(s.Hash() == s.hash);
  CHECK(s.db.Text("PRAGMA integrity_check") == "ok");
}

}  // namespace
}  // namespace s2v
