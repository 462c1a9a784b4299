// A stored model reads back as it was, to the bit; names, defaults, retraining, dropping.
#include "sql/model_store.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <set>

#include "core/error.h"
#include "core/model/element.h"
#include "sql/model_format.h"
#include "sql/model_reader.h"
#include "tests/sql/trained.h"

namespace s2v {
namespace {

using namespace testing;

// stored: as the element encodes it.
void CheckSameRow(const void* stored, const float* wanted, uint32_t dimension,
                  Element element = Element::kFloat32) {
  REQUIRE(stored != nullptr);
  std::vector<float> decoded(dimension);
  DecodeRow(element, stored, dimension, decoded.data());
  CHECK(std::memcmp(decoded.data(), wanted, dimension * sizeof(float)) == 0);
}

void CheckStoredAsTrained(const Config& config, int texts, int word_types) {
  Model model = TrainedModel(config, texts, word_types);
  Database db;
  EmptyCache();
  const ModelInfo saved = Save(&db, "m", model);
  RoundToElement(&model);
  if (config.element != "float32") model.target = Matrix();
  CHECK(ElementName(saved.element) == config.element);
  const auto dimension = static_cast<uint32_t>(config.dimension);
  CHECK(saved.words == model.vocabulary.size());
  CHECK(saved.ngrams == static_cast<int64_t>(model.ngram_buckets.size()));
  CHECK(saved.targets == static_cast<int64_t>(model.target.rows()));
  CHECK(saved.tokens == static_cast<int64_t>(model.vocabulary.token_count));
  CHECK(saved.parameters == ConfigJson(config));
  {
    ModelReader reader(db.get(), {"", "m"});
    CHECK(reader.info().hash == saved.hash);
    CHECK(reader.info().shape.dimension == dimension);
    reader.BeginBatch();
    for (int pass = 0; pass < 2; pass++) {  // from the tables, then from the cache
      for (uint32_t id = 0; id < model.vocabulary.size(); id++) {
        const std::string_view word = model.vocabulary.words[id];
        CheckSameRow(reader.Word(word, HashWord(word)).row, model.source[id], dimension,
                     reader.element());
      }
      for (int i = 0; i < 300; i++) {
        const std::string word = "unknown" + std::to_string(i);
        CHECK(reader.Word(word, HashWord(word)).row == nullptr);
      }
      // Each that has a row, its neighbours, and others all over.
      std::set<uint32_t> buckets = {0, kBucketCount - 1};
      for (const uint32_t bucket : model.ngram_buckets) {
        for (const uint32_t near : {bucket - 1, bucket, bucket + 1})
          buckets.insert(near % kBucketCount);
      }
      for (uint32_t bucket = 0; bucket < kBucketCount; bucket += 101) buckets.insert(bucket);
      size_t at = 0;
      for (const uint32_t bucket : buckets) {
        const bool known = at < model.ngram_buckets.size() && model.ngram_buckets[at] == bucket;
        const void* row = reader.Ngram(bucket).row;
        if (known) {
          CheckSameRow(row, model.source[model.vocabulary.size() + at++], dimension,
                       reader.element());
        } else {
          REQUIRE(row == nullptr);
        }
      }
      CHECK(at == model.ngram_buckets.size());
    }
  }
  Statement target(db.get(),
                   "SELECT key - (SELECT id << 32 FROM s2v_model), vector FROM s2v_target "
                   "ORDER BY key");
  for (uint64_t id = 0; id < model.target.rows(); id++) {
    REQUIRE(target.Step());
    CHECK(target.Int(0) == static_cast<int64_t>(id));
    REQUIRE(target.Blob(1).size() == dimension * sizeof(float));
    CheckSameRow(reinterpret_cast<const float*>(target.Blob(1).data()), model.target[id],
                 dimension);
  }
  CHECK(!target.Step());
}

TEST_CASE("a model can be stored in temp before there is anything in it") {
  Database db;
  FillTexts(&db, "docs", 20);
  db.Exec(
      "SELECT s2v_train('docs', 'body', '{\"model\":\"temp.x\",\"dimension\":4,\"epochs\":1,\"workers\":1}')");
  CHECK(db.Count("temp.s2v_model WHERE name = 'x'") == 1);
}

TEST_CASE("a stored model reads back to the bit: words alone") {
  CheckStoredAsTrained(TinyConfig(), 20, 10);
}

TEST_CASE("a stored model reads back to the bit: words and bigrams") {
  Config config = TinyConfig();
  config.ngram_order = 2;
  CheckStoredAsTrained(config, 60, 40);
}

TEST_CASE("a stored model reads back to the bit: many blocks of words and trigrams") {
  Config config = TinyConfig();
  config.ngram_order = 3;
  config.dimension = 3;
  config.min_target_count = 3;
  config.recipe.min_ngram_count = 2;
  CheckStoredAsTrained(config, 3000, 3000);
}

TEST_CASE("a stored model reads back as what its element holds, without targets") {
  Config config = TinyConfig();
  config.ngram_order = 2;
  config.element = "int8";
  CheckStoredAsTrained(config, 60, 40);
}

void ReadAll(sqlite3* db, const ModelInfo& info, FeatureScan::Kind kind) {
  FeatureScan scan(db, info, kind);
  for (StoredFeature feature; scan.Next(&feature);) {
  }
}

TEST_CASE("every row of a model is visited, decoded, in its order") {
  Config config = TinyConfig();
  config.ngram_order = 2;
  for (const char* element : {"float32", "int8"}) {
    config.element = element;
    Model model = TrainedModel(config, 60, 40);
    Database db;
    const ModelInfo info = Save(&db, "m", model);
    RoundToElement(&model);
    uint32_t id = 0;
    FeatureScan words(db.get(), info);
    for (StoredFeature word; words.Next(&word);) {
      CHECK(word.word == model.vocabulary.words[id]);
      CHECK(word.count == static_cast<int64_t>(model.vocabulary.counts[id]));
      CheckSameRow(word.vector, model.source[id++], 5);
    }
    CHECK(id == model.vocabulary.size());
    size_t ngram = 0;
    FeatureScan ngrams(db.get(), info, FeatureScan::kNgrams);
    for (StoredFeature stored; ngrams.Next(&stored);) {
      CHECK(stored.index == model.ngram_buckets[ngram]);
      CHECK(stored.count == model.ngram_counts[ngram]);
      CheckSameRow(stored.vector, model.source[id + ngram++], 5);
    }
    CHECK(ngram == model.ngram_buckets.size());
    db.Exec("DELETE FROM s2v_ngram WHERE key = (SELECT max(key) FROM s2v_ngram)");
    CHECK_THROWS_AS(ReadAll(db.get(), info, FeatureScan::kNgrams), FormatError);
    db.Exec("UPDATE s2v_ngram SET count = count + 1");
    CHECK_THROWS_AS(ReadAll(db.get(), info, FeatureScan::kNgrams), FormatError);
  }
}

// Of the checksums of the only model's rows.
uint64_t Seed(Database* db) {
  const std::string hash = db->Text("SELECT hash FROM s2v_model");
  uint64_t seed = 0;
  for (size_t i = 0; i < 8; i++) seed |= std::stoull(hash.substr(2 * i, 2), nullptr, 16) << (8 * i);
  return seed;
}

// Puts other bytes in the place of a word's vector, with the checksum that belongs to them.
void ForgeWord(Database* db, const std::string& vector) {
  Statement row(db->get(), "SELECT key, word, count, burst FROM s2v_word");
  REQUIRE(row.Step());
  Checksum checksum(Seed(db) ^ static_cast<uint32_t>(row.Int(0)));
  checksum.Add(vector);
  checksum.Add(static_cast<uint64_t>(row.Int(2)));
  checksum.Add(row.Text(1));
  const auto burst = static_cast<float>(row.Double(3));
  checksum.Add(&burst, sizeof(burst));
  Statement update(db->get(), "UPDATE s2v_word SET vector = ?1, checksum = ?2 WHERE key = ?3");
  update.BindBlob(1, vector.data(), vector.size());
  update.Bind(2, checksum.Value());
  update.Bind(3, row.Int(0));
  row.Reset();
  update.Run();
}

TEST_CASE("bytes that are no row of the element are damage, whatever their checksum says") {
  using namespace std::string_literals;
  const std::string one = "\0\0\x80\x3f"s;
  const struct {
    const char* element;
    std::string vector;
    bool right;
  } cases[] = {
      {"int8", one + "\1\2\3\4\5"s, true},
      {"int8", "\0\0\0\0"s + "\0\0\0\0\0"s, true},
      {"int8", one + "\1\2\x80\4\5"s, false},            // -128
      {"int8", "\0\0\xc0\x7f"s + "\1\2\3\4\5"s, false},  // NaN
      {"int8", "\0\0\x80\x7f"s + "\1\2\3\4\5"s, false},  // infinite
      {"int8", "\0\0\x80\xbf"s + "\1\2\3\4\5"s, false},  // -1
      {"int8", one + "\1\2\3\4"s, false},                // a number too few
      {"float32", std::string(16, 'a') + one, true},
      {"float32", std::string(16, 'a') + "\0\0\x80\x7f"s, false},  // infinite
      {"float32", std::string(16, 'a') + "\0\0\xc0\xff"s, false},  // NaN
      {"float32", std::string(9, 'a'), false},                     // an int8 row
  };
  for (const auto& c : cases) {
    CAPTURE(c.element);
    Config config = TinyConfig();
    config.element = c.element;
    Database db;
    const ModelInfo info = Save(&db, "m", TrainedModel(config, 20, 10));
    const std::string word = db.Text("SELECT word FROM s2v_word");
    ForgeWord(&db, c.vector);
    EmptyCache();
    if (c.right) {
      db.Exec("SELECT s2v_embed('" + word + "', 'm', 'raw')");
      CHECK_NOTHROW(ReadAll(db.get(), info, FeatureScan::kWords));
      continue;
    }
    CHECK(db.Run("SELECT s2v_embed('" + word + "')") == SQLITE_CORRUPT_VTAB);
    CHECK(Contains(db.message(), "table s2v_word, key 4294967296"));
    CHECK_THROWS_AS(ReadAll(db.get(), info, FeatureScan::kWords), FormatError);
  }
}

TEST_CASE("a directory block of more words than hashes put into one is damage") {
  Database db;
  Save(&db, "m", TrainedModel(TinyConfig(), 20, 10));
  const std::string entries(1200000, 'a');
  Checksum checksum(Seed(&db) ^ 0);
  checksum.Add(entries);
  Statement forge(db.get(), "UPDATE s2v_directory SET entries = ?1, checksum = ?2 WHERE key = ?3");
  forge.BindBlob(1, entries.data(), entries.size());
  forge.Bind(2, checksum.Value());
  forge.Bind(3, RowKey(1, 0));
  forge.Run();
  EmptyCache();
  CHECK((db.Run("SELECT * FROM s2v_tokens('some words')") & 0xff) == SQLITE_CORRUPT);
  CHECK(Contains(db.message(), "table s2v_directory, key 4294967296"));
}

TEST_CASE("words whose hashes were chosen to fill one directory block are not stored") {
  Model model = TrainedModel(TinyConfig(), 20, 10);
  model.vocabulary.words = WordTable();
  model.vocabulary.counts.assign(140000, 1);
  model.word_bursts.assign(140000, 1);
  for (uint32_t i = 0; i < 140000; i++) model.vocabulary.words.Insert(std::to_string(i), i);
  model.source = Matrix(140000, model.source.dimension());
  Database db;
  CHECK_THROWS_WITH_AS(Save(&db, "m", model),
                       "too many words of the texts have nearly the same hash", InvalidArgument);
}

TEST_CASE("a stored model embeds as the model in memory") {
  for (const char* element : {"float32", "int8"}) {
    CAPTURE(element);
    Config config = TinyConfig();
    config.element = element;
    config.ngram_order = 3;
    Model model = TrainedModel(config, 50, 30);
    Database db;
    Save(&db, "m", model);
    RoundToElement(&model);
    ModelReader reader(db.get(), {});
    ModelFeatures features(model);
    // Of int8 the scale goes into the weight and not into each number: other roundings, of at most
    // a few units in the last place of the largest number for each of up to 15 features.
    float largest = 0;
    for (uint64_t row = 0; row < model.source.rows(); row++) {
      for (int i = 0; i < 5; i++) largest = std::max(largest, std::fabs(model.source[row][i]));
    }
    const float tolerance = reader.element() == Element::kInt8 ? 16 * largest * 0x1p-24f : 0;
    Embedder stored(reader.info().shape, &reader);
    Embedder trained(ShapeOf(model), &features);
    for (const char* text :
         {"", "w1", "w1 w2 w3", "w0 nothing w0 w0 w1 w2", "none", "w5 w4 w3 w2 w1 w0"}) {
      float a[5], b[5];
      CHECK(stored.Embed(text, a) == trained.Embed(text, b));
      for (int i = 0; i < 5; i++) CHECK(std::fabs(a[i] - b[i]) <= tolerance);
      if (tolerance == 0) CHECK(std::memcmp(a, b, sizeof(a)) == 0);
    }
  }
}

TEST_CASE("retraining deletes the rows of the former model and takes a new id") {
  Config config = TinyConfig();
  config.ngram_order = 2;
  const Model first = TrainedModel(config, 30, 20);
  config.seed = 2;
  const Model second = TrainedModel(config, 30, 20);
  Database db;
  const ModelInfo a = Save(&db, "m", first);
  const char kCounts[] =
      "SELECT (SELECT count(*) FROM s2v_model) || ' ' || (SELECT count(*) FROM s2v_word) "
      "|| ' ' || (SELECT count(*) FROM s2v_ngram) || ' ' || (SELECT count(*) FROM "
      "s2v_target) || ' ' || (SELECT count(*) FROM s2v_directory)";
  const std::string counts = db.Text(kCounts);
  const ModelInfo b = Save(&db, "m", second);
  CHECK(b.id == a.id + 1);
  CHECK(b.hash != a.hash);
  CHECK(b.is_default);
  CHECK(db.Text(kCounts) == counts);
  CHECK(db.Count("s2v_word WHERE key >> 32 <> (SELECT id FROM s2v_model)") == 0);
  const ModelInfo c = Save(&db, "m", second);
  CHECK(c.hash == b.hash);  // equal models have equal hashes
  DropModel(db.get(), {"", "m"});
  CHECK(db.Text(kCounts) == "0 0 0 0 0");
}

TEST_CASE("one seed gives one model, another seed another") {
  Config config = TinyConfig();
  Database db;
  const std::string hash = Save(&db, "a", TrainedModel(config, 30, 20)).hash;
  CHECK(Save(&db, "b", TrainedModel(config, 30, 20)).hash == hash);
  config.seed = 3;
  CHECK(Save(&db, "c", TrainedModel(config, 30, 20)).hash != hash);
}

TEST_CASE("the first model is the default until another is made so") {
  const Model model = TrainedModel(TinyConfig(), 20, 10);
  Database db;
  CHECK(Save(&db, "a", model).is_default);
  CHECK(!Save(&db, "b", model).is_default);
  CHECK(ModelReader(db.get(), {}).info().name == "a");
  CHECK(Save(&db, "b", model, true).is_default);
  CHECK(ModelReader(db.get(), {}).info().name == "b");
  CHECK(Save(&db, "b", model).is_default);  // keeps it
  CHECK(db.Int("SELECT sum(is_default) FROM s2v_model") == 1);
  DropModel(db.get(), {"main", "b"});
  CHECK(ModelReader(db.get(), {}).info().name == "a");  // the one that is left
  Save(&db, "c", model);
  Save(&db, "d", model);
  DropModel(db.get(), {"", "a"});
  CHECK_THROWS_WITH_AS(ModelReader(db.get(), {}),
                       "no default model: train one with \"default\": true, or name one of c, d",
                       InvalidArgument);
  CHECK_THROWS_WITH_AS(ModelReader(db.get(), {"", "x"}), "no model 'x': name one of c, d",
                       InvalidArgument);
  CHECK_THROWS_WITH_AS(DropModel(db.get(), {"main", "x"}), "no model 'main.x': name one of c, d",
                       InvalidArgument);
}

TEST_CASE("names of models are checked") {
  CHECK(ParseModelName("a").name == "a");
  CHECK(ParseModelName("aux.a b").schema == "aux");
  CHECK(ParseModelName("aux.a b").name == "a b");
  using namespace std::string_view_literals;
  for (const std::string_view bad : {""sv, "."sv, "a."sv, ".a"sv, "a.b.c"sv, "a\0b"sv}) {
    CHECK_THROWS_AS(ParseModelName(bad), InvalidArgument);
  }
  CHECK(ParseModelName(std::string(255, 'x')).name.size() == 255);
  CHECK_THROWS_AS(ParseModelName(std::string(256, 'x')), InvalidArgument);
}

TEST_CASE("a model that is not finite is not stored") {
  Model model = TrainedModel(TinyConfig(), 20, 10);
  Database db;
  model.source[1][2] = std::numeric_limits<float>::quiet_NaN();
  CHECK_THROWS_AS(Save(&db, "m", model), InvalidArgument);
  CHECK(db.Count("sqlite_schema") == 0);
}

TEST_CASE("rows whose model is lost do not stand in the way of a new one") {
  const Model model = TrainedModel(TinyConfig(), 20, 10);
  Database db;
  Save(&db, "m", model);
  db.Exec("DELETE FROM s2v_model");
  CHECK(Save(&db, "m", model).id == 1);
  db.Exec("UPDATE s2v_model SET id = 9223372036854775807");
  CHECK_THROWS_AS(ModelReader(db.get(), {"", "m"}), FormatError);
  DropModel(db.get(), {"", "m"});
  CHECK(Save(&db, "m", model).id == 1);
  CHECK(ModelReader(db.get(), {"", "m"}).info().words == 10);
}

TEST_CASE("words of any bytes read back to the bit, whatever the database's encoding") {
  Config config = TinyConfig();
  config.tokenizer = "whitespace";
  // Of several bytes, invalid UTF-8, and code points that SQLite changes on the way to UTF-16.
  const std::string text =
      "h\xc3\xa4 \xe6\xbc\xa2\xe5\xad\x97 \xf0\x9f\xa6\x8a plain "
      "a\xff z \xef\xbf\xbe \xed\xa0\x80 \xc0\x80 \xef\xbb\xbf";
  const Model model = test::TrainOn(config, std::vector<std::string>(4, text));
  REQUIRE(model.vocabulary.size() == 10);
  for (const char* encoding : {"UTF-8", "UTF-16", "UTF-16le", "UTF-16be"}) {
    Database db;
    db.Exec(std::string("PRAGMA encoding = '") + encoding + "'");
    EmptyCache();
    Save(&db, "m", model);
    ModelReader reader(db.get(), {});
    reader.BeginBatch();
    for (uint32_t id = 0; id < model.vocabulary.size(); id++) {
      const std::string_view word = model.vocabulary.words[id];
      CAPTURE(encoding);
      CAPTURE(id);
      CheckSameRow(reader.Word(word, HashWord(word)).row, model.source[id], 5);
    }
  }
}

}  // namespace
}  // namespace s2v
