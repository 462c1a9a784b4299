// s2v train, s2v update: what s2v_train and s2v_update do in SQL, with a progress line and a clean
// end at Ctrl-C. A summary goes to standard output, with --json as the SQL function returns it,
// with --quiet alone not at all.
#include <algorithm>
#include <set>

#include "core/error.h"
#include "ext/cli/command.h"
#include "ext/cli/database.h"
#include "ext/cli/progress.h"
#include "ext/cli/text.h"
#include "sql/checkpoint_store.h"
#include "sql/system/memory.h"
#include "sql/system/platform.h"
#include "sql/train_table.h"
#include "sql/update_model.h"

namespace s2v {
namespace {

void AddMemory(Command app, std::string* memory) {
  app.Add("--memory", memory, "MB",
          "refuse where more memory would be needed (default: what the machine has); texts take "
          "at most a quarter of it, and 1 GB, the rest is in a temporary file");
}

int64_t MemoryLimit(const std::string& memory) {
  return memory.empty() ? 0 : ParseMegabytes("memory", memory);
}

// The file of a rank: %r is replaced by its number; without it, each rank reads a part of one file.
std::string FileOfRank(const std::string& path, TrainRequest* request) {
  // s2v; a group of one rank of s2v-mpi has files of ranks too
  if (request->ranks == Alone()) return path;
  const size_t at = path.find("%r");
  if (at == path.npos) {
    request->part = {request->ranks->rank(), request->ranks->size()};
    return path;
  }
  return path.substr(0, at) + std::to_string(request->ranks->rank()) + path.substr(at + 2);
}

// --memory, and what the system has available, are for a whole machine: its ranks share them.
int64_t LimitOfRank(int64_t limit, const RankGroup& ranks) {
  if (ranks.on_this_machine() == 1) return limit;
  if (limit == 0) limit = static_cast<int64_t>(AvailableMemory() / 1000000);
  if (limit == 0) return 0;  // not known
  return std::max<int64_t>(limit / ranks.on_this_machine(), 1);
}

struct TrainOptions : SummaryOptions {
  std::string path, memory;
  TrainRequest request;
  ParameterOptions parameters;
};

struct UpdateOptions : SummaryOptions {
  std::string path, memory;
  UpdateRequest request;
};

// Both throw UsageError for what can be found wrong without the database.
TrainRequest CheckedRequest(const TrainOptions& options) {
  TrainRequest request = options.request;
  CheckUsage([&] {
    options.parameters.Apply(&request.settings);
    if (!request.resume) ValidateConfig(request.settings.config());
    request.memory_limit = LimitOfRank(MemoryLimit(options.memory), *request.ranks);
  });
  if (!IsCheckpointEvery(request.checkpoint_every.value_or(0))) {
    throw UsageError("--checkpoint-every: a number of seconds expected, 0 for none");
  }
  if (!request.model.empty()) MainModelOption(request.model);
  if (request.resume || (!request.table.empty() && !request.column.empty())) return request;
  throw UsageError((request.table.empty() ? "--table" : "--column") +
                   std::string(" is required; see s2v train --help"));
}

UpdateRequest CheckedRequest(const UpdateOptions& options) {
  UpdateRequest request = options.request;
  CheckUsage([&] {
    CheckUpdateRequest(request);
    request.memory_limit = MemoryLimit(options.memory);
  });
  ModelOption(request.model);
  return request;
}

// A name in SQL, with quotes where it needs them.
std::string SqlName(const std::string& name) {
  constexpr char kPlain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
  const bool plain = !name.empty() && name.find_first_not_of(kPlain) == std::string::npos &&
                     (name[0] < '0' || name[0] > '9') &&
                     sqlite3_keyword_check(name.data(), static_cast<int>(name.size())) == 0;
  return plain ? name : QuoteName(name);
}

// A line for each reason that lies in the table: "chosen: epochs = 10 (for 3000 tokens)".
std::string ChoicesText(const std::vector<Choice>& choices) {
  std::string text;
  std::set<std::string_view> printed = {kConstantRule};
  for (const Choice& first : choices) {
    if (!printed.insert(first.reason).second) continue;
    std::vector<std::string> chosen;
    for (const Choice& choice : choices) {
      if (choice.reason != first.reason) continue;
      chosen.push_back(std::string(choice.parameter) + " = " + choice.value);
    }
    text += "chosen: " + NamesOf(chosen) + " (" + first.reason + ")\n";
  }
  return text;
}

std::string FinalText(double loss, const StageSeconds& seconds) {
  return Format("loss %.4g in the last epoch; %.2f s reading, %.2f s training, %.2f s storing\n",
                loss, seconds.reading, seconds.training, seconds.storing);
}

// What to do with the model: an index to search by; or embeddings in a column, where the texts are
// in a table that can have one.
std::string NextSteps(sqlite3* db, const TrainResult& result) {
  const bool named = !result.model.is_default;
  const std::string name = QuoteName(result.model.name, '\''), model = named ? ", " + name : "";
  const std::string rowid = FreeRowidName(db, "main", result.origin.table);
  if (rowid.empty() || !IsRowidTable(db, "main", result.origin.table, rowid)) {
    return "use it: SELECT s2v_embed('some text'" + model + ");\n";
  }
  const SentenceTable texts(db, result.origin.table, result.origin.column, "");
  const std::string table = SqlName(result.origin.table),
                    columns = NamesOf(texts.columns(), SqlName),
                    index = SqlName(result.origin.table + "_search");
  return Format(
      "search by words and meaning:\n"
      "  CREATE VIRTUAL TABLE %s USING s2v_index(%s, %s%s);\n"
      "  SELECT rowid, score FROM %s('some words', 10);\n"
      "or by meaning alone, with a column of your own:\n"
      "  ALTER TABLE %s ADD COLUMN embedding BLOB;\n"
      "  UPDATE %s SET embedding = s2v_embed(%s%s);\n"
      "  SELECT rowid, s2v_cosine(embedding, s2v_embed('some words'%s)) AS similarity FROM %s\n"
      "    WHERE similarity IS NOT NULL ORDER BY similarity DESC LIMIT 10;\n",
      index, table, columns, named ? ", model = " + name : "", index, table, table,
      texts.columns().size() == 1 ? columns : texts.text_sql(), model, model, table);
}

std::string Summary(sqlite3* db, const TrainResult& result) {
  const ModelInfo& model = result.model;
  std::string text =
      Format("%s: %s, %s, dimension %lld\ntrained on %s of %s.%s, %s; %s skipped (NULL or BLOB)\n",
             ModelText(model), Counted(model.words, "word"), Counted(model.ngrams, "n-gram"),
             model.shape.dimension, Counted(model.texts, "text"), result.origin.table,
             result.origin.column, Counted(model.tokens, "token"), Counted(result.skipped, "row"));
  if (result.resumed_at > 0) {
    text += "went on from a checkpoint at " + PercentText(result.resumed_at) + "\n";
  }
  if (result.rounds > 0) {
    text += Counted(result.rounds, "round") + "; each rank sent " +
            BytesText(result.exchanged_bytes) + "\n";
  }
  text += ChoicesText(result.choices) + FinalText(result.loss, result.seconds);
  if (!result.warning.empty()) text += "warning: " + result.warning + "\n";
  return text + NextSteps(db, result);
}

std::string Summary(const UpdateResult& result) {
  const std::string& model = result.model.name;
  const std::string warning = result.warning.empty() ? "" : "warning: " + result.warning + "\n";
  if (result.model.hash == result.former_hash) {
    return Format("model '%s' is as it was: %s in %s.%s\n", model,
                  result.new_texts == 0 ? "no new texts" : Counted(result.new_texts, "new text"),
                  result.origin.table, result.origin.column) +
           warning;
  }
  std::string text = Format(
      "model '%s': %lld new texts (%lld sentences, and %lld old ones between them), %lld new words, "
      "%lld new n-grams\n",
      model, result.new_texts, result.new_sentences, result.replayed_sentences, result.new_words,
      result.new_ngrams);
  text += FinalText(result.loss, result.seconds);
  if (result.drift.texts > 0) {
    text += Format(
        "drift: cosine %.3f between the embeddings of old rows before and after, the mean of %lld\n",
        result.drift.cosine, result.drift.texts);
  }
  return text + warning +
         "embeddings that were stored before are of the former model: fill them again\n";
}

// Does work(observer), with a line of progress and Ctrl-C; line is where it is shown.
template <typename Work>
auto RunStoppably(sqlite3* db, ProgressLine* line, const Work& work) {
  StopOnSignal stop(db);
  line->Show(TrainProgress());
  const TrainObserver observe = [&](const TrainProgress& progress) {
    line->Show(progress);
    stop.set_storing_checkpoint(progress.phase == TrainProgress::kCheckpoint);
    if (progress.phase == TrainProgress::kStoring) stop.LeaveWaitingToStoring();
    return !StopRequested();
  };
  return stop.Run([&] { return work(observe); });
}

void Train(const TrainOptions& options) {
  TrainRequest request = CheckedRequest(options);
  const bool stores = request.ranks->IsFirst();
  const Database db(FileOfRank(options.path, &request),
                    stores ? Database::kWrite : Database::kRead);
  ProgressLine line(stores && !options.quiet);
  if (stores && !options.quiet) {
    request.warn = [&](const std::string& text) {
      line.Clear();
      WriteMessage("s2v: " + text + "\n");
    };
  }
  try {
    const TrainResult result = RunStoppably(db.get(), &line, [&](const TrainObserver& observe) {
      return TrainTable(db.get(), request, observe);
    });
    line.Clear();
    if (stores)
      options.Print(result.Json(),
                    Summary(db.get(), result) + IndexesOutOfUse(db.get(), options.path));
  } catch (const StoppedTraining& stopped) {
    throw StoppedError("stopped at " + PercentText(stopped.fraction) +
                       "; the former model, if any, still answers; go on with: " +
                       ResumeText(options.path, stopped.model, request.ranks->size()));
  } catch (const Interrupted&) {
    if (ListCheckpoints(db.get()).empty()) throw;
    throw StoppedError(std::string(kInterruptedText) +
                       "; s2v models says which training --resume goes on with");
  }
}

void Update(const UpdateOptions& options) {
  const UpdateRequest request = CheckedRequest(options);
  const Database db(options.path, Database::kWrite);
  ProgressLine line(!options.quiet);
  const UpdateResult result = RunStoppably(db.get(), &line, [&](const TrainObserver& observe) {
    return UpdateModel(db.get(), request, observe);
  });
  line.Clear();
  options.Print(result.Json(), Summary(result) + IndexesOutOfUse(db.get(), options.path));
}

}  // namespace

void AddTrainCommand(Command* program, RankGroup* ranks) {
  auto [app, options] = program->AddSubcommand(
      "train", "train a model on a column and store it", Train,
      ranks == Alone() ? "the database file"
                       : "the database file, of which each rank reads a part; or a file "
                         "for each, with %r for its number: shard-%r.db");
  TrainRequest* request = &options->request;
  request->ranks = ranks;
  app.Add("--table", &request->table, "NAME",
          "table or view that holds the texts; required, but for --resume");
  app.Add(
      "--column", &request->column, "NAME",
      "column of the texts, or several with commas between, as title,body; required, but for --resume");
  app.Add("--where", &request->where, "SQL", "expression over the table's columns: which rows");
  app.Add("--model", &request->model, "NAME",
          "name of the model, a former one of this name is replaced (default: the table's name)");
  app.Add(
      "--progress", &request->progress, "SQL",
      "a statement that is run at the beginning of each phase, and while it reads and trains about once "
      "a second, with :phase, :fraction, :loss, :learning_rate, :tokens and :seconds");
  AddMemory(app, &options->memory);
  app.AddFlag("--default", &request->make_default,
              "make it the default model; a database's first model is so anyway");
  app.Add("--checkpoint-every", &request->checkpoint_every, "SECONDS",
          "seconds between two checkpoints in the database, to go on from with --resume; 0: none "
          "(default: 60 in trainings of more than five minutes, else none)");
  app.AddFlag(
      "--resume", &request->resume,
      "go on from the last checkpoint of a training that was stopped; it has the table, "
      "the column and the parameters; only the number of threads may be another, and --default be said");
  options->AddTo(app, "s2v_train");
  options->parameters.AddTo(app);
  app.SetFooter(
      "A progress line is shown where standard error is a terminal. Ctrl-C stops the training and\n"
      "leaves the models as they were; where there are checkpoints, it stores one more first "
      "(again\n"
      "Ctrl-C: at once). No lock is held while a model is trained, but\n"
      "while texts are read (without WAL others cannot commit then) and the model is stored.\n"
      "Example: s2v train news.db --table docs --column body --where \"lang = 'en'\" --dimension "
      "100");
}

void AddUpdateCommand(Command* program) {
  auto [app, options] = program->AddSubcommand("update", "train a model on with new rows", Update);
  UpdateRequest* request = &options->request;
  app.Add("--model", &request->model, "NAME", "the model (default: the default model)");
  app.Add("--since", &request->since, "ROWID",
          "rows with a larger rowid are new (default: the largest one that the model has seen)");
  app.Add("--where", &request->where, "SQL",
          "instead: an expression over the table's columns that is true for the new rows");
  app.Add("--epochs", &request->epochs, "INTEGER",
          "passes over the new rows, and old ones between them (default: 5)");
  app.Add("--learning-rate", &request->learning_rate, "NUMBER",
          "to begin with, as a part of the model's (default: 0.5); lower: less "
          "drift, and less is learnt");
  app.Add("--replay", &request->replay, "NUMBER",
          "old sentences for each new one, so that they are not forgotten (default: 1)");
  app.Add("--workers", &request->workers, "INTEGER",
          "threads; 0: one for each processor (default: 0)");
  AddMemory(app, &options->memory);
  options->AddTo(app, "s2v_update");
  app.SetFooter(
      "The table is the one that the model was trained on. Ctrl-C leaves the model as it was.\n"
      "Example: s2v update news.db --model news");
}

}  // namespace s2v
