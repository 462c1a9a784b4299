// Word vectors in the files of other programs, read in bounded memory, whatever a file claims.
//
//   const std::unique_ptr<VectorFile> file = OpenVectorFile(db, "wiki.vec", "auto");
//   Vocabulary vocabulary;
//   file->ReadWords(1000000, &vocabulary, tick);
//   const float* row = file->Row(0);                 // words by id, then n-grams by bucket
//
//   vec        text: a word and its numbers a line, separated by blanks; "WORDS DIMENSION" as a first line or not
//              (fastText .vec, word2vec text, GloVe)
//   word2vec   "WORDS DIMENSION\n"; of each word its bytes, a blank, its numbers as float32, and a line end or not
//   fasttext   .bin of fastText, not quantised: a word's row is the mean of those of the word and its character n-grams,
//              whose buckets make the rows of other words (core/embed/pieces.h)
//   sent2vec   .bin of the program of Sent2Vec's authors, with its word n-grams
//   model2vec  a folder with model.safetensors and tokenizer.json, of model2vec or of sentence-transformers'
//              StaticEmbedding (then perhaps in 0_StaticEmbedding): a row for each piece (static_model.cc)
//
// What fasttext and sent2vec files hold, little-endian, without padding:
//
//   int32   magic 793712314, version (11; fasttext 12 too)
//   int32   dimension, window, epochs, min_count, negatives, n-gram order, loss, model (1 cbow, 2 skipgram, 3 supervised,
//           4 sent2vec), bucket_count, least and most characters of an n-gram, a rate
//   double  subsampling threshold
//   int32   entries, words, labels;  int64 tokens, pruned (-1: not)
//   entries bytes of the word, 0, int64 count, int8 kind (0 word, 1 label); words come first
//   byte    quantised;  int64 rows, columns;  float32 [rows, columns]   words, then buckets
//   byte    quantised;  int64 rows, columns;  float32 [rows, columns]   of the training's other side
//
// A bucket is added to the number of words, that of character n-grams is in core/embed/pieces.h,
// that of word n-grams is HashNgramOfIds (core/vocab/hash.h).
//
// Errors: FileError, naming the file and mostly the byte. Thread rule: belongs to one thread at a
// time.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/text/tokenizer.h"
#include "core/vocab/vocabulary.h"
#include "ext/import/byte_file.h"
#include "sql/statement.h"

namespace s2v {

class VectorFile {
 public:
  virtual ~VectorFile() = default;
  std::string format;
  uint32_t dimension = 0;
  uint64_t words = 0;  // as far as the beginning of the file tells
  bool has_counts = false;
  // n-grams by their words' ids (EmbeddingShape::id_buckets), or of characters: order 1; no buckets
  // where there are none.
  uint32_t ngram_order = 1;
  uint64_t bucket_count = 0;
  CharacterLengths characters;
  // No file has longer ones; a row of it takes long.
  static constexpr size_t kMostWordBytes = 1 << 16;
  // Words that ReadWords left out: met before, with a blank, too long, special ones.
  uint64_t skipped = 0;
  std::string tokenizer;  // after ReadWords: the profile that the file says; "" where it says none

  // Calls tick(fraction) now and then. Adds the first words of the file, at most most_words, with
  // their counts or 1, to an empty vocabulary, which must outlive it.
  void ReadWords(uint64_t most_words, Vocabulary* vocabulary, std::function<void(double)> tick) {
    vocabulary_ = vocabulary;
    tick_ = std::move(tick);
    row_.resize(dimension);
    Read(most_words);
  }
  // The numbers of a row, all finite, valid until the next call. REQUIRES: after ReadWords; row:
  // that of a word which it added, or behind them of a bucket.
  virtual const float* Row(uint64_t row) = 0;

 protected:
  explicit VectorFile(const std::string& path) : file_(path) {}
  virtual void Read(uint64_t most_words) = 0;
  // The file says so at this byte.
  void SetDimension(uint64_t byte, uint64_t claimed);
  // Throws FileError where count things of at least `bytes` each do not fit behind the position.
  void CheckRoom(uint64_t byte, uint64_t count, uint64_t bytes, const char* things) const;
  // False where it is left out. place: of its row.
  bool AddWord(std::string_view word, uint64_t count, uint64_t place);
  // row_ += the float32 numbers at place.
  void AddFloats(uint64_t place);

  ByteFile file_;
  Vocabulary* vocabulary_ = nullptr;
  std::vector<uint64_t> places_;  // [words] of the row, or of its line
  std::vector<float> row_;        // [dimension] that Row gives

 private:
  std::function<void(double)> tick_;
  uint64_t ticks_ = 0;
};

// A kind of file: its name, what it is, for the program's help, and who reads it.
struct VectorFormat {
  std::string_view name, what;
  std::unique_ptr<VectorFile> (*open)(sqlite3* db, const std::string& path);
};
// All that there are.
std::span<const VectorFormat> VectorFormats();
// Throws InvalidArgument unless format is one of those, or "auto".
void CheckVectorFormat(std::string_view format);
// db reads JSON, nothing else of it is used. Throws FileError. REQUIRES: CheckVectorFormat(format).
std::unique_ptr<VectorFile> OpenVectorFile(sqlite3* db, const std::string& path,
                                           std::string_view format);

// The formats, each in its file: word_vectors.cc, trained_file.cc, static_model.cc.
std::unique_ptr<VectorFile> OpenTextVectors(sqlite3* db, const std::string& path);
std::unique_ptr<VectorFile> OpenBinaryVectors(sqlite3* db, const std::string& path);
std::unique_ptr<VectorFile> OpenTrainedFile(sqlite3* db, const std::string& path);
std::unique_ptr<VectorFile> OpenStaticModel(sqlite3* db, const std::string& path);

// What they share.
inline constexpr int32_t kTrainedFileMagic = 793712314;
// Text may begin with a mark that it is UTF-8: to what follows.
void SkipByteOrderMark(ByteFile* file);
// Of word2vec's first line "2000000 300": two whole numbers and nothing else.
bool IsVectorsHead(std::string_view line, uint64_t* words, uint64_t* dimension);
inline bool IsBlankByte(char c) {
  return c == ' ' || c == '\t' || c == '\r';
}

}  // namespace s2v
