// s2v update DB [--model NAME] [--since ROWID | --where SQL] [--epochs N] [--learning-rate X]
//               [--replay X] [--workers N] [--memory MB] [--text-memory MB] [--json] [--quiet]
//
// Trains a stored model on with the rows that its table has got since: what s2v_update does in SQL,
// with a progress line and a clean end at Ctrl-C. Prints what has changed, --json as s2v_update
// returns it.
#include <cstdio>
#include <memory>

#include "core/error.h"
#include "ext/cli/command.h"
#include "ext/cli/database.h"
#include "ext/cli/progress.h"
#include "ext/cli/stop.h"
#include "sql/update_model.h"

namespace s2v {
namespace {

struct UpdateOptions {
  std::string path;
  UpdateRequest request;
  std::string memory, text_memory;
  bool json = false, quiet = false;
};

void CheckOptions(UpdateOptions* options) {
  UpdateRequest* request = &options->request;
  try {
    CheckUpdateRequest(*request);
    if (!options->memory.empty()) request->memory.all = ParseMegabytes("memory", options->memory);
    if (!options->text_memory.empty()) {
      request->memory.texts = ParseMegabytes("text-memory", options->text_memory);
    }
    if (!request->model.empty()) ParseModelName(request->model);
  } catch (const InvalidArgument& error) {
    throw UsageError(error.what());
  }
}

std::string Summary(const UpdateResult& result) {
  const std::string model = "model '" + result.model.name + "'";
  if (result.new_texts == 0) {
    return model + " is as it was: no new texts in " + result.origin.table + "." +
           result.origin.column + "\n";
  }
  char text[500];
  std::snprintf(
      text, sizeof(text),
      ": %llu new texts (%llu sentences, and %llu old ones between them), %llu new words, %llu new "
      "n-grams\n"
      "loss %.4g in the last epoch; %.2f s reading, %.2f s training, %.2f s storing\n",
      static_cast<unsigned long long>(result.new_texts),
      static_cast<unsigned long long>(result.new_sentences),
      static_cast<unsigned long long>(result.replayed_sentences),
      static_cast<unsigned long long>(result.new_words),
      static_cast<unsigned long long>(result.new_ngrams), result.loss, result.read_seconds,
      result.train_seconds, result.store_seconds);
  std::string summary = model + text;
  if (result.drift_texts > 0) {
    std::snprintf(
        text, sizeof(text),
        "drift: cosine %.3f between the embeddings of old rows before and after, the mean "
        "of %llu\n",
        result.mean_cosine, static_cast<unsigned long long>(result.drift_texts));
    summary += text;
  }
  return summary + "embeddings that were stored before are of the former model: fill them again\n";
}

UpdateResult RunUpdate(sqlite3* db, const UpdateOptions& options) {
  const StopOnSignal stop(db);
  ProgressLine line(!options.quiet);
  line.Show(TrainProgress());
  const auto observe = [&](const TrainProgress& progress) {
    line.Show(progress);
    // Storing waits for locks itself, with a report between two attempts.
    if (progress.phase == TrainProgress::kStoring) sqlite3_busy_handler(db, nullptr, nullptr);
    return !StopRequested();
  };
  return stop.Run([&] { return UpdateModel(db, options.request, observe); });
}

void Update(UpdateOptions* options) {
  CheckOptions(options);
  const Database db(options->path, Database::kWrite);
  const UpdateResult result = RunUpdate(db.get(), *options);
  WriteOutput(options->json ? result.Json() + "\n" : Summary(result));
}

}  // namespace

void AddUpdateCommand(Command* program) {
  Command app = program->AddSubcommand("update", "train a model on with new rows");
  const auto options = std::make_shared<UpdateOptions>();
  UpdateRequest* request = &options->request;
  app.AddRequired("DB", &options->path, "the database file");
  app.AddText("--model", &request->model, "NAME", "the model (default: the default model)");
  app.AddNumber("--since", &request->since, "ROWID",
                "rows with a larger rowid are new (default: the largest one that the model has "
                "seen)");
  app.AddText("--where", &request->where, "SQL",
              "instead: an expression over the table's columns that is true for the new rows");
  app.AddNumber("--epochs", &request->epochs, "INTEGER",
                "passes over the new rows, and old ones between them (default: 5)");
  app.AddNumber("--learning-rate", &request->learning_rate, "NUMBER",
                "to begin with, as a part of the model's (default: 0.5); lower: less "
                "drift, and less is learnt");
  app.AddNumber("--replay", &request->replay, "NUMBER",
                "old sentences for each new one, so that they are not forgotten "
                "(default: 1)");
  app.AddNumber("--workers", &request->workers, "INTEGER",
                "threads; 0: one for each processor (default: 0)");
  app.AddText("--memory", &options->memory, "MB",
              "refuse to update where more memory would be needed (default: what the machine has)");
  app.AddText("--text-memory", &options->text_memory, "MB",
              "for the texts; what they need beyond it is in a temporary file (default 1000, or a "
              "quarter of the memory where that is less)");
  app.AddFlag("--json", &options->json, "print the summary as JSON, as s2v_update returns it");
  app.AddFlag("--quiet", &options->quiet, "no progress line");
  app.SetFooter(
      "The table is the one that the model was trained on. Ctrl-C leaves the model as it was.\n"
      "Example: s2v update news.db --model news");
  app.SetAction([options] { Update(options.get()); });
}

}  // namespace s2v
