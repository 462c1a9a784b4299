#include "sql/model_store.h"

#include <charconv>
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
    model_.config = StoredConfig(db_, info_);
    model_.choices = info_.choices;
    model_.epoch_losses = StoredLosses(db_, info_);
    model_.source = Matrix(static_cast<uint64_t>(info_.words + info_.ngrams), Dimension());
    model_.target = Matrix(static_cast<uint64_t>(info_.targets), Dimension());
    LoadWords();
    LoadNgrams();
    LoadTargets();
    model_.id_buckets = info_.shape.id_buckets;
    model_.text_count = static_cast<uint64_t>(info_.texts);
    model_.sentence_count = static_cast<uint64_t>(info_.sentences);
    return std::move(model_);
  }

 private:
  uint32_t Dimension() const { return info_.shape.dimension; }
  size_t VectorBytes() const { return Dimension() * sizeof(float); }

  void LoadWords() {
    ForEachWord(db_, info_, [&](const StoredWord& stored) {
      const uint32_t id = model_.vocabulary.size();
      AddStoredWord(info_, id, stored, &model_.vocabulary);
      std::memcpy(model_.source[id], stored.vector, VectorBytes());
    });
    model_.vocabulary.token_count = static_cast<uint64_t>(info_.tokens);
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
    ForEachNgram(db_, info_, [&](const StoredNgram& stored) {
      const size_t row = model_.ngram_buckets.size();
      model_.ngram_buckets.push_back(stored.bucket);
      model_.ngram_counts.push_back(static_cast<uint32_t>(stored.count));
      std::memcpy(model_.source[static_cast<uint64_t>(info_.words) + row], stored.vector,
                  VectorBytes());
    });
  }

  void LoadTargets() {
    CheckRealTable(db_, info_.schema, "s2v_target");
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

void AddStoredWord(const ModelInfo& info, uint64_t id, const StoredWord& word,
                   Vocabulary* vocabulary) {
  const uint32_t row = vocabulary->size();
  if (vocabulary->words.Insert(word.word, HashWord(word.word)) != row) {
    ThrowDamaged("s2v_word", RowKey(info.id, id));
  }
  vocabulary->counts.push_back(static_cast<uint64_t>(word.count));
}

namespace {

// What json_each throws: for text that is no JSON a plain error, which would not say where it is.
// json_valid is not asked before, since without memory it says no.
[[noreturn]] void RethrowJson(const SqlError& error, const ModelInfo& info) {
  if (error.primary_code() == SQLITE_ERROR) ThrowDamaged("s2v_model", info.id);
  throw error;
}

}  // namespace

Config ParseConfig(sqlite3* db, const std::string& json) {
  // A number as it is written: as an SQL value it would lose digits.
  Statement parameters(db,
                       "SELECT key, iif(type = 'text', value, ?1 -> fullkey) FROM json_each(?1)");
  parameters.Bind(1, std::string_view(json));
  Config config;
  while (parameters.Step()) {
    SetParameter(&config, parameters.Text(0), parameters.Text(1));
  }
  return config;
}

Config StoredConfig(sqlite3* db, const ModelInfo& info) {
  Config config;
  try {
    config = ParseConfig(db, info.parameters);
  } catch (const InvalidArgument& error) {
    throw FormatError("the parameters of model '" + info.name +
                      "' are not of this s2v: " + error.what());
  } catch (const SqlError& error) {
    RethrowJson(error, info);
  }
  // What the columns tell is what the rows are checked against.
  if (config.dimension != info.shape.dimension || config.ngram_order != info.shape.ngram_order ||
      config.tokenizer != info.tokenizer || config.element != ElementName(info.element)) {
    ThrowDamaged("s2v_model", info.id);
  }
  return config;
}

std::vector<double> StoredLosses(sqlite3* db, const ModelInfo& info) {
  std::vector<double> values;
  // As they are written, here too: SQLite may read numbers by the locale of the program.
  Statement losses(db, "SELECT ?1 -> fullkey FROM json_each(?1)");
  losses.Bind(1, std::string_view(info.losses));
  try {
    while (losses.Step()) {
      const std::string_view text = losses.Text(0);
      const char* end = text.data() + text.size();
      const auto [rest, error] = std::from_chars(text.data(), end, values.emplace_back());
      if (error != std::errc() || rest != end) ThrowDamaged("s2v_model", info.id);
    }
  } catch (const SqlError& error) {
    RethrowJson(error, info);
  }
  return values;
}

Model LoadModel(sqlite3* db, const ModelName& name) {
  return Loader(db, name).Load();
}

}  // namespace s2v
