#include "ext/cli/vector_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cmath>

#include "core/error.h"

namespace s2v {
namespace {

constexpr uint32_t kMostDimension = 4096;
constexpr uint64_t kWordsPerTick = 4096;
constexpr std::string_view kFormats[] = {"auto", "vec", "word2vec", "fasttext", "sent2vec"};

bool IsBlank(char c) {
  return c == ' ' || c == '\t' || c == '\r';
}

std::string_view WithoutBlanks(std::string_view text) {
  while (!text.empty() && IsBlank(text.back())) text.remove_suffix(1);
  return text;
}

template <typename T>
bool Parse(std::string_view text, T* value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), *value);
  return error == std::errc() && end == text.data() + text.size();
}

// "2000000 300": two whole numbers and nothing else.
bool IsHead(std::string_view line, uint64_t* words, uint64_t* dimension) {
  line = WithoutBlanks(line);
  const size_t blank = line.find(' ');
  return blank != std::string_view::npos && Parse(line.substr(0, blank), words) &&
         Parse(line.substr(blank + 1), dimension);
}

uint32_t CheckedDimension(const ByteFile& file, uint64_t byte, uint64_t dimension) {
  if (dimension >= 1 && dimension <= kMostDimension) return static_cast<uint32_t>(dimension);
  file.Fail(byte, "vectors of dimension " + std::to_string(dimension) + ", where 1 to " +
                      std::to_string(kMostDimension) + " can be");
}

// What the formats have in common: where the row of each word is.
class RowsInFile : public VectorFile {
 public:
  explicit RowsInFile(const std::string& path) : file_(path) {}

 protected:
  // False where it is left out.
  bool AddWord(std::string_view word, uint64_t count, uint64_t place, Vocabulary* vocabulary) {
    const uint32_t id = vocabulary->size();
    if (word.empty() || std::any_of(word.begin(), word.end(), IsBlank) ||
        vocabulary->words.Insert(word, HashWord(word)) != id) {
      skipped++;
      return false;
    }
    vocabulary->counts.push_back(count);
    vocabulary->token_count += count;
    places_.push_back(place);
    return true;
  }
  void Tick(const std::function<void(double)>& tick) {
    if (++ticks_ % kWordsPerTick == 0) {
      tick(static_cast<double>(file_.position()) / static_cast<double>(file_.size()));
    }
  }
  // row_ += the float32 numbers at place.
  void AddFloats(uint64_t place) {
    const char* bytes = file_.At(place, size_t{dimension} * sizeof(float));
    for (uint32_t i = 0; i < dimension; i++) {
      float value;
      std::memcpy(&value, bytes + i * sizeof(float), sizeof(value));
      if (!std::isfinite(value)) {
        file_.Fail(place + i * sizeof(float), "a number that is not finite");
      }
      row_[i] += value;
    }
  }

  ByteFile file_;
  std::vector<uint64_t> places_;  // [words] of the row, or of its line
  std::vector<float> row_;        // [dimension] that Row gives

 private:
  uint64_t ticks_ = 0;
};

class TextVectors : public RowsInFile {
 public:
  explicit TextVectors(const std::string& path) : RowsInFile(path) {
    format = "vec";
    std::string_view line;
    uint64_t claimed = 0;
    if (!file_.NextText('\n', &line)) file_.Fail("the file is empty");
    if (IsHead(line, &words, &claimed)) {
      dimension = CheckedDimension(file_, 0, claimed);
      claims_words_ = true;
      // A line has a byte of a word, its end, and of each number two.
      if (words > (file_.size() - file_.position()) / (2 * uint64_t{dimension} + 1)) {
        file_.Fail(0, std::to_string(words) + " words, more than the file has room for");
      }
      first_ = file_.position();
    } else {
      line = WithoutBlanks(line);
      const auto fields =
          std::count(line.begin(), line.end(), ' ') + std::count(line.begin(), line.end(), '\t');
      dimension = CheckedDimension(file_, 0, static_cast<uint64_t>(fields));
      words = file_.size() / (line.size() + 1);
    }
  }

