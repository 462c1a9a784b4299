// s2v report DB [--model NAME] [-o FILE]
//
// One HTML page about a stored model: how it was made, its loss, its words, and, where its training
// table can be read, the neighbours of some rows and the retrieval check of `s2v eval self --model`
// beside TF-IDF and BM25. Here a JSON object is made of them, for the most part by SQL in tables of
// the connection's own; report.html draws it. The database is only read.
#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fstream>
#include <functional>
#include <map>

#include "core/error.h"
#include "core/eval/encoder.h"
#include "core/train/squares.h"
#include "ext/cli/command.h"
#include "ext/cli/database.h"
#include "ext/cli/eval.h"
#include "ext/cli/retrieval.h"
#include "report_page.h"
#include "sql/json.h"
#include "sql/model_reader.h"
#include "sql/sentence_table.h"
#include "sql/system/platform.h"
#include "sql/train_table.h"

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
  JsonObject facts;
  facts.Add("name", info.name + (info.is_default ? " (the default model)" : ""));
  facts.Add("hash", info.hash).Add("trained on", corpus).Add("texts", info.texts);
  facts.Add("sentences", info.sentences).Add("tokens", info.tokens).Add("words", info.words);
  facts.Add("n-grams", info.ngrams).Add("target words", info.targets);
  facts.Add("dimension", info.shape.dimension).Add("created", info.created + " UTC");
  return facts.Add("library", "s2v " + info.library).Text();
}

// The map: words [words] with their places, which are their vectors [words, dimension], centred
// here, on their two main directions. Those places follow from the eigenvectors of the products of
// each two.
void AddMap(const std::vector<std::string>& names, std::vector<float> vectors, uint32_t dimension,
            JsonObject* report) {
  const size_t words = names.size();
  std::vector<double> mean(dimension);
  for (size_t i = 0; i < vectors.size(); i++) {
    mean[i % dimension] += vectors[i] / static_cast<double>(words);
  }
  for (size_t i = 0; i < vectors.size(); i++) {
    vectors[i] -= static_cast<float>(mean[i % dimension]);
  }
  std::vector<double> products(words * words);
  for (size_t i = 0; i < products.size(); i++) {
    products[i] = simd::BestKernels().dot(&vectors[i / words * dimension],
                                          &vectors[i % words * dimension], dimension);
  }
  const std::vector<double> values = Eigen(&products, words);
  std::multimap<double, size_t, std::greater<>> axes;
  for (size_t i = 0; i < words; i++) axes.emplace(values[i], i);
  std::vector<double> places[2] = {std::vector<double>(words), std::vector<double>(words)};
  double total = 0, carried = 0;
  int axis = 0;
  for (const auto& [value, row] : axes) {
    total += value;
    if (axis == 2) continue;
    carried += value;
    for (size_t i = 0; i < words; i++) {
      places[axis][i] = std::sqrt(std::max(value, 0.0)) * products[row * words + i];
    }
    axis++;
  }
  std::vector<std::string> points;
  for (size_t i = 0; i < words; i++) {
    points.push_back("[" + JsonString(names[i]) + "," + NumberText(places[0][i]) + "," +
                     NumberText(places[1][i]) + "]");
  }
  report->AddJson("map", JsonList(points)).Add("map_share", total > 0 ? carried / total : 0);
}

// Words by rank, from 1. A long one has letters alone, at least four; what is not ASCII counts as a
// letter.
constexpr char kWords[] = R"(
CREATE TEMP TABLE s2v_report_word AS
SELECT word, form, count, norm, norm > 0 AND norm < 1e300 AND length(word) >= 4 AND
       word NOT GLOB '*[^a-zA-Z' || char(128) || '-' || char(1114111) || ']*' AS long
FROM temp.s2v_words(?1))";

// [whole word, its share ?1 of the tokens, norm]: of the 200 most frequent words, and of the ?2
// others 1,800 evenly by rank.
constexpr char kPoints[] = R"(
SELECT json_group_array(json_array(form, 1.0 * count / ?1, norm)) FROM temp.s2v_report_word
WHERE norm < 1e300 AND 1.0 * count / ?1 > 0 AND
      (rowid <= 200 OR (rowid - 200) * 1800 / ?2 > (rowid - 201) * 1800 / ?2))";

