// Damage to the stored tables: every answer is an error that names table and key, or what it was
// before. Never a crash, never a wrong vector.
#include <filesystem>

#include "core/random.h"
#include "sql/model_format.h"
#include "sql/statement.h"
#include "tests/support/database.h"

namespace s2v {
namespace {

using namespace testing;

const char* const kQueries[] = {
    "SELECT s2v_embed('red fox blue sea old man')",
    "SELECT s2v_embed('rain falls', 'docs', 'raw')",
    "SELECT s2v_cosine('red fox', s2v_embed('blue sea'))",
    "SELECT s2v_cosine('nothing known', 'red') IS NULL",
    ("SELECT group_concat(name || ifnull(dim || words || ngrams || hash || parameters, error) || "
     "is_default) FROM s2v_models"),
};

// The stored tables, without the constraints that would keep damage out.
const char kLooseTables[] =
    "CREATE TABLE s2v_model(id INTEGER PRIMARY KEY, name, is_default INTEGER, version INTEGER, "
    "compatible_version INTEGER, dimension INTEGER, element, tokenizer, tokenizer_version INTEGER, "
    "ngram_order "
    "INTEGER, words INTEGER, ngrams INTEGER, targets INTEGER, smoothing, "
    "unknown_norm, "
    "tokens INTEGER, texts INTEGER, "
    "sentences INTEGER, corpus, parameters, choices, losses, library, created, hash, checksum "
    "INTEGER);"
    "CREATE TABLE s2v_word(key INTEGER PRIMARY KEY, word, count, vector, checksum);"
    "CREATE TABLE s2v_ngram(key INTEGER PRIMARY KEY, count, vector, checksum);"
    "CREATE TABLE s2v_target(key INTEGER PRIMARY KEY, vector, checksum);"
    "CREATE TABLE s2v_directory(key INTEGER PRIMARY KEY, entries, checksum);";

struct Healthy {
  std::string bytes;
  std::vector<std::string> answers;

