// s2v eval search DB --table T --column C --queries Q.tsv --judgements J.tsv [--id NAME]
//                 [--model NAME] [--index NAME] [--json] [--quiet]
//
// How well the rows of a table are found that people judged relevant to a query: nDCG@10, MAP, MRR
// and recall@100 (core/eval/ranking.h) of
//
//   bm25        SQLite's full-text search (retrieval.h), any of the query's words
//   tfidf       cosine of bags of words, with the model's tokenizer
//   model       cosine of s2v_embed, over all rows
//   model-raw   the same of eq. 2 itself
//   both        words and meaning: bm25 and model together by their scores (core/search/fusion.h),
//               without feedback
//   index       with --index: what the s2v_index table of that name answers
//
// and for each the interval of the difference against bm25, over the queries. Nothing is trained.
//
//   Q.tsv       query id<TAB>text
//   J.tsv       query id<TAB>row id<TAB>grade; relevant above 0; a row that is not named is not
//
// The texts are held in memory. Equal scores are ranked by the row's id as text, the larger first,
// as trec_eval does. A relevant row that the table lacks counts as not found.
#include <algorithm>
#include <array>
#include <map>
#include <unordered_map>

#include "core/error.h"
#include "core/eval/ranking.h"
#include "core/search/fusion.h"
#include "ext/cli/database.h"
#include "ext/cli/eval.h"
#include "ext/cli/retrieval.h"
#include "ext/cli/text.h"
#include "sql/index_definition.h"
#include "sql/json.h"
#include "sql/model_reader.h"
#include "sql/sentence_table.h"

namespace s2v {
namespace {

struct Measure {
  const char *name, *json;
  double RankingScore::*figure;
};
constexpr Measure kMeasures[] = {{"nDCG@10", "ndcg_at_10", &RankingScore::ndcg_at_10},
                                 {"MAP", "map", &RankingScore::average_precision},
                                 {"MRR", "mrr", &RankingScore::reciprocal_rank},
                                 {"recall@100", "recall_at_100", &RankingScore::recall_at_100}};

using ScoreTable = std::vector<Scores>;  // [queries]

struct System {
  std::string name;
  std::vector<RankingScore> scores;  // [queries]

  double Mean(double RankingScore::*figure) const {
    double sum = 0;
    for (const RankingScore& score : scores) sum += score.*figure;
    return sum / static_cast<double>(scores.size());
  }
};

// The mean of the differences, and its interval.
std::array<double, 3> Compare(const System& system, const System& with,
                              double RankingScore::*figure) {
  constexpr uint64_t kSeed = 1;
  std::vector<double> differences;
  for (size_t q = 0; q < system.scores.size(); q++) {
    differences.push_back(system.scores[q].*figure - with.scores[q].*figure);
  }
  const Interval interval = BootstrapInterval(differences, kSeed);
  return {system.Mean(figure) - with.Mean(figure), interval.low, interval.high};
}

int64_t ParseGrade(const EvalFile& file, size_t row) {
  const std::string& text = file.Sentence(row, 1);
  int64_t grade = 0;
  if (ParseNumber(text, &grade)) return grade;
  throw std::runtime_error(file.At(row) + "the grade '" + text + "' is not a whole number");
}

// A row without a cosine or bm25 has 0 for it.
Scores Fuse(const Scores& bm25, const Scores& cosines, size_t different_words) {
  const search::Fusion fusion{.weight = search::DefaultWeight(different_words),
                              .most_words = *std::max_element(bm25.begin(), bm25.end())};
  Scores fused;
  for (size_t row = 0; row < bm25.size(); row++) {
    fused.push_back(static_cast<float>(fusion.Score(cosines[row], fusion.Words(bm25[row], 0))));
  }
  return fused;
}

class SearchTask {
 public:
  SearchTask(sqlite3* db, const EvalOptions& options)
      : db_(db),
        options_(options),
        status_(!options.quiet),
        reader_(db, ModelOption(options.model)) {}