constexpr char kMapWords[] = R"(
SELECT v.form, v.vector FROM temp.s2v_report_word AS w CROSS JOIN temp.s2v_words(?1) AS v USING (word)
WHERE w.long LIMIT 150)";

// The words of the model ?1 that are nearest to the long words at the ranks ?2 or behind them.
constexpr char kNearestWords[] = R"(
SELECT json_group_array(json_object('text', chosen.form, 'label', chosen.count || '', 'near', json(
  (SELECT json_group_array(json_object('text', word, 'label', '', 'cosine', similarity)) FROM
    (SELECT * FROM temp.s2v_nearest_words(chosen.vector, 9, ?1) WHERE token <> chosen.word LIMIT 8)))))
FROM (SELECT w.word, w.form, w.count, v.vector
      FROM temp.json_each(?2) AS rank CROSS JOIN temp.s2v_report_word AS w ON w.rowid =
        (SELECT min(rowid) FROM temp.s2v_report_word WHERE long AND rowid >= rank.value)
      CROSS JOIN temp.s2v_words(?1) AS v ON v.word = w.word GROUP BY w.rowid) AS chosen)";

void AddWords(sqlite3* db, const ModelInfo& info, const std::string& model, JsonObject* report) {
  constexpr int kChosen = 10;
  Execute(db, kWords, model);
  report->Add("words", info.words);
  report->AddJson("points",
                  SelectText(db, kPoints, info.tokens, std::max<int64_t>(info.words - 200, 1800)));
  std::vector<std::string> names;
  std::vector<float> vectors;
  const uint32_t dimension = info.shape.dimension;
  for (Statement select(db, kMapWords, model); select.Step();) {
    names.emplace_back(select.Text(0));
    vectors.resize(names.size() * dimension);
    float* vector = &vectors[vectors.size() - dimension];
    std::memcpy(vector, select.Blob(1).data(), dimension * sizeof(float));
    // Directions are what is compared, so lengths do not stretch the map.
    Normalize(vector, dimension);
  }
  AddMap(names, std::move(vectors), dimension, report);
  std::vector<std::string> ranks;  // equal steps of their logarithm, from the frequent to the rare
  for (int i = 1; i <= kChosen; i++) {
    const double rank = std::pow(static_cast<double>(info.words), i / (kChosen + 1.0));
    ranks.push_back(std::to_string(static_cast<int64_t>(rank)));
  }
  report->AddJson("word_neighbours", SelectText(db, kNearestWords, model, JsonList(ranks)));
}

// Texts of which the model knows something, once each; label: of the first row that has the text.
constexpr char kRows[] = R"(
CREATE TEMP TABLE s2v_report_row(
  text TEXT UNIQUE, vector BLOB NOT NULL, label TEXT DEFAULT '',
  shown AS (iif(length(text) > 240, substr(text, 1, 240) || '…', text))))";
constexpr char kFillRows[] =
    "INSERT OR IGNORE INTO temp.s2v_report_row(text, vector) "
    "SELECT value, s2v_embed(value, ?2) FROM temp.json_each(?1)";

// Five of them, evenly from their list, and their neighbours among all.
constexpr char kNearestRows[] = R"(
WITH ranked AS (SELECT rowid, *, row_number() OVER (ORDER BY rowid) AS rank, count(*) OVER () AS n
                FROM temp.s2v_report_row)
SELECT json_group_array(json_object('text', chosen.shown, 'label', chosen.label, 'near', json(
  (SELECT json_group_array(json_object('text', shown, 'label', label, 'cosine', cosine)) FROM
    (SELECT shown, label, s2v_cosine(chosen.vector, vector) AS cosine FROM temp.s2v_report_row
     WHERE rowid <> chosen.rowid ORDER BY cosine DESC LIMIT 4)))))
FROM ranked AS chosen WHERE rank * 5 / n > (rank - 1) * 5 / n)";

