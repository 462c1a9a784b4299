// The `s2v` program as its users meet it: started as a process, on files, with pipes, in a
// terminal, stopped and killed. Agreement with SQL is to the bit.
#include <doctest/doctest.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "core/config.h"
#include "tests/support/command.h"
#include "tests/support/database.h"

using namespace s2v::testing;

namespace {

using Clock = std::chrono::steady_clock;

constexpr int kInterrupted = 130;
constexpr double kSoon = kSanitized ? 20 : 2;  // seconds

double SecondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

void Sleep(int milliseconds) {
  std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
}

// s2v in a terminal of its own.
class Terminal {
 public:
  explicit Terminal(const Arguments& arguments) {
    struct winsize size {};
    size.ws_row = 24;
    size.ws_col = 80;
    child_ = forkpty(&file_, nullptr, nullptr, &size);
    REQUIRE(child_ >= 0);
    if (child_ == 0) Execute(arguments, false);
  }
  ~Terminal() {
    if (child_ > 0) {
      kill(child_, SIGKILL);
      waitpid(child_, nullptr, 0);
    }
    close(file_);
  }
  // Reads until the text has appeared.
  void WaitForText(const std::string& text) {
    const auto start = Clock::now();
    while (!Contains(seen_, text)) {
      INFO((text + " awaited, seen: " + seen_));
      REQUIRE(SecondsSince(start) < 10 * kSoon);
      REQUIRE(ReadSome());
    }
  }
  void Type(const std::string& keys) {
    REQUIRE(write(file_, keys.data(), keys.size()) == static_cast<ssize_t>(keys.size()));
  }
  int End() {
    while (ReadSome()) {
    }
    const int code = WaitFor(child_);
    child_ = 0;
    return code;
  }
  const std::string& seen() const { return seen_; }
  pid_t child() const { return child_; }

 private:
  // False at the end.
  bool ReadSome() {
    struct pollfd wait = {file_, POLLIN, 0};
    if (poll(&wait, 1, 100) == 0) return true;
    char bytes[4096];
    const ssize_t size = read(file_, bytes, sizeof(bytes));
    if (size <= 0) return false;
    seen_.append(bytes, static_cast<size_t>(size));
    return true;
  }

  int file_ = -1;
  pid_t child_ = 0;
  std::string seen_;
};

// A file with a table docs(id, body, lang) of synthetic sentences; one row is NULL, one a BLOB.
class TestFile {
 public:
  explicit TestFile(int rows = 300, int words = 60) {
    Database db(path());
    db.Exec("CREATE TABLE docs(id INTEGER PRIMARY KEY, body TEXT, lang TEXT)");
    db.Exec("WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < " +
            std::to_string(rows) +
            "), k(j) AS (SELECT 0 UNION ALL SELECT j + 1 FROM k WHERE j < 9) "
            "INSERT INTO docs(body, lang) SELECT group_concat('w' || ((i * 7919 + j * j * 31) % " +
            std::to_string(words) +
            "), ' '), CASE WHEN i % 3 THEN 'en' ELSE 'de' END FROM n, k GROUP BY i");
    db.Exec("INSERT INTO docs(body) VALUES(NULL), (x'00ff')");
  }
  std::string path() const { return folder_.File("a.db"); }
  const std::string& folder() const { return folder_.path(); }

