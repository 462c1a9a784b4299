// s2v models DB [--json]      the models of a database: an aligned table, or a JSON object a line
// s2v drop DB MODEL           deletes a model
#include <algorithm>
#include <array>
#include <memory>

#include "core/config.h"
#include "core/error.h"
#include "ext/cli/command.h"
#include "ext/cli/database.h"
#include "sql/model_store.h"

namespace s2v {
namespace {

struct ModelsOptions {
  std::string path;
  bool json = false;
};

struct DropOptions {
  std::string path, model;
};

constexpr size_t kColumns = 8;
using Row = std::array<std::string, kColumns>;
const Row kHeader = {"name", "default", "dim", "words", "ngrams", "tokens", "created", "hash"};
// Numbers stand to the right of their column.
constexpr std::array<bool, kColumns> kRight = {false, false, true, true, true, true, false, false};

// As it can stand in a line of a terminal.
std::string Printable(std::string text) {
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '?';
  }
  return text;
}

// In characters of UTF-8.
size_t Width(const std::string& text) {
  return static_cast<size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; }));
}

std::string AlignedTable(const std::vector<ModelInfo>& models) {
  std::vector<Row> rows = {kHeader};
  for (const ModelInfo& model : models) {
    rows.push_back({Printable(model.name), model.is_default ? "*" : "",
                    std::to_string(model.shape.dimension), std::to_string(model.words),
                    std::to_string(model.ngrams), std::to_string(model.tokens),
                    Printable(model.created), model.hash});
  }
  std::array<size_t, kColumns> widths{};
  for (const Row& row : rows) {
    for (size_t i = 0; i < kColumns; i++) widths[i] = std::max(widths[i], Width(row[i]));
  }
  std::string text;
  for (const Row& row : rows) {
    for (size_t i = 0; i < kColumns; i++) {
      const std::string padding(widths[i] - Width(row[i]), ' ');
      const bool last = i + 1 == kColumns;
      text +=
          (kRight[i] ? padding + row[i] : row[i] + (last ? "" : padding)) + (last ? "\n" : "  ");
    }
  }
  return text;
}

// The columns of the table-valued function s2v_models; what is JSON there is nested here.
std::string JsonLine(const ModelInfo& model) {
  return "{\"name\":" + JsonString(model.name) +
         ",\"dim\":" + std::to_string(model.shape.dimension) +
         ",\"words\":" + std::to_string(model.words) +
         ",\"ngrams\":" + std::to_string(model.ngrams) +
         ",\"tokens\":" + std::to_string(model.tokens) + ",\"parameters\":" + model.parameters +
         ",\"created\":" + JsonString(model.created) + ",\"hash\":" + JsonString(model.hash) +
         ",\"is_default\":" + (model.is_default ? "true" : "false") +
         ",\"schema\":" + JsonString(model.schema) + ",\"corpus\":" + model.corpus +
         ",\"losses\":" + model.losses + ",\"library\":" + JsonString(model.library) + "}\n";
}

void Models(const ModelsOptions& options) {
  const Database db(options.path, Database::kRead);
  const std::vector<ModelInfo> models = ListModels(db.get());
  if (models.empty()) {
    std::fprintf(stderr, "s2v: no models in '%s'; train one with s2v train\n",
                 options.path.c_str());
    return;
  }
  if (!options.json) return WriteOutput(AlignedTable(models));
  for (const ModelInfo& model : models) WriteOutput(JsonLine(model));
}

void Drop(const DropOptions& options) {
  ModelName name;
  try {
    name = ParseModelName(options.model);
  } catch (const InvalidArgument& error) {
    throw UsageError(error.what());
  }
  const Database db(options.path, Database::kWrite);
  DropModel(db.get(), name);
}

}  // namespace

void AddModelsCommand(CLI::App* program, Action* action) {
  CLI::App* app = program->add_subcommand("models", "list the models of a database");
  const auto options = std::make_shared<ModelsOptions>();
  AddText(app, "DB", &options->path, "", "the database file")->required();
  app->add_flag("--json", options->json, "all there is to know, a JSON object a line");
  app->callback([options, action] { *action = [options] { Models(*options); }; });
}

void AddDropCommand(CLI::App* program, Action* action) {
  CLI::App* app = program->add_subcommand("drop", "delete a model");
  const auto options = std::make_shared<DropOptions>();
  AddText(app, "DB", &options->path, "", "the database file")->required();
  AddText(app, "MODEL", &options->model, "", "name of the model")->required();
  app->callback([options, action] { *action = [options] { Drop(*options); }; });
}

}  // namespace s2v
