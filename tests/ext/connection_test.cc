// What a connection sees: closing, statements left behind, auxiliary data, models replaced under a
// statement, several connections, several names of the library.
#include <sqlite3ext.h>

#include <chrono>
#include <filesystem>
#include <future>
#include <thread>

#include "tests/support/database.h"

namespace s2v {
namespace {

using namespace testing;

bool NoStatementLeft(const Database& db) {
  return sqlite3_next_stmt(db.get(), nullptr) == nullptr;
}

TEST_CASE("no statement of ours is left when a statement ends, well or not") {
  Database db;
  TrainTexts(&db, 20);
  CHECK(NoStatementLeft(db));
  for (const char* sql :
       {"SELECT s2v_embed(body) FROM docs", "SELECT s2v_embed('red', 'nothing')",
        "SELECT s2v_embed(body), s2v_embed(x'00') FROM docs", "SELECT * FROM s2v_models",
        "SELECT s2v_train('docs', 'nothing')", "SELECT s2v_cosine('red', 1)",
        "SELECT s2v_drop('nothing')", "UPDATE docs SET body = body WHERE s2v_embed(body) IS NULL",
        "SELECT s2v_train('docs', 'body', '{\"min_count\":100000}')"}) {
    db.Run(sql);
    CAPTURE(sql);
    CHECK(NoStatementLeft(db));
    CHECK(sqlite3_get_autocommit(db.get()) != 0);
  }
}

TEST_CASE("a statement that is reset or half read lets go of its model") {
  Database db;
  TrainTexts(&db, 20);
  {
    const Statement statement(db.get(), "SELECT s2v_embed(body) FROM docs");
    for (int round = 0; round < 3; round++) {
      CHECK(sqlite3_step(statement.get()) == SQLITE_ROW);
      CHECK(sqlite3_next_stmt(db.get(), nullptr) != statement.get());  // ours are there, newer
      CHECK(sqlite3_reset(statement.get()) == SQLITE_OK);
      CHECK(sqlite3_next_stmt(db.get(), nullptr) == statement.get());
      CHECK(sqlite3_next_stmt(db.get(), statement.get()) == nullptr);
    }
    CHECK(sqlite3_step(statement.get()) == SQLITE_ROW);
  }
  CHECK(NoStatementLeft(db));
}

// How often statements that begin with a prefix were started.
struct CountStatements {
  sqlite3* db;
  std::string prefix;
  int count = 0;

