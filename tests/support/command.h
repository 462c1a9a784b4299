// The `s2v` program started as a process, its output kept.
//
//   const Folder folder;                                  // goes away at the end
//   const Outcome outcome = Run({"models", folder.File("a.db")}).Done();
//   CHECK(outcome.code == 0);
#pragma once

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

namespace s2v::testing {

using Arguments = std::vector<std::string>;
// Those of a line that has no quotes.
inline Arguments Words(const std::string& line) {
  std::istringstream words(line);
  return {std::istream_iterator<std::string>(words), {}};
}
inline Arguments operator+(Arguments a, const Arguments& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

inline constexpr uid_t kNobody = 65534;

inline std::string ReadFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream bytes;
  bytes << file.rdbuf();
  return bytes.str();
}

inline void WriteFile(const std::string& path, const std::string& bytes) {
  std::filesystem::remove(path);  // ext4 waits for the disk where a file is cut and written again
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

}  // namespace s2v::testing
