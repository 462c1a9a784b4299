// Files whose schema was made to run SQL where s2v reads: views, virtual tables and generated
// columns in place of model tables. Every answer is an error; nothing recurses.
#include "core/error.h"
#include "sql/model_reader.h"
#include "sql/model_store.h"
#include "tests/support/database.h"

namespace s2v {
namespace {

using namespace testing;

const char* const kReaders[] = {
    "SELECT s2v_embed('red fox')",
    "SELECT s2v_embed('red fox', 'docs', 'raw')",
    "SELECT s2v_cosine('red fox', 'blue sea')",
    "SELECT s2v_model_hash()",
    "SELECT * FROM s2v_words",
    "SELECT * FROM s2v_words WHERE word = 'red'",
    "SELECT * FROM s2v_tokens('red fox')",
    "SELECT * FROM s2v_nearest_words('red', 3)",
    "SELECT * FROM s2v_analogy('red', 'fox', 'blue', 3)",
    "SELECT * FROM s2v_explain('red fox', 'blue sea')",
    "SELECT s2v_convert('docs', 'small', 'int8')",
    "SELECT s2v_update('docs', '{\"epochs\":1}')",
};

struct ModelTable {
  const char* name;
  const char* columns;  // but for the one that calls
  const char* calling;  // computed by a call of ours
};
const ModelTable kModelTables[] = {
    {"s2v_model",
     "id, name, is_default, version, compatible_version, dimension, element, tokenizer, "
     "tokenizer_version, ngram_order, words, ngrams, targets, smoothing, unknown_norm, "
     "tokens, texts, sentences, corpus, parameters, choices, losses, library, created, "
     "checksum",
     "hash"},
    {"s2v_word", "key, word, count, checksum", "vector"},
    {"s2v_ngram", "key, count, checksum", "vector"},
    {"s2v_directory", "key, checksum", "entries"},
};
const char* const kCalls[] = {"s2v_model_hash()", "s2v_embed('red')", "s2v_cosine('red', 'fox')"};

std::string HealthyBytes() {
  Database db;
  TrainTexts(&db, 60);
  return db.Bytes();
}

// In the place of a table: a view of it.
std::string ViewOf(const ModelTable& table, const std::string& call) {
  const std::string name = table.name;
  return "ALTER TABLE " + name + " RENAME TO hidden; CREATE VIEW " + name + " AS SELECT " +
         table.columns + ", " + call + " AS " + table.calling + " FROM hidden";
}

// The table with a column of its own computed. STORED columns can be added to an empty table only.
std::string GeneratedIn(const ModelTable& table, const std::string& call) {
  const std::string name = table.name, column = table.calling;
  return "ALTER TABLE " + name + " RENAME COLUMN " + column + " TO hidden; ALTER TABLE " + name +
         " ADD COLUMN " + column + " AS (" + call + ")";
}

void CheckRefused(Database* db, const std::string& table) {
  for (const char* reader : kReaders) {
    CAPTURE(reader);
    const int code = db->Run(reader);
    CAPTURE(db->message());
    CHECK((code & 0xff) != SQLITE_OK);
    const bool says = Contains(db->message(), table + " is not an ordinary table") ||
                      Contains(db->message(), table + " is missing; train the model again") ||
                      Contains(db->message(), "no default model") ||
                      Contains(db->message(), "no model 'docs'");
    CHECK(says);
  }
  db->Run("SELECT * FROM s2v_models");
  db->Run("SELECT s2v_drop('docs')");
}

TEST_CASE("a view or a generated column in place of a model's table is refused by every reader") {
  const std::string bytes = HealthyBytes();
  for (const ModelTable& table : kModelTables) {
    for (const char* call : kCalls) {
      for (const std::string& schema : {ViewOf(table, call), GeneratedIn(table, call)}) {
        for (const char* trusted : {"ON", "OFF"}) {
          CAPTURE(schema);
          Database db = Database::FromBytes(bytes);
          db.Exec(std::string("PRAGMA trusted_schema = ") + trusted);
          db.Exec(schema);
          EmptyCache();
          CheckRefused(&db, table.name);
        }
      }
    }
  }
}

TEST_CASE("rows of sqlite_schema that SQLite does not write, and two of one name, are refused") {
  Database made;
  TrainTexts(&made, 60);
  made.Exec(
      "CREATE VIRTUAL TABLE s USING s2v_index(docs, body); CREATE TABLE heard(what); CREATE TABLE kept(e REFERENCES s_entry(id) ON DELETE CASCADE)");
  made.Exec(
      "CREATE TABLE other(a); CREATE INDEX other_i ON other(a); CREATE VIEW v0 AS SELECT 1; INSERT INTO heard VALUES('0')");
  const std::string bytes = made.Bytes();
  const auto trigger = [](const std::string& type, const std::string& table,
                          const std::string& named) {
    return "INSERT INTO sqlite_schema VALUES(" + type + ", 'z', " + named +
           ", 0, 'CREATE TRIGGER z AFTER INSERT ON " + table +
           " BEGIN INSERT INTO heard VALUES(1); END')";
  };
  const auto view = [](const std::string& table, const std::string& columns) {
    return "ALTER TABLE " + table +
           " RENAME TO hidden; INSERT INTO sqlite_schema VALUES('view', '" + table + "', '" +
           table + "', 0, 'CREATE VIEW " + table + " AS SELECT " + columns +
           " FROM hidden'), ('table', '" + table + "', '" + table +
           "', 0, 'CREATE TABLE IF NOT EXISTS " + table + "(key)')";
  };
  const std::string edits[] = {
      trigger("'trigger'", "s_entry", "CAST('s_entry' AS BLOB)"),
      trigger("'trigger'", "s_list", "'s_list' || char(0) || 'x'"),
      trigger("'TRIGGER'", "s_list", "'s_list'"),
      trigger("CAST('trigger' AS BLOB)", "s2v_model", "'s2v_model'"),
      trigger("'trigger'", "s2v_word", "CAST('s2v_word' AS BLOB)"),
      "UPDATE sqlite_schema SET type = CAST('table' AS BLOB) WHERE name = 'kept'",
      // An index on sqlite_schema that has every row but the trigger's, and that SQLite would
      // choose.
      "CREATE TRIGGER z AFTER INSERT ON s_entry BEGIN INSERT INTO heard VALUES(1); END;"
      "CREATE TABLE twin(type, name, tbl_name, rootpage, sql); CREATE INDEX twin_i ON twin(type, name, tbl_name, rootpage, sql);"
      "INSERT INTO twin(rowid, type, name, tbl_name, rootpage, sql) SELECT rowid, * FROM sqlite_schema WHERE name <> 'z';"
      "ANALYZE docs; INSERT INTO sqlite_stat1 VALUES('sqlite_master', 'twin_i', '30 1 1 1 1 1 sz=1');"
      "UPDATE sqlite_schema SET tbl_name = 'sqlite_master', sql = 'CREATE INDEX twin_i ON sqlite_master(type, name, tbl_name, rootpage, sql)' "
      "WHERE name = 'twin_i'",
      view("s2v_word", "key, id, word, count, norm, form, burst, vector, checksum"),
      view("s_config", "name, value"),
      "UPDATE sqlite_schema SET name = 's_block', sql = 'CREATE INDEX s_block ON other(a)' WHERE name = 'other_i';"
      "INSERT INTO sqlite_schema SELECT 'view v0; DELETE FROM heard; DROP TABLE', 's_block', 'other', rootpage, NULL FROM sqlite_schema "
      "WHERE name = 's_block' AND sql LIKE '%other%'",
  };
  for (const std::string& edit : edits) {
    CAPTURE(edit);
    for (const char* sql : {"SELECT s2v_embed('red fox')", "SELECT count(*) FROM s('red fox', 3)",
                            "INSERT INTO s(s) VALUES('sync')", "INSERT INTO s(s) VALUES('rebuild')",
                            "SELECT s2v_train('docs', 'body', '{\"dimension\":8,\"epochs\":1}')",
                            "SELECT s2v_drop('docs')", "ALTER TABLE s RENAME TO r", "DROP TABLE s",
                            "CREATE VIRTUAL TABLE n USING s2v_index(docs, body)"}) {
      CAPTURE(sql);
      Database db = Database::FromBytes(bytes);
      db.Exec("PRAGMA writable_schema = ON");
      db.Exec(edit);
      Database reader = Database::FromBytes(db.Bytes());
      reader.Exec(
          "PRAGMA foreign_keys = ON; INSERT INTO docs(body) VALUES('a red fox in the rain'); INSERT INTO kept SELECT id FROM s_entry LIMIT 3");
      const int code = reader.Run(sql);
      // else it may be done without what was changed
      const bool is_asked = std::string(sql).find(" s(") != std::string::npos;
      CHECK((code != SQLITE_OK || !is_asked || edit.find("kept") != edit.npos));
      CHECK(reader.Text("SELECT group_concat(what) FROM heard") == "0");
      CHECK(reader.Count("kept") == 3);
    }
  }
}

TEST_CASE("a chain of indexes, each in place of a table of the one before, ends at the second") {
  Database made;
  TrainTexts(&made, 60);
  made.Exec(
      "CREATE VIRTUAL TABLE s USING s2v_index(docs, body); CREATE VIRTUAL TABLE other USING s2v_index(docs, body)");
  made.Exec(
      "PRAGMA writable_schema = ON; DELETE FROM sqlite_schema WHERE name IN ('s_log', 'other')");
  std::string name = "s";
  for (int i = 0; i < 100; i++) {
    name += "_log";
    made.Exec("INSERT INTO sqlite_schema VALUES('table', '" + name + "', '" + name +
              "', 0, 'CREATE VIRTUAL TABLE " + name + " USING s2v_index(docs, body)')");
  }
  for (const char* sql : {"DROP TABLE s", "ALTER TABLE s RENAME TO r"}) {
    CAPTURE(sql);
    Database db = Database::FromBytes(made.Bytes());
    CHECK((db.Run(sql) & 0xff) == SQLITE_CORRUPT);
    CHECK(db.Count("sqlite_schema WHERE name GLOB 's*_log'") == 100);
  }
}

TEST_CASE("no index is dropped with rows of another table, by a foreign key to any of its tables") {
  for (const char* table : {"s_entry", "s_fts_data", "S_FTS_content"}) {
    CAPTURE(table);
    Database db = TextIndex(60);
    db.Exec(
        "CREATE TABLE IF NOT EXISTS s_fts_content(id INTEGER PRIMARY KEY); INSERT INTO s_fts_content VALUES(1)");
    db.Exec("CREATE TABLE kept(x REFERENCES " + std::string(table) +
            "(id) ON DELETE CASCADE); INSERT INTO kept SELECT id FROM s_entry LIMIT 1");
    db.Exec("PRAGMA foreign_keys = ON");
    CHECK((db.Run("DROP TABLE s") & 0xff) == SQLITE_CONSTRAINT);
    CHECK(db.message() == "constraint failed");
    CHECK(db.Count("kept") == 1);
    db.Exec("DROP TABLE kept; DROP TABLE s");
  }
}

TEST_CASE("nothing is stored or dropped where a view or a trigger of a stranger's would run") {
  const std::string bytes = HealthyBytes();
  for (const std::string table : {"s2v_model", "s2v_word", "s2v_ngram", "s2v_target",
                                  "s2v_directory", "s2v_checkpoint", "s2v_checkpoint_rows"}) {
    for (const bool is_view : {true, false}) {
      for (const char* begin : {"SELECT 1", "BEGIN"}) {
        CAPTURE(table);
        CAPTURE(is_view);
        Database db = Database::FromBytes(bytes);
        db.Exec("CREATE TABLE heard(what); INSERT INTO docs(body) VALUES('a red fox in the rain')");
        if (is_view)
          db.Exec("ALTER TABLE " + table + " RENAME TO hidden; CREATE VIEW " + table +
                  " AS SELECT * FROM hidden");
        for (const std::string event : {"INSERT", "UPDATE", "DELETE"}) {
          db.Exec("CREATE TRIGGER own_" + event + (is_view ? " INSTEAD OF " : " AFTER ") + event +
                  " ON " + table + " BEGIN INSERT INTO heard VALUES('" + event + "'); END");
        }
        db.Exec(begin);
        for (const char* sql :
             {"SELECT s2v_train('docs', 'body', '{\"dimension\":8,\"epochs\":1}')",
              "SELECT s2v_convert('docs', 'small', 'int8')", "SELECT s2v_drop('docs')",
              "SELECT s2v_update('docs')"}) {
          CAPTURE(sql);
          const std::string error = db.Error(sql);
          CHECK((Contains(error, "malformed") || Contains(error, "there is no model") ||
                 Contains(error, "no model")));
        }
        CHECK(db.Count("heard") == 0);
      }
    }
  }
}

TEST_CASE("nothing is stored or dropped where a constraint or an index of a stranger's would run") {
  const std::string bytes = HealthyBytes();
  const char* const kHostile[] = {"CREATE INDEX own ON s2v_model(abs(checksum))",
                                  "CREATE INDEX own ON s2v_word(word) WHERE abs(count)",
                                  "CREATE INDEX own ON s2v_word(word GLOB 'x')",
                                  "CHECK(abs(count))",
                                  "own TEXT -- '\n, CHECK(abs(count))",
                                  "[--] TEXT DEFAULT (random())",
                                  "\"/*\" TEXT /* ( */, CHECK(abs(count))",
                                  "own TEXT UNIQUE ON CONFLICT ROLLBACK",
                                  "own NOT NULL On/**/Conflict\nIGNORE DEFAULT 0"};
  for (const std::string hostile : kHostile) {
    CAPTURE(hostile);
    Database db = Database::FromBytes(bytes);
    if (hostile.starts_with("CREATE")) {
      db.Exec(hostile);
    } else {
      db.Exec("PRAGMA writable_schema = ON");
      Execute(
          db.get(),
          "UPDATE sqlite_schema SET sql = substr(sql, 1, length(sql) - 1) || ', ' || ?1 || ')' WHERE name = 's2v_word'",
          hostile);
      db.Exec("PRAGMA writable_schema = RESET");
    }
    for (const char* sql :
         {"SELECT s2v_train('docs', 'body', '{\"dimension\":8,\"epochs\":1}')",
          "SELECT s2v_convert('docs', 'small', 'int8')", "SELECT s2v_drop('docs')"}) {
      CAPTURE(sql);
      CHECK(Contains(db.Error(sql), "malformed: an expression or a conflict clause in "));
    }
    CHECK(db.Count("s2v_models") == 1);
  }
  for (const char* sql : {"SELECT s2v_train('docs', 'body', '{\"dimension\":8,\"epochs\":1}')",
                          "SELECT s2v_drop('docs')"}) {
    Database db = Database::FromBytes(bytes);
    db.Exec(
        "PRAGMA foreign_keys = ON; CREATE TABLE e(x INTEGER REFERENCES S2V_model(id) ON DELETE CASCADE); INSERT INTO e SELECT id FROM s2v_model;"
        "CREATE TABLE heard(what); CREATE TRIGGER t AFTER DELETE ON e BEGIN INSERT INTO heard VALUES('ran'); END");
    CHECK(Contains(db.Error(sql), "a foreign key of 'e' names s2v_model"));
    CHECK(db.Count("heard") == 0);
  }
  // a user's own index, or a foreign key that changes no row, is no harm
  Database db = Database::FromBytes(bytes);
  db.Exec(
      "CREATE TABLE tag(model INTEGER REFERENCES s2v_model(id), note); "
      "CREATE INDEX own ON s2v_word(word COLLATE NOCASE, count DESC); SELECT s2v_drop('docs')");
}

TEST_CASE("an index is dropped even where somebody has given it options that are none") {
  for (const char* option : {"passages = x", "filter = 7", "filter = 'lang', passages = -1"}) {
    CAPTURE(option);
    Database db;
    db.Exec(
        "CREATE TABLE docs(id INTEGER PRIMARY KEY, body TEXT, lang TEXT); "
        "CREATE VIRTUAL TABLE s USING s2v_index(docs, body); PRAGMA writable_schema = ON");
    Execute(
        db.get(),
        "UPDATE sqlite_schema SET sql = replace(sql, 'body)', 'body, ' || ?1 || ')') WHERE name = 's'",
        option);
    db.Exec("PRAGMA writable_schema = RESET");
    CHECK(Contains(db.Text("SELECT sql FROM sqlite_schema WHERE name = 's'"), option));
    db.Exec("DROP TABLE s");
    CHECK(db.Count("sqlite_schema WHERE name GLOB 's_*'") == 0);
  }
}

TEST_CASE("a generated column is found however its AS is written") {
  const std::string bytes = HealthyBytes();
  for (const char* column : {"form AS (s2v_model_hash())", "form/**/aS/**/(s2v_model_hash())",
                             "\"form\"As(s2v_model_hash())",
                             "form TEXT GENERATED ALWAYS\nas\t(s2v_model_hash()) VIRTUAL",
                             "[form]AS(s2v_model_hash())"}) {
    CAPTURE(column);
    Database db = Database::FromBytes(bytes);
    db.Exec(
        std::string(
            "ALTER TABLE s2v_word RENAME COLUMN form TO hidden; ALTER TABLE s2v_word ADD COLUMN ") +
        column);
    EmptyCache();
    CheckRefused(&db, "s2v_word");
  }
}

TEST_CASE(
    "s2v_models shows the schema whose table of models is refused, and the models of others") {
  Database db = Database::FromBytes(HealthyBytes());
  TempFile file;
  db.Exec("ATTACH '" + file.path() + "' AS other; VACUUM main INTO '" + file.path() + "x'");
  db.Exec("DETACH other; ATTACH '" + file.path() + "x' AS other");
  db.Exec(GeneratedIn(kModelTables[0], "s2v_model_hash()"));
  CHECK(db.Text("SELECT group_concat(schema || ':' || name || ':' || ifnull(error, ''), '; ') "
                "FROM s2v_models") ==
        "main::database disk image is malformed: s2v_model is not an ordinary table; other:docs:");
  CHECK(db.Text("SELECT length(s2v_embed('red', 'other.docs'))") == "32");
  CHECK(Contains(db.Error("SELECT s2v_embed('red', 'other.none')"), "name one of other.docs"));
  db.Exec("ATTACH ':memory:' AS third; CREATE TABLE third.s2v_model(checksum)");
  CHECK(
      db.Text(
          "SELECT group_concat(schema || ':' || name || ':' || (error IS NOT NULL), '; ') FROM s2v_models") ==
      "main::1; other:docs:0; third::1");
  db.Exec("DETACH other");
  std::remove((file.path() + "x").c_str());
}

TEST_CASE("a virtual table in place of a model's table is refused, connected or not") {
  Database db = Database::FromBytes(HealthyBytes());
  db.Exec(
      "DROP TABLE s2v_word; CREATE VIRTUAL TABLE s2v_word USING fts5(key, word, count, vector, checksum)");
  CheckRefused(&db, "s2v_word");
  Database again = Database::FromBytes(db.Bytes());
  CheckRefused(&again, "s2v_word");
}

TEST_CASE("a computed column of a checkpoint is refused by training and dropping") {
  Database db = Database::FromBytes(HealthyBytes());
  db.Exec(
      "ALTER TABLE s2v_checkpoint RENAME COLUMN name TO hidden; "
      "ALTER TABLE s2v_checkpoint ADD COLUMN name AS (s2v_model_hash())");
  for (const std::string& sql : {TrainSql("docs"), std::string("SELECT s2v_drop('docs')")}) {
    CHECK(Contains(db.Error(sql), "s2v_checkpoint is not an ordinary table"));
  }
  CHECK(db.Text("SELECT length(s2v_embed('red'))") == "32");
}

TEST_CASE("a table that is missing is damage; one that embedding does not read may be") {
  Database db = Database::FromBytes(HealthyBytes());
  const std::string before = db.Text("SELECT s2v_embed('red fox')");
  db.Exec("DROP TABLE s2v_target");
  CHECK(db.Text("SELECT s2v_embed('red fox')") == before);
  db.Exec("DROP TABLE s2v_directory");
  CheckRefused(&db, "s2v_directory");
}

TEST_CASE("a model whose texts are no JSON has an error in s2v_models, and the others are listed") {
  for (const char* column : {"corpus", "parameters", "choices", "losses"}) {
    CAPTURE(column);
    Database db = Database::FromBytes(HealthyBytes());
    Forge(&db, "s2v_model", std::string(column) + " = '{none'");
    db.Exec(
        "CREATE TABLE more AS SELECT * FROM docs; SELECT s2v_train('more', 'body', '{\"dimension\":8,\"epochs\":1}')");
    CHECK(
        db.Text("SELECT error FROM s2v_models WHERE name = 'docs'") ==
        "database disk image is malformed: table s2v_model, key 1; train the model again, or s2v_drop takes it away");
    CHECK(db.Count("s2v_models WHERE error IS NULL AND name = 'more'") == 1);
  }
}

TEST_CASE("another database in the same memory is checked again") {
  Database db;
  const std::string good = HealthyBytes();
  Database stranger = Database::FromBytes(good);
  const std::string version = stranger.Text("PRAGMA schema_version");
  stranger.Exec("CREATE TABLE heard(what); INSERT INTO heard VALUES(1)");
  stranger.Exec(ViewOf(kModelTables[1], "(SELECT what FROM heard)"));
  stranger.Exec("PRAGMA schema_version = " + version);
  const std::string bytes[] = {good, stranger.Bytes()};
  for (const std::string& one : bytes) {
    auto* copy = static_cast<unsigned char*>(sqlite3_malloc64(one.size()));
    one.copy(reinterpret_cast<char*>(copy), one.size());
    const auto size = static_cast<sqlite3_int64>(one.size());
    REQUIRE(sqlite3_deserialize(db.get(), "main", copy, size, size,
                                SQLITE_DESERIALIZE_FREEONCLOSE) == SQLITE_OK);
    if (&one == bytes) CHECK(db.Int("SELECT length(s2v_embed('red fox'))") == 32);
  }
  CHECK(Contains(db.Error("SELECT s2v_embed('blue sea')"), "s2v_word is not an ordinary table"));
}

TEST_CASE("a schema that changes after a reading is checked again") {
  TempFile file;
  Database db(file.path());
  TrainTexts(&db, 60);
  db.Exec("SELECT s2v_embed('red')");
  {
    Database other(file.path());
    other.Exec(ViewOf(kModelTables[1], "s2v_embed('red')"));
  }
  EmptyCache();
  CheckRefused(&db, "s2v_word");
  // In a transaction that is not committed too.
  db.Exec(
      "DROP VIEW s2v_word; ALTER TABLE hidden RENAME TO s2v_word; BEGIN; SELECT s2v_embed('red')");
  db.Exec(ViewOf(kModelTables[3], "s2v_embed('red')"));
  EmptyCache();
  CheckRefused(&db, "s2v_directory");
  db.Exec("ROLLBACK; SELECT s2v_embed('red')");
}

TEST_CASE("reading that runs SQL which reads the same models ends") {
  Database db;
  const ReadingGuard reading(db.get());
  CHECK_THROWS_AS(ReadingGuard(db.get()), FormatError);
  CHECK_THROWS_AS(ModelReader(db.get(), {}), FormatError);
  CHECK_THROWS_AS(ListModels(db.get()), FormatError);
  Database other;
  CHECK(ListModels(other.get()).empty());
}

}  // namespace
}  // namespace s2v
