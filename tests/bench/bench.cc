// s2v_bench: the benchmarks, one program.
//
//   kernels   ns a call of the vector kernels, every instruction set, rows in cache and far away
//   train     words/s/thread of training; with --reference beside the reference program (the paper
//             authors' `fasttext` from github.com/epfml/sent2vec) on the same tokens, dimension and
//             parameters; with --end-to-end seconds from the table to the stored model
//   embed     sentences/s of s2v_embed in SQL: cold and warm, raw and tokenized, on several
//             connections at once; share of rows found in the cache, resident memory, model size
//   start     ms and memory that the first embedding of a new process takes
//   search    s2v_index over --rows sentences of the corpus: ms and recall beside other extensions,
//             filters, words and meaning, building, writing, the first question
//   search-core  its arithmetic alone, every instruction set: recall, ms, rows read and scored, over
//             the first --rows of --vectors, made by s2v embed --format raw, of --dimension
//   cosine    ms of ORDER BY s2v_cosine(...) LIMIT 10 over --rows random vectors; with --sqlite-vec
//             beside that extension's vec_distance_cosine
//
//   build/s2v_bench train --corpus wiki.txt --lines 200000 --dimension 100,300,700
//     --reference ./fasttext
//   build/s2v_bench embed --lines 50000 --dimension 300 --reference-rate 94000
//   build/s2v_bench start --ngrams 2000000
//
// Every figure is the median of --runs runs. Machine, compiler and kernel are printed first; an
// unoptimised build is warned about. --database FILE appends the rows to a table s2v_bench.
#include "tests/bench/bench.h"

#include <sys/resource.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <thread>

#include "core/simd/kernels.h"
#include "core/text/tokenizer.h"
#include "sql/statement.h"

namespace s2v::bench {

double Median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const size_t n = values.size();
  return n % 2 == 1 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}

void Report(const Options& options, const std::string& benchmark, const std::string& what,
            const std::vector<double>& values, const std::string& unit) {
  const double median = Median(values);
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  std::printf("%-8s %-44s %14.6g %-12s (%zu runs, %.6g to %.6g)\n", benchmark.c_str(), what.c_str(),
              median, unit.c_str(), values.size(), *least, *most);
  std::fflush(stdout);
  if (options.database.empty()) return;
  sqlite3* db = nullptr;
  if (sqlite3_open(options.database.c_str(), &db) == SQLITE_OK) {
    Execute(
        db,
        "CREATE TABLE IF NOT EXISTS s2v_bench(time TEXT DEFAULT CURRENT_TIMESTAMP, benchmark TEXT, "
        "what TEXT, median REAL, least REAL, most REAL, runs INTEGER, unit TEXT)");
    Statement insert(db,
                     "INSERT INTO s2v_bench(benchmark, what, median, least, most, runs, unit) "
                     "VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7)");
    insert.Bind(1, std::string_view(benchmark));
    insert.Bind(2, std::string_view(what));
    insert.Bind(3, median);
    insert.Bind(4, *least);
    insert.Bind(5, *most);
    insert.Bind(6, static_cast<int64_t>(values.size()));
    insert.Bind(7, std::string_view(unit));
    insert.Run();
  }
  sqlite3_close(db);
}

std::vector<std::string> TokenizedLines(const Options& options) {
  std::ifstream in(options.corpus);
  if (!in) throw std::runtime_error("cannot read the corpus '" + options.corpus + "'");
  const Tokenizer* tokenizer = FindTokenizer(options.config.tokenizer);
  std::vector<std::string> lines;
  std::string line;
  Tokens tokens;
  while ((options.lines == 0 || static_cast<int64_t>(lines.size()) < options.lines) &&
         std::getline(in, line)) {
    tokenizer->Tokenize(line, &tokens);
    std::string joined;
    for (size_t i = 0; i < tokens.size(); i++) {
      if (i > 0) joined += ' ';
      joined += tokens[i];
    }
    lines.push_back(std::move(joined));
  }
  return lines;
}

const std::string& TemporaryFolder() {
  static const struct Folder {
    Folder() {
      std::string pattern = (std::filesystem::temp_directory_path() / "s2v_bench.XXXXXX").string();
      if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no temporary folder");
      path = pattern;
    }
    ~Folder() { std::filesystem::remove_all(path); }
    std::string path;
  } folder;
  return folder.path;
}

uint64_t PeakMemoryBytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<uint64_t>(usage.ru_maxrss) * 1024;
}

