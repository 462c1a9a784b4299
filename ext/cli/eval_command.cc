// s2v eval similarity | transfer | self | search: the command lines, and what the tasks share
// (eval.h).
#include <algorithm>
#include <set>

#include "ext/cli/database.h"
#include "ext/cli/eval.h"

namespace s2v {
namespace {

// A task; its options are its own, so that a flag's home is one subcommand.
struct Task {
  Command app;
  EvalOptions* options;
};

Task AddTask(Command* eval, const char* name, const char* help, void (*run)(const EvalOptions&)) {
  auto [app, options] = eval->AddSubcommand(name, help, run, "the database file; it is only read");
  app.AddFlag("--json", &options->json, "JSON objects, a line each; figures from 0 to 1");
  app.AddFlag("--quiet", &options->quiet, "no progress line");
  return {app, options};
}

void AddModel(Task task) {
  task.app.Add("--model", &task.options->model, "NAME",
               "the stored model (default: the database's default model)");
}

// What is compared, and what that is made from and with.
void AddEncoders(Task task, const std::string& head) {
  EvalOptions* options = task.options;
  task.app.Add(
      "--encoders", &options->encoders, "LIST",
      head + EncoderNames() +
          ". All but model and model-raw are made for this, from the table, and not stored");
  task.app.Add("--encoder-command", &options->commands, "NAME=COMMAND",
               "one encoder more, may be repeated: /bin/sh runs COMMAND once, with the texts as "
               "lines of its input; each line of its output is the numbers of a vector, blanks "
               "between; zeros or nothing: unknown");
  task.app.Add(
      "--table", &options->table.table, "NAME",
      "table or view that encoders are made from, and whose rows are measured where that is what "
      "is done (default: the training table of --model)");
  task.app.Add("--column", &options->table.column, "NAME", "column of its texts");
  task.app.Add("--where", &options->table.where, "SQL", "expression over its columns: which rows");
  task.app.SetNeeds("--table", "--column");
  task.app.SetNeeds("--column", "--table");
  task.app.SetNeeds("--where", "--table");
  options->parameters.AddTo(task.app);
}

void AddFiles(Task task, const char* columns) {
  task.app.AddRequired("FILE", &task.options->files, columns);
  AddModel(task);
  task.app.AddFlag("--raw", &task.options->raw,
                   "the stored model's mean of features (eq. 2) only: --encoders model-raw");
  AddEncoders(task, "what to compare, commas between (default model): ");
  task.app.SetExcludes("--raw", "--encoders");
}

}  // namespace

bool CheckParameters(const EvalOptions& options, const std::vector<EncoderSpec>& specs,
                     std::initializer_list<std::string_view> allowed) {
  const std::set<std::string> given = options.parameters.Given();
  if (given.contains("ngram_order")) {
    throw UsageError("ngram_order: the name of an encoder says it, see --encoders");
  }
  bool made = false, counted = false, trained = false;
  for (const EncoderSpec& spec : specs) {
    const bool is_counted = spec.base == "tfidf";
    made = made || spec.made();
    counted = counted || is_counted;
    trained = trained || (spec.made() && !is_counted);
    if (!spec.foreign()) SettingsOf(spec, options.parameters);
  }
  for (const std::string& name : given) {
    const bool is_of_counts = name == "tokenizer" || name == "min_count";
    if (trained || (counted && is_of_counts) ||
        std::find(allowed.begin(), allowed.end(), name) != allowed.end())
      continue;
    throw UsageError(name + ": a stored model has its own; it is for models that are trained" +
                     (counted ? ", tfidf takes tokenizer and min_count alone" : ""));
  }
  return made;
}

std::vector<EncoderSpec> EncoderOptions(const EvalOptions& options) {
  ModelOption(options.model);
  std::string list = options.encoders;
  if (list.empty()) list = options.raw ? "model-raw" : "model";
  std::vector<EncoderSpec> specs = ParseEncoders(list, options.commands);
  const bool made = CheckUsage([&] { return CheckParameters(options, specs, {"workers"}); });
  if (!made && !options.table.table.empty()) {
    throw UsageError(
        "--table: a stored model has its own; it is for encoders that are made from one");
  }
  return specs;
}

void AddEvalCommand(Command* program) {
  Command eval = program->AddSubcommand("eval", "how good a model is, beside simpler ways");

  Task task = AddTask(&eval, "similarity", "correlation of the cosine with people's scores",
                      EvalSimilarity);
  AddFiles(task, "score, sentence, sentence, with tabs between them; a pair a line, no header");
  task.app.SetFooter(
      "Only reads the database. Rivals are trained in memory: Ctrl-C at any time leaves nothing.\n"
      "Example: s2v eval similarity news.db pairs.tsv --encoders model,tfidf,bigrams+sif");

  task = AddTask(&eval, "transfer", "accuracy of a classifier on the vectors", EvalTransfer);
  AddFiles(task, "label, sentence, with a tab between them; a row a line, no header");
  task.app.Add("--test", &task.options->test, "FILE",
               "train on the one FILE and test on this (default: 10 folds of each FILE)");
  task.app.AddFlag("--pairs", &task.options->pairs,
                   "label, sentence, sentence: classify pairs by |u - v| and u * v; F1 too");
  task.app.SetFooter(
      "Logistic regression on the vectors as they are, the strength of L2 chosen by "
      "cross-validation.\n"
      "Example: s2v eval transfer news.db train.tsv --test test.tsv --encoders model,tfidf");

  task = AddTask(&eval, "self", "a model of a table on rows that it has not seen; no labels needed",
                 EvalSelf);
  task.app.Add("--model", &task.options->model, "NAME",
               "measure this stored model, on a sample of its table or of --table; train nothing");
  task.app.Add("--sample", &task.options->sample, "ROWS",
               "so many rows are held out, at most a tenth of the table (default 2000)");
  AddEncoders(task, "with --model, what to compare (default model,model-raw,tfidf): ");
  task.app.SetNeeds("--encoders", "--model");
  task.app.SetFooter(
      "Trains in memory on the other rows and stores nothing. The same --seed holds out the same "
      "rows.\n"
      "Example: s2v eval self news.db --table docs --column body --dimension 100");

  task =
      AddTask(&eval, "search", "how well rows are found that people judged relevant", EvalSearch);
  EvalOptions* search = task.options;
  task.app.AddRequired("--table", &search->table.table, "table or view that is searched", "NAME");
  task.app.AddRequired("--column", &search->table.column, "column of its texts", "NAME");
  task.app.Add("--id", &search->id, "NAME", "column of its ids (default: rowid)");
  task.app.AddRequired("--queries", &search->queries,
                       "query id, text, with a tab between them; a query a line, no header",
                       "FILE");
  task.app.AddRequired(
      "--judgements", &search->judgements,
      "query id, row id, grade, with tabs between them; grade: a whole number, above 0: relevant",
      "FILE");
  AddModel(task);
  task.app.Add("--index", &search->index, "NAME", "measure this s2v_index of the table too");
  task.app.SetFooter(
      "Beside BM25 of FTS5 and TF-IDF; measures as trec_eval has them. Nothing is trained or "
      "stored.\n"
      "Example: s2v eval search news.db --table docs --column body --queries queries.tsv "
      "--judgements\n"
      "judgements.tsv");
}

}  // namespace s2v
