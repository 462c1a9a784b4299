// s2v report DB [--model NAME] [-o FILE]
//
// One HTML page about a stored model (report.h): how it was made, its loss, its words, and,
// where its training table can be read, the neighbours of some rows and the retrieval check of
// `s2v eval self --model` beside TF-IDF and BM25. The database is only read.
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>

#include "core/error.h"
#include "core/eval/tfidf.h"
#include "ext/cli/command.h"
#include "ext/cli/database.h"
#include "ext/cli/eval.h"
#include "ext/cli/report.h"
#include "sql/sentence_table.h"

namespace s2v {
namespace {

constexpr int64_t kFewTexts = 300;

struct ReportOptions {
  std::string path, model, output;
  bool quiet = false;
};

using Facts = std::vector<std::pair<std::string, std::string>>;

Facts ReadParameters(sqlite3* db, const ModelInfo& info) {
  Facts parameters;
  Statement select(db,
                   "SELECT key, CASE WHEN type IN ('true', 'false') THEN type ELSE value END "
                   "FROM json_each(?1)");
  select.Bind(1, std::string_view(info.parameters));
  while (select.Step()) {
    parameters.emplace_back(std::string(select.Text(0)), std::string(select.Text(1)));
  }
  return parameters;
}

Facts ModelFacts(const ModelInfo& info, const CorpusOrigin& origin) {
  std::string corpus = "unknown";
  if (!origin.table.empty()) {
    corpus = origin.table + "." + origin.column;
    if (!origin.where.empty()) corpus += " where " + origin.where;
  }
  return {{"name", info.name + (info.is_default ? " (the default model)" : "")},
          {"hash", info.hash},
          {"trained on", corpus},
          {"texts", std::to_string(info.texts)},
          {"sentences", std::to_string(info.sentences)},
          {"tokens", std::to_string(info.tokens)},
          {"words", std::to_string(info.words)},
          {"n-grams", std::to_string(info.ngrams)},
          {"target words", std::to_string(info.targets)},
          {"dimension", std::to_string(info.shape.dimension)},
          {"created", info.created + " UTC"},
          {"library", "s2v " + info.library}};
}

// What the training table has to say. Throws InvalidArgument and SqlError where it cannot be read.
void MeasureTable(sqlite3* db, const CorpusOrigin& origin, ModelReader* reader, StatusLine* status,
                  ReportData* data) {
  if (origin.table.empty()) throw InvalidArgument("the model does not say what it was trained on");
  const ModelInfo& info = reader->info();
  const simd::Kernels& kernels = simd::BestKernels();
  const Config defaults;
  TfIdf tfidf(*info.shape.tokenizer);
  TextSample texts;
  EvalFile sample;
  SplitTable(
      db, origin, static_cast<uint64_t>(defaults.seed), kSampleRows,
      [&](std::string_view text) {
        tfidf.AddText(text);
        texts.Add(text);
      },
      status, &sample);
  tfidf.Fit(static_cast<uint64_t>(defaults.min_count));
  HalfRetrieval halves(*info.shape.tokenizer, sample.sentences, status);
  halves.MeasureModel(info.shape, reader, kernels);
  halves.Measure(&tfidf);
  halves.MeasureFullText();
  data->queries = halves.queries();
  data->outcomes = halves.outcomes();
  data->overlap = OverlapText(FindOverlap(db, origin, {&sample, 1}, status), {&sample, 1});
  status->Show("nearest rows");
  Embedder embedder(info.shape, reader, kernels);
  data->row_neighbours = NearestRows(texts.texts(), &embedder, kernels);
  LabelRows(db, origin, &data->row_neighbours);
}

ReportData Collect(sqlite3* db, const ModelName& name, StatusLine* status) {
  // One state of the model and of its table for all readings.
  Execute(db, "BEGIN");
  ModelReader reader(db, name);
  const ModelInfo& info = reader.info();
  const CorpusOrigin origin = ParseCorpusOrigin(db, info.corpus);
  ReportData data;
  data.model = info.name;
  if (info.texts < kFewTexts) {
    data.warning =
        "Only " + std::to_string(info.texts) +
        " texts: a model learns little beyond shared words from fewer than some hundred.";
  }
  data.facts = ModelFacts(info, origin);
  data.parameters = ReadParameters(db, info);
  data.losses = StoredLosses(db, info);
  status->Show("reading the words");
  ReadWordVectors(db, info, simd::BestKernels(), &data);
  data.table = origin.table + "." + origin.column;
  try {
    MeasureTable(db, origin, &reader, status, &data);
  } catch (const InvalidArgument& error) {
    data.table_problem = error.what();
  } catch (const SqlError& error) {
    data.table_problem = error.what();
  }
  status->Clear();
  return data;
}

[[noreturn]] void ThrowCannotWrite(const std::string& path) {
  throw std::runtime_error("cannot write '" + path + "': " + std::strerror(errno));
}

void WritePage(const std::string& path, const std::string& page) {
  if (path.empty()) return WriteOutput(page);
  const std::unique_ptr<FILE, int (*)(FILE*)> file(std::fopen(path.c_str(), "wb"), std::fclose);
  if (!file || std::fwrite(page.data(), 1, page.size(), file.get()) != page.size() ||
      std::fflush(file.get()) != 0) {
    ThrowCannotWrite(path);
  }
}

void Report(const ReportOptions& options) {
  const ModelName name = ModelOption(options.model);
  std::error_code unknown;  // of a file that does not exist yet
  if (std::filesystem::equivalent(options.path, options.output, unknown)) {
    throw UsageError("--output: '" + options.output + "' is the database itself");
  }
  const Database db(options.path, Database::kRead);
  StatusLine status(!options.quiet);
  WritePage(options.output, ReportHtml(Collect(db.get(), name, &status)));
}

}  // namespace

void AddReportCommand(Command* program) {
  Command app = program->AddSubcommand("report", "a page about a model, to look at or print");
  const auto options = std::make_shared<ReportOptions>();
  app.AddRequired("DB", &options->path, "the database file; it is only read");
  app.AddText("--model", &options->model, "NAME",
              "the stored model (default: the database's default model)");
  app.AddText("-o,--output", &options->output, "FILE",
              "where the page goes, in place of what is there (default: standard output)");
  app.AddFlag("--quiet", &options->quiet, "no progress line");
  app.SetFooter(
      "One HTML file that needs no network: how the model was made, loss, lengths of vectors, a "
      "map\n"
      "of words, nearest words and rows, retrieval beside TF-IDF and BM25.\n"
      "Example: s2v report news.db -o report.html");
  app.SetAction([options] { Report(*options); });
}

}  // namespace s2v
