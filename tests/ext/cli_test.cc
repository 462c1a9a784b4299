// The `s2v` program: training, help, errors and exit codes, the list of models.
#include <filesystem>
#include <sstream>

#include "core/config.h"
#include "tests/support/process.h"

namespace s2v::testing {
namespace {

TEST_CASE("s2v train stores a model and says in plain words what it did") {
  const TestFile file;
  const Outcome outcome = Run(file.Train({"--ngram-order", "2"})).Done();
  CHECK(outcome.code == 0);
  CHECK(outcome.error.empty());  // no terminal, no progress
  CHECK(Contains(outcome.out, "model 'docs', the default: 60 words, "));
  CHECK(Contains(outcome.out,
                 "dimension 12\ntrained on 300 texts of docs.body, 3000 tokens; 2 rows skipped"));
  CHECK(Contains(outcome.out, "loss "));
  CHECK(Contains(outcome.out, "chosen: epochs = 30 (for 3000 tokens)\n"));
  CHECK(Contains(outcome.out, "chosen: context_threshold = "));
  // what every table gets is no choice
  CHECK(!Contains(outcome.out, "learning_rate"));

  const Outcome other = Run(file.Train({"--model", "it's"})).Done();
  CHECK(other.code == 0);
  CHECK(Contains(other.out, " USING s2v_index(docs, body, model = 'it''s');\n"));
  Database db(file.path());
  CHECK(db.Text("SELECT group_concat(name || is_default) FROM s2v_models") == "docs1,it's0");
  file.Trained({"--model", "it's", "--default"});
  CHECK(db.Text("SELECT group_concat(name || is_default) FROM s2v_models") == "docs0,it's1");
}

TEST_CASE("a wrong value of a flag is wrong usage, an index that the database lacks a failure") {
  const TestFile file;
  file.Trained();
  for (const char* command : {"check", "rebuild", "sync", "optimize"}) {
    const Outcome outcome = Run({"index", command, file.path(), "s"}).Done();
    CHECK(outcome.code == 1);
    CHECK(outcome.error == "s2v: no index 's'; make one with s2v index create\n");
  }
  for (const char* flag :
       {"--passages", "--words", "--weight", "--weights", "--tokenize", "--filter"}) {
    CHECK(Run({"index", "create", file.path(), "s", "docs", "body", flag,
               "5); DELETE FROM docs; SELECT (1"})
              .Done()
              .code == 1);
  }
  CHECK(Run({"index", "create", file.path(), "w", "docs", "body", "--words", "on", "--weight",
             "0.5", "--passages", "50", "--quiet"})
            .Done()
            .code == 0);
  CHECK(Database(file.path()).Int("SELECT count(*) > 0 FROM docs") == 1);
  CHECK(Run({"index", "create", file.path(), "s", "docs", "body", "--quiet"}).Done().code == 0);
  const Outcome other = Run({"search", file.path(), "t", "red"}).Done();
  CHECK(other.code == 1);
  CHECK(other.error == "s2v: no index 't'; there are s, w\n");
  const Outcome wrong = Run({"search", file.path(), "s", "red", "--rank-by", "nothing"}).Done();
  CHECK(wrong.code == 2);
  CHECK(wrong.error == "s2v: no rank-by 'nothing'; there are both, meaning, words, fts5\n");
  CHECK(Run({"search", file.path(), "s", "w1 OR w2", "--rank-by", "fts5"}).Done().code == 0);
  CHECK(Run({"search", file.path(), "s", "w1", "--where", "idd > 3"}).Done().error ==
        "s2v: where: no such column: idd in: idd > 3\n");
  CHECK(Run({"search", file.path(), "s", "w1", "--where", "score > 0"}).Done().code == 0);
  CHECK(Contains(Run({"index", file.path()}).Done().error,
                 "' was not expected; what has blanks is put in quotes; see s2v index --help"));
  CHECK(Run({"search", file.path(), "S", "red", "--rank-by", "words"}).Done().code == 0);
  CHECK(Run({"index", "sync", file.path(), "S", "--quiet"}).Done().code == 0);
  CHECK(Run({"index", "check", file.path(), "S", "--quiet"}).Done().code == 0);
  const Outcome twice = Run({"index", "create", file.path(), "d", "docs", "body", "BODY"}).Done();
  CHECK(Contains(twice.error, "column 'body' is given twice"));
  CHECK(Contains(Run({"index", "create", file.path(), "", "docs", "body"}).Done().error,
                 "an index needs a name"));
}

TEST_CASE("a question that begins with - stands behind --, and flags before that") {
  const TestFile file;
  file.Trained();
  CHECK(Run({"index", "create", file.path(), "s", "docs", "body", "--quiet"}).Done().code == 0);
  const auto error = [&](const Arguments& words) {
    const Outcome outcome = Run(Arguments{"search", file.path(), "s"} + words).Done();
    CHECK(outcome.code == 2);
    return outcome.error;
  };
  CHECK(Contains(
      error({"-w1 w2"}),
      "QUESTION is required; no flag -w1 w2; before what begins with - and is no flag put --; see "));
  CHECK(Contains(error({"--", "-w1 w2", "--limit", "1"}),
                 "'--limit' stands behind --, where nothing is a flag; put it before; see "));
  CHECK(Run({"search", file.path(), "s", "--limit", "1", "--", "-w1 w2"}).Done().code == 0);
  CHECK(Contains(error({"--"}), "QUESTION is required"));
}

TEST_CASE("s2v index show says that an index's model is gone") {
  const TestFile file;
  file.Trained();
  CHECK(Run({"index", "create", file.path(), "s", "docs", "body", "--quiet"}).Done().code == 0);
  CHECK(Run({"drop", file.path(), "docs"}).Done().code == 0);
  const Outcome shown = Run({"index", "show", file.path()}).Done();
  CHECK(shown.code == 0);
  CHECK(Contains(
      shown.error,
      "s2v: 's' was made with a model that is gone; no default model here: train one with s2v_train(table, column), and "
      "then INSERT INTO \"s\"(\"s\") VALUES('rebuild') makes it anew"));
}

TEST_CASE("s2v index show says which index awaits a model, and which model was outgrown") {
  const TestFile file;
  {
    Database db(file.path());
    db.Exec("CREATE TABLE notes(body TEXT); CREATE VIRTUAL TABLE s USING s2v_index(notes, body)");
    db.Exec("INSERT INTO notes SELECT body FROM docs");
  }
  const auto show = [&] { return Run({"index", "show", file.path()}).Done(); };
  CHECK(Contains(
      show().error,
      "s2v: 's' was made before there was a model, and answers by words alone; no default model here: train one"));
  file.Trained();
  CHECK(show().error.empty());
  Database db(file.path());
  db.Exec("INSERT INTO notes SELECT body FROM docs; SELECT s2v_sync('s')");
  const Outcome grown = show();
  CHECK(grown.code == 0);
  CHECK(Contains(
      grown.error,
      "model 'docs' was trained from 300 texts, and there are 600 by now: one that is trained anew knows more"));
}

TEST_CASE("the last lines of s2v train are SQL that searches") {
  const TestFile file;
  Database db(file.path());
  db.Exec("CREATE TABLE \"my docs\"(\"order\" TEXT)");
  db.Exec("INSERT INTO \"my docs\" SELECT body FROM docs WHERE typeof(body) = 'text'");
  const auto train = [&](const std::string& table, const std::string& column) {
    return Run({"train", file.path(), "--table", table, "--column", column, "--min-count", "1",
                "--dimension", "8", "--epochs", "1"})
        .Done()
        .out;
  };
  std::string out = train("my docs", "order");
  CHECK(Contains(
      out,
      "\n  CREATE VIRTUAL TABLE \"my docs_search\" USING s2v_index(\"my docs\", \"order\");\n"));
  CHECK(Contains(out, "s2v_embed(\"order\")"));
  for (const bool are_several : {false, true}) {
    if (are_several) {
      db.Exec(
          "DROP TABLE \"my docs_search\"; ALTER TABLE \"my docs\" DROP COLUMN embedding; ALTER TABLE \"my docs\" ADD COLUMN title");
      out = train("my docs", "TITLE, order");
      CHECK(Contains(out, "s2v_index(\"my docs\", title, \"order\");\n"));
    }
    std::string sql;
    for (const std::string& line : Lines(out)) sql += line.starts_with("  ") ? line + "\n" : "";
    for (size_t at = 0; (at = sql.find("some words")) != sql.npos;) sql.replace(at, 10, "w1 w2");
    const size_t column = sql.find("  ALTER TABLE");
    for (const std::string& part : {sql.substr(0, column), sql.substr(column)}) {
      db.Exec(part);
      CHECK(db.rows().size() == 2 * 10);  // rowid and score of each
    }
    CHECK(db.Int("SELECT count(DISTINCT embedding) FROM \"my docs\"") > 30);
  }
  db.Exec("CREATE VIEW seen AS SELECT body FROM docs");
  CHECK(Contains(train("seen", "body"), "\nuse it: SELECT s2v_embed('some text', 'seen');\n"));
}

TEST_CASE("s2v search --json is JSON whatever the columns hold") {
  const TestFile file;
  file.Trained();
  Database db(file.path());
  db.Exec(
      "CREATE TABLE kinds(id INTEGER PRIMARY KEY, body TEXT, b BLOB, i INTEGER, r REAL, score); INSERT INTO kinds VALUES"
      "(1, 'red fox', x'00ff', 42, 1.5, 7), (2, CAST(x'ff' AS TEXT) || ' red fox', NULL, -3, 9e999, 'x'); CREATE VIRTUAL TABLE s USING s2v_index(kinds, body)");
  const Outcome search =
      Run({"search", file.path(), "s", "red fox", "--columns", "id,b, i,r,score , body", "--json"})
          .Done();
  CHECK(search.code == 0);
  CHECK(Contains(
      search.out,
      "\"id\":1,\"b\":\"00FF\",\"i\":42,\"r\":1.5,\"kinds.score\":7,\"body\":\"red fox\"}"));
  CHECK(Contains(
      search.out,
      "\"b\":null,\"i\":-3,\"r\":9e999,\"kinds.score\":\"x\",\"body\":\"\uFFFD red fox\"}"));
  const auto ids = [&](const Arguments& more) {
    const Arguments asked = {"search", file.path(), "s", "--columns", "id", "--json"};
    return Run(asked + more).Done().out;
  };
  CHECK(ids({"red fox", "--where", "id = 1 OR 0"}) ==
        ids({"red fox", "--where", "id IN (1) -- one"}));
  CHECK(ids({"red fox", "--where", "0"}).empty());
  CHECK(Run({"index", "create", file.path(), "u", "kinds", "body, i", "--quiet"}).Done().code == 0);
  CHECK(db.Count("u('42', 5, 'words')") == 1);
  CHECK(Contains(Run({"search", file.path(), "s", "red", "--where", "nope = 1"}).Done().error,
                 "no such column: nope"));
  CHECK(Contains(Run({"search", file.path(), "s", "red", "--columns", "nope"}).Done().error,
                 "table 'kinds' has no column 'nope'; it has id, body"));
}

TEST_CASE("--quiet prints nothing but errors, and --json its answer") {
  const TestFile file;
  const auto silent = [&](const Arguments& arguments) {
    const Outcome outcome = Run(arguments).Done();
    CHECK(outcome.code == 0);
    return outcome.out.empty() && outcome.error.empty();
  };
  CHECK(silent(file.Train({"--quiet"})));
  CHECK(silent({"convert", file.path(), "docs", "small", "--quiet"}));
  Database(file.path()).Exec("INSERT INTO docs(body) VALUES('one row more')");
  CHECK(silent({"update", file.path(), "--model", "docs", "--quiet"}));
  CHECK(Lines(Run(file.Train({"--quiet", "--json"})).Done().out).size() == 1);
}

TEST_CASE("s2v train gives the model that s2v_train gives, and --json its answer") {
  const TestFile file;
  const Outcome outcome = Run(file.Train({"--json", "--recipe", "paper", "--seed=7"})).Done();
  CHECK(outcome.code == 0);
  CHECK(Lines(outcome.out).size() == 1);
  Database db(file.path());
  CHECK(FromSql(db, "json_extract(?1, '$.hash')", outcome.out) ==
        db.Text("SELECT hash FROM s2v_models"));
  const std::string answer = db.Text(
      "SELECT s2v_train('docs', 'body', json_object('model', 'b', 'dimension', 12, 'min_count', 1, "
      "'min_target_count', 1, 'workers', 1, 'recipe', 'paper', 'seed', 7))");
  CHECK(db.Text("SELECT count(DISTINCT hash) || count(*) FROM s2v_models") == "12");
  const char kKeys[] = "(SELECT group_concat(key) FROM json_each(?1))";
  CHECK(FromSql(db, kKeys, answer) == FromSql(db, kKeys, outcome.out));
}

TEST_CASE("s2v train reads part of a table, a view, and tables with difficult names") {
  const TestFile file;
  Database db(file.path());
  db.Exec("CREATE VIEW germans AS SELECT upper(body) AS t FROM docs WHERE lang = 'de'");
  db.Exec("CREATE TABLE \"my \"\"own\"\" docs\" AS SELECT body AS \"the text\" FROM docs LIMIT 50");
  db.Exec("CREATE TABLE \"a.b\" AS SELECT body FROM docs LIMIT 60");
  db.Exec("CREATE TABLE \"{}\" AS SELECT body AS \"[x,y]\" FROM docs LIMIT 70");
  struct Case {
    const char *table, *column, *where, *model;
    int texts;
  };
  const Case cases[] = {
      {"docs", "body", "lang = 'de'", "part", 100},
      {"docs", "body", "s2v_version() <> '' AND id <= 40", "fn", 40},
      {"germans", "t", "", "germans", 100},
      {"my \"own\" docs", "the text", "", "my \"own\" docs", 50},
      {"main.docs", "body", "", "docs", 300},
      {"a.b", "body", "", "ab", 60},
      {"{}", "[x,y]", "", "main.q", 70},
  };
  for (const Case& c : cases) {
    INFO(c.table);
    Arguments arguments = {"train", file.path(), "--table", c.table, "--column", c.column};
    arguments = arguments + Words("--dimension 4 --min-count 1 --min-target-count 1 --json");
    if (std::string(c.model) != c.table) arguments.insert(arguments.end(), {"--model", c.model});
    if (!std::string(c.where).empty()) arguments.insert(arguments.end(), {"--where", c.where});
    const Outcome outcome = Run(arguments).Done();
    CHECK(outcome.error == "");
    REQUIRE(outcome.code == 0);
    CHECK(FromSql(db, "json_extract(?1, '$.texts')", outcome.out) == std::to_string(c.texts));
  }
  CHECK(db.Text("SELECT group_concat(name, '|') FROM s2v_models") ==
        "ab|docs|fn|germans|my \"own\" docs|part|q");
  const Outcome unnamed =
      Run({"train", file.path(), "--table", "a.b", "--column", "body", "--min-count", "1"}).Done();
  CHECK(unnamed.code == 1);
  CHECK(Contains(unnamed.error, "cannot lend its name to the model; name the model"));
}

TEST_CASE("s2v train --help lists every parameter with default, range and unit") {
  const Outcome outcome = Run({"train", "--help"}).Done();
  CHECK(outcome.code == 0);
  CHECK(outcome.error.empty());
  // Line breaks are no matter.
  std::string help;
  std::istringstream words(outcome.out);
  for (std::string word; words >> word;) help += word + " ";
  const s2v::Config config;
  for (const s2v::Parameter& p : s2v::Parameters()) {
    INFO((std::string(p.name)));
    const size_t at = help.find("--" + s2v::ParameterFlag(p) + " ");
    REQUIRE(at != std::string::npos);
    const std::string text = help.substr(at, help.find(" --", at + 1) - at);
    CHECK(Contains(text, p.help));
    CHECK(Contains(text, p.unit));
    CHECK(Contains(text, p.automatic.empty() ? "default " + s2v::ParameterText(config, p) + ")"
                                             : "default auto: " + std::string(p.automatic) + ")"));
    if (std::holds_alternative<int64_t s2v::Config::*>(p.member) && p.max < 1e15) {
      CHECK(Contains(text, " to " + std::to_string(static_cast<int64_t>(p.max))));
    }
  }
  for (const std::string& line : Lines(outcome.out)) {
    INFO(line);
    CHECK(line.size() <= 100);
  }
  for (const char* flag : {"--table", "--column", "--where", "--model", "--default", "--json",
                           "--quiet", "--preset"}) {
    CHECK(Contains(help, flag));
  }
}

TEST_CASE("help and version") {
  const Outcome help = Run({"--help"}).Done();
  CHECK(help.code == 0);
  for (const char* text : {"train", "models", "embed", "drop", "Exit codes: 0 ", "130 "}) {
    CHECK(Contains(help.out, text));
  }
  const Outcome version = Run({"--version"}).Done();
  CHECK(version.code == 0);
  CHECK(Contains(version.out, "s2v " S2V_VERSION " (SQLite "));
  const Outcome nothing = Run({}).Done();
  CHECK(nothing.code == 2);
  CHECK(nothing.out.empty());
  CHECK(nothing.error == help.out);
  for (const char* command : {"models", "embed", "drop"})
    CHECK(Run({command, "--help"}).Done().code == 0);
}

TEST_CASE("errors say what to do, and exit codes tell wrong usage from work that failed") {
  const TestFile file;
  const std::string db = file.path(), folder = file.folder();
  file.Trained();
  WriteFile(folder + "/text", std::string(2000, 'x'));
  WriteFile(folder + "/empty", "");
  const auto train = [&](const Arguments& more) { return file.Train(more); };
  const std::string hash = file.Hash();
  CheckRefusals({
      {{"teach"}, 2, "no command 'teach'; see s2v --help"},
      {{"--teach"}, 2, "no flag --teach"},
      {{"--json", "models", db},
       2,
       "no flag --json before a command; put it behind; see s2v models --help"},
      {{"train", db}, 2, "--table is required; see s2v train --help"},
      {{"train"}, 2, "DB is required"},
      {{"models"}, 2, "DB is required"},
      {{"drop", db}, 2, "MODEL is required"},
      {{"models", db, "more"},
       2,
       "'more' was not expected; what has blanks is put in quotes; see s2v models --help"},
      {train({"--epoch", "3"}), 2, "no flag --epoch;"},
      {train({"--model", ""}), 2, "--model is empty"},
      {train({"--where", ""}), 2, "--where is empty"},
      {{"export", db, "docs", folder + "/tokenizer.json", "--format", "safetensors"},
       2,
       "which needs another name"},
      {train({"--learning_rate", "3"}), 2, "no flag --learning_rate, but --learning-rate;"},
      {train({"--epochs", "x"}), 2, "epochs: a whole number from 1 to "},
      {train({"--epochs", "-1"}), 2, "expected, not '-1'"},
      {train({"--epochs=0"}), 2, "expected, not '0'"},
      {train({"--epochs", "1.5"}), 2, "expected, not '1.5'"},
      {train({"--epochs", ""}), 2, "--epochs is empty"},
      {train({"--epochs"}), 2, "--epochs"},
      {train({"--epochs", "1", "--epochs", "2"}), 2, "--epochs"},
      {train({"--learning-rate", "nan"}), 2, "learning_rate: a number from "},
      {train({"--recipe", "slow"}), 2, "no recipe 'slow'; there are fast, paper"},
      {train({"--negatives", "auto"}), 2, "negatives: a whole number from 1 to 1000 expected"},
      {train({"--preset", "x"}), 2, "no preset 'x'; there are books-unigrams, "},
      {train({"--memory", "x"}), 2, "memory: a whole number of megabytes from 0 to "},
      {train({"--progress", "INSERT INTO nope VALUES(1)"}), 1, "progress: no such table: nope"},
      {train({"--tokenizer", "x"}), 2, "no tokenizer 'x'; there are "},
      {train({"--tokenizer", "korean"}), 2, "there are no stems of korean; 'neutral' cuts it"},
      {train({"--tokenizer", "polish"}), 2, "there are no stems of polish; 'neutral' cuts it"},
      {train({"--column", "title", "--column", "body"}), 2,
       "--column: it was given twice; columns and other lists stand in one, commas between"},
      {train({"--model", "a.b.c"}), 2, "a model's name"},
      {train({"--model", "temp.c"}), 2, "this program opens one database"},
      {{"embed", db, "--format", "xml"}, 2, "no format 'xml'; there are json, tsv, raw"},
      {{"embed", db, "--model", "a.b.c"}, 2, "a model's name"},
      {{"drop", db, "a.b.c"}, 2, "a model's name"},
      {{"train", db, "--table", "nope", "--column", "body"}, 1, "no table or view 'nope'"},
      {{"train", db, "--table", "docs", "--column", "nope"},
       1,
       "no column 'nope'; it has id, body, lang"},
      {train({"--where", "lang ="}), 1, "where: "},
      {train({"--where", "0"}), 1, ""},
      {train({"--learning-rate", "100", "--recipe", "paper", "--epochs", "100"}), 1,
       "lower it, or take recipe fast"},
      {{"train", folder + "/empty", "--table", "docs", "--column", "body"},
       1,
       "no table or view 'docs'"},
      {{"embed", db, "--model", "nope"}, 1, "no model 'nope': name one of docs"},
      {{"embed", folder + "/empty"}, 1, "no default model here: train one"},
      {{"embed", db, "--input", folder + "/nope"}, 1, "nope': No such file or directory"},
      {{"embed", db, "--input", folder}, 1, "cannot read the input: Is a directory"},
      {{"drop", db, "nope"}, 1, "no model 'nope': name one of docs"},
      {{"models", folder + "/nope.db"}, 1, "/nope.db': a database is never created"},
      {{"models", ""}, 1, "no file ''"},
      {{"models", ":memory:"}, 1, "no file ':memory:'"},
      {{"models", folder}, 1, "is a folder"},
      {{"models", "/dev/null"}, 1, "'/dev/null' is not a regular file"},
      {{"models", db + "/x"}, 1, "Not a directory"},
      {{"models", folder + "/text"}, 1, "/text': file is not a database"},
      {{"embed", folder + "/text"}, 1, "/text': file is not a database"},
      {{"drop", folder + "/text", "m"}, 1, "/text': file is not a database"},
      {{"train", folder + "/text", "--table", "a", "--column", "b"},
       1,
       "/text': file is not a database"},
  });
  CHECK(!std::filesystem::exists(folder + "/nope.db"));
  file.CheckWhole(hash);
}

TEST_CASE("what a name has in it does not control the terminal") {
  const TestFile file;
  file.Trained({"--model", "a\033]0;b\007\u009b2J\u202ec\td"});
  const Outcome models = Run({"models", file.folder() + "/no\033[2Jmodels"}).Done();
  CHECK(Contains(models.error, "/no?[2Jmodels"));
  for (const Arguments& arguments :
       {Arguments{"drop", file.path(), "no\033[2J"},
        Arguments{"index", "create", file.path(), "s", "no\r", "body"},
        Arguments{"convert", file.path(), "no\033", "small"}, Arguments{"models", file.path()}}) {
    const Outcome outcome = Run(arguments).Done();
    CHECK((outcome.error + outcome.out).find_first_of("\033\007\r") == std::string::npos);
    CHECK((Contains(outcome.error, "no?") || Contains(outcome.out, "a?]0;b??2J?c?d")));
  }
}

TEST_CASE("s2v export writes through no file that is there already beside its own") {
  const TestFile file;
  file.Trained();
  const std::string precious = file.folder() + "/precious", target = file.folder() + "/words.vec";
  WriteFile(precious, "kept");
  std::filesystem::create_symlink(precious, target + ".unfinished");
  const Outcome outcome = Run({"export", file.path(), "docs", target, "--format", "vec"}).Done();
  CHECK(outcome.code == 2);
  CHECK(Contains(outcome.error, "words.vec.unfinished' is there"));
  CHECK(ReadFile(precious) == "kept");
  CHECK(std::filesystem::is_symlink(target + ".unfinished"));
}

TEST_CASE("output that cannot be written is a failure") {
  const TestFile file;
  file.Trained();
  for (const Arguments& arguments :
       {Arguments{"models", file.path()}, Arguments{"embed", file.path()}, Arguments{"--help"}}) {
    const Outcome outcome = Run(arguments).Input("w1\n").Output("/dev/full").Done();
    CHECK(outcome.code == 1);
    CHECK(outcome.error == "s2v: cannot write the output: No space left on device\n");
  }
}

TEST_CASE("s2v models shows an aligned table or JSON lines; s2v drop deletes") {
  const TestFile file;
  const Outcome none = Run({"models", file.path()}).Done();
  CHECK(none.code == 0);
  CHECK(none.out.empty());
  CHECK(Contains(none.error, "no models in '" + file.path() + "'; train one with s2v train"));

  file.Trained({"--model", "zoë\n"});
  file.Trained({"--model", "a longer name", "--ngram-order", "2", "--recipe", "paper"});
  const Outcome table = Run({"models", file.path()}).Done();
  CHECK(table.code == 0);
  const auto lines = Lines(table.out);
  REQUIRE(lines.size() == 3);
  CHECK(lines[0].substr(0, 29) == "name           default  dim  ");
  CHECK(lines[1].substr(0, 29) == "a longer name            12  ");
  CHECK(lines[2].substr(0, 30) == "zoë?           *         12  ");
  Database db(file.path());
  CHECK(Contains(lines[1], db.Text("SELECT hash FROM s2v_models WHERE NOT is_default")));

  const Outcome json = Run({"models", file.path(), "--json"}).Done();
  CHECK(json.code == 0);
  for (const std::string& line : Lines(json.out)) {
    CHECK(FromSql(db, "(SELECT group_concat(key) FROM json_each(?1))", line) ==
          db.Text("SELECT group_concat(name) FROM pragma_table_info('s2v_models')"));
    CHECK(FromSql(db,
                  "(SELECT count(*) FROM s2v_models WHERE hash = ?1 ->> 'hash' AND name = ?1 ->> "
                  "'name' AND "
                  "ngrams = ?1 ->> 'ngrams' AND is_default = ?1 ->> 'is_default' AND "
                  "parameters = ?1 -> 'parameters')",
                  line) == "1");
  }

  // A model that cannot be read hides no other, and is not passed over in silence.
  db.Exec("UPDATE s2v_model SET dimension = 4 WHERE is_default");
  for (const bool as_json : {false, true}) {
    std::vector<std::string> arguments = {"models", file.path()};
    if (as_json) arguments.push_back("--json");
    const Outcome damaged = Run(arguments).Done();
    CHECK(damaged.code == 1);
    CHECK(Lines(damaged.out).size() == 2);
    CHECK(Contains(damaged.out, "a longer name"));
    CHECK(Contains(damaged.error, "cannot read model 'zoë"));
    CHECK(Contains(damaged.error, "': database disk image is malformed: table s2v_model, key "));
    CHECK(Contains(damaged.error, "; s2v drop removes it"));
    for (const std::string& line : Lines(as_json ? damaged.out : "")) {
      CHECK(
          FromSql(db,
                  "(SELECT count(*) FROM s2v_models WHERE name = ?1 ->> 'name' AND error IS ?1 ->> "
                  "'error' AND hash IS ?1 ->> 'hash' AND dim IS ?1 ->> 'dim')",
                  line) == "1");
    }
  }

  const Outcome drop = Run({"drop", file.path(), "zoë\n"}).Done();
  CHECK(drop.code == 0);
  CHECK((drop.out + drop.error).empty());
  CHECK(db.Text("SELECT group_concat(name) FROM s2v_models") == "a longer name");
}

TEST_CASE("a training says which indexes it has put out of use") {
  const Folder folder;
  const std::string path = folder.File("a.db");
  {
    Database db(path);
    TrainTexts(&db, 60);
    db.Exec("CREATE VIRTUAL TABLE \"my index\" USING s2v_index(docs, body)");
  }
  const std::string expected = "index 'my index' is out of use: s2v index rebuild ";
  const Outcome trained =
      Run({"train", path, "--table", "docs", "--column", "body", "--dimension", "9"}).Done();
  CHECK(trained.code == 0);
  CHECK(Contains(trained.out, expected));
  CHECK(Contains(trained.out, " 'my index'\n"));
  CHECK(Run({"index", "rebuild", path, "my index"}).Done().code == 0);
  const Outcome converted = Run({"convert", path, "docs", "other", "--element", "int8"}).Done();
  CHECK(converted.code == 0);
  CHECK_FALSE(Contains(converted.out, "out of use"));
}

}  // namespace
}  // namespace s2v::testing
