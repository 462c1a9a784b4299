// Models in a database: model_store.cc (finding, reading rows), model_loader.cc (reading all of
// one) and model_writer.cc. The stored form is specified at the head of sql/schema.sql.
//
//   SaveModel(db, {{"main", "news"}, corpus_json}, model, keep_waiting);
//   ModelReader reader(db, "news");                  // or "aux.news", or "" for the default model
//   Embedder embedder(reader.info().shape, &reader, BestKernels());
//
// A schema-qualified name finds a model in that attached database; a bare name is looked for in
// main, temp and then the attached ones, in their order, and so is the default model.
//
// Thread rule: as the connection's.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/embed/embedder.h"
#include "core/model/element.h"
#include "core/model/model.h"
#include "sql/model_lock.h"
#include "sql/real_table.h"
#include "sql/row_cache.h"
#include "sql/statement.h"

namespace s2v {

struct ModelName {
  std::string schema;  // "" where none was given
  std::string name;    // "" for the default model
  // As ParseModelName takes it, without main.
  std::string Text() const;
};
// 'aux.news' -> {aux, news}, 'news' -> {"", news}. Throws InvalidArgument for what no model can be
// called.
ModelName ParseModelName(std::string_view text);

struct ModelInfo {
  std::string schema;
  int64_t id = 0;
  std::string name;
  bool is_default = false;
  EmbeddingShape shape;
  Element element = Element::kFloat32;
  int64_t words = 0, ngrams = 0, targets = 0;
  int64_t tokens = 0, texts = 0, sentences = 0;
  bool has_forms = false;   // of version 4
  bool has_bursts = false;  // of version 6
  std::string tokenizer, corpus, parameters, choices, losses, library, created, hash;
  // In ListModels: why it cannot be read; then only schema, id, name and is_default are set; only
  // schema where no model of the schema can be read.
  std::string error;
};

// Why the model should be trained anew, where it was trained from much fewer texts than there are
// now; else "".
std::string OutgrownModel(const ModelInfo& info, uint64_t texts_now);
// may_read: the schema, where this connection knows of none. Not in a transaction that is to write:
// once it has read, SQLite does not wait for the write lock.
bool HasModels(sqlite3* db, const std::string& schema, bool may_read = true);
// Whether there is a model of this name, in any database where it says none.
bool IsModelThere(sqlite3* db, const ModelName& name);
// The name of the schema's model with this hash; "" where there is none.
std::string NameOfModel(sqlite3* db, const std::string& schema, const std::string& hash);
// Schema by schema, by name; those that cannot be read too.
std::vector<ModelInfo> ListModels(sqlite3* db);

struct SaveRequest {
  ModelName name;      // without a schema: main
  std::string corpus;  // JSON
  bool make_default = false;
  // The hash of the model that the new one was made from and shall replace; "": it may replace any,
  // or none.
  std::string former_hash = {};
  // Before the commit, makes the indexes anew whose vectors another model has made. Indexes that
  // awaited a model are made in any case.
  bool rebuild_indexes = false;
};
// Row i of V [dimension], valid until the next call. Called for 0, 1 ..., twice.
using SourceRows = std::function<const float*(uint64_t row)>;
// Stores a model under its name, its rows as model.config.element, in place of a former one, in one
// savepoint. The first model of a database becomes its default; a model that takes the default's
// place stays the default. An unfinished training of that name is forgotten. Throws InvalidArgument
// where the former model is another one by now, SqlError; then nothing has changed. rows: where
// they are not those of model.source, or are to be counted.
ModelInfo SaveModel(sqlite3* db, const SaveRequest& request, const Model& model,
                    const KeepWaiting& keep_waiting, SourceRows rows = {});
// Deletes every row of a model, published or not.
void DeleteModelRows(sqlite3* db, const std::string& schema, int64_t id);
// Deletes a model and an unfinished training of its name, or the one of them that there is. If one
// model is left, it becomes the default. Throws InvalidArgument where there is neither.
void DropModel(sqlite3* db, const ModelName& name);

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

// The model as SaveModel got it; only a float32 model has U. Every row's checksum is checked, and
// that none is missing or left over. Throws InvalidArgument where there is no such model,
// FormatError where it is damaged or its parameters are not of this library.
Model LoadModel(sqlite3* db, const ModelName& name);
// All but U, of the source rows those that are kept ([words + n-grams], empty: all; tick is called
// for each).
// REQUIRES: as FeatureScan.
Model LoadSource(sqlite3* db, const ModelInfo& info, const std::vector<bool>& is_kept = {},
                 const std::function<void()>& tick = {});
// What ConfigJson wrote. Throws InvalidArgument where it is not of this library, SqlError with
// SQLITE_ERROR where it is no JSON.
Config ParseConfig(sqlite3* db, const std::string& json);

}  // namespace s2v