  void ReadWords(uint64_t most_words, Vocabulary* vocabulary,
                 const std::function<void(double)>& tick) override {
    file_.Seek(first_);
    uint64_t lines = 0;
    std::string_view line;
    for (uint64_t at = first_; vocabulary->size() < most_words && file_.NextText('\n', &line);
         at = file_.position()) {
      if (claims_words_ && lines == words)
        file_.Fail(at, "more than the " + std::to_string(words) + " words of the first line");
      const size_t end = WordEnd(line);
      if (end == std::string_view::npos) {
        file_.Fail(at, "a word and " + std::to_string(dimension) +
                           " numbers expected, the line has fewer");
      }
      lines++;
      AddWord(line.substr(0, end), 1, at, vocabulary);
      Tick(tick);
    }
    if (vocabulary->size() < most_words) {
      if (claims_words_ && lines < words) {
        file_.Fail("the end, after " + std::to_string(lines) + " of " + std::to_string(words) +
                   " words");
      }
      file_.Seek(file_.size() - 1);
      if (file_.NextNumber<char>() != '\n')
        file_.Fail("the last line has no end: the file may be cut off");
    }
    row_.resize(dimension);
  }

  const float* Row(uint64_t row) override {
    const uint64_t place = places_[row];
    file_.Seek(place);
    std::string_view line;
    file_.NextText('\n', &line);
    line = WithoutBlanks(line);
    const char *at = line.data() + WordEnd(line), *const end = line.data() + line.size();
    for (uint32_t i = 0; i < dimension; i++) {
      while (at < end && IsBlank(*at)) at++;
      const auto [rest, error] = std::from_chars(at, end, row_[i]);
      const bool is_number = error == std::errc() || IsTiny(at, rest, error, &row_[i]);
      if (!is_number || !std::isfinite(row_[i]) || (rest < end && !IsBlank(*rest))) {
        file_.Fail(place + static_cast<uint64_t>(at - line.data()), "a finite number expected");
      }
      at = rest;
    }
    return row_.data();
  }

 private:
  // Numbers that float32 has no room for near 0 are 0; from_chars calls them out of range, as it does large ones.
  static bool IsTiny(const char* from, const char* to, std::errc error, float* value) {
    double number = 0;
    if (error != std::errc::result_out_of_range) return false;
    if (std::from_chars(from, to, number).ec == std::errc() && std::fabs(number) > 1) return false;
    *value = 0;
    return true;
  }
  // Where the word ends, which may have blanks: before the last `dimension` fields. npos: there are fewer.
  size_t WordEnd(std::string_view line) const {
    size_t end = WithoutBlanks(line).size();
    for (uint32_t i = 0; i < dimension; i++) {
      const size_t field = end;
      while (end > 0 && !IsBlank(line[end - 1])) end--;
      if (end == field || end == 0) return std::string_view::npos;
      while (end > 0 && IsBlank(line[end - 1])) end--;
    }
    return end;
  }

  bool claims_words_ = false;
  uint64_t first_ = 0;  // byte of the first word
};

class BinaryVectors : public RowsInFile {
 public:
  explicit BinaryVectors(const std::string& path) : RowsInFile(path) {
    format = "word2vec";
    std::string_view line;
    uint64_t claimed = 0;
    if (!file_.NextText('\n', &line) || !IsHead(line, &words, &claimed)) {
      file_.Fail(0, "a first line 'WORDS DIMENSION' expected");
    }
    dimension = CheckedDimension(file_, 0, claimed);
    first_ = file_.position();
    // A word has a byte at least, and a blank.
    if (words > (file_.size() - first_) / (uint64_t{dimension} * sizeof(float) + 2)) {
      file_.Fail(0, std::to_string(words) + " words, more than the file has room for");
    }
  }

