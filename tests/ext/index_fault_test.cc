// s2v_index when things fail: memory, disk, power, an interrupt, and files that were tampered with.
// An error, or the right answer; never a crash, never a wrong answer, and what was stored stays
// whole.
#include <signal.h>
#include <sys/wait.h>

#include "core/random.h"
#include "tests/support/database.h"
#include "tests/support/failing_memory.h"

namespace s2v {
namespace {

using namespace testing;

constexpr char kCreate[] = "CREATE VIRTUAL TABLE s USING s2v_index(docs, body, filter = 'id')";
// Rows that are cut: by words, since of many parts that are alike forty have openings.
constexpr char kCreateParts[] =
    "CREATE VIRTUAL TABLE s USING s2v_index(docs, body, filter = 'id', passages = 3)";
constexpr char kQuestionOfParts[] =
    "SELECT group_concat((SELECT body FROM docs WHERE id = s.rowid), '; ') FROM s('red fox in the rain', 9, 'words')";
constexpr char kFiltered[] =
    "SELECT group_concat(id) FROM s('red fox in the rain', 3) WHERE id IN (1, 2, 5) AND id < 9";
constexpr char kQuestion[] =
    "SELECT group_concat((SELECT body FROM docs WHERE id = s.rowid), '; ') FROM s('red fox in the rain', 9)";
constexpr char kCheck[] = "INSERT INTO s(s) VALUES('integrity-check')";

// With texts, a model, and perhaps an index with rows that wait.
std::string Bytes(const char* create) {
  Database db;
  FillTexts(&db, "docs", 33);  // more than a group of codes
  Train(&db, "docs");
  if (create != nullptr) {
    db.Exec(create);
    db.Exec(
        "INSERT INTO docs(body) VALUES('red rain'), ('old man'); DELETE FROM docs WHERE id = 3");
  }
  return db.Bytes();
}

const std::string& Plain() {
  static const std::string bytes = Bytes(nullptr);
  return bytes;
}
const std::string& Indexed() {
  static const std::string bytes = Bytes(kCreate);
  return bytes;
}
const std::string& IndexedParts() {
  static const std::string bytes = Bytes(kCreateParts);
  return bytes;
}

int RunOnce(sqlite3* db, const char* sql) {
  return sqlite3_exec(db, sql, nullptr, nullptr, nullptr) & 0xff;
}

TEST_CASE("an index without memory: each allocation fails in turn") {
  struct {
    const char* sql;
    bool with_index;
    bool has_parts = false;
  } const kStatements[] = {
      {kCreate, false},
      {kQuestion, true},
      {"SELECT s2v_snippet(s), s2v_highlight(s, 0, '[', ']') FROM s('red fox in the rain', 2)",
       true},
      {"SELECT rowid FROM s WHERE s MATCH s2v_embed('red') AND rowid IN (1, 2, 3) LIMIT 2", true},
      {kFiltered, true},
      {"INSERT INTO docs(body) VALUES('blue sea')", true},
      {"INSERT INTO s(s) VALUES('sync')", true},
      {"INSERT INTO s(s) VALUES('rebuild')", true},
      {kCheck, true},
      {"ALTER TABLE s RENAME TO s3", true},
      {"DROP TABLE s", true},
      {kCreateParts, false, true},
      {kQuestionOfParts, true, true},
      {"SELECT passage, passage_at, s2v_snippet(s) FROM s('\"red fox\" rain', 2) WHERE id < 20",
       true, true},
      {"INSERT INTO s(s) VALUES('sync')", true, true},
      {"INSERT INTO s(s) VALUES('rebuild')", true, true},
      {kCheck, true, true},
      {"ALTER TABLE s RENAME TO s3", true, true},
  };
  for (const auto& statement : kStatements) {
    const char* const question = statement.has_parts ? kQuestionOfParts : kQuestion;
    const std::string& indexed = statement.has_parts ? IndexedParts() : Indexed();
    const std::string answer = Database::FromBytes(indexed).Text(question);
    const std::string& bytes = statement.with_index ? indexed : Plain();
    const auto check = [&](Database* db, int code, int64_t n) {
      CAPTURE(std::string(statement.sql));
      CAPTURE(n);
      CAPTURE(std::string(sqlite3_errmsg(db->get())));
      if (code != SQLITE_OK) CHECK(code == SQLITE_NOMEM);
      CHECK(db->Text("PRAGMA integrity_check") == "ok");
      if (statement.with_index && db->Count("sqlite_schema WHERE name = 's'") == 1) {
        if (std::string_view(statement.sql).starts_with("INSERT INTO docs")) {
          db->Exec("DELETE FROM docs WHERE body = 'blue sea'");
        }
        // Where memory ends while FTS5 reads its totals, it keeps zeros for them in this
        // connection: SQLite 3.40 rolls all back at that moment, and FTS5 notes the zeros after it.
        // What is stored is right.
        const bool is_stale = code != SQLITE_OK && db->Run(question) == SQLITE_CORRUPT_VTAB;
        Database stored = is_stale ? Database::FromBytes(db->Bytes()) : std::move(*db);
        CHECK(stored.Text(question) == answer);
        stored.Exec(kCheck);
      } else if (!statement.with_index && code != SQLITE_OK) {
        CHECK(
            db->Count(
                "sqlite_schema WHERE name LIKE 's\\_%' ESCAPE '\\' OR name = 's' OR type = 'trigger'") ==
            0);
      }
    };
    if (AllFaults()) {
      Database db = Database::FromBytes(bytes);
      EmptyCache();
      ForkedFaults faults;
      const int code = RunOnce(db.get(), statement.sql);
      faults.Stop([&](int64_t n) { check(&db, code, n); });
      CAPTURE(std::string(statement.sql));
      CHECK(code == SQLITE_OK);
      CHECK(faults.Copies() > 0);
      CHECK(faults.FailedCopies() == 0);
      std::printf("%s: %lld allocations\n", statement.sql, static_cast<long long>(faults.Copies()));
      std::fflush(stdout);
      continue;
    }
    Database whole = Database::FromBytes(bytes);
    EmptyCache();
    for (const int64_t n : FaultPoints(whole.get(), statement.sql)) {
      Database db = Database::FromBytes(bytes);
      EmptyCache();
      MemoryFault fault(n, n % 2 == 0);
      const int code = RunOnce(db.get(), statement.sql);
      fault.Stop();
      if (code != SQLITE_OK) CHECK(fault.Fired());
      check(&db, code, n);
    }
  }
}

TEST_CASE("an interrupt at any time leaves the index as it was") {
  for (int way = 0; way < 10; way++) {
    const bool has_parts = way >= 5;
    const char* const kStatements[] = {"INSERT INTO s(s) VALUES('rebuild')",
                                       "INSERT INTO s(s) VALUES('sync')", kCheck, kQuestion,
                                       kFiltered};
    const char* const sql = kStatements[way % 5];
    const std::string& indexed = has_parts ? IndexedParts() : Indexed();
    const char* const question = has_parts ? kQuestionOfParts : kQuestion;
    const std::string answer = Database::FromBytes(indexed).Text(question);
    for (const char* begin : {"", "BEGIN; INSERT INTO docs(id, body) VALUES(1000, NULL)"}) {
      for (int n = 1;; n += 1 + n / 8) {
        Database db = Database::FromBytes(indexed);
        db.Exec(begin);
        bool interrupted = false;
        const int code = RunInterrupted(&db, sql, n, &interrupted);
        CAPTURE(n);
        CAPTURE(std::string(sql));
        if (sqlite3_get_autocommit(db.get()) == 0) db.Exec("COMMIT");
        CHECK((code == SQLITE_OK || code == SQLITE_INTERRUPT));
        CHECK(db.Text(question) == answer);
        db.Exec(kCheck);
        if (!interrupted) break;
      }
    }
  }
}

TEST_CASE("a full disk") {
  for (const char* sql : {kCreate, "INSERT INTO s(s) VALUES('rebuild')",
                          "INSERT INTO docs(body) SELECT body FROM docs"}) {
    Database made;
    TrainTexts(&made, 400);
    if (sql != kCreate) made.Exec(kCreate);
    for (int room = 0; room < 60; room += 5) {
      TempFile file;
      made.Exec("VACUUM INTO '" + file.path() + "'");
      Database db(file.path());
      const std::string ask = sql == kCreate ? "SELECT 1" : kQuestion;
      const std::string before = db.Text(ask);
      db.Exec("PRAGMA max_page_count = " + std::to_string(db.Int("PRAGMA page_count") + room));
      const int code = db.Run(sql);
      CAPTURE(std::string(sql));
      CHECK((code == SQLITE_OK || (code & 0xff) == SQLITE_FULL));
      CHECK(db.Text("PRAGMA integrity_check") == "ok");
      if (code != SQLITE_OK) {
        CHECK(db.Text(ask) == before);
        if (sql == kCreate)
          CHECK(db.Count("sqlite_schema WHERE name LIKE 's\\_%' ESCAPE '\\'") == 0);
      }
      db.Exec("PRAGMA max_page_count = 1000000");
      if (sql != kCreate) db.Exec(kCheck);
    }
  }
}

// Of an index with passages what it has more.
void DamageEveryValue(bool has_parts) {
  Database healthy = Database::FromBytes(has_parts ? IndexedParts() : Indexed());
  healthy.Exec("INSERT INTO s(s) VALUES('sync')");
  const char* const question = has_parts ? kQuestionOfParts : kQuestion;
  const std::string bytes = healthy.Bytes(), answer = healthy.Text(question);
  // Rows that are looked at anew are a little nearer or farther than the index has them.
  const std::string meaning =
      "SELECT group_concat(rowid) FROM (SELECT rowid FROM s(s2v_embed('red fox'), 5) ORDER BY rowid)";
  const std::string near = healthy.Text(meaning);
  for (const char* place :
       {"s_config.value",  "s_list.id",     "s_list.rows",    "s_list.stamp", "s_list.centre",
        "s_list.checksum", "s_block.key",   "s_block.codes",  "s_entry.id",   "s_entry.list",
        "s_entry.hash",    "s_entry.terms", "s_entry.vector", "s_log.id",     "s_log.row",
        "s_term.id",       "s_part.id",     "s_part.row",     "s_part.parts", "s_part.hash",
        "s_part.checksum"}) {
    const std::string name(place);
    if (has_parts != name.starts_with("s_part")) continue;
    const std::string table = name.substr(0, name.find('.')),
                      column = name.substr(name.find('.') + 1);
    const std::string key = table == "s_config" ? "name" : table == "s_term" ? "term" : "rowid";
    healthy.Exec("SELECT quote(" + key + ") FROM " + table + " LIMIT 12");
    const std::vector<std::string> keys = healthy.rows();
    for (const std::string& row : keys) {
      if (row == "'weight'" || row == "'stamp'") continue;  // anyone's choice; random
      for (const char* value :
           {"NULL", "x''", "'text'", "-1", "9223372036854775807", "zeroblob(100000)",
            "CAST(substr(CAST({} AS BLOB), 1, 3) || x'55' || substr(CAST({} AS BLOB), 5) AS BLOB)",
            "{} + 1"}) {
        Database db = Database::FromBytes(bytes);
        std::string expression = value;
        for (size_t at = 0; (at = expression.find("{}")) != std::string::npos;)
          expression.replace(at, 2, column);
        const std::string damage = "UPDATE " + table + " SET " + column + " = " + expression +
                                   " WHERE " + key + " = " + row;
        if (db.Run(damage) != SQLITE_OK) continue;  // a constraint keeps this damage out
        CAPTURE(damage);
        for (const auto& [ask, expected] :
             {std::pair{std::string(question), answer}, {meaning, near}}) {
          const int code = db.Run(ask);
          CAPTURE(db.message());
          if (code == SQLITE_OK) {
            CHECK(db.rows()[0] == expected);
          } else {
            CHECK(!db.message().empty());
          }
        }
        for (const char* command : {"sync", "integrity-check", "optimize", "rebuild"}) {
          db.Run("DELETE FROM docs WHERE id = 7; INSERT INTO docs(body) VALUES('x red')");
          db.Run("INSERT INTO s(s) VALUES('" + std::string(command) + "')");
        }
        db.Run("DROP TABLE s");
      }
    }
  }
}

TEST_CASE("every stored value of the index damaged in turn: an error, or the right answer") {
  DamageEveryValue(false);
  DamageEveryValue(true);
}

TEST_CASE(
    "weights of columns that are damaged are an error; of an index made before there were any they are alike") {
  Database db = Database::FromBytes(Plain());
  db.Exec("CREATE TABLE t(id INTEGER PRIMARY KEY, a, b)");
  db.Exec("INSERT INTO t SELECT id, 'red', body FROM docs");
  db.Exec("CREATE VIRTUAL TABLE w USING s2v_index(t, a, b, weights = '3,1')");
  for (const char* value : {"'1,2,3'", "'1'", "'a,b'", "x'00'", "'1,'", "'1,-1'"}) {
    db.Exec("UPDATE w_config SET value = " + std::string(value) + " WHERE name = 'weights'");
    CHECK(Contains(db.Error("SELECT rowid FROM w('red')"), "malformed: w_config, weights"));
  }
  db.Exec("DELETE FROM w_config WHERE name = 'weights'");
  CHECK(db.Count("w('red', 5)") == 5);
  db.Exec("INSERT INTO w(w) VALUES('rebuild'); INSERT INTO w(w) VALUES('integrity-check')");
}

TEST_CASE("an index whose configuration says that it has less is dropped whole") {
  for (const char* value :
       {"0 WHERE name = 'words'", "'x' WHERE name = 'words'", "1 WHERE name = 'version'",
        "-1 WHERE name = 'version'", "9 WHERE name = 'version'"}) {
    CAPTURE(value);
    Database db = Database::FromBytes(Indexed());
    db.Exec(
        "CREATE VIRTUAL TABLE p USING s2v_index(docs, body, passages = 20); CREATE TABLE p_row(id INTEGER PRIMARY KEY)");
    for (const std::string name : {"s", "p"}) {
      db.Exec("UPDATE " + name + "_config SET value = " + value + "; DROP TABLE " + name);
      CHECK(db.Text("SELECT ifnull(group_concat(name), '') FROM sqlite_schema WHERE name GLOB '" +
                    name + "_*'") == (name == "p" ? "p_row" : ""));
    }
  }
  // But not a user's tables that are called as those which it has not.
  Database db = Database::FromBytes(Indexed());
  db.Exec(
      "CREATE VIRTUAL TABLE w USING s2v_index(docs, body, words = off); CREATE TABLE w_term(a, b); CREATE TABLE w_part(a); DELETE FROM w_config; DROP TABLE w");
  CHECK(db.Text("SELECT group_concat(name) FROM sqlite_schema WHERE name GLOB 'w_*'") ==
        "w_term,w_part");
}

TEST_CASE("shadow tables that are views, virtual, of another shape, or gone") {
  for (const char* part : {"config", "list", "block", "entry", "log", "term", "fts", "fts_data",
                           "fts_idx", "fts_docsize", "fts_config"}) {
    const std::string table = "s_" + std::string(part);
    for (const char* other :
         {"CREATE VIEW {} AS SELECT 1 AS name, 2 AS value, 3 AS row, 4 AS id FROM s('red', 3)",
          "CREATE VIEW {} AS SELECT * FROM hidden", "CREATE TABLE {}(x)",
          "CREATE TABLE {}(name, value AS (s2v_model_hash()), row AS (1), id)",
          "CREATE VIRTUAL TABLE {} USING fts5(name, value)", "SELECT 1"}) {
      Database db = Database::FromBytes(Indexed());
      std::string replacement = other;
      if (replacement.find("{}") != std::string::npos)
        replacement.replace(replacement.find("{}"), 2, table);
      db.Run("PRAGMA legacy_alter_table = 1; ALTER TABLE " + table + " RENAME TO hidden");
      db.Run(replacement);
      CAPTURE(table);
      CAPTURE(replacement);
      db.Run(kQuestion);
      db.Run("INSERT INTO docs(body) VALUES('red fox')");
      for (const char* command : {"sync", "integrity-check", "optimize", "rebuild"}) {
        db.Run("INSERT INTO s(s) VALUES('" + std::string(command) + "')");
      }
      db.Exec("DROP TABLE s");
      CHECK(
          db.Text(
              "SELECT ifnull(group_concat(name), '') FROM sqlite_schema WHERE name GLOB 's_*' AND name NOT GLOB 's2v*' AND name NOT GLOB 'sqlite*'") ==
          "");
      CHECK(db.Text("PRAGMA integrity_check") != "");
    }
  }
  // What FTS5 itself cannot open.
  Database emptied = Database::FromBytes(Indexed());
  emptied.Exec("DELETE FROM s_fts_data");
  Database without = Database::FromBytes(emptied.Bytes());
  const std::string damage = without.Error(kQuestion);
  // of a newer FTS5
  CHECK((Contains(damage, "malformed: s_fts; ") ||
         Contains(damage, "fts5: corruption found reading blob 10 from table \"s_fts\"")));
  // A newer FTS5 opens it, so that this is enough.
  if (without.Run("INSERT INTO s(s) VALUES('rebuild')") != SQLITE_OK) {
    CHECK(Contains(without.message(),
                   R"(malformed: s_fts; DROP TABLE "s" and create the index again)"));
  }
  without.Exec("DROP TABLE s; CREATE VIRTUAL TABLE s USING s2v_index(docs, body)");
  // A trigger that names something else.
  Database db = Database::FromBytes(Indexed());
  db.Exec(
      "DROP TRIGGER s_update; CREATE TRIGGER s_update AFTER UPDATE ON docs WHEN old.x BEGIN SELECT 1; END");
  CHECK(Contains(db.Error(kQuestion), "malformed"));
}

TEST_CASE(
    "tables and views of others that are called as an index would call its own stay as they are") {
  Database db = Database::FromBytes(Indexed());
  for (const char* part : {"config", "list", "block", "entry", "log", "term", "fts", "part"}) {
    for (const char* other : {"TABLE o_{}(x)", "VIEW o_{} AS SELECT 1"}) {
      std::string create = other;
      create.replace(create.find("{}"), 2, part);
      CAPTURE(create);
      db.Exec("CREATE " + create);
      CHECK(Contains(db.Error("CREATE VIRTUAL TABLE o USING s2v_index(docs, body, passages = 9)"),
                     "'o_" + std::string(part) +
                         "', as the index would call a table of its own; give it another name"));
      db.Exec("DROP " + create.substr(0, create.find(' ')) + " o_" + part);
    }
  }
  // Those of former versions, and of indexes of another kind.
  db.Exec(
      "CREATE TABLE o_row(x); CREATE TABLE o_old(x); CREATE TABLE o_words(x); CREATE TABLE o_part(x)");
  db.Exec(
      "CREATE VIRTUAL TABLE o USING s2v_index(docs, body); ALTER TABLE o RENAME TO p; ALTER TABLE p RENAME TO o; DROP TABLE o");
  db.Exec(
      "CREATE TABLE o_term(x); CREATE VIRTUAL TABLE o USING s2v_index(docs, body, words = off); DROP TABLE o");
  CHECK(
      db.Text(
          "SELECT group_concat(name) FROM (SELECT name FROM sqlite_schema WHERE name GLOB 'o_*' ORDER BY 1)") ==
      "o_old,o_part,o_row,o_term,o_words");
}

// 200 by hand.
int Kills(int otherwise) {
  const char* wanted = std::getenv("S2V_KILLS");
  return wanted == nullptr ? otherwise : std::atoi(wanted);
}

// A process that does one thing after another to the file, work(db, 0), work(db, 1) ..., until it
// is killed.
template <typename Work>
void RunAndKill(const std::string& path, uint64_t microseconds, const Work& work) {
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    sqlite3* db = nullptr;
    sqlite3_open(path.c_str(), &db);
    sqlite3_s2v_init(db, nullptr, nullptr);
    for (int n = 0;; n++) work(db, n);
  }
  usleep(static_cast<useconds_t>(microseconds));
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
}

TEST_CASE("killed while a training makes its indexes anew, there are answers") {
  TempFile file;
  {
    Database db(file.path());
    db.Exec("PRAGMA journal_mode = WAL");
    TrainTexts(&db, 2000);
    db.Exec(kCreate);
  }
  Random random(5);
  const int kills = Kills(5);
  for (int i = 0; i < kills; i++) {
    RunAndKill(file.path(), 100000 + random.Next() % 300000, [&](sqlite3* db, int n) {
      const std::string more =
          "\"rebuild_indexes\": true, \"seed\": " + std::to_string(i * 100 + n);
      RunOnce(db, TrainSql("docs", more).c_str());
    });
    Database db(file.path());
    CHECK(db.Count("s('red fox', 10)") == 10);
    db.Exec(kCheck);
  }
}

void KillAtAnyMoment(const std::string& options) {
  const int kills = Kills(8);
  TempFile file;
  {
    Database db(file.path());
    db.Exec("PRAGMA journal_mode = WAL");
    TrainTexts(&db, 3000);
    db.Exec("CREATE VIRTUAL TABLE s USING s2v_index(docs, body" + options + ")");
  }
  Random random(3);
  for (int i = 0; i < kills; i++) {
    RunAndKill(file.path(), random.Next() % 60000, [&](sqlite3* db, int n) {
      const char* const kWrites[] = {
          "UPDATE docs SET body = body || ' red' WHERE id % 97 = abs(random() % 97)",
          "INSERT INTO docs(body) SELECT body FROM docs ORDER BY random() LIMIT 50",
          "DELETE FROM docs WHERE id % 61 = abs(random() % 61)",
          "SELECT count(*) FROM s('red fox', 10)",
          "SELECT s2v_sync('s')",
          "INSERT INTO s(s) VALUES('rebuild')"};
      RunOnce(db, kWrites[(n + i) % (i % 3 == 0 ? 6 : 5)]);
    });
    Database db(file.path());
    CHECK(db.Text("PRAGMA integrity_check") == "ok");
    db.Exec(kCheck);
    const std::string by_words =
        "SELECT group_concat(rowid) FROM (SELECT rowid FROM {}('rain falls', 20, 'words'))";
    const std::string by_meaning =
        "SELECT round(sum(similarity), 2) || ' ' || count(*) FROM {}('rain falls', 20, 'meaning')";
    const auto ask = [&](std::string sql, const char* index) {
      return db.Text(sql.replace(sql.find("{}"), 2, index));
    };
    db.Exec("CREATE VIRTUAL TABLE fresh USING s2v_index(docs, body" + options + ")");
    CHECK(ask(by_words, "s") == ask(by_words, "fresh"));
    CAPTURE(ask(by_meaning, "s"));
    CAPTURE(ask(by_meaning, "fresh"));
    // The lists of the two are not the same, so a row that is nearly as near may take another's
    // place.
    CHECK(std::abs(std::stod(ask(by_meaning, "s")) - std::stod(ask(by_meaning, "fresh"))) < 0.5);
    db.Exec("DROP TABLE fresh");
  }
}

TEST_CASE("killed at any moment, the index is whole and answers as a new one does") {
  KillAtAnyMoment("");
  KillAtAnyMoment(", passages = 3");
}

}  // namespace
}  // namespace s2v
