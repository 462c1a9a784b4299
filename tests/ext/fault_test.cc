// Each allocation of a sample (FaultPoints) fails in turn, once and for good: the code is NOMEM,
// the connection closes, the database is whole and the model is the former one. The same for
// interrupts at each statement, denied actions, a full disk and threads that do not start.
#include <functional>

#include "tests/support/database.h"
#include "tests/support/failing_memory.h"

namespace s2v {
namespace {

using namespace testing;

const char kEmbed[] = "SELECT s2v_embed('red fox blue sea unknown')";

// A database with a model, and its answer.
struct Subject {
  std::string bytes, before, after;

  Subject() {
    Database db;
    TrainTexts(&db, 12, "\"epochs\":1");
    EmptyCache();
    before = db.Text(kEmbed);
    bytes = db.Bytes();
    Train(&db, "docs", "\"epochs\":1,\"seed\":9");
    after = db.Text(kEmbed);
    REQUIRE(before != after);
  }
};

const Subject& TheSubject() {
  static const Subject subject;
  return subject;
}

// After anything that failed.
void CheckWhole(Database* db, bool may_be_after = false) {
  CHECK(sqlite3_get_autocommit(db->get()) != 0);
  CHECK(sqlite3_next_stmt(db->get(), nullptr) == nullptr);
  CHECK(db->Text("PRAGMA integrity_check") == "ok");
  EmptyCache();
  const std::string now = db->Text(kEmbed);
  CHECK((now == TheSubject().before || may_be_after));
  CHECK(db->Count("s2v_model") == 1);
  CHECK(db->Count("s2v_word WHERE key >> 32 <> (SELECT id FROM s2v_model)") == 0);
}

// How many allocations there were when a row was changed last.
struct LastChange {
  const MemoryFault& fault;
  sqlite3* db;
  int64_t allocations = 0;

