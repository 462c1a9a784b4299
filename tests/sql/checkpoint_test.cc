// Trainings that are stopped and taken up, in one process: through TrainTable, as the command line
// and s2v_train call it.
#include <doctest/doctest.h>

#include <string>

#include "sql/checkpoint_store.h"
#include "sql/model_reader.h"
#include "sql/train_table.h"
#include "tests/support/database.h"
#include "tests/support/emulated.h"
#include "tests/support/error_of.h"

namespace s2v {
namespace {

using namespace testing;

// A training of some tenths of a second, so that the observer is asked while it runs.
const int64_t kEpochs = testing::Emulated() ? 300 : 2000;

TrainRequest Request() {
  TrainRequest request;
  request.table = "docs";
  request.column = "body";
  request.checkpoint_every = 1000;
  request.lock_wait_milliseconds = 0;
  Config c;
  c.dimension = 16;
  c.epochs = kEpochs;
  c.subsampling_threshold = 1;
  c.context_threshold = 1e-3;
  c.recipe = kPaper;
  c.min_count = c.min_target_count = 1;
  c.ngram_order = 2;
  c.workers = 1;
  request.settings = Settings(c);
  return request;
}

TrainRequest Resume(const std::string& model = "") {
  TrainRequest request;
  request.model = model;
  request.resume = true;
  request.checkpoint_every = 1000;
  return request;
}

bool StopWhileTraining(const TrainProgress& p) {
  return p.phase != TrainProgress::kTraining || p.fraction == 0;
}

// Stops at the first report, leaving a checkpoint.
double Stop(Database* db, const TrainRequest& request) {
  try {
    TrainTable(db->get(), request, StopWhileTraining);
  } catch (const StoppedTraining& stopped) {
    return stopped.fraction;
  }
  FAIL("not stopped");
  return 0;
}

std::string ErrorOf(Database* db, const TrainRequest& request) {
  return test::ErrorOf<std::runtime_error>([&] { TrainTable(db->get(), request, GoOn); });
}

// A table and an unfinished training of it.
struct Unfinished {
  Database db;
  double fraction = 0;

