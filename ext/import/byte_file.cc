#include "ext/import/byte_file.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "sql/system/platform.h"

namespace s2v {

ByteFile::ByteFile(const std::string& path) : path_(path), buffer_(2 * kMostBytes) {
  file_ = OpenToRead(path);
  if (file_ < 0) throw FileError("cannot read '" + path + "': " + std::strerror(errno));
  const int64_t size = FileSize(file_);
  if (size < 0) {
    close(file_);
    throw FileError("'" + path + "' is not a file");
  }
  size_ = static_cast<uint64_t>(size);
  buffer_begin_ = size_;
}

ByteFile::~ByteFile() {
  if (file_ >= 0) close(file_);
}

void ByteFile::Fail(uint64_t byte, const std::string& what) const {
  throw FileError("'" + path_ + "': byte " + std::to_string(byte) + ": " + what);
}

void ByteFile::Read(uint64_t place, size_t bytes, char* to) const {
  for (size_t got = 0; got < bytes;) {
    const int64_t size = ReadAt(file_, place + got, bytes - got, to + got);
    if (size < 0) throw std::runtime_error("cannot read '" + path_ + "': " + std::strerror(errno));
    if (size == 0) Fail(place + got, "the file was cut off while it was read");
    got += static_cast<size_t>(size);
  }
}

std::string_view ByteFile::Ahead() {
  const uint64_t left = position_ < size_ ? size_ - position_ : 0;
  const bool inside = position_ >= buffer_begin_ && position_ < buffer_begin_ + buffer_.size();
  const uint64_t buffered = inside ? buffer_begin_ + buffer_.size() - position_ : 0;
  if (buffered < std::min<uint64_t>(left, kMostBytes)) {
    Read(position_, std::min<uint64_t>(left, buffer_.size()), buffer_.data());
    buffer_begin_ = position_;
  }
  return {
      buffer_.data() + (position_ - buffer_begin_),
      static_cast<size_t>(std::min<uint64_t>(left, buffer_begin_ + buffer_.size() - position_))};
}

const char* ByteFile::Next(size_t bytes) {
  const std::string_view ahead = Ahead();
  if (ahead.size() < bytes) {
    Fail(size_, "the end, where " + std::to_string(bytes) + " bytes from byte " +
                    std::to_string(position_) + " on are expected");
  }
  position_ += bytes;
  return ahead.data();
}

const char* ByteFile::At(uint64_t place, size_t bytes) {
  if (place == position_ ||
      (place >= buffer_begin_ && place + bytes <= buffer_begin_ + buffer_.size())) {
    position_ = place;
    return Next(bytes);
  }
  // The row behind the one that was read alone: rows come in their order again, so through the
  // buffer from here.
  if (jumped_to_ + bytes == place) {
    position_ = place;
    jumped_to_ = 0;
    return Next(bytes);
  }
  jumped_to_ = place;
  row_.resize(bytes);
  Read(place, bytes, row_.data());
  return row_.data();
}

bool ByteFile::NextText(char delimiter, std::string_view* text) {
  const std::string_view ahead = Ahead();
  if (ahead.empty()) return false;
  const size_t end = ahead.find(delimiter);
  if (end == std::string_view::npos && position_ + ahead.size() < size_)
    Fail("a text of more than a megabyte");
  *text = ahead.substr(0, end);
  position_ += text->size() + (end == std::string_view::npos ? 0 : 1);
  return true;
}

}  // namespace s2v