  LastChange(sqlite3* connection, const MemoryFault& counting) : fault(counting), db(connection) {
    sqlite3_update_hook(
        db,
        [](void* to, int, const char*, const char*, sqlite3_int64) {
          auto* self = static_cast<LastChange*>(to);
          self->allocations = self->fault.Count();
        },
        this);
  }
  ~LastChange() { sqlite3_update_hook(db, nullptr, nullptr); }
};

// Runs sql, after begin, with one allocation failing, for each that FaultPoints names; in a second
// round with all later ones too, for each third. The check gets the code and how many allocations
// came after the last change of a row, up to the one that failed.
void Sweep(const std::string& sql, const std::function<void(Database*, int, int64_t)>& check,
           const char* begin = "") {
  const auto start = [&] {
    Database db = Database::FromBytes(TheSubject().bytes);
    db.Exec(begin);
    EmptyCache();
    return db;
  };
  std::vector<int64_t> points;
  {
    Database db = start();
    points = FaultPoints(db.get(), sql);
  }
  REQUIRE(points.size() > 20);
  for (const bool persistent : {false, true}) {
    for (size_t i = 0; i < points.size(); i += persistent && !AllFaults() ? 3 : 1) {
      const int64_t n = points[i];
      Database db = start();
      MemoryFault fault(n, persistent);
      LastChange last(db.get(), fault);
      sqlite3_stmt* statement =
          nullptr;  // without the helpers of Database, which need memory themselves
      int code = sqlite3_prepare_v2(db.get(), sql.c_str(), -1, &statement, nullptr);
      while (code == SQLITE_OK || code == SQLITE_ROW) code = sqlite3_step(statement);
      sqlite3_finalize(statement);
      fault.Stop();
      code = code == SQLITE_DONE ? SQLITE_OK : code & 0xff;
      CAPTURE(sql);
      CAPTURE(n);
      CAPTURE(persistent);
      const std::string message = sqlite3_errmsg(db.get());
      CAPTURE(message);
      const int64_t since = n - last.allocations;
      CAPTURE(since);
      CAPTURE(code);
      check(&db, code, since);
    }
  }
}

TEST_CASE("loading without memory") {
  const char kRegistered[] =
      "SELECT (SELECT count(*) FROM pragma_function_list WHERE name LIKE 's2v%') || ' ' || count(*) FROM pragma_module_list WHERE name LIKE 's2v%'";
  const std::string all = Database().Text(kRegistered);
  for (const bool persistent : {false, true}) {
    for (int64_t n = 1;; n++) {
      sqlite3* db = nullptr;
      REQUIRE(sqlite3_open(":memory:", &db) == SQLITE_OK);
      MemoryFault fault(n, persistent);
      char* message = nullptr;
      const int code = sqlite3_s2v_init(db, &message, nullptr);
      fault.Stop();
      sqlite3_free(message);
      CAPTURE(n);
      // A newer SQLite can do without some of its memory.
      CHECK((code == SQLITE_OK || (code == SQLITE_NOMEM && fault.Fired())));
      if (code == SQLITE_OK) CHECK(SelectText(db, kRegistered) == all);
      CHECK(sqlite3_close(db) == SQLITE_OK);
      if (!fault.Fired()) break;
    }
  }
}

TEST_CASE("reading without memory") {
  const char* queries[] = {
      kEmbed,
      "SELECT s2v_embed('red', 'docs', 'raw')",
      ("SELECT s2v_cosine(s2v_embed(body), 'red fox') + s2v_distance(body, 'sea') FROM docs WHERE "
       "id < 4"),
      "SELECT name, parameters, hash, losses FROM s2v_models",
      "SELECT s2v_to_json(s2v_from_json('[1,2.5,-3e-7]')), s2v_version(), s2v_debug()",
      "SELECT s2v_config('cache_mb', 1), s2v_config('cache_mb'), s2v_config() IS NOT NULL",
      "SELECT s2v_embed('red', 'nothing')",
      "SELECT s2v_cosine(x'00', 'x')",
      // Zeros that SQLite makes when they are read, in the midst of a search.
      "SELECT count(s2v_cosine(zeroblob(iif(id < 3, 0, 4000)), "
      "CAST(replace(hex(zeroblob(1000)), '00', 'aaa?') AS BLOB))) FROM docs WHERE id < 6",
      "SELECT s2v_model_hash('docs')",
      "SELECT word, count, norm, vector FROM s2v_words LIMIT 3",
      "SELECT vector, model FROM s2v_words('docs') WHERE word = 'fox'",
      "SELECT token, n, count, norm, weight, text FROM s2v_tokens('red fox zzz')",
      "SELECT word, similarity FROM s2v_nearest_words('red fox', 3)",
      "SELECT word, similarity FROM s2v_analogy('red', 'fox', 'sea', 2, 'docs')",
      "SELECT feature_a, feature_b, similarity, share FROM s2v_explain('red fox', 'sea')",
      "SELECT word FROM s2v_nearest_words('red fox', -3)",
      "SELECT * FROM s2v_tokens",
  };
  for (const char* query : queries) {
    std::string right;
    int error = SQLITE_OK;
    {
      Database db = Database::FromBytes(TheSubject().bytes);
      error = db.Run(query) & 0xff;
      if (error == SQLITE_OK) right = db.rows().at(0);
    }
    Sweep(query, [&](Database* db, int code, int64_t) {
      // Success is the right answer: SQLite survives some failures, and so do caches.
      CHECK((code == SQLITE_NOMEM || code == error));
      CheckWhole(db);
    });
  }
}

TEST_CASE("a result that was computed without much memory is right or NOMEM") {
  for (int64_t n = 1; n < 3000; n++) {
    Database db = Database::FromBytes(TheSubject().bytes);
    EmptyCache();
    sqlite3_stmt* statement = nullptr;
    REQUIRE(sqlite3_prepare_v2(db.get(), kEmbed, -1, &statement, nullptr) == SQLITE_OK);
    MemoryFault fault(n, false);
    const int code = sqlite3_step(statement);
    fault.Stop();
    if (code == SQLITE_ROW) {
      const std::string result(static_cast<const char*>(sqlite3_column_blob(statement, 0)),
                               static_cast<size_t>(sqlite3_column_bytes(statement, 0)));
      CHECK(result == TheSubject().before);
    } else {
      CHECK(code == SQLITE_NOMEM);
    }
    sqlite3_finalize(statement);
    if (!fault.Fired()) break;
  }
}

TEST_CASE("dropping without memory") {
  Sweep("SELECT s2v_drop('docs')", [&](Database* db, int code, int64_t) {
    if (code == SQLITE_OK) {
      CHECK(db->Count("s2v_model") == 0);
      CHECK(db->Count("s2v_word") == 0);
    } else {
      CHECK(code == SQLITE_NOMEM);
      CheckWhole(db);
    }
  });
}

const char kUpdateDocs[] = "SELECT s2v_update('docs', '{\"since\":6,\"epochs\":1,\"workers\":1}')";
const char kConvert[] = "SELECT s2v_convert('docs', 'docs', 'int8', 20)";
const char kState[] = "SELECT element || hash || corpus FROM s2v_models";
const char kOwnWrite[] = "BEGIN; INSERT INTO docs VALUES(1000, 'mine')";

// Allocations: from the last row of a model on, to its end and the summary, there are 1,000 to
// 2,500; what a training takes before that differs by some hundred from run to run.
constexpr int64_t kForSummary = 3000;

// A statement that stores another model under the same name, alone or after begin. Without memory
// it stores all of it or nothing; all of it only at the end, where the summary alone is left to
// make.
void SweepStoring(const std::string& sql, const char* begin = "") {
  std::string after;
  {
    Database db = Database::FromBytes(TheSubject().bytes);
    db.Exec(begin);
    db.Exec(sql);
    after = db.Text(kState);
  }
  Sweep(
      sql,
      [&](Database* db, int code, int64_t since) {
        CHECK((code == SQLITE_OK || code == SQLITE_NOMEM));
        // SQLite may have rolled the transaction back; if not, it goes on without the new model.
        if (sqlite3_get_autocommit(db->get()) == 0) db->Exec("COMMIT");
        const bool stored = db->Text(kState) == after;
        if (code == SQLITE_OK) CHECK(stored);
        CheckWhole(db, stored && (code == SQLITE_OK || (since > 0 && since < kForSummary)));
      },
      begin);
}

TEST_CASE("training without memory") {
  SweepStoring(TrainSql("docs", "\"epochs\":1,\"seed\":9"));
}

TEST_CASE("training without memory inside a transaction") {
  SweepStoring(TrainSql("docs", "\"epochs\":1,\"seed\":9"), kOwnWrite);
}

TEST_CASE("updating without memory") {
  SweepStoring(kUpdateDocs);
}

TEST_CASE("converting without memory") {
  SweepStoring(kConvert);
}

// Interrupts the connection at the n-th beginning or end of a statement.
struct InterruptAt {
  sqlite3* db;
  int n;
  int seen = 0;

