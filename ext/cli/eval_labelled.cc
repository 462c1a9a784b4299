// s2v eval similarity: how well the cosine of two sentences agrees with people: Pearson's r and
// Spearman's rho with the gold score of each file, and over several files the three averages that
// are not the same:
//
//   mean       of the files' figures, each file counting alike (the paper)
//   weighted   of the files' figures by their number of pairs
//   joined     one correlation over all pairs (MTEB)
//
// A pair with a sentence of which an encoder knows nothing counts as cosine 0, and as unknown.
//
// s2v eval transfer: how much the vectors tell a simple classifier: logistic regression on labelled
// sentences, the vectors as they are (core/eval/transfer.h: the paper's protocol). With --pairs on
// labelled pairs, by |u - v| and u * v; then F1 too, of the label that comes last in the order of
// its bytes ("1" of "0" and "1").
#include <functional>
#include <map>

#include "core/error.h"
#include "core/eval/transfer.h"
#include "ext/cli/database.h"
#include "ext/cli/eval.h"
#include "ext/cli/text.h"
#include "ext/correlation.h"
#include "sql/json.h"

namespace s2v {
namespace {

// The rows of a file as an encoder has them.
struct EncodedFile {
  std::vector<FeatureVector> vectors;  // [rows, width]
  uint64_t unknown = 0;                // rows with an empty one
};

// What is measured of an encoder: a row of the table, JSON lines.
struct EncoderResult {
  const EncoderSpec& spec;
  uint32_t dimension;
  std::vector<EncodedFile> files;
  const Overlap& overlap;
  StatusLine* status;
  std::vector<std::string> header = {"encoder"}, cells = {spec.name};
  std::string json = {};

