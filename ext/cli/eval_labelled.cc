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
//
// s2v eval transfer DB FILE.tsv... | TRAIN.tsv --test TEST.tsv  [--pairs] [--model NAME]
// [--encoders LIST] ...
//
// How much the vectors tell a simple classifier: logistic regression on labelled sentences, the
// vectors as they are (core/eval/transfer.h: the paper's protocol). With --pairs on labelled pairs,
// by |u - v| and u * v; then F1 too, of the label that comes last in the order of its bytes ("1" of
// "0" and "1").
#include <algorithm>
#include <map>
#include <thread>

#include "core/error.h"
#include "core/eval/transfer.h"
#include "ext/cli/database.h"
#include "ext/cli/eval.h"
#include "ext/cli/text.h"
#include "ext/correlation.h"
#include "sql/json.h"

namespace s2v {
namespace {

struct Cell {
  std::string column, text;
};

// Writes a table with a row for each encoder, or JSON lines. measure(&encoder, overlap, &status, &json)
// gives the cells behind the encoder's name and appends to json.
template <typename Measure>
void CompareEncoders(const EvalOptions& options, const std::vector<EncoderSpec>& specs,
                     const std::vector<EvalFile>& files, std::string notes,
                     const Measure& measure) {
  const Database db(options.path, Database::kRead);
  StatusLine status(!options.quiet);
  EncoderFactory factory(db.get(), options, &status);
  // Of the tables that encoders come from, each looked through once; what a foreign one comes from is
  // not known.
  std::vector<std::pair<std::optional<CorpusOrigin>, Overlap>> overlaps;
  std::vector<std::string_view> sentences;
  for (const EvalFile& file : files) {
    sentences.insert(sentences.end(), file.sentences.begin(), file.sentences.end());
  }
  std::optional<TextTable> table;
  std::string json;
  for (const EncoderSpec& spec : specs) {
    if (specs.size() > 1) status.Begin("measuring " + spec.name);
    SentenceEncoder& encoder = factory.Make(spec);
    std::optional<CorpusOrigin> origin;
    if (!spec.foreign()) origin = factory.Origin(spec);
    auto overlap = std::find_if(overlaps.begin(), overlaps.end(),
                                [&](const auto& known) { return origin && known.first == origin; });
    if (overlap == overlaps.end()) {
      overlaps.emplace_back(
          origin,
          origin ? FindOverlap(db.get(), *origin, files, &status)
                 : Overlap{"the training text of " + spec.name, "its command alone knows it", {}});
      overlap = std::prev(overlaps.end());
    }
    encoder.Prepare(sentences);
    std::vector<std::string> header = {"encoder"}, row = {spec.name};
    for (Cell& cell : measure(&encoder, overlap->second, &status, &json)) {
      header.push_back(cell.column + ">");
      row.push_back(std::move(cell.text));
    }
    if (!table) table.emplace(std::move(header));
    table->AddRow(std::move(row));
  }
  status.Clear();
  for (const auto& [origin, overlap] : overlaps) notes += OverlapText(overlap, files);
  WriteOutput(options.json ? json : table->Text() + notes);
}

struct Correlation {
  std::optional<double> pearson, spearman;
};

Correlation Correlate(const std::vector<double>& x, const std::vector<double>& y) {
  return {Pearson(x, y), Spearman(x, y)};
}

// The mean of the files' correlations by weights [files].
Correlation Mean(const std::vector<Correlation>& files, std::span<const double> weights) {
  Correlation mean;
  for (const auto figure : {&Correlation::pearson, &Correlation::spearman}) {
    double sum = 0, all = 0;
    bool defined = true;
    for (size_t i = 0; i < files.size(); i++) {
      defined = defined && files[i].*figure;
      sum += weights[i] * (files[i].*figure).value_or(0);
      all += weights[i];
    }
    if (defined) mean.*figure = sum / all;
  }
  return mean;
}

// One classification: a file by itself, or with one to be tested on.
struct Classification {
  std::vector<size_t> files;                // the training file, and perhaps the test file
  std::map<std::string, uint32_t> classes;  // by label, 0 ... in the order of the labels
};

Classification Classify(std::vector<size_t> of_task, const std::vector<EvalFile>& files) {
  Classification task;
  task.files = std::move(of_task);
  const EvalFile& train = files[task.files[0]];
  for (const std::string& label : train.heads) task.classes.emplace(label, 0);
  uint32_t next = 0;
  for (auto& [label, number] : task.classes) number = next++;
  const EvalFile& test = files[task.files.back()];
  for (size_t row = 0; row < test.rows(); row++) {
    if (task.classes.count(test.heads[row]) > 0) continue;
    throw std::runtime_error(AtLine(test, row) + "the label '" + test.heads[row] + "' is not in '" +
                             train.path + "'");
  }
  return task;
}

LabelledVectors Encode(const EvalFile& file, const Classification& task, SentenceEncoder* encoder,
                       uint64_t* unknown, StatusLine* status) {
  LabelledVectors data;
  data.classes = static_cast<uint32_t>(task.classes.size());
  data.dimension = encoder->dimension() * static_cast<uint32_t>(file.width);
  FeatureVector u, v;
  for (size_t row = 0; row < file.rows(); row++) {
    status->Show(encoder->name() + ": " + file.name);
    encoder->Encode(file.Sentence(row, 0), &u);
    bool known = !u.empty();
    if (file.width == 2) {
      encoder->Encode(file.Sentence(row, 1), &v);
      known = known && !v.empty();
      u = PairFeatures(u, v, encoder->dimension());
    }
    *unknown += !known;
    data.x.push_back(u);
    data.y.push_back(task.classes.at(file.heads[row]));
  }
  return data;
}

TransferScore MeasureTransfer(const std::vector<EvalFile>& files, const Classification& task,
                              uint32_t workers, SentenceEncoder* encoder, uint64_t* unknown,
                              StatusLine* status) {
  std::vector<LabelledVectors> data;
  for (const size_t file : task.files) {
    data.push_back(Encode(files[file], task, encoder, unknown, status));
  }
  status->Show(encoder->name() + ": " + files[task.files[0]].name + ", classifying");
  try {
    return data.size() == 1 ? CrossValidate(data[0], workers)
                            : TrainAndTest(data[0], data[1], workers);
  } catch (const InvalidArgument& error) {
    throw std::runtime_error(files[task.files[0]].path + ": " + error.what());
  }
}

std::vector<Classification> ReadClassifications(const EvalOptions& options,
                                                std::vector<EvalFile>* files) {
  const char* columns = options.pairs ? "label, sentence, sentence" : "label, sentence";
  for (const std::string& path : options.files) files->push_back(ReadEvalFile(path, columns));
  if (!options.test.empty()) {
    files->push_back(ReadEvalFile(options.test, columns));
    return {Classify({0, 1}, *files)};
  }
  std::vector<Classification> tasks;
  for (size_t i = 0; i < files->size(); i++) tasks.push_back(Classify({i}, *files));
  return tasks;
}

std::string TransferNotes(const EvalOptions& options) {
  return Format(
      "accuracy%s in percent%s; unknown: rows with a sentence without a known word\n%s",
      options.pairs ? "/F1" : "",
      options.test.empty()
          ? ": 10 folds, in each the strength of L2 chosen by 5 folds of its training part"
          : " on " + options.test + ": the strength of L2 chosen by 10 folds of the training file",
      options.pairs ? "F1 is of the last of the two labels (1 of 0 and 1)\n" : "");
}

}  // namespace

void EvalSimilarity(const EvalOptions& options) {
  const std::vector<EncoderSpec> specs = EncoderOptions(options);
  std::vector<EvalFile> files;
  std::vector<std::vector<double>> scores;
  std::vector<double> sizes, all_scores;
  for (const std::string& path : options.files) {
    files.push_back(ReadEvalFile(path, "score, sentence, sentence"));
    scores.push_back(ReadScores(files.back()));
    sizes.push_back(static_cast<double>(files.back().rows()));
    all_scores.insert(all_scores.end(), scores.back().begin(), scores.back().end());
  }
  std::string notes = "Pearson/Spearman x 100 of the cosine with the score";
  if (files.size() > 1) {
    notes +=
        "; mean: of the files (the paper), weighted: by their pairs, joined: over all pairs at "
        "once (MTEB)";
  }
  notes += "; unknown: pairs with a sentence without a known word, counted as cosine 0\n";
  const auto measure = [&](SentenceEncoder* encoder, const Overlap& overlap, StatusLine* status,
                           std::string* json) {
    std::vector<Cell> cells;
    const auto add = [&](const std::string& column, JsonObject line, const Correlation& figure) {
      line.Add("pearson", figure.pearson).Add("spearman", figure.spearman);
      *json += line.Text() + "\n";
      cells.push_back({column, Percent(figure.pearson) + "/" + Percent(figure.spearman)});
    };
    const JsonObject line = JsonObject().Add("task", "similarity").Add("encoder", encoder->name());
    std::vector<Correlation> figures;
    std::vector<double> all_cosines;
    uint64_t all_unknown = 0;
    FeatureVector a, b;
    for (size_t f = 0; f < files.size(); f++) {
      const EvalFile& file = files[f];
      std::vector<double> cosines;
      uint64_t unknown = 0;
      for (size_t row = 0; row < file.rows(); row++) {
        encoder->Encode(file.Sentence(row, 0), &a);
        encoder->Encode(file.Sentence(row, 1), &b);
        unknown += a.empty() || b.empty();
        cosines.push_back(Cosine(a, b));
        status->Show(encoder->name() + ": " + file.name);
      }
      figures.push_back(Correlate(cosines, scores[f]));
      add(file.name,
          JsonObject(line)
              .Add("file", file.name)
              .Add("pairs", file.rows())
              .Add("unknown", unknown)
              .Add("trained_on", overlap.Rows(f)),
          figures.back());
      all_unknown += unknown;
      all_cosines.insert(all_cosines.end(), cosines.begin(), cosines.end());
    }
    const auto average = [&](const char* name, const Correlation& figure) {
      add(name,
          JsonObject(line)
              .Add("average", name)
              .Add("pairs", all_scores.size())
              .Add("unknown", all_unknown),
          figure);
    };
    if (files.size() > 1) {
      average("mean", Mean(figures, std::vector<double>(files.size(), 1.0)));
      average("weighted", Mean(figures, sizes));
      average("joined", Correlate(all_cosines, all_scores));
    }
    cells.push_back({"unknown", std::to_string(all_unknown)});
    return cells;
  };
  CompareEncoders(options, specs, files, notes, measure);
}

void EvalTransfer(const EvalOptions& options) {
  if (!options.test.empty() && options.files.size() > 1) {
    throw UsageError("test: goes with one training file, not with " +
                     std::to_string(options.files.size()));
  }
  const std::vector<EncoderSpec> specs = EncoderOptions(options);
  std::vector<EvalFile> files;
  const std::vector<Classification> tasks = ReadClassifications(options, &files);
  Settings settings;
  options.parameters.Apply(&settings);
  const auto workers = static_cast<uint32_t>(WorkerCount(settings.config()));
  const auto measure = [&](SentenceEncoder* encoder, const Overlap& overlap, StatusLine* status,
                           std::string* json) {
    std::vector<Cell> cells;
    double sum = 0;
    uint64_t all_unknown = 0;
    for (const Classification& task : tasks) {
      uint64_t unknown = 0;
      const TransferScore score = MeasureTransfer(files, task, workers, encoder, &unknown, status);
      sum += score.accuracy;
      all_unknown += unknown;
      const EvalFile& file = files[task.files[0]];
      cells.push_back({file.name, Percent(score.accuracy)});
      JsonObject line;
      line.Add("task", "transfer").Add("encoder", encoder->name()).Add("file", file.name);
      line.Add("rows", file.rows()).Add("trained_on", overlap.Rows(task.files[0]));
      if (!options.test.empty()) {
        line.Add("test", files[1].name).Add("test_rows", files[1].rows());
        line.Add("test_trained_on", overlap.Rows(1));
      }
      line.Add("classes", task.classes.size()).Add("unknown", unknown);
      line.Add("accuracy", score.accuracy);
      if (options.pairs) {
        const bool two = task.classes.size() == 2;
        cells.back().text += "/" + (two ? Percent(score.f1) : "-");
        if (two) line.Add("f1", score.f1);
      }
      *json += line.Text() + "\n";
    }
    if (tasks.size() > 1) {
      cells.push_back({"mean", Percent(sum / static_cast<double>(tasks.size()))});
    }
    cells.push_back({"unknown", std::to_string(all_unknown)});
    return cells;
  };
  CompareEncoders(options, specs, files, TransferNotes(options), measure);
}

}  // namespace s2v
