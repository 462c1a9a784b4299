// s2v report DB [--model NAME] [-o FILE]
//
// One HTML page about a stored model: how it was made, its loss, its words, and, where its training
// table can be read, the neighbours of some rows and the retrieval check of `s2v eval self --model`
// beside TF-IDF and BM25. Here a JSON object is made of them, which report.html draws. The database
// is only read.
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>

#include "core/error.h"
#include "core/eval/encoder.h"
#include "ext/cli/command.h"
#include "ext/cli/database.h"
#include "ext/cli/eval.h"
#include "ext/cli/report.h"
#include "ext/cli/retrieval.h"
#include "report_page.h"
#include "sql/sentence_table.h"

namespace s2v {
namespace {

struct ReportOptions {
  std::string path, model, output;
  bool quiet = false;
};

std::string ModelFacts(const ModelInfo& info, const CorpusOrigin& origin) {
  std::string corpus = "unknown";
  if (!origin.table.empty()) {
    corpus = origin.table + "." + origin.column;
    if (!origin.where.empty()) corpus += " where " + origin.where;
  }
  return JsonObject()
      .Add("name", info.name + (info.is_default ? " (the default model)" : ""))
      .Add("hash", info.hash)
      .Add("trained on", corpus)
      .Add("texts", info.texts)
      .Add("sentences", info.sentences)
      .Add("tokens", info.tokens)
      .Add("words", info.words)
      .Add("n-grams", info.ngrams)
      .Add("target words", info.targets)
      .Add("dimension", info.shape.dimension)
      .Add("created", info.created + " UTC")
      .Add("library", "s2v " + info.library)
      .Text();
}

std::string Outcome(const RetrievalOutcome& outcome) {
  JsonObject json;
  json.Add("encoder", outcome.encoder);
  if (!outcome.score) return json.AddJson("scores", "null").Text();
  const double scores[] = {outcome.score->recall_at_1, outcome.score->recall_at_10,
                           outcome.score->mean_reciprocal_rank};
  return json.AddJson("scores", JsonList(scores, NumberText)).Text();
}

// What the training table has to say. Throws InvalidArgument and SqlError where it cannot be read.
void MeasureTable(sqlite3* db, const CorpusOrigin& origin, ModelReader* reader, StatusLine* status,
                  JsonObject* report) {
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
  const std::string overlap =
      OverlapText(FindOverlap(db, origin, {&sample, 1}, status), {&sample, 1});
  status->Show("nearest rows");
  Embedder embedder(info.shape, reader, kernels);
  report->AddJson("row_neighbours", NearestRows(db, origin, texts.texts(), &embedder, kernels))
      .Add("queries", halves.queries())
      .Add("overlap", overlap)
      .AddJson("outcomes", JsonList(halves.outcomes(), Outcome));
}

JsonObject Collect(sqlite3* db, const ModelName& name, StatusLine* status) {
  // One state of the model and of its table for all readings.
  Execute(db, "BEGIN");
  ModelReader reader(db, name);
  const ModelInfo& info = reader.info();
  const CorpusOrigin origin = ParseCorpusOrigin(db, info.corpus);
  Statement json(db, "SELECT json(?1), json(?2)", info.parameters, info.losses);
  json.Step();
  std::string warning, table_problem;
  if (info.texts < kFewTexts) {
    warning = "Only " + std::to_string(info.texts) +
              " texts: a model learns little beyond shared words from fewer than some hundred.";
  }
  JsonObject report;
  report.Add("model", info.name)
      .Add("warning", warning)
      .AddJson("facts", ModelFacts(info, origin))
      .AddJson("parameters", json.Text(0))
      .AddJson("losses", json.Text(1))
      .Add("table", origin.table + "." + origin.column);
  status->Show("reading the words");
  AddWords(db, info, simd::BestKernels(), &report);
  try {
    MeasureTable(db, origin, &reader, status, &report);
  } catch (const InvalidArgument& error) {
    table_problem = error.what();
  } catch (const SqlError& error) {
    table_problem = error.what();
  }
  report.Add("table_problem", table_problem);
  status->Clear();
  return report;
}

// report.html with the object in place of its example. In a script no "<" of a text may stand as it is.
std::string Page(const JsonObject& report) {
  constexpr std::string_view kPage = kReportPage, kBegin = "id=\"report\">", kEnd = "</script>";
  const size_t begin = kPage.find(kBegin) + kBegin.size();
  std::string page(kPage.substr(0, begin));
  for (const char c : report.Text()) c == '<' ? page += "\\u003c" : page += c;
  return page.append(kPage.substr(kPage.find(kEnd, begin)));
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
  WritePage(options.output, Page(Collect(db.get(), name, &status)));
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