  // The arguments of a short training.
  Arguments Train(const Arguments& more = {}) const {
    Arguments arguments = {
        "train",       path(), "--table",     "docs", "--column",           "body",
        "--dimension", "12",   "--min-count", "1",    "--min-target-count", "1",
        "--workers",   "1"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
  }
  // One that lasts for hours.
  Arguments TrainLong() const {
    return Train({"--epochs", "100000", "--subsampling-threshold", "1"});
  }
  void Trained(const Arguments& more = {}) const {
    const Outcome outcome = Run(Train(more)).Done();
    INFO((outcome.error));
    REQUIRE(outcome.code == 0);
  }
  std::string Hash() const {
    return Database(path()).Text("SELECT group_concat(name || hash) FROM s2v_models");
  }
  void CheckWhole(const std::string& hash) const {
    Database db(path());
    CHECK(db.Text("PRAGMA integrity_check") == "ok");
    CHECK(db.Text("SELECT group_concat(name || hash) FROM s2v_models") == hash);
    CHECK(db.Int("SELECT length(s2v_embed('w1 w2')) > 0") == 1);
  }

 private:
  const Folder folder_;
};

// What SQL says of a text: expression over ?1.
std::string FromSql(const Database& db, const std::string& expression, const std::string& text) {
  sqlite3_stmt* select = nullptr;
  REQUIRE(sqlite3_prepare_v2(db.get(), ("SELECT " + expression).c_str(), -1, &select, nullptr) ==
          SQLITE_OK);
  sqlite3_bind_text64(select, 1, text.data(), text.size(), SQLITE_STATIC, SQLITE_UTF8);
  REQUIRE(sqlite3_step(select) == SQLITE_ROW);
  const auto* bytes = static_cast<const char*>(sqlite3_column_blob(select, 0));
  const std::string value(bytes == nullptr ? "" : bytes,
                          static_cast<size_t>(sqlite3_column_bytes(select, 0)));
  sqlite3_finalize(select);
  return value;
}

std::vector<std::string> Lines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

}  // namespace

TEST_CASE("s2v train stores a model and says in plain words what it did") {
  const TestFile file;
  const Outcome outcome = Run(file.Train({"--ngram-order", "2"})).Done();
  CHECK(outcome.code == 0);
  CHECK(outcome.error.empty());  // no terminal, no progress
  CHECK(Contains(outcome.out, "model 'docs', the default: 60 words, "));
  CHECK(Contains(outcome.out,
                 "dimension 12\ntrained on 300 texts of docs.body, 3000 tokens; 2 rows skipped"));
  CHECK(Contains(outcome.out, "loss "));
  CHECK(Contains(outcome.out, "use it: SELECT s2v_embed('some text');\n"));

  const Outcome other = Run(file.Train({"--model", "it's", "--quiet"})).Done();
  CHECK(other.code == 0);
  CHECK(Contains(other.out, "use it: SELECT s2v_embed('some text', 'it''s');\n"));
  Database db(file.path());
  CHECK(db.Text("SELECT group_concat(name || is_default) FROM s2v_models") == "docs1,it's0");
  file.Trained({"--model", "it's", "--default"});
  CHECK(db.Text("SELECT group_concat(name || is_default) FROM s2v_models") == "docs0,it's1");
}

TEST_CASE("s2v train gives the model that s2v_train gives, and --json its answer") {
  const TestFile file;
  const Outcome outcome =
      Run(file.Train({"--json", "--shared-negatives", "true", "--seed=7"})).Done();
  CHECK(outcome.code == 0);
  CHECK(Lines(outcome.out).size() == 1);
  Database db(file.path());
  CHECK(FromSql(db, "json_extract(?1, '$.hash')", outcome.out) ==
        db.Text("SELECT hash FROM s2v_models"));
  const std::string answer = db.Text(
      "SELECT s2v_train('docs', 'body', json_object('model', 'b', 'dimension', 12, 'min_count', 1, "
      "'min_target_count', 1, 'workers', 1, 'shared_negatives', json('true'), 'seed', 7))");
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
    Arguments arguments = {"train",
                           file.path(),
                           "--table",
                           c.table,
                           "--column",
                           c.column,
                           "--where",
                           c.where,
                           "--dimension",
                           "4",
                           "--min-count",
                           "1",
                           "--min-target-count",
                           "1",
                           "--json"};
    if (std::string(c.model) != c.table) arguments.insert(arguments.end(), {"--model", c.model});
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
    CHECK(Contains(text, "default " + s2v::ParameterText(config, p) + ")"));
    if (std::holds_alternative<int64_t s2v::Config::*>(p.member) && p.max < 1e15) {
      CHECK(Contains(text, " to " + std::to_string(static_cast<int64_t>(p.max))));
    }
  }
  for (const std::string& line : Lines(outcome.out)) {
    INFO(line);
    CHECK(line.size() <= 100);
  }
  for (const char* flag :
       {"--table", "--column", "--where", "--model", "--default", "--json", "--quiet"}) {
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
  struct Case {
    Arguments arguments;
    int code;
    std::string message;
  };
  const auto train = [&](const Arguments& more) { return file.Train(more); };
  const Case cases[] = {
      {{"teach"}, 2, "no command 'teach'; see s2v --help"},
      {{"--teach"}, 2, "no flag --teach"},
      {{"train", db}, 2, "--table is required; see s2v train --help"},
      {{"train"}, 2, "DB is required"},
      {{"models"}, 2, "DB is required"},
      {{"drop", db}, 2, "MODEL is required"},
      {{"models", db, "more"}, 2, "'more' was not expected; see s2v models --help"},
      {train({"--epoch", "3"}), 2, "no flag --epoch;"},
      {train({"--learning_rate", "3"}), 2, "no flag --learning_rate, but --learning-rate;"},
      {train({"--epochs", "x"}), 2, "epochs: a whole number from 1 to "},
      {train({"--epochs", "-1"}), 2, "expected, not '-1'"},
      {train({"--epochs=0"}), 2, "expected, not '0'"},
      {train({"--epochs", "1.5"}), 2, "expected, not '1.5'"},
      {train({"--epochs", ""}), 2, "expected, not ''"},
      {train({"--epochs"}), 2, "--epochs"},
      {train({"--epochs", "1", "--epochs", "2"}), 2, "--epochs"},
      {train({"--learning-rate", "nan"}), 2, "learning_rate: a number from "},
      {train({"--shared-negatives", "maybe"}), 2,
       "shared_negatives: true or false expected, not 'maybe'"},
      {train({"--tokenizer", "x"}), 2, "no tokenizer 'x'; there are: "},
      {train({"--kernel", "x"}), 2, "no kernel 'x'"},
      {train({"--model", "a.b.c"}), 2, "a model's name"},
      {train({"--model", "temp.c"}), 2, "this program opens one database"},
      {{"embed", db, "--format", "xml"}, 2, "format: json, tsv or raw expected, not 'xml'"},
      {{"embed", db, "--model", "a.b.c"}, 2, "a model's name"},
      {{"drop", db, "a.b.c"}, 2, "a model's name"},
      {{"train", db, "--table", "nope", "--column", "body"}, 1, "no table or view 'nope'"},
      {{"train", db, "--table", "docs", "--column", "nope"},
       1,
       "no column 'nope'; it has id, body, lang"},
      {train({"--where", "lang ="}), 1, "where: "},
      {train({"--where", "0"}), 1, ""},
      {train({"--learning-rate", "100", "--source-rate", "10000", "--epochs", "100"}), 1,
       "lower one of them"},
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
  };
  const std::string hash = file.Hash();
  for (const Case& c : cases) {
    std::string line;
    for (const std::string& argument : c.arguments) line += argument + " ";
    const Outcome outcome = Run(c.arguments).Done();
    INFO((line + "\n" + outcome.error));
    CHECK(outcome.code == c.code);
    CHECK(outcome.out.empty());
    CHECK(outcome.error.substr(0, 5) == "s2v: ");
    CHECK(Lines(outcome.error).size() == 1);
    CHECK(Contains(outcome.error, c.message));
  }
  CHECK(!std::filesystem::exists(folder + "/nope.db"));
  file.CheckWhole(hash);
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
  file.Trained({"--model", "a longer name", "--ngram-order", "2", "--min-ngram-count", "1"});
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

  const Outcome drop = Run({"drop", file.path(), "zoë\n"}).Done();
  CHECK(drop.code == 0);
  CHECK((drop.out + drop.error).empty());
  CHECK(db.Text("SELECT group_concat(name) FROM s2v_models") == "a longer name");
}

TEST_CASE("s2v embed agrees with s2v_embed to the bit, in every format, for odd input") {
  const TestFile file;
  file.Trained({"--ngram-order", "2", "--min-ngram-count", "1"});
  {
    Database writer(file.path());
    writer.Exec("SELECT s2v_train('docs', 'body', '{\"model\":\"other\",\"dimension\":3}')");
  }
  const Database db(file.path());
  std::string long_line;
  while (long_line.size() < 300000)
    long_line += "w" + std::to_string(long_line.size() % 70) + " x ";
  const std::vector<std::string> texts = {
      "w1 w2 w3", "W1, w2!",        "",        "unknown",   std::string("w1\0w2", 5), "w4\r",
      " \t",      "w5 \xff\xfe w6", long_line, "wörter w7", std::string(200000, 'z'), "w8 w9"};
  std::string input;
  for (const std::string& text : texts) input += text + (text.size() % 2 ? "\r\n" : "\n");
  input.pop_back();  // the last newline is missing
  for (const bool raw : {false, true}) {
    for (const std::string model : {"", "other"}) {
      CAPTURE(raw);
      CAPTURE(model);
      const std::string embed = "s2v_embed(?1, " + (model.empty() ? "NULL" : "'" + model + "'") +
                                (raw ? ", 'raw')" : ")");
      std::string json, tsv, bytes;
      for (const std::string& text : texts) {
        const std::string vector = FromSql(db, embed, text);
        std::string numbers = FromSql(db, "s2v_to_json(" + embed + ")", text);
        json += (numbers.empty() ? "null" : numbers) + "\n";
        if (!numbers.empty()) numbers = numbers.substr(1, numbers.size() - 2);
        for (char& c : numbers) c = c == ',' ? '\t' : c;
        tsv += numbers + "\n";
        bytes += vector.empty() ? std::string(model.empty() ? 48 : 12, '\0') : vector;
      }
      Arguments arguments = {"embed", file.path()};
      if (!model.empty()) arguments.insert(arguments.end(), {"--model", model});
      if (raw) arguments.push_back("--raw");
      const Outcome as_json = Run(arguments).Input(input).Done();
      CHECK(as_json.code == 0);
      CHECK(as_json.error.empty());
      CHECK((as_json.out == json));
      arguments.insert(arguments.end(), {"--format", "tsv"});
      CHECK((Run(arguments).Input(input).Done().out == tsv));
      arguments.back() = "raw";
      const Outcome as_bytes = Run(arguments).Input(input).Done();
      CHECK(as_bytes.code == 0);
      CHECK((as_bytes.out == bytes));
      CHECK(as_bytes.error == "s2v: 4 of 12 texts have no known feature: zeros stand for them\n");
    }
  }
  WriteFile(file.folder() + "/in", input);
  CHECK(Run({"embed", file.path(), "--input", file.folder() + "/in"}).Done().out ==
        Run({"embed", file.path()}).Input(input).Done().out);
  CHECK(Run({"embed", file.path()}).Done().out.empty());
  CHECK(Lines(Run({"embed", file.path()}).Input("\n\n").Done().out).size() == 2);
}

TEST_CASE(
    "s2v embed serves as a coprocess, holds no lock while it waits, and never mixes two models") {
  const TestFile file;
  file.Trained();
  int in[2], out[2], error[2];
  REQUIRE(pipe2(in, O_CLOEXEC) == 0);
  REQUIRE(pipe2(out, O_CLOEXEC) == 0);
  REQUIRE(pipe2(error, O_CLOEXEC) == 0);
  const pid_t child = Start({"embed", file.path()}, in[0], out[1], error[1]);
  for (const int end : {in[0], out[1], error[1]}) close(end);
  char bytes[4096];
  const auto ask = [&] {
    REQUIRE(write(in[1], "w1 w2\n", 6) == 6);
    return read(out[0], bytes, sizeof(bytes));
  };
  Database db(file.path());
  const std::string expected = db.Text("SELECT s2v_to_json(s2v_embed('w1 w2'))") + "\n";
  for (int i = 0; i < 3; i++) {
    const ssize_t size = ask();
    REQUIRE(size > 0);
    CHECK(std::string(bytes, static_cast<size_t>(size)) == expected);
    db.Exec("INSERT INTO docs(body) VALUES('new')");  // a reader's lock would refuse the commit
  }
  file.Trained();
  CHECK(ask() == 0);
  const ssize_t size = read(error[0], bytes, sizeof(bytes));
  CHECK(Contains(std::string_view(bytes, static_cast<size_t>(size)),
                 "model 'docs' was replaced meanwhile"));
  CHECK(WaitFor(child) == 1);
  for (const int end : {in[1], out[0], error[0]}) close(end);
}

TEST_CASE("reading works on a file and in a folder that cannot be written; writing says why not") {
  const std::string expected = [] {
    const TestFile file;
    file.Trained();
    return Run({"embed", file.path()}).Input("w1 w2").Done().out;
  }();
  for (const bool wal : {false, true}) {
    CAPTURE(wal);
    const TestFile file;
    file.Trained();
    if (wal) Database(file.path()).Exec("PRAGMA journal_mode = wal");
    chmod(file.path().c_str(), 0444);
    chmod(file.folder().c_str(), 0555);
    const Outcome embed = Run({"embed", file.path()}).Input("w1 w2").AsNobody().Done();
    if (embed.code >= 126) {
      MESSAGE("not tested: user nobody cannot run " S2V_COMMAND_PATH);
      return;
    }
    CHECK(embed.error == "");
    CHECK(embed.code == 0);
    CHECK(embed.out == expected);
    CHECK(Run({"models", file.path()}).AsNobody().Done().code == 0);
    const Outcome train = Run(file.Train()).AsNobody().Done();
    CHECK(train.code == 1);
    CHECK(Contains(train.error, "cannot write '" + file.path() + "': Permission denied"));
    chmod(file.path().c_str(), 0666);
    const Outcome drop = Run({"drop", file.path(), "docs"}).AsNobody().Done();
    CHECK(drop.code == 1);
    CHECK(Contains(drop.error,
                   "cannot write folder '" + file.folder() + "', where SQLite keeps the journal"));
    chmod(file.path().c_str(), 0);
    const Outcome secret = Run({"models", file.path()}).AsNobody().Done();
    CHECK(secret.code == 1);
    CHECK(Contains(secret.error, "cannot read '" + file.path() + "': Permission denied"));
    chmod(file.folder().c_str(), 0700);
    chmod(file.path().c_str(), 0600);
  }
}

TEST_CASE("a -wal file that cannot be read is not passed over") {
  const TestFile file;
  Database db(file.path());
  db.Exec("PRAGMA journal_mode = wal; SELECT count(*) FROM docs");
  file.Trained();  // stays in the -wal file while db is open
  REQUIRE(std::filesystem::file_size(file.path() + "-wal") > 0);
  const Folder copy;
  for (const char* suffix : {"", "-wal"}) {
    WriteFile(copy.File(std::string("b.db") + suffix), ReadFile(file.path() + suffix));
  }
  chmod(copy.path().c_str(), 0555);
  const Outcome outcome = Run({"models", copy.File("b.db")}).AsNobody().Done();
  if (outcome.code >= 126) return;
  CHECK(outcome.code == 1);
  CHECK(Contains(outcome.error, "(-journal, -wal) need recovery or write permission"));
}

TEST_CASE("a terminal shows the memory and a progress line, --quiet neither") {
  const TestFile file;
  const Arguments arguments = file.Train({"--epochs", "3000", "--subsampling-threshold", "1"});
  Terminal terminal(arguments);
  CHECK(terminal.End() == 0);
  const std::string& seen = terminal.seen();
  for (const char* text :
       {"\rreading: ", "the two matrices take ", "\rtraining ", " % ", "tokens/s", "  rate 0.",
        "  loss ", " s left", "\rstoring the model", "use it: "}) {
    INFO((std::string(text) + " in " + seen));
    CHECK(Contains(seen, text));
  }
  // Each rewriting fits on the line.
  std::istringstream rewritings(seen);
  for (std::string text; std::getline(rewritings, text, '\r');) CHECK(text.size() < 80);

  Terminal quiet(file.Train({"--quiet"}));
  CHECK(quiet.End() == 0);
  CHECK(!Contains(quiet.seen(), "training "));
  CHECK(!Contains(quiet.seen(), "matrices"));
  CHECK(Contains(quiet.seen(), "use it: "));
}

TEST_CASE("Ctrl-C and SIGTERM give the training up at once and leave the former model") {
  const TestFile file;
  file.Trained();
  const std::string hash = file.Hash();
  const std::string endless =
      "(WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT max(x) FROM c) > id";
  const auto check_end = [&](Terminal* terminal) {
    const auto start = Clock::now();
    const int code = terminal->End();
    INFO((terminal->seen()));
    CHECK(code == kInterrupted);
    CHECK(SecondsSince(start) < kSoon);
    CHECK(Contains(
        terminal->seen(),
        "\rs2v: interrupted: the database is unchanged; the former model still answers\r\n"));
    file.CheckWhole(hash);
  };
  SUBCASE("while training, Ctrl-C") {
    Terminal terminal(file.TrainLong());
    terminal.WaitForText("tokens/s");
    terminal.Type("\x03");
    check_end(&terminal);
  }
  SUBCASE("while training, SIGTERM") {
    Terminal terminal(file.TrainLong());
    terminal.WaitForText("tokens/s");
    kill(terminal.child(), SIGTERM);
    check_end(&terminal);
  }
  SUBCASE("while reading") {
    Terminal terminal(file.Train({"--where", endless}));
    terminal.WaitForText("reading");
    Sleep(100);
    terminal.Type("\x03");
    check_end(&terminal);
  }
  SUBCASE("while waiting to write") {
    Database writer(file.path());
    writer.Exec("BEGIN IMMEDIATE");
    Terminal terminal(file.Train());
    terminal.WaitForText("waiting for another connection");
    terminal.Type("\x03");
    check_end(&terminal);
  }
  SUBCASE("while waiting to commit") {
    Database reader(file.path());
    reader.Exec("BEGIN; SELECT count(*) FROM docs");
    Terminal terminal(file.Train());
    terminal.WaitForText("waiting for another connection");
    terminal.Type("\x03");
    check_end(&terminal);
  }
  SUBCASE("two signals together") {
    Terminal terminal(file.TrainLong());
    terminal.WaitForText("tokens/s");
    kill(terminal.child(), SIGSTOP);
    kill(terminal.child(), SIGINT);
    kill(terminal.child(), SIGTERM);
    kill(terminal.child(), SIGCONT);
    CHECK(terminal.End() == kInterrupted);
    file.CheckWhole(hash);
  }
}

TEST_CASE("another connection that writes or reads delays the storing, and does not fail it") {
  const TestFile file;
  file.Trained();
  const std::string hash = file.Hash();
  Database other(file.path());
  other.Exec("BEGIN IMMEDIATE; INSERT INTO docs(body) VALUES('late')");
  Run run(file.Train({"--seed", "2"}));
  const pid_t child = run.Begin();
  Sleep(300);
  CHECK(file.Hash() == hash);
  other.Exec("COMMIT; BEGIN; SELECT count(*) FROM docs");
  Sleep(100);
  other.Exec("COMMIT");
  const Outcome outcome = run.End(child);
  CHECK(outcome.error == "");
  CHECK(outcome.code == 0);
  CHECK(file.Hash() != hash);
}

TEST_CASE("two trainings at once on one database both end well") {
  const TestFile file;
  Run first(file.Train({"--model", "a", "--epochs", "50"})),
      second(file.Train({"--model", "b", "--epochs", "50"}));
  Run third(file.Train({"--model", "a", "--epochs", "50"}));
  const pid_t one = first.Begin(), two = second.Begin(), three = third.Begin();
  for (const Outcome& outcome : {first.End(one), second.End(two), third.End(three)}) {
    CHECK(outcome.error == "");
    CHECK(outcome.code == 0);
  }
  Database db(file.path());
  CHECK(db.Text("SELECT group_concat(name) FROM s2v_models") == "a,b");
  CHECK(db.Int("SELECT sum(is_default) FROM s2v_models") == 1);
  CHECK(db.Text("PRAGMA integrity_check") == "ok");
}

TEST_CASE("kill -9 while training leaves the database whole") {
  const TestFile file;
  file.Trained();
  const std::string hash = file.Hash();
  Run run(file.TrainLong());
  const pid_t child = run.Begin();
  Sleep(200);
  kill(child, SIGKILL);
  CHECK(run.End(child).code == 256 + SIGKILL);
  file.CheckWhole(hash);
}

TEST_CASE("kill -9 while storing leaves the database whole") {
  // Some 16 MB of model, more than SQLite's cache: pages reach the file before the commit.
  const TestFile file(400, 1000);
  Arguments arguments = file.Train({"--epochs", "1", "--negatives", "1"});
  *std::find(arguments.begin(), arguments.end(), "12") = "2048";
  file.Trained();
  const std::string hash = file.Hash();
  const auto size = std::filesystem::file_size(file.path());
  bool caught = false;
  for (int attempt = 0; attempt < 20 && !caught; attempt++) {
    Run run(arguments);
    const pid_t child = run.Begin();
    const auto start = Clock::now();
    while (std::filesystem::file_size(file.path()) < size + 1000000 &&
           SecondsSince(start) < 10 * kSoon) {
    }
    kill(child, SIGKILL);
    run.End(child);
    caught = std::filesystem::exists(file.path() + "-journal");
    if (caught) CHECK(std::filesystem::file_size(file.path()) > size);
  }
  REQUIRE(caught);
  file.CheckWhole(hash);
}
