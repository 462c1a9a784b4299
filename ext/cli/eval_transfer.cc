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

#include "core/config.h"
#include "core/error.h"
#include "core/eval/transfer.h"
#include "ext/cli/database.h"
#include "ext/cli/eval.h"
#include "ext/cli/text.h"

namespace s2v {
namespace {

// One classification: a file by itself, or with one to be tested on.
struct Task {
  std::vector<size_t> files;                // the training file, and perhaps the test file
  std::map<std::string, uint32_t> classes;  // by label, 0 ... in the order of the labels
};

Task MakeTask(std::vector<size_t> of_task, const std::vector<EvalFile>& files) {
  Task task;
  task.files = std::move(of_task);
  const EvalFile& train = files[task.files[0]];
  for (const std::string& label : train.heads) task.classes.emplace(label, 0);
  uint32_t next = 0;
  for (auto& [label, number] : task.classes) number = next++;
  const EvalFile& test = files[task.files.back()];
  for (size_t row = 0; row < test.rows(); row++) {
    if (task.classes.count(test.heads[row]) > 0) continue;
    throw std::runtime_error(test.path + ", line " + std::to_string(row + 1) + ": the label '" +
                             test.heads[row] + "' is not in '" + train.path + "'");
  }
  return task;
}

LabelledVectors Encode(const EvalFile& file, const Task& task, SentenceEncoder* encoder,
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

struct Result {
  TransferScore score;
  uint64_t unknown = 0;  // rows
};

Result Measure(const std::vector<EvalFile>& files, const Task& task, uint32_t workers,
               SentenceEncoder* encoder, StatusLine* status) {
  Result result;
  std::vector<LabelledVectors> data;
  for (const size_t file : task.files) {
    data.push_back(Encode(files[file], task, encoder, &result.unknown, status));
  }
  status->Show(encoder->name() + ": " + files[task.files[0]].name + ", classifying");
  try {
    result.score = data.size() == 1 ? CrossValidate(data[0], workers)
                                    : TrainAndTest(data[0], data[1], workers);
  } catch (const InvalidArgument& error) {
    throw std::runtime_error(files[task.files[0]].path + ": " + error.what());
  }
  return result;
}

std::string JsonLine(const std::string& encoder, const std::vector<EvalFile>& files,
                     const Task& task, const Overlap& overlap, const Result& result, bool pairs) {
  const EvalFile& file = files[task.files[0]];
  std::string line = "{\"task\":\"transfer\",\"encoder\":" + JsonString(encoder) +
                     ",\"file\":" + JsonString(file.name) +
                     ",\"rows\":" + std::to_string(file.rows()) +
                     ",\"trained_on\":" + JsonCount(overlap.Rows(task.files[0]));
  if (task.files.size() > 1) {
    const EvalFile& test = files[task.files[1]];
    line += ",\"test\":" + JsonString(test.name) + ",\"test_rows\":" + std::to_string(test.rows()) +
            ",\"test_trained_on\":" + JsonCount(overlap.Rows(task.files[1]));
  }
  line += ",\"classes\":" + std::to_string(task.classes.size()) +
          ",\"unknown\":" + std::to_string(result.unknown) +
          ",\"accuracy\":" + NumberText(result.score.accuracy);
  if (pairs && task.classes.size() == 2) line += ",\"f1\":" + NumberText(result.score.f1);
  return line + "}\n";
}

std::vector<Task> MakeTasks(const EvalOptions& options, std::vector<EvalFile>* files) {
  const char* columns = options.pairs ? "label, sentence, sentence" : "label, sentence";
  for (const std::string& path : options.files) files->push_back(ReadEvalFile(path, columns));
  if (!options.test.empty()) {
    files->push_back(ReadEvalFile(options.test, columns));
    return {MakeTask({0, 1}, *files)};
  }
  std::vector<Task> tasks;
  for (size_t i = 0; i < files->size(); i++) tasks.push_back(MakeTask({i}, *files));
  return tasks;
}

std::string Notes(const EvalOptions& options) {
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

void EvalTransfer(const EvalOptions& options) {
  if (!options.test.empty() && options.files.size() > 1) {
    throw UsageError("test: goes with one training file, not with " +
                     std::to_string(options.files.size()));
  }
  const std::vector<EncoderSpec> specs = EncoderOptions(options);
  const EncoderRequest request{ModelOption(options.model), options.table, &options.parameters};
  std::vector<EvalFile> files;
  const std::vector<Task> tasks = MakeTasks(options, &files);
  Settings settings;
  options.parameters.Apply(&settings);
  const Config& config = settings.config();
  const uint32_t workers = config.workers > 0 ? static_cast<uint32_t>(config.workers)
                                              : std::max(1u, std::thread::hardware_concurrency());
  const Database db(options.path, Database::kRead);
  StatusLine status(!options.quiet);
  EncoderFactory factory(db.get(), request, &status);
  std::vector<size_t> table_of;
  const std::vector<Overlap> overlaps =
      FindOverlaps(db.get(), specs, &factory, files, &status, &table_of);

  std::vector<std::string> header = {"encoder"};
  for (const Task& task : tasks) header.push_back(files[task.files[0]].name + ">");
  if (tasks.size() > 1) header.push_back("mean>");
  header.push_back("unknown>");
  TextTable table(header);
  std::string json;
  for (size_t e = 0; e < specs.size(); e++) {
    if (specs.size() > 1) status.Begin("measuring " + specs[e].name);
    SentenceEncoder& encoder = factory.Make(specs[e]);
    encoder.Prepare(AllSentences(files));
    std::vector<std::string> cells = {specs[e].name};
    double sum = 0;
    uint64_t unknown = 0;
    for (const Task& task : tasks) {
      const Result result = Measure(files, task, workers, &encoder, &status);
      json += JsonLine(specs[e].name, files, task, overlaps[table_of[e]], result, options.pairs);
      sum += result.score.accuracy;
      unknown += result.unknown;
      cells.push_back(Percent(result.score.accuracy));
      if (!options.pairs) continue;
      cells.back() += "/" + (task.classes.size() == 2 ? Percent(result.score.f1) : "-");
    }
    if (tasks.size() > 1) cells.push_back(Percent(sum / static_cast<double>(tasks.size())));
    cells.push_back(std::to_string(unknown));
    table.AddRow(std::move(cells));
  }
  status.Clear();
  if (options.json) {
    WriteOutput(json);
  } else {
    std::string notes = Notes(options);
    for (const Overlap& overlap : overlaps) notes += OverlapText(overlap, files);
    WriteOutput(table.Text() + notes);
  }
}

}  // namespace s2v
