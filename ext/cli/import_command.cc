// s2v import DB FILE --model NAME [--format auto] [--max-words N] [--element int8] [--tokenizer NAME] [--smoothing A]
//                    [--json] [--quiet]
//
// Stores the word vectors of another program as a model (ext/import/import_model.h).
#include <memory>

#include "ext/cli/command.h"
#include "ext/cli/database.h"
#include "ext/cli/progress.h"
#include "ext/cli/text.h"
#include "ext/import/import_model.h"

namespace s2v {
namespace {

struct ImportOptions : ImportRequest {
  std::string database;
  bool json = false, quiet = false;
};

// What will be stored, before anything is.
void ShowEstimate(const ImportProgress& progress, const VectorFile& file) {
  std::string text = file.format + ": about " + std::to_string(progress.words) +
                     " words of dimension " + std::to_string(file.dimension);
  if (file.bucket_count > 0)
    text += ", " + std::to_string(file.bucket_count) + " buckets of n-grams";
  text += "; about " + BytesText(progress.bytes) + " in the database";
  if (progress.seconds >= 2) text += Format(", about %.0f s", progress.seconds);
  std::fprintf(stderr, "%s\n", text.c_str());
}

std::string SummaryText(const ImportResult& result) {
  const ModelInfo& model = result.model;
  std::string text = "model '" + model.name + "'" + (model.is_default ? ", the default" : "") +
                     ": " + std::to_string(model.words) + " words, " +
                     std::to_string(model.ngrams) + " buckets of n-grams, dimension " +
                     std::to_string(model.shape.dimension) + Format("; %.2f s\n", result.seconds);
  if (result.skipped > 0) {
    text += std::to_string(result.skipped) +
            " words were left out: met before, with a blank, or special ones\n";
  }
  if (model.shape.tokenizer->pieces() != PieceKind::kNone) {
    return text + "texts are cut into pieces by " + model.tokenizer + "\n";
  }
  return text + "of its words, " + std::to_string(result.reachable) + " are what the tokenizer '" +
         model.tokenizer + "' makes of them\n";
}

void RunImport(const ImportOptions& options) {
  if (options.model.empty()) throw UsageError("--model is required: the name to store it under");
  MainModelOption(options.model);
  CheckUsage([&] { CheckImportRequest(options); });
  const Database db(options.database, Database::kWrite);
  StatusLine status(!options.quiet);
  const StopOnSignal stop(db.get());
  const ImportResult result = stop.Run([&] {
    return ImportModel(db.get(), options,
                       [&](const ImportProgress& progress, const VectorFile& file) {
                         if (progress.phase == ImportProgress::kBegun) {
                           if (!options.quiet) ShowEstimate(progress, file);
                         } else {
                           static constexpr const char* kDoing[] = {
                               "", "reading words: ", "checking: ", "storing: "};
                           status.Show(kDoing[progress.phase] + PercentText(progress.fraction));
                         }
                         return !StopRequested();
                       });
  });
  status.Clear();
  if (options.json) {
    WriteOutput(result.Json() + "\n");
  } else if (!options.quiet) {
    WriteOutput(SummaryText(result));
  }
}

}  // namespace

void AddImportCommand(Command* program) {
  Command app =
      program->AddSubcommand("import", "store word vectors of another program as a model");
  const auto options = std::make_shared<ImportOptions>();
  app.AddRequired("DB", &options->database, "the database file");
  app.AddRequired("FILE", &options->path,
                  "the file with the vectors, or the folder of a static model");
  app.AddText("--model", &options->model, "NAME", "name of the model");
  app.AddText(
      "--format", &options->format, "NAME",
      "vec (text of fastText, GloVe, word2vec), word2vec (its binary form), fasttext or sent2vec (.bin of fastText, "
      "of the authors' sent2vec), model2vec (a folder with model.safetensors and tokenizer.json), or auto, which looks (default auto)");
  app.AddNumber("--max-words", &options->max_words, "N",
                "only the first words of the file, which are its most frequent");
  app.AddText("--element", &options->element, "NAME",
              "how rows are stored: float32 or int8 (default float32)");
  app.AddText(
      "--tokenizer", &options->tokenizer, "NAME",
      "how texts are cut when they are embedded (default whitespace for sent2vec, whose texts come prepared, unicode for others; model2vec brings its own)");
  app.AddNumber(
      "--smoothing", &options->smoothing, "A",
      "weigh words by a / (a + f) where the file has their counts (default: all count the same)",
      1e-9, 1);
  app.AddFlag("--json", &options->json, "print the summary as JSON");
  app.AddFlag("--quiet", &options->quiet, "no output but errors, and --json's");
  app.SetFooter(
      "An imported model embeds, and cannot be trained on. In the formats without counts all words count the same.\n"
      "Example: s2v import news.db crawl-300d-2M.vec --model crawl --max-words 200000 --element int8");
  app.SetAction([options] { RunImport(*options); });
}

}  // namespace s2v
