// s2v convert: what it prints, what it refuses, and its end at Ctrl-C.
#include "tests/support/process.h"

namespace s2v::testing {
namespace {

TEST_CASE("s2v convert stores a copy and says in plain words what it costs") {
  const TestFile file;
  file.Trained({"--ngram-order", "2"});
  const Outcome outcome = Run({"convert", file.path(), "docs", "small"}).Done();
  CHECK(outcome.code == 0);
  CHECK(outcome.error.empty());  // no terminal, no progress
  CHECK(Contains(outcome.out, "model 'small': int8, 60 words, "));
  CHECK(Contains(outcome.out, ", dimension 12\nvectors: "));
  const std::string cosine = "mean cosine with the embeddings before: ";
  REQUIRE(Contains(outcome.out, cosine));
  CHECK(std::stod(outcome.out.substr(outcome.out.find(cosine) + cosine.size())) > 0.99);
  CHECK(Contains(outcome.out, ", of 300 rows of its table\n"));
  const Outcome few =
      Run({"convert", file.path(), "docs", "docs", "--element=float32", "--max-features", "20"})
          .Done();
  CHECK(few.code == 0);
  CHECK(Contains(few.out, "model 'docs', the default: float32, "));
  CHECK(Contains(few.out, " of 60 words, "));
  Database db(file.path());
  CHECK(db.Text("SELECT group_concat(name || ' ' || element || ' ' || is_default) FROM "
                "s2v_models") == "docs float32 1,small int8 0");
  CHECK(db.Int("SELECT words + ngrams FROM s2v_models WHERE name = 'docs'") == 20);
  db.Exec("DROP TABLE docs");
  const Outcome unknown = Run({"convert", file.path(), "small", "smaller"}).Done();
  CHECK(unknown.code == 0);
  CHECK(Contains(unknown.out,
                 "what it costs is not known: the table it was trained on is not here\n"));
  CHECK(Contains(Run({"models", file.path()}).Done().out, "  float32  "));
}

TEST_CASE("s2v convert --json prints what s2v_convert returns") {
  const TestFile file;
  file.Trained();
  const Outcome outcome = Run({"convert", file.path(), "docs", "small", "--json"}).Done();
  CHECK(outcome.code == 0);
  CHECK(Lines(outcome.out).size() == 1);
  Database db(file.path());
  const std::string answer = db.Text("SELECT s2v_convert('docs', 'small', 'int8')");
  const char kWithoutTime[] = "json_remove(?1, '$.seconds')";
  CHECK(FromSql(db, kWithoutTime, answer) == FromSql(db, kWithoutTime, outcome.out));
}

TEST_CASE("s2v convert refuses what cannot be") {
  const TestFile file;
  file.Trained();
  const std::string hash = file.Hash(), db = file.path();
  CheckRefusals({
      {{"convert", db}, 2, "MODEL is required; see s2v convert --help"},
      {{"convert", db, "docs"}, 2, "NAME is required"},
      {{"convert", db, "docs", "a.b.c"}, 2, "a model's name"},
      {{"convert", db, "docs", ""}, 2, "a model's name is empty"},
      {{"convert", db, "temp.docs", "a"}, 2, "this program opens one database"},
      {{"convert", db, "docs", "a", "--element", "int4"}, 2, "no element 'int4'; there are "},
      {{"convert", db, "docs", "a", "--element", ""}, 2, "--element is empty"},
      {{"convert", db, "docs", "a", "--max-features", "0"}, 2, "max-features: at least 1"},
      {{"convert", db, "docs", "a", "--max-features", "-1"}, 2, "max-features: at least 1"},
      {{"convert", db, "docs", "a", "--max-features", "x"}, 2, "--max-features"},
      {{"convert", db, "docs", "a", "--max_features", "3"}, 2, "but --max-features"},
      {{"convert", db, "nope", "a"}, 1, "no model 'nope': name one of docs"},
      {{"convert", file.folder() + "/nope", "docs", "a"}, 1, "a database is never created"},
  });
  file.CheckWhole(hash);
}

TEST_CASE("a conversion that takes long says what it does, and Ctrl-C ends it") {
  const TestFile file;
  file.Trained();
  const std::string hash = file.Hash();
  SUBCASE("while the table is sampled") {
    Database db(file.path());
    db.Exec(
        "DROP TABLE docs; CREATE VIEW docs AS WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x "
        "+ 1 FROM c) SELECT 'w1' AS body FROM c WHERE x % 100 = 0");
    Terminal terminal({"convert", file.path(), "docs", "small"});
    terminal.WaitForText("\rsampling: ");
    const auto start = Clock::now();
    terminal.Type("\x03");
    CHECK(terminal.End() == kInterrupted);
    CHECK(SecondsSince(start) < kSoon);
  }
  SUBCASE("while another connection writes") {
    Database writer(file.path());
    writer.Exec("BEGIN IMMEDIATE");
    Terminal terminal({"convert", file.path(), "docs", "small"});
    Sleep(300);
    terminal.Type("\x03");
    CHECK(terminal.End() == kInterrupted);
    writer.Exec("COMMIT");
  }
  file.CheckWhole(hash);
}

}  // namespace
}  // namespace s2v::testing
