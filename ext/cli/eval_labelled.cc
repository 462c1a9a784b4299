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

using Cells = std::vector<std::string>;

// Writes a table with a row for each encoder, or JSON lines. measure(encoder, overlap, &status, &json)
// gives the cells behind the encoder's name and appends to json.
template <typename Measure>
void CompareEncoders(const EvalOptions& options, const std::vector<EncoderSpec>& specs,
                     const std::vector<EvalFile>& files, const Cells& header, std::string notes,
                     const Measure& measure) {
  const EncoderRequest request{ModelOption(options.model), options.table, &options.parameters};
  const Database db(options.path, Database::kRead);
  StatusLine status(!options.quiet);
  EncoderFactory factory(db.get(), request, &status);
  std::vector<size_t> table_of;
  const std::vector<Overlap> overlaps =
      FindOverlaps(db.get(), specs, &factory, files, &status, &table_of);
  TextTable table(header);
  std::string json;
  for (size_t e = 0; e < specs.size(); e++) {
    if (specs.size() > 1) status.Begin("measuring " + specs[e].name);
    SentenceEncoder& encoder = factory.Make(specs[e]);
    encoder.Prepare(AllSentences(files));
    Cells cells = measure(&encoder, overlaps[table_of[e]], &status, &json);
    cells.insert(cells.begin(), specs[e].name);
    table.AddRow(std::move(cells));
  }
  status.Clear();
  for (const Overlap& overlap : overlaps) notes += OverlapText(overlap, files);
  WriteOutput(options.json ? json : table.Text() + notes);
}

struct Correlation {
  std::optional<double> pearson, spearman;

  std::string Cell() const { return Percent(pearson) + "/" + Percent(spearman); }
};

Correlation Correlate(const std::vector<double>& x, const std::vector<double>& y) {
  return {Pearson(x, y), Spearman(x, y)};
}

