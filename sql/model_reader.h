// The rows of a stored model: all of them in order, or those that texts have.
//
//   ModelReader reader(db, {"", "news"});             // {"aux", "news"}, or {} for the default model
//   Embedder embedder(reader.info().shape, &reader);
//
// Thread rule: as the connection's.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "core/embed/embedder.h"
#include "sql/model_store.h"
#include "sql/row_cache.h"

namespace s2v {

// A row of V or U, valid until the next one is read.
struct StoredFeature {
  uint32_t index = 0;             // a word's id, an n-gram's bucket
  std::string_view word;          // of a word: any bytes
  std::string_view form;          // of a word: as it is stored, "" where nothing is
  int64_t count = 0;              // not of U
  float burst = 0;                // Feature::burst
  const void* row = nullptr;      // [RowBytes]; nullptr: there is none
  const float* vector = nullptr;  // [dimension], of a scan
};

// The whole word to show for a word of the model: its form where it has one, else the word. Throws
// FormatError where the tokenizer does not make the word of it. tokens: scratch.
std::string_view WholeWord(const ModelInfo& info, const StoredFeature& word, Tokens* tokens);

// The words of a model by id, its n-grams by bucket, or its target words by id.
//
//   FeatureScan scan(db, info);
//   for (StoredFeature word; scan.Next(&word);) Use(word.word, word.vector);
class FeatureScan {
 public:
  enum Kind { kWords, kNgrams, kTargets };
  // REQUIRES: info is of a model that a ModelReader holds, or inside a transaction, while it lives.
  FeatureScan(sqlite3* db, const ModelInfo& info, Kind kind = kWords);
  // The next row will be the one with this id.
  void Seek(uint64_t id);
  // False behind the last. Throws FormatError where one is damaged, missing or left over.
  bool Next(StoredFeature* feature);

 private:
  sqlite3* const db_;
  const ModelInfo info_;
  const Kind kind_;
  const uint64_t seed_;  // of checksums
  Statement select_;
  std::vector<float> vector_;  // [dimension] of the row
  uint64_t next_ = 0;          // how many rows are before it
};

// Reads the rows of one model. While it lives, a read transaction stays open, so that the model
// cannot be replaced under it; hence a reader must not outlive the statement that it serves.
class ModelReader : public FeatureSource {
 public:
  // files: of the connection; nullptr checks the tables anew and shares no cached rows. Throws
  // InvalidArgument where there is no such model (and says which there are), FormatError.
  ModelReader(sqlite3* db, const ModelName& name, OpenFiles* files = nullptr);

  const ModelInfo& info() const { return info_; }

  Element element() const override { return info_.element; }
  void BeginBatch() override { cache_->Pin(&view_); }
  Feature Word(std::string_view word, uint64_t hash) override;
  Feature Ngram(uint64_t bucket) override;
  float LeastFrequency() override;
  void FindWords(std::span<const WordKey> words, Feature* features) override;
  void FindNgrams(std::span<const uint64_t> buckets, Feature* features) override;

  // Of its table, not of the cache.
  StoredFeature LoadWord(const WordKey& key);
  StoredFeature LoadNgram(uint64_t bucket);

 private:
  template <typename Key, typename NumberOf, typename Load>
  void LoadMissing(std::span<const Key> keys, Feature* features, NumberOf number_of, Load load);
  float Frequency(int64_t count) const;
  StoredFeature LoadRow(FeatureScan::Kind kind, uint32_t index);
  // The entries of a directory block, checked.
  std::string_view DirectoryBlock(int64_t index, size_t entry_bytes);

  sqlite3* db_;
  ModelInfo info_;
  Statement snapshot_;  // stepped to the model's row and left there: holds the read transaction
  Statement select_row_[2], select_directory_;  // of words, of n-grams
  int64_t directory_block_ = -1;                // that select_directory_ has stepped to
  uint64_t checksum_seed_ = 0;
  float least_frequency_ = 0;  // 0: not asked for yet
  std::shared_ptr<RowCache> cache_;
  RowCache::View view_;
  std::vector<uint32_t> missing_;  // features of a batch that the cache lacks
};

}  // namespace s2v
