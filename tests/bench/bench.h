// Shared by the benchmarks: time, medians, rows of results.
#pragma once

#include <string>
#include <vector>

#include "core/config.h"
#include "sql/system/clock.h"

namespace s2v::bench {

struct Options {
  std::string corpus;      // text file, a sentence a line
  int64_t lines = 200000;  // of the corpus, 0: all
  std::vector<int64_t> dimensions;
  std::vector<int64_t> row_words;  // rows of so many words from the corpus; empty: its own lines
  bool end_to_end = false;         // train: from the table to the stored model, in seconds
  int64_t runs = 3;
  std::string reference;      // the reference implementation's program, "" for none
  double reference_rate = 0;  // sentences/s of the reference program when embedding, 0: unknown
  uint64_t cache_bytes = 256 << 20;       // embed: of the row cache
  int64_t start_ngrams = 300000;          // start: n-gram rows of the made model
  int64_t rows = 200000;                  // rows in the table of cosine and search
  std::string vectors;                    // search-core: file of raw embeddings
  std::string sqlite_vec;                 // sqlite-vec's vec0.so, "" for none
  std::string sqlite_vector, vectorlite;  // those extensions, "" for none
  std::string database;  // results are appended to its table s2v_bench, "" for none
  Config config;         // what the flags set
};

double Median(std::vector<double> values);
// Median and extremes of a measurement that is printed and, if asked for, stored.
void Report(const Options& options, const std::string& benchmark, const std::string& what,
            const std::vector<double>& values, const std::string& unit);
// The tokens of the corpus joined by spaces, cut by the tokenizer of the configuration.
std::vector<std::string> TokenizedLines(const Options& options);
// A folder that is removed at the end of the program.
const std::string& TemporaryFolder();
uint64_t PeakMemoryBytes();

void Kernels(const Options& options);
void Train(const Options& options);
void Embed(const Options& options);
void Cosine(const Options& options);
void Search(const Options& options);
void SearchCore(const Options& options);
void Start(const Options& options);

}  // namespace s2v::bench
