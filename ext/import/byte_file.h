// A file of which pieces are read in any order, in bounded memory; errors name the file and the
// byte.
//
//   ByteFile file("wiki.vec");
//   std::string_view line;
//   while (file.NextText('\n', &line)) Use(line);
//
// Thread rule: belongs to one thread at a time.
#pragma once

#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace s2v {

// What a file holds cannot be; the message names the file and the byte.
class FileError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Throws FileError, std::runtime_error where the system cannot read.
class ByteFile {
 public:
  explicit ByteFile(const std::string& path);
  ~ByteFile();
  ByteFile(const ByteFile&) = delete;
  ByteFile& operator=(const ByteFile&) = delete;

  uint64_t size() const { return size_; }
  uint64_t position() const { return position_; }
  void Seek(uint64_t position) { position_ = position; }
  // The next bytes up to delimiter, which is skipped; false at the end of the file, which ends the
  // last one too. Throws FileError for more than kMostBytes.
  bool NextText(char delimiter, std::string_view* text);
  // The next bytes, at most kMostBytes, valid until the next call.
  const char* Next(size_t bytes);
  // Bytes anywhere: read alone, unless the last ones were before them.
  const char* At(uint64_t place, size_t bytes);
  template <typename T>
  T NextNumber() {
    T number;
    std::memcpy(&number, Next(sizeof(T)), sizeof(T));
    return number;
  }
  // "'wiki.vec': byte 17: what"
  [[noreturn]] void Fail(uint64_t byte, const std::string& what) const;
  [[noreturn]] void Fail(const std::string& what) const { Fail(position_, what); }

  static constexpr size_t kMostBytes = size_t{1} << 20;

 private:
  void Read(uint64_t place, size_t bytes, char* to) const;
  // Bytes from position_ on, as many as the buffer holds and the file has.
  std::string_view Ahead();

  const std::string path_;
  int file_ = -1;
  uint64_t size_ = 0, position_ = 0;
  std::vector<char> buffer_;
  uint64_t buffer_begin_ = 0;  // of the buffer in the file
  std::vector<char> row_;      // what At has read alone
  uint64_t jumped_to_ = 0;     // where it was
};

}  // namespace s2v
