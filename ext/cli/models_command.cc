// s2v models DB [--json]      the models of a database: an aligned table, or a JSON object a line
// s2v drop DB MODEL           deletes a model
//
// Standard error lists the unfinished trainings; with --json they are objects of their own.
#include <memory>

#include "core/config.h"
#include "core/error.h"
#include "ext/cli/command.h"
#include "ext/cli/database.h"
#include "ext/cli/text.h"
#include "sql/checkpoint_store.h"
#include "sql/model_store.h"
#include "sql/train_table.h"

namespace s2v {
namespace {

struct ModelsOptions {
  std::string path;
  bool json = false;
};

struct DropOptions {
  std::string path, model;
};

std::string ModelsTable(const std::vector<ModelInfo>& models) {
  TextTable table(
      {"name", "default", "dim>", "element", "words>", "ngrams>", "tokens>", "created", "hash"});
  for (const ModelInfo& model : models) {
    if (!model.error.empty()) continue;
    table.AddRow({model.name, model.is_default ? "*" : "", std::to_string(model.shape.dimension),
                  std::string(ElementName(model.element)), std::to_string(model.words),
                  std::to_string(model.ngrams), std::to_string(model.tokens), model.created,
                  model.hash});
  }
  return table.Text();
}

// The columns of the table-valued function s2v_models; what is JSON there is nested here.
std::string JsonLine(const ModelInfo& model) {
  const bool readable = model.error.empty();
  const auto text = [&](const std::string& value) { return readable ? JsonString(value) : "null"; };
  const auto json = [&](const std::string& value) { return readable ? value : "null"; };
  const auto number = [&](int64_t value) { return json(std::to_string(value)); };
  return "{\"name\":" + JsonString(model.name) + ",\"dim\":" + number(model.shape.dimension) +
         ",\"words\":" + number(model.words) + ",\"ngrams\":" + number(model.ngrams) +
         ",\"tokens\":" + number(model.tokens) + ",\"parameters\":" + json(model.parameters) +
         ",\"created\":" + text(model.created) + ",\"hash\":" + text(model.hash) +
         ",\"is_default\":" + (model.is_default ? "true" : "false") +
         ",\"schema\":" + JsonString(model.schema) + ",\"corpus\":" + json(model.corpus) +
         ",\"losses\":" + json(model.losses) + ",\"library\":" + text(model.library) +
         ",\"choices\":" + json(model.choices) +
         ",\"element\":" + text(std::string(ElementName(model.element))) +
         ",\"error\":" + (readable ? "null" : JsonString(model.error)) + "}\n";
}

// The table has no place for them; nor does a script that looks at the exit code alone miss one.
void ThrowIfUnreadable(const std::vector<ModelInfo>& models) {
  for (const ModelInfo& model : models) {
    if (model.error.empty()) continue;
    FlushOutput();
    throw FormatError("cannot read model '" + model.name + "': " + model.error +
                      "; s2v drop removes it");
  }
}

// "unfinished: 43 % of 'news' from docs.body (2026-11-21 10:11:12); go on with: s2v train news.db
// --resume --model news"
std::string UnfinishedText(sqlite3* db, const std::string& path, const Checkpoint& c) {
  const CorpusOrigin origin = ParseCorpusOrigin(db, c.corpus);
  return "unfinished: " + PercentText(c.Fraction()) + " of '" + c.name + "' from " + origin.table +
         "." + origin.column + " (" + c.created + "); go on with: " + ResumeText(path, c.name) +
         "\n";
}

std::string UnfinishedJson(const Checkpoint& c) {
  return "{\"unfinished\":" + JsonString(c.name) + ",\"fraction\":" + NumberText(c.Fraction()) +
         ",\"parameters\":" + c.parameters + ",\"corpus\":" + c.corpus +
         ",\"created\":" + JsonString(c.created) + "}\n";
}

void Models(const ModelsOptions& options) {
  const Database db(options.path, Database::kRead);
  const std::vector<ModelInfo> models = ListModels(db.get());
  for (const Checkpoint& c : ListCheckpoints(db.get())) {
    if (options.json) {
      WriteOutput(UnfinishedJson(c));
    } else {
      std::fprintf(stderr, "%s", UnfinishedText(db.get(), options.path, c).c_str());
    }
  }
  if (models.empty()) {
    std::fprintf(stderr, "s2v: no models in '%s'; train one with s2v train\n",
                 options.path.c_str());
    return;
  }
  if (options.json) {
    for (const ModelInfo& model : models) WriteOutput(JsonLine(model));
  } else {
    WriteOutput(ModelsTable(models));
  }
  ThrowIfUnreadable(models);
}

void Drop(const DropOptions& options) {
  const ModelName name = CheckUsage([&] { return ParseModelName(options.model); });
  const Database db(options.path, Database::kWrite);
  DropModel(db.get(), name);
}

}  // namespace

void AddModelsCommand(Command* program) {
  Command app = program->AddSubcommand("models", "list the models of a database");
  const auto options = std::make_shared<ModelsOptions>();
  app.AddRequired("DB", &options->path, "the database file");
  app.AddFlag("--json", &options->json, "all there is to know, a JSON object a line");
  app.SetAction([options] { Models(*options); });
}

void AddDropCommand(Command* program) {
  Command app = program->AddSubcommand("drop", "delete a model");
  const auto options = std::make_shared<DropOptions>();
  app.AddRequired("DB", &options->path, "the database file");
  app.AddRequired("MODEL", &options->model, "name of the model");
  app.SetAction([options] { Drop(*options); });
}

}  // namespace s2v
