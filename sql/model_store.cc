#include "sql/model_store.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/error.h"
#include "sql/checkpoint_store.h"
#include "sql/json.h"
#include "sql/model_format.h"
#include "sql/model_lock.h"

namespace s2v {
namespace {

// Without U: embedding does not need it, and a file may lack it.
constexpr std::string_view kReadTables[] = {"s2v_word", "s2v_ngram", "s2v_directory", "s2v_model"};

std::string Qualified(const std::string& schema, std::string_view table) {
  return QuoteName(schema) + "." + std::string(table);
}

std::string SelectModels(const std::string& schema) {
  return std::string("SELECT id, name, is_default, ") + kCheckedColumns + ", checksum FROM " +
         Qualified(schema, "s2v_model") + " WHERE ";
}

// What is known of a model that cannot be read. REQUIRES, here and below: row has just stepped
// to a row of SelectModels.
ModelInfo ReadHead(const std::string& schema, const Statement& row) {
  ModelInfo info;
  info.schema = schema;
  info.id = row.Int(0);
  info.name = row.Text(1);
  info.is_default = row.Int(2) != 0;
  return info;
}

ModelInfo ReadInfo(ModelInfo info, const Statement& row) {
  CheckedRow in(row, 3, "s2v_model", info.id);
  const int64_t version = row.Int(3), compatible = row.Int(4);
  if (compatible > kFormatVersion) {
    throw FormatError("model '" + info.name + "' needs format version " +
                      std::to_string(compatible) + "; this library reads up to version " +
                      std::to_string(kFormatVersion) + ": use a newer s2v");
  }
  in.Check();
  if (info.id < 1 || info.id > kMaxModelId) in.Throw();
  in.Int();  // the versions
  in.Int();
  info.has_forms = version >= kFormsVersion;
  info.has_bursts = version >= kBurstsVersion;
  info.shape.dimension = static_cast<uint32_t>(in.Int(1, 1 << 20));
  const std::string_view element = in.Text();
  info.element = element == ElementName(Element::kInt8) ? Element::kInt8 : Element::kFloat32;
  if (element != ElementName(info.element)) in.Throw();
  info.tokenizer = in.Text();
  const int64_t tokenizer_version = in.Int();
  info.shape.ngram_order = static_cast<uint32_t>(in.Int(1, 255));
  info.words = in.Int(0, 0xffffffff);
  info.ngrams = in.Int(compatible == kIdsVersion ? 1 : 0, 0xffffffff);
  if (compatible == kIdsVersion) info.shape.id_buckets = static_cast<uint64_t>(info.ngrams);
  info.shape.favours_opening = compatible >= kOpeningVersion;
  info.targets = in.Int(0, info.words);
  const auto decimal = [&](float most) {
    float number = -1;
    if (!ParseNumber(in.Text(), &number) || !(number >= 0 && number <= most)) in.Throw();
    return number;
  };
  info.shape.smoothing = decimal(1);
  info.shape.unknown_norm = decimal(1e6f);
  info.tokens = in.Int(1);
  info.shape.unknown_frequency = 1.0f / static_cast<float>(info.tokens);
  info.texts = in.Int();
  info.sentences = in.Int();
  for (std::string* text : {&info.corpus, &info.parameters, &info.choices, &info.losses,
                            &info.library, &info.created, &info.hash}) {
    *text = in.Text();
  }
  info.shape.tokenizer = FindTokenizer(info.tokenizer, tokenizer_version);
  if (info.shape.tokenizer == nullptr) {
    throw FormatError("model '" + info.name + "' needs tokenizer " + info.tokenizer + " version " +
                      std::to_string(tokenizer_version) + ", which this library lacks");
  }
  return info;
}

// Of its info what ReadHead knows.
std::optional<OpenedModel> FindModel(sqlite3* db, const ModelName& name, OpenFiles* files) {
  const ReadingGuard guard(db);
  for (const std::string& schema : Schemas(db, name.schema)) {
    if (!HasModels(db, schema)) continue;
    OpenFiles::Reading reading = files->Begin(db, schema, kReadTables);
    Statement select(db, SelectModels(schema) +
                             (name.name.empty() ? "is_default AND name IS NOT NULL" : "name = ?1"));
    if (!name.name.empty()) select.Bind(1, name.name);
    if (select.Step())
      return OpenedModel{ReadHead(schema, select), std::move(select), std::move(reading)};
  }
  return std::nullopt;
}

// Whose model or unfinished training a name means, the model first; nullopt: neither.
std::optional<ModelName> FindNamed(sqlite3* db, const ModelName& name) {
  OpenFiles files;
  if (const auto model = FindModel(db, name, &files)) {
    return ModelName{model->info.schema, model->info.name};
  }
  for (const std::string& schema : Schemas(db, name.schema)) {
    if (HasCheckpointOf(db, schema, name.name)) return ModelName{schema, name.name};
  }
  return std::nullopt;
}

// name: of a model that there is not; empty for any.
bool IsUnfinished(sqlite3* db, const ModelName& name) {
  const std::vector<std::string> schemas = Schemas(db, name.schema);
  return std::any_of(schemas.begin(), schemas.end(), [&](const std::string& schema) {
    return name.name.empty() ? HasCheckpointRows(db, schema)
                             : HasCheckpointOf(db, schema, name.name);
  });
}

[[noreturn]] void ThrowNoModel(sqlite3* db, const ModelName& name) {
  std::string known;
  for (const ModelInfo& info : ListModels(db)) {
    if (!info.name.empty())
      known += (known.empty() ? "" : ", ") + ModelName{info.schema, info.name}.Text();
  }
  const std::string wanted =
      name.name.empty()
          ? "no default model"
          : "no model '" + (name.schema.empty() ? "" : name.schema + ".") + name.name + "'";
  if ((known.empty() || !name.name.empty()) && IsUnfinished(db, name)) {
    throw InvalidArgument(wanted +
                          " yet: a training is unfinished; where it was stopped, s2v train "
                          "--resume goes on with it, or the option resume of s2v_train");
  }
  if (known.empty())
    throw InvalidArgument(wanted + " here: train one with s2v_train(table, column)");
  throw InvalidArgument(
      wanted + (name.name.empty() ? ": train one with \"default\": true, or " : ": ") +
      "name one of " + known +
      (name.name == "raw" ? "; as an option it is s2v_embed(text, NULL, 'raw')" : ""));
}

}  // namespace

ModelName ParseModelName(std::string_view text) {
  ModelName name;
  const size_t dot = text.find('.');
  if (dot != std::string_view::npos) {
    name.schema = text.substr(0, dot);
    text = text.substr(dot + 1);
    if (name.schema.empty()) throw InvalidArgument("a schema's name is missing before '.'");
  }
  if (text.empty()) throw InvalidArgument("a model's name is empty");
  if (text.find('.') != std::string_view::npos || text.find('\0') != std::string_view::npos) {
    throw InvalidArgument("a model's name has no '.' of its own: schema.name or name");
  }
  if (text.size() > 255) throw InvalidArgument("a model's name has at most 255 bytes");
  name.name = text;
  return name;
}

std::string ModelName::Text() const {
  return (schema.empty() || schema == "main" ? "" : schema + ".") + name;
}

std::string OutgrownModel(const ModelInfo& info, uint64_t texts_now) {
  constexpr uint64_t kFactor = 2;  // chosen, not measured
  const auto texts = static_cast<uint64_t>(info.texts);
  if (texts == 0 || texts_now / kFactor < texts) return "";
  return "model '" + info.name + "' was trained from " + std::to_string(texts) +
         " texts, and there are " + std::to_string(texts_now) +
         " by now: one that is trained anew knows more";
}

bool HasModels(sqlite3* db, const std::string& schema, bool may_read) {
  const auto has_table = [&] { return HasColumn(db, schema, "s2v_model", "checksum"); };
  if (!has_table()) {
    // Another connection may have made the table since this one read the schema, and a statement
    // finds that out.
    if (!may_read) return false;
    SelectInt(db, "SELECT count(*) FROM " + QuoteName(schema) + ".sqlite_schema LIMIT 1");
    if (!has_table()) return false;
  }
  if (HasColumn(db, schema, "s2v_model", "components")) {
    throw FormatError("the models of database '" + schema +
                      "' have format version 1, which was before the first release: DROP TABLE "
                      "s2v_model, s2v_word, s2v_ngram, s2v_target, s2v_component and "
                      "s2v_directory, and train again");
  }
  return true;
}

bool IsModelThere(sqlite3* db, const ModelName& name) {
  OpenFiles files;
  return FindModel(db, name, &files).has_value();
}

std::string NameOfModel(sqlite3* db, const std::string& schema, const std::string& hash) {
  const ReadingGuard guard(db);
  if (!HasModels(db, schema)) return "";
  return SelectText(db,
                    "SELECT name FROM " + Qualified(schema, "s2v_model") +
                        " WHERE name IS NOT NULL AND hash = ?1",
                    hash);
}

OpenedModel OpenStoredModel(sqlite3* db, const ModelName& name, OpenFiles* files) {
  std::optional<OpenedModel> found = FindModel(db, name, files);
  if (!found) ThrowNoModel(db, name);
  found->info = ReadInfo(std::move(found->info), found->row);
  return std::move(*found);
}

std::vector<ModelInfo> ListModels(sqlite3* db) {
  const ReadingGuard guard(db);
  std::vector<ModelInfo> models;
  for (const std::string& schema : Schemas(db)) {
    Statement select;
    const auto add_unreadable = [&](const std::exception& error) {
      models.emplace_back().schema = schema;
      models.back().error = error.what();
    };
    try {
      if (!HasModels(db, schema)) continue;
      CheckRealTable(db, schema, "s2v_model");
      select = Statement(db, SelectModels(schema) + "name IS NOT NULL ORDER BY name");
    } catch (const FormatError& error) {
      add_unreadable(error);
      continue;
    } catch (const SqlError& error) {
      if (error.primary_code() != SQLITE_ERROR) throw;  // SQLITE_ERROR: it lacks a column
      add_unreadable(error);
      continue;
    }
    while (select.Step()) {
      models.push_back(ReadHead(schema, select));
      try {
        models.back() = ReadInfo(models.back(), select);
        for (const std::string* json : {&models.back().corpus, &models.back().parameters,
                                        &models.back().choices, &models.back().losses}) {
          if (JsonType(db, *json).empty()) ThrowDamaged("s2v_model", models.back().id);
        }
      } catch (const FormatError& error) {
        models.back().error = error.what();
      }
    }
  }
  return models;
}

void DeleteModelRows(sqlite3* db, const std::string& schema, int64_t id) {
  // A damaged id has no keys, and may be another model's.
  for (const char* table : {"s2v_word", "s2v_ngram", "s2v_target", "s2v_directory"}) {
    if (id < 1 || id > kMaxModelId) break;
    Execute(db, "DELETE FROM " + Qualified(schema, table) + " WHERE key BETWEEN ?1 AND ?2",
            RowKey(id, 0), RowKey(id, 0xffffffff));
  }
  Execute(db, "DELETE FROM " + Qualified(schema, "s2v_model") + " WHERE id = ?1", id);
}

void DropModel(sqlite3* db, const ModelName& name) {
  const std::optional<ModelName> named = FindNamed(db, name);
  if (!named) ThrowNoModel(db, name);
  const std::string& schema = named->schema;
  CheckWritable(db, schema);
  Savepoint savepoint(db);
  // Found again under the write lock: it may have been replaced meanwhile.
  LockForSaving(db, schema);
  const bool was_unfinished = ForgetCheckpoints(db, schema, named->name);
  OpenFiles files;
  std::optional<OpenedModel> found = FindModel(db, *named, &files);
  if (!found && !was_unfinished) ThrowNoModel(db, name);
  if (found) {
    const int64_t id = found->info.id;
    found.reset();
    DeleteModelRows(db, schema, id);
    const std::string table = Qualified(schema, "s2v_model");
    Execute(db, "UPDATE " + table +
                    " SET is_default = 1 WHERE name IS NOT NULL AND (SELECT count(*) FROM " +
                    table + " WHERE name IS NOT NULL) = 1");
  }
  savepoint.Release();
  if (was_unfinished) DeleteUnownedRows(db, schema);
}

}  // namespace s2v
