// Lines of any length from a file descriptor: text up to '\n', without it and without a '\r' before
// it. A last line needs no '\n'. NUL bytes are bytes like others.
//
//   LineReader lines(STDIN_FILENO, [] { FlushOutput(); });
//   for (std::string_view line; lines.Next(&line);) ...
#ifndef S2V_EXT_CLI_LINE_READER_H_
#define S2V_EXT_CLI_LINE_READER_H_

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <functional>
#include <stdexcept>
#include <string_view>
#include <vector>

namespace s2v {

// path: "-" for standard input. Throws std::runtime_error where it cannot be read.
class InputFile {
 public:
  explicit InputFile(const std::string& path)
      : file_(path == "-" ? STDIN_FILENO : open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
    if (file_ < 0) throw std::runtime_error("cannot read '" + path + "': " + std::strerror(errno));
  }
  ~InputFile() {
    if (file_ != STDIN_FILENO) close(file_);
  }
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;
  int get() const { return file_; }

 private:
  const int file_;
};

class LineReader {
 public:
  // before_read is called before each read, which may wait for its input.
  LineReader(int file, std::function<void()> before_read)
      : file_(file), before_read_(std::move(before_read)), buffer_(kReadBytes) {}

  // False at the end. The line is valid until the next call. Throws std::runtime_error where
  // reading fails.
  bool Next(std::string_view* line) {
    size_t scanned = begin_;
    for (;;) {
      const void* found = std::memchr(buffer_.data() + scanned, '\n', end_ - scanned);
      if (found != nullptr) {
        const auto at = static_cast<size_t>(static_cast<const char*>(found) - buffer_.data());
        *line = Take(at);
        begin_ = at + 1;
        return true;
      }
      scanned = end_ - begin_;  // as an offset from the line's begin, which Read moves to 0
      if (Read()) continue;
      if (begin_ == end_) return false;
      *line = Take(end_);
      begin_ = end_;
      return true;
    }
  }

 private:
  static constexpr size_t kReadBytes = 65536;

  std::string_view Take(size_t end) const {
    if (end > begin_ && buffer_[end - 1] == '\r') end--;
    return {buffer_.data() + begin_, end - begin_};
  }

  // Moves what is there to the front and appends; false at the end of the input.
  bool Read() {
    std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
    if (buffer_.size() - end_ < kReadBytes) buffer_.resize(2 * buffer_.size());
    before_read_();
    ssize_t size = 0;
    do {
      size = read(file_, buffer_.data() + end_, kReadBytes);
    } while (size < 0 && errno == EINTR);
    if (size < 0)
      throw std::runtime_error(std::string("cannot read the input: ") + std::strerror(errno));
    end_ += static_cast<size_t>(size);
    return size > 0;
  }

  const int file_;
  const std::function<void()> before_read_;
  std::vector<char> buffer_;
  size_t begin_ = 0, end_ = 0;  // what has been read and not been given
};

}  // namespace s2v

#endif  // S2V_EXT_CLI_LINE_READER_H_