  CountStatements(sqlite3* connection, std::string begin)
      : db(connection), prefix(std::move(begin)) {
    sqlite3_trace_v2(db, SQLITE_TRACE_STMT, Trace, this);
  }
  ~CountStatements() { sqlite3_trace_v2(db, 0, nullptr, nullptr); }
  static int Trace(unsigned, void* context, void* statement, void*) {
    auto* self = static_cast<CountStatements*>(context);
    const char* sql = sqlite3_sql(static_cast<sqlite3_stmt*>(statement));
    self->count += sql != nullptr && std::string_view(sql).starts_with(self->prefix);
    return 0;
  }
};

TEST_CASE("a model is opened once for a statement") {
  Database db;
  TrainTexts(&db, 50);
  Train(&db, "docs", "\"model\":\"other\",\"seed\":4");
  {
    CountStatements opened(db.get(), "SELECT id, name");
    db.Exec("SELECT s2v_embed(body), s2v_cosine(body, 'red'), s2v_distance('sea', body) FROM docs");
    CHECK(opened.count == 1);
  }
  {
    CountStatements opened(db.get(), "SELECT id, name");
    db.Exec("SELECT s2v_embed(body), s2v_embed(body, 'docs'), s2v_embed(body, 'other') FROM docs");
    CHECK(opened.count == 3);  // the default, and two names
  }
  {
    CountStatements opened(db.get(), "SELECT id, name");
    db.Exec("UPDATE docs SET body = body || '' WHERE s2v_embed(body) IS NOT NULL");
    CHECK(opened.count == 1);
  }
  EmptyCache();
  {
    CountStatements read(db.get(), "SELECT key, count, vector, checksum, word");
    db.Exec("SELECT s2v_embed(a.body) FROM docs a, docs b");
    CHECK(read.count == 24);  // every word once
    db.Exec("SELECT s2v_embed(body) FROM docs");
    CHECK(read.count == 24);  // and from the cache in the next statement
  }
}

TEST_CASE("a statement that runs across a retraining on its own connection is told so") {
  Database db;
  TrainTexts(&db, 20);
  const std::string first = db.Text("SELECT s2v_embed('red fox')");
  Statement statement(db.get(), "SELECT s2v_embed(body) FROM docs");
  CHECK(sqlite3_step(statement.get()) == SQLITE_ROW);
  Train(&db, "docs", "\"seed\":2");
  CHECK(sqlite3_step(statement.get()) == SQLITE_ERROR);
  CHECK(std::string(sqlite3_errmsg(db.get())) ==
        "s2v_embed: model 'docs' was replaced while this statement was running; run it again");
  CHECK(db.Text("SELECT s2v_embed('red fox')") != first);

  // The same model under the name: it goes on.
  statement = Statement(db.get(), "SELECT s2v_embed(body) FROM docs");
  CHECK(sqlite3_step(statement.get()) == SQLITE_ROW);
  Train(&db, "docs", "\"seed\":2");
  CHECK(sqlite3_step(statement.get()) == SQLITE_ROW);
  db.Exec("SELECT s2v_drop('docs')");
  CHECK(sqlite3_step(statement.get()) == SQLITE_ERROR);
}

TEST_CASE("a model that is trained in a transaction goes with its rollback") {
  Database db;
  TrainTexts(&db, 20);
  const std::string first = db.Text("SELECT s2v_embed('red fox')");
  db.Exec("BEGIN");
  Train(&db, "docs", "\"seed\":2");
  const std::string second = db.Text("SELECT s2v_embed('red fox')");
  CHECK(first != second);
  db.Exec("ROLLBACK");
  CHECK(db.Text("SELECT s2v_embed('red fox')") == first);
  db.Exec("BEGIN; SAVEPOINT s2v");
  Train(&db, "docs", "\"seed\":2");
  db.Exec("ROLLBACK TO s2v");
  CHECK(db.Text("SELECT s2v_embed('red fox')") == first);
  Train(&db, "docs", "\"seed\":3");
  db.Exec("RELEASE s2v; COMMIT");
  CHECK(db.Text("SELECT s2v_embed('red fox')") != first);
}

TEST_CASE("a training that fails in a transaction leaves no tables") {
  Database db;
  FillTexts(&db, "docs", 20);
  db.Exec("BEGIN; INSERT INTO docs VALUES(900, 'mine')");
  CHECK(Contains(db.Error("SELECT s2v_train('docs', 'body', '{\"min_count\":100000}')"),
                 "nothing to train on"));
  db.Exec("COMMIT");
  CHECK(db.Count("sqlite_schema") == 1);
  CHECK(db.Count("docs") == 21);
}

TEST_CASE("training inside a statement that writes is refused before it trains") {
  Database db;
  FillTexts(&db, "docs", 20);
  db.Exec("CREATE TABLE log(summary)");
  const std::string train = "s2v_train('docs', 'body', '" + TinyOptions("\"epochs\":100000") + "')";
  for (const std::string& sql :
       {"INSERT INTO log VALUES(" + train + ")", "CREATE TABLE made AS SELECT " + train,
        "UPDATE docs SET body = " + train, "DELETE FROM docs WHERE " + train}) {
    CAPTURE(sql);
    CHECK(
        db.Error(sql) ==
        "s2v_train: nothing can be stored inside INSERT, UPDATE, DELETE or CREATE TABLE: use a SELECT of its own");
    CHECK(sqlite3_get_autocommit(db.get()) != 0);
  }
  CHECK(db.Count("docs") == 20);
}

TEST_CASE("unknown options and elements are answered with those that there are") {
  Database db;
  FillTexts(&db, "docs", 20);
  const std::string option = db.Error("SELECT s2v_train('docs', 'body', '{\"dimensions\":10}')");
  CHECK(Contains(option, "s2v_train: no parameter 'dimensions'; there are "));
  for (const char* name :
       {"dimension", "epochs", "learning_rate", "tokenizer; and preset, model, where, default"}) {
    CHECK(Contains(option, name));
  }
  const std::string element =
      db.Error("SELECT s2v_train('docs', 'body', '{\"element\":\"int4\"}')");
  CHECK(Contains(element, "s2v_train: no element 'int4'; there are float32"));
}

TEST_CASE(
    "a model that another connection trains is there for one that has read the schema before") {
  const TempFile file;
  Database reader(file.path()), writer(file.path());
  FillTexts(&writer, "docs", 20);
  CHECK(reader.Count("docs") == 20);
  Train(&writer, "docs");
  for (const char* asked : {"SELECT length(s2v_embed('red fox')) > 0",
                            "SELECT s2v_update('docs') ->> '$.new_texts' = 0", "BEGIN"}) {
    CAPTURE(asked);
    Database other(file.path()), trainer(file.path());
    trainer.Exec(
        "SELECT s2v_drop('docs'); DROP TABLE s2v_model; DROP TABLE s2v_word; DROP TABLE s2v_ngram; DROP TABLE s2v_target; DROP TABLE s2v_directory");
    CHECK(other.Count("docs") == 20);
    Train(&trainer, "docs");
    const bool begins = std::string_view(asked) == "BEGIN";
    if (begins) other.Exec(asked);
    CHECK(other.Int(begins ? "SELECT length(s2v_embed('red fox')) > 0" : asked) == 1);
  }
}

TEST_CASE("models of many connections are apart") {
  std::vector<Database> connections;
  std::vector<std::string> answers;
  for (int i = 0; i < 12; i++) {
    Database db;
    TrainTexts(&db, 20, "\"seed\":" + std::to_string(i % 6));
    connections.push_back(std::move(db));
  }
  for (Database& db : connections) answers.push_back(db.Text("SELECT s2v_embed('red fox')"));
  for (size_t i = 0; i < 12; i++) {
    for (size_t j = 0; j < i; j++) CHECK((answers[i] == answers[j]) == (i % 6 == j % 6));
  }
}

TEST_CASE("registering twice, and by sqlite3_auto_extension") {
  Database db;
  TrainTexts(&db, 20);
  const std::string first = db.Text("SELECT s2v_embed('red fox')");
  CHECK(sqlite3_s2v_init(db.get(), nullptr, nullptr) == SQLITE_OK);
  CHECK(db.Text("SELECT s2v_embed('red fox')") == first);
  CHECK(db.Count("s2v_models") == 1);

  auto* entry = reinterpret_cast<void (*)()>(reinterpret_cast<void*>(sqlite3_s2v_init));
  REQUIRE(sqlite3_auto_extension(entry) == SQLITE_OK);
  sqlite3* plain = nullptr;
  REQUIRE(sqlite3_open(":memory:", &plain) == SQLITE_OK);
  CHECK(sqlite3_exec(plain, "SELECT s2v_version()", nullptr, nullptr, nullptr) == SQLITE_OK);
  CHECK(sqlite3_close(plain) == SQLITE_OK);
  sqlite3_cancel_auto_extension(entry);
}

TEST_CASE("the library loads under its name, under another, and twice" *
          doctest::skip(kSanitized)) {
  TempFile copy;  // any name at all: it ends in .db
  std::filesystem::copy_file(S2V_EXTENSION_PATH, copy.path());
  for (int round = 0; round < 3; round++) {
    sqlite3* db = nullptr;
    REQUIRE(sqlite3_open(":memory:", &db) == SQLITE_OK);
    sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 1, nullptr);
    for (const std::string& path :
         {std::string(S2V_EXTENSION_PATH), copy.path(), std::string(S2V_EXTENSION_PATH)}) {
      char* message = nullptr;
      CHECK(sqlite3_load_extension(db, path.c_str(), nullptr, &message) == SQLITE_OK);
      CAPTURE(std::string(message == nullptr ? "" : message));
      sqlite3_free(message);
      CHECK(sqlite3_exec(
                db,
                "CREATE TABLE IF NOT EXISTS t(b); INSERT INTO t VALUES('a b'), ('b a');"
                "SELECT s2v_train('t', 'b', '{\"min_count\":1,\"min_target_count\":1,\"epochs\":1,"
                "\"dimension\":4}');"
                "SELECT s2v_embed('a'), s2v_cosine('a', 'b')",
                nullptr, nullptr, nullptr) == SQLITE_OK);
    }
    CHECK(sqlite3_load_extension(db, S2V_EXTENSION_PATH, "sqlite3_s2v_init", nullptr) == SQLITE_OK);
    CHECK(sqlite3_close(db) == SQLITE_OK);
  }
}

// The table of SQLite's functions that the static library calls.
extern "C" const sqlite3_api_routines* sqlite3_api;

// A SQLite that keeps no auxiliary data under negative numbers, which it does not promise to.
struct NoStatementData {
  const sqlite3_api_routines* const linked = sqlite3_api;
  sqlite3_api_routines changed = *linked;

