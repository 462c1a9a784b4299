#include "sql/model_loader.h"

#include <algorithm>
#include <cstring>

#include "core/error.h"
#include "sql/model_format.h"
#include "sql/model_reader.h"

namespace s2v {
namespace {

// The model's config and losses. What the columns tell is what the rows are checked against.
void LoadHistory(sqlite3* db, const ModelInfo& info, Model* model) {
  Config& config = model->config;
  try {
    config = ParseConfig(db, info.parameters);
    config.tokenizer_version = info.shape.tokenizer->version();
    // As they are written, here too: SQLite may read numbers by the locale of the program.
    Statement losses(db, "SELECT ?1 -> fullkey FROM temp.json_each(?1)", info.losses);
    while (losses.Step()) {
      if (!ParseNumber(losses.Text(0), &model->epoch_losses.emplace_back())) {
        ThrowDamaged("s2v_model", info.id);
      }
    }
  } catch (const InvalidArgument& error) {
    throw FormatError("the parameters of model '" + info.name +
                      "' are not of this s2v: " + error.what());
  } catch (const SqlError& error) {
    // Text that is no JSON is a plain error, which would not say where it is. json_valid is not
    // asked before, since without memory it says no.
    if (error.primary_code() == SQLITE_ERROR) ThrowDamaged("s2v_model", info.id);
    throw;
  }
  if (config.dimension != info.shape.dimension || config.ngram_order != info.shape.ngram_order ||
      config.tokenizer != info.tokenizer || config.element != ElementName(info.element)) {
    ThrowDamaged("s2v_model", info.id);
  }
}

}  // namespace

Config ParseConfig(sqlite3* db, const std::string& json) {
  // A number as it is written: as an SQL value it would lose digits.
  Statement parameters(
      db,
      "SELECT key, CASE type WHEN 'text' THEN value ELSE ?1 -> fullkey END FROM temp.json_each(?1)",
      json);
  Config config;
  while (parameters.Step()) {
    SetParameter(&config, parameters.Text(0), parameters.Text(1));
  }
  return config;
}

Model LoadSource(sqlite3* db, const ModelInfo& info, const std::vector<bool>& is_kept,
                 const std::function<void()>& tick) {
  Model model;
  LoadHistory(db, info, &model);
  model.choices = info.choices;
  model.id_buckets = info.shape.id_buckets;
  model.favours_opening = info.shape.favours_opening;
  model.text_count = static_cast<uint64_t>(info.texts);
  model.sentence_count = static_cast<uint64_t>(info.sentences);
  model.vocabulary.token_count = static_cast<uint64_t>(info.tokens);
  const auto features = static_cast<size_t>(info.words + info.ngrams);
  const size_t kept = is_kept.empty() ? features : std::count(is_kept.begin(), is_kept.end(), true);
  model.source = Matrix(kept, info.shape.dimension);
  size_t feature = 0, row = 0;
  for (const auto kind : {FeatureScan::kWords, FeatureScan::kNgrams}) {
    FeatureScan scan(db, info, kind);
    for (StoredFeature stored; scan.Next(&stored);) {
      if (tick) tick();
      if (!is_kept.empty() && !is_kept[feature++]) continue;
      std::memcpy(model.source[row++], stored.vector, info.shape.dimension * sizeof(float));
      if (kind == FeatureScan::kNgrams) {
        model.ngram_buckets.push_back(stored.index);
        model.ngram_counts.push_back(static_cast<uint32_t>(stored.count));
        continue;
      }
      if (model.vocabulary.words.Insert(stored.word, HashWord(stored.word)) != row - 1) {
        ThrowDamaged("s2v_word", RowKey(info.id, stored.index));
      }
      model.vocabulary.counts.push_back(static_cast<uint64_t>(stored.count));
      if (info.has_forms) model.vocabulary.forms.emplace_back(stored.form);
      if (info.has_bursts) model.word_bursts.push_back(stored.burst);
    }
  }
  return model;
}

Model LoadModel(sqlite3* db, const ModelName& name) {
  const ModelReader reader(db, name);  // holds the read transaction
  const ModelInfo& info = reader.info();
  Model model = LoadSource(db, info);
  model.target = Matrix(static_cast<uint64_t>(info.targets), info.shape.dimension);
  CheckRealTable(db, info.schema, "s2v_target");
  FeatureScan scan(db, info, FeatureScan::kTargets);
  for (StoredFeature target; scan.Next(&target);) {
    std::memcpy(model.target[target.index], target.vector, info.shape.dimension * sizeof(float));
  }
  return model;
}

}  // namespace s2v
