// s2v eval similarity | transfer | self | search: the command lines, and what the tasks share (eval.h).
#include <algorithm>
#include <charconv>
#include <cstdio>
#include <memory>

#include "core/error.h"
#include "ext/cli/database.h"
#include "ext/cli/eval.h"

namespace s2v {
namespace {

Command AddTask(Command* eval, const char* name, const char* help, EvalOptions* options) {
  Command app = eval->AddSubcommand(name, help);
  app.AddRequired("DB", &options->path, "the database file; it is only read");
  return app;
}

void AddCommon(Command app, EvalOptions* options) {
  app.AddText("--table", &options->table.table, "NAME",
              "table or view that encoders are made from (default: the model's training table)");
  app.AddText("--column", &options->table.column, "NAME", "column of its texts");
  app.AddText("--where", &options->table.where, "SQL", "expression over its columns: which rows");
  app.AddFlag("--json", &options->json, "JSON objects, a line each; figures from 0 to 1");
  app.AddFlag("--quiet", &options->quiet, "no progress line");
  options->parameters.AddTo(app);
}

void AddEncoderList(Command app, const std::string& head, EvalOptions* options) {
  app.AddText(
      "--encoders", &options->encoders, "LIST",
      head + EncoderNames() +
          ". All but model and model-raw are made for this, from the table, and not stored");
  // One value each time: a command may have blanks and commas.
  app.AddRepeated("--encoder-command", &options->commands, "NAME=COMMAND",
                  "one encoder more, may be repeated: /bin/sh runs COMMAND once, with the texts as "
                  "lines of its input; each line of its output is the numbers of a vector, blanks "
                  "between; zeros or nothing: unknown");
}

void AddEncoderOptions(Command app, const char* columns, EvalOptions* options) {
  app.AddRequiredList("FILE", &options->files, columns);
  app.AddText("--model", &options->model, "NAME",
              "the stored model (default: the database's default model)");
  app.AddFlag("--raw", &options->raw,
              "the stored model's mean of features (eq. 2) only: --encoders model-raw");
  AddEncoderList(app, "what to compare, commas between (default model): ", options);
}

void CheckParameters(const EvalOptions& options, const std::vector<EncoderSpec>& specs) {
  if (CheckMade(options, specs)) return;
  RefuseParameters(options, {"workers"});
  if (!options.table.table.empty()) {
    throw UsageError(
        "--table: a stored model has its own; it is for encoders that are made from one");
  }
}

}  // namespace

bool CheckMade(const EvalOptions& options, const std::vector<EncoderSpec>& specs) {
  if (options.parameters.Given("ngram_order")) {
    throw UsageError("ngram_order: the name of an encoder says it, see --encoders");
  }
  bool made = false;
  for (const EncoderSpec& spec : specs) {
    made = made || spec.made();
    if (!spec.foreign()) SettingsOf(spec, options.parameters);
  }
  return made;
}

void CheckTableOptions(const EvalOptions& options) {
  const CorpusOrigin& table = options.table;
  if (!table.table.empty() && table.column.empty()) throw UsageError("--table requires --column");
  if (table.table.empty() && !(table.column + table.where).empty()) {
    throw UsageError("--column and --where require --table");
  }
}

void RefuseParameters(const EvalOptions& options, std::initializer_list<std::string_view> allowed) {
  std::vector<std::string_view> names = {"preset"};
  for (const Parameter& p : Parameters()) names.push_back(p.name);
  for (const std::string_view name : names) {
    if (!options.parameters.Given(name)) continue;
    if (std::find(allowed.begin(), allowed.end(), name) != allowed.end()) continue;
    throw UsageError(std::string(name) +
                     ": a stored model has its own; it is for models that are trained");
  }
}

uint64_t SampleOption(const EvalOptions& options) {
  const std::string& text = options.sample;
  uint64_t rows = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), rows);
  if (error != std::errc() || end != text.data() + text.size() || rows == 0) {
    throw UsageError("sample: a whole number of rows from 1 expected, not '" + text + "'");
  }
  return rows;
}

std::vector<EncoderSpec> EncoderOptions(const EvalOptions& options) {
  if (options.raw && !options.encoders.empty()) {
    throw UsageError("--raw and --encoders exclude each other; write model-raw among the encoders");
  }
  CheckTableOptions(options);
  ModelOption(options.model);
  std::string list = options.encoders;
  if (list.empty()) list = options.raw ? "model-raw" : "model";
  std::vector<EncoderSpec> specs = ParseEncoders(list, options.commands);
  CheckUsage([&] { CheckParameters(options, specs); });
  return specs;
}

