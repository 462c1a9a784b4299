// The .bin of fastText and of the authors' sent2vec (ext/import/vector_file.h).
#include <cmath>

#include "core/embed/pieces.h"
#include "core/text/subword_tokenizer.h"
#include "ext/import/vector_file.h"

namespace s2v {
namespace {

class TrainedFile : public VectorFile {
 public:
  explicit TrainedFile(const std::string& path) : VectorFile(path) {
    if (Int() != kTrainedFileMagic) file_.Fail(0, "not a .bin of fastText or sent2vec");
    const int32_t version = Int();
    if (version != 11 && version != 12)
      file_.Fail(4, "version " + std::to_string(version) + ", where 11 and 12 are known");
    SetDimension(8, static_cast<uint64_t>(Int()));
    file_.Seek(28);
    const int32_t order = Int();
    Int();  // loss
    const int32_t model = Int(), buckets = Int();
    characters.least = Int();
    characters.most = Int();
    file_.Seek(64);
    const int32_t entries = Int(), words_claimed = Int();
    Int();  // labels
    tokens_ = file_.NextNumber<int64_t>();
    const auto pruned = file_.NextNumber<int64_t>();
    if (model < 1 || model > 4)
      file_.Fail(36, "a model of kind " + std::to_string(model) + ", where 1 to 4 are known");
    is_sent2vec_ = model == 4;
    if (model == 3 && version == 11) characters.most = 0;
    if (is_sent2vec_ && (order < 1 || order > 16))
      file_.Fail(28, "n-grams of up to " + std::to_string(order) + " words");
    if (buckets < 0) file_.Fail(40, "a negative number of buckets");
    if (characters.least < 0 || characters.most > kMostNgramCharacters)
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
    if (is_sent2vec_ || buckets_ == 0) characters.most = 0;
    characters.least = std::max(characters.least, 1);
    // Unknown words are made of character n-grams.
    if (characters.most >= characters.least) bucket_count = buckets_;
    // An entry has 10 bytes at least.
    CheckRoom(64, entries_, 10, "entries");
    first_ = file_.position();
  }

  void Read(uint64_t most_words) override {
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
      if (i >= words || vocabulary_->size() >= most_words) continue;
      // Ids are those of the file, so none may be left out.
      if (!AddWord(name, static_cast<uint64_t>(count), i)) {
        file_.Fail(at, "a word that was there before, is empty, has a blank or more than " +
                           std::to_string(kMostWordBytes) + " bytes");
      }
    }
    vocabulary_->token_count = std::max<uint64_t>(
        vocabulary_->token_count, static_cast<uint64_t>(std::max<int64_t>(tokens_, 0)));
    matrix_ = CheckMatrix(words + (ngram_order > 1 || bucket_count > 0 ? buckets_ : 0));
    file_.Seek(matrix_ + rows_ * dimension * sizeof(float));
    CheckMatrix(0);
    for (uint32_t id = 0; is_sent2vec_ && id < vocabulary_->size(); id++) {
      const std::string_view word = vocabulary_->words[id];
      if (word == "</s>" || word == "<PLACEHOLDER>") places_[id] = kNoRow;
    }
  }

  const float* Row(uint64_t row) override {
    std::fill(row_.begin(), row_.end(), 0.0f);
    if (row >= places_.size()) {
      AddMatrixRow(words + row - places_.size());
    } else if (places_[row] != kNoRow) {
      AddMatrixRow(places_[row]);
      if (!is_sent2vec_)
        AddCharacterNgrams(std::string(vocabulary_->words[static_cast<uint32_t>(row)]));
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
    CheckRoom(at + 1, rows_, uint64_t{dimension} * sizeof(float), "rows");
    return file_.position();
  }

  // Adds the rows of the word's character n-grams and divides by their number and one.
  void AddCharacterNgrams(const std::string& name) {
    size_t added = 1;
    if (name != "</s>" && buckets_ > 0) {
      ForEachCharacterNgram(name, characters, [&](uint32_t hash) {
        AddMatrixRow(words + hash % buckets_);
        added++;
      });
    }
    for (float& value : row_) {
      value /= static_cast<float>(added);
      if (!std::isfinite(value)) {
        file_.Fail(matrix_, "rows of the word '" + name + "' whose mean is not finite");
      }
    }
  }

  bool is_sent2vec_ = false;
  uint64_t entries_ = 0, buckets_ = 0;
  int64_t tokens_ = 0;
  uint64_t first_ = 0;   // byte of the first entry
  uint64_t matrix_ = 0;  // where the first matrix's rows begin
  uint64_t rows_ = 0;    // of the last matrix that was checked
};

}  // namespace

std::unique_ptr<VectorFile> OpenTrainedFile(sqlite3* /*db*/, const std::string& path) {
  return std::make_unique<TrainedFile>(path);
}

}  // namespace s2v