  void Run() {
    ReadTable();
    ReadQueries();
    ScoreTable words;
    if (FullText::Available(db_)) {
      words = SearchWords();
      AddSystem("bm25", words);
    }
    TfIdf tfidf(*reader_.info().shape.tokenizer);
    for (const std::string& text : texts_) tfidf.AddText(text);
    tfidf.Fit(1);
    AddSystem("tfidf", SearchMeaning(&tfidf));
    EmbeddingEncoder model("model", reader_.info().shape, &reader_, /*raw=*/false);
    ScoreTable meaning = SearchMeaning(&model);
    AddSystem("model", meaning);
    EmbeddingEncoder raw("model-raw", reader_.info().shape, &reader_, /*raw=*/true);
    AddSystem("model-raw", SearchMeaning(&raw));
    if (!words.empty()) {
      for (size_t q = 0; q < meaning.size(); q++) {
        meaning[q] = Fuse(words[q], meaning[q], different_words_[q]);
      }
      AddSystem("both", meaning);
    }
    if (!options_.index.empty()) AddSystem("index", SearchIndexTable());
    status_.Clear();
    WriteOutput(options_.json ? Json() : Printable(Text()));
  }

 private:
  void ReadTable() {
    const CorpusOrigin& from = options_.table;
    const SentenceTable table(db_, from.table, from.column, "");  // says what there is instead
    const std::string id = options_.id.empty() ? table.RowidName() : options_.id;
    if (id.empty()) {
      throw InvalidArgument("'" + from.table +
                            "' has no rowid; name the column of its ids with --id");
    }
    if (!options_.id.empty()) SentenceTable(db_, from.table, id, "");
    const std::string schema = table.schema().empty() ? "" : QuoteName(table.schema()) + ".";
    const std::string rowid = options_.index.empty() ? "NULL" : table.RowidName();
    if (rowid.empty()) throw InvalidArgument("--index: '" + from.table + "' has no rowid");
    if (!options_.index.empty()) CheckIndexOf(table);
    Statement select(db_, "SELECT " + QuoteName(id) + ", " + table.text_sql() + ", " + rowid +
                              " FROM " + schema + QuoteName(table.name()));
    while (select.Step()) {
      if (select.Type(1) == SQLITE_NULL || select.Type(1) == SQLITE_BLOB) continue;
      const auto row = static_cast<uint32_t>(texts_.size());
      texts_.emplace_back(select.Text(1));
      row_of_rowid_[select.Int(2)] = row;
      if (const auto [at, is_new] = row_of_.emplace(select.Text(0), row); !is_new) {
        throw InvalidArgument("'" + from.table + "' has two texts with the id '" + at->first +
                              "'; name a column of unique ids with --id");
      }
      if (texts_.size() % 1024 == 0) status_.Show(Format("reading: %lld texts", texts_.size()));
    }
    if (texts_.empty()) throw InvalidArgument("'" + from.table + "' has no texts");
    tie_order_.resize(texts_.size());
    uint32_t place = 0;
    for (const auto& [text, row] : row_of_) tie_order_[row] = place++;
  }

  void CheckIndexOf(const SentenceTable& table) {
    const std::string of = ReadIndexSource(db_, "main", FindIndex(db_, options_.index)).table;
    if (sqlite3_stricmp(of.c_str(), table.name().c_str()) != 0) {
      throw InvalidArgument("--index: '" + options_.index + "' is an index of '" + of +
                            "', not of '" + table.name() + "'");
    }
  }