  void ReadWords(uint64_t most_words, Vocabulary* vocabulary,
                 const std::function<void(double)>& tick) override {
    file_.Seek(first_);
    const uint64_t row_bytes = uint64_t{dimension} * sizeof(float);
    for (uint64_t i = 0; i < words && vocabulary->size() < most_words; i++) {
      const uint64_t at = file_.position();
      std::string_view word;
      if (!file_.NextText(' ', &word) || file_.size() - file_.position() < row_bytes) {
        file_.Fail(file_.size(), "the end, within word " + std::to_string(i + 1) + " of " +
                                     std::to_string(words) + ", which begins at byte " +
                                     std::to_string(at));
      }
      while (!word.empty() && word.front() == '\n') word.remove_prefix(1);
      AddWord(word, 1, file_.position(), vocabulary);
      file_.Seek(file_.position() + row_bytes);
      Tick(tick);
    }
    row_.resize(dimension);
  }

  const float* Row(uint64_t row) override {
    std::fill(row_.begin(), row_.end(), 0.0f);
    AddFloats(places_[row]);
    return row_.data();
  }

 private:
  uint64_t first_ = 0;
};

constexpr int32_t kMagic = 793712314;

class TrainedFile : public RowsInFile {
 public:
  explicit TrainedFile(const std::string& path) : RowsInFile(path) {
    if (Int() != kMagic) file_.Fail(0, "not a .bin of fastText or sent2vec");
    const int32_t version = Int();
    if (version != 11 && version != 12)
      file_.Fail(4, "version " + std::to_string(version) + ", where 11 and 12 are known");
    dimension = CheckedDimension(file_, 8, static_cast<uint64_t>(Int()));
    file_.Seek(28);
    const int32_t order = Int();
    Int();  // loss
    const int32_t model = Int(), buckets = Int();
    least_characters_ = Int();
    most_characters_ = Int();
    file_.Seek(64);
    const int32_t entries = Int(), words_claimed = Int();
    Int();  // labels
    tokens_ = file_.NextNumber<int64_t>();
    const auto pruned = file_.NextNumber<int64_t>();
    if (model < 1 || model > 4)
      file_.Fail(36, "a model of kind " + std::to_string(model) + ", where 1 to 4 are known");
    is_sent2vec_ = model == 4;
    if (model == 3 && version == 11) most_characters_ = 0;
    if (is_sent2vec_ && (order < 1 || order > 16))
      file_.Fail(28, "n-grams of up to " + std::to_string(order) + " words");
    if (buckets < 0) file_.Fail(40, "a negative number of buckets");
    if (least_characters_ < 0 || most_characters_ > 1000)
      file_.Fail(44, "character n-grams of impossible lengths");
    if (words_claimed < 0 || words_claimed > entries) file_.Fail(68, "more words than entries");
    if (pruned > 0) file_.Fail(84, "a pruned dictionary, which is not read");
    format = is_sent2vec_ ? "sent2vec" : "fasttext";
    has_counts = true;
    words = static_cast<uint64_t>(words_claimed);
    entries_ = static_cast<uint64_t>(entries);
    buckets_ = static_cast<uint64_t>(buckets);
    if (is_sent2vec_ && order > 1) {
      ngram_order = static_cast<uint32_t>(order);
      bucket_count = buckets_;
      if (buckets_ == 0) file_.Fail(40, "n-grams of words without buckets");
    }
    // An entry has 10 bytes at least.
    if (entries_ > (file_.size() - file_.position()) / 10) {
      file_.Fail(64, std::to_string(entries_) + " entries, more than the file has room for");
    }
    first_ = file_.position();
  }

