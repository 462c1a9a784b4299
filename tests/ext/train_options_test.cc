// What s2v_train is told beside the parameters: SQL that hears of its progress, limits of memory.
#include <sys/resource.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <thread>

#include "tests/support/process.h"

namespace s2v {
namespace {

using namespace testing;

std::string Option(const std::string& name, const std::string& value) {
  return "\"" + name + "\":" + value;
}

std::string WithProgress(const std::string& sql) {
  std::string quoted;
  for (const char c : sql) quoted.append(c == '\'' ? 2 : 1, c);
  return Option("progress", "\"" + quoted + "\"");
}

const char kInsert[] =
    "INSERT INTO log VALUES(:phase, :fraction, :loss, :learning_rate, :tokens, :seconds)";

void MakeTables(Database* db, int rows = 200) {
  FillTexts(db, "docs", rows);
  db->Exec("CREATE TABLE log(phase, fraction, loss, learning_rate, tokens, seconds)");
}

TEST_CASE("progress: the statement hears of every phase, with the values of its parameters") {
  Database db;
  MakeTables(&db);
  Train(&db, "docs", WithProgress(kInsert));
  CHECK(db.Text("SELECT group_concat(phase) FROM log") == "reading,training,storing");
  CHECK(db.Text("SELECT group_concat(fraction) FROM log") == "0.0,0.0,1.0");
  CHECK(db.Text("SELECT group_concat(typeof(learning_rate)) FROM log") == "null,real,real");
  CHECK(db.Text("SELECT group_concat(learning_rate) FROM log") == "0.2,0.0");  // as Train() has it
  CHECK(db.Count("log WHERE seconds BETWEEN 0 AND 100") == 3);
  CHECK(db.Int("SELECT tokens > 0 FROM log WHERE phase = 'storing'") == 1);
  // Any statement, of any of the parameters or none.
  Train(&db, "docs", WithProgress("SELECT 1"));
  Train(&db, "docs", WithProgress("UPDATE log SET fraction = :fraction;  -- the end"));
  CHECK(db.Count("log WHERE fraction = 1") == 3);
}

TEST_CASE("progress: what it writes is seen by other connections while the training runs") {
  for (const char* journal : {"wal", "delete"}) {
    CAPTURE(std::string(journal));
    TempFile file;
    Database trainer(file.path()), reader(file.path());
    trainer.Exec("PRAGMA journal_mode = " + std::string(journal));
    MakeTables(&trainer);
    int code = SQLITE_OK;
    std::thread training([&] {
      code = trainer.Run(
          TrainSql("docs", "\"epochs\":100000,\"dimension\":100," + WithProgress(kInsert)));
    });
    const auto start = Clock::now();
    bool seen = false;
    while (!seen && SecondsSince(start) < 20) {
      Sleep(20);
      seen =
          reader.Run("SELECT 1 FROM log WHERE phase = 'training' AND fraction > 0 AND loss > 0") ==
              SQLITE_OK &&
          !reader.rows().empty();
    }
    CHECK(seen);
    CHECK(reader.Count("sqlite_schema WHERE name = 's2v_model'") == 0);
    sqlite3_interrupt(trainer.get());
    training.join();
    CHECK(code == SQLITE_INTERRUPT);
    CHECK(reader.Count("log") > 2);
  }
}

TEST_CASE("progress: a statement that fails stops the training with its error") {
  Database db;
  MakeTables(&db);
  Train(&db, "docs");
  const std::string before = db.Text("SELECT hash FROM s2v_models");
  db.Exec("CREATE TABLE once(phase UNIQUE CHECK(phase <> 'training'))");
  db.Exec("CREATE TABLE never(phase CHECK(phase <> 'storing'))");
  const struct {
    std::string sql, message;
  } cases[] = {
      {"INSERT INTO once VALUES(:phase)", "progress: CHECK constraint failed"},
      {"INSERT INTO never VALUES(:phase)", "progress: CHECK constraint failed"},
      {"INSERT INTO nowhere VALUES(1)", "progress: no such table: nowhere"},
      {"nonsense", "progress: near"},
      {"", "progress: a statement expected, not ''"},
      {" -- nothing", "progress: no statement in"},
      {"SELECT 1; SELECT 2", "progress: one statement expected"},
      {"SELECT :part", "no parameter ':part'; there are :phase, :fraction"},
      {"SELECT ?", "no parameter '?'; there are "},
      {"SELECT ?3", "progress: no parameter '?"},
      {"BEGIN", "progress: the statement must neither begin nor end a transaction"},
      {"SAVEPOINT a", "progress: the statement must neither begin nor end a transaction"},
      {"COMMIT", "progress: the statement must neither begin nor end a transaction"},
      {"SELECT s2v_embed(x'00')", "progress: s2v_embed: "},
  };
  for (const auto& c : cases) {
    CAPTURE(c.sql);
    const std::string message = db.Error(TrainSql("docs", "\"seed\":9," + WithProgress(c.sql)));
    CAPTURE(message);
    CHECK(message.starts_with("s2v_train: progress: "));
    CHECK(Contains(message, c.message));
    CHECK(db.Text("SELECT hash FROM s2v_models") == before);
    CHECK(sqlite3_get_autocommit(db.get()) != 0);
    CHECK(sqlite3_next_stmt(db.get(), nullptr) == nullptr);
  }
}

TEST_CASE("progress: that it has ended the transaction is said") {
  Database db;
  MakeTables(&db);
  db.Exec("CREATE TABLE u(x UNIQUE); INSERT INTO u VALUES(1); BEGIN");
  const std::string message =
      db.Error(TrainSql("docs", WithProgress("INSERT OR ROLLBACK INTO u VALUES(1)")));
  CHECK(Contains(message, "progress: UNIQUE constraint failed: u.x; it has ended the transaction"));
  CHECK(sqlite3_get_autocommit(db.get()) != 0);
}

TEST_CASE("progress: inside a transaction it may not end it") {
  for (const char* sql : {"COMMIT", "ROLLBACK"}) {
    CAPTURE(std::string(sql));
    Database db;
    MakeTables(&db);
    db.Exec("BEGIN; INSERT INTO log(phase) VALUES('mine')");
    CHECK(Contains(db.Error(TrainSql("docs", WithProgress(sql))), "s2v_train: progress: "));
    CHECK(db.Count("log WHERE phase = 'mine'") == 1);
    db.Exec("ROLLBACK");  // it is still the caller's
    CHECK(db.Count("log WHERE phase = 'mine'") == 0);
    CHECK(db.Count("sqlite_schema WHERE name LIKE 's2v%'") == 0);
    CHECK(db.Text("PRAGMA integrity_check") == "ok");
  }
}

TEST_CASE("the summary tells the seconds, and warns where there are few texts") {
  Database db;
  MakeTables(&db, 400);
  const std::string many = db.Text(TrainSql("docs")),
                    few = db.Text(TrainSql("docs", Option("where", "\"id < 100\"")));
  CHECK(FromSql(db, "json_extract(?1, '$.warning') IS NULL", many) == "1");
  CHECK(FromSql(db, "json_extract(?1, '$.warning') LIKE 'only 99 texts: %'", few) == "1");
  for (const std::string& summary :
       {many, few, db.Text("SELECT s2v_update('docs', json_object('since', 50, 'workers', 1))")}) {
    CHECK(FromSql(db,
                  "abs((?1 ->> '$.seconds') - (?1 ->> '$.read_seconds') - "
                  "(?1 ->> '$.train_seconds') - (?1 ->> '$.store_seconds')) < 0.0021",
                  summary) == "1");
  }
}

TEST_CASE("where memory is too little to count all words, the summary says so") {
  Database db;
  db.Exec(
      "CREATE TABLE many(id INTEGER PRIMARY KEY, body TEXT); WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n LIMIT 40000) "
      "INSERT INTO many(body) SELECT 'word' || i || ' other' || (i / 2) || ' more' || (i % 300) FROM n");
  const auto warning = [&](const char* limit) {
    return db.Text(
        "SELECT s2v_train('many', 'body', '{\"dimension\":2,\"epochs\":1,\"workers\":1,\"min_count\":1,\"tokenizer\":\"unicode\",\"memory_limit\":" +
        std::string(limit) + "}') ->> '$.warning'");
  };
  CHECK(warning("0") == "NULL");
  CHECK(Contains(warning("8"), "too little memory to count all words"));
  CHECK(db.Int("SELECT words < 60300 FROM s2v_models") == 1);
}

TEST_CASE("a training that needs more memory than the limit is refused before it begins") {
  Database db;
  MakeTables(&db);
  Train(&db, "docs");
  const std::string before = db.Text("SELECT hash FROM s2v_models");
  const std::string message = db.Error(TrainSql("docs", "\"dimension\":4096,\"memory_limit\":1"));
  CHECK(Contains(message, "s2v_train: training needs about "));
  CHECK(Contains(
      message,
      " MB, and memory_limit allows 1 MB; raise it, lower dimension (4096), or raise min_count"));
  CHECK(db.Text("SELECT hash FROM s2v_models") == before);
  Train(&db, "docs", "\"memory_limit\":1000");
  CHECK(db.Count("s2v_models") == 1);
  Train(&db, "docs", "\"memory_limit\":0");
  for (const char* value : {"-1", "1.5", "\"much\"", "1e30", "\"\""}) {
    CAPTURE(std::string(value));
    CHECK(Contains(db.Error(TrainSql("docs", Option("memory_limit", value))),
                   "memory_limit: a whole number of megabytes from 0 to "));
  }
}

TEST_CASE("texts in a temporary file give the same model, and the file has no name") {
  const TestFile file(20000, 50);
  const std::string folder = file.folder() + "/tmp";
  std::filesystem::create_directory(folder);
  setenv("TMPDIR", folder.c_str(), 1);
  for (const char* order : {"1", "2"}) {
    file.Trained({"--model", "memory", "--ngram-order", order, "--epochs", "2"});
    file.Trained({"--model", "disk", "--ngram-order", order, "--epochs", "2", "--memory", "1"});
    CHECK(Database(file.path()).Int("SELECT count(DISTINCT hash) FROM s2v_models") == 1);
  }
  // While it trains, and after it was killed.
  Terminal terminal(file.TrainLong() + Words("--memory 1"));
  terminal.WaitForText("\rtraining ");
  CHECK(std::filesystem::is_empty(folder));
  kill(terminal.child(), SIGKILL);
  terminal.End();
  CHECK(std::filesystem::is_empty(folder));
  unsetenv("TMPDIR");
}

TEST_CASE("a temporary folder that is not there or is full is an error that says what to do") {
  Database db;
  MakeTables(&db, 40000);
  Train(&db, "docs");
  const std::string before = db.Text("SELECT hash FROM s2v_models");
  const std::string sql = TrainSql("docs", "\"memory_limit\":1,\"seed\":9");
  setenv("TMPDIR", "/nowhere", 1);
  std::string message = db.Error(sql);
  unsetenv("TMPDIR");
  CHECK(message ==
        "s2v_train: cannot make the temporary file in '/nowhere': No such file or directory; set "
        "TMPDIR to another folder, or raise memory_limit");

  // A limit of the file size stands for the end of the disk.
  struct rlimit limit {};
  REQUIRE(getrlimit(RLIMIT_FSIZE, &limit) == 0);
  struct rlimit low = limit;
  low.rlim_cur = 10000;
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  REQUIRE(setrlimit(RLIMIT_FSIZE, &low) == 0);
  const int code = db.Run(sql);
  message = db.message();
  setrlimit(RLIMIT_FSIZE, &limit);
  std::signal(SIGXFSZ, handler);
  CHECK(code == SQLITE_ERROR);
  CHECK(Contains(message, "s2v_train: cannot write the temporary file in '"));
  CHECK(
      Contains(message, "; make room there, set TMPDIR to another folder, or raise memory_limit"));
  CHECK(db.Text("SELECT hash FROM s2v_models") == before);
  Train(&db, "docs", "\"memory_limit\":1");
  CHECK(db.Text("SELECT hash FROM s2v_models") != "");
}

TEST_CASE("a row of four megabytes is trained on, in memory and from the file") {
  Database db;
  FillTexts(&db, "docs", 10);
  db.Exec(
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500) "
      "INSERT INTO docs(body) SELECT replace(hex(zeroblob(2200)), '00', "
      "(SELECT group_concat('w' || i, ' ') || ' ' FROM n))");
  REQUIRE(db.Int("SELECT max(length(body)) FROM docs") >= 4000000);
  for (const char* memory : {"1000", "1"}) {
    const std::string answer =
        db.Text(TrainSql("docs", "\"epochs\":1," + Option("memory_limit", memory)));
    CHECK(FromSql(db, "json_extract(?1, '$.texts')", answer) == "11");
    CHECK(std::stoll(FromSql(db, "json_extract(?1, '$.tokens')", answer)) > 1000000);
  }
}

TEST_CASE(
    "a model that is named by its table replaces the one before, however the table's name is typed") {
  Database db;
  TrainTexts(&db, 100);
  db.Exec(
      "CREATE TABLE \"A.b\"(body); INSERT INTO \"A.b\" SELECT body FROM docs; CREATE TEMP TABLE Shadow(body); INSERT INTO Shadow SELECT body FROM docs; CREATE TABLE SHADOW(body)");
  for (const char* table : {"DOCS", "main.Docs", "Docs"}) {
    CHECK(db.Text("SELECT s2v_train('" + std::string(table) +
                  "', 'BODY', '{\"dimension\": 7, \"workers\": 1}') ->> '$.model'") == "docs");
  }
  CHECK(db.Count("s2v_models WHERE is_default") == 1);
  CHECK(db.Text("SELECT s2v_train('shadow', 'body', '{\"dimension\": 7}') ->> '$.model'") ==
        "shadow");
  CHECK(db.Count("s2v_models") == 2);
}

TEST_CASE("numbers may be texts, as drivers hand them over") {
  Database db;
  TrainTexts(&db, 200, Option("checkpoint_every", "\"0\"") + "," + Option("epochs", "\"2\""));
  CHECK(Contains(db.Error("SELECT s2v_train('docs', 'body', '{\"checkpoint_every\":true}')"),
                 "a number of seconds expected"));
  for (const char* seconds : {"often", "60 minutes", "1e10", "-1", "inf"}) {
    CHECK(Contains(
        db.Error(TrainSql("docs", Option("checkpoint_every", "\"" + std::string(seconds) + "\""))),
        "a number of seconds expected"));
  }
}

TEST_CASE("an option that is given twice and a character U+0000 are refused, not dropped") {
  Database db;
  TrainTexts(&db, 30);
  for (const std::string call : {"s2v_train('docs', 'body', ", "s2v_update('docs', "}) {
    CAPTURE(call);
    CHECK(Contains(db.Error("SELECT " + call + "'{\"epochs\":1,\"epochs\":2}')"),
                   "option epochs is given twice"));
    for (const char* options : {"'{\"where\":\"id > 1\\u0000 AND no_such_column\"}'",
                                "'{\"where\":\"id > 1' || char(0) || '\"}'",
                                "'{\"epochs\":1}' || char(0)", "'{\"epochs\\u0000\":1}'"}) {
      CAPTURE(options);
      CHECK(Contains(db.Error("SELECT " + call + options + ")"), "U+0000"));
    }
  }
  // An escaped backslash before u0000 is none.
  Train(&db, "docs", "\"where\":\"body <> \'\'\\\\u0000\'\'\"");
}

TEST_CASE("options of another type, an empty condition and one with parameters are refused") {
  Database db;
  TrainTexts(&db, 30);
  for (const auto& [call, expected] : std::initializer_list<std::pair<std::string, std::string>>{
           {"s2v_train('docs', 'body', '{\"dimension\":true}')", "dimension: a number or a text"},
           {"s2v_train('docs', 'body', '{\"memory_limit\":true}')", "memory_limit: megabytes"},
           {"s2v_train('docs', 'body', '{\"where\":\"\"}')", "where: an SQL expression"},
           {"s2v_train('docs', 'body', '{\"where\":\"id > ?1\"}')",
            "where: parameters have no values"},
           {"s2v_update('docs', '{\"where\":\":x = 1 OR 1\"}')",
            "where: parameters have no values"},
           {"s2v_update('docs', '{\"where\":\"\"}')", "where: an SQL expression"},
           {"s2v_update('docs', '{\"since\":true}')",
            "since: a whole number expected, not 'true'"}}) {
    const std::string statement = "SELECT " + call;
    CAPTURE(statement);
    CHECK(Contains(db.Error(statement), expected));
  }
}

TEST_CASE("a model of zeros does not take another one's place, one that learned nothing says so") {
  Database db;
  TrainTexts(&db, 60);
  const std::string before = db.Text("SELECT hash FROM s2v_models");
  CHECK(Contains(db.Error("SELECT s2v_train('docs', 'body', '{\"l1\":1,\"workers\":1}')"),
                 "every vector has become zero, and nothing is stored; lower l1"));
  CHECK(db.Text("SELECT hash FROM s2v_models") == before);
  CHECK(Contains(
      db.Text(
          "SELECT s2v_train('docs', 'body', '{\"subsampling_threshold\":1e-12}') ->> '$.warning'"),
      "nothing was learned"));
}

TEST_CASE("a model in another file is trained on from the table that it was trained on") {
  Database db;
  FillTexts(&db, "docs", 100);
  db.Exec(
      "ATTACH ':memory:' AS b; CREATE TABLE b.docs(id INTEGER PRIMARY KEY, body); "
      "INSERT INTO b.docs SELECT id + 1000, 'zebra lion ' || id FROM main.docs");
  Train(&db, "docs", Option("model", "\"b.m\""));
  CHECK(db.Int("SELECT rows_now FROM s2v_models") == 100);
  db.Exec("INSERT INTO main.docs(body) VALUES('heavy rain newword'), ('newword storm')");
  CHECK(db.Int("SELECT s2v_update('b.m', '{\"workers\":1}') ->> '$.new_texts'") == 2);
  CHECK(db.Count("s2v_words('b.m') WHERE word = 'zebra'") == 0);
}

TEST_CASE("with full_column_names a model is trained and an index answers") {
  Database db;
  FillTexts(&db, "docs", 30);
  db.Exec("PRAGMA full_column_names = 1; PRAGMA short_column_names = 0");
  Train(&db, "docs");
  db.Exec("CREATE VIRTUAL TABLE s USING s2v_index(docs, body); INSERT INTO s(s) VALUES('rebuild')");
  db.Exec("INSERT INTO s(s) VALUES('integrity-check')");
  CHECK(db.Count("s((SELECT body FROM docs LIMIT 1), 1)") == 1);
}

TEST_CASE("a table of models has no index") {
  Database db;
  TrainTexts(&db, 30);
  CHECK(Contains(db.Error("CREATE VIRTUAL TABLE s USING s2v_index(s2v_word, word)"),
                 "'s2v_word' is a table of models"));
  Train(&db, "docs");
}

TEST_CASE("an import inside INSERT says that it cannot be") {
  TempFile file;
  Database db(file.path());
  db.Exec("CREATE TABLE z(a)");
  const std::string error = db.Error("INSERT INTO z SELECT s2v_import('no.vec', 'q')");
  CHECK_FALSE(Contains(error, "is locked"));
}

}  // namespace
}  // namespace s2v
