// s2v convert DB MODEL NAME [--element int8] [--max-features N] [--json] [--quiet]
//
// Stores a smaller copy of a model, as s2v_convert does, and says what it costs. A line tells what
// it is doing once that has taken two seconds.
#include <memory>

#include "core/error.h"
#include "ext/cli/command.h"
#include "ext/cli/database.h"
#include "ext/cli/progress.h"
#include "ext/cli/text.h"
#include "sql/convert_model.h"

namespace s2v {
namespace {

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
  if (result.sampled == 0) {
    return text + "what it costs is not known: the table it was trained on is not here\n";
  }
  return text + Format("mean cosine with the embeddings before: %.5f, of ", result.mean_cosine) +
         std::to_string(result.sampled) + " rows of its table\n";
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