  static int Trace(unsigned, void* context, void*, void*) {
    auto* self = static_cast<InterruptAt*>(context);
    if (++self->seen == self->n) sqlite3_interrupt(self->db);
    return 0;
  }
  InterruptAt(sqlite3* connection, int nth) : db(connection), n(nth) {
    sqlite3_trace_v2(db, SQLITE_TRACE_STMT | SQLITE_TRACE_PROFILE, Trace, this);
  }
  ~InterruptAt() { sqlite3_trace_v2(db, 0, nullptr, nullptr); }
};

// One that stores another model.
void InterruptEachStatement(const std::string& sql) {
  for (const char* begin : {"", kOwnWrite}) {
    int succeeded = 0, n = 0;
    while (true) {
      n += kSanitized && n > 60 ? 13 : 1;
      Database db = Database::FromBytes(TheSubject().bytes);
      db.Exec(begin);
      InterruptAt interrupt(db.get(), n);
      const int code = db.Run(sql);
      CAPTURE(n);
      CAPTURE(db.message());
      if (interrupt.seen < n) {
        CHECK(code == SQLITE_OK);
        break;
      }
      if (!db.rows().empty()) {  // its summary: the interrupt came after the commit
        succeeded++;
        continue;
      }
      CHECK(code == SQLITE_INTERRUPT);
      if (sqlite3_get_autocommit(db.get()) == 0) db.Exec("COMMIT");
      CheckWhole(&db);
    }
    CHECK(succeeded < 12);
    CHECK(n > 100);
  }
}

TEST_CASE("an interrupt at any statement of a training changes nothing") {
  InterruptEachStatement(TrainSql("docs", "\"epochs\":1,\"seed\":9"));
}

TEST_CASE("an interrupt at any statement of an update changes nothing") {
  InterruptEachStatement(kUpdateDocs);
}

TEST_CASE("an interrupt at any statement of a conversion changes nothing") {
  InterruptEachStatement(kConvert);
}

TEST_CASE("an interrupt at any statement of a drop changes nothing") {
  for (int n = 1; n < 200; n++) {
    Database db = Database::FromBytes(TheSubject().bytes);
    InterruptAt interrupt(db.get(), n);
    const int code = db.Run("SELECT s2v_drop('docs')");
    CAPTURE(n);
    if (interrupt.seen < n) break;
    if (db.rows().empty()) {
      CHECK(code == SQLITE_INTERRUPT);
      CheckWhole(&db);
    } else {
      CHECK(db.Count("s2v_model") == 0);
    }
  }
}

struct DenyAt {
  sqlite3* db;
  int n, answer;
  int seen = 0;