  explicit Healthy(bool loose) {
    Database db;
    if (loose) db.Exec(kLooseTables);
    TrainTexts(&db, 60);
    EmptyCache();
    for (const char* query : kQueries) answers.push_back(db.Text(query));
    bytes = db.Bytes();
  }
};

const Healthy& LooseModel() {
  static const Healthy healthy(true);
  return healthy;
}

bool Malformed(Database* db, int code) {
  return code == SQLITE_CORRUPT_VTAB &&
         Contains(db->message(), "database disk image is malformed: table s2v_") &&
         Contains(db->message(), ", key ");
}

struct Outcome {
  int damaged = 0, same = 0, no_model = 0;
};

// Asks everything of a damaged copy, with nothing cached.
Outcome Ask(Database* db, const Healthy& healthy) {
  Outcome outcome;
  EmptyCache();
  for (size_t i = 0; i < healthy.answers.size(); i++) {
    const int code = db->Run(kQueries[i]);
    CAPTURE(kQueries[i]);
    CAPTURE(db->message());
    if (code == SQLITE_OK) {
      const bool same = db->rows().at(0) == healthy.answers[i];
      const bool listed = i == 4;  // s2v_models shows what is not under a checksum as it is
      CHECK((same || listed));
      outcome.same++;
    } else if (code == SQLITE_ERROR) {
      // The name is gone, or is_default.
      const bool says =
          Contains(db->message(), "no model 'docs'") || Contains(db->message(), "no default model");
      CHECK(says);
      outcome.no_model++;
    } else {
      const bool newer =
          Contains(db->message(), "use a newer s2v") || Contains(db->message(), "needs tokenizer");
      CHECK((newer || Malformed(db, code)));
      outcome.damaged++;
    }
  }
  return outcome;
}

Outcome AskAfter(const std::string& damage) {
  CAPTURE(damage);
  Database db = Database::FromBytes(LooseModel().bytes);
  if (db.Run(damage) != SQLITE_OK) return {};  // SQLite keeps this damage out itself
  return Ask(&db, LooseModel());
}

TEST_CASE("any value in any column of any stored table") {
  const struct {
    const char* table;
    std::vector<const char*> columns;
  } tables[] = {
      {"s2v_model",
       {"id",
        "name",
        "is_default",
        "version",
        "compatible_version",
        "dimension",
        "element",
        "tokenizer",
        "tokenizer_version",
        "ngram_order",
        "words",
        "ngrams",
        "targets",
        "tokens",
        "texts",
        "sentences",
        "corpus",
        "parameters",
        "choices",
        "losses",
        "library",
        "created",
        "hash",
        "checksum"}},
      {"s2v_word", {"key", "word", "count", "vector", "checksum"}},
      {"s2v_ngram", {"key", "count", "vector", "checksum"}},
      {"s2v_target", {"key", "vector", "checksum"}},
      {"s2v_directory", {"key", "entries", "checksum"}},
  };
  const char* values[] = {
      "NULL",
      "0",
      "-1",
      "1",
      "2",
      "2147483648",
      "4294967296",
      "9223372036854775807",
      "-9223372036854775808",
      "0.5",
      "1e308",
      "'text'",
      "''",
      "x''",
      "x'00'",
      "x'0000c07f'",
      "zeroblob(4)",
      "zeroblob(32)",
      "zeroblob(1000000)",
      "@ || '0'",
      "@ || x'00'",
      "substr(@, 2)",
      "substr(@, 1, length(@) - 4)",
      "substr(@, 1, length(@) / 2)",
      "CAST(@ AS BLOB)",
      "CAST(@ AS TEXT)",
      "@ + 1",
      "-@",
      "x'01' || substr(@, 2)",
  };
  int cases = 0;
  Outcome all;
  for (const auto& table : tables) {
    for (const char* column : table.columns) {
      for (std::string value : values) {
        for (size_t at; (at = value.find('@')) != std::string::npos;) value.replace(at, 1, column);
        for (const char* which : {"", " WHERE rowid % 3 = 0"}) {
          const Outcome outcome = AskAfter(std::string("UPDATE ") + table.table + " SET " + column +
                                           " = " + value + which);
          all.damaged += outcome.damaged;
          all.same += outcome.same;
          cases++;
        }
      }
    }
  }
  CHECK(cases > 2000);
  CHECK(all.damaged > 1000);
  CHECK(all.same > 1000);
}

TEST_CASE("rows that are missing, moved or changed are found out") {
  const char* damages[] = {
      "DELETE FROM s2v_word",
      "DELETE FROM s2v_ngram",
      "DELETE FROM s2v_directory",
      "DELETE FROM s2v_directory WHERE key & 2147483648",
      "UPDATE s2v_word SET vector = substr(vector, 1, 31) || x'77'",
      "UPDATE s2v_ngram SET vector = x'77' || substr(vector, 2)",
      "UPDATE s2v_word SET word = word || 's'",
      "UPDATE s2v_word SET count = count + 1",
      "UPDATE s2v_ngram SET count = count + 1",
      "UPDATE s2v_directory SET entries = x''",
      "UPDATE s2v_directory SET entries = entries || entries",
      // Two rows change places.
      ("CREATE TEMP TABLE w AS SELECT * FROM s2v_word; UPDATE s2v_word SET (word, count, vector, "
       "checksum) = (SELECT word, count, vector, checksum FROM w WHERE w.key = ((SELECT max(key) + "
       "min(key) FROM w) - s2v_word.key))"),
      ("CREATE TEMP TABLE n AS SELECT key, lead(key, 1, 1) OVER (ORDER BY key) AS next FROM s2v_ngram; "
       "CREATE TEMP TABLE c AS SELECT * FROM s2v_ngram; UPDATE s2v_ngram SET (count, vector, checksum) = "
       "(SELECT count, vector, checksum FROM c JOIN n ON c.key = n.next WHERE n.key = s2v_ngram.key) "
       "WHERE key < (SELECT max(key) FROM n)"),
      "UPDATE s2v_model SET smoothing = 0.5",
      "UPDATE s2v_model SET smoothing = 'much'",
      "UPDATE s2v_model SET unknown_norm = 0",
      "UPDATE s2v_model SET hash = iif(hash LIKE '0%', '1', '0') || substr(hash, 2)",
      "UPDATE s2v_model SET hash = 'no hash'",
      "UPDATE s2v_model SET checksum = checksum + 1",
      "UPDATE s2v_model SET dimension = 4",
  };
  for (const char* damage : damages) {
    CAPTURE(damage);
    CHECK(AskAfter(damage).damaged >= 2);
  }
}

TEST_CASE("what inference does not read may be missing") {
  for (const char* damage : {"DELETE FROM s2v_target", "UPDATE s2v_target SET vector = NULL",
                             "UPDATE s2v_model SET is_default = 2"}) {
    CAPTURE(damage);
    CHECK(AskAfter(damage).same == 5);
  }
}

TEST_CASE("a valid row of another model is not taken") {
  Database db = Database::FromBytes(LooseModel().bytes);
  Train(&db, "docs", "\"model\":\"other\",\"seed\":5");
  db.Exec("DELETE FROM s2v_word WHERE key < 2 << 32; UPDATE s2v_word SET key = key - (1 << 32)");
  EmptyCache();
  CHECK(Malformed(&db, db.Run(kQueries[0])));
}

TEST_CASE("two defaults are one of the two") {
  Database db = Database::FromBytes(LooseModel().bytes);
  Train(&db, "docs", "\"model\":\"other\"");
  db.Exec("UPDATE s2v_model SET is_default = 1");
  CHECK(db.Text(kQueries[0]) == LooseModel().answers[0]);
}

TEST_CASE("a model of a newer format asks for a newer s2v") {
  Database db = Database::FromBytes(LooseModel().bytes);
  db.Exec("UPDATE s2v_model SET version = 8, compatible_version = 7");
  const char kMessage[] =
      "model 'docs' needs format version 7; this library reads up to version 6: use a newer s2v";
  CHECK(db.Run(kQueries[0]) == SQLITE_CORRUPT_VTAB);
  CHECK(Contains(db.message(), kMessage));
  CHECK(db.Text("SELECT error FROM s2v_models") == kMessage);
  // It can be replaced and dropped.
  Train(&db, "docs");
  CHECK(db.Text(kQueries[0]) == LooseModel().answers[0]);
}

TEST_CASE(
    "a file of the format before the first release says what to do, to readers and to writers") {
  Database db = Database::FromBytes(LooseModel().bytes);
  db.Exec("ALTER TABLE s2v_model ADD COLUMN components INTEGER");
  const char kMessage[] = "the models of database 'main' have format version 1";
  CHECK(Contains(db.Error(kQueries[0]), kMessage));
  CHECK(Contains(db.Error(TrainSql("docs")), kMessage));
  CHECK(Contains(db.Text("SELECT error FROM s2v_models"), kMessage));
}

TEST_CASE("a damaged model can be replaced and dropped") {
  for (const char* damage :
       {"DELETE FROM s2v_directory", "UPDATE s2v_model SET hash = NULL",
        "UPDATE s2v_model SET id = -5", "UPDATE s2v_model SET id = 9223372036854775807",
        "UPDATE s2v_model SET words = 'many'"}) {
    CAPTURE(damage);
    Database db = Database::FromBytes(LooseModel().bytes);
    db.Exec(damage);
    Train(&db, "docs");
    EmptyCache();
    CHECK(db.Text(kQueries[0]) == LooseModel().answers[0]);
    db.Exec(damage);
    db.Exec("SELECT s2v_drop('docs')");
    CHECK(db.Count("s2v_model") == 0);
  }
}

TEST_CASE("a damaged model ends its statement, not the application's transaction") {
  for (const char* schema : {"main", "other"}) {
    CAPTURE(schema);
    TempFile file;
    {
      Database made(file.path());
      TrainTexts(&made, 60);
      made.Exec("UPDATE s2v_word SET vector = zeroblob(32)");
    }
    const bool attached = std::string_view(schema) == "other";
    Database db(attached ? ":memory:" : file.path());
    if (attached) db.Exec("ATTACH '" + file.path() + "' AS other");
    db.Exec("CREATE TABLE main.log(entry)");
    db.Exec("BEGIN; INSERT INTO log VALUES('before')");
    CHECK(db.Run("SELECT s2v_embed('red fox', '" + std::string(schema) + ".docs')") ==
          SQLITE_CORRUPT_VTAB);
    CHECK(Contains(db.message(), "database disk image is malformed: table s2v_word, key "));
    CHECK(db.Run("SELECT * FROM s2v_words('" + std::string(schema) + ".docs')") ==
          SQLITE_CORRUPT_VTAB);
    db.Exec("INSERT INTO log VALUES('after'); COMMIT");
    CHECK(db.Count("log") == 2);
  }
}

// Gives every row the checksum that belongs to a hash, as the maker of a file can.
void Sign(sqlite3* db, const std::string& hash) {
  const uint64_t seed = ChecksumSeed(hash, 1);
  const struct {
    const char *table, *columns;
  } tables[] = {{"s2v_word", "vector, count, word, burst"},
                {"s2v_ngram", "vector, count, NULL, NULL"},
                {"s2v_directory", "entries, NULL, NULL, NULL"}};
  for (const auto& [table, columns] : tables) {
    Statement rows(db, std::string("SELECT key, ") + columns + " FROM " + table);
    Statement update(db, std::string("UPDATE ") + table + " SET checksum = ?2 WHERE key = ?1");
    while (rows.Step()) {
      Checksum checksum(seed ^ static_cast<uint32_t>(rows.Int(0)));
      checksum.Add(rows.Blob(1));
      if (rows.Type(2) != SQLITE_NULL) checksum.Add(static_cast<uint64_t>(rows.Int(2)));
      checksum.Add(rows.Text(3));
      const auto burst = static_cast<float>(rows.Double(4));
      if (rows.Type(4) != SQLITE_NULL) checksum.Add(&burst, sizeof(burst));
      update.Bind(1, rows.Int(0));
      update.Bind(2, checksum.Value());
      update.Run();
    }
  }
  Execute(db, "UPDATE s2v_model SET hash = '" + hash + "'");
  Statement model(
      db,
      "SELECT version, compatible_version, dimension, element, tokenizer, tokenizer_version, "
      "ngram_order, words, ngrams, targets, smoothing, unknown_norm, "
      "tokens, texts, sentences, corpus, parameters, choices, losses, library, created, hash "
      "FROM s2v_model");
  model.Step();
  Checksum checksum(0);
  for (int column = 0; column < 22; column++) {
    checksum.Add(model.Text(column));
    checksum.Add("", 1);
  }
  model.Reset();
  Execute(db, "UPDATE s2v_model SET checksum = " + std::to_string(checksum.Value()));
}

// A file with a model of other rows, and of another dimension if so wished, under a hash.
void MakeForgery(const std::string& path, const std::string& hash, const std::string& options) {
  Database db(path);
  TrainTexts(&db, 60, options);
  Sign(db.get(), hash);
}

TEST_CASE("a model whose tokenizer is of another version is refused by the tokenizer's name") {
  TempFile file;
  Database db(file.path());
  FillTexts(&db, "docs", 60);
  for (const std::string tokenizer : {"german", "german+english", "neutral", "english"}) {
    CAPTURE(tokenizer);
    Train(&db, "docs", "\"tokenizer\":\"" + tokenizer + "\"");
    CHECK(db.Run("SELECT s2v_embed('red fox')") == SQLITE_OK);
    const std::string hash = db.Text("SELECT hash FROM s2v_model");
    const std::string version = db.Text("SELECT tokenizer_version + 1 FROM s2v_model");
    db.Exec("UPDATE s2v_model SET tokenizer_version = " + version);
    Sign(db.get(), hash);
    const std::string message = "model 'docs' needs tokenizer " + tokenizer + " version " +
                                version + ", which this library lacks";
    CHECK(db.Run("SELECT s2v_embed('red fox')") != SQLITE_OK);
    CHECK(Contains(db.message(), message));
    CHECK(db.Text("SELECT error FROM s2v_models") == message);
  }
}

TEST_CASE("a file that claims another model's hash neither gives nor gets rows") {
  TempFile mine, stranger, large;
  Database a(mine.path());
  TrainTexts(&a, 60);
  const std::string hash = a.Text("SELECT hash FROM s2v_model");
  MakeForgery(stranger.path(), hash, "\"seed\":5");
  MakeForgery(large.path(), hash, "\"dimension\":200");
  Database b(stranger.path()), c(large.path());
  EmptyCache();
  const std::string of_a = a.Text(kQueries[0]);
  EmptyCache();
  const std::string of_b = b.Text(kQueries[0]);
  CHECK(of_a != of_b);
  CHECK(a.Text(kQueries[0]) == of_a);  // with b's rows in the cache
  CHECK(b.Text(kQueries[0]) == of_b);
  CHECK(c.Text(kQueries[0]).size() == 800);
  a.Exec("ATTACH '" + stranger.path() + "' AS other");
  CHECK(a.Text("SELECT s2v_embed('red fox blue sea old man', 'other.docs')") == of_b);
  CHECK(a.Text(kQueries[0]) == of_a);
  // The same name, the same inode, the same version of the schema: another file all the same.
  a.Exec("DETACH other");
  std::filesystem::copy_file(mine.path(), stranger.path(),
                             std::filesystem::copy_options::overwrite_existing);
  a.Exec("ATTACH '" + stranger.path() + "' AS other");
  CHECK(a.Text("SELECT s2v_embed('red fox blue sea old man', 'other.docs')") == of_a);
  a.Exec("DETACH other");
}

TEST_CASE("a file that takes another's place under its name gets no rows of it") {
  TempFile file, stranger;
  std::string hash;
  {
    Database db(file.path());
    TrainTexts(&db, 60);
    hash = db.Text("SELECT hash FROM s2v_model");
  }
  MakeForgery(stranger.path(), hash, "\"seed\":5");
  const std::string query = kQueries[0];
  const std::string of_stranger = Database(stranger.path()).Text(query);
  EmptyCache();
  Database before(file.path());
  const std::string of_file = before.Text(query);
  CHECK(of_file != of_stranger);
  EmptyCache();
  before.Exec(query);
  // While the first one stays open.
  std::filesystem::rename(stranger.path(), file.path());
  CHECK(Database(file.path()).Text(query) == of_stranger);
  CHECK(before.Text(query) == of_file);
  // Written into by sqlite3_backup, and given other contents by sqlite3_deserialize.
  Database target;
  target.Exec("ATTACH '" + file.path() + "' AS other");
  const auto copy_from = [&](Database* source) {
    sqlite3_backup* backup = sqlite3_backup_init(target.get(), "main", source->get(), "main");
    REQUIRE(backup != nullptr);
    CHECK(sqlite3_backup_step(backup, -1) == SQLITE_DONE);
    CHECK(sqlite3_backup_finish(backup) == SQLITE_OK);
  };
  copy_from(&before);
  CHECK(target.Text(query) == of_file);
  Database stranger_again(file.path());
  copy_from(&stranger_again);
  CHECK(target.Text(query) == of_stranger);
}

TEST_CASE("connections to one file share their rows") {
  TempFile file;
  Database first(file.path());
  TrainTexts(&first, 60);
  EmptyCache();
  first.Exec(kQueries[0]);
  for (const std::string& path : {file.path(), "file:" + file.path() + "?mode=ro"}) {
    Database second(path);
    const int64_t misses = second.Int("SELECT s2v_config('cache_misses')");
    second.Exec(kQueries[0]);
    CHECK(second.Int("SELECT s2v_config('cache_misses')") == misses);
  }
  first.Exec("UPDATE docs SET body = body");  // the file's change is not the model's
  const int64_t misses = first.Int("SELECT s2v_config('cache_misses')");
  first.Exec(kQueries[0]);
  CHECK(first.Int("SELECT s2v_config('cache_misses')") == misses);
}

TEST_CASE("a vector that is not finite is damage") {
  for (const char* table : {"s2v_word", "s2v_ngram"}) {
    CAPTURE(table);
    Database db = Database::FromBytes(LooseModel().bytes);
    db.Exec(std::string("UPDATE ") + table + " SET vector = substr(vector, 1, 28) || x'0000c07f'");
    Sign(db.get(), db.Text("SELECT hash FROM s2v_model"));
    CHECK(Malformed(&db, db.Run(kQueries[0])));
    if (std::string_view(table) == "s2v_word") {
      CHECK(Malformed(&db, db.Run("SELECT norm, vector FROM s2v_words")));
      CHECK(Malformed(&db, db.Run("SELECT norm FROM s2v_words WHERE word = 'red'")));
    }
  }
}

TEST_CASE("a directory block far larger than any model's is damage, not minutes of reading") {
  Database db = Database::FromBytes(LooseModel().bytes);
  db.Exec("UPDATE s2v_directory SET entries = zeroblob(40000000)");
  Sign(db.get(), db.Text("SELECT hash FROM s2v_model"));
  for (const char* query : {"SELECT s2v_embed('red fox')", "SELECT * FROM s2v_tokens('red fox')"}) {
    CHECK(Malformed(&db, db.Run(query)));
  }
}

TEST_CASE("bytes of the file that are changed at random") {
  const Healthy healthy(false);
  Random random(11);
  int errors = 0, same = 0;
  const int rounds = kSanitized ? 150 : 600;
  for (int round = 0; round < rounds; round++) {
    std::string bytes = healthy.bytes;
    const int changes = 1 + static_cast<int>(random.Below(3));
    for (int i = 0; i < changes; i++) {
      const size_t at = 100 + random.Below(static_cast<uint32_t>(bytes.size() - 100));
      bytes[at] = static_cast<char>(round % 2 == 0 ? bytes[at] ^ (1 << random.Below(8))
                                                   : random.Below(256));
    }
    Database db = Database::FromBytes(bytes);
    EmptyCache();
    for (size_t i = 0; i < 4; i++) {
      CAPTURE(round);
      if (db.Run(kQueries[i]) != SQLITE_OK) {
        errors++;
      } else {
        CHECK(db.rows().at(0) == healthy.answers[i]);
        same++;
      }
    }
    db.Run(kQueries[4]);
    db.Run("SELECT s2v_drop('docs')");
  }
  CHECK(errors > 0);
  CHECK(same > 0);
}

}  // namespace
}  // namespace s2v
