// s2v import DB FILE --model NAME [--format auto] [--max-words N] [--element int8] [--tokenizer
// NAME] [--smoothing A]
//                    [--json] [--quiet]
//
// Stores the word vectors of another program as a model (ext/import/import_model.h).

#include "ext/cli/command.h"
#include "ext/cli/database.h"
#include "ext/cli/progress.h"
#include "ext/cli/text.h"
#include "ext/import/import_model.h"

namespace s2v {
namespace {

struct ImportOptions : SummaryOptions {
  std::string path;
  ImportRequest request;
};

// What will be stored, before anything is.
void ShowEstimate(const ImportProgress& progress, const VectorFile& file) {
  std::string text =
      Format("%s: about %lld words of dimension %lld", file.format, progress.words, file.dimension);
  if (file.bucket_count > 0) text += Format(", %lld buckets of n-grams", file.bucket_count);
  text += "; about " + BytesText(progress.bytes) + " in the database";
  if (progress.seconds >= 2) text += Format(", about %.0f s", progress.seconds);
  WriteMessage(text + "\n");
}

std::string SummaryText(const ImportResult& result) {
  const ModelInfo& model = result.model;
  std::string text =
      Format("%s: %lld words, %lld buckets of n-grams, dimension %lld; %.2f s\n", ModelText(model),
             model.words, model.ngrams, model.shape.dimension, result.seconds);
  if (result.skipped > 0) {
    text += Format(
        "%lld words were left out: met before, with a blank, of more than %lld bytes, or special ones\n",
        result.skipped, VectorFile::kMostWordBytes);
  }
  if (model.shape.tokenizer->pieces() != PieceKind::kNone) {
    return text + "texts are cut into pieces by " + model.tokenizer + "\n";
  }
  return text + Format("of its words, %lld are what the tokenizer '%s' makes of them\n",
                       result.reachable, model.tokenizer);
}

void RunImport(const ImportOptions& options) {
  const ImportRequest& request = options.request;
  if (request.model.empty()) throw UsageError("--model is required: the name to store it under");
  MainModelOption(request.model);
  CheckUsage([&] { CheckImportRequest(request); });
  const Database db(options.path, Database::kWrite);
  StatusLine status(!options.quiet);
  const StopOnSignal stop(db.get());
  const ImportResult result = stop.Run([&] {
    return ImportModel(db.get(), request,
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
  options.Print(result.Json(), SummaryText(result));
}

}  // namespace

void AddImportCommand(Command* program) {
  auto [app, options] = program->AddSubcommand(
      "import", "store word vectors of another program as a model", RunImport);
  ImportRequest* request = &options->request;
  app.AddRequired("FILE", &request->path,
                  "the file with the vectors, no pipe, or the folder of a static model");
  app.Add("--model", &request->model, "NAME",
          "name of the model, required; a former one of this name is replaced");
  app.Add("--format", &request->format, "NAME",
          NamesOf(VectorFormats(), [](const VectorFormat& format) {
            return std::string(format.name) + " (" + std::string(format.what) + ")";
          }) + ", or auto, which looks (default auto)");
  app.Add("--max-words", &request->max_words, "N",
          "only the first words of the file, which are its most frequent");
  app.Add("--element", &request->element, "NAME",
          "how rows are stored: float32 or int8 (default float32)");
  app.Add(
      "--tokenizer", &request->tokenizer, "NAME",
      "how texts are cut when they are embedded (default whitespace for sent2vec, whose texts come prepared, unicode for others; model2vec brings its own)");
  app.Add(
      "--smoothing", &request->smoothing, "A",
      "weigh words by a / (a + f) where the file has their counts (default: all count the same)");
  options->AddTo(app, "s2v_import");
  app.SetFooter(
      "An imported model embeds, and cannot be trained on. In the formats without counts all words count the same.\n"
      "Example: s2v import news.db crawl-300d-2M.vec --model crawl --max-words 200000 --element int8");
}

}  // namespace s2v
