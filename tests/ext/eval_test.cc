// `s2v eval` as its users meet it. Figures are compared with SQL and with core on the same files.
#include <doctest/doctest.h>

#include "core/eval/encoder.h"
#include "ext/correlation.h"
#include "tests/support/process.h"

using namespace s2v::testing;

namespace {

// The parameters of TinyOptions as flags of rivals whose name says n-gram order and weighting.
const Arguments kTiny = Words(
    "--dimension 8 --epochs 2 --learning-rate 0.2 --subsampling-threshold 0.01 --min-count 1 "
    "--min-target-count 1 --recipe paper --ngram-dropout 1 --negatives 3 --workers 1");

struct Pair {
  double score;
  std::string a, b;
};
const std::vector<Pair> kFirst = {{5, "red fox", "red fox"},
                                  {4, "old man", "old man barks"},
                                  {1.5, "big sky", "bank rate"},
                                  {0, "rain falls", "cat sleeps"},
                                  {2, "new car hits tree", "blue sea"},
                                  {3, "unheard", "red fox"}};
const std::vector<Pair> kSecond = {
    {1, "dog barks", "tree grows"}, {2, "sun rises", "big sky"}, {3.25, "rate cut", "bank rate"}};

// A database with table docs, a model of it, and files beside it.
class EvalFixture {
 public:
  explicit EvalFixture(const std::string& more = "", int rows = 120) {
    Database db(path());
    TrainTexts(&db, rows, more);
    db.Exec("CREATE TABLE pair(file, score REAL, a, b)");
    for (const auto& [file, pairs] : {std::pair{1, &kFirst}, {2, &kSecond}}) {
      for (const Pair& pair : *pairs) {
        db.Exec("INSERT INTO pair VALUES(" + std::to_string(file) + ", " +
                std::to_string(pair.score) + ", '" + pair.a + "', '" + pair.b + "')");
      }
    }
    Write("first.tsv", Tsv(kFirst));
    Write("second.tsv", Tsv(kSecond));
  }
  static std::string Tsv(const std::vector<Pair>& pairs) {
    std::ostringstream text;
    for (const Pair& pair : pairs) text << pair.score << '\t' << pair.a << '\t' << pair.b << '\n';
    return text.str();
  }
  std::string path() const { return folder_.File("a.db"); }
  std::string File(const std::string& name) const { return folder_.File(name); }
  std::string Write(const std::string& name, const std::string& bytes) const {
    WriteFile(File(name), bytes);
    return File(name);
  }
  Outcome Eval(const std::string& task, const Arguments& more) const {
    return Run(Arguments{"eval", task, path()} + more).Done();
  }
  // The output lines as rows of a temporary table, to be asked with json_extract.
  Database Json(const std::string& task, const Arguments& more) const {
    const Outcome outcome = Eval(task, more + Arguments{"--json", "--quiet"});
    INFO((outcome.error));
    REQUIRE(outcome.code == 0);
    CHECK(outcome.error.empty());
    Database db(path());
    db.Exec("CREATE TEMP TABLE line(j)");
    std::istringstream lines(outcome.out);
    for (std::string line; std::getline(lines, line);)
      s2v::Execute(db.get(), "INSERT INTO line VALUES(?1)", line);
    REQUIRE(db.Int("SELECT count(*) > 0 AND min(json_valid(j)) FROM line") == 1);
    return db;
  }

