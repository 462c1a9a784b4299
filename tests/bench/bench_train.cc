// Training speed, alone or beside the reference program.
//
// Both get the same lines, tokenized once, and read them from memory or from a file in the page
// cache. Only training is timed: not counting words, nor filling the matrices, nor storing. A word
// is a known one; the rate is for one thread.
//
// With --end-to-end the whole is timed instead, in seconds: from a table of the lines in a database
// on disk to the stored model, which cuts them with the default tokenizer, beside the program's
// whole run from the text file to its model file.
#include <sys/wait.h>

#include <cstdio>
#include <fstream>

#include "core/text/utf8.h"
#include "core/train/trainer.h"
#include "sql/train_table.h"
#include "tests/bench/bench.h"
#include "tests/bench/database.h"

namespace s2v::bench {
namespace {

double OurRate(Config config, const std::vector<std::string>& lines) {
  config.tokenizer = "whitespace";
  CorpusBuilder builder(config);
  for (const std::string& line : lines) builder.Add(line);
  Corpus corpus = builder.Finish();
  const uint64_t known = corpus.known_tokens;
  // From the last look, ten a second, at which no sentence had been taken: what fills the matrices
  // before is not counted for the reference program either.
  double start = Seconds();
  const Model model = s2v::Train(config, std::move(corpus), [&](const Progress& progress) {
    if (progress.fraction == 0) start = Seconds();
    return true;
  });
  const double seconds = Seconds() - start;
  return static_cast<double>(known * static_cast<uint64_t>(config.epochs)) / seconds /
         static_cast<double>(config.workers);
}

double OurSeconds(const Config& config, const std::vector<std::string>& lines) {
  const std::string path = TemporaryFolder() + "/end_to_end.db";
  Database db(path);
  Fill(db.get(), "docs", lines);
  TrainRequest request;
  request.table = "docs";
  request.column = "body";
  request.settings = Settings(config);
  const double start = Seconds();
  TrainTable(db.get(), request, [](const TrainProgress&) { return true; });
  const double seconds = Seconds() - start;
  std::remove(path.c_str());
  return seconds;
}

// The rate that the reference program prints last; into *seconds how long all of it takes.
double ReferenceRate(const Options& options, const std::string& text, int64_t dimension,
                     double* seconds) {
  const Config& c = options.config;
  const std::string model = TemporaryFolder() + "/reference";
  const std::string command =
      "'" + options.reference + "' sent2vec -input '" + text + "' -output '" + model + "' -dim " +
      std::to_string(dimension) + " -minCount " + std::to_string(c.min_count) + " -minCountLabel " +
      std::to_string(c.min_target_count) + " -epoch " + std::to_string(c.epochs) + " -lr " +
      NumberText(c.learning_rate) + " -t " + NumberText(c.subsampling_threshold) + " -wordNgrams " +
      std::to_string(c.ngram_order) + " -dropoutK " + std::to_string(c.ngram_dropout) + " -neg " +
      std::to_string(c.negatives) + " -bucket " + std::to_string(kBucketCount) +
      " -loss ns -thread " + std::to_string(c.workers) + " 2>&1";
  const double start = Seconds();
  FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) throw std::runtime_error("cannot run " + options.reference);
  std::string output;
  char buffer[4096];
  while (const size_t n = fread(buffer, 1, sizeof(buffer), pipe)) output.append(buffer, n);
  const int status = pclose(pipe);
  *seconds = Seconds() - start;
  const size_t at = output.rfind("words/sec/thread:");
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0 || at == std::string::npos) {
    throw std::runtime_error("the reference program failed: " + output.substr(0, 400));
  }
  std::remove((model + ".bin").c_str());
  return std::stod(output.substr(at + 17));
}

std::vector<std::string> Recut(const std::vector<std::string>& lines, int64_t row_words) {
  std::vector<std::string> rows(1);
  int64_t words = 0;
  for (const std::string& line : lines) {
    for (const std::string_view word : SplitAt(line, ' ')) {
      if (words++ > 0) rows.back() += ' ';
      rows.back() += word;
      if (words == row_words) {
        rows.emplace_back();
        words = 0;
      }
    }
  }
  return rows;
}

void Compare(const Options& options, const std::vector<std::string>& lines,
             const std::string& rows) {
  const std::string text = TemporaryFolder() + "/corpus.txt";
  if (!options.reference.empty()) {
    std::ofstream out(text);
    for (const std::string& line : lines) out << line << '\n';
  }
  for (const int64_t dimension : options.dimensions) {
    Config config = options.config;
    config.dimension = dimension;
    if (config.workers == 0) config.workers = 2;
    std::vector<double> ours, theirs, ratios;
    for (int64_t run = 0; run < options.runs; run++) {  // in turn, so that both meet the same noise
      ours.push_back(options.end_to_end ? OurSeconds(config, lines) : OurRate(config, lines));
      if (options.reference.empty()) continue;
      double seconds = 0;
      const double rate = ReferenceRate(options, text, dimension, &seconds);
      theirs.push_back(options.end_to_end ? seconds : rate);
      ratios.push_back(options.end_to_end ? theirs.back() / ours.back()
                                          : ours.back() / theirs.back());
    }
    const char* unit = options.end_to_end ? "s" : "words/s/thread";
    const std::string what = "dimension " + std::to_string(dimension) + rows;
    Report(options, "train", what + " s2v", ours, unit);
    if (options.reference.empty()) continue;
    Report(options, "train", what + " reference", theirs, unit);
    Report(options, "train", what + " ratio", ratios, "x");
  }
}

}  // namespace

void Train(const Options& options) {
  const std::vector<std::string> lines = TokenizedLines(options);
  std::printf("train    %zu lines of %s; %s\n", lines.size(), options.corpus.c_str(),
              ConfigJson(options.config).c_str());
  if (options.row_words.empty()) Compare(options, lines, "");
  for (const int64_t row_words : options.row_words) {
    Compare(options, Recut(lines, row_words), ", rows of " + std::to_string(row_words) + " words");
  }
}

}  // namespace s2v::bench
