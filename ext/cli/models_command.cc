// s2v models DB [--json]      the models of a database: an aligned table, or a JSON object a line
// s2v drop DB MODEL           deletes a model
// s2v convert DB MODEL NAME [--element int8] [--max-features N] [--json] [--quiet]
//                             stores a smaller copy of a model, as s2v_convert does, and says what it costs
//
// Standard error lists the unfinished trainings; with --json they are objects of their own.
#include <memory>

#include "core/config.h"
#include "core/error.h"
#include "ext/cli/command.h"
#include "ext/cli/database.h"
#include "ext/cli/progress.h"
#include "ext/cli/text.h"
#include "sql/checkpoint_store.h"
#include "sql/json.h"
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
void WriteJsonLines(sqlite3* db) {
  Statement models(
      db,
      "SELECT json_object('name', name, 'dim', dim, 'words', words, 'ngrams', ngrams, 'tokens', tokens, "
      "'parameters', json(parameters), 'created', created, 'hash', hash, 'is_default', "
      "json(iif(is_default, 'true', 'false')), 'schema', schema, 'corpus', json(corpus), 'losses', "
      "json(losses), 'library', library, 'choices', json(choices), 'element', element, 'error', error) "
      "FROM s2v_models");
  while (models.Step()) WriteOutput(std::string(models.Text(0)) + "\n");
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
std::string CheckpointText(sqlite3* db, const std::string& path, const Checkpoint& c) {
  const CorpusOrigin origin = ParseCorpusOrigin(db, c.corpus);
  return "unfinished: " + PercentText(c.Fraction()) + " of '" + c.name + "' from " + origin.table +
         "." + origin.column + " (" + c.created + "); go on with: " + ResumeText(path, c.name) +
         "\n";
}

std::string CheckpointJson(const Checkpoint& c) {
  return JsonObject()
             .Add("unfinished", c.name)
             .Add("fraction", c.Fraction())
             .AddJson("parameters", c.parameters)
             .AddJson("corpus", c.corpus)
             .Add("created", c.created)
             .Text() +
         "\n";
}

void Models(const ModelsOptions& options) {
  const Database db(options.path, Database::kRead);
  const std::vector<ModelInfo> models = ListModels(db.get());
  for (const Checkpoint& c : ListCheckpoints(db.get())) {
    if (options.json) {
      WriteOutput(CheckpointJson(c));
    } else {
      std::fprintf(stderr, "%s", CheckpointText(db.get(), options.path, c).c_str());
    }
  }
  if (models.empty()) {
    std::fprintf(stderr, "s2v: no models in '%s'; train one with s2v train\n",
                 options.path.c_str());
    return;
  }
  if (options.json) {
    WriteJsonLines(db.get());
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

struct ConvertOptions {
  std::string path, element = "int8";
  ConvertRequest request;
  std::optional<int64_t> max_features;
  bool json = false, quiet = false;
};

// What can be found wrong without the database.
void CheckOptions(ConvertOptions* options) {
  options->request.element = CheckUsage([&] { return ParseElement(options->element); });
  MainModelOption(options->request.model);
  MainModelOption(options->request.name);
  if (!options->max_features) return;
  if (*options->max_features < 1) throw UsageError("max-features: at least 1 expected");
  options->request.max_features = static_cast<uint64_t>(*options->max_features);
}

std::string ProgressText(const TrainProgress& progress) {
  if (progress.texts > 0) return "sampling: " + std::to_string(progress.texts) + " texts";
  return std::string(progress.phase == TrainProgress::kReading ? "reading: " : "storing: ") +
         PercentText(progress.fraction);
}

std::string OfFormer(int64_t kept, int64_t former, const char* what) {
  return std::to_string(kept) + (kept == former ? "" : " of " + std::to_string(former)) + " " +
         what;
}

std::string Summary(const ConvertResult& result) {
  const ModelInfo &model = result.model, &former = result.former;
  std::string text = "model '" + model.name + "'" + (model.is_default ? ", the default" : "") +
                     ": " + std::string(ElementName(model.element)) + ", " +
                     OfFormer(model.words, former.words, "words") + ", " +
                     OfFormer(model.ngrams, former.ngrams, "n-grams") + ", dimension " +
                     std::to_string(model.shape.dimension) + "\n";
  const double part = 100 * static_cast<double>(VectorBytes(model)) /
                      static_cast<double>(std::max<uint64_t>(VectorBytes(former), 1));
  text += "vectors: " + BytesText(VectorBytes(model)) + Format(", %.1f %% of ", part) +
          BytesText(VectorBytes(former)) + Format("; %.2f s\n", result.seconds);
  if (result.drift.texts == 0) {
    return text + "what it costs is not known: the table it was trained on is not here\n";
  }
  return text + Format("mean cosine with the embeddings before: %.5f, of ", result.drift.cosine) +
         std::to_string(result.drift.texts) + " rows of its table\n";
}

ConvertResult RunConversion(sqlite3* db, const ConvertOptions& options) {
  const StopOnSignal stop(db);
  StatusLine line(!options.quiet);
  const auto observe = [&](const TrainProgress& progress) {
    line.Show(ProgressText(progress));
    return !StopRequested();
  };
  return stop.Run([&] { return ConvertModel(db, options.request, observe); });
}

void Convert(ConvertOptions* options) {
  CheckOptions(options);
  const Database db(options->path, Database::kWrite);
  const ConvertResult result = RunConversion(db.get(), *options);
  if (options->json) WriteOutput(result.Json() + "\n");
  if (!options->json && !options->quiet) WriteOutput(Summary(result));
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

void AddConvertCommand(Command* program) {
  Command app = program->AddSubcommand("convert", "store a smaller copy of a model");
  const auto options = std::make_shared<ConvertOptions>();
  app.AddRequired("DB", &options->path, "the database file");
  app.AddRequired("MODEL", &options->request.model, "name of the model");
  app.AddRequired("NAME", &options->request.name,
                  "name of the copy; MODEL itself to put it in its place");
  app.AddText("--element", &options->element, "NAME",
              "how rows are stored: int8 or float32 (default int8)");
  app.AddNumber("--max-features", &options->max_features, "N",
                "keep so many words and n-grams, those that add most to the "
                "embeddings of the training texts");
  app.AddFlag("--json", &options->json, "print the summary as JSON, as s2v_convert returns it");
  app.AddFlag("--quiet", &options->quiet, "no output but errors, and --json's");
  app.SetFooter(
      "A copy embeds as the model does, nearly, and cannot be trained on. What it costs is "
      "printed: "
      "the\nmean cosine between the embeddings of both, over a sample of the table.\n"
      "Example: s2v convert news.db news news_small --element int8 --max-features 50000");
  app.SetAction([options] { Convert(options.get()); });
}

}  // namespace s2v
