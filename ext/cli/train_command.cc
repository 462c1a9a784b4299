// s2v train DB --table T --column C [--where SQL] [--model NAME] [--default] [--json] [--quiet]
//               [--checkpoint-every SECONDS] [--progress SQL] [--memory MB] [--text-memory MB]
//               [--preset NAME]
//               [--dimension N] ... every parameter of core/config.h by its name with '-' for '_'
// s2v train DB --resume [--model NAME] ...
//
// Trains a model on a column of a table or view and stores it in the same database: what s2v_train
// does in SQL, with a progress line and a clean end at Ctrl-C. A summary goes to standard output,
// --json makes it the JSON that s2v_train returns.
#include <algorithm>
#include <cstdio>
#include <memory>

#include "core/error.h"
#include "ext/cli/command.h"
#include "ext/cli/database.h"
#include "ext/cli/parameter_options.h"
#include "ext/cli/progress.h"
#include "ext/cli/resume_text.h"
#include "ext/cli/stop.h"
#include "sql/train_table.h"

namespace s2v {
namespace {

struct TrainOptions {
  std::string path;
  TrainRequest request;
  ParameterOptions parameters;
  double checkpoint_every = -1;  // not given
  std::string memory, text_memory;
  bool json = false, quiet = false;
};

// What can be found wrong without the database.
void CheckOptions(TrainOptions* options) {
  try {
    options->parameters.Apply(&options->request.settings);
    if (!options->request.resume) {
      for (const auto& [flag, value] : {std::pair("--table", &options->request.table),
                                        std::pair("--column", &options->request.column)}) {
        if (value->empty()) {
          throw UsageError(std::string(flag) + " is required; see s2v train --help");
        }
      }
      ValidateConfig(options->request.settings.config());
    }
    if (options->checkpoint_every >= 0) {
      options->request.checkpoint_every = options->checkpoint_every;
    }
    if (!options->memory.empty()) {
      options->request.memory.all = ParseMegabytes("memory", options->memory);
    }
    if (!options->text_memory.empty()) {
      options->request.memory.texts = ParseMegabytes("text-memory", options->text_memory);
    }
    if (options->request.model.empty()) return;
    const ModelName name = ParseModelName(options->request.model);
    if (!name.schema.empty() && sqlite3_stricmp(name.schema.c_str(), "main") != 0) {
      throw InvalidArgument("model '" + options->request.model +
                            "': this program opens one database, whose schema is main");
    }
  } catch (const InvalidArgument& error) {
    throw UsageError(error.what());
  }
}

std::string SqlText(const std::string& text) {
  std::string quoted = "'";
  for (const char c : text) quoted.append(c == '\'' ? 2 : 1, c);
  return quoted + "'";
}

std::string Counted(int64_t count, const char* one, const char* many) {
  return std::to_string(count) + " " + (count == 1 ? one : many);
}

// A line for each reason that lies in the table: "chosen: epochs = 10 (for 3000 tokens)".
std::string ChoicesText(const std::vector<Choice>& choices) {
  std::string text;
  std::vector<std::string> told;
  for (const Choice& first : choices) {
    if (first.reason == kConstantRule) continue;
    if (std::find(told.begin(), told.end(), first.reason) != told.end()) continue;
    told.push_back(first.reason);
    std::string line;
    for (const Choice& choice : choices) {
      if (choice.reason != first.reason) continue;
      line += (line.empty() ? "" : ", ") + std::string(choice.parameter) + " = " + choice.value;
    }
    text += "chosen: " + line + " (" + first.reason + ")\n";
  }
  return text;
}

std::string Summary(const TrainResult& result) {
  const ModelInfo& model = result.model;
  char numbers[160];
  std::snprintf(numbers, sizeof(numbers),
                "loss %.4g in the last epoch; %.2f s reading, %.2f s training, %.2f s storing\n",
                result.loss, result.read_seconds, result.train_seconds, result.store_seconds);
  std::string text = "model '" + model.name + "'" + (model.is_default ? ", the default" : "") +
                     ": " + Counted(model.words, "word", "words") + ", " +
                     Counted(model.ngrams, "n-gram", "n-grams") + ", dimension " +
                     std::to_string(model.shape.dimension) + "\n";
  text += "trained on " + Counted(model.texts, "text", "texts") + " of " + result.origin.table +
          "." + result.origin.column + ", " + Counted(model.tokens, "token", "tokens") + "; " +
          Counted(static_cast<int64_t>(result.skipped), "row", "rows") +
          " skipped (NULL or BLOB)\n";
  if (result.resumed_at > 0) {
    text += "went on from a checkpoint at " + PercentText(result.resumed_at) + "\n";
  }
  text += ChoicesText(result.choices);
  text += numbers;
  if (!result.warning.empty()) text += "warning: " + result.warning + "\n";
  return text + "use it: SELECT s2v_embed('some text'" +
         (model.is_default ? "" : ", " + SqlText(model.name)) + ");\n";
}

TrainResult RunTraining(sqlite3* db, TrainOptions* options) {
  StopOnSignal stop(db);
  ProgressLine line(!options->quiet);
  line.Show(TrainProgress());
  options->request.warn = [&](const std::string& text) {
    line.Clear();
    std::fprintf(stderr, "s2v: %s\n", text.c_str());
  };
  const auto observe = [&](const TrainProgress& progress) {
    line.Show(progress);
    stop.set_storing_checkpoint(progress.phase == TrainProgress::kCheckpoint);
    // Storing waits for locks itself, with a report between two attempts.
    if (progress.phase == TrainProgress::kStoring) sqlite3_busy_handler(db, nullptr, nullptr);
    return !StopRequested();
  };
  try {
    return stop.Run([&] { return TrainTable(db, options->request, observe); });
  } catch (const StoppedTraining& stopped) {
    throw StoppedError("stopped at " + PercentText(stopped.fraction) +
                       "; the former model, if any, still answers; go on with: " +
                       ResumeText(options->path, stopped.model));
  }
}

void Train(TrainOptions* options) {
  CheckOptions(options);
  const Database db(options->path, Database::kWrite);
  const TrainResult result = RunTraining(db.get(), options);
  WriteOutput(options->json ? result.Json() + "\n" : Summary(result));
}

}  // namespace

void AddTrainCommand(Command* program) {
  Command app = program->AddSubcommand("train", "train a model on a column and store it");
  const auto options = std::make_shared<TrainOptions>();
  TrainRequest* request = &options->request;
  app.AddRequired("DB", &options->path, "the database file");
  app.AddText("--table", &request->table, "NAME",
              "table or view that holds the texts; required, but for --resume");
  app.AddText("--column", &request->column, "NAME",
              "column of the texts; required, but for --resume");
  app.AddText("--where", &request->where, "SQL", "expression over the table's columns: which rows");
  app.AddText(
      "--model", &request->model, "NAME",
      "name of the model, a former one of this name is replaced (default: the table's name)");
  app.AddText("--progress", &request->progress, "SQL",
              "a statement that is run about once a second, with :phase, :fraction, :loss, "
              ":learning_rate, :tokens and :seconds");
  app.AddText("--memory", &options->memory, "MB",
              "refuse to train where more memory would be needed (default: what the machine has)");
  app.AddText("--text-memory", &options->text_memory, "MB",
              "for the texts; what they need beyond it is in a temporary file (default 1000, or a "
              "quarter of the memory where that is less)");
  app.AddFlag("--default", &request->make_default,
              "make it the default model; a database's first model is so anyway");
  app.AddNumber("--checkpoint-every", &options->checkpoint_every, "SECONDS",
                "seconds between two checkpoints in the database, to go on from with "
                "--resume; 0: none (default: 60 in trainings of more than five "
                "minutes, else none)",
                0.0, 1e9);
  app.AddFlag("--resume", &request->resume,
              "go on from the last checkpoint of a training that was stopped; it has "
              "the table, the column and the parameters; only the number of threads "
              "and the kernel may be others");
  app.AddFlag("--json", &options->json, "print the summary as JSON, as s2v_train returns it");
  app.AddFlag("--quiet", &options->quiet, "no progress line");
  options->parameters.AddTo(app);
  app.SetFooter(
      "A progress line is shown where standard error is a terminal. Ctrl-C stops the training and\n"
      "leaves the models as they were; where there are checkpoints, it stores one more first "
      "(again\n"
      "Ctrl-C: at once). No lock is held while a model is trained.\n"
      "Example: s2v train news.db --table docs --column body --where \"lang = 'en'\" --dimension "
      "100");
  app.SetAction([options] { Train(options.get()); });
}

}  // namespace s2v
