// The `s2v` program as a process, for its tests: with pipes, on files, in a terminal.
#ifndef S2V_TESTS_SUPPORT_PROCESS_H_
#define S2V_TESTS_SUPPORT_PROCESS_H_

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
#include "tests/support/database.h"

namespace s2v::testing {

using Arguments = std::vector<std::string>;
using Clock = std::chrono::steady_clock;

inline constexpr int kInterrupted = 130;
inline constexpr uid_t kNobody = 65534;
inline constexpr double kSoon = kSanitized ? 20 : 2;  // seconds

inline double SecondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

inline void Sleep(int milliseconds) {
  std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
}

inline std::string ReadFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream bytes;
  bytes << file.rdbuf();
  return bytes.str();
}

inline void WriteFile(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

// A folder that goes away.
class Folder {
 public:
  Folder() {
    char name[] = "/tmp/s2v_cli_XXXXXX";
    REQUIRE(mkdtemp(name) != nullptr);
    path_ = name;
  }
  ~Folder() {
    chmod(path_.c_str(), 0700);
    std::filesystem::remove_all(path_);
  }
  std::string File(const std::string& name) const { return path_ + "/" + name; }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

// In the child: never returns.
[[noreturn]] inline void Execute(const Arguments& arguments, bool as_nobody) {
  std::vector<char*> argv = {const_cast<char*>("s2v")};
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  if (as_nobody && geteuid() == 0 && (setgid(kNobody) != 0 || setuid(kNobody) != 0)) _exit(126);
  execv(S2V_COMMAND_PATH, argv.data());
  _exit(127);
}

// The exit code; 256 + the signal that ended it.
inline int WaitFor(pid_t child) {
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  return WIFSIGNALED(status) ? 256 + WTERMSIG(status) : WEXITSTATUS(status);
}

// Starts s2v with standard input, output and error as these descriptors.
inline pid_t Start(const Arguments& arguments, int in, int out, int error, bool as_nobody = false) {
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    dup2(in, STDIN_FILENO);
    dup2(out, STDOUT_FILENO);
    dup2(error, STDERR_FILENO);
    Execute(arguments, as_nobody);
  }
  return child;
}

struct Outcome {
  int code = 0;
  std::string out, error;
};

// Runs s2v to its end.
class Run {
 public:
  explicit Run(Arguments arguments) : arguments_(std::move(arguments)) {}
  Run& Input(const std::string& bytes) {
    WriteFile(folder_.File("in"), bytes);
    input_ = folder_.File("in");
    return *this;
  }
  Run& Output(const std::string& path) {
    output_ = path;
    return *this;
  }
  Run& AsNobody() {
    as_nobody_ = true;
    return *this;
  }
  pid_t Begin() {
    const int in = open(input_.c_str(), O_RDONLY | O_CLOEXEC);
    const int out = open(output_.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    const int error = open(folder_.File("error").c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    REQUIRE(in >= 0);
    REQUIRE(out >= 0);
    REQUIRE(error >= 0);
    const pid_t child = Start(arguments_, in, out, error, as_nobody_);
    for (const int file : {in, out, error}) close(file);
    return child;
  }
  Outcome End(pid_t child) {
    Outcome outcome;
    outcome.code = WaitFor(child);
    if (output_ == folder_.File("out")) outcome.out = ReadFile(output_);
    outcome.error = ReadFile(folder_.File("error"));
    return outcome;
  }
  Outcome Done() { return End(Begin()); }

 private:
  const Arguments arguments_;
  const Folder folder_;
  std::string input_ = "/dev/null", output_ = folder_.File("out");
  bool as_nobody_ = false;
};

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
inline std::string FromSql(const Database& db, const std::string& expression, const std::string& text) {
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

inline std::vector<std::string> Lines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

}  // namespace s2v::testing

#endif  // S2V_TESTS_SUPPORT_PROCESS_H_
