// Lines of any length from a file: text up to '\n', without it and without a '\r' before it. A last
// line needs no '\n'. A byte order mark of UTF-8 at the beginning is skipped, one of UTF-16 an
// error; NUL bytes are bytes like others.
//
//   LineReader lines("-", [] { FlushOutput(); });
//   for (std::string line; lines.Next(&line);) ...
#pragma once

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <functional>
#include <istream>
#include <stdexcept>
#include <streambuf>
#include <string>

#include "sql/system/platform.h"

namespace s2v {

class LineReader : private std::streambuf {
 public:
  // path: "-" for standard input. before_read is called before each read, which may wait for its
  // input. Throws std::runtime_error where it cannot be read, and so does Next.
  explicit LineReader(
      const std::string& path, std::function<void()> before_read = [] {})
      : LineReader(path == "-" ? STDIN_FILENO : OpenToRead(path, /*waits=*/true),
                   std::move(before_read)) {
    if (file_ < 0) throw std::runtime_error("cannot read '" + path + "': " + std::strerror(errno));
    close_ = file_ != STDIN_FILENO;
  }
  LineReader(int file, std::function<void()> before_read)
      : file_(file), before_read_(std::move(before_read)) {
    stream_.exceptions(std::ios::badbit);  // those of underflow
  }
  ~LineReader() override {
    if (close_) close(file_);
  }

  // False at the end.
  bool Next(std::string* line) {
    if (!std::getline(stream_, *line)) return false;
    if (line->ends_with('\r')) line->pop_back();
    if (is_first_ && line->starts_with("\xEF\xBB\xBF")) line->erase(0, 3);
    if (is_first_ && (line->starts_with("\xFF\xFE") || line->starts_with("\xFE\xFF")))
      throw std::runtime_error(
          "the input is UTF-16, UTF-8 is expected: iconv -f UTF-16 -t UTF-8 makes it that");
    is_first_ = false;
    return true;
  }

 private:
  int_type underflow() override {
    before_read_();
    ssize_t size = 0;
    do {
      size = read(file_, buffer_, sizeof(buffer_));
    } while (size < 0 && errno == EINTR);
    if (size < 0)
      throw std::runtime_error(std::string("cannot read the input: ") + std::strerror(errno));
    setg(buffer_, buffer_, buffer_ + size);
    return size > 0 ? traits_type::to_int_type(buffer_[0]) : traits_type::eof();
  }

  const int file_;
  bool close_ = false, is_first_ = true;
  const std::function<void()> before_read_;
  char buffer_[65536];
  std::istream stream_{this};
};

}  // namespace s2v
