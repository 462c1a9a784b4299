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
// s2v_bench NAME --help lists the options of a benchmark.
#include "tests/bench/bench.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <optional>
#include <sstream>
#include <thread>
#include <utility>

#include "core/simd/kernels.h"
#include "core/text/tokenizer.h"
#include "ext/cli/command.h"
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

// "100,300" as numbers.
std::vector<int64_t> Numbers(const std::string& text) {
  std::vector<int64_t> numbers;
  std::istringstream parts(text);
  for (std::string part; std::getline(parts, part, ',');) {
    if (!ParseNumber(part, &numbers.emplace_back()) || numbers.back() < 1) {
      throw UsageError("numbers separated by commas expected, not '" + text + "'");
    }
  }
  return numbers;
}

struct Flags : Options {
  Flags() {
    // The setting of the comparison with the reference: the paper's, for bigrams on Wikipedia.
    config.epochs = 1;
    config.subsampling_threshold = 5e-6;
    config.learning_rate = 0.2;
    config.ngram_order = 2;
    config.ngram_dropout = 4;
    config.workers = 2;
  }

  std::string dimension_list, row_word_list;
  std::map<std::string, std::optional<std::string>> parameters;  // by name
  int64_t cache_mb = 256;
};

void AddNumber(Command command, const char* name, int64_t* value, const char* help) {
  command.Add(name, value, "INTEGER", help + (" (default " + std::to_string(*value) + ")"));
}

// A benchmark with the options that all have.
std::pair<Command, Flags*> AddBenchmark(Command* program, const char* name, const char* help,
                                        void (*run)(const Options&),
                                        const char* dimensions = "100,300,700") {
  Command command = program->AddSubcommand(name, help);
  const auto flags = std::make_shared<Flags>();
  flags->dimension_list = dimensions;
  AddNumber(command, "--runs", &flags->runs, "runs of each measurement");
  command.Add("--dimension", &flags->dimension_list, "LIST",
              "one, or several separated by commas (default " + flags->dimension_list + ")");
  command.Add("--database", &flags->database, "FILE", "append the results to its table s2v_bench");
  command.SetAction([flags, run] {
    flags->dimensions = Numbers(flags->dimension_list);
    if (flags->dimensions.empty()) throw UsageError("--dimension: a number expected");
    flags->config.dimension = flags->dimensions.front();
    flags->row_words = Numbers(flags->row_word_list);
    flags->cache_bytes = static_cast<uint64_t>(flags->cache_mb) << 20;
    for (const auto& [parameter, value] : flags->parameters) {
      if (value) SetParameter(&flags->config, parameter, *value);
    }
    if (!flags->corpus.empty() && !std::ifstream(flags->corpus)) {
      std::printf("skipped: no corpus '%s' (--corpus FILE or S2V_DATA)\n", flags->corpus.c_str());
      return;
    }
    PrintMachine();
    run(*flags);
  });
  return {command, flags.get()};
}

void AddCorpus(Command command, Flags* flags) {
  flags->corpus = DefaultCorpus();
  command.Add("--corpus", &flags->corpus, "FILE",
              "text file, a sentence a line (default " + flags->corpus + ")");
}

// Of benchmarks that train on lines of the corpus.
void AddTraining(Command command, Flags* flags) {
  AddCorpus(command, flags);
  AddNumber(command, "--lines", &flags->lines, "lines of the corpus, 0 for all");
  for (const Parameter& parameter : Parameters()) {
    if (parameter.name == "dimension") continue;
    command.Add(
        "--" + ParameterFlag(parameter), &flags->parameters[std::string(parameter.name)], "VALUE",
        std::string(parameter.help) + " (default " + ParameterText(flags->config, parameter) + ")");
  }
}

void AddCommands(Command* program) {
  AddBenchmark(program, "kernels", "ns a call of the vector kernels", Kernels);
  auto [train, training] = AddBenchmark(program, "train", "words/s of training", Train);
  AddTraining(train, training);
  train.Add("--row-words", &training->row_word_list, "LIST",
            "cut the corpus into rows of so many words, several separated by commas");
  train.AddFlag("--end-to-end", &training->end_to_end,
                "seconds from the table to the stored model, reading and storing included");
  train.Add("--reference", &training->reference, "FILE", "the reference program `fasttext`");
  auto [embed, embedding] = AddBenchmark(program, "embed", "sentences/s of s2v_embed", Embed);
  AddTraining(embed, embedding);
  embed.Add("--reference-rate", &embedding->reference_rate, "NUMBER",
            "sentences/s of the reference program, to print the ratio");
  AddNumber(embed, "--cache-mb", &embedding->cache_mb, "megabytes of the row cache");
  auto [start, starting] =
      AddBenchmark(program, "start", "ms and memory of a process's first embedding", Start);
  AddNumber(start, "--ngrams", &starting->start_ngrams, "n-gram rows of the model");
  auto [search, searching] = AddBenchmark(program, "search", "s2v_index and rivals", Search, "400");
  AddCorpus(search, searching);
  AddNumber(search, "--rows", &searching->rows, "rows of the table");
  search.Add("--sqlite-vec", &searching->sqlite_vec, "FILE", "sqlite-vec's vec0.so");
  search.Add("--sqlite-vector", &searching->sqlite_vector, "FILE", "sqlite-vector's vector.so");
  search.Add("--vectorlite", &searching->vectorlite, "FILE", "vectorlite.so");
  auto [core, arithmetic] =
      AddBenchmark(program, "search-core", "the arithmetic of a search alone", SearchCore, "300");
  core.AddRequired("--vectors", &arithmetic->vectors, "raw float32 embeddings", "FILE");
  AddNumber(core, "--rows", &arithmetic->rows, "rows of them");
  auto [cosine, scan] = AddBenchmark(program, "cosine", "ms of a scan by s2v_cosine", Cosine);
  AddNumber(cosine, "--rows", &scan->rows, "rows of the table");
  cosine.Add("--sqlite-vec", &scan->sqlite_vec, "FILE", "sqlite-vec's vec0.so, beside it");
}

}  // namespace
}  // namespace s2v::bench

int main(int argc, char** argv) {
  try {
    return s2v::RunProgram({"s2v_bench", "Benchmarks of sqlite-s2v", s2v::bench::AddCommands}, argc,
                           argv);
  } catch (...) {
    const s2v::Failure failure = s2v::CaughtFailure();
    std::fprintf(stderr, "s2v_bench: %s\n", failure.message.c_str());
    return failure.code;
  }
}
