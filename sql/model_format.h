// The arithmetic of the stored form (sql/schema.sql): keys, directory blocks, checksums. Shared by
// the code that writes models and the code that reads them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

#include "core/config.h"
#include "core/text/tokenizer.h"
#include "core/vocab/hash.h"
#include "sql/statement.h"

namespace s2v {

inline constexpr int kFormatVersion = 6;  // the newest that is read
inline constexpr int kBaseVersion = 2;    // of models without what newer versions have
inline constexpr int kIdsVersion = 3;     // n-grams by their words' ids
// with forms of words, which readers of the former need not know of
inline constexpr int kFormsVersion = 4;
inline constexpr int kOpeningVersion = 5;  // embeddings favour a text's opening
inline constexpr int kBurstsVersion = 6;   // as 5, and with bursts of words
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
inline uint64_t NgramBlockCount(int shift, uint64_t buckets = kBucketCount) {
  return ((buckets - 1) >> shift) + 1;
}
inline int NgramBlockShift(uint64_t ngrams, uint64_t buckets = kBucketCount) {
  int shift = 0;
  while (shift < 32 && NgramBlockCount(shift + 1, buckets) * 512 >= ngrams) shift++;
  return shift;
}

// Whether a tokenizer makes the word, and perhaps others, of a form.
inline bool MakesWord(const Tokenizer& tokenizer, std::string_view form, std::string_view word,
                      Tokens* tokens) {
  tokenizer.Tokenize(form, tokens);
  for (size_t i = 0; i < tokens->size(); i++) {
    if ((*tokens)[i] == word) return true;
  }
  return false;
}

// Throws the FormatError of a row that is not as it was written. advice: behind it.
inline constexpr char kModelAdvice[] = "; train the model again, or s2v_drop takes it away";
[[noreturn]] inline void ThrowDamaged(std::string_view table, int64_t key,
                                      const char* advice = kModelAdvice) {
  ThrowMalformed("table " + std::string(table) + ", key " + std::to_string(key) + advice);
}
// The seed of the checksums of a model's rows: the first 8 bytes of its hash. id: for the error.
inline uint64_t ChecksumSeed(const std::string& hash, int64_t id) {
  uint64_t seed = 0;
  if (hash.size() != 32 || !ParseNumber(std::string_view(hash).substr(0, 16), &seed, 16))
    ThrowDamaged("s2v_model", id);
  return __builtin_bswap64(seed);  // the first digits are of the lowest byte
}

// One of the checksums, or a model's hash, fed with its parts in order.
class Checksum {
 public:
  explicit Checksum(uint64_t seed) { XXH3_64bits_reset_withSeed(&state_, seed); }
  void Add(std::string_view bytes) { Add(bytes.data(), bytes.size()); }
  void Add(const void* data, size_t size) { XXH3_64bits_update(&state_, data, size); }
  void Add(uint64_t number) { Add(&number, sizeof(number)); }
  void AddText(std::string_view text) {
    Add(text);
    Add("", 1);
  }
  int64_t Value() const { return static_cast<int64_t>(XXH3_64bits_digest(&state_)); }
  // XXH3 collects for both lengths alike.
  XXH128_canonical_t Value128() const {
    XXH128_canonical_t canonical;
    XXH128_canonicalFromHash(&canonical, XXH3_128bits_digest(&state_));
    return canonical;
  }

 private:
  XXH3_state_t state_{};
};

// The columns of s2v_model under its checksum, in their order.
inline constexpr char kCheckedColumns[] =
    "version, compatible_version, dimension, element, tokenizer, tokenizer_version, ngram_order, "
    "words, ngrams, targets, smoothing, unknown_norm, tokens, texts, "
    "sentences, corpus, parameters, choices, losses, library, created, hash";

// Reads a row of s2v_model or s2v_checkpoint, of which the last column is the checksum, from a
// column on.
class CheckedRow {
 public:
  // table, id and advice: for the error.
  CheckedRow(const Statement& row, int first, const char* table, int64_t id,
             const char* advice = kModelAdvice)
      : row_(row), column_(first), table_(table), id_(id), advice_(advice) {}
  // That the checksum is that of all columns from here on.
  void Check() const {
    const int last = sqlite3_column_count(row_.get()) - 1;
    Checksum checksum(0);
    for (int column = column_; column < last; column++) {
      checksum.AddText(row_.Type(column) == SQLITE_BLOB ? row_.Blob(column) : row_.Text(column));
    }
    if (checksum.Value() != row_.Int(last)) Throw();
  }
  // The next column's value.
  int64_t Int(int64_t least = INT64_MIN, int64_t most = INT64_MAX) {
    const int64_t value = row_.Int(column_);
    if (row_.Type(column_++) != SQLITE_INTEGER || value < least || value > most) Throw();
    return value;
  }
  std::string_view Text() { return row_.Text(column_++); }
  std::string_view Blob() { return row_.Blob(column_++); }
  [[noreturn]] void Throw() const { ThrowDamaged(table_, id_, advice_); }

 private:
  const Statement& row_;
  int column_;
  const char* const table_;
  const int64_t id_;
  const char* const advice_;
};

// Runs a statement that writes such a row: ?1 is its id, ?2 the checksum of the values, which are
// ?3 and those that follow.
template <typename... Values>
void RunChecked(Statement* statement, int64_t id, const Values&... values) {
  Checksum checksum(0);
  int parameter = 3;
  const auto bind = [&](const auto& value) {
    if constexpr (std::is_integral_v<std::decay_t<decltype(value)>>) {
      checksum.AddText(std::to_string(value));
    } else if constexpr (std::is_same_v<std::decay_t<decltype(value)>, Blob>) {
      checksum.AddText(value.bytes);
    } else {
      checksum.AddText(value);
    }
    statement->Bind(parameter++, value);
  };
  (bind(values), ...);
  statement->Bind(1, id);
  statement->Bind(2, checksum.Value());
  statement->Run();
}

// "?3, ?4" for two columns.
inline std::string CheckedParameters(std::string_view columns) {
  std::string list = "?3";
  for (int64_t i = 0; i < std::count(columns.begin(), columns.end(), ','); i++) {
    list += ", ?" + std::to_string(i + 4);
  }
  return list;
}

}  // namespace s2v
