// How soon a new process embeds a sentence, and how much memory that takes, however large the
// model: a model of made up rows, of which nothing but the sentence's should be read.
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>

#include "core/random.h"
#include "sql/model_writer.h"
#include "tests/bench/bench.h"
#include "tests/bench/database.h"

namespace s2v::bench {
namespace {

constexpr uint32_t kWords = 100000;

Model MadeModel(int64_t dimension, int64_t ngrams) {
  Model model;
  model.config.dimension = dimension;
  model.config.ngram_order = 2;
  model.config.tokenizer = "unicode";
  WordCounter counter(uint64_t{1} << 30);
  for (uint32_t i = 0; i < kWords; i++) counter.Add("word" + std::to_string(i));
  std::vector<uint32_t> ids;
  model.vocabulary = counter.Select(1, kWords, &ids);
  for (int64_t i = 0; i < ngrams; i++) {
    model.ngram_buckets.push_back(static_cast<uint32_t>(i * kBucketCount / ngrams));
    model.ngram_counts.push_back(5);
  }
  model.source = Matrix(kWords + static_cast<uint64_t>(ngrams), static_cast<uint32_t>(dimension));
  Random random(1);
  for (uint64_t row = 0; row < model.source.rows(); row++) {
    for (uint32_t i = 0; i < model.source.dimension(); i++) {
      model.source[row][i] = random.Uniform() - 0.5f;
    }
  }
  model.target = Matrix(0, static_cast<uint32_t>(dimension));
  return model;
}

// Memory is never less than what this process has when it forks: the system counts that too.
struct ProcessCost {
  double milliseconds = 0, resident_megabytes = 0;
};

// Of a new sqlite3 process that loads the extension and runs sql.
ProcessCost CostOf(const std::string& database, const std::string& sql) {
  const std::string load =
      ".load " + (std::filesystem::canonical("/proc/self/exe").parent_path() / "s2v").string();
  const double start = Seconds();
  const pid_t child = fork();
  if (child == 0) {
    dup2(open("/dev/null", O_WRONLY), STDOUT_FILENO);
    execlp("sqlite3", "sqlite3", database.c_str(), load.c_str(), sql.c_str(), nullptr);
    _exit(127);
  }
  int status = 0;
  rusage usage{};
  if (child < 0 || wait4(child, &status, 0, &usage) != child || status != 0) {
    throw std::runtime_error("failed: sqlite3 '" + database + "' '" + load + "' \"" + sql + "\"");
  }
  return {(Seconds() - start) * 1e3, static_cast<double>(usage.ru_maxrss) / 1024};
}

}  // namespace

void Start(const Options& options) {
  const int64_t dimension = 300;
  const std::string path = TemporaryFolder() + "/start.db";
  {
    Database db(path);
    SaveModel(db.get(), {{"main", "made"}, "{}", true}, MadeModel(dimension, options.start_ngrams),
              [] { return true; });
  }
  const std::string what = std::to_string(options.start_ngrams) + " n-grams, ";
  Report(options, "start", what + "database",
         {static_cast<double>(std::filesystem::file_size(path)) / 1e6}, "MB");
  std::vector<double> without_ms, with_ms, more_ms, without_mb, with_mb;
  for (int64_t run = 0; run < 10 * options.runs; run++) {
    const ProcessCost without = CostOf(path, "SELECT length('word1 word2')");
    const ProcessCost with = CostOf(path, "SELECT length(s2v_embed('word1 word22 word333 word4'))");
    without_ms.push_back(without.milliseconds);
    with_ms.push_back(with.milliseconds);
    more_ms.push_back(with.milliseconds - without.milliseconds);
    without_mb.push_back(without.resident_megabytes);
    with_mb.push_back(with.resident_megabytes);
  }
  Report(options, "start", what + "process, no embedding", without_ms, "ms");
  Report(options, "start", what + "process, first embedding", with_ms, "ms");
  Report(options, "start", what + "difference of a pair", more_ms, "ms");
  Report(options, "start", what + "memory, no embedding", without_mb, "MiB");
  Report(options, "start", what + "memory, first embedding", with_mb, "MiB");
  std::filesystem::remove(path);
}

}  // namespace s2v::bench
