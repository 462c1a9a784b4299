// The `s2v` program in a terminal, stopped, killed, and beside others.
#include <signal.h>

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "tests/support/process.h"

namespace s2v::testing {
namespace {

TEST_CASE("a terminal shows the memory and a progress line, --quiet neither") {
  const TestFile file;
  const Arguments arguments = file.Train({"--epochs", "1000", "--subsampling-threshold", "1"});
  Terminal terminal(arguments);
  CHECK(terminal.End() == 0);
  const std::string& seen = terminal.seen();
  for (const char* text : {"\rreading: ", "needs about ", " of memory, ", " are available",
                           "\rtraining ", " % ", "tokens/s", "  rate 0.", "  loss ", " s left",
                           "\rstoring the model", "search by words and meaning:"}) {
    INFO((std::string(text) + " in " + seen));
    CHECK(Contains(seen, text));
  }
  // Each rewriting fits on the line.
  std::istringstream rewritings(seen.substr(0, seen.find("model 'docs'")));
  for (std::string text; std::getline(rewritings, text, '\r');) CHECK(text.size() < 80);

  Terminal quiet(file.Train({"--quiet"}));
  CHECK(quiet.End() == 0);
  CHECK(quiet.seen().empty());
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
        "\rs2v: interrupted: what was being written is undone, and what was there before still answers\r\n"));
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

}  // namespace
}  // namespace s2v::testing