  explicit Unfinished(const std::string& path = ":memory:") : db(path) {
    FillTexts(&db, "docs", 200);
    fraction = Stop(&db, Request());
  }
};

TEST_CASE("stopped and resumed is the same model, byte for byte") {
  Database whole;
  FillTexts(&whole, "docs", 200);
  const TrainResult result = TrainTable(whole.get(), Request(), GoOn);
  CHECK(result.resumed_at == 0);

  Unfinished u;
  CHECK(u.fraction > 0);
  CHECK(u.fraction < 1);
  CHECK(u.db.Count("s2v_models") == 0);
  const auto checkpoints = ListCheckpoints(u.db.get());
  REQUIRE(checkpoints.size() == 1);
  CHECK(checkpoints[0].name == "docs");
  CHECK(checkpoints[0].Fraction() == u.fraction);
  CHECK(checkpoints[0].texts == 200);
  CHECK(Contains(checkpoints[0].corpus, "\"table\":\"docs\""));
  const auto error_of = [&](const ModelName& name) {
    return test::ErrorOf([&] { ModelReader(u.db.get(), name); });
  };
  for (const ModelName& name : {ModelName{}, ModelName{"", "docs"}, ModelName{"main", "docs"}}) {
    CHECK(Contains(error_of(name),
                   " yet: a training is unfinished; where it was stopped, s2v train --resume"));
  }
  CHECK(Contains(error_of({"", "other"}), "no model 'other' here: train one with s2v_train("));

  TrainRequest again = Resume();
  double second = 0;
  try {
    TrainTable(u.db.get(), again, [&](const TrainProgress& p) {
      return p.phase != TrainProgress::kTraining || p.fraction <= u.fraction;
    });
  } catch (const StoppedTraining& stopped) {
    second = stopped.fraction;
    CHECK(stopped.model == "docs");
  }
  CHECK(second > u.fraction);
  CHECK(u.db.Count("s2v_checkpoint") == 1);
  const TrainResult resumed = TrainTable(u.db.get(), Resume("main.docs"), GoOn);
  CHECK(resumed.resumed_at == second);
  CHECK(Contains(resumed.Json(), "\"resumed_at\":"));
  CHECK(resumed.model.hash == result.model.hash);
  CHECK(resumed.model.losses == result.model.losses);
  CHECK(u.db.Count("s2v_checkpoint") == 0);
  CHECK(u.db.Count("s2v_checkpoint_rows") == 0);
}

TEST_CASE("workers may change on the way, nothing else") {
  Unfinished u;
  TrainRequest request = Resume("docs");
  const auto set = [&](const char* name, const char* value) { request.settings.Set(name, value); };
  SUBCASE("a parameter that is the same") {
    set("dimension", "16");
    set("workers", "2");
    CHECK(TrainTable(u.db.get(), request, GoOn).resumed_at == u.fraction);
  }
  SUBCASE("another dimension") {
    set("dimension", "8");
    CHECK(ErrorOf(&u.db, request) ==
          "dimension: '8' here, but '16' in the unfinished training of 'docs'; leave it out, or "
          "train afresh without resume");
  }
  SUBCASE("another learning rate") {
    set("learning_rate", "0.25");
    CHECK(Contains(ErrorOf(&u.db, request), "learning_rate: '0.25' here, but '0.15'"));
  }
  SUBCASE("another table, column, where") {
    request.table = "other";
    CHECK(Contains(ErrorOf(&u.db, request), "table: 'other' here, but 'docs'"));
    request.table = "docs";
    request.column = "id";
    CHECK(Contains(ErrorOf(&u.db, request), "column: 'id' here, but 'body'"));
    request.column = "BODY";
    request.where = "id > 1";
    CHECK(Contains(ErrorOf(&u.db, request), "where: 'id > 1' here, but ''"));
  }
}

TEST_CASE("what was chosen from the corpus, and a preset's values, stay as they were") {
  TrainRequest request = Request();
  request.settings = Settings();
  request.settings.UsePreset("wiki-bigrams");
  const std::string epochs = std::to_string(kEpochs);
  for (const auto& [name, value] :
       {std::pair("dimension", "16"), std::pair("epochs", epochs.c_str()),
        std::pair("workers", "1"), std::pair("min_count", "auto"),
        std::pair("smoothing", "auto")}) {
    request.settings.Set(name, value);
  }
  Database whole;
  FillTexts(&whole, "docs", 200);
  const TrainResult result = TrainTable(whole.get(), request, GoOn);
  REQUIRE(result.choices.size() >= 2);

  Database db;
  FillTexts(&db, "docs", 200);
  Stop(&db, request);
  TrainRequest resume = Resume();
  SUBCASE("without a word about them") {}
  SUBCASE("the same preset, auto") {
    resume.settings.UsePreset("wiki-bigrams");
    resume.settings.Set("dimension", "16");
    resume.settings.Set("epochs", epochs);
    for (const char* name : {"min_count", "smoothing"}) {
      resume.settings.Set(name, "auto");
    }
  }
  SUBCASE("another preset") {
    resume.settings.UsePreset("twitter-unigrams");
    CHECK(Contains(ErrorOf(&db, resume), " in the unfinished training of 'docs'"));
    resume.settings = Settings();
  }
  const TrainResult resumed = TrainTable(db.get(), resume, GoOn);
  CHECK(resumed.model.hash == result.model.hash);
  CHECK(resumed.model.choices == result.model.choices);
  CHECK(ChoicesJson(resumed.choices) == ChoicesJson(result.choices));
  CHECK(resumed.model.parameters == result.model.parameters);
}

TEST_CASE("the progress statement hears of a training, not of its checkpoints") {
  Database db;
  FillTexts(&db, "docs", 200);
  db.Exec("CREATE TABLE log(phase)");
  TrainRequest request = Request();
  request.checkpoint_every = 0.001;
  request.progress = "INSERT INTO log VALUES(:phase)";
  bool stored = false;
  TrainTable(db.get(), request, [&](const TrainProgress& p) {
    stored |= p.phase == TrainProgress::kCheckpoint;
    return true;
  });
  CHECK(stored);
  CHECK(db.Text("SELECT group_concat(phase) FROM (SELECT DISTINCT phase FROM log)") ==
        "reading,training,storing");
}

TEST_CASE("where there is nothing to resume, it says what there is") {
  Database db;
  FillTexts(&db, "docs", 200);
  CHECK(ErrorOf(&db, Resume()) ==
        "nothing to resume: no unfinished training of any model here; train without resume");
  TrainRequest a = Request(), b = Request();
  a.model = "a";
  b.model = "b";
  Stop(&db, a);
  CHECK(Contains(ErrorOf(&db, Resume("c")), "of model 'c', but of a; train without resume"));
  CHECK(Contains(ErrorOf(&db, Resume("temp.a")), "of model 'temp.a', but of a"));
  Stop(&db, b);
  CHECK(ErrorOf(&db, Resume()) == "several unfinished trainings: name the model, one of a, b");
  TrainRequest of_table = Resume();
  of_table.table = "nothing";
  CHECK(Contains(ErrorOf(&db, of_table), "of table 'nothing', but of a, b"));
}

TEST_CASE("a table that has changed is noticed") {
  Unfinished u;
  SUBCASE("a row more") {
    u.db.Exec("INSERT INTO docs(body) VALUES('late')");
  }
  SUBCASE("a row less") {
    u.db.Exec("DELETE FROM docs WHERE id = 7");
  }
  SUBCASE("a word") {
    u.db.Exec("UPDATE docs SET body = 'x' || substr(body, 2) WHERE id = 7");
  }
  SUBCASE("two rows exchanged") {
    u.db.Exec(
        "UPDATE docs SET id = -1 WHERE id = 1; UPDATE docs SET id = 1 WHERE id = 2; UPDATE docs "
        "SET id = 2 WHERE id = -1");
  }
  CHECK(Contains(ErrorOf(&u.db, Resume()),
                 "table 'docs' has changed since the training of 'docs' stopped (200 texts then"));
  CHECK(u.db.Count("s2v_checkpoint") == 1);
}

TEST_CASE("a new training of the name and s2v_drop take it away, other names do not") {
  Unfinished u;
  TrainRequest request = Request();
  request.settings.Set("epochs", "1");
  request.model = "other";
  TrainTable(u.db.get(), request, GoOn);
  CHECK(u.db.Count("s2v_checkpoint") == 1);
  CHECK(u.db.Count("s2v_models") == 1);
  SUBCASE("trained") {
    request.model = "docs";
    TrainTable(u.db.get(), request, GoOn);
  }
  SUBCASE("dropped") {
    u.db.Exec("SELECT s2v_drop('docs')");
  }
  SUBCASE("dropped by its full name") {
    u.db.Exec("SELECT s2v_drop('main.docs')");
  }
  SUBCASE("dropped with a model of that name") {
    request.model = "docs";
    TrainRequest longer = Request();
    TrainTable(u.db.get(), request, GoOn);
    Stop(&u.db, longer);
    u.db.Exec("SELECT s2v_drop('docs')");
    CHECK(u.db.Text("SELECT group_concat(name) FROM s2v_models") == "other");
  }
  CHECK(u.db.Count("s2v_checkpoint") == 0);
  CHECK(u.db.Count("s2v_checkpoint_rows") == 0);
  CHECK(Contains(u.db.Error("SELECT s2v_drop('nothing')"), "no model 'nothing'"));
}

TEST_CASE("no reader of models is disturbed by a checkpoint") {
  Unfinished u;
  CHECK(u.db.Count("s2v_models") == 0);
  CHECK(Contains(u.db.Error("SELECT s2v_embed('red fox', 'docs')"), "no model 'docs'"));
  CHECK(Contains(u.db.Error("SELECT s2v_embed('red fox')"), "no default model"));
}

TEST_CASE("a checkpoint with an id that has no keys is damaged; the next one gets an id that has") {
  Unfinished u;
  for (const char* id : {"2147483648", "-1", "9223372036854775807"}) {
    CAPTURE(id);
    Database db = Database::FromBytes(u.db.Bytes());
    db.Exec("UPDATE s2v_checkpoint SET id = " + std::string(id));
    db.Exec("UPDATE s2v_checkpoint_rows SET key = 9223372036854775807 - key");
    CHECK(Contains(ErrorOf(&db, Resume()),
                   "malformed: table s2v_checkpoint, key " + std::string(id)));
    CHECK(Stop(&db, Request()) > 0);
    CHECK(db.Int("SELECT id FROM s2v_checkpoint") < 2147483648);
    TrainTable(db.get(), Resume(), GoOn);
    CHECK(db.Count("s2v_checkpoint_rows") == 0);
  }
  // What is damaged can be dropped, though there is no model of its name.
  u.db.Exec("UPDATE s2v_checkpoint SET checksum = 1; SELECT s2v_drop('docs')");
  CHECK(u.db.Count("s2v_checkpoint_rows") == 0);
}

TEST_CASE("damage is found out, whatever the column") {
  Unfinished u;
  const std::string bytes = u.db.Bytes();
  const char* const kDamage[] = {
      ("UPDATE s2v_checkpoint_rows SET rows = zeroblob(length(rows)) "
       "WHERE rowid = (SELECT max(rowid) FROM s2v_checkpoint_rows)"),
      "UPDATE s2v_checkpoint_rows SET rows = substr(rows, 1, 8)",
      "UPDATE s2v_checkpoint_rows SET rows = NULL",
      "UPDATE s2v_checkpoint_rows SET checksum = checksum + 1",
      "UPDATE s2v_checkpoint_rows SET key = key + 7",
      "DELETE FROM s2v_checkpoint_rows",
      "UPDATE s2v_checkpoint SET position = position + 64",
      "UPDATE s2v_checkpoint SET position = -1",
      "UPDATE s2v_checkpoint SET sentences = 0",
      "UPDATE s2v_checkpoint SET words = 1e9",
      "UPDATE s2v_checkpoint SET parameters = '{}'",
      "UPDATE s2v_checkpoint SET parameters = 'not JSON'",
      "UPDATE s2v_checkpoint SET corpus = x'ff'",
      "UPDATE s2v_checkpoint SET choices = '{\"epochs\":{}}'",
      "UPDATE s2v_checkpoint SET losses = x''",
      "UPDATE s2v_checkpoint SET name = 'other'",
      "UPDATE s2v_checkpoint SET checksum = NULL",
  };
  for (const std::string damage : kDamage) {
    CAPTURE(damage);
    Database db = Database::FromBytes(bytes);
    sqlite3_db_config(db.get(), SQLITE_DBCONFIG_DEFENSIVE, 0, nullptr);
    db.Run("PRAGMA ignore_check_constraints = 1");
    if (db.Run(damage) != SQLITE_OK) continue;  // NOT NULL
    const std::string error = ErrorOf(&db, Resume());
    CAPTURE(error);
    CHECK(Contains(error, "database disk image is malformed: table s2v_checkpoint"));
    CHECK(Contains(error, ", key "));
    // And it can be replaced.
    TrainRequest request = Request();
    request.settings.Set("epochs", "1");
    TrainTable(db.get(), request, GoOn);
    CHECK(db.Int("SELECT length(s2v_embed('red fox'))") == 64);
  }
}

TEST_CASE(
    "a database that is locked, full or interrupted leaves a checkpoint out, not the training") {
  const TempFile file;
  Database db(file.path());
  FillTexts(&db, "docs", 200);
  TrainRequest request = Request();
  std::string warning;
  request.warn = [&](const std::string& text) { warning = text; };
  SUBCASE("locked by a writer") {
    Database other(file.path());
    bool checkpoint_tried = false;
    request.checkpoint_every = 0.001;
    const TrainResult result = TrainTable(db.get(), request, [&](const TrainProgress& p) {
      if (p.phase == TrainProgress::kCheckpoint && !checkpoint_tried) {
        checkpoint_tried = true;
        other.Exec("BEGIN IMMEDIATE");
      } else if (checkpoint_tried && sqlite3_get_autocommit(other.get()) == 0) {
        other.Exec("COMMIT");
      }
      return true;
    });
    CHECK(checkpoint_tried);
    CHECK(warning == "no checkpoint stored: the database is in use");
    CHECK(result.model.name == "docs");
  }
  SUBCASE("full") {
    request.settings.Set("dimension", "400");
    request.settings.Set("epochs", "400");
    request.checkpoint_every = 0.001;
    db.Exec("CREATE TABLE room(bytes); INSERT INTO room VALUES(zeroblob(1000000))");
    const int64_t pages = db.Int("PRAGMA page_count");
    CHECK(db.Int("PRAGMA max_page_count = " + std::to_string(pages + 3)) == pages + 3);
    TrainTable(db.get(), request, [&](const TrainProgress& p) {
      if (p.phase == TrainProgress::kStoring) db.Exec("PRAGMA max_page_count = 1000000");
      return true;
    });
    CHECK(warning == "no checkpoint stored: database or disk is full");
  }
  CHECK(db.Text("PRAGMA integrity_check") == "ok");
  CHECK(db.Count("s2v_checkpoint") == 0);
  CHECK(db.Count("s2v_checkpoint_rows") == 0);
  CHECK(db.Count("s2v_models") == 1);
}

TEST_CASE("what a forger has written under a checksum of his own is damage") {
  Unfinished u;
  const std::string bytes = u.db.Bytes();
  Forge(&u.db, "s2v_checkpoint", "words = words");
  TrainTable(u.db.get(), Resume(), GoOn);
  const char* const kForged[] = {"name = 'a.b'", "name = ''", "name = 'a' || char(0)",
                                 "corpus = 'none'", "parameters = '{'", "choices = '[1'",
                                 // The first loss: an infinite one, and none that is a number.
                                 "losses = CAST(x'000000000000f07f' || substr(losses, 9) AS BLOB)",
                                 "losses = CAST(x'010000000000f8ff' || substr(losses, 9) AS BLOB)"};
  for (const std::string forged : kForged) {
    CAPTURE(forged);
    Database db = Database::FromBytes(bytes);
    Forge(&db, "s2v_checkpoint", forged);
    TrainRequest request = Resume();
    request.model.clear();
    CHECK(Contains(ErrorOf(&db, request), "malformed: table s2v_checkpoint, key 1; "));
  }
}

TEST_CASE("a reader in the way delays a checkpoint's commit no longer than it reads") {
  const TempFile file;
  Database db(file.path());
  FillTexts(&db, "docs", 200);
  Database reader(file.path());
  reader.Exec("BEGIN; SELECT count(*) FROM docs");
  TrainRequest request = Request();
  std::string warning;
  request.warn = [&](const std::string& text) { warning = text; };
  CHECK_THROWS_AS(TrainTable(db.get(), request, StopWhileTraining), Interrupted);
  CHECK(warning == "no checkpoint stored: the database is in use");
  reader.Exec("COMMIT");
  CHECK(Stop(&db, request) > 0);
}

TEST_CASE("a training that began by former rules of its tokenizer goes on by them") {
  Database db;
  FillTexts(&db, "docs", 200);
  TrainRequest request = Request();
  Config config = request.settings.config();
  config.tokenizer = "english";
  config.tokenizer_version = FindTokenizer("english")->former()->version();
  request.settings = Settings(config);
  CHECK(Stop(&db, request) > 0);
  TrainTable(db.get(), Resume(), GoOn);
  CHECK(db.Int("SELECT tokenizer_version FROM s2v_model") == config.tokenizer_version);
}

TEST_CASE(
    "what was said is said again: a format, a table of an attached file, whatever it is attached as") {
  const TempFile file;
  {
    Database db(file.path());
    FillTexts(&db, "docs", 200);
  }
  Database db;
  FillTexts(&db, "docs", 20);
  db.Exec("ATTACH '" + file.path() + "' AS one");
  TrainRequest request = Request();
  request.table = "one.docs";
  Config config = request.settings.config();
  config.tokenizer = "html";
  request.settings = Settings(config);
  CHECK(Stop(&db, request) > 0);
  CHECK(Contains(ListCheckpoints(db.get())[0].corpus, "\"table\":\"docs\""));
  TrainRequest again = request;
  again.resume = true;
  SUBCASE("as it was") {}
  SUBCASE("as another") {
    db.Exec("DETACH one; ATTACH '" + file.path() + "' AS two");
    again.table = "two.docs";
  }
  SUBCASE("by the table alone") {
    again = Resume();
    again.table = "one.docs";
  }
  const TrainResult result = TrainTable(db.get(), again, GoOn);
  CHECK(result.model.texts == 200);
  CHECK(result.model.tokenizer == "html:neutral");
  Database alone(file.path());
  CHECK(alone.Int("SELECT s2v_update('docs') ->> '$.new_texts'") == 0);
  CHECK(alone.Int("SELECT rows_now FROM s2v_models") == 200);
}

TEST_CASE("what a killed training has left half written belongs to nobody") {
  Unfinished u;
  // As after a kill between two transactions.
  u.db.Exec(
      "INSERT INTO s2v_checkpoint SELECT id + 1, 0, name, is_default, corpus, texts, texts_hash, "
      "tokenizer_version, parameters, choices, words, ngrams, targets, sentences, position, "
      "tokens, library, created, losses, checksum FROM s2v_checkpoint;"
      "INSERT INTO s2v_checkpoint_rows SELECT key + (1 << 32), rows, checksum FROM "
      "s2v_checkpoint_rows;"
      "INSERT INTO s2v_checkpoint_rows SELECT key + (9 << 32), rows, checksum FROM "
      "s2v_checkpoint_rows");
  CHECK(ListCheckpoints(u.db.get()).size() == 1);
  TrainTable(u.db.get(), Resume(), GoOn);
  CHECK(u.db.Count("s2v_checkpoint") == 0);
  CHECK(u.db.Count("s2v_checkpoint_rows") == 0);
}

TEST_CASE("inside a transaction there are no checkpoints") {
  Database db;
  FillTexts(&db, "docs", 200);
  db.Exec("BEGIN");
  CHECK(Contains(ErrorOf(&db, Request()), "leave checkpoint_every out"));
  TrainRequest request = Request();
  request.checkpoint_every.reset();
  request.settings.Set("epochs", "1");
  TrainTable(db.get(), request, GoOn);
  db.Exec("COMMIT");
  CHECK(db.Count("s2v_models") == 1);
}

TEST_CASE("without checkpoints a stop leaves nothing") {
  Database db;
  FillTexts(&db, "docs", 200);
  const std::string before = db.Bytes();
  TrainRequest request = Request();
  for (const bool off : {true, false}) {
    request.checkpoint_every.reset();
    if (off) request.checkpoint_every = 0;
    try {
      TrainTable(db.get(), request, StopWhileTraining);
      FAIL("not stopped");
    } catch (const StoppedTraining&) {
      FAIL("a checkpoint");
    } catch (const Interrupted&) {
    }
    CHECK(db.Bytes() == before);
  }
}

TEST_CASE("resuming into a database that cannot be written is refused before anything is read") {
  const TempFile file;
  { const Unfinished u(file.path()); }
  Database db(file.path(), SQLITE_OPEN_READONLY);
  CHECK(Contains(ErrorOf(&db, Resume()), "is read-only"));
}

TEST_CASE("the options of s2v_train") {
  Unfinished u;
  CHECK(Contains(u.db.Error("SELECT s2v_train('docs', 'body', '{\"resume\":\"yes\"}')"),
                 "resume: true or false expected, not 'yes'"));
  for (const char* wrong : {"-1", "\"often\"", "true", "1e300"}) {
    CHECK(Contains(u.db.Error("SELECT s2v_train('docs', 'body', '{\"checkpoint_every\":" +
                              std::string(wrong) + "}')"),
                   "checkpoint_every: a number of seconds expected"));
  }
  CHECK(
      Contains(u.db.Error("SELECT s2v_train('docs', 'body', '{\"resume\":true,\"dimension\":4}')"),
               "dimension: '4' here, but '16'"));
  CHECK(u.db.Int("SELECT json_extract(s2v_train('docs', 'body', "
                 "'{\"resume\":true,\"checkpoint_every\":0}'), '$.resumed_at') > 0") == 1);
}

}  // namespace
}  // namespace s2v
