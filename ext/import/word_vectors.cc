// Vectors of words alone: as text, and in word2vec's binary form.
#include <algorithm>
#include <cmath>

#include "core/numbers.h"
#include "ext/import/vector_file.h"

namespace s2v {
namespace {

std::string_view WithoutBlanks(std::string_view text) {
  while (!text.empty() && IsBlankByte(text.back())) text.remove_suffix(1);
  return text;
}

class TextVectors : public VectorFile {
 public:
  explicit TextVectors(const std::string& path) : VectorFile(path) {
    format = "vec";
    std::string_view line;
    uint64_t claimed = 0;
    SkipByteOrderMark(&file_);
    first_ = file_.position();
    if (!file_.NextText('\n', &line)) file_.Fail("the file is empty");
    if (IsVectorsHead(line, &words, &claimed)) {
      SetDimension(0, claimed);
      claims_words_ = true;
      // A line has a byte of a word, its end, and of each number two.
      CheckRoom(0, words, 2 * uint64_t{dimension} + 1, "words");
      first_ = file_.position();
    } else {
      line = WithoutBlanks(line);
      const auto fields =
          std::count(line.begin(), line.end(), ' ') + std::count(line.begin(), line.end(), '\t');
      SetDimension(0, static_cast<uint64_t>(fields));
      words = file_.size() / (line.size() + 1);
    }
  }

  void Read(uint64_t most_words) override {
    file_.Seek(first_);
    uint64_t lines = 0, wide_lines = 0, first_wide = 0, blank = 0;  // blank: where the first one is
    std::string_view line;
    for (uint64_t at = first_; vocabulary_->size() < most_words && file_.NextText('\n', &line);
         at = file_.position()) {
      if (WithoutBlanks(line).empty()) {
        if (blank == 0) blank = at;
        continue;
      }
      if (blank > 0) file_.Fail(blank, "a blank line, behind which there are others");
      if (claims_words_ && lines == words)
        file_.Fail(at, "more than the " + std::to_string(words) + " words of the first line");
      const size_t end = WordEnd(line);
      if (end == std::string_view::npos) {
        file_.Fail(at, "a word and " + std::to_string(dimension) +
                           " numbers expected, the line has fewer");
      }
      lines++;
      const std::string_view word = line.substr(0, end);
      if (std::any_of(word.begin(), word.end(), IsBlankByte) && wide_lines++ == 0) first_wide = at;
      AddWord(word, 1, at);
    }
    // Some words have blanks; where most seem to, it is the first line that is not what it was
    // taken for.
    if (wide_lines > lines / 2) {
      file_.Fail(first_wide, std::to_string(wide_lines) + " of " + std::to_string(lines) +
                                 " lines have more than a word and " + std::to_string(dimension) +
                                 " numbers, as which the first line was read");
    }
    if (vocabulary_->size() < most_words) {
      if (claims_words_ && lines < words) {
        file_.Fail("the end, after " + std::to_string(lines) + " of " + std::to_string(words) +
                   " words");
      }
      file_.Seek(file_.size() - 1);
      if (file_.NextNumber<char>() != '\n')
        file_.Fail(
            "the last line has no end: the file may be cut off; if it is whole, add a line break");
    }
  }

  const float* Row(uint64_t row) override {
    const uint64_t place = places_[row];
    file_.Seek(place);
    std::string_view line;
    file_.NextText('\n', &line);
    line = WithoutBlanks(line);
    const char *at = line.data() + WordEnd(line), *const end = line.data() + line.size();
    for (uint32_t i = 0; i < dimension; i++) {
      while (at < end && IsBlankByte(*at)) at++;
      const auto [rest, error] = ReadFloat(at, end, &row_[i]);
      if (error != std::errc() || !std::isfinite(row_[i]) || (rest < end && !IsBlankByte(*rest))) {
        file_.Fail(place + static_cast<uint64_t>(at - line.data()), "a finite number expected");
      }
      at = rest;
    }
    return row_.data();
  }

 private:
  // Where the word ends, which may have blanks: before the last `dimension` fields. npos: there are
  // fewer.
  size_t WordEnd(std::string_view line) const {
    size_t end = WithoutBlanks(line).size();
    for (uint32_t i = 0; i < dimension; i++) {
      const size_t field = end;
      while (end > 0 && !IsBlankByte(line[end - 1])) end--;
      if (end == field || end == 0) return std::string_view::npos;
      while (end > 0 && IsBlankByte(line[end - 1])) end--;
    }
    return end;
  }

  bool claims_words_ = false;
  uint64_t first_ = 0;  // byte of the first word
};

class BinaryVectors : public VectorFile {
 public:
  explicit BinaryVectors(const std::string& path) : VectorFile(path) {
    format = "word2vec";
    std::string_view line;
    uint64_t claimed = 0;
    if (!file_.NextText('\n', &line) || !IsVectorsHead(line, &words, &claimed)) {
      file_.Fail(0, "a first line 'WORDS DIMENSION' expected");
    }
    SetDimension(0, claimed);
    first_ = file_.position();
    // A word has a byte at least, and a blank.
    CheckRoom(0, words, uint64_t{dimension} * sizeof(float) + 2, "words");
  }

  void Read(uint64_t most_words) override {
    file_.Seek(first_);
    const uint64_t row_bytes = uint64_t{dimension} * sizeof(float);
    for (uint64_t i = 0; i < words && vocabulary_->size() < most_words; i++) {
      const uint64_t at = file_.position();
      std::string_view word;
      if (!file_.NextText(' ', &word) || file_.size() - file_.position() < row_bytes) {
        file_.Fail(file_.size(), "the end, within word " + std::to_string(i + 1) + " of " +
                                     std::to_string(words) + ", which begins at byte " +
                                     std::to_string(at));
      }
      while (!word.empty() && word.front() == '\n') word.remove_prefix(1);
      AddWord(word, 1, file_.position());
      file_.Seek(file_.position() + row_bytes);
    }
    constexpr uint64_t kLineEnd = 2;
    if (vocabulary_->size() < most_words && file_.size() - file_.position() > kLineEnd) {
      file_.Fail("more than the " + std::to_string(words) + " words of the first line");
    }
  }

  const float* Row(uint64_t row) override {
    std::fill(row_.begin(), row_.end(), -0.0f);  // to which -0 is added as it is
    AddFloats(places_[row]);
    return row_.data();
  }

 private:
  uint64_t first_ = 0;
};

}  // namespace

void SkipByteOrderMark(ByteFile* file) {
  constexpr std::string_view kMark = "\xEF\xBB\xBF";
  const size_t bytes = std::min<uint64_t>(kMark.size(), file->size());
  const bool is_there = std::string_view(file->Next(bytes), bytes) == kMark;
  file->Seek(is_there ? kMark.size() : 0);
}

bool IsVectorsHead(std::string_view line, uint64_t* words, uint64_t* dimension) {
  line = WithoutBlanks(line);
  const size_t blank = line.find_first_of(" \t");
  return blank != std::string_view::npos && ParseNumber(line.substr(0, blank), words) &&
         ParseNumber(line.substr(blank + 1), dimension);
}

std::unique_ptr<VectorFile> OpenTextVectors(sqlite3* /*db*/, const std::string& path) {
  return std::make_unique<TextVectors>(path);
}
std::unique_ptr<VectorFile> OpenBinaryVectors(sqlite3* /*db*/, const std::string& path) {
  return std::make_unique<BinaryVectors>(path);
}

}  // namespace s2v
