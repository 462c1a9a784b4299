// The arithmetic of the stored form (sql/schema.sql): keys, directory blocks, checksums. Shared by
// the code that writes models and the code that reads them.
#ifndef S2V_SQL_MODEL_FORMAT_H_
#define S2V_SQL_MODEL_FORMAT_H_

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "core/config.h"
#include "core/vocab/hash.h"
#include "sql/statement.h"

namespace s2v {

inline constexpr int kFormatVersion = 3;  // the newest that is read
inline constexpr int kBaseVersion = 2;    // of models without what newer versions have
inline constexpr int kIdsVersion = 3;     // n-grams by their words' ids
inline constexpr int64_t kMaxModelId = 0x7fffffff;
inline constexpr int64_t kNgramBlocks = int64_t{1} << 31;  // added to the block number
inline constexpr size_t kWordEntryBytes = 8;
inline constexpr size_t kNgramEntryBytes = 4;
inline constexpr size_t kMostBlockBytes = size_t{1} << 20;  // of a directory

inline int64_t RowKey(int64_t model_id, uint64_t index) {
  return model_id * (int64_t{1} << 32) + static_cast<int64_t>(index);
}

// b: words are in 2^b blocks.
inline int WordBlockBits(uint64_t words) {
  int bits = 0;
  while (bits < 31 && (uint64_t{256} << bits) < words) bits++;
  return bits;
}
inline uint64_t WordBlock(uint64_t hash, int bits) {
  return bits == 0 ? 0 : hash >> (64 - bits);
}

// s: n-gram blocks are bucket >> s, of 64 bits, since s is up to 32.
inline uint64_t NgramBlock(uint64_t bucket, int shift) {
  return bucket >> shift;
}
inline uint64_t NgramBlockCount(int shift, uint64_t buckets = kBucketCount) {
  return ((buckets - 1) >> shift) + 1;
}
inline int NgramBlockShift(uint64_t ngrams, uint64_t buckets = kBucketCount) {
  int shift = 0;
  while (shift < 32 && NgramBlockCount(shift + 1, buckets) * 512 >= ngrams) shift++;
  return shift;
}

// The seed of the checksums of a model's rows: the first 8 bytes of its hash. id: for the error.
uint64_t ChecksumSeed(const std::string& hash, int64_t id);
// Throws the FormatError of a row that is not as it was written.
[[noreturn]] void ThrowDamaged(const std::string& table, int64_t key);

// One of the checksums, fed with its parts in order.
class Checksum {
 public:
  explicit Checksum(uint64_t seed) { XXH3_64bits_reset_withSeed(&state_, seed); }
  void Add(std::string_view bytes) { XXH3_64bits_update(&state_, bytes.data(), bytes.size()); }
  void Add(const void* data, size_t size) { XXH3_64bits_update(&state_, data, size); }
  void Add(uint64_t number) { XXH3_64bits_update(&state_, &number, sizeof(number)); }
  int64_t Value() const { return static_cast<int64_t>(XXH3_64bits_digest(&state_)); }

 private:
  XXH3_state_t state_{};
};

// The columns of s2v_model under its checksum, in their order.
inline constexpr char kCheckedColumns[] =
    "version, compatible_version, dimension, element, tokenizer, tokenizer_version, ngram_order, "
    "words, ngrams, targets, smoothing, unknown_norm, tokens, texts, "
    "sentences, corpus, parameters, choices, losses, library, created, hash";

// The checksum of a row of s2v_model or s2v_checkpoint, over its columns first .. last.
inline int64_t ChecksumOf(const Statement& row, int first, int last) {
  Checksum checksum(0);
  for (int column = first; column <= last; column++) {
    checksum.Add(row.Type(column) == SQLITE_BLOB ? row.Blob(column) : row.Text(column));
    checksum.Add("", 1);
  }
  return checksum.Value();
}

// The same while it is written: binds the values to ?3 and those that follow, as texts, which
// integer columns take as numbers, and their checksum to ?2.
inline void BindChecked(std::span<const std::string> values, Statement* statement) {
  Checksum checksum(0);
  int parameter = 3;
  for (const std::string& value : values) {
    checksum.Add(value);
    checksum.Add("", 1);
    statement->Bind(parameter++, std::string_view(value));
  }
  statement->Bind(2, checksum.Value());
}

// "?3, ?4" for two.
inline std::string CheckedParameters(size_t values) {
  std::string list = "?3";
  for (size_t i = 1; i < values; i++) list += ", ?" + std::to_string(i + 3);
  return list;
}

}  // namespace s2v

#endif  // S2V_SQL_MODEL_FORMAT_H_
