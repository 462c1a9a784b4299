#include "sql/system/memory.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "core/error.h"
#include "sql/system/platform.h"
#include "sql/system/temporary_file.h"
#include "tests/support/command.h"

namespace s2v {
namespace {

TEST_CASE("a temporary file reads back what was written, anywhere, and has no name") {
  const testing::Folder folder;
  setenv("TMPDIR", folder.path().c_str(), 1);
  {
    const auto file = OpenSpoolFile();
    CHECK(std::filesystem::is_empty(folder.path()));
    const std::string text(300000, 'x');
    file->Write(100, text);
    file->Write(0, "begin");
    file->Write(7000000000, "far");
    std::string read(5, '?');
    file->Read(0, 5, read.data());
    CHECK(read == "begin");
    read.resize(text.size());
    file->Read(100, text.size(), read.data());
    CHECK((read == text));
    file->Read(7000000000, 3, read.data());
    CHECK(read.substr(0, 3) == "far");
    CHECK_THROWS_AS(file->Read(7000000000, 4, read.data()), InvalidArgument);
  }
  CHECK(std::filesystem::is_empty(folder.path()));
  unsetenv("TMPDIR");
}

TEST_CASE("the memory that is available is what the system says, or less") {
  std::ifstream system("/proc/meminfo");
  if (!system) return;  // not Linux
  uint64_t total = 0;
  std::string word;
  while (system >> word && word != "MemTotal:") {
  }
  system >> total;
  const uint64_t available = AvailableMemory();
  CHECK(available > 0);
  CHECK(available <= total * 1024);
}

}  // namespace
}  // namespace s2v