namespace {

std::string DefaultCorpus() {
  const char* data = std::getenv("S2V_DATA");
  return std::string(data != nullptr ? data : "../shared/data") + "/corpus/wiki-1m.txt";
}

void PrintMachine() {
  std::string cpu = "unknown processor", line;
  std::ifstream info("/proc/cpuinfo");
  while (std::getline(info, line)) {
    if (line.rfind("model name", 0) == 0) {
      cpu = line.substr(line.find(':') + 2);
      break;
    }
  }
  std::printf("machine  %s, %u processors; compiler %s; kernel %s; SQLite %s\n", cpu.c_str(),
              std::thread::hardware_concurrency(), __VERSION__, simd::BestKernels().name,
              sqlite3_libversion());
#ifndef NDEBUG
  std::printf("WARNING  this build is not optimised (cmake --preset release)\n");
#endif
}

}  // namespace
}  // namespace s2v::bench

int main(int argc, char** argv) {
  using namespace s2v;
  bench::Options options;
  options.corpus = bench::DefaultCorpus();
  // The setting of the comparison with the reference: the paper's, for bigrams on Wikipedia.
  options.config.epochs = 1;
  options.config.subsampling_threshold = 5e-6;
  options.config.learning_rate = 0.2;
  options.config.ngram_order = 2;
  options.config.ngram_dropout = 4;
  options.config.workers = 2;
  std::vector<std::string> benchmarks;
  CLI::App app("Benchmarks of sqlite-s2v");
  app.add_option(
         "benchmark", benchmarks,
         "kernels, train, embed, start, cosine, search, search-core; all of them if none is "
         "named")
      ->check(
          CLI::IsMember({"kernels", "train", "embed", "start", "cosine", "search", "search-core"}));
  app.add_option("--corpus", options.corpus, "text file, a sentence a line")->capture_default_str();
  app.add_option("--lines", options.lines, "lines of the corpus, 0 for all")->capture_default_str();
  app.add_option("--dimension", options.dimensions, "dimensions, separated by commas")
      ->delimiter(',')
      ->capture_default_str();
  app.add_option("--row-words", options.row_words,
                 "train: cut the corpus into rows of so many words, several separated by commas")
      ->delimiter(',');
  app.add_flag("--end-to-end", options.end_to_end,
               "train: seconds from the table to the stored model, reading and storing included");
  app.add_option("--runs", options.runs, "runs of each measurement")->capture_default_str();
  app.add_option("--reference", options.reference, "path of the reference program `fasttext`");
  app.add_option("--sqlite-vector", options.sqlite_vector,
                 "search: path of sqlite-vector's vector.so");
  app.add_option("--vectorlite", options.vectorlite, "search: path of vectorlite.so");
  app.add_option("--rows", options.rows, "cosine, search, search-core: rows of the table")
      ->capture_default_str();
  app.add_option("--vectors", options.vectors, "search-core: file of raw float32 embeddings");
  app.add_option("--sqlite-vec", options.sqlite_vec,
                 "cosine, search: path of sqlite-vec's vec0.so (npm pack sqlite-vec-linux-x64)");
  app.add_option("--reference-rate", options.reference_rate,
                 "embed: sentences/s of the reference program, to print the ratio");
  int64_t cache_mb = static_cast<int64_t>(options.cache_bytes >> 20);
  app.add_option("--cache-mb", cache_mb, "embed: megabytes of the row cache")
      ->check(CLI::Range(0, 65536))
      ->capture_default_str();
  app.add_option("--ngrams", options.start_ngrams, "start: n-gram rows of the model")
      ->check(CLI::Range(int64_t{0}, int64_t{kBucketCount}))
      ->capture_default_str();
  app.add_option("--database", options.database, "append the results to this database");
  std::vector<std::pair<std::string, std::string>> settings;
  for (const Parameter& parameter : Parameters()) {
    if (parameter.name == "dimension") continue;
    const std::string name(parameter.name);
    app.add_option_function<std::string>(
           "--" + ParameterFlag(parameter),
           [&settings, name](const std::string& value) { settings.emplace_back(name, value); },
           std::string(parameter.help))
        ->default_str(ParameterText(options.config, parameter));
  }
  CLI11_PARSE(app, argc, argv);
  options.cache_bytes = static_cast<uint64_t>(cache_mb) << 20;
  try {
    for (const auto& [name, value] : settings) SetParameter(&options.config, name, value);
    bench::PrintMachine();
    const auto wanted = [&](const char* name) {
      return benchmarks.empty() ||
             std::find(benchmarks.begin(), benchmarks.end(), name) != benchmarks.end();
    };
    if (wanted("kernels")) bench::Kernels(options);
    if (wanted("cosine")) bench::Cosine(options);
    if (wanted("search")) bench::Search(options);
    if (wanted("search-core") && !options.vectors.empty()) bench::SearchCore(options);
    if (wanted("start")) bench::Start(options);
    if (!std::ifstream(options.corpus) && (wanted("train") || wanted("embed"))) {
      std::printf("skipped: no corpus '%s' (--corpus FILE or S2V_DATA)\n", options.corpus.c_str());
      return 0;
    }
    if (wanted("train")) bench::Train(options);
    if (wanted("embed")) bench::Embed(options);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "s2v_bench: %s\n", error.what());
    return 1;
  }
  return 0;
}