 private:
  const Folder folder_;
};

double Number(Database* db, const std::string& sql) {
  return std::stod(db->Text(sql));
}

// The figure of a JSON line.
double Figure(Database* db, const std::string& encoder, const std::string& of,
              const std::string& name) {
  return Number(
      db, "SELECT json_extract(j, '$." + name +
              "') FROM line WHERE json_extract(j, '$.encoder') = '" + encoder +
              "' AND coalesce(json_extract(j, '$.file'), json_extract(j, '$.average'), '') = '" +
              of + "'");
}

TEST_CASE("eval similarity agrees with the SQL functions, and labels the three averages") {
  const EvalFixture fixture;
  Database db = fixture.Json("similarity", {fixture.File("first.tsv"), fixture.File("second.tsv"),
                                            "--encoders", "model,model-raw"});
  CHECK(db.Count("line") == 2 * (2 + 3));
  for (const std::string encoder : {"model", "model-raw"}) {
    const std::string raw = encoder == "model" ? "" : ", NULL, 'raw'";
    const std::string cosine =
        "coalesce(s2v_cosine(s2v_embed(a" + raw + "), s2v_embed(b" + raw + ")), 0)";
    for (const std::string measure : {"pearson", "spearman"}) {
      const std::string function = "s2v_" + measure + "(" + cosine + ", score)";
      const double first = Number(&db, "SELECT " + function + " FROM pair WHERE file = 1");
      const double second = Number(&db, "SELECT " + function + " FROM pair WHERE file = 2");
      const double joined = Number(&db, "SELECT " + function + " FROM pair");
      CHECK(Figure(&db, encoder, "first", measure) == doctest::Approx(first).epsilon(1e-6));
      CHECK(Figure(&db, encoder, "second", measure) == doctest::Approx(second).epsilon(1e-6));
      CHECK(Figure(&db, encoder, "mean", measure) ==
            doctest::Approx((first + second) / 2).epsilon(1e-6));
      CHECK(Figure(&db, encoder, "weighted", measure) ==
            doctest::Approx((6 * first + 3 * second) / 9).epsilon(1e-6));
      CHECK(Figure(&db, encoder, "joined", measure) == doctest::Approx(joined).epsilon(1e-6));
    }
    CHECK(Figure(&db, encoder, "first", "unknown") == 1);
    CHECK(Figure(&db, encoder, "first", "pairs") == 6);
    CHECK(Figure(&db, encoder, "joined", "unknown") == 1);
  }
}

TEST_CASE("the table has a row for each encoder and a column for each file") {
  const EvalFixture fixture;
  const Outcome outcome =
      fixture.Eval("similarity", {fixture.File("first.tsv"), fixture.File("second.tsv"),
                                  "--encoders", "model,tfidf", "--min-count", "1"});
  CHECK(outcome.code == 0);
  CHECK(outcome.error == "s2v: measuring model\ns2v: measuring tfidf\n");
  std::istringstream lines(outcome.out);
  std::string line, word;
  std::getline(lines, line);
  std::istringstream header(line);
  for (const char* name : {"encoder", "first", "second", "mean", "weighted", "joined", "unknown"}) {
    header >> word;
    CHECK(word == name);
  }
  for (const char* encoder : {"model", "tfidf"}) {
    std::getline(lines, line);
    std::istringstream row(line);
    row >> word;
    CHECK(word == encoder);
    for (int i = 0; i < 5; i++) {
      row >> word;
      CHECK(word.find('/') != std::string::npos);
    }
    row >> word;
    CHECK(word == "1");
  }
  CHECK(Contains(outcome.out,
                 "mean: of the files (the paper), weighted: by their pairs, joined: over all"));
  const Outcome one = fixture.Eval("similarity", {fixture.File("second.tsv"), "--raw"});
  CHECK(Contains(one.out, "unknown\nmodel-raw  "));
  CHECK_FALSE(Contains(one.out, "joined"));
}

TEST_CASE("tfidf is fitted on the model's training table") {
  const EvalFixture fixture;
  Database db = fixture.Json(
      "similarity", {fixture.File("first.tsv"), "--encoders", "tfidf", "--min-count", "1"});
  s2v::TfIdf tfidf(*s2v::FindTokenizer("unicode"));
  db.Exec("SELECT body FROM docs");
  for (const std::string& text : db.rows()) tfidf.AddText(text);
  tfidf.Fit(1);
  std::vector<double> cosines, scores;
  s2v::FeatureVector a, b;
  for (const Pair& pair : kFirst) {
    tfidf.Encode(pair.a, &a);
    tfidf.Encode(pair.b, &b);
    cosines.push_back(Cosine(a, b));
    scores.push_back(pair.score);
  }
  CHECK(Figure(&db, "tfidf", "first", "pearson") ==
        doctest::Approx(*s2v::Pearson(cosines, scores)));
  CHECK(Figure(&db, "tfidf", "first", "spearman") ==
        doctest::Approx(*s2v::Spearman(cosines, scores)));
}

TEST_CASE("a rival that is trained in memory is the model that s2v_train would store") {
  for (const bool sif : {false, true}) {
    const EvalFixture fixture(sif ? "\"smoothing\":0.01" : "\"smoothing\":0");
    const std::string rival = sif ? "bigrams+sif" : "bigrams";
    Database db = fixture.Json("similarity", Arguments{fixture.File("first.tsv"), "--encoders",
                                                       "model," + rival + ",model-raw"} +
                                                 kTiny);
    for (const std::string measure : {"pearson", "spearman"}) {
      const double model = Figure(&db, "model", "first", measure);
      // In the model's weights bursts count too.
      CHECK(Figure(&db, rival, "first", measure) ==
            doctest::Approx(model).epsilon(sif ? 0.01 : 1e-9));
      if (!sif)
        CHECK(Figure(&db, "model-raw", "first", measure) == doctest::Approx(model).epsilon(1e-4));
    }
  }
}

TEST_CASE("model+sif adds to a plain model what a weighted one is stored with, but for bursts") {
  const EvalFixture plain("\"smoothing\":0"), weighted("\"smoothing\":0.01");
  Database a = plain.Json("similarity", {plain.File("first.tsv"), "--encoders", "model+sif"});
  Database b = weighted.Json("similarity", {weighted.File("first.tsv")});
  CHECK(Figure(&a, "model+sif", "first", "pearson") ==
        doctest::Approx(Figure(&b, "model", "first", "pearson")).epsilon(0.01));
}

TEST_CASE("every encoder runs on its own, also without any model") {
  const EvalFixture fixture;
  Database(fixture.path()).Exec("SELECT s2v_drop('docs')");
  for (const std::string name : {"tfidf", "unigrams", "bigrams", "bigrams-l1", "unigrams+sif",
                                 "bigrams+sif", "bigrams-l1+sif"}) {
    CAPTURE(name);
    Database db = fixture.Json(
        "similarity", Arguments{fixture.File("first.tsv"), "--encoders", name, "--table", "docs",
                                "--column", "body", "--where", "id > 10"} +
                          (name == "tfidf" ? Arguments{"--min-count", "1"} : kTiny));
    const double spearman = Figure(&db, name, "first", "spearman");
    CHECK(spearman >= -1);
    CHECK(spearman <= 1);
    CHECK(Figure(&db, name, "first", "unknown") == 1);
  }
  CHECK(Contains(fixture.Eval("similarity", {fixture.File("first.tsv")}).error,
                 "no default model here"));
}

TEST_CASE("rows that were trained on are counted") {
  const EvalFixture fixture;
  const std::string text = Database(fixture.path()).Text("SELECT body FROM docs WHERE id = 7");
  const std::string file = fixture.Write(
      "seen.tsv", "1\t  " + text + " \tred\n2\tnew\t" + text + "\n3\tred fox\tred cat\n");
  const Arguments arguments = {file, "--encoders", "model,tfidf", "--min-count", "1"};
  CHECK(Contains(fixture.Eval("similarity", arguments).out,
                 "trained on: 2 of 3 rows of seen have a sentence that is in docs.body\n"));
  CHECK(Contains(fixture.Eval("similarity", {fixture.File("first.tsv")}).out,
                 "no row has a sentence that is in docs.body\n"));
  {
    Database db = fixture.Json("similarity", arguments);
    CHECK(Figure(&db, "model", "seen", "trained_on") == 2);
  }
  Database(fixture.path()).Exec("ALTER TABLE docs RENAME TO other");
  const Outcome gone = fixture.Eval("similarity", {file});
  CHECK(gone.code == 0);
  CHECK(Contains(gone.out,
                 "whether rows are in docs.body could not be checked: no table or view 'docs'"));
  Database db = fixture.Json("similarity", {file});
  CHECK(db.Text("SELECT json_extract(j, '$.trained_on') FROM line") == "NULL");
  CHECK(Contains(fixture.Eval("similarity", {file, "--encoders", "tfidf"}).error,
                 "no table or view 'docs'"));
}

// label TAB text of the label's own words; rows of each label.
std::string Labelled(int rows, const std::string& more = "") {
  std::string text;
  for (int i = 0; i < rows; i++) {
    const std::string n = i % 3 == 0 ? "old" : i % 3 == 1 ? "big" : "new";
    text += "fox\tred fox " + n + more + "\nbank\tbank rate cut " + n + more + "\n";
  }
  return text;
}

TEST_CASE("eval transfer tells apart what can be told apart") {
  const EvalFixture fixture;
  const std::string train = fixture.Write("train.tsv", Labelled(15));
  const std::string test =
      fixture.Write("test.tsv", Labelled(4) + "fox\tbank rate cut\nbank\tunheard\n");
  const Arguments encoders = {"--encoders", "model,tfidf", "--min-count", "1"};
  const Outcome folds = fixture.Eval("transfer", Arguments{train, train} + encoders);
  CHECK(folds.code == 0);
  CHECK(folds.error == "s2v: measuring model\ns2v: measuring tfidf\n");
  CHECK(Contains(folds.out,
                 "encoder  train  train   mean  unknown\nmodel    100.0  100.0  100.0        0\n"
                 "tfidf    100.0  100.0  100.0        0\n"));
  CHECK(Contains(folds.out, "10 folds, in each the strength of L2 chosen by 5 folds"));
  Database db = fixture.Json("transfer", Arguments{train, "--test", test} + encoders);
  CHECK(db.Count("line") == 2);
  const double right = Figure(&db, "model", "train", "accuracy") * 10;
  CHECK(right >= 8);  // the last row has no feature: it may fall either way
  CHECK(right <= 9 + 1e-9);
  CHECK(Figure(&db, "model", "train", "rows") == 30);
  CHECK(Figure(&db, "model", "train", "test_rows") == 10);
  CHECK(Figure(&db, "model", "train", "classes") == 2);
  CHECK(Figure(&db, "model", "train", "unknown") == 1);
  CHECK(Figure(&db, "model", "train", "test_trained_on") == 0);
}

TEST_CASE("eval transfer --pairs classifies pairs, with F1") {
  const EvalFixture fixture;
  std::string text;
  for (int i = 0; i < 12; i++) {
    const std::string n = i % 2 == 0 ? "old" : "big";
    text += "1\tred fox " + n + "\tred fox " + n + "\n0\tred fox " + n + "\tbank rate cut\n";
  }
  const std::string file = fixture.Write("pairs.tsv", text);
  const Outcome outcome = fixture.Eval("transfer", {file, "--pairs"});
  CHECK(outcome.code == 0);
  CHECK(Contains(outcome.out, "model    100.0/100.0        0\naccuracy/F1 in percent"));
  Database db = fixture.Json("transfer", {file, "--pairs"});
  CHECK(Figure(&db, "model", "pairs", "f1") == 1);
}

TEST_CASE("what an evaluation trains cuts texts in the language of the table, as a training does") {
  const EvalFixture fixture("", 300);
  Database(fixture.path())
      .Exec(
          "CREATE TABLE german(body); INSERT INTO german SELECT 'die ' || substr('HausBaumZugTag', 1 + id % 9) || ' und der "
          "Hund von ' || body || ' mit der Katze ist nicht das Ende' FROM docs");
  const Arguments arguments = Arguments{"--table", "german", "--column", "body"} + kTiny;
  const auto tokenizer = [&](const Arguments& more) {
    return fixture.Json("self", arguments + more)
        .Text("SELECT json_extract(j, '$.tokenizer') FROM line LIMIT 1");
  };
  CHECK(tokenizer({"--tokenizer", "auto"}) == "german");
  CHECK(tokenizer({"--tokenizer", "unicode"}) == "unicode");
  CHECK(tokenizer({"--tokenizer", "html"}) == "html:german");
}

TEST_CASE("eval self holds rows out, trains on the rest and stores nothing") {
  const EvalFixture fixture("", 300);
  Database(fixture.path())
      .Exec(
          "CREATE TABLE long(body); INSERT INTO long SELECT a.body || ' ' || b.body FROM docs a "
          "JOIN docs b ON "
          "b.id = a.id * 7 % 300 + 1; INSERT INTO long VALUES(NULL), (x'00')");
  const std::string before = ReadFile(fixture.path());
  const Arguments arguments = Arguments{"--table", "long", "--column", "body"} + kTiny;
  Database db = fixture.Json("self", arguments);
  CHECK(ReadFile(fixture.path()) == before);
  CHECK(db.Count("line") == 5);
  CHECK(db.Text("SELECT json_extract(j, '$.sample', '$.training_rows') FROM line LIMIT 1") ==
        "[30,270]");
  const double loss = Number(&db, "SELECT json_extract(j, '$.held_out_loss') FROM line LIMIT 1");
  CHECK(loss > 0.5);
  CHECK(loss < 4);
  CHECK(db.Text("SELECT group_concat(json_extract(j, '$.encoder')) FROM line WHERE json_extract(j, "
                "'$.queries')") == "model,model-raw,tfidf,bm25");
  CHECK(
      db.Int(
          "SELECT min(json_extract(j, '$.recall_at_1') BETWEEN 0 AND json_extract(j, "
          "'$.recall_at_10') AND "
          "json_extract(j, '$.recall_at_1') <= json_extract(j, '$.mean_reciprocal_rank') AND "
          "json_extract(j, '$.recall_at_10') <= 1) FROM line WHERE json_extract(j, '$.queries')") ==
      1);
  CHECK(db.Text("SELECT group_concat(DISTINCT json_extract(j, '$.queries')) FROM line") == "30");

  const Outcome once = fixture.Eval("self", arguments), again = fixture.Eval("self", arguments);
  CHECK(once.code == 0);
  CHECK(once.error.empty());
  CHECK(once.out == again.out);
  CHECK(Contains(once.out, "trained on 270 rows of long.body, held out 30\nheld-out loss "));
  CHECK(Contains(once.out,
                 "retrieval of a row's second half by its first, among 30:\nencoder    recall@1"));
  CHECK(fixture.Eval("self", arguments + Arguments{"--seed", "2"}).out != once.out);
  CHECK(Contains(fixture.Eval("self", arguments + Arguments{"--sample", "7"}).out,
                 "293 rows of long.body, held out 7"));
}

TEST_CASE("bm25 finds the half that shares the rare word") {
  const EvalFixture fixture;
  Database(fixture.path())
      .Exec(
          "CREATE TABLE long AS WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n "
          "WHERE i < 199) "
          "SELECT format('the key%d \"of\" a, the key%d of NOT', i, i) AS body FROM n");
  Database db = fixture.Json("self", Arguments{"--table", "long", "--column", "body"} + kTiny);
  CHECK(Figure(&db, "bm25", "", "recall_at_1") == 1);
}

TEST_CASE("eval self --model measures a stored model and says what it was trained on") {
  const EvalFixture fixture("\"where\":\"id % 2 = 0\"", 300);
  const Outcome outcome =
      fixture.Eval("self", {"--model", "docs", "--table", "docs", "--column", "body"});
  CHECK(outcome.code == 0);
  CHECK(Contains(outcome.out, "model 'docs' on a sample of 30 of 300 rows of docs.body\nloss "));
  CHECK(Contains(outcome.out, "); not a held-out loss where these rows were trained on\n"));
  CHECK(Contains(outcome.out, " of 30 rows of the sample have a sentence that is in docs.body\n"));
  const Outcome own = fixture.Eval("self", {"--model", "docs"});
  CHECK(Contains(own.out, "on a sample of 15 of 150 rows of docs.body"));
  CHECK(Contains(own.out, "trained on: 15 of 15 rows of the sample"));
  CHECK(Contains(own.out, "no retrieval: fewer than two rows of the sample have 8 tokens") ==
        !Contains(own.out, "recall@1"));
  CHECK(Run({"convert", fixture.path(), "docs", "small", "--element", "int8", "--quiet"})
            .Done()
            .code == 0);
  CHECK(Contains(
      fixture.Eval("self", {"--model", "small"}).out,
      "\nno loss: the model keeps no target vectors, as a smaller copy does; measure the model that it was made from\n"));
}

TEST_CASE("the loss of a stored model is that of its U and V, and near that of its training") {
  const EvalFixture fixture("", 300);
  const Arguments arguments = {"--model", "docs"};
  Database db = fixture.Json("self", arguments);
  const double loss = Number(&db, "SELECT json_extract(j, '$.sample_loss') FROM line LIMIT 1");
  const double training =
      Number(&db, "SELECT json_extract(j, '$.training_loss') FROM line LIMIT 1");
  CHECK(loss > 0.3 * training);
  CHECK(loss < 3 * training);
  CHECK(db.Text("SELECT json_extract(j, '$.trained_on', '$.model') FROM line LIMIT 1") ==
        "[30,\"docs\"]");
  CHECK(db.Int("SELECT json_extract(j, '$.targets') > 30 FROM line LIMIT 1") == 1);
  // Without U there is no loss: a damaged one is found out.
  Database(fixture.path()).Exec("DELETE FROM s2v_target WHERE key % 3 = 0");
  const Outcome damaged = fixture.Eval("self", arguments);
  CHECK(damaged.code == 1);
  CHECK(Contains(damaged.error, "database disk image is malformed: table s2v_target, key "));
}

TEST_CASE("a correlation that does not exist is a dash and null") {
  const EvalFixture fixture;
  const std::string file = fixture.Write("flat.tsv", "1\tred fox\tbig sky\n1\tred car\tblue sea\n");
  CHECK(Contains(fixture.Eval("similarity", {file, fixture.File("first.tsv")}).out, "-/-"));
  Database db = fixture.Json("similarity", {file, fixture.File("first.tsv")});
  CHECK(db.Count("line WHERE json_type(j, '$.pearson') = 'null'") == 3);
}

// Arguments of eval that it refuses, and what it says.
using Refusals = std::vector<std::pair<Arguments, std::string>>;
void CheckEvalRefuses(const Refusals& refusals, int code) {
  for (const auto& [arguments, message] : refusals)
    CheckRefusals({{Arguments{"eval"} + arguments, code, message}});
}

TEST_CASE("what is wrong with a file is said with its line") {
  const EvalFixture fixture;
  const std::string missing = fixture.File("missing.tsv");
  const std::string empty = fixture.Write("empty.tsv", "");
  const std::string two = fixture.Write("two.tsv", "1\ta\tb\n2\ta\n");
  const std::string four = fixture.Write("four.tsv", "1\ta\tb\tc\n");
  const std::string blank = fixture.Write("blank.tsv", "1\ta\tb\r\n\r\n");
  const std::string word = fixture.Write("word.tsv", "1\ta\tb\nhigh\ta\tb\n");
  const std::string nan = fixture.Write("nan.tsv", "nan\ta\tb\n");
  const std::string train = fixture.Write("train.tsv", Labelled(10));
  const std::string other = fixture.Write("other.tsv", "fox\tred\ncow\tred\n");
  const std::string few = fixture.Write("few.tsv", Labelled(9));
  const std::string single = fixture.Write("single.tsv", "fox\tred fox\n");
  const Refusals refusals = {
      {{"similarity", fixture.path(), missing},
       "cannot read '" + missing + "': No such file or directory"},
      {{"similarity", fixture.path(), fixture.File("")},
       "'" + fixture.File("") + "': cannot read the input: Is a directory"},
      {{"similarity", fixture.path(), empty}, "'" + empty + "' is empty"},
      {{"similarity", fixture.path(), two},
       two + ", line 2: 3 columns with a tab between them are expected (score, sentence, "
             "sentence), there are 2"},
      {{"similarity", fixture.path(), four}, four + ", line 1: 3 columns"},
      {{"similarity", fixture.path(), blank},
       blank + ", line 2: 3 columns with a tab between them are expected "
               "(score, sentence, sentence), there is 1"},
      {{"similarity", fixture.path(), word}, word + ", line 2: the score 'high' is not a number"},
      {{"similarity", fixture.path(), nan}, nan + ", line 1: the score 'nan' is not a number"},
      {{"similarity", fixture.File("no.db"), fixture.File("first.tsv")},
       "no file '" + fixture.File("no.db") + "'"},
      {{"similarity", fixture.path(), fixture.File("first.tsv"), "--model", "other"},
       "no model 'other'"},
      {{"transfer", fixture.path(), two},
       two + ", line 1: 2 columns with a tab between them are expected (label, sentence)"},
      {{"transfer", fixture.path(), train, "--test", other},
       other + ", line 2: the label 'cow' is not in '" + train + "'"},
      {{"transfer", fixture.path(), few}, few + ": every label needs at least 10 sentences"},
      {{"transfer", fixture.path(), single}, single + ": at least two different labels are needed"},
      {{"self", fixture.path(), "--table", "nothing", "--column", "body"},
       "no table or view 'nothing'"},
      {{"self", fixture.path(), "--table", "docs", "--column", "body", "--where", "id < 10"},
       "table 'docs' has 9 texts; at least 10 are needed"},
  };
  CheckEvalRefuses(refusals, 1);
}

TEST_CASE("wrong usage is told before anything is read") {
  const std::string db = "/nowhere.db", file = "/nowhere.tsv";
  const Refusals refusals = {
      {{}, "see s2v eval --help"},
      {{"quality", db}, "see s2v eval --help"},
      {{"similarity", db}, "FILE is required; see s2v eval similarity --help"},
      {{"similarity", db, file, "--speed"}, "no flag --speed; see s2v eval similarity --help"},
      {{"similarity", db, file, "--encoders", "model,word2vec"},
       "encoders: no encoder 'word2vec'; there are model, model-raw, tfidf, unigrams, "},
      {{"similarity", db, file, "--encoders", "model,"}, "encoders: no encoder ''"},
      {{"similarity", db, file, "--encoders", "tfidf+sif"},
       "encoders: tfidf has weights of its own"},
      {{"similarity", db, file, "--encoders", "model-raw+sif"},
       "encoders: model-raw is eq. 2 itself"},
      {{"similarity", db, file, "--raw", "--encoders", "tfidf"}, "--raw excludes --encoders"},
      {{"similarity", db, file, "--encoders", "bigrams", "--ngram-order", "1"},
       "ngram_order: the name of an encoder"},
      {{"similarity", db, file, "--encoders", "unigrams", "--epochs", "0"},
       "epochs: a whole number from 1"},
      {{"similarity", db, file, "--epochs", "3"}, "epochs: a stored model has its own"},
      {{"similarity", db, file, "--encoders", "model,tfidf", "--epochs", "3"},
       "epochs: a stored model has its own; it is for models that are trained, tfidf takes"},
      {{"similarity", db, file, "--table", "t", "--column", "c"},
       "--table: a stored model has its own"},
      {{"similarity", db, file, "--encoders", "unigrams", "--table", "t"},
       "--table requires --column"},
      {{"similarity", db, file, "--encoders", "unigrams", "--where", "1"},
       "--where requires --table"},
      {{"similarity", db, file, "--model", "a."}, "a model's name is empty"},
      {{"transfer", db, file, file, "--test", file},
       "test: goes with one training file, not with 2"},
      {{"self", db}, "--table and --column are required, or --model"},
      {{"self", db, "--table", "t"}, "--table requires --column"},
      {{"self", db, "--table", "t", "--column", "c", "--sample", "0"},
       "sample: a whole number of rows from 1"},
      {{"self", db, "--model", "m", "--epochs", "3"}, "epochs: a stored model has its own"},
  };
  CheckEvalRefuses(refusals, 2);
}

TEST_CASE("help tells of every task, encoder and parameter") {
  const Outcome eval = Run({"eval", "--help"}).Done();
  CHECK(eval.code == 0);
  for (const std::string task : {"similarity", "transfer", "self"}) {
    CHECK(Contains(eval.out, task));
    const Outcome help = Run({"eval", task, "--help"}).Done();
    CHECK(help.code == 0);
    CHECK(Contains(help.out, "--subsampling-threshold"));
    CHECK(Contains(help.out, "Example: s2v eval " + task));
    if (task != "self") CHECK(Contains(help.out, "bigrams-l1"));
  }
  CHECK(Contains(Run({"--help"}).Done().out, "eval"));
}

TEST_CASE("the correlation aggregates take two arguments and no window") {
  Database db;
  CHECK(Contains(db.Error("SELECT s2v_pearson(1)"), "wrong number of arguments"));
  CHECK(Contains(db.Error("SELECT s2v_spearman(1, 2) OVER ()"),
                 "may not be used as a window function"));
}

TEST_CASE("evaluation works on a database that cannot be written") {
  const EvalFixture fixture;
  chmod(fixture.path().c_str(), 0444);
  CHECK(Run({"eval", "similarity", fixture.path(), fixture.File("first.tsv")}).Done().code == 0);
  CHECK(
      Run(Arguments{"eval", "self", fixture.path(), "--table", "docs", "--column", "body"} + kTiny)
          .Done()
          .code == 0);
}

}  // namespace