  // Keeps the queries that have a relevant row.
  void ReadQueries() {
    const EvalFile judged = ReadEvalFile(options_.judgements, "query id, row id, grade");
    std::unordered_map<std::string, std::unordered_map<std::string, int64_t>> grades;
    for (size_t i = 0; i < judged.rows(); i++) {
      const int64_t grade = ParseGrade(judged, i);
      if (!grades[judged.heads[i]].emplace(judged.Sentence(i, 0), grade).second) {
        throw std::runtime_error(judged.At(i) + "row '" + judged.Sentence(i, 0) +
                                 "' is judged twice for query '" + judged.heads[i] + "'");
      }
    }
    const EvalFile queries = ReadEvalFile(options_.queries, "query id, text");
    auto missing = static_cast<uint32_t>(texts_.size());  // places of rows that the table lacks
    std::set<std::string> ids;
    for (size_t i = 0; i < queries.rows(); i++) {
      if (!ids.insert(queries.heads[i]).second)
        throw std::runtime_error(queries.At(i) + "query '" + queries.heads[i] + "' is there twice");
      std::unordered_map<uint32_t, int64_t> relevant;
      for (const auto& [id, grade] : grades[queries.heads[i]]) {
        if (grade <= 0) continue;
        const auto row = row_of_.find(id);
        relevant[row == row_of_.end() ? missing++ : row->second] = grade;
      }
      if (relevant.empty()) continue;
      relevant_ += relevant.size();
      queries_.push_back(queries.sentences[i]);
      grades_.push_back(std::move(relevant));
    }
    left_out_ = queries.rows() - queries_.size();
    missing_ = missing - texts_.size();
    if (relevant_ > missing_) return;
    throw std::runtime_error("'" + options_.judgements + "' names no row of '" +
                             options_.table.table + "' as relevant to a query of '" +
                             options_.queries + "'; do the ids agree (--id)?");
  }

  ScoreTable SearchWords() {
    FullText full_text(db_);
    for (size_t row = 0; row < texts_.size(); row++) {
      full_text.Add(texts_[row]);
      if (row % 1024 == 0) status_.Show("bm25: " + std::to_string(row) + " texts");
    }
    ScoreTable scores(queries_.size());
    for (size_t q = 0; q < queries_.size(); q++) {
      different_words_.push_back(full_text.Search(queries_[q], &scores[q]));
      status_.Show("bm25: " + std::to_string(q) + " queries");
    }
    return scores;
  }

  ScoreTable SearchMeaning(SentenceEncoder* encoder) {
    std::vector<FeatureVector> queries(queries_.size());
    for (size_t q = 0; q < queries.size(); q++) encoder->Encode(queries_[q], &queries[q]);
    const VectorSet set(queries, encoder->dimension());
    ScoreTable scores(queries.size(), Scores(texts_.size()));
    FeatureVector vector;
    std::vector<float> cosines;
    for (size_t row = 0; row < texts_.size(); row++) {
      encoder->Encode(texts_[row], &vector);
      set.Compare(vector, &cosines);
      for (size_t q = 0; q < queries.size(); q++) scores[q][row] = cosines[q];
      if (row % 256 == 0) status_.Show(encoder->name() + ": " + std::to_string(row) + " texts");
    }
    return scores;
  }

  // The index may be of any model and of more columns; its rowids are the table's.
  ScoreTable SearchIndexTable() {
    Statement select(db_, "SELECT rowid, score FROM " + QuoteName(options_.index) + "(?1, ?2)");
    ScoreTable scores(queries_.size(), Scores(texts_.size()));
    for (size_t q = 0; q < queries_.size(); q++) {
      for (bool found = select.Find(queries_[q], kRankingDepth); found; found = select.Step()) {
        const auto row = row_of_rowid_.find(select.Int(0));
        if (row != row_of_rowid_.end())
          scores[q][row->second] = static_cast<float>(select.Double(1));
      }
      status_.Show("index: " + std::to_string(q) + " queries");
    }
    return scores;
  }

  void AddSystem(const std::string& name, const ScoreTable& scores) {
    System system{name, {}};
    for (size_t q = 0; q < scores.size(); q++) {
      system.scores.push_back(ScoreRanking(RankRows(scores[q], tie_order_), grades_[q]));
    }
    systems_.push_back(std::move(system));
  }

