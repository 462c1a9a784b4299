// Training speed, alone or beside the reference program.
//
// Both get the same lines, tokenized once, and read them from memory or from a file in the page
// cache. Only training is timed: not counting words, nor filling the matrices, nor storing. A word
// is a known one; the rate is for one thread.
#include <sys/wait.h>

#include <cstdio>
#include <fstream>

#include "core/train/trainer.h"
#include "tests/bench/bench.h"

namespace s2v::bench {
namespace {

double OurRate(Config config, const std::vector<std::string>& lines, uint64_t* words) {
  config.tokenizer = "whitespace";
  CorpusBuilder builder(config);
  for (const std::string& line : lines) builder.Add(line);
  Corpus corpus = builder.Finish();
  const uint64_t known = corpus.known_tokens;
  *words = known;
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

// The rate that the reference program prints last.
double ReferenceRate(const Options& options, const std::string& text, int64_t dimension) {
  const Config& c = options.config;
  const std::string model = TemporaryFolder() + "/reference";
  const std::string command =
      "'" + options.reference + "' sent2vec -input '" + text + "' -output '" + model + "' -dim " +
      std::to_string(dimension) + " -minCount " + std::to_string(c.min_count) + " -minCountLabel " +
      std::to_string(c.min_target_count) + " -epoch " + std::to_string(c.epochs) + " -lr " +
      NumberText(c.learning_rate) + " -t " + NumberText(c.subsampling_threshold) + " -wordNgrams " +
      std::to_string(c.ngram_order) + " -dropoutK " + std::to_string(c.ngram_dropout) + " -neg " +
      std::to_string(c.negatives) + " -bucket " + std::to_string(c.bucket_count) +
      " -loss ns -thread " + std::to_string(c.workers) + " 2>&1";
  FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) throw std::runtime_error("cannot run " + options.reference);
  std::string output;
  char buffer[4096];
  while (const size_t n = fread(buffer, 1, sizeof(buffer), pipe)) output.append(buffer, n);
  const int status = pclose(pipe);
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
    size_t begin = 0;
    while (begin < line.size()) {
      size_t end = line.find(' ', begin);
      if (end == std::string::npos) end = line.size();
      if (words++ > 0) rows.back() += ' ';
      rows.back().append(line, begin, end - begin);
      if (words == row_words) {
        rows.emplace_back();
        words = 0;
      }
      begin = end + 1;
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
    uint64_t words = 0;
    for (int run = 0; run < options.runs; run++) {  // in turn, so that both meet the same noise
      ours.push_back(OurRate(config, lines, &words));
      if (options.reference.empty()) continue;
      theirs.push_back(ReferenceRate(options, text, dimension));
      ratios.push_back(ours.back() / theirs.back());
    }
    const std::string what = "dimension " + std::to_string(dimension) + rows;
    Report(options, "train", what + " s2v", ours, "words/s/thread");
    if (options.reference.empty()) continue;
    Report(options, "train", what + " reference", theirs, "words/s/thread");
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
