#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <optional>
#ifdef __GLIBC__
#include <malloc.h>
extern "C" __attribute__((weak)) decltype(malloc_trim) malloc_trim;  // musl has none
#endif

#include "sql/system/platform.h"

#ifdef __APPLE__
#define st_ctim st_ctimespec
#endif

namespace s2v {
namespace {

#ifdef __APPLE__  // knows no "e": a command is started while nothing else is
constexpr char kToRead[] = "r";
#else
constexpr char kToRead[] = "re";
#endif

// Calls again what a signal interrupted.
template <typename Call>
int64_t Uninterrupted(Call call) {
  int64_t result = 0;
  do {
    result = call();
  } while (result < 0 && errno == EINTR);
  return result;
}

// All of a file of the system's, which are short; "" where there is none. No stream: the C++
// library's know the insides of glibc's locales, and the extension is loaded with musl too
// (ext/install/other_libc.c).
std::string Contents(const std::string& path) {
  std::string text;
  const int file = OpenToRead(path);
  if (file < 0) return text;
  char part[4096];
  for (int64_t count;
       (count = Uninterrupted([&] { return read(file, part, sizeof(part)); })) > 0;) {
    text.append(part, static_cast<size_t>(count));
  }
  close(file);
  return text;
}

// The number after a name at the beginning of a line, in a file such as /proc/meminfo; the first
// number where the name is "".
std::optional<uint64_t> NumberIn(const std::string& path, const std::string& name) {
  const std::string text = "\n" + Contents(path);
  size_t at = text.find("\n" + name);
  if (at == text.npos) return std::nullopt;
  at = std::min(text.find_first_not_of(" \t", at + 1 + name.size()), text.size());
  uint64_t number = 0;
  const auto read = std::from_chars(text.data() + at, text.data() + text.size(), number);
  return read.ec == std::errc() ? std::optional(number) : std::nullopt;
}

// A version of Linux' control groups, and its files.
struct ControlGroups {
  const char *folder, *controller, *limit, *usage, *inactive;
};
constexpr ControlGroups kControlGroups[] = {
    {"/sys/fs/cgroup", "", "/memory.max", "/memory.current", "inactive_file "},
    {"/sys/fs/cgroup/memory", "memory", "/memory.limit_in_bytes", "/memory.usage_in_bytes",
     "total_inactive_file "}};

// What is left below a group's limit, counting pages of files that can be taken back as free.
uint64_t Left(const std::string& folder, const ControlGroups& version) {
  const auto most = NumberIn(folder + version.limit, ""),
             used = NumberIn(folder + version.usage, "");
  if (!most || !used) return UINT64_MAX;  // "max": no limit
  const uint64_t files = NumberIn(folder + "/memory.stat", version.inactive).value_or(0);
  const uint64_t taken = *used - std::min(*used, files);
  return *most - std::min(*most, taken);
}

// The folder of this process' control group below a hierarchy, "" where it has none there.
std::string ControlGroup(const std::string& controller) {
  const std::string text = Contents("/proc/self/cgroup");
  for (size_t begin = 0, end; (end = text.find('\n', begin)) != text.npos; begin = end + 1) {
    const std::string line = text.substr(begin, end - begin);
    const size_t first = line.find(':'), second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    if (line.substr(first + 1, second - first - 1) == controller) return line.substr(second + 1);
  }
  return "";
}

}  // namespace

int OpenToRead(const std::string& path, bool waits) {
  return open(path.c_str(), O_RDONLY | O_CLOEXEC | (waits ? 0 : O_NONBLOCK));
}

int64_t FileSize(int file) {
  struct stat status {};
  return fstat(file, &status) == 0 && S_ISREG(status.st_mode) ? status.st_size : -1;
}

int64_t ReadAt(int file, uint64_t place, size_t bytes, char* to) {
  return Uninterrupted([&] { return pread(file, to, bytes, static_cast<off_t>(place)); });
}

int64_t WriteAt(int file, uint64_t place, std::string_view bytes) {
  return Uninterrupted(
      [&] { return pwrite(file, bytes.data(), bytes.size(), static_cast<off_t>(place)); });
}

int OpenTemporary() {
  std::string path = TemporaryFolder() + "/s2v-XXXXXX";
  const int file = mkostemp(path.data(), O_CLOEXEC);
  if (file >= 0) unlink(path.c_str());
  return file;
}

std::string TemporaryFolder() {
  const char* folder = std::getenv("TMPDIR");
  return folder == nullptr || *folder == '\0' ? "/tmp" : folder;
}

bool IsNoRoom(int error) {
  return error == ENOSPC || error == EDQUOT || error == EFBIG;
}

std::string FileIdentity(const std::string& path) {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0) return "";
  return std::to_string(status.st_dev) + "/" + std::to_string(status.st_ino);
}

std::string FileVersion(const std::string& path) {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0) return "";
  return std::to_string(status.st_size) + "/" + std::to_string(status.st_ctim.tv_sec) + "." +
         std::to_string(status.st_ctim.tv_nsec);
}

bool MayRead(const std::string& path) {
  return access(path.c_str(), R_OK) == 0;
}
bool MayWrite(const std::string& path) {
  return access(path.c_str(), W_OK) == 0;
}

uint64_t AvailableMemory() {
  const auto kilobytes = NumberIn("/proc/meminfo", "MemAvailable:");
  uint64_t available = kilobytes ? *kilobytes * 1024 : UINT64_MAX;
  for (const ControlGroups& version : kControlGroups) {
    const std::string root = version.folder;  // inside a container that is the process' own group
    for (const std::string& folder : {root + ControlGroup(version.controller), root}) {
      available = std::min(available, Left(folder, version));
    }
  }
  return available == UINT64_MAX ? 0 : available;
}

void ReturnFreedMemory() {
#ifdef __GLIBC__
  if (malloc_trim != nullptr) malloc_trim(0);
#endif
}

char** BeginProgram(int*, char** arguments) {
#ifdef SIGXFSZ
  signal(SIGXFSZ, SIG_IGN);  // a file that may not grow is an error of writing
#endif
  return arguments;
}

size_t TerminalWidth() {
  constexpr size_t kUsual = 80;
  struct winsize size {};
  if (isatty(STDERR_FILENO) != 1) return 0;
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col < 2 ? kUsual : size.ws_col;
}

FILE* StartCommand(const std::string& command, FILE* input) {
  const int inherited = dup(fileno(input));  // which may close on exec
  FILE* const output =
      popen(("exec </dev/fd/" + std::to_string(inherited) + "\n" + command).c_str(), kToRead);
  close(inherited);
  return output;
}

int EndCommand(FILE* output) {
  const int status = pclose(output);
  return WIFSIGNALED(status) ? 256 + WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace s2v
