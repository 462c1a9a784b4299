// s2v eval similarity DB FILE.tsv... [--model NAME] [--raw] [--encoders LIST] ...
//
// How well the cosine of two sentences agrees with people: Pearson's r and Spearman's rho with the
// gold score of each file, and over several files the three averages that are not the same:
//
//   mean       of the files' figures, each file counting alike (the paper)
//   weighted   of the files' figures by their number of pairs
//   joined     one correlation over all pairs (MTEB)
//
// A pair with a sentence of which an encoder knows nothing counts as cosine 0, and is counted as
// unknown.
#include "core/config.h"
#include "ext/correlation.h"
#include "ext/cli/database.h"
#include "ext/cli/eval.h"
#include "ext/cli/text.h"

namespace s2v {
namespace {

struct Correlation {
  std::optional<double> pearson, spearman;

  std::string Cell() const { return Percent(pearson) + "/" + Percent(spearman); }
  std::string Json() const {
    return "\"pearson\":" + JsonNumber(pearson) + ",\"spearman\":" + JsonNumber(spearman);
  }
};

Correlation Correlate(const std::vector<double>& x, const std::vector<double>& y) {
  return {Pearson(x, y), Spearman(x, y)};
}

struct Result {
  std::vector<Correlation> files;
  std::vector<uint64_t> unknown;  // [files] pairs
  Correlation mean, weighted, joined;
  uint64_t all_unknown = 0;
};

std::optional<double> Mean(const std::vector<Correlation>& files, std::span<const double> weights,
                           std::optional<double> Correlation::*figure) {
  double sum = 0, all = 0;
  for (size_t i = 0; i < files.size(); i++) {
    if (!(files[i].*figure)) return std::nullopt;
    sum += weights[i] * *(files[i].*figure);
    all += weights[i];
  }
  return sum / all;
}

Result Measure(SentenceEncoder* encoder, std::span<const EvalFile> files,
               const std::vector<std::vector<double>>& scores, StatusLine* status) {
  Result result;
  std::vector<double> all_cosines, all_scores, sizes;
  FeatureVector a, b;
  for (size_t f = 0; f < files.size(); f++) {
    std::vector<double> cosines;
    uint64_t unknown = 0;
    for (size_t row = 0; row < files[f].rows(); row++) {
      encoder->Encode(files[f].Sentence(row, 0), &a);
      encoder->Encode(files[f].Sentence(row, 1), &b);
      unknown += a.empty() || b.empty();
      cosines.push_back(Cosine(a, b));
      status->Show(encoder->name() + ": " + files[f].name);
    }
    result.files.push_back(Correlate(cosines, scores[f]));
    result.unknown.push_back(unknown);
    result.all_unknown += unknown;
    sizes.push_back(static_cast<double>(files[f].rows()));
    all_cosines.insert(all_cosines.end(), cosines.begin(), cosines.end());
    all_scores.insert(all_scores.end(), scores[f].begin(), scores[f].end());
  }
  const std::vector<double> alike(files.size(), 1.0);
  for (const auto figure : {&Correlation::pearson, &Correlation::spearman}) {
    result.mean.*figure = Mean(result.files, alike, figure);
    result.weighted.*figure = Mean(result.files, sizes, figure);
  }
  result.joined = Correlate(all_cosines, all_scores);
  return result;
}

std::string JsonLines(const std::string& encoder, const Result& result,
                      std::span<const EvalFile> files, const Overlap& overlap) {
  const std::string head = "{\"task\":\"similarity\",\"encoder\":" + JsonString(encoder);
  std::string lines;
  uint64_t pairs = 0;
  for (size_t f = 0; f < files.size(); f++) {
    pairs += files[f].rows();
    lines += head + ",\"file\":" + JsonString(files[f].name) +
             ",\"pairs\":" + std::to_string(files[f].rows()) +
             ",\"unknown\":" + std::to_string(result.unknown[f]) +
             ",\"trained_on\":" + JsonCount(overlap.Rows(f)) + "," + result.files[f].Json() + "}\n";
  }
  if (files.size() == 1) return lines;
  const auto average = [&](const char* name, const Correlation& figure) {
    lines += head + ",\"average\":\"" + name + "\",\"pairs\":" + std::to_string(pairs) +
             ",\"unknown\":" + std::to_string(result.all_unknown) + "," + figure.Json() + "}\n";
  };
  average("mean", result.mean);
  average("weighted", result.weighted);
  average("joined", result.joined);
  return lines;
}

}  // namespace

void EvalSimilarity(const EvalOptions& options) {
  const std::vector<EncoderSpec> specs = EncoderOptions(options);
  const EncoderRequest request{ModelOption(options.model), options.table, &options.parameters};
  std::vector<EvalFile> files;
  std::vector<std::vector<double>> scores;
  for (const std::string& path : options.files) {
    files.push_back(ReadEvalFile(path, "score, sentence, sentence"));
    scores.push_back(ReadScores(files.back()));
  }
  const Database db(options.path, Database::kRead);
  StatusLine status(!options.quiet);
  EncoderFactory factory(db.get(), request, &status);
  std::vector<size_t> table_of;
  const std::vector<Overlap> overlaps =
      FindOverlaps(db.get(), specs, &factory, files, &status, &table_of);

  const bool averages = files.size() > 1;
  std::vector<std::string> header = {"encoder"};
  for (const EvalFile& file : files) header.push_back(file.name + ">");
  if (averages) header.insert(header.end(), {"mean>", "weighted>", "joined>"});
  header.push_back("unknown>");
  TextTable table(header);
  std::string json;
  for (size_t e = 0; e < specs.size(); e++) {
    if (specs.size() > 1) status.Begin("measuring " + specs[e].name);
    SentenceEncoder& encoder = factory.Make(specs[e]);
    encoder.Prepare(AllSentences(files));
    const Result result = Measure(&encoder, files, scores, &status);
    json += JsonLines(specs[e].name, result, files, overlaps[table_of[e]]);
    std::vector<std::string> cells = {specs[e].name};
    for (const Correlation& figure : result.files) cells.push_back(figure.Cell());
    if (averages) {
      cells.insert(cells.end(), {result.mean.Cell(), result.weighted.Cell(), result.joined.Cell()});
    }
    cells.push_back(std::to_string(result.all_unknown));
    table.AddRow(std::move(cells));
  }
  status.Clear();
  if (options.json) {
    WriteOutput(json);
  } else {
    WriteOutput(table.Text());
    std::string notes = "Pearson/Spearman x 100 of the cosine with the score";
    if (averages) {
      notes +=
          "; mean: of the files (the paper), weighted: by their pairs, joined: over all pairs at "
          "once (MTEB)";
    }
    notes += "; unknown: pairs with a sentence without a known word, counted as cosine 0\n";
    for (const Overlap& overlap : overlaps) notes += OverlapText(overlap, files);
    WriteOutput(notes);
  }
}

}  // namespace s2v
