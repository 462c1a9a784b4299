// What the formats of ext/import/vector_file.h share.
#ifndef S2V_EXT_IMPORT_ROWS_IN_FILE_H_
#define S2V_EXT_IMPORT_ROWS_IN_FILE_H_

#include <algorithm>
#include <cmath>

#include "ext/import/byte_file.h"
#include "ext/import/vector_file.h"
#include "sql/statement.h"

namespace s2v {

// word_vectors.cc
std::unique_ptr<VectorFile> OpenTextVectors(const std::string& path);
std::unique_ptr<VectorFile> OpenBinaryVectors(const std::string& path);
// Of word2vec's first line "2000000 300": two whole numbers and nothing else.
bool IsVectorsHead(std::string_view line, uint64_t* words, uint64_t* dimension);
// trained_file.cc
inline constexpr int32_t kTrainedFileMagic = 793712314;
std::unique_ptr<VectorFile> OpenTrainedFile(const std::string& path);
// static_model.cc
std::unique_ptr<VectorFile> OpenStaticModel(sqlite3* db, const std::string& path);

inline bool IsBlankByte(char c) {
  return c == ' ' || c == '\t' || c == '\r';
}

inline uint32_t CheckedDimension(const ByteFile& file, uint64_t byte, uint64_t dimension) {
  constexpr uint32_t kMostDimension = 4096;
  if (dimension >= 1 && dimension <= kMostDimension) return static_cast<uint32_t>(dimension);
  file.Fail(byte, "vectors of dimension " + std::to_string(dimension) + ", where 1 to " +
                      std::to_string(kMostDimension) + " can be");
}

// Where the row of each word is.
class RowsInFile : public VectorFile {
 public:
  explicit RowsInFile(const std::string& path) : file_(path) {}

 protected:
  // False where it is left out.
  bool AddWord(std::string_view word, uint64_t count, uint64_t place, Vocabulary* vocabulary) {
    const uint32_t id = vocabulary->size();
    if (word.empty() || std::any_of(word.begin(), word.end(), IsBlankByte) ||
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
  static constexpr uint64_t kWordsPerTick = 4096;
  uint64_t ticks_ = 0;
};

}  // namespace s2v

#endif  // S2V_EXT_IMPORT_ROWS_IN_FILE_H_
