// The `s2v` program stopped and killed while it keeps checkpoints, resumed, and updating.
#include <random>

#include "tests/support/process.h"

namespace s2v::testing {
namespace {

// A second of training, more on a busy machine.
Arguments Training(const TestFile& file, const Arguments& more = {}) {
  return file.Train(Words("--epochs 1500 --subsampling-threshold 1 --seed 3") + more);
}

TEST_CASE("kill -9 at any moment: the former model answers, and resuming gives the same bytes") {
  TestFile whole;
  const auto begin = Clock::now();
  Run(Training(whole)).Done();
  const double seconds = SecondsSince(begin);
  const std::string expected = whole.Hash();

  const TestFile file;
  file.Trained();
  const std::string former = file.Hash();
  std::mt19937 random(1);
  std::uniform_real_distribution<double> part(0.02, 0.5);
  Arguments next = Training(file, {"--checkpoint-every", "0.01"});
  bool ended = false, killed = false;
  int resumed = 0;
  // By what the whole training takes here, and longer and longer, so that it ends on a slow machine
  // and with a sanitizer too.
  for (int attempt = 0; attempt < 100 && !ended; attempt++) {
    Run run(next);
    const pid_t child = run.Begin();
    Sleep(static_cast<int>(1000 * seconds * (part(random) + 0.04 * attempt)));
    kill(child, SIGKILL);
    const Outcome outcome = run.End(child);
    INFO((outcome.error));
    REQUIRE((outcome.code == 0 || outcome.code == 256 + SIGKILL));
    // The kill may come between the commit and the end of the process.
    killed = outcome.code != 0;
    ended = !killed || file.Hash() == expected;
    if (ended) break;
    file.CheckWhole(former);
    const bool unfinished =
        Database(file.path()).Count("sqlite_schema WHERE name = 's2v_checkpoint'") == 1 &&
        Database(file.path()).Count("s2v_checkpoint WHERE complete") == 1;
    if (unfinished) {
      resumed++;
      next = {"train", file.path(), "--resume", "--checkpoint-every", "0.01"};
    }
  }
  REQUIRE(ended);
  CHECK(resumed > 0);
  CHECK(file.Hash() == expected);
  Database db(file.path());
  CHECK(db.Text("PRAGMA integrity_check") == "ok");
  CHECK(db.Count("s2v_checkpoint") == 0);
  // The blocks are deleted after the commit; those that a kill leaves there go with the next model
  // that is stored.
  if (killed) CHECK(Run({"convert", file.path(), "docs", "copy"}).Done().code == 0);
  CHECK(db.Count("s2v_checkpoint_rows") == 0);
}

TEST_CASE("Ctrl-C stores a checkpoint where there are checkpoints, and says how to go on") {
  const TestFile file;
  file.Trained();
  const std::string former = file.Hash();
  Terminal terminal(file.TrainLong() + Arguments{"--model", "a b", "--checkpoint-every", "1000"});
  terminal.WaitForText("tokens/s");
  const auto start = Clock::now();
  terminal.Type("\x03");
  CHECK(terminal.End() == kInterrupted);
  CHECK(SecondsSince(start) < kSoon);
  CHECK(Contains(terminal.seen(),
                 "s2v: stopped at 0 %; the former model, if any, still answers; go "
                 "on with: s2v train " +
                     file.path() + " --resume --model 'a b'\r\n"));
  file.CheckWhole(former);

  const Outcome models = Run({"models", file.path()}).Done();
  CHECK(models.code == 0);
  CHECK(Contains(models.error, "unfinished: 0 % of 'a b' from docs.body ("));
  CHECK(Contains(models.error, "go on with: s2v train " + file.path() + " --resume --model 'a b'"));
  const Outcome json = Run({"models", file.path(), "--json"}).Done();
  const std::string head = "{\"unfinished\":\"a b\",\"fraction\":";
  REQUIRE(json.out.compare(0, head.size(), head) == 0);
  const double fraction = std::stod(json.out.substr(head.size()));  // perhaps 9e-05
  CHECK((fraction > 0 && fraction < 0.01));

  // Another one that is given up at once keeps it.
  Terminal again({"train", file.path(), "--resume", "--model", "a b", "--checkpoint-every", "0"});
  again.WaitForText("tokens/s");
  again.Type("\x03");
  CHECK(again.End() == kInterrupted);
  CHECK(Contains(again.seen(), "s2v: stopped at 0 %"));
  CHECK(Run({"drop", file.path(), "a b"}).Done().code == 0);
  CHECK(Run({"models", file.path()}).Done().error == "");
  file.CheckWhole(former);
}

TEST_CASE("what train, --resume and update need is told") {
  const TestFile file;
  const auto error = [](const Arguments& arguments, int code) {
    const Outcome outcome = Run(arguments).Done();
    CHECK(outcome.code == code);
    return outcome.error;
  };
  CHECK(error({"train", file.path(), "--column", "body"}, 2) ==
        "s2v: --table is required; see s2v train --help\n");
  CHECK(error({"train", file.path(), "--table", "docs"}, 2) ==
        "s2v: --column is required; see s2v train --help\n");
  CHECK(Contains(error({"train", file.path(), "--resume"}, 1), "nothing to resume"));
  CHECK(
      Contains(error({"train", file.path(), "--resume", "--model", "aux.x"}, 2), "schema is main"));
  CHECK(Contains(error(file.Train({"--checkpoint-every", "-1"}), 2), "--checkpoint-every"));
  CHECK(Contains(error(file.Train({"--checkpoint-every", "often"}), 2), "--checkpoint-every"));
  CHECK(Contains(error({"update", file.path()}, 1), "no default model here"));
  CHECK(Contains(error({"update", file.path(), "--replay", "-1"}, 2), "replay: a number from 0"));
  CHECK(Contains(error({"update", file.path(), "--since", "1", "--where", "1"}, 2), "give one"));
  CHECK(Contains(error({"update", file.path(), "--since", "x"}, 2), "--since"));
}

TEST_CASE("update takes the new rows, tells the drift, and has nothing to do the second time") {
  const TestFile file;
  file.Trained();
  const std::string former = file.Hash();
  const Outcome none = Run({"update", file.path()}).Done();
  CHECK(none.code == 0);
  CHECK(none.out == "model 'docs' is as it was: no new texts in docs.body\n");
  Database(file.path()).Exec("INSERT INTO docs(body) VALUES('comet orbit w1'), ('comet orbit w2')");
  const Outcome outcome = Run({"update", file.path(), "--model", "docs", "--workers", "1"}).Done();
  INFO((outcome.error));
  CHECK(outcome.code == 0);
  CHECK(Contains(outcome.out,
                 "model 'docs': 2 new texts (2 sentences, and 2 old ones between them), "
                 "2 new words, 0 new n-grams\n"));
  CHECK(Contains(outcome.out, "drift: cosine "));
  CHECK(Contains(outcome.out, "the mean of 300\n"));
  CHECK(file.Hash() != former);
  CHECK(Contains(Run({"update", file.path(), "--json"}).Done().out, "\"new_texts\":0"));
}

}  // namespace
}  // namespace s2v::testing
