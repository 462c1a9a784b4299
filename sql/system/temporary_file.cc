#include "sql/system/temporary_file.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>

#include "core/error.h"
#include "sql/system/platform.h"

namespace s2v {
namespace {

[[noreturn]] void ThrowFailed(const std::string& what) {
  const int error = errno;
  const char* advice =
      IsNoRoom(error) ? "; make room there, set TMPDIR to another folder, or raise memory_limit"
                      : "; set TMPDIR to another folder, or raise memory_limit";
  throw InvalidArgument(what + " the temporary file in '" + TemporaryFolder() +
                        "': " + std::strerror(error) + advice);
}

class TemporaryFile final : public SpoolFile {
 public:
  TemporaryFile() : file_(OpenTemporary()) {
    if (file_ < 0) ThrowFailed("cannot make");
  }
  ~TemporaryFile() override { close(file_); }
  TemporaryFile(const TemporaryFile&) = delete;

  void Write(uint64_t offset, std::string_view bytes) override {
    while (!bytes.empty()) {
      const int64_t size = WriteAt(file_, offset, bytes);
      if (size <= 0) ThrowFailed("cannot write");
      bytes.remove_prefix(static_cast<size_t>(size));
      offset += static_cast<uint64_t>(size);
    }
  }

  void Read(uint64_t offset, size_t size, char* bytes) const override {
    while (size > 0) {
      const int64_t got = ReadAt(file_, offset, size, bytes);
      if (got == 0) errno = EIO;
      if (got <= 0) ThrowFailed("cannot read");
      bytes += got;
      size -= static_cast<size_t>(got);
      offset += static_cast<uint64_t>(got);
    }
  }

 private:
  const int file_;
};

}  // namespace

std::unique_ptr<SpoolFile> OpenSpoolFile() {
  return std::make_unique<TemporaryFile>();
}

}  // namespace s2v