  void ReadWords(uint64_t most_words, Vocabulary* vocabulary,
                 const std::function<void(double)>& tick) override {
    file_.Seek(first_);
    for (uint64_t i = 0; i < entries_; i++) {
      const uint64_t at = file_.position();
      std::string_view word;
      file_.NextText('\0', &word);
      const std::string name(word);
      const auto count = file_.NextNumber<int64_t>();
      const auto kind = file_.NextNumber<int8_t>();
      if (count < 0) file_.Fail(at, "a negative count");
      if ((kind != 0) != (i >= words))
        file_.Fail(at, "an entry that is " + std::string(kind != 0 ? "no word among the words"
                                                                   : "a word behind them"));
      if (i >= words || vocabulary->size() >= most_words) continue;
      // Ids are those of the file, so none may be left out.
      if (!AddWord(name, static_cast<uint64_t>(count), i, vocabulary)) {
        file_.Fail(at, "a word that was there before, is empty or has a blank");
      }
      Tick(tick);
    }
    vocabulary->token_count = std::max<uint64_t>(
        vocabulary->token_count, static_cast<uint64_t>(std::max<int64_t>(tokens_, 0)));
    matrix_ = CheckMatrix(words + (ngram_order > 1 || most_characters_ > 0 ? buckets_ : 0));
    file_.Seek(matrix_ + rows_ * dimension * sizeof(float));
    CheckMatrix(0);
    for (uint32_t id = 0; is_sent2vec_ && id < vocabulary->size(); id++) {
      const std::string_view word = vocabulary->words[id];
      if (word == "</s>" || word == "<PLACEHOLDER>") places_[id] = kNoRow;
    }
    name_of_ = vocabulary;
    row_.resize(dimension);
  }

  const float* Row(uint64_t row) override {
    std::fill(row_.begin(), row_.end(), 0.0f);
    if (row >= places_.size()) {
      AddMatrixRow(words + row - places_.size());
    } else if (places_[row] != kNoRow) {
      AddMatrixRow(places_[row]);
      if (!is_sent2vec_)
        AddCharacterNgrams(std::string(name_of_->words[static_cast<uint32_t>(row)]));
    }
    return row_.data();
  }

 private:
  // What the authors' program uses in training alone has no meaning in a text.
  static constexpr uint64_t kNoRow = ~uint64_t{0};

  int32_t Int() { return file_.NextNumber<int32_t>(); }
  void AddMatrixRow(uint64_t row) { AddFloats(matrix_ + row * dimension * sizeof(float)); }

  // Reads a matrix's head; gives the byte where its rows begin.
  uint64_t CheckMatrix(uint64_t least_rows) {
    const uint64_t at = file_.position();
    if (file_.NextNumber<int8_t>() != 0) file_.Fail(at, "a quantised matrix, which is not read");
    const auto rows = file_.NextNumber<int64_t>(), columns = file_.NextNumber<int64_t>();
    if (columns != dimension)
      file_.Fail(at + 9, std::to_string(columns) + " columns, where " + std::to_string(dimension) +
                             " are expected");
    rows_ = static_cast<uint64_t>(rows);
    if (rows < 0 || rows_ < least_rows)
      file_.Fail(at + 1, std::to_string(rows) + " rows, where at least " +
                             std::to_string(least_rows) + " are expected");
    if (rows_ > (file_.size() - file_.position()) / (uint64_t{dimension} * sizeof(float))) {
      file_.Fail(at + 1, std::to_string(rows) + " rows, more than the file has room for");
    }
    return file_.position();
  }

  // Adds the rows of the word's character n-grams and divides by their number and one.
  void AddCharacterNgrams(const std::string& name) {
    const std::string word = "<" + name + ">";
    const auto next = [&](size_t at) {
      do at++;
      while (at < word.size() && (word[at] & 0xc0) == 0x80);
      return at;
    };
    uint64_t added = 1;
    for (size_t from = 0; name != "</s>" && from < word.size(); from = next(from)) {
      size_t to = from;
      for (int n = 1; to < word.size() && n <= most_characters_; n++) {
        to = next(to);
        if (n < least_characters_ || (n == 1 && (from == 0 || to == word.size()))) continue;
        if (buckets_ == 0) continue;
        AddMatrixRow(words +
                     CharacterHash(std::string_view(word).substr(from, to - from)) % buckets_);
        added++;
      }
    }
    for (float& value : row_) {
      value /= static_cast<float>(added);
      if (!std::isfinite(value)) {
        file_.Fail(matrix_, "rows of the word '" + name + "' whose mean is not finite");
      }
    }
  }

  static uint32_t CharacterHash(std::string_view bytes) {
    uint32_t hash = 2166136261u;
    for (const char c : bytes)
      hash = (hash ^ static_cast<uint32_t>(static_cast<int8_t>(c))) * 16777619u;
    return hash;
  }

