#include <algorithm>
#include <cstring>

#include "core/error.h"
#include "sql/model_format.h"
#include "sql/model_store.h"

namespace s2v {
namespace {

void LoadTargets(sqlite3* db, const ModelInfo& info, Model* model) {
  const uint64_t seed = ChecksumSeed(info.hash, info.id);
  const size_t vector_bytes = info.shape.dimension * sizeof(float);
  model->target = Matrix(static_cast<uint64_t>(info.targets), info.shape.dimension);
  CheckRealTable(db, info.schema, "s2v_target");
  Statement rows(db,
                 "SELECT key, vector, checksum FROM " + QuoteName(info.schema) +
                     ".s2v_target WHERE key BETWEEN ?1 AND ?2 ORDER BY key",
                 RowKey(info.id, 0), RowKey(info.id, 0xffffffff));
  uint64_t id = 0;
  for (; rows.Step(); id++) {
    const std::string_view vector = rows.Blob(1);
    Checksum checksum(seed ^ id);
    checksum.Add(vector);
    if (rows.Int(0) != RowKey(info.id, id) || id == model->target.rows() ||
        vector.size() != vector_bytes || checksum.Value() != rows.Int(2)) {
      ThrowDamaged("s2v_target", rows.Int(0));
    }
    std::memcpy(model->target[id], vector.data(), vector.size());
  }
  if (id != model->target.rows()) ThrowDamaged("s2v_target", RowKey(info.id, id));
}

// What json_each throws: for text that is no JSON a plain error, which would not say where it is.
// json_valid is not asked before, since without memory it says no.
[[noreturn]] void RethrowJson(const SqlError& error, const ModelInfo& info) {
  if (error.primary_code() == SQLITE_ERROR) ThrowDamaged("s2v_model", info.id);
  throw error;
}

}  // namespace

Model LoadSource(sqlite3* db, const ModelInfo& info, const std::vector<bool>& is_kept,
                 const std::function<void()>& tick) {
  Model model;
  model.config = StoredConfig(db, info);
  model.choices = info.choices;
  model.epoch_losses = StoredLosses(db, info);
  model.id_buckets = info.shape.id_buckets;
  model.text_count = static_cast<uint64_t>(info.texts);
  model.sentence_count = static_cast<uint64_t>(info.sentences);
  model.vocabulary.token_count = static_cast<uint64_t>(info.tokens);
  const auto features = static_cast<size_t>(info.words + info.ngrams);
  const size_t kept = is_kept.empty() ? features : std::count(is_kept.begin(), is_kept.end(), true);
  model.source = Matrix(kept, info.shape.dimension);
  size_t feature = 0, row = 0;
  const auto take = [&](const float* vector) {
    if (tick) tick();
    if (!is_kept.empty() && !is_kept[feature++]) return false;
    std::memcpy(model.source[row++], vector, info.shape.dimension * sizeof(float));
    return true;
  };
  uint64_t id = 0;
  ForEachWord(db, info, [&](const StoredWord& word) {
    const int64_t key = RowKey(info.id, id++);
    if (!take(word.vector)) return;
    if (model.vocabulary.words.Insert(word.word, HashWord(word.word)) != row - 1) {
      ThrowDamaged("s2v_word", key);
    }
    model.vocabulary.counts.push_back(static_cast<uint64_t>(word.count));
  });
  ForEachNgram(db, info, [&](const StoredNgram& ngram) {
    if (!take(ngram.vector)) return;
    model.ngram_buckets.push_back(ngram.bucket);
    model.ngram_counts.push_back(static_cast<uint32_t>(ngram.count));
  });
  return model;
}

Model LoadModel(sqlite3* db, const ModelName& name) {
  const ModelReader reader(db, name);  // holds the read transaction
  Model model = LoadSource(db, reader.info());
  LoadTargets(db, reader.info(), &model);
  return model;
}

Config ParseConfig(sqlite3* db, const std::string& json) {
  // A number as it is written: as an SQL value it would lose digits.
  Statement parameters(
      db, "SELECT key, iif(type = 'text', value, ?1 -> fullkey) FROM json_each(?1)", json);
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
  Statement losses(db, "SELECT ?1 -> fullkey FROM json_each(?1)", info.losses);
  try {
    while (losses.Step()) {
      if (!ParseNumber(losses.Text(0), &values.emplace_back())) ThrowDamaged("s2v_model", info.id);
    }
  } catch (const SqlError& error) {
    RethrowJson(error, info);
  }
  return values;
}

}  // namespace s2v