void AddNearestRows(sqlite3* db, const CorpusOrigin& origin, const std::vector<std::string>& texts,
                    const std::string& model, JsonObject* report) {
  Execute(db, kRows);
  Execute(db, kFillRows, JsonList(texts, JsonString), model);
  const SentenceTable table(db, origin.table, origin.column, origin.where);
  if (!table.RowidName().empty()) {
    const std::string schema = table.schema().empty() ? "" : QuoteName(table.schema()) + ".";
    Execute(
        db,
        "UPDATE temp.s2v_report_row SET label = 'rowid ' || first.id FROM (SELECT r.text, min(t.id) "
        "AS id FROM (SELECT " +
            table.RowidName() + " AS id, CAST(" + table.text_sql() + " AS TEXT) AS whole FROM " +
            schema + QuoteName(table.name()) +
            ") AS t CROSS JOIN temp.s2v_report_row AS r ON r.text = t.whole GROUP BY r.rowid) AS "
            "first WHERE s2v_report_row.text = first.text");
  }
  report->AddJson("row_neighbours", SelectText(db, kNearestRows));
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
void MeasureTable(sqlite3* db, const CorpusOrigin& origin, const std::string& model,
                  ModelReader* reader, StatusLine* status, JsonObject* report) {
  if (origin.table.empty()) throw InvalidArgument("the model does not say what it was trained on");
  const ModelInfo& info = reader->info();
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
  halves.MeasureModel(info.shape, reader);
  halves.Measure(&tfidf);
  halves.MeasureFullText(db);
  const std::string overlap =
      OverlapText(FindOverlap(db, origin, {&sample, 1}, status), {&sample, 1});
  status->Show("nearest rows");
  AddNearestRows(db, origin, texts.texts(), model, report);
  report->Add("queries", halves.queries()).Add("overlap", overlap);
  report->AddJson("outcomes", JsonList(halves.outcomes(), Outcome));
}

JsonObject Collect(sqlite3* db, const ModelName& name, StatusLine* status) {
  // One state of the model and of its table for all readings.
  Execute(db, "BEGIN");
  ModelReader reader(db, name);
  const ModelInfo& info = reader.info();
  const std::string model = ModelName{info.schema, info.name}.Text();
  const CorpusOrigin origin = ParseCorpusOrigin(db, info.corpus);
  JsonObject report;
  report.Add("model", info.name);
  report.Add("warning", FewTextsWarning(static_cast<uint64_t>(info.texts)));
  report.AddJson("facts", ModelFacts(info, origin));
  report.AddJson("parameters", SelectText(db, "SELECT json(?1)", info.parameters));
  report.AddJson("losses", SelectText(db, "SELECT json(?1)", info.losses));
  report.Add("table", origin.table + "." + origin.column);
  status->Show("reading the words");
  AddWords(db, info, model, &report);
  report.Add("table_problem",
             ProblemOf([&] { MeasureTable(db, origin, model, &reader, status, &report); }));
  status->Clear();
  return report;
}

// report.html with the object in place of its example. In a script no "<" of a text may stand as it
// is.
std::string Page(const JsonObject& report) {
  constexpr std::string_view kPage = kReportPage, kBegin = "id=\"report\">", kEnd = "</script>";
  const size_t begin = kPage.find(kBegin) + kBegin.size();
  std::string page(kPage.substr(0, begin));
  for (const char c : report.Text()) c == '<' ? page += "\\u003c" : page += c;
  return page.append(kPage.substr(kPage.find(kEnd, begin)));
}

void WritePage(const std::string& path, const std::string& page) {
  if (path.empty()) return WriteOutput(page);
  std::ofstream file(PathOf(path), std::ios::binary);
  if (!(file << page).flush()) {
    throw std::runtime_error("cannot write '" + path + "': " + std::strerror(errno));
  }
}

void Report(const ReportOptions& options) {
  const ModelName name = ModelOption(options.model);
  if (IsOfDatabase(options.output, options.path)) {
    throw UsageError("--output: '" + options.output +
                     "' is the database itself, or has a part of it");
  }
  const Database db(options.path, Database::kRead);
  StatusLine status(!options.quiet);
  WritePage(options.output, Page(Collect(db.get(), name, &status)));
}

}  // namespace

void AddReportCommand(Command* program) {
  auto [app, options] =
      program->AddSubcommand("report", "a page about a model, to look at or print", Report,
                             "the database file; it is only read");
  app.Add("--model", &options->model, "NAME",
          "the stored model (default: the database's default model)");
  app.Add("-o,--output", &options->output, "FILE",
          "where the page goes, in place of what is there (default: standard output)");
  app.AddFlag("--quiet", &options->quiet, "no progress line");
  app.SetFooter(
      "One HTML file that needs no network: how the model was made, loss, lengths of vectors, a "
      "map\n"
      "of words, nearest words and rows, retrieval beside TF-IDF and BM25.\n"
      "Example: s2v report news.db -o report.html");
}

}  // namespace s2v