  bool is_sent2vec_ = false;
  int32_t least_characters_ = 0, most_characters_ = 0;
  uint64_t entries_ = 0, buckets_ = 0;
  int64_t tokens_ = 0;
  uint64_t first_ = 0;  // byte of the first entry
  uint64_t matrix_ = 0,
           rows_ = 0;  // where the first matrix's rows begin; of the last that was checked
  const Vocabulary* name_of_ = nullptr;
};

// What the first bytes look like.
std::string_view Recognised(const std::string& path) {
  ByteFile file(path);
  if (file.size() >= 8 && file.NextNumber<int32_t>() == kMagic) return "fasttext";
  file.Seek(0);
  std::string_view line;
  uint64_t words = 0, dimension = 0;
  if (!file.NextText('\n', &line) || !IsHead(line, &words, &dimension)) return "vec";
  // Text has a blank or a line end behind the first number, binary numbers have it by chance only.
  if (!file.NextText(' ', &line)) return "word2vec";
  const size_t bytes = std::min<uint64_t>(4, file.size() - file.position());
  const std::string_view number(file.Next(bytes), bytes);
  return number.find_first_not_of("0123456789+-.eE naif\r\n") == std::string_view::npos
             ? "vec"
             : "word2vec";
}

}  // namespace

ByteFile::ByteFile(const std::string& path) : path_(path), buffer_(2 * kMostBytes) {
  struct stat status {};
  file_ = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file_ < 0 || fstat(file_, &status) != 0) {
    throw std::runtime_error("cannot read '" + path + "': " + std::strerror(errno));
  }
  if (!S_ISREG(status.st_mode)) throw std::runtime_error("'" + path + "' is not a file");
  size_ = static_cast<uint64_t>(status.st_size);
  buffer_begin_ = size_;
}

ByteFile::~ByteFile() {
  if (file_ >= 0) close(file_);
}

void ByteFile::Fail(uint64_t byte, const std::string& what) const {
  throw FormatError("'" + path_ + "': byte " + std::to_string(byte) + ": " + what);
}

std::string_view ByteFile::Ahead() {
  const uint64_t left = position_ < size_ ? size_ - position_ : 0;
  const bool inside = position_ >= buffer_begin_ && position_ < buffer_begin_ + buffer_.size();
  const uint64_t buffered = inside ? buffer_begin_ + buffer_.size() - position_ : 0;
  if (buffered < std::min<uint64_t>(left, kMostBytes)) {
    size_t got = 0;
    const size_t wanted = std::min<uint64_t>(left, buffer_.size());
    while (got < wanted) {
      const ssize_t size =
          pread(file_, buffer_.data() + got, wanted - got, static_cast<off_t>(position_ + got));
      if (size < 0 && errno == EINTR) continue;
      if (size < 0)
        throw std::runtime_error("cannot read '" + path_ + "': " + std::strerror(errno));
      if (size == 0) Fail(position_ + got, "the file was cut off while it was read");
      got += static_cast<size_t>(size);
    }
    buffer_begin_ = position_;
  }
  return {buffer_.data() + (position_ - buffer_begin_),
          std::min<uint64_t>(left, buffer_begin_ + buffer_.size() - position_)};
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
  if (jumped_to_ + bytes == place) {  // rows in their order again
    position_ = place;
    jumped_to_ = 0;
    return Next(bytes);
  }
  jumped_to_ = place;
  row_.resize(bytes);
  for (size_t got = 0; got < bytes;) {
    const ssize_t size =
        pread(file_, row_.data() + got, bytes - got, static_cast<off_t>(place + got));
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) Fail(place + got, "cannot be read");
    got += static_cast<size_t>(size);
  }
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

std::unique_ptr<VectorFile> OpenVectorFile(const std::string& path, std::string_view format) {
  CheckKnown("format", format, kFormats);
  if (format == "auto") format = Recognised(path);
  if (format == "vec") return std::make_unique<TextVectors>(path);
  if (format == "word2vec") return std::make_unique<BinaryVectors>(path);
  return std::make_unique<TrainedFile>(path);
}

}  // namespace s2v