  bool HasWords() const { return systems_[0].name == "bm25"; }

  std::string Text() const {
    std::string text =
        Format("model '%s', %lld texts of %s.%s, %lld queries with %lld relevant rows\n",
               reader_.info().name, texts_.size(), options_.table.table, options_.table.column,
               queries_.size(), relevant_);
    std::vector<std::string> header = {"search"};
    for (const Measure& measure : kMeasures) header.push_back(std::string(measure.name) + ">");
    if (HasWords()) header.emplace_back("nDCG@10 - bm25>");
    TextTable table(header);
    for (const System& system : systems_) {
      std::vector<std::string> cells = {system.name};
      for (const Measure& measure : kMeasures)
        cells.push_back(Percent(system.Mean(measure.figure)));
      if (HasWords()) cells.push_back(DifferenceText(system));
      table.AddRow(std::move(cells));
    }
    text += table.Text() + "percent";
    if (HasWords()) {
      text +=
          "; difference against bm25 with its 95 % interval; both: bm25 and model by their scores";
    }
    text += "\n";
    if (left_out_ > 0) {
      text += Counted(left_out_, "query has no relevant row and is left out\n",
                      "queries have no relevant row and are left out\n");
    }
    if (missing_ > 0) {
      text += Counted(missing_, "relevant row is not in the table and counts as not found\n",
                      "relevant rows are not in the table and count as not found\n");
    }
    if (!HasWords()) text += "bm25 and both were left out: this SQLite has no FTS5\n";
    return text;
  }

  // "-9.4 (-13.0 to -5.9)"
  std::string DifferenceText(const System& system) const {
    if (&system == &systems_[0]) return "-";
    const auto [mean, low, high] = Compare(system, systems_[0], &RankingScore::ndcg_at_10);
    return Format("%+.1f (%+.1f to %+.1f)", 100 * mean, 100 * low, 100 * high);
  }

  std::string Json() const {
    std::string lines;
    for (const System& system : systems_) {
      JsonObject line, intervals;
      line.Add("task", "search").Add("table", options_.table.table);
      line.Add("column", options_.table.column).Add("model", reader_.info().name);
      line.Add("search", system.name).Add("texts", texts_.size()).Add("queries", queries_.size());
      line.Add("left_out", left_out_).Add("relevant", relevant_).Add("missing", missing_);
      const bool compared = HasWords() && &system != &systems_[0];
      for (const Measure& measure : kMeasures) {
        line.Add(measure.json, system.Mean(measure.figure));
        if (!compared) continue;
        intervals.AddJson(measure.json,
                          JsonList(Compare(system, systems_[0], measure.figure), NumberText));
      }
      if (compared) line.AddJson("minus_bm25", intervals.Text());
      lines += line.Text() + "\n";
    }
    return lines;
  }

  sqlite3* db_;
  const EvalOptions& options_;
  StatusLine status_;
  ModelReader reader_;
  std::vector<std::string> texts_;                             // [rows]
  std::map<std::string, uint32_t> row_of_;                     // by id
  std::unordered_map<int64_t, uint32_t> row_of_rowid_;         // with --index
  std::vector<uint32_t> tie_order_;                            // [rows]
  std::vector<std::string> queries_;                           // those with a relevant row
  std::vector<size_t> different_words_;                        // [queries], with bm25
  std::vector<std::unordered_map<uint32_t, int64_t>> grades_;  // [queries]
  size_t left_out_ = 0, relevant_ = 0, missing_ = 0;
  std::vector<System> systems_;  // bm25 first, where there is one
};

}  // namespace

void EvalSearch(const EvalOptions& options) {
  const Database db(options.path, Database::kRead);
  Execute(db.get(), "BEGIN");  // one state of the table and of the model
  SearchTask(db.get(), options).Run();
}

}  // namespace s2v