std::vector<Overlap> FindOverlaps(sqlite3* db, const std::vector<EncoderSpec>& specs,
                                  EncoderFactory* factory, std::span<const EvalFile> files,
                                  StatusLine* status, std::vector<size_t>* of_encoder) {
  std::vector<Overlap> overlaps;
  std::vector<std::optional<CorpusOrigin>> origins;
  for (const EncoderSpec& spec : specs) {
    // A foreign one has none, and an entry of its own.
    const std::optional<CorpusOrigin> origin =
        spec.foreign() ? std::nullopt : std::optional(factory->Origin(spec));
    const auto known = origin ? std::find(origins.begin(), origins.end(), origin) : origins.end();
    of_encoder->push_back(static_cast<size_t>(known - origins.begin()));
    if (known != origins.end()) continue;
    origins.push_back(origin);
    if (origin) {
      overlaps.push_back(FindOverlap(db, *origin, files, status));
    } else {
      overlaps.push_back({"the training text of " + spec.name, "its command alone knows it", {}});
    }
  }
  return overlaps;
}

void AddEvalCommand(Command* program) {
  Command eval = program->AddSubcommand("eval", "how good a model is, beside simpler ways");
  // One for each, so that a flag's home is one subcommand.
  const auto similarity = std::make_shared<EvalOptions>(),
             transfer = std::make_shared<EvalOptions>(), self = std::make_shared<EvalOptions>(),
             search = std::make_shared<EvalOptions>();

  Command app = AddTask(&eval, "similarity", "correlation of the cosine with people's scores",
                        similarity.get());
  AddEncoderOptions(app,
                    "score, sentence, sentence, with tabs between them; a pair a line, no header",
                    similarity.get());
  AddCommon(app, similarity.get());
  app.SetFooter(
      "Only reads the database. Rivals are trained in memory: Ctrl-C at any time leaves nothing.\n"
      "Example: s2v eval similarity news.db pairs.tsv --encoders model,tfidf,bigrams+sif");
  app.SetAction([similarity] { EvalSimilarity(*similarity); });

  app = AddTask(&eval, "transfer", "accuracy of a classifier on the vectors", transfer.get());
  AddEncoderOptions(app, "label, sentence, with a tab between them; a row a line, no header",
                    transfer.get());
  app.AddText("--test", &transfer->test, "FILE",
              "train on the one FILE and test on this (default: 10 folds of each FILE)");
  app.AddFlag("--pairs", &transfer->pairs,
              "label, sentence, sentence: classify pairs by |u - v| and u * v; F1 too");
  AddCommon(app, transfer.get());
  app.SetFooter(
      "Logistic regression on the vectors as they are, the strength of L2 chosen by "
      "cross-validation.\n"
      "Example: s2v eval transfer news.db train.tsv --test test.tsv --encoders model,tfidf");
  app.SetAction([transfer] { EvalTransfer(*transfer); });

  app = AddTask(&eval, "self", "a model of a table on rows that it has not seen; no labels needed",
                self.get());
  app.AddText("--model", &self->model, "NAME",
              "measure this stored model, on a sample of its table or of --table; train nothing");
  AddEncoderList(app,
                 "with --model, what to compare (default model,model-raw,tfidf): ", self.get());
  app.AddText("--sample", &self->sample, "ROWS",
              "so many rows are held out, at most a tenth of the table (default 2000)");
  AddCommon(app, self.get());
  app.SetFooter(
      "Trains in memory on the other rows and stores nothing. The same --seed holds out the same "
      "rows.\n"
      "Example: s2v eval self news.db --table docs --column body --dimension 100");
  app.SetAction([self] { EvalSelf(*self); });

  app =
      AddTask(&eval, "search", "how well rows are found that people judged relevant", search.get());
  app.AddRequired("--table", &search->table.table, "table or view that is searched", "NAME");
  app.AddRequired("--column", &search->table.column, "column of its texts", "NAME");
  app.AddText("--id", &search->id, "NAME", "column of its ids (default: rowid)");
  app.AddRequired("--queries", &search->queries,
                  "query id, text, with a tab between them; a query a line, no header", "FILE");
  app.AddRequired("--judgements", &search->judgements,
                  "query id, row id, grade, with tabs between them; above 0: relevant", "FILE");
  app.AddText("--model", &search->model, "NAME",
              "the stored model (default: the database's default model)");
  app.AddText("--index", &search->index, "NAME", "measure this s2v_index of the table too");
  app.AddFlag("--json", &search->json, "JSON objects, a line each; figures from 0 to 1");
  app.AddFlag("--quiet", &search->quiet, "no progress line");
  app.SetFooter(
      "Beside BM25 of FTS5 and TF-IDF; measures as trec_eval has them. Nothing is trained or "
      "stored.\n"
      "Example: s2v eval search news.db --table docs --column body --queries queries.tsv "
      "--judgements\n"
      "judgements.tsv");
  app.SetAction([search] { EvalSearch(*search); });
}

}  // namespace s2v
