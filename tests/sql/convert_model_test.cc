// Smaller copies of stored models.
#include "sql/convert_model.h"

#include "core/error.h"
#include "sql/model_writer.h"
#include "tests/sql/trained.h"

namespace s2v {
namespace {

using namespace testing;

ConvertRequest Request(const std::string& name, Element element) {
  ConvertRequest request;
  request.model = "docs";
  request.name = name;
  request.element = element;
  return request;
}

struct Converted {
  Database db;
  Converted() {
    TrainTexts(&db, 60);
    EmptyCache();
  }
  double Cosine(const std::string& text, const std::string& a, const std::string& b) {
    return std::stod(db.Text("SELECT s2v_cosine(s2v_embed('" + text + "', '" + a +
                             "'), s2v_embed('" + text + "', '" + b + "'))"));
  }
};

TEST_CASE("a copy is the model that training with the element stores") {
  Converted s;
  const ConvertResult result = ConvertModel(s.db.get(), Request("copy", Element::kInt8), GoOn);
  CHECK(result.model.element == Element::kInt8);
  CHECK(result.model.targets == 0);
  Train(&s.db, "docs", "\"model\":\"trained\",\"element\":\"int8\"");
  CHECK(s.db.Text("SELECT hash FROM s2v_models WHERE name = 'trained'") == result.model.hash);
  CHECK(s.db.Text("SELECT parameters ->> 'element' FROM s2v_models WHERE name = 'copy'") == "int8");
  CHECK(s.db.Text("SELECT s2v_embed('red fox', 'copy')") ==
        s.db.Text("SELECT s2v_embed('red fox', 'trained')"));
}

TEST_CASE("a copy tells where it comes from and what it costs") {
  Converted s;
  const ConvertResult result = ConvertModel(s.db.get(), Request("copy", Element::kInt8), GoOn);
  CHECK(result.drift.texts == 60);
  CHECK(result.drift.cosine > 0.999);
  CHECK(result.drift.cosine < 1);
  CHECK(VectorBytes(result.model) < VectorBytes(result.former) / 2);
  CHECK(s.Cosine("red fox blue sea", "docs", "copy") > 0.999);
  const std::string origin =
      s.db.Text("SELECT corpus ->> 'converted' ->> 'hash' FROM s2v_models WHERE name = 'copy'");
  CHECK(origin == result.former.hash);
  CHECK(s.db.Text("SELECT corpus ->> 'table' FROM s2v_models WHERE name = 'copy'") == "docs");
  for (const char* column : {"losses", "tokens", "words", "ngrams"}) {
    CHECK(s.db.Int(std::string("SELECT count(DISTINCT ") + column + ") FROM s2v_models") == 1);
  }
  CHECK(s.db.Int("SELECT count(DISTINCT texts || ' ' || sentences || ' ' || smoothing) FROM "
                 "s2v_model") == 1);
}

TEST_CASE("what a copy costs is unknown where its table is gone") {
  for (const char* change :
       {"DROP TABLE docs", "ALTER TABLE docs RENAME COLUMN body TO text",
        "DROP TABLE docs; CREATE VIEW docs AS SELECT body FROM nowhere", "DELETE FROM docs"}) {
    CAPTURE(change);
    Converted s;
    s.db.Exec(change);
    const ConvertResult result = ConvertModel(s.db.get(), Request("copy", Element::kInt8), GoOn);
    CHECK(result.drift.texts == 0);
    CHECK(Contains(result.Json(), "\"sampled\":0,\"mean_cosine\":null,"));
  }
}

TEST_CASE("the expression that chose the rows of the training is not run") {
  Database db;
  TrainTexts(&db, 60, "\"where\":\"id <= 30\"");
  CHECK(ConvertModel(db.get(), Request("copy", Element::kInt8), GoOn).drift.texts == 60);
}

TEST_CASE("a copy in the place of its model keeps name and default") {
  Converted s;
  Train(&s.db, "docs", "\"model\":\"other\",\"seed\":3");
  const ConvertResult result = ConvertModel(s.db.get(), Request("docs", Element::kInt8), GoOn);
  CHECK(result.model.is_default);
  CHECK(result.former.hash != result.model.hash);
  CHECK(result.drift.cosine > 0.999);
  CHECK(s.db.Text("SELECT group_concat(name || ' ' || element) FROM s2v_models") ==
        "docs int8,other float32");
  CHECK(s.db.Count("s2v_word WHERE key >> 32 NOT IN (SELECT id FROM s2v_model)") == 0);
  // Once more: what is int8 stays as it is, but for the last digit of a scale.
  const ConvertResult again = ConvertModel(s.db.get(), Request("docs", Element::kInt8), GoOn);
  CHECK(again.drift.cosine > 0.999999);
}

TEST_CASE("the most useful features are kept") {
  Converted s;
  ConvertRequest request = Request("copy", Element::kFloat32);
  request.max_features = 30;
  const ConvertResult result = ConvertModel(s.db.get(), request, GoOn);
  CHECK(result.model.words + result.model.ngrams == 30);
  CHECK(result.former.words + result.former.ngrams > 30);
  CHECK(result.drift.cosine < 0.99999);
  CHECK(result.drift.cosine > 0.8);
  // What is kept is what it was, and what is not kept is unknown.
  const std::string same =
      "SELECT count(*) FROM s2v_word a JOIN s2v_word b ON a.word = b.word AND a.vector = b.vector "
      "AND a.count = b.count WHERE a.key >> 32 = 1 AND b.key >> 32 = 2";
  CHECK(s.db.Int(same) == result.model.words);
  s.db.Exec(
      "SELECT word FROM s2v_word WHERE key >> 32 = 1 AND word NOT IN (SELECT word FROM s2v_word "
      "WHERE key >> 32 = 2)");
  for (const std::string& word : std::vector<std::string>(s.db.rows())) {
    CHECK(s.db.Text("SELECT s2v_embed('" + word + "', 'copy')") == "NULL");
    CHECK(s.db.Text("SELECT s2v_embed('" + word + "', 'docs')") != "NULL");
  }
  // Ids still go by falling count.
  CHECK(s.db.Count("s2v_word a JOIN s2v_word b ON b.key = a.key + 1 WHERE "
                   "b.count > a.count AND a.key >> 32 = 2") == 0);
  request.max_features = 1;
  CHECK(ConvertModel(s.db.get(), request, GoOn).model.words == 1);
  request.max_features = UINT64_MAX;
  CHECK(ConvertModel(s.db.get(), request, GoOn).model.words == result.former.words);
  request.max_features = 0;
  CHECK_THROWS_WITH_AS(ConvertModel(s.db.get(), request, GoOn),
                       "max_features: at least 1 feature must be kept", InvalidArgument);
}

TEST_CASE("an observer stops a conversion in any phase, and nothing has changed") {
  for (const auto phase : {TrainProgress::kReading, TrainProgress::kStoring}) {
    Database db;
    FillTexts(&db, "docs", 60);
    Config config = TinyConfig();
    // Enough rows to be told of.
    SaveModel(db.get(), {{"main", "docs"}, "{\"table\":\"docs\",\"column\":\"body\"}"},
              TrainedModel(config, 3000, 3000), NeverWait);
    const std::string before = db.Text("SELECT count(*) || hash FROM s2v_model");
    int calls = 0;
    const auto stop = [&](const TrainProgress& progress) {
      CHECK(progress.fraction >= 0);
      CHECK(progress.fraction <= 1);
      calls += progress.phase == phase;
      return progress.phase != phase;
    };
    CHECK_THROWS_AS(ConvertModel(db.get(), Request("copy", Element::kInt8), stop), Interrupted);
    CHECK(calls == 1);
    CHECK(db.Text("SELECT count(*) || hash FROM s2v_model") == before);
    CHECK(sqlite3_get_autocommit(db.get()) != 0);
    CHECK(db.Count("s2v_word WHERE key >> 32 <> (SELECT id FROM s2v_model)") == 0);
  }
}

TEST_CASE("a damaged model is not converted") {
  for (const char* damage :
       {"UPDATE s2v_word SET count = count + 1", "DELETE FROM s2v_word WHERE key % 5 = 3",
        "UPDATE s2v_ngram SET vector = zeroblob(32)", "DELETE FROM s2v_ngram",
        "UPDATE s2v_model SET element = 'int8'", "UPDATE s2v_model SET parameters = '{}'"}) {
    CAPTURE(damage);
    Converted s;
    s.db.Exec(damage);
    CHECK_THROWS_AS(ConvertModel(s.db.get(), Request("copy", Element::kInt8), GoOn), FormatError);
    CHECK(s.db.Count("s2v_model") == 1);
  }
}

TEST_CASE("a conversion inside a transaction is part of it") {
  Converted s;
  s.db.Exec("BEGIN; INSERT INTO docs VALUES(1000, 'mine')");
  ConvertModel(s.db.get(), Request("copy", Element::kInt8), GoOn);
  CHECK_THROWS_AS(ConvertModel(s.db.get(), Request("a.b.c", Element::kInt8), GoOn),
                  InvalidArgument);
  CHECK(s.db.Count("s2v_models") == 2);
  s.db.Exec("ROLLBACK");
  CHECK(s.db.Count("s2v_models") == 1);
  CHECK(s.db.Count("docs") == 60);
}

TEST_CASE("another connection that reads or writes is named, and nothing has changed") {
  const TempFile file;
  Database db(file.path()), other(file.path());
  TrainTexts(&db, 60);
  other.Exec("BEGIN IMMEDIATE");
  CHECK_THROWS_WITH_AS(ConvertModel(db.get(), Request("copy", Element::kInt8), GoOn),
                       "database 'main' is locked: another connection is writing to it; nothing "
                       "was changed, try again when that has ended",
                       SqlError);
  other.Exec("COMMIT; BEGIN; SELECT count(*) FROM docs");
  CHECK_THROWS_WITH_AS(ConvertModel(db.get(), Request("copy", Element::kInt8), GoOn),
                       "database 'main' is locked: another connection is reading it; nothing was "
                       "changed, try again when that has ended",
                       SqlError);
  CHECK(db.Count("s2v_models") == 1);
  other.Exec("COMMIT");
  CHECK_NOTHROW(ConvertModel(db.get(), Request("copy", Element::kInt8), GoOn));
}

}  // namespace
}  // namespace s2v