// The queries and judgements of a search over the fixture's docs.
const Arguments kSearch = {"--table", "docs", "--column", "body"};

TEST_CASE("eval search ranks by s2v_cosine and by bm25 as SQL does") {
  const EvalFixture fixture;
  fixture.Write("q.tsv", "a\tthe old man and his dog\nb\tbank rate\nnone\tbig sky\n");
  fixture.Write("j.tsv", "a\t17\t1\nb\t40\t2\nb\t41\t0\nnone\t3\t0\n");
  const Arguments files = {"--queries", fixture.File("q.tsv"), "--judgements",
                           fixture.File("j.tsv")};
  Database db = fixture.Json("search", kSearch + files);
  CHECK(db.Text("SELECT group_concat(json_extract(j, '$.search')) FROM line") ==
        "bm25,tfidf,model,model-raw,both");
  CHECK(db.Int("SELECT sum(json_extract(j, '$.queries') = 2 AND json_extract(j, '$.left_out') = 1 "
               "AND json_extract(j, '$.relevant') = 2) FROM line") == 5);
  db.Exec("CREATE VIRTUAL TABLE temp.words USING fts5(body, tokenize = 'porter unicode61')");
  db.Exec("INSERT INTO words(rowid, body) SELECT rowid, body FROM docs");
  const auto rank = [&](const std::string& from, const std::string& order, int row) {
    return Number(
        &db,
        "SELECT coalesce((SELECT 1.0 / n FROM (SELECT rowid AS id, row_number() OVER (ORDER BY " +
            order + ", CAST(rowid AS TEXT) DESC) AS n FROM " + from +
            ") WHERE id = " + std::to_string(row) + "), 0)");
  };
  const auto mean = [&](const std::string& search) {
    return Number(
        &db, "SELECT json_extract(j, '$.mrr') FROM line WHERE json_extract(j, '$.search') = '" +
                 search + "'");
  };
  const auto cosine = [](const std::string& query, const std::string& raw) {
    return "s2v_cosine(s2v_embed(body" + raw + "), s2v_embed('" + query + "'" + raw + ")) DESC";
  };
  for (const std::string search : {"model", "model-raw"}) {
    const std::string raw = search == "model" ? "" : ", NULL, 'raw'";
    CHECK(mean(search) ==
          doctest::Approx((rank("docs", cosine("the old man and his dog", raw), 17) +
                           rank("docs", cosine("bank rate", raw), 40)) /
                          2));
  }
  CHECK(mean("bm25") == doctest::Approx((rank("words('the OR old OR man OR and OR his OR dog')",
                                              "bm25(words)", 17) +
                                         rank("words('bank OR rate')", "bm25(words)", 40)) /
                                        2));
}

