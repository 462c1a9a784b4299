#include "sql/model_loader.h"

#include <cstring>

#include "core/error.h"
#include "sql/model_format.h"

namespace s2v {
namespace {

class Loader {
 public:
  Loader(sqlite3* db, const ModelName& name)
      : db_(db),
        reader_(db, name),
        info_(reader_.info()),
        seed_(ChecksumSeed(info_.hash, info_.id)) {}

  Model Load() {
    LoadParameters();
    LoadLosses();
    model_.source = Matrix(static_cast<uint64_t>(info_.words + info_.ngrams), Dimension());
    model_.target = Matrix(static_cast<uint64_t>(info_.targets), Dimension());
    LoadWords();
    LoadNgrams();
    LoadTargets();
    model_.components = info_.shape.components;
    model_.text_count = static_cast<uint64_t>(info_.texts);
    model_.sentence_count = static_cast<uint64_t>(info_.sentences);
    return std::move(model_);
  }

 private:
  uint32_t Dimension() const { return info_.shape.dimension; }
  size_t VectorBytes() const { return Dimension() * sizeof(float); }

  void LoadParameters() {
    // A number as it is written: as an SQL value it would lose digits.
    Statement parameters(db_,
                         "SELECT key, iif(type = 'text', value, ?1 -> fullkey) FROM json_each(?1)");
    parameters.Bind(1, std::string_view(info_.parameters));
    Config& config = model_.config;
    try {
      while (parameters.Step()) SetParameter(&config, parameters.Text(0), parameters.Text(1));
    } catch (const InvalidArgument& error) {
      throw FormatError("the parameters of model '" + info_.name +
                        "' are not of this s2v: " + error.what());
    }
    // What the columns tell is what the rows are checked against.
    if (config.dimension != Dimension() || config.ngram_order != info_.shape.ngram_order ||
        static_cast<uint64_t>(config.bucket_count) != info_.shape.bucket_count ||
        config.tokenizer != info_.tokenizer) {
      ThrowDamaged("s2v_model", info_.id);
    }
  }

  void LoadLosses() {
    Statement losses(db_, "SELECT value FROM json_each(?1)");
    losses.Bind(1, std::string_view(info_.losses));
    while (losses.Step()) model_.epoch_losses.push_back(losses.Double(0));
  }

  void LoadWords() {
    Vocabulary& vocabulary = model_.vocabulary;
    vocabulary.token_count = static_cast<uint64_t>(info_.tokens);
    ForEachWord(db_, info_, [&](const StoredWord& stored) {
      const uint32_t id = vocabulary.size();
      const auto count = static_cast<uint64_t>(stored.count);
      // Words rise in rarity: what has a minimal count is found as a prefix.
      if (stored.count < 1 || id >= info_.words || (id > 0 && count > vocabulary.counts[id - 1]) ||
          vocabulary.words.Insert(stored.word, HashWord(stored.word)) != id) {
        ThrowDamaged("s2v_word", RowKey(info_.id, id));
      }
      vocabulary.counts.push_back(count);
      std::memcpy(model_.source[id], stored.vector, VectorBytes());
    });
  }

  // Rows of a table, key by key, of the columns key, vector, checksum and any more.
  Statement SelectRows(const char* table, const char* columns) const {
    Statement rows(db_, std::string("SELECT ") + columns + " FROM " + QuoteName(info_.schema) +
                            "." + table + " WHERE key BETWEEN ?1 AND ?2 ORDER BY key");
    rows.Bind(1, RowKey(info_.id, 0));
    rows.Bind(2, RowKey(info_.id, 0xffffffff));
    return rows;
  }

  void LoadNgrams() {
    Statement rows = SelectRows("s2v_ngram", "key, vector, checksum, count");
    while (rows.Step()) {
      const int64_t key = rows.Int(0), count = rows.Int(3);
      const auto bucket = static_cast<uint64_t>(key - RowKey(info_.id, 0));
      const std::string_view vector = rows.Blob(1);
      Checksum checksum(seed_ ^ bucket);
      checksum.Add(vector);
      checksum.Add(static_cast<uint64_t>(count));
      const size_t row = model_.ngram_buckets.size();
      if (vector.size() != VectorBytes() || checksum.Value() != rows.Int(2) || count < 1 ||
          count > 0xffffffff || bucket >= info_.shape.bucket_count ||
          row == static_cast<uint64_t>(info_.ngrams)) {
        ThrowDamaged("s2v_ngram", key);
      }
      model_.ngram_buckets.push_back(static_cast<uint32_t>(bucket));
      model_.ngram_counts.push_back(static_cast<uint32_t>(count));
      std::memcpy(model_.source[static_cast<uint64_t>(info_.words) + row], vector.data(),
                  vector.size());
    }
    if (model_.ngram_buckets.size() != static_cast<uint64_t>(info_.ngrams)) {
      ThrowDamaged("s2v_ngram", RowKey(info_.id, 0));
    }
  }

  void LoadTargets() {
    Statement rows = SelectRows("s2v_target", "key, vector, checksum");
    uint64_t id = 0;
    for (; rows.Step(); id++) {
      const std::string_view vector = rows.Blob(1);
      Checksum checksum(seed_ ^ id);
      checksum.Add(vector);
      if (rows.Int(0) != RowKey(info_.id, id) || id == model_.target.rows() ||
          vector.size() != VectorBytes() || checksum.Value() != rows.Int(2)) {
        ThrowDamaged("s2v_target", rows.Int(0));
      }
      std::memcpy(model_.target[id], vector.data(), vector.size());
    }
    if (id != model_.target.rows()) ThrowDamaged("s2v_target", RowKey(info_.id, id));
  }

  sqlite3* db_;
  const ModelReader reader_;  // holds the read transaction
  const ModelInfo& info_;
  const uint64_t seed_;
  Model model_;
};

}  // namespace

Model LoadModel(sqlite3* db, const ModelName& name) {
  return Loader(db, name).Load();
}

}  // namespace s2v