  NoStatementData() {
    changed.set_auxdata = [](sqlite3_context* context, int number, void* data,
                             void (*free)(void*)) {
      if (number < 0) return free(data);
      sqlite3_set_auxdata(context, number, data, free);
    };
    changed.get_auxdata = [](sqlite3_context* context, int number) -> void* {
      return number < 0 ? nullptr : sqlite3_get_auxdata(context, number);
    };
    sqlite3_api = &changed;
  }
  ~NoStatementData() { sqlite3_api = linked; }
};

TEST_CASE("without auxiliary data of statements the answers are the same") {
  Database db;
  TrainTexts(&db, 30);
  Train(&db, "docs", "\"model\":\"other\",\"seed\":4");
  const char kQuery[] =
      "SELECT group_concat(hex(s2v_embed(body)) || hex(s2v_embed(body, 'other', 'raw')) || "
      "s2v_cosine(body, 'red fox') || s2v_distance('red', 'sea', 'other') || s2v_model_hash()) FROM docs";
  const std::string answer = db.Text(kQuery);
  const NoStatementData no_data;
  CountStatements opened(db.get(), "SELECT id, name");
  CHECK(db.Text(kQuery) == answer);
  CHECK(opened.count > 30);  // for every call
  CHECK(Contains(db.Error("SELECT s2v_embed('red', 'none')"), "no model 'none'"));
  db.Exec("UPDATE docs SET body = body WHERE s2v_embed(body) IS NOT NULL");
}

TEST_CASE("texts that come from elsewhere than a table") {
  Database db;
  TrainTexts(&db, 20);
  const std::string fox = db.Text("SELECT hex(s2v_embed('red fox'))");
  CHECK(db.Text("WITH t(x) AS (VALUES('red fox')) SELECT hex(s2v_embed(x)) FROM t") == fox);
  CHECK(db.Text("SELECT hex(s2v_embed(value)) FROM json_each('[\"red fox\"]')") == fox);
  CHECK(db.Text("SELECT hex(s2v_embed(CAST(x'72656420666f78' AS TEXT)))") == fox);
  CHECK(
      db.Text("SELECT hex(max(s2v_embed(t))) FROM (SELECT 'red fox' AS t UNION ALL SELECT NULL)") ==
      fox);
  CHECK(db.Text("SELECT hex(s2v_embed('red fox')) FROM docs GROUP BY s2v_embed(body) HAVING "
                "count(*) > 0 LIMIT 1") == fox);
}

TEST_CASE("a connection that shares the cache is waited for") {
  const char* const uri = "file:shared_cache_test?mode=memory&cache=shared";
  Database db(uri);
  IndexTexts(&db, 40);
  Database other(uri);
  sqlite3_stmt* reading = nullptr;
  const auto read = [&](const char* sql) {
    REQUIRE(sqlite3_prepare_v2(other.get(), sql, -1, &reading, nullptr) == SQLITE_OK);
    CHECK(sqlite3_step(reading) == SQLITE_ROW);
    return std::async(std::launch::async, [&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(300));
      sqlite3_finalize(reading);
    });
  };
  {
    const auto ends = read("SELECT * FROM s2v_model");
    Train(&db, "docs");
  }
  db.Exec("UPDATE docs SET body = body || ' x'");
  {
    const auto ends = read("SELECT * FROM s_entry");
    db.Exec("SELECT s2v_sync('s')");
  }
  CHECK(db.Int("SELECT pending FROM s('red', 1)") == 0);
}

}  // namespace
}  // namespace s2v
