#include "sql/system.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <optional>
#include <string>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "core/error.h"
#include "core/train/sampling.h"

namespace s2v {
namespace {

std::string Folder() {
  const char* folder = std::getenv("TMPDIR");
  return folder == nullptr || *folder == '\0' ? "/tmp" : folder;
}

[[noreturn]] void ThrowFailed(const std::string& what) {
  const int error = errno;
  const char* advice =
      error == ENOSPC || error == EDQUOT || error == EFBIG
          ? "; make room there, set TMPDIR to another folder, or raise memory_limit"
          : "; set TMPDIR to another folder, or raise memory_limit";
  throw InvalidArgument(what + " the temporary file in '" + Folder() +
                        "': " + std::strerror(error) + advice);
}

class TemporaryFile final : public SpoolFile {
 public:
  TemporaryFile() {
    std::string path = Folder() + "/s2v-XXXXXX";
    file_ = mkostemp(path.data(), O_CLOEXEC);
    if (file_ < 0) ThrowFailed("cannot make");
    unlink(path.c_str());
  }
  ~TemporaryFile() override { close(file_); }
  TemporaryFile(const TemporaryFile&) = delete;

  void Write(uint64_t offset, std::string_view bytes) override {
    while (!bytes.empty()) {
      const ssize_t size = pwrite(file_, bytes.data(), bytes.size(), static_cast<off_t>(offset));
      if (size < 0 && errno == EINTR) continue;
      if (size <= 0) ThrowFailed("cannot write");
      bytes.remove_prefix(static_cast<size_t>(size));
      offset += static_cast<uint64_t>(size);
    }
  }

  void Read(uint64_t offset, size_t size, char* bytes) const override {
    while (size > 0) {
      const ssize_t got = pread(file_, bytes, size, static_cast<off_t>(offset));
      if (got < 0 && errno == EINTR) continue;
      if (got == 0) errno = EIO;
      if (got <= 0) ThrowFailed("cannot read");
      bytes += got;
      size -= static_cast<size_t>(got);
      offset += static_cast<uint64_t>(got);
    }
  }

 private:
  int file_ = -1;
};

// The number after a name in a file such as /proc/meminfo; the first number where the name is "".
std::optional<uint64_t> NumberIn(const std::string& path, const std::string& name) {
  std::ifstream file(path);
  for (std::string word; !name.empty() && word != name && file >> word;) {
  }
  uint64_t number = 0;
  return file >> number ? std::optional(number) : std::nullopt;
}

// A version of Linux' control groups, and its files.
struct ControlGroups {
  const char *folder, *controller, *limit, *usage, *inactive;
};
constexpr ControlGroups kControlGroups[] = {
    {"/sys/fs/cgroup", "", "/memory.max", "/memory.current", "inactive_file"},
    {"/sys/fs/cgroup/memory", "memory", "/memory.limit_in_bytes", "/memory.usage_in_bytes",
     "total_inactive_file"}};

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
  std::ifstream file("/proc/self/cgroup");
  for (std::string line; std::getline(file, line);) {
    const size_t first = line.find(':'), second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    if (line.substr(first + 1, second - first - 1) == controller) return line.substr(second + 1);
  }
  return "";
}

constexpr uint64_t kMegabyte = 1000000;
constexpr uint64_t kTextBytes = 1000 * kMegabyte;

constexpr uint64_t kBytesOfWord = 64;    // its bytes, count, hash, slots; keep probability
constexpr uint64_t kBytesOfTarget = 12;  // keep probability, an entry of the sampler
constexpr uint64_t kBytesOfNgram = 8;    // bucket, count
constexpr uint64_t kRowsOfWorker = 100;  // of a step's scratch: the targets of a long sentence
constexpr uint64_t kBytesOfWorker = 1 << 18;

std::string Megabytes(uint64_t bytes) {
  return std::to_string((bytes + kMegabyte / 2) / kMegabyte) + " MB";
}

// 1 / part of what there is, at most most.
uint64_t Share(int64_t limit, uint64_t part, uint64_t most) {
  const uint64_t all = limit > 0 ? static_cast<uint64_t>(limit) * kMegabyte : AvailableMemory();
  return all == 0 ? most : std::min(most, all / part);
}

}  // namespace

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

int64_t ParseMegabytes(std::string_view name, std::string_view value) {
  constexpr int64_t kMost = 1000000000;
  int64_t number = 0;
  if (!ParseNumber(value, &number) || number < 0 || number > kMost) {
    throw InvalidArgument(std::string(name) + ": a whole number of megabytes from 0 to " +
                          std::to_string(kMost) + " expected, not '" + std::string(value) + "'");
  }
  return number;
}

Spool TextSpool(int64_t limit) {
  return {Share(limit, 4, kTextBytes), OpenSpoolFile};
}

uint64_t WordBytes(int64_t limit) {
  return Share(limit, 2, CorpusBuilder::kMostWordBytes);
}

MemoryNeed NeedOf(const Config& config, const Corpus& corpus) {
  const auto dimension = static_cast<uint32_t>(config.dimension);
  const uint64_t words = corpus.vocabulary.size(), ngrams = corpus.ngram_buckets.size();
  const uint64_t targets = TargetWords(corpus.vocabulary, config);
  MemoryNeed need;
  need.source = Matrix::Bytes(words + ngrams, dimension);
  need.target = Matrix::Bytes(targets, dimension);
  need.texts = corpus.store.memory_bytes();
  need.tables = words * kBytesOfWord + targets * kBytesOfTarget + ngrams * kBytesOfNgram;
  need.workers = WorkerCount(config) * (kBytesOfWorker + Matrix::Bytes(kRowsOfWorker, dimension));
  return need;
}

void CheckMemory(const MemoryNeed& need, uint64_t available, const Config& config) {
  if (available == 0 || need.Total() <= available) return;
  std::string advice = "lower dimension (" + std::to_string(config.dimension) +
                       "), or raise min_count (" + std::to_string(config.min_count) + ")";
  if (config.ngram_order > 1) {
    advice += ", or lower ngram_order (" + std::to_string(config.ngram_order) + ")";
  }
  if (need.former > 0) {
    advice = "free memory, or train afresh, without the " + Megabytes(need.former) +
             " of the former model";
  }
  throw InvalidArgument("training needs about " + Megabytes(need.Total()) + ", and " +
                        Megabytes(available) + " are available; " + advice);
}

uint64_t MemoryFor(const MemoryNeed& need, int64_t limit) {
  if (limit > 0) return static_cast<uint64_t>(limit) * kMegabyte;
  const uint64_t free = AvailableMemory();
  return free == 0 ? 0 : free + need.Taken();
}

std::unique_ptr<SpoolFile> OpenSpoolFile() {
  return std::make_unique<TemporaryFile>();
}

void ReturnFreedMemory() {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

}  // namespace s2v