struct Agreement {
  std::vector<Correlation> files;
  std::vector<uint64_t> unknown;  // [files] pairs
  uint64_t all_unknown = 0;
  std::vector<std::pair<const char*, Correlation>> averages;  // of several files
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

Agreement MeasureAgreement(SentenceEncoder* encoder, std::span<const EvalFile> files,
                           const std::vector<std::vector<double>>& scores, StatusLine* status) {
  Agreement result;
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
  if (files.size() == 1) return result;
  const auto mean = [&](std::span<const double> weights) {
    return Correlation{Mean(result.files, weights, &Correlation::pearson),
                       Mean(result.files, weights, &Correlation::spearman)};
  };
  result.averages = {{"mean", mean(std::vector<double>(files.size(), 1.0))},
                     {"weighted", mean(sizes)},
                     {"joined", Correlate(all_cosines, all_scores)}};
  return result;
}

std::string AgreementJson(const std::string& encoder, const Agreement& result,
                          std::span<const EvalFile> files, const Overlap& overlap) {
  std::string lines;
  uint64_t pairs = 0;
  const auto object = [&] {
    return JsonObject().Add("task", "similarity").Add("encoder", encoder);
  };
  const auto end = [&](JsonObject line, const Correlation& figure) {
    line.Add("pearson", figure.pearson).Add("spearman", figure.spearman);
    lines += line.Text() + "\n";
  };
  for (size_t f = 0; f < files.size(); f++) {
    pairs += files[f].rows();
    end(object()
            .Add("file", files[f].name)
            .Add("pairs", files[f].rows())
            .Add("unknown", result.unknown[f])
            .Add("trained_on", overlap.Rows(f)),
        result.files[f]);
  }
  for (const auto& [name, figure] : result.averages) {
    end(object().Add("average", name).Add("pairs", pairs).Add("unknown", result.all_unknown),
        figure);
  }
  return lines;
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

std::string TransferJson(const std::string& encoder, const std::vector<EvalFile>& files,
                         const Classification& task, const Overlap& overlap,
                         const TransferScore& score, uint64_t unknown, bool pairs) {
  const EvalFile& file = files[task.files[0]];
  JsonObject line;
  line.Add("task", "transfer").Add("encoder", encoder).Add("file", file.name);
  line.Add("rows", file.rows()).Add("trained_on", overlap.Rows(task.files[0]));
  if (task.files.size() > 1) {
    const EvalFile& test = files[task.files[1]];
    line.Add("test", test.name).Add("test_rows", test.rows());
    line.Add("test_trained_on", overlap.Rows(task.files[1]));
  }
  line.Add("classes", task.classes.size()).Add("unknown", unknown);
  line.Add("accuracy", score.accuracy);
  if (pairs && task.classes.size() == 2) line.Add("f1", score.f1);
  return line.Text() + "\n";
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
  std::string notes = options.pairs ? "accuracy/F1 in percent" : "accuracy in percent";
  notes +=
      options.test.empty()
          ? ": 10 folds, in each the strength of L2 chosen by 5 folds of its training part"
          : " on " + options.test + ": the strength of L2 chosen by 10 folds of the training file";
  notes += "; unknown: rows with a sentence without a known word\n";
  if (options.pairs) notes += "F1 is of the last of the two labels (1 of 0 and 1)\n";
  return notes;
}

}  // namespace

void EvalSimilarity(const EvalOptions& options) {
  const std::vector<EncoderSpec> specs = EncoderOptions(options);
  std::vector<EvalFile> files;
  std::vector<std::vector<double>> scores;
  Cells header = {"encoder"};
  for (const std::string& path : options.files) {
    files.push_back(ReadEvalFile(path, "score, sentence, sentence"));
    scores.push_back(ReadScores(files.back()));
    header.push_back(files.back().name + ">");
  }
  std::string notes = "Pearson/Spearman x 100 of the cosine with the score";
  if (files.size() > 1) {
    header.insert(header.end(), {"mean>", "weighted>", "joined>"});
    notes +=
        "; mean: of the files (the paper), weighted: by their pairs, joined: over all pairs at "
        "once (MTEB)";
  }
  header.push_back("unknown>");
  notes += "; unknown: pairs with a sentence without a known word, counted as cosine 0\n";
  CompareEncoders(
      options, specs, files, header, notes,
      [&](SentenceEncoder* encoder, const Overlap& overlap, StatusLine* status, std::string* json) {
        const Agreement result = MeasureAgreement(encoder, files, scores, status);
        *json += AgreementJson(encoder->name(), result, files, overlap);
        Cells cells;
        for (const Correlation& figure : result.files) cells.push_back(figure.Cell());
        for (const auto& [name, figure] : result.averages) cells.push_back(figure.Cell());
        cells.push_back(std::to_string(result.all_unknown));
        return cells;
      });
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
  Cells header = {"encoder"};
  for (const Classification& task : tasks) header.push_back(files[task.files[0]].name + ">");
  if (tasks.size() > 1) header.push_back("mean>");
  header.push_back("unknown>");
  CompareEncoders(
      options, specs, files, header, TransferNotes(options),
      [&](SentenceEncoder* encoder, const Overlap& overlap, StatusLine* status, std::string* json) {
        Cells cells;
        double sum = 0;
        uint64_t all_unknown = 0;
        for (const Classification& task : tasks) {
          uint64_t unknown = 0;
          const TransferScore score =
              MeasureTransfer(files, task, workers, encoder, &unknown, status);
          *json +=
              TransferJson(encoder->name(), files, task, overlap, score, unknown, options.pairs);
          sum += score.accuracy;
          all_unknown += unknown;
          cells.push_back(Percent(score.accuracy));
          if (!options.pairs) continue;
          cells.back() += "/" + (task.classes.size() == 2 ? Percent(score.f1) : "-");
        }
        if (tasks.size() > 1) cells.push_back(Percent(sum / static_cast<double>(tasks.size())));
        cells.push_back(std::to_string(all_unknown));
        return cells;
      });
}

}  // namespace s2v