TEST_CASE("a search of texts with ids of their own, as a table for people") {
  const EvalFixture fixture;
  Database(fixture.path())
      .Exec(
          "CREATE TABLE page(name TEXT, text); INSERT INTO page VALUES('x', 'red fox'), "
          "('y', 'a zebra sleeps'), ('z', 'Zebras!'), ('null', NULL), ('blob', x'00')");
  fixture.Write("q.tsv", "1\tzebra\n2\t?!\n3\tfox\n");
  fixture.Write("j.tsv", "1\ty\t1\n1\tz\t1\n2\tx\t1\n1\tgone\t1\n3\tx\t-1\n");
  const Arguments flags = {"--table",      "page",
                           "--column",     "text",
                           "--id",         "name",
                           "--queries",    fixture.File("q.tsv"),
                           "--judgements", fixture.File("j.tsv")};
  const Outcome outcome = fixture.Eval("search", flags);
  CHECK(outcome.code == 0);
  CHECK(outcome.error.empty());
  CHECK(Contains(outcome.out, "3 texts of page.text, 2 queries with 4 relevant rows\n"));
  // The first query: ranks 1 and 2 of three relevant; the second has no word.
  CHECK(Contains(outcome.out, "\nbm25          38.3  33.3  50.0        33.3"));
  CHECK(Contains(outcome.out, "1 query has no relevant row and is left out\n"));
  CHECK(Contains(outcome.out, "1 relevant row is not in the table and counts as not found\n"));
}

