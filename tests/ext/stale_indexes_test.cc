// Indexes on what a model computes: after each training they hold what the new model computes, or
// the training has not happened.
#include "core/text/tokenizer.h"
#include "core/text/utf8.h"
#include "tests/support/database.h"

namespace s2v {
namespace {

using namespace testing;

const char kAllKinds[] =
    "ALTER TABLE docs ADD COLUMN live BLOB AS (s2v_embed(body)) VIRTUAL;"
    "CREATE INDEX on_expression ON docs(s2v_embed(body));"
    "CREATE INDEX on_column ON docs(live);"
    "CREATE INDEX \"odd \"\"name\" ON docs(S2V_Cosine(live, zeroblob(32)), id);"
    "CREATE INDEX partial ON docs(id) WHERE s2v_distance(live, x'"
    "0000803f0000803f0000803f0000803f0000803f0000803f0000803f0000803f') < 0.9;"
    "CREATE TABLE kept(body TEXT, v BLOB AS (s2v_embed(body)) STORED, w BLOB AS (s2v_embed(body)) "
    "VIRTUAL UNIQUE);"
    "INSERT INTO kept(body) VALUES('red fox'), ('blue sea'), (NULL);"
    "CREATE INDEX on_stored ON kept(v);"
    "CREATE TABLE plain(body TEXT UNIQUE); CREATE INDEX of_plain ON plain(length(body));";

// Vectors that an index gives and the model does not. The added '' keeps SQLite from the index.
const char kWrong[] =
    "SELECT (SELECT count(*) FROM docs INDEXED BY on_column WHERE live > x'' AND live IS NOT "
    "s2v_embed(body || '')) + (SELECT count(*) FROM docs INDEXED BY on_expression WHERE "
    "s2v_embed(body) > x'' AND id NOT IN (SELECT id FROM docs NOT INDEXED WHERE s2v_embed(body || "
    "'') > x'')) + (SELECT count(*) FROM kept INDEXED BY sqlite_autoindex_kept_1 WHERE w > x'' AND "
    "w IS NOT s2v_embed(body || ''))";

TEST_CASE("training rebuilds the indexes whose contents depend on a model") {
  for (const char* trusted : {"PRAGMA trusted_schema = 1", "PRAGMA trusted_schema = 0"}) {
    Database db;
    db.Exec(trusted);
    TrainTexts(&db, 12);
    db.Exec(kAllKinds);
    CHECK(db.Int(kWrong) == 0);
    for (int seed = 2; seed < 5; seed++) {
      Train(&db, "docs", "\"seed\":" + std::to_string(seed));
      EmptyCache();
      CHECK(db.Int(kWrong) == 0);
      CHECK(db.Text("PRAGMA integrity_check") == "ok");
      db.Exec("UPDATE docs SET body = body || ' sky' WHERE id = 1");
    }
    // Another model becomes the default.
    Train(&db, "docs", "\"model\":\"other\",\"seed\":9,\"default\":true");
    CHECK(db.Int(kWrong) == 0);
    CHECK(db.Text("PRAGMA integrity_check") == "ok");
  }
}

TEST_CASE(
    "an index that former rules of the tokenizer made is made anew, though the model is the same") {
  Database db;
  FillTexts(&db, "docs", 100);
  const std::string options = "\"tokenizer\":\"english\",\"workers\":1";
  Train(&db, "docs", options);
  const std::string hash = db.Text("SELECT hash FROM s2v_models");
  db.Exec(
      "CREATE VIRTUAL TABLE s USING s2v_index(docs, body); REPLACE INTO s_config VALUES('tokenizer_version', 5)");
  Train(&db, "docs", options);
  CHECK(db.Int("SELECT value FROM s_config WHERE name = 'tokenizer_version'") == 5);
  Train(&db, "docs", options + ",\"rebuild_indexes\":true");
  CHECK(db.Text("SELECT hash FROM s2v_models") == hash);
  CHECK(db.Int("SELECT value FROM s_config WHERE name = 'tokenizer_version'") ==
        FindTokenizer("english")->version());
}

TEST_CASE(
    "an index of vectors refuses a text that another model would embed, until the column is filled and it is made anew") {
  Database db;
  TrainTexts(&db, 100);
  db.Exec(
      "ALTER TABLE docs ADD COLUMN e BLOB; UPDATE docs SET e = s2v_embed(body); CREATE VIRTUAL TABLE v USING s2v_index(docs, e, words = body);"
      "CREATE TABLE later(id INTEGER PRIMARY KEY, e BLOB); CREATE VIRTUAL TABLE w USING s2v_index(later, e); INSERT INTO later(e) SELECT e FROM docs; INSERT INTO w(w) VALUES('sync')");
  const auto found = [&](const char* index) {
    return db.Count(std::string(index) + "('red fox', 3, 'meaning')");
  };
  CHECK(found("v") == 3);
  CHECK(found("w") == 3);
  // Another default is no matter, the same name trained anew is.
  Train(&db, "docs", "\"model\":\"other\",\"seed\":5,\"default\":true");
  CHECK(found("v") == 3);
  CHECK(found("w") == 3);
  Train(&db, "docs", "\"seed\":7");
  for (const char* index : {"v", "w"}) {
    CAPTURE(index);
    CHECK(Contains(db.Error("SELECT * FROM " + std::string(index) + "('red fox', 3, 'meaning')"),
                   "VALUES('rebuild') makes it anew"));
    CHECK(db.Count(std::string(index) + "((SELECT e FROM docs WHERE id = 5), 3)") == 3);
    db.Exec("INSERT INTO " + std::string(index) + "(" + index + ") VALUES('integrity-check')");
  }
  CHECK(db.Count("v('red fox', 3, 'words')") == 3);
  db.Exec(
      "SELECT s2v_drop('other'); UPDATE docs SET e = s2v_embed(body, 'docs'); INSERT INTO v(v) VALUES('rebuild')");
  CHECK(found("v") == 3);
  // Of another dimension.
  Train(&db, "docs", "\"dimension\":9,\"default\":true");
  CHECK(Contains(db.Error("SELECT * FROM v('red fox', 3, 'meaning')"),
                 "where docs.e was filled anew, INSERT INTO"));
  db.Exec("SELECT s2v_drop('docs')");
  CHECK(Contains(db.Error("SELECT * FROM v('red fox', 3, 'meaning')"),
                 "no model embeds a text for this index of vectors"));
  db.Exec("INSERT INTO v(v) VALUES('rebuild')");
  CHECK(db.Count("v_config WHERE name = 'model_hash'") == 0);
}

TEST_CASE("an index goes back with the training") {
  Database db;
  TrainTexts(&db, 12);
  db.Exec(kAllKinds);
  const std::string before = db.Text("SELECT s2v_embed('red fox')");
  db.Exec("BEGIN");
  Train(&db, "docs", "\"seed\":2");
  db.Exec("ROLLBACK");
  CHECK(db.Text("SELECT s2v_embed('red fox')") == before);
  CHECK(db.Text("PRAGMA integrity_check") == "ok");
}

TEST_CASE("a training whose new model breaks an index changes nothing") {
  Database db;
  TrainTexts(&db, 12);
  // One vector each; a model that knows one word only gives both texts the same.
  db.Exec(
      "CREATE TABLE few(body TEXT); INSERT INTO few VALUES('red fox'), ('red sky');"
      "CREATE UNIQUE INDEX one_each ON few(s2v_embed(body));"
      "CREATE TABLE reds(body TEXT); WITH RECURSIVE n(i) AS "
      "(SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 9) INSERT INTO reds SELECT 'red big' FROM n");
  const std::string before = db.Text("SELECT s2v_embed('red fox')");
  CHECK(Contains(db.Error(TrainSql("reds", "\"model\":\"docs\",\"smoothing\":0")),
                 "UNIQUE constraint failed"));
  CHECK(sqlite3_get_autocommit(db.get()) != 0);
  CHECK(db.Text("SELECT s2v_embed('red fox')") == before);
  CHECK(db.Count("s2v_model") == 1);
  CHECK(db.Text("PRAGMA integrity_check") == "ok");
}

TEST_CASE("indexes that no model changes are left alone") {
  Database db;
  FillTexts(&db, "docs", 12);
  db.Exec("CREATE TABLE plain(body TEXT UNIQUE); CREATE INDEX of_plain ON plain(length(body));");
  int reindexed = 0;
  const auto count = [](void* context, int action, const char*, const char*, const char*,
                        const char*) {
    *static_cast<int*>(context) += action == SQLITE_REINDEX;
    return SQLITE_OK;
  };
  sqlite3_set_authorizer(db.get(), count, &reindexed);
  Train(&db, "docs");
  CHECK(reindexed == 0);
  db.Exec("CREATE INDEX on_expression ON docs(s2v_embed(body))");
  reindexed = 0;
  Train(&db, "docs");
  CHECK(reindexed == 1);
  sqlite3_set_authorizer(db.get(), nullptr, nullptr);
}

TEST_CASE(
    "a table that only says that it is an index, or whose own tables are others, spoils no training") {
  TempFile file;
  {
    Database db(file.path());
    TrainTexts(&db, 20);
    db.Exec(
        "CREATE VIRTUAL TABLE s USING s2v_index(docs, body, words = off); CREATE VIRTUAL TABLE f USING fts5(body, tokenize = \"unicode61\" /* later, using s2v_index */)");
    db.Exec("CREATE TABLE other AS SELECT 1 AS a");
  }
  CHECK(OtherProgram(file.path()).Run("DROP TABLE s_config; CREATE TABLE s_config(k, v)") ==
        SQLITE_OK);
  Database db(file.path());
  Train(&db, "docs");
  CHECK(db.Count("s2v_models") == 1);
  CHECK(Contains(db.Error("SELECT s2v_sync('f')"), "no index 'f'; there are s"));
}

TEST_CASE("an index is found however its statement is written") {
  for (const char* module :
       {"/* of the field */ s2v_index", "-- of it\n s2v_index", "\"s2v_index\"", "[S2V_index]"}) {
    CAPTURE(module);
    Database db;
    // Of a program for Turkish, where the capital of i is another letter than I.
    const auto lower = [](sqlite3_context* context, int, sqlite3_value** values) {
      std::string text(reinterpret_cast<const char*>(sqlite3_value_text(values[0])));
      ReplaceAll("I", "\u0131", &text);
      sqlite3_result_text(context, LowerAscii(text).c_str(), -1, SQLITE_TRANSIENT);
    };
    sqlite3_create_function(db.get(), "lower", 1, SQLITE_UTF8, nullptr, lower, nullptr, nullptr);
    TrainTexts(&db, 20);
    db.Exec("CREATE VIRTUAL TABLE s USING " + std::string(module) + "(docs, body)");
    db.Exec(
        "SELECT s2v_sync('s'), s2v_train('docs', 'body', '{\"seed\":9,\"dimension\":8,\"rebuild_indexes\":true}')");
    CHECK(db.Count("s('red', 3)") == 3);
  }
}

TEST_CASE("models and indexes are what they are whatever functions a program has") {
  Database db;
  const auto sign = [](sqlite3_context* context, int, sqlite3_value**) {
    sqlite3_result_text(context, "?", 1, SQLITE_STATIC);
  };
  for (const auto& [name, arguments] :
       std::initializer_list<std::pair<const char*, int>>{{"lower", 1},
                                                          {"hex", 1},
                                                          {"substr", 3},
                                                          {"length", 1},
                                                          {"instr", 2},
                                                          {"coalesce", 2},
                                                          {"nullif", 2},
                                                          {"iif", 3}}) {
    sqlite3_create_function(db.get(), name, arguments, SQLITE_UTF8, nullptr, sign, nullptr,
                            nullptr);
  }
  TrainTexts(&db, 20);
  db.Exec("CREATE INDEX on_expression ON docs(s2v_embed(body))");
  db.Exec("CREATE VIRTUAL TABLE s USING s2v_index(docs, body)");
  Train(&db, "docs", "\"seed\":9,\"rebuild_indexes\":true");
  db.Exec("INSERT INTO s(s) VALUES('integrity-check')");
  CHECK(db.Text("PRAGMA integrity_check") == "ok");
  CHECK(db.Count("s('red', 3) WHERE similarity IS NOT NULL") == 3);
  db.Exec(
      "CREATE TABLE v(vector); INSERT INTO v SELECT s2v_embed(body) FROM docs;"
      "CREATE VIRTUAL TABLE of_vectors USING s2v_index(v, vector)");
  CHECK(db.Count("of_vectors(s2v_embed('red'), 3)") == 3);
  db.Exec("DROP TABLE s; SELECT s2v_drop('docs')");
  CHECK(db.Count("s2v_models") == 0);
}

}  // namespace
}  // namespace s2v