  static int Authorize(void* context, int, const char*, const char*, const char*, const char*) {
    auto* self = static_cast<DenyAt*>(context);
    return ++self->seen == self->n ? self->answer : SQLITE_OK;
  }
  DenyAt(sqlite3* connection, int nth, int with) : db(connection), n(nth), answer(with) {
    sqlite3_set_authorizer(db, Authorize, this);
  }
  ~DenyAt() { sqlite3_set_authorizer(db, nullptr, nullptr); }
};

TEST_CASE("an authorizer that denies any one action gets a clean error") {
  for (const std::string& sql : {TrainSql("docs", "\"epochs\":1,\"seed\":9"), std::string(kEmbed),
                                 std::string("SELECT s2v_drop('docs')"), std::string(kConvert),
                                 std::string("SELECT name FROM s2v_models")}) {
    for (int n = 1;; n++) {
      Database db = Database::FromBytes(TheSubject().bytes);
      EmptyCache();
      int code = SQLITE_OK;
      {
        DenyAt deny(db.get(), n, SQLITE_DENY);
        code = db.Run(sql);
        if (deny.seen < n) break;
      }
      CAPTURE(sql);
      CAPTURE(n);
      CAPTURE(db.message());
      if (code != SQLITE_OK) {
        CHECK(sqlite3_get_autocommit(db.get()) != 0);
        CheckWhole(&db);
      }
    }
  }
}

TEST_CASE("an authorizer that hides columns gets no wrong vector") {
  for (int n = 1;; n++) {
    Database db = Database::FromBytes(TheSubject().bytes);
    EmptyCache();
    DenyAt hide(db.get(), n, SQLITE_IGNORE);
    const int code = db.Run(kEmbed);
    if (hide.seen < n) break;
    CAPTURE(n);
    CAPTURE(db.message());
    if (code == SQLITE_OK && !db.rows().empty()) {
      const bool right = db.rows().at(0) == TheSubject().before || db.rows().at(0) == "NULL";
      CHECK(right);
    }
  }
}

TEST_CASE("a full disk leaves the former model") {
  TempFile file;
  {
    Database db(file.path());
    TrainTexts(&db, 12, "\"epochs\":1");
  }
  int failures = 0;
  for (int extra = 0; extra < 40; extra++) {
    Database db(file.path());
    db.Exec("PRAGMA max_page_count = " + std::to_string(db.Int("PRAGMA page_count") + extra));
    const int code = db.Run(TrainSql("docs", "\"dimension\":100,\"epochs\":1"));
    if (code == SQLITE_OK) break;
    CAPTURE(db.message());
    CHECK(code == SQLITE_FULL);
    CHECK(Contains(db.message(), "s2v_train: database or disk is full"));
    CheckWhole(&db);
    failures++;
  }
  CHECK(failures > 3);
  CHECK(failures < 40);
}

TEST_CASE("a full disk leaves the model that was to be converted, and nothing of the copy") {
  TempFile file;
  const char kModels[] = "SELECT group_concat(name || element || hash) FROM s2v_models";
  std::string models;
  {
    Database db(file.path());
    TrainTexts(&db, 12, "\"epochs\":1,\"dimension\":300");
    models = db.Text(kModels);
  }
  for (const std::string name : {"docs", "copy"}) {
    CAPTURE(name);
    int failures = 0;
    for (int extra = 0; extra < 100; extra++) {
      Database db(file.path());
      db.Exec("PRAGMA max_page_count = " + std::to_string(db.Int("PRAGMA page_count") + extra));
      const int code = db.Run("SELECT s2v_convert('docs', '" + name + "', 'int8')");
      if (code == SQLITE_OK) break;
      CAPTURE(db.message());
      CHECK(code == SQLITE_FULL);
      CHECK(Contains(db.message(), "s2v_convert: database or disk is full"));
      CHECK(db.Text(kModels) == models);
      CHECK(db.Count("s2v_word WHERE key >> 32 <> (SELECT id FROM s2v_model)") == 0);
      CHECK(db.Text("PRAGMA integrity_check") == "ok");
      failures++;
    }
    CHECK(failures > 3);
    CHECK(failures < 100);
    Database db(file.path());
    db.Exec("VACUUM");
    models = db.Text(kModels);
    CHECK(Contains(models, "int8"));
  }
}

TEST_CASE("threads that do not start stop the training" * doctest::skip(kSanitized)) {
  for (const int nth : {1, 2, 3}) {
    Database db = Database::FromBytes(TheSubject().bytes);
    FillTexts(&db, "many", 600);
    FailThread(nth);
    const int code = db.Run(TrainSql("many", "\"model\":\"docs\",\"workers\":3"));
    FailThread(0);
    CHECK(code == SQLITE_ERROR);
    CAPTURE(db.message());
    CHECK(Contains(db.message(), "s2v_train: "));
    CheckWhole(&db);
  }
}

}  // namespace
}  // namespace s2v