  void Add(const std::string& column, const std::string& cell, const JsonObject* line = nullptr) {
    header.push_back(column + ">");
    cells.push_back(cell);
    if (line != nullptr) json += line->Text() + "\n";
  }
};

EncodedFile Encode(const EvalFile& file, SentenceEncoder* encoder, StatusLine* status) {
  EncodedFile encoded;
  encoded.vectors.resize(file.sentences.size());
  for (size_t row = 0; row < file.rows(); row++) {
    status->Show(encoder->name() + ": " + file.name);
    bool known = true;
    for (size_t at = row * file.width; at < (row + 1) * file.width; at++) {
      encoder->Encode(file.sentences[at], &encoded.vectors[at]);
      known = known && !encoded.vectors[at].empty();
    }
    encoded.unknown += !known;
  }
  return encoded;
}

// Writes a table with a row for each encoder, or JSON lines: what measure(&result) adds.
void CompareEncoders(const EvalOptions& options, const std::vector<EncoderSpec>& specs,
                     const std::vector<EvalFile>& files, std::string notes,
                     const std::function<void(EncoderResult*)>& measure) {
  const Database db(options.path, Database::kRead);
  StatusLine status(!options.quiet);
  EncoderFactory factory(db.get(), options, &status);
  std::vector<std::string_view> sentences;
  for (const EvalFile& file : files) {
    sentences.insert(sentences.end(), file.sentences.begin(), file.sentences.end());
  }
  std::optional<CorpusOrigin> looked_through;  // for overlap
  Overlap overlap;
  std::optional<TextTable> table;
  std::string json;
  for (const EncoderSpec& spec : specs) {
    if (specs.size() > 1) status.Begin("measuring " + spec.name);
    SentenceEncoder& encoder = factory.Make(spec);
    if (spec.foreign()) {
      overlap = {"the training text of " + spec.name, "its command alone knows it", {}};
      looked_through.reset();
    } else if (const CorpusOrigin origin = factory.Origin(spec); origin != looked_through) {
      overlap = FindOverlap(db.get(), origin, files, &status);
      looked_through = origin;
    }
    const std::string note = OverlapText(overlap, files);
    if (notes.find(note) == notes.npos) notes += note;
    encoder.Prepare(sentences);
    std::vector<EncodedFile> encoded;
    uint64_t unknown = 0;
    for (const EvalFile& file : files) {
      encoded.push_back(Encode(file, &encoder, &status));
      unknown += encoded.back().unknown;
    }
    EncoderResult result{spec, encoder.dimension(), std::move(encoded), overlap, &status};
    measure(&result);
    result.Add("unknown", std::to_string(unknown));
    if (!table) table.emplace(std::move(result.header));
    table->AddRow(std::move(result.cells));
    json += result.json;
  }
  status.Clear();
  WriteOutput(options.json ? json : Printable(table->Text() + notes));
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
  size_t train, test;                       // files; the same one: by folds
  std::map<std::string, uint32_t> classes;  // by label, 0 ... in the order of the labels
};

Classification Classify(size_t train, size_t test, const std::vector<EvalFile>& files) {
  Classification task{train, test, {}};
  for (const std::string& label : files[train].heads) task.classes.emplace(label, 0);
  uint32_t next = 0;
  for (auto& [label, number] : task.classes) number = next++;
  for (size_t row = 0; row < files[test].rows(); row++) {
    const std::string& label = files[test].heads[row];
    if (task.classes.count(label) > 0) continue;
    throw std::runtime_error(files[test].At(row) + "the label '" + label + "' is not in '" +
                             files[train].path + "'");
  }
  return task;
}

LabelledVectors Label(const EvalFile& file, const Classification& task, EncodedFile* encoded,
                      uint32_t dimension) {
  LabelledVectors data;
  data.classes = static_cast<uint32_t>(task.classes.size());
  data.dimension = dimension * static_cast<uint32_t>(file.width);
  auto& vectors = encoded->vectors;
  for (size_t row = 0; row < file.rows(); row++) {
    data.x.push_back(file.width == 1
                         ? std::move(vectors[row])
                         : PairFeatures(vectors[2 * row], vectors[2 * row + 1], dimension));
    data.y.push_back(task.classes.at(file.heads[row]));
  }
  return data;
}

TransferScore MeasureTransfer(const std::vector<EvalFile>& files, const Classification& task,
                              uint32_t workers, EncoderResult* result) {
  const auto data = [&](size_t file) {
    return Label(files[file], task, &result->files[file], result->dimension);
  };
  const EvalFile& train = files[task.train];
  result->status->Show(result->spec.name + ": " + train.name + ", classifying");
  try {
    return task.train == task.test ? CrossValidate(data(task.train), workers)
                                   : TrainAndTest(data(task.train), data(task.test), workers);
  } catch (const InvalidArgument& error) {
    throw std::runtime_error(train.path + ": " + error.what());
  }
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
  CompareEncoders(options, specs, files, notes, [&](EncoderResult* result) {
    const auto add = [&](const char* kind, const std::string& name, size_t pairs, uint64_t unknown,
                         const Correlation& figure, std::optional<size_t> file = std::nullopt) {
      JsonObject line;
      line.Add("task", "similarity").Add("encoder", result->spec.name).Add(kind, name);
      line.Add("pairs", pairs).Add("unknown", unknown);
      if (file) line.Add("trained_on", result->overlap.Rows(*file));
      line.Add("pearson", figure.pearson).Add("spearman", figure.spearman);
      result->Add(name, Percent(figure.pearson) + "/" + Percent(figure.spearman), &line);
    };
    std::vector<Correlation> figures;
    std::vector<double> all_cosines;
    uint64_t all_unknown = 0;
    for (size_t f = 0; f < files.size(); f++) {
      const auto& [vectors, unknown] = result->files[f];
      std::vector<double> cosines;
      for (size_t i = 0; i < vectors.size(); i += 2) {
        cosines.push_back(Cosine(vectors[i], vectors[i + 1]));
      }
      figures.push_back(Correlate(cosines, scores[f]));
      add("file", files[f].name, cosines.size(), unknown, figures.back(), f);
      all_unknown += unknown;
      all_cosines.insert(all_cosines.end(), cosines.begin(), cosines.end());
    }
    if (files.size() == 1) return;
    const std::vector<double> alike(files.size(), 1.0);
    for (const auto& [name, figure] :
         {std::pair("mean", Mean(figures, alike)), std::pair("weighted", Mean(figures, sizes)),
          std::pair("joined", Correlate(all_cosines, all_scores))}) {
      add("average", name, all_scores.size(), all_unknown, figure);
    }
  });
}

void EvalTransfer(const EvalOptions& options) {
  if (!options.test.empty() && options.files.size() > 1) {
    throw UsageError("test: goes with one training file, not with " +
                     std::to_string(options.files.size()));
  }
  const std::vector<EncoderSpec> specs = EncoderOptions(options);
  std::vector<std::string> paths = options.files;
  if (!options.test.empty()) paths.push_back(options.test);
  std::vector<EvalFile> files;
  for (const std::string& path : paths) {
    files.push_back(
        ReadEvalFile(path, options.pairs ? "label, sentence, sentence" : "label, sentence"));
  }
  std::vector<Classification> tasks;
  for (size_t i = 0; i < options.files.size(); i++) {
    tasks.push_back(Classify(i, options.test.empty() ? i : 1, files));
  }
  Settings settings;
  options.parameters.Apply(&settings);
  const auto workers = static_cast<uint32_t>(WorkerCount(settings.config()));
  CompareEncoders(options, specs, files, TransferNotes(options), [&](EncoderResult* result) {
    double sum = 0;
    for (const Classification& task : tasks) {
      const TransferScore score = MeasureTransfer(files, task, workers, result);
      const EvalFile &train = files[task.train], &test = files[task.test];
      uint64_t unknown = result->files[task.train].unknown;
      JsonObject line;
      line.Add("task", "transfer").Add("encoder", result->spec.name).Add("file", train.name);
      line.Add("rows", train.rows()).Add("trained_on", result->overlap.Rows(task.train));
      if (&test != &train) {
        line.Add("test", test.name).Add("test_rows", test.rows());
        line.Add("test_trained_on", result->overlap.Rows(task.test));
        unknown += result->files[task.test].unknown;
      }
      line.Add("classes", task.classes.size()).Add("unknown", unknown);
      line.Add("accuracy", score.accuracy);
      std::string cell = Percent(score.accuracy);
      if (options.pairs) {
        const bool two = task.classes.size() == 2;
        cell += "/" + (two ? Percent(score.f1) : "-");
        if (two) line.Add("f1", score.f1);
      }
      result->Add(train.name, cell, &line);
      sum += score.accuracy;
    }
    if (tasks.size() > 1) result->Add("mean", Percent(sum / static_cast<double>(tasks.size())));
  });
}

}  // namespace s2v