TEST_CASE("eval search measures an index by what it answers") {
  const EvalFixture fixture;
  fixture.Write("q.tsv", "a\tbank rate\n");
  fixture.Write("j.tsv", "a\t40\t1\n");
  Database(fixture.path()).Exec("CREATE VIRTUAL TABLE docs_search USING s2v_index(docs, body)");
  Database db =
      fixture.Json("search", kSearch + Arguments{"--queries", fixture.File("q.tsv"), "--judgements",
                                                 fixture.File("j.tsv"), "--index", "docs_search"});
  CHECK(
      Number(
          &db,
          "SELECT json_extract(j, '$.mrr') FROM line WHERE json_extract(j, '$.search') = 'index'") ==
      doctest::Approx(
          Number(&db,
                 "SELECT 1.0 / n FROM (SELECT rowid AS id, row_number() OVER (ORDER BY score "
                 "DESC, CAST(rowid AS TEXT) DESC) AS n FROM docs_search('bank rate', 1000)) "
                 "WHERE id = 40")));
}

TEST_CASE("what eval search cannot do, it says") {
  const EvalFixture fixture;
  fixture.Write("q.tsv", "a\tbank rate\n");
  fixture.Write("j.tsv", "a\t40\t1\n");
  const auto error = [&](const std::string& judgements, const Arguments& more = {}) {
    fixture.Write("j.tsv", judgements);
    const Outcome outcome = fixture.Eval(
        "search",
        kSearch +
            Arguments{"--queries", fixture.File("q.tsv"), "--judgements", fixture.File("j.tsv")} +
            more);
    CHECK(outcome.out.empty());
    return std::to_string(outcome.code) + ": " + outcome.error;
  };
  CHECK(Contains(error("a\t40\n"),
                 "line 1: 3 columns with a tab between them are expected (query "
                 "id, row id, grade), there are 2"));
  CHECK(Contains(error("a\t40\tyes\n"), "line 1: the grade 'yes' is not a whole number"));
  CHECK(Contains(error("a\t40\t1\na\t40\t0\n"), "line 2: row '40' is judged twice for query 'a'"));
  CHECK(Contains(error("a\tx40\t1\n"), "names no row of 'docs' as relevant"));
  CHECK(Contains(error("a\t40\t1\n", {"--id", "nothere"}),
                 "1: s2v: table 'docs' has no column 'nothere'; it has "));
  CHECK(Contains(error("a\t40\t1\n", {"--id", "body"}), "has two texts with the id"));
  Database(fixture.path())
      .Exec(
          "CREATE TABLE other(body TEXT); CREATE VIRTUAL TABLE other_search USING s2v_index(other, body)");
  CHECK(Contains(error("a\t40\t1\n", {"--index", "other_search"}),
                 "--index: 'other_search' is an index of 'other', not of 'docs'"));
  CHECK(Contains(error("a\t40\t1\n", {"--index", "nothere"}), "no index 'nothere'"));
  // A byte order mark is no part of the first id.
  fixture.Write("q.tsv",
                "\xEF\xBB\xBF"
                "a\tbank rate\na\tbank\n");
  CHECK(Contains(error("a\t40\t1\n"), "line 2: query 'a' is there twice"));
}
