// The page of `s2v report`: pure functions from data to HTML and SVG. One file, no script, nothing
// from a network; light and dark by the reader's settings, light on paper.
//
// Texts are UTF-8 as they stand in the database; everything is escaped here.
//
// What `s2v report` tells about the vectors of a stored model.
#ifndef S2V_EXT_CLI_REPORT_H_
#define S2V_EXT_CLI_REPORT_H_

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ext/cli/retrieval.h"
#include "sql/model_store.h"

namespace s2v {

struct WordPoint {
  std::string word;
  double log_frequency = 0;  // to base 10
  double norm = 0;
};

struct MapPoint {
  std::string word;
  double x = 0, y = 0;
};

struct Neighbours {
  struct Neighbour {
    std::string text;
    double cosine = 0;
    std::string label = {};  // of a row: "rowid 7"
  };
  std::string text, label;  // label: a word's count, a row's rowid; "" where it has none
  bool of_rows = false;
  std::vector<Neighbour> neighbours;  // nearest first
};

struct ReportData {
  std::string model, warning;  // warning: "", or why little is to be expected of it
  std::vector<std::pair<std::string, std::string>> facts, parameters;
  std::vector<double> losses;  // [epochs]
  int64_t words = 0;           // of the model; points are a sample of them
  std::vector<WordPoint> points;
  std::vector<MapPoint> map;
  double map_share = 0;  // of the variance that the two axes carry, 0 to 1
  std::vector<Neighbours> word_neighbours, row_neighbours;
  std::string table;          // "docs.body"
  std::string table_problem;  // why there is nothing about the table, "" where there is
  size_t queries = 0;
  std::string overlap;  // how much of the sample was trained on
  std::vector<RetrievalOutcome> outcomes;
};

// & < > " ' as entities; control characters other than white space as U+FFFD.
std::string EscapeHtml(std::string_view text);

// report_charts.cc. Each an <svg> element. Points that are not finite are left out.
std::string LossChart(const std::vector<double>& losses);         // a line, a circle an epoch
std::string NormChart(const std::vector<WordPoint>& points);      // a circle a word
std::string WordMap(const std::vector<MapPoint>& points);         // a text a word
std::string RetrievalBars(const std::vector<RetrievalOutcome>&);  // three bars an encoder

std::string ReportHtml(const ReportData& data);

// Fills words, points, map, map_share and word_neighbours. Reads the model's words twice, holding a
// few hundred vectors at a time. REQUIRES: as ForEachWord.
void ReadWordVectors(sqlite3* db, const ModelInfo& info, const simd::Kernels& kernels,
                     ReportData* data);

// Five of the texts, evenly from their list, each with the texts nearest to it. Equal texts are
// one; those without a known word are passed over.
std::vector<Neighbours> NearestRows(std::span<const std::string> texts, Embedder* embedder,
                                    const simd::Kernels& kernels);

// Gives each the rowid of the first row with its text, where the table has rowids, and makes long
// texts short. Reads the table once.
void LabelRows(sqlite3* db, const CorpusOrigin& origin, std::vector<Neighbours>* rows);

}  // namespace s2v

#endif  // S2V_EXT_CLI_REPORT_H_
