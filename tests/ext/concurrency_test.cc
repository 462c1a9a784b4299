// Training, reading and writing at the same time, on connections of their own to one file.
#include <atomic>
#include <chrono>
#include <thread>

#include "core/error.h"
#include "sql/train_table.h"
#include "tests/support/database.h"

namespace s2v {
namespace {

using namespace testing;
using Clock = std::chrono::steady_clock;

double SecondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// A training that only an interrupt ends.
std::string EndlessTraining() {
  return TrainSql("docs", "\"epochs\":100000,\"dimension\":100,\"seed\":8");
}

void MakeModel(const std::string& path, const std::string& journal) {
  Database db(path);
  db.Exec("PRAGMA journal_mode = " + journal);
  FillTexts(&db, "docs", 200);
  db.Exec("CREATE TABLE log(x)");
  Train(&db, "docs");
}

TEST_CASE("while a model is trained, others write at once, and an interrupt ends it soon") {
  for (const char* journal : {"wal", "delete"}) {
    CAPTURE(std::string(journal));
    TempFile file;
    MakeModel(file.path(), journal);
    Database trainer(file.path()), writer(file.path());
    const std::string before = writer.Text("SELECT s2v_embed('red fox')");
    int code = SQLITE_OK;
    std::thread training([&] { code = trainer.Run(EndlessTraining()); });
    std::this_thread::sleep_for(std::chrono::milliseconds(250));
    writer.Exec("INSERT INTO log VALUES(1)");  // no busy timeout: a lock would be an error
    writer.Exec("BEGIN EXCLUSIVE; INSERT INTO docs VALUES(NULL, 'new'); COMMIT");
    const auto start = Clock::now();
    sqlite3_interrupt(trainer.get());
    training.join();
    CHECK(SecondsSince(start) < (kSanitized ? 5 : 1));
    CHECK(code == SQLITE_INTERRUPT);
    CHECK(trainer.Count("s2v_model") == 1);
    EmptyCache();
    CHECK(trainer.Text("SELECT s2v_embed('red fox')") == before);
  }
}

TEST_CASE("an interrupt ends the reading of a large table") {
  TempFile file;
  Database db(file.path());
  FillTexts(&db, "docs", 1);
  db.Exec(
      "CREATE VIEW endless AS WITH RECURSIVE n(body) AS "
      "(SELECT 'red fox' UNION ALL SELECT body FROM n) SELECT body FROM n");
  int code = SQLITE_OK;
  std::thread training([&] { code = db.Run(TrainSql("endless")); });
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  const auto start = Clock::now();
  sqlite3_interrupt(db.get());
  training.join();
  CHECK(SecondsSince(start) < (kSanitized ? 5 : 1));
  CHECK(code == SQLITE_INTERRUPT);
  CHECK(db.Count("sqlite_schema") == 2);
}

TEST_CASE("readers see the former model or the new one, never half") {
  for (const char* journal : {"wal", "delete"}) {
    CAPTURE(std::string(journal));
    TempFile file;
    MakeModel(file.path(), journal);
    std::string known[2];
    {
      Database db(file.path());
      known[0] = db.Text("SELECT s2v_embed('red fox blue sea')");
      Train(&db, "docs", "\"seed\":2");
      known[1] = db.Text("SELECT s2v_embed('red fox blue sea')");
      REQUIRE(known[0] != known[1]);
    }
    std::atomic<bool> stop{false};
    std::atomic<int> reads{0}, wrong{0}, written{0}, failed{0};
    std::vector<std::thread> threads;
    for (int i = 0; i < 2; i++) {
      threads.emplace_back([&] {
        Database db(file.path());
        sqlite3_busy_timeout(db.get(), 20000);
        while (!stop) {
          if (db.Run("SELECT s2v_embed('red fox blue sea'), s2v_embed(body || ''), s2v_embed('red "
                     "fox blue sea' || substr(body, 1, 0)) "
                     "FROM docs LIMIT 20") != SQLITE_OK) {
            failed++;
            MESSAGE(db.message());
            continue;
          }
          for (size_t row = 0; row < db.rows().size(); row += 3) {
            const std::string& first = db.rows()[0];
            if (first != known[0] && first != known[1]) wrong++;
            if (db.rows()[row] != first || db.rows()[row + 2] != first) wrong++;
          }
          reads++;
        }
      });
    }
    threads.emplace_back([&] {
      Database db(file.path());
      sqlite3_busy_timeout(db.get(), 20000);
      while (!stop) {
        if (db.Run("INSERT INTO log VALUES(1)") == SQLITE_OK) {
          written++;
        } else {
          failed++;
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
      }
    });
    {
      Database db(file.path());
      sqlite3_busy_timeout(db.get(), 20000);  // for its reading; storing waits by itself
      for (int i = 0; i < (kSanitized ? 4 : 8); i++) {
        if (i % 3 == 0) EmptyCache();
        const int code = db.Run(TrainSql("docs", "\"seed\":" + std::to_string(1 + i % 2)));
        CAPTURE(db.message());
        CHECK(code == SQLITE_OK);
      }
      stop = true;
    }
    for (std::thread& thread : threads) thread.join();
    CHECK(reads > 0);
    CHECK(written > 0);
    CHECK(failed == 0);
    CHECK(wrong == 0);
    Database db(file.path());
    CHECK(db.Text("PRAGMA integrity_check") == "ok");
  }
}

TEST_CASE("four connections embed at once what each alone embeds") {
  TempFile file;
  MakeModel(file.path(), "wal");
  std::vector<std::string> wanted;
  {
    Database db(file.path());
    db.Exec("SELECT s2v_embed(body) FROM docs");
    wanted = db.rows();
  }
  for (const uint64_t budget :
       {uint64_t{1} << 20, uint64_t{0}}) {  // 0: generations change all the time
    RowCache::SetBudget(budget);
    std::vector<std::thread> threads;
    std::atomic<int> wrong{0}, failed{0};
    for (int i = 0; i < 4; i++) {
      threads.emplace_back([&] {
        Database db(file.path());
        sqlite3_busy_timeout(db.get(), 20000);  // for the first and the last connection to a WAL
        for (int round = 0; round < 5; round++) {
          if (db.Run("SELECT s2v_embed(body) FROM docs") != SQLITE_OK) failed++;
          if (db.rows() != wanted) wrong++;
          if (db.Run("SELECT count(s2v_cosine(body, 'red fox')) FROM docs") != SQLITE_OK) failed++;
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    CHECK(failed.load() == 0);
    CHECK(wrong.load() == 0);
  }
  EmptyCache();
}

TEST_CASE("sixteen connections ask an index while two write to its table") {
  TempFile file;
  MakeModel(file.path(), "wal");
  Database maker(file.path());
  maker.Exec("CREATE VIRTUAL TABLE s USING s2v_index(docs, body)");
  std::atomic<int> wrong{0}, writing{2};
  std::vector<std::thread> threads;
  for (int i = 0; i < 2; i++) {
    threads.emplace_back([&, i] {
      Database db(file.path());
      sqlite3_busy_timeout(db.get(), 60000);
      for (int n = 0; n < (kSanitized ? 15 : 40); n++) {
        const std::string number = std::to_string(1 + (n * 7 + i * 3) % 200);
        const std::string writes[] = {
            "INSERT INTO docs(body) SELECT body || ' red fox' FROM docs LIMIT 20",
            "UPDATE docs SET body = body || ' sea' WHERE id = " + number,
            "DELETE FROM docs WHERE id = " + number, "INSERT INTO s(s) VALUES('sync')"};
        if (db.Run(writes[n % 4]) != SQLITE_OK) wrong++;
      }
      writing--;
    });
  }
  for (int i = 0; i < 16; i++) {
    threads.emplace_back([&, i] {
      Database db(file.path());
      const std::string how = i % 3 == 0 ? "both" : i % 3 == 1 ? "meaning" : "words";
      do {
        // What is found is there: the index and the table are read as of one moment.
        const int code =
            db.Run("SELECT count(*), sum(d.id IS NULL) FROM s('red fox by the sea', 20, '" + how +
                   "') AS s LEFT JOIN docs AS d ON d.id = s.rowid");
        if (code != SQLITE_OK || db.rows()[0] == "0" || db.rows()[1] != "0") wrong++;
      } while (writing > 0);
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(wrong == 0);
  maker.Exec("INSERT INTO s(s) VALUES('integrity-check')");
}

TEST_CASE("storing waits for the write lock of another connection") {
  for (const char* journal : {"wal", "delete"}) {
    CAPTURE(std::string(journal));
    TempFile file;
    MakeModel(file.path(), journal);
    Database trainer(file.path()), writer(file.path());
    writer.Exec("BEGIN IMMEDIATE; INSERT INTO log VALUES(1)");
    std::atomic<bool> done{false};
    std::thread training([&] {
      Train(&trainer, "docs", "\"seed\":2");
      done = true;
    });
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    CHECK(!done);
    writer.Exec("COMMIT");  // and holds nothing itself that would be in the writer's way
    training.join();
    CHECK(trainer.Int("SELECT id FROM s2v_model") == 2);
  }
}

TEST_CASE("storing waits for readers where their lock is in the way") {
  TempFile file;
  MakeModel(file.path(), "delete");
  Database trainer(file.path()), reader(file.path());
  reader.Exec("BEGIN; SELECT count(*) FROM docs");
  std::atomic<bool> done{false};
  std::thread training([&] {
    Train(&trainer, "docs", "\"seed\":2");
    done = true;
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  CHECK(!done);
  reader.Exec("COMMIT");
  training.join();
  CHECK(trainer.Int("SELECT id FROM s2v_model") == 2);
}

TEST_CASE("a training that waits for a long reader does not keep other readers out") {
  for (const int timeout : {0, 10000}) {
    CAPTURE(timeout);
    TempFile file;
    MakeModel(file.path(), "delete");
    Database trainer(file.path()), reader(file.path()), third(file.path());
    sqlite3_busy_timeout(trainer.get(), timeout);
    sqlite3_busy_timeout(third.get(), 250);
    reader.Exec("BEGIN; SELECT count(*) FROM docs");
    std::atomic<bool> done{false};
    std::thread training([&] {
      Train(&trainer, "docs", "\"seed\":2");
      done = true;
    });
    int failed = 0, read = 0;
    for (const auto start = Clock::now(); SecondsSince(start) < 0.8; read++) {
      failed += third.Run("SELECT count(*) FROM docs") != SQLITE_OK;
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    CHECK(!done);
    CHECK(failed == 0);
    CHECK(read > 5);
    reader.Exec("COMMIT");
    training.join();
    CHECK(trainer.Int("SELECT id FROM s2v_model") == 2);
    CHECK(trainer.Int("PRAGMA busy_timeout") == timeout);
  }
}

TEST_CASE("when the wait is over it is an error that says so, and the former model stays") {
  for (const bool writes : {true, false}) {
    TempFile file;
    MakeModel(file.path(), "delete");
    Database trainer(file.path()), other(file.path());
    const std::string before = trainer.Text("SELECT s2v_embed('red fox')");
    other.Exec(writes ? "BEGIN IMMEDIATE; INSERT INTO log VALUES(1)"
                      : "BEGIN; SELECT count(*) FROM docs");
    TrainRequest request;
    request.table = "docs";
    request.column = "body";
    request.lock_wait_milliseconds = 120;
    for (const char* name : {"dimension", "epochs", "workers"}) {
      request.settings.Set(name, name == std::string("dimension") ? "4" : "1");
    }
    std::string message;
    int code = 0;
    try {
      TrainTable(trainer.get(), request, [](const TrainProgress&) { return true; });
    } catch (const SqlError& error) {
      code = error.primary_code();
      message = error.what();
    }
    CHECK(code == SQLITE_BUSY);
    CHECK(message == std::string("database 'main' is locked: another connection is ") +
                         (writes ? "writing to" : "reading") +
                         " it; nothing was changed, try again when that has ended");
    CHECK(sqlite3_get_autocommit(trainer.get()) != 0);
    other.Exec("ROLLBACK");
    EmptyCache();
    CHECK(trainer.Text("SELECT s2v_embed('red fox')") == before);
  }
}

TEST_CASE("a statement that reads while it trains and others write is told what to do") {
  TempFile file;
  MakeModel(file.path(), "wal");
  Database trainer(file.path()), writer(file.path());
  Statement reading(trainer.get(), "SELECT id FROM docs");
  reading.Step();
  writer.Exec("INSERT INTO log VALUES(1)");
  CHECK(trainer.Run(TrainSql("docs")) == SQLITE_BUSY_SNAPSHOT);
  CHECK(Contains(trainer.message(), "nothing was changed, train in a SELECT without FROM"));
  reading.Reset();
  Train(&trainer, "docs");
}

TEST_CASE("an interrupt ends the wait for a lock") {
  TempFile file;
  MakeModel(file.path(), "wal");
  Database trainer(file.path()), writer(file.path());
  writer.Exec("BEGIN IMMEDIATE");
  int code = SQLITE_OK;
  std::thread training([&] { code = trainer.Run(TrainSql("docs", "\"seed\":2")); });
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  const auto start = Clock::now();
  sqlite3_interrupt(trainer.get());
  training.join();
  CHECK(SecondsSince(start) < (kSanitized ? 5 : 1));
  CHECK(code == SQLITE_INTERRUPT);
  writer.Exec("COMMIT");
  CHECK(trainer.Int("SELECT id FROM s2v_model") == 1);
}

TEST_CASE("inside a transaction the write lock is taken first") {
  TempFile file;
  MakeModel(file.path(), "wal");
  Database trainer(file.path()), writer(file.path());
  writer.Exec("BEGIN IMMEDIATE");
  trainer.Exec("BEGIN");
  const auto start = Clock::now();
  CHECK(trainer.Run(EndlessTraining()) == SQLITE_BUSY);
  CHECK(SecondsSince(start) < 5);
  CHECK(Contains(trainer.message(),
                 "s2v_train: database 'main' is locked: another connection is writing to it"));
  trainer.Exec("ROLLBACK");
  writer.Exec("COMMIT");
}

TEST_CASE("a read-only database is refused before training") {
  TempFile file;
  MakeModel(file.path(), "delete");
  Database reader(file.path(), SQLITE_OPEN_READONLY);
  CHECK(reader.Error(EndlessTraining()) ==
        "s2v_train: database 'main' is read-only: no model can be stored or dropped");
  CHECK(Contains(reader.Error("SELECT s2v_drop('docs')"),
                 "s2v_drop: database 'main' is read-only: no model can be stored or dropped"));
  CHECK(reader.Text("SELECT s2v_embed('red fox') IS NOT NULL") == "1");
  Database db(file.path());
  db.Exec("PRAGMA query_only = 1");
  CHECK(db.Error(EndlessTraining()) ==
        "s2v_train: PRAGMA query_only is on: no model can be stored or dropped");
}

TEST_CASE("two trainings of one model at once: one after the other is stored") {
  TempFile file;
  MakeModel(file.path(), "wal");
  std::atomic<int> failed{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; i++) {
    threads.emplace_back([&, i] {
      Database db(file.path());
      sqlite3_busy_timeout(db.get(), 20000);  // for its reading; storing waits by itself
      if (db.Run(TrainSql("docs", "\"seed\":" + std::to_string(10 + i))) != SQLITE_OK) failed++;
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(failed == 0);
  Database db(file.path());
  CHECK(db.Int("SELECT id FROM s2v_model") == 4);
  CHECK(db.Count("s2v_word WHERE key >> 32 <> 4") == 0);
}

}  // namespace
}  // namespace s2v
