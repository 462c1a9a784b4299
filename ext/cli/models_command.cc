// s2v models: the models of a database, an aligned table, or a JSON object a line; standard error
// lists the unfinished trainings, with --json they are objects of their own.
// s2v drop: deletes a model.
// s2v convert: stores a smaller copy of a model, as s2v_convert does, and says what it costs.
#include "core/error.h"
#include "ext/cli/command.h"
#include "ext/cli/database.h"
#include "ext/cli/progress.h"
#include "ext/cli/text.h"
#include "sql/checkpoint_store.h"
#include "sql/convert_model.h"
#include "sql/corpus_origin.h"
#include "sql/json.h"

namespace s2v {
namespace {

struct ModelsOptions {
  std::string path;
  bool json = false;
};

// A row of the table, the JSON line, and why the model cannot be read: the columns of the
// table-valued function s2v_models; what is JSON there is nested in the line.
constexpr char kModels[] =
    "SELECT name, iif(is_default, '*', ''), dim, element, words, ngrams, tokens, created, hash, "
    "iif(?1, json_object('name', name, 'dim', dim, 'words', words, 'ngrams', ngrams, 'tokens', tokens, "
    "'parameters', json(parameters), 'created', created, 'hash', hash, 'is_default', "
    "json(iif(is_default, 'true', 'false')), 'schema', schema, 'corpus', json(corpus), 'losses', "
    "json(losses), 'library', library, 'choices', json(choices), 'element', element, 'error', error, "
    "'texts', texts, 'rows_now', rows_now), ''), "
    "error FROM temp.s2v_models";

void Models(const ModelsOptions& options) {
  const Database db(options.path, Database::kRead);
  for (const Checkpoint& c : ListCheckpoints(db.get())) {
    if (options.json) {
      JsonObject line;
      line.Add("unfinished", c.name).Add("fraction", c.Fraction());
      line.AddJson("parameters", c.parameters).AddJson("corpus", c.corpus);
      WriteOutput(line.Add("created", c.created).Text() + "\n");
    } else {
      const CorpusOrigin origin = ParseCorpusOrigin(db.get(), c.corpus);
      WriteMessage(Format("unfinished: %s of '%s' from %s.%s (%s); go on with: %s\n",
                          PercentText(c.Fraction()), c.name, origin.table, origin.column, c.created,
                          ResumeText(options.path, c.name)));
    }
  }
  TextTable table(
      {"name", "default", "dim>", "element", "words>", "ngrams>", "tokens>", "created", "hash"});
  constexpr int kJson = 9, kError = 10;
  bool any = false;
  std::string unreadable;  // the first of those for which the table has no place
  for (Statement model(db.get(), kModels, options.json); model.Step(); any = true) {
    const bool readable = model.Type(kError) == SQLITE_NULL;
    if (options.json) WriteOutput(std::string(model.Text(kJson)) + "\n");
    if (readable) {
      std::vector<std::string> cells;
      for (int i = 0; i < kJson; i++) cells.emplace_back(model.Text(i));
      table.AddRow(std::move(cells));
    } else if (unreadable.empty()) {
      unreadable = Format("cannot read model '%s': %s; s2v drop removes it",
                          std::string(model.Text(0)), std::string(model.Text(kError)));
    }
  }
  if (!any) {
    WriteMessage("s2v: no models in '" + options.path + "'; train one with s2v train\n");
    return;
  }
  if (!options.json) WriteOutput(table.Text());
  FlushOutput();
  if (!unreadable.empty())
    throw FormatError(unreadable);  // a script may look at the exit code alone
}

struct DropOptions {
  std::string path, model;
};

void RunDrop(const DropOptions& options) {
  const ModelName name = CheckUsage([&] { return ParseModelName(options.model); });
  const Database db(options.path, Database::kWrite);
  DropModel(db.get(), name);
}

struct ConvertOptions : SummaryOptions {
  std::string path, element = "int8";
  ConvertRequest request;
  std::optional<int64_t> max_features;
};

// Throws UsageError for what can be found wrong without the database.
ConvertRequest CheckedRequest(const ConvertOptions& options) {
  ConvertRequest request = options.request;
  request.element = CheckUsage([&] { return ParseElement(options.element); });
  MainModelOption(request.model);
  MainModelOption(request.name);
  if (options.max_features.value_or(1) < 1) throw UsageError("max-features: at least 1 expected");
  if (options.max_features) request.max_features = static_cast<uint64_t>(*options.max_features);
  return request;
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
  const double part = 100 * static_cast<double>(VectorBytes(model)) /
                      static_cast<double>(std::max<uint64_t>(VectorBytes(former), 1));
  const std::string text = Format(
      "%s: %s, %s, %s, dimension %lld\nvectors: %s, %.1f %% of %s; %.2f s\n", ModelText(model),
      std::string(ElementName(model.element)), OfFormer(model.words, former.words, "words"),
      OfFormer(model.ngrams, former.ngrams, "n-grams"), model.shape.dimension,
      BytesText(VectorBytes(model)), part, BytesText(VectorBytes(former)), result.seconds);
  if (result.drift.texts == 0) {
    return text + "what it costs is not known: the table it was trained on is not here\n";
  }
  return text + Format("mean cosine with the embeddings before: %.5f, of %lld rows of its table\n",
                       result.drift.cosine, result.drift.texts);
}

void RunConvert(const ConvertOptions& options) {
  const ConvertRequest request = CheckedRequest(options);
  const Database db(options.path, Database::kWrite);
  const StopOnSignal stop(db.get());
  StatusLine line(!options.quiet);
  const auto observe = [&](const TrainProgress& progress) {
    line.Show(ProgressText(progress));
    return !StopRequested();
  };
  const ConvertResult result = stop.Run([&] { return ConvertModel(db.get(), request, observe); });
  line.Clear();
  options.Print(result.Json(), Summary(result) + IndexesOutOfUse(db.get(), options.path));
}

}  // namespace

void AddModelsCommand(Command* program) {
  auto [app, options] = program->AddSubcommand("models", "list the models of a database", Models);
  app.AddFlag("--json", &options->json, "all there is to know, a JSON object a line");
}

void AddDropCommand(Command* program) {
  auto [app, options] = program->AddSubcommand("drop", "delete a model", RunDrop);
  app.AddRequired("MODEL", &options->model, "name of the model");
}

void AddConvertCommand(Command* program) {
  auto [app, options] =
      program->AddSubcommand("convert", "store a smaller copy of a model", RunConvert);
  app.AddRequired("MODEL", &options->request.model, "name of the model");
  app.AddRequired(
      "NAME", &options->request.name,
      "name of the copy, which replaces a former model of this name; MODEL itself to put it in its place");
  app.Add("--element", &options->element, "NAME",
          "how rows are stored: int8 or float32 (default int8)");
  app.Add("--max-features", &options->max_features, "N",
          "keep so many words and n-grams, those that add most to the "
          "embeddings of the training texts");
  options->AddTo(app, "s2v_convert");
  app.SetFooter(
      "A copy embeds as the model does, nearly, and cannot be trained on. What it costs is "
      "printed: "
      "the\nmean cosine between the embeddings of both, over a sample of the table.\n"
      "Example: s2v convert news.db news news_small --element int8 --max-features 50000");
}

}  // namespace s2v
