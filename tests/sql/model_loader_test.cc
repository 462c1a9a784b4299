// A stored model comes back whole, to the bit, or is refused.
#include "sql/model_loader.h"

#include <cstring>

#include "core/error.h"
#include "sql/model_format.h"
#include "sql/model_store.h"
#include "tests/sql/trained.h"
#include "tests/support/error_of.h"
#include "tests/support/failing_memory.h"

namespace s2v {
namespace {

using namespace testing;

void CheckSame(const Matrix& a, const Matrix& b) {
  REQUIRE(a.rows() == b.rows());
  REQUIRE(a.dimension() == b.dimension());
  for (uint64_t row = 0; row < a.rows(); row++) {
    REQUIRE(std::memcmp(a[row], b[row], a.stride() * sizeof(float)) == 0);
  }
}

void CheckSame(const Model& a, const Model& b) {
  CHECK(ConfigJson(a.config) == ConfigJson(b.config));
  REQUIRE(a.vocabulary.size() == b.vocabulary.size());
  for (uint32_t id = 0; id < a.vocabulary.size(); id++) {
    REQUIRE(a.vocabulary.words[id] == b.vocabulary.words[id]);
    REQUIRE(a.vocabulary.words.hash(id) == b.vocabulary.words.hash(id));
  }
  CHECK(a.vocabulary.counts == b.vocabulary.counts);
  CHECK(a.vocabulary.token_count == b.vocabulary.token_count);
  CHECK(a.ngram_buckets == b.ngram_buckets);
  CHECK(a.ngram_counts == b.ngram_counts);
  CHECK(a.favours_opening == b.favours_opening);
  CHECK(a.word_bursts == b.word_bursts);
  CHECK(a.text_count == b.text_count);
  CHECK(a.sentence_count == b.sentence_count);
  REQUIRE(a.epoch_losses.size() == b.epoch_losses.size());
  for (size_t i = 0; i < a.epoch_losses.size(); i++) {
    CHECK(a.epoch_losses[i] == doctest::Approx(b.epoch_losses[i]).epsilon(1e-5));
  }
  CheckSame(a.source, b.source);
  CheckSame(a.target, b.target);
}

Config BigramConfig() {
  Config config = TinyConfig();
  config.ngram_order = 2;
  config.min_target_count = 3;
  config.epochs = 2;
  return config;
}

TEST_CASE("a model is loaded as it was stored") {
  Config config = BigramConfig();
  // Digits that SQL's own text of a number would lose; a true, a name.
  config.smoothing = 0.0010000000000000002;
  config.learning_rate = 0.1 + 0.2;
  for (config.ngram_order = 1; config.ngram_order <= 2; config.ngram_order++) {
    const Model model = TrainedModel(config, 60, 40);
    REQUIRE(model.target.rows() < model.vocabulary.size());
    Database db;
    Save(&db, "other", TrainedModel(TinyConfig(), 20, 10));
    const ModelInfo info = Save(&db, "m", model);
    CheckSame(LoadModel(db.get(), {"", "m"}), model);
    // What is loaded is what can be stored again.
    CHECK(Save(&db, "copy", LoadModel(db.get(), {"main", "m"})).hash == info.hash);
  }
}

TEST_CASE(
    "a model of a version whose embeddings favour no opening, or count no bursts, stays one") {
  const Model newest = TrainedModel(TinyConfig(), 60, 40);
  CHECK(newest.favours_opening);
  CHECK(newest.word_bursts.size() == newest.vocabulary.size());
  Model model = TrainedModel(TinyConfig(), 60, 40);
  model.word_bursts.clear();
  Model former = TrainedModel(TinyConfig(), 60, 40);
  former.word_bursts.clear();
  former.favours_opening = false;
  Database db;
  const std::string hash = Save(&db, "former", former).hash,
                    of_newest = Save(&db, "newest", newest).hash;
  CHECK(Save(&db, "m", model).hash != hash);
  CHECK(of_newest != hash);
  CHECK(of_newest != db.Text("SELECT hash FROM s2v_models WHERE name = 'm'"));
  CHECK(db.Text("SELECT group_concat(version || ' ' || compatible_version) FROM s2v_model") ==
        "2 2,6 6,5 5");
  CheckSame(LoadModel(db.get(), {"", "former"}), former);
  CheckSame(LoadModel(db.get(), {"", "m"}), model);
  CheckSame(LoadModel(db.get(), {"", "newest"}), newest);
  CHECK(db.Text("SELECT s2v_embed('w1 w2 w3', 'newest')") !=
        db.Text("SELECT s2v_embed('w1 w2 w3', 'm')"));
  CHECK(db.Text("SELECT s2v_embed('w1 w2', 'former')") ==
        db.Text("SELECT s2v_embed('w1 w2', 'm')"));
  std::string text;
  for (int i = 0; i < 60; i++) text += " w" + std::to_string(i / 10);
  CHECK(db.Text("SELECT s2v_embed('" + text + "', 'former')") !=
        db.Text("SELECT s2v_embed('" + text + "', 'm')"));
  CHECK(db.Text("SELECT s2v_embed('" + text + "', 'former', 'raw')") ==
        db.Text("SELECT s2v_embed('" + text + "', 'm', 'raw')"));
}

TEST_CASE("a model of int8 rows is loaded as what they hold, without targets") {
  Config config = BigramConfig();
  config.element = "int8";
  Model model = TrainedModel(config, 60, 40);
  Database db;
  Save(&db, "m", model);
  RoundToElement(&model);
  model.target = Matrix(0, 5);
  CheckSame(LoadModel(db.get(), {"", "m"}), model);
}

TEST_CASE("words of any bytes are loaded from a database in UTF-16") {
  Config config = TinyConfig();
  config.tokenizer = "whitespace";
  const std::string text = "a\xff\xfe b\xf0\x9f\xa6\x8a \xed\xa0\x80 plain";
  const Model model = test::TrainOn(config, std::vector<std::string>(5, text));
  Database db;
  db.Exec("PRAGMA encoding = 'UTF-16'");
  Save(&db, "m", model);
  CheckSame(LoadModel(db.get(), {}), model);
}

TEST_CASE("loading no model says which there are") {
  Database db;
  CHECK_THROWS_AS(LoadModel(db.get(), {}), InvalidArgument);
  Save(&db, "m", TrainedModel(TinyConfig(), 20, 10));
  CHECK_THROWS_WITH_AS(LoadModel(db.get(), {"", "x"}), "no model 'x': name one of m",
                       InvalidArgument);
}

TEST_CASE("a damaged row of any kind is not loaded") {
  Database healthy;
  Save(&healthy, "m", TrainedModel(BigramConfig(), 60, 40));
  const std::string bytes = healthy.Bytes();
  for (const std::string table : {"word", "ngram", "target"}) {
    const std::string name = "s2v_" + table;
    const std::string first = " WHERE key = (SELECT min(key) FROM " + name + ")";
    const std::string last = " WHERE key = (SELECT max(key) FROM " + name + ")";
    std::vector<std::string> damages = {
        "DELETE FROM " + name + first,
        "DELETE FROM " + name + last,
        "UPDATE " + name + " SET key = key + 1000" + last,
        "UPDATE " + name + " SET key = key + (1 << 32)" + last,
        "UPDATE " + name + " SET checksum = checksum + 1" + first,
        "UPDATE " + name + " SET vector = zeroblob(20)" + first,
        "UPDATE " + name + " SET vector = x''" + last,
        "UPDATE " + name + " SET vector = 'text'" + last,
        "UPDATE " + name + " SET vector = zeroblob(1000000)" + last,
    };
    if (table == "word" || table == "ngram") {
      damages.push_back("UPDATE " + name + " SET count = count + 1" + last);
      damages.push_back("UPDATE " + name + " SET count = -1" + last);
    }
    const std::string columns = table == "word"    ? ", word, count, vector"
                                : table == "ngram" ? ", count, vector"
                                                   : ", vector";
    damages.push_back("INSERT INTO " + name + "(key" + columns + ", checksum) SELECT key + 1000" +
                      columns + ", checksum FROM " + name + last);
    for (const std::string& damage : damages) {
      CAPTURE(damage);
      Database db = Database::FromBytes(bytes);
      db.Exec(damage);
      REQUIRE(db.Int("SELECT total_changes()") > 0);
      const std::string message = test::ErrorOf<FormatError>([&] { LoadModel(db.get(), {}); });
      CHECK(Contains(message, "database disk image is malformed: table " + name + ", key "));
    }
  }
}

TEST_CASE("a forged description of a model is not believed") {
  Database healthy;
  Save(&healthy, "m", TrainedModel(BigramConfig(), 60, 40));
  const std::string bytes = healthy.Bytes();
  for (const char* change :
       {"words = words + 1", "words = words - 1", "ngrams = ngrams + 1", "ngrams = ngrams - 1",
        "targets = targets + 1", "targets = targets - 1", "dimension = 4", "ngram_order = 3",
        "tokenizer = 'whitespace'", "parameters = json_set(parameters, '$.dimension', 6)",
        "parameters = json_set(parameters, '$.dimension', -1)",
        "parameters = json_set(parameters, '$.from_the_future', 1)", "parameters = '[1]'"}) {
    CAPTURE(change);
    Database db = Database::FromBytes(bytes);
    Forge(&db, "s2v_model", change);
    CHECK_THROWS_AS(LoadModel(db.get(), {}), FormatError);
  }
  for (const char* change : {"parameters = 'no JSON'", "losses = 'no JSON'"}) {
    CAPTURE(change);
    Database db = Database::FromBytes(bytes);
    Forge(&db, "s2v_model", change);
    CHECK_THROWS_WITH_AS(
        LoadModel(db.get(), {}),
        "database disk image is malformed: table s2v_model, key 1; train the model again, or s2v_drop takes it away",
        FormatError);
  }
}

TEST_CASE("target rows that a model of int8 rows claims are read as such, or are damage") {
  Config config = BigramConfig();
  config.element = "int8";
  Database healthy;
  const ModelInfo info = Save(&healthy, "m", TrainedModel(config, 60, 40));
  for (const size_t size : {9, 20}) {  // of int8, of float32
    CAPTURE(size);
    Database db = Database::FromBytes(healthy.Bytes());
    const std::string vector(size, '\0');
    Checksum checksum(ChecksumSeed(info.hash, info.id));
    checksum.Add(vector);
    Execute(db.get(), "INSERT INTO s2v_target(key, vector, checksum) VALUES(?1, ?2, ?3)",
            RowKey(info.id, 0), Blob{vector}, checksum.Value());
    Forge(&db, "s2v_model", "targets = 1");
    if (size == 9) {
      CHECK(LoadModel(db.get(), {}).target.rows() == 1);
    } else {
      CHECK_THROWS_AS(LoadModel(db.get(), {}), FormatError);
    }
  }
}

TEST_CASE("loading without memory, and an interrupted one, leave nothing behind") {
  Database db;
  const Model model = TrainedModel(BigramConfig(), 60, 40);
  Save(&db, "m", model);
  for (int64_t n = 1;; n++) {
    EmptyCache();
    MemoryFault fault(n, true);
    bool failed = false;
    try {
      LoadModel(db.get(), {});
    } catch (const std::bad_alloc&) {
      failed = true;
    }
    fault.Stop();
    CAPTURE(n);
    REQUIRE((failed || !fault.Fired()));
    REQUIRE(sqlite3_get_autocommit(db.get()) == 1);
    if (!fault.Fired()) break;
  }
  sqlite3_progress_handler(
      db.get(), 100, [](void*) { return 1; }, nullptr);
  CHECK_THROWS_AS(LoadModel(db.get(), {}), Interrupted);
  sqlite3_progress_handler(db.get(), 0, nullptr, nullptr);
  CheckSame(LoadModel(db.get(), {}), model);
}

}  // namespace
}  // namespace s2v
