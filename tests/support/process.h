// The `s2v` program in a terminal, on files with texts, stopped and timed: what its own tests need
// beside command.h.
#pragma once

#include <poll.h>
#include <pty.h>
#include <signal.h>

#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "tests/support/command.h"
#include "tests/support/database.h"

namespace s2v::testing {

using Clock = std::chrono::steady_clock;

inline constexpr int kInterrupted = 130;
inline constexpr double kSoon = kSanitized ? 20 : 2;  // seconds

inline double SecondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

inline void Sleep(int milliseconds) {
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
    return Words("train " + path() +
                 " --table docs --column body --dimension 12 --min-count 1 "
                 "--min-target-count 1 --workers 1") +
           more;
  }
  // One that lasts for hours.
  Arguments TrainLong() const { return Train(Words("--epochs 100000 --subsampling-threshold 1")); }
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
inline std::string FromSql(const Database& db, const std::string& expression,
                           const std::string& text) {
  Statement select(db.get(), "SELECT " + expression, text);
  REQUIRE(select.Step());
  return std::string(select.Blob(0));
}

inline std::vector<std::string> Lines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

struct Refusal {
  Arguments arguments;
  int code;
  std::string message;
};
// That each ends with its code and one line of an error, which has the message in it.
inline void CheckRefusals(const std::vector<Refusal>& refusals) {
  for (const Refusal& refusal : refusals) {
    const Outcome outcome = Run(refusal.arguments).Done();
    INFO((NamesOf(refusal.arguments) + "\n" + outcome.error));
    CHECK(outcome.code == refusal.code);
    CHECK(outcome.out.empty());
    CHECK(outcome.error.starts_with("s2v: "));
    CHECK(Lines(outcome.error).size() == 1);
    CHECK(Contains(outcome.error, refusal.message));
  }
}

}  // namespace s2v::testing
