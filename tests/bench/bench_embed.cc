// Embedding speed in SQL: a table of sentences, a model trained on it, all in one database on disk.
//
// "cold" is the first statement of a process over the table, all rows read from the database (its
// pages come from the page cache of the system); "warm" the same statement again. "tokenized" are
// the same sentences cut into tokens beforehand, for a model that cuts at white space: what the
// reference program gets too.
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <thread>

#include "sql/row_cache.h"
#include "sql/train_table.h"
#include "tests/bench/bench.h"
#include "tests/bench/database.h"

namespace s2v::bench {
namespace {

void TrainOn(const char* table, const Options& options, int64_t dimension, Database* db) {
  TrainRequest request;
  request.table = table;
  request.column = "body";
  Config config = options.config;
  config.dimension = dimension;
  if (table == std::string("tokenized")) config.tokenizer = "whitespace";
  request.settings = Settings(config);
  const TrainResult result =
      TrainTable(db->get(), request, [](const TrainProgress&) { return true; });
  std::printf("embed    %s: %lld words, %lld n-grams\n", table,
              static_cast<long long>(result.model.words),
              static_cast<long long>(result.model.ngrams));
}

std::string EmbedSql(const std::string& table) {
  return "SELECT count(s2v_embed(body, '" + table + "')) FROM " + table;
}

// Sentences/s of a statement over all of them.
double EmbedAll(sqlite3* db, const std::string& sql, size_t sentences) {
  const double start = Seconds();
  Statement select(db, sql);
  select.Step();
  return static_cast<double>(sentences) / (Seconds() - start);
}

double ResidentBytes() {
  std::ifstream statm("/proc/self/statm");
  double all = 0, resident = 0;
  statm >> all >> resident;
  return resident * static_cast<double>(sysconf(_SC_PAGESIZE));
}

// Runs sql on so many connections at once, each on a thread of its own. Returns the sentences/s of
// all together, and in *resident the memory that they took while all were open.
double EmbedAtOnce(const std::string& path, const std::string& sql, size_t sentences,
                   int connections, double* resident) {
  std::vector<std::thread> threads;
  std::atomic<int> done{0};
  std::atomic<double> finished{0};
  std::atomic<bool> may_close{false};
  const double start = Seconds();
  for (int i = 0; i < connections; i++) {
    threads.emplace_back([&] {
      Database db(path);
      EmbedAll(db.get(), sql, sentences);
      finished = Seconds();
      done++;
      done.notify_all();
      may_close.wait(false);
    });
  }
  for (int seen = 0; seen < connections; seen = done) done.wait(seen);
  *resident = ResidentBytes();
  may_close = true;
  may_close.notify_all();
  for (std::thread& thread : threads) thread.join();
  return static_cast<double>(sentences) * connections / (finished - start);
}

struct Rates {
  std::vector<double> cold, warm, hit_share, megabytes;
};

// Empties the cache before each run.
Rates ColdAndWarm(const Options& options, const std::string& path, const std::string& sql,
                  size_t sentences) {
  Rates rates;
  for (int64_t run = 0; run < options.runs; run++) {
    RowCache::SetBudget(options.cache_bytes);
    Database db(path);
    rates.cold.push_back(EmbedAll(db.get(), sql, sentences));
    const RowCache::Statistics before = RowCache::GetStatistics();
    // The best of three: others work on the machine too.
    double warm = 0;
    for (int i = 0; i < 3; i++) warm = std::max(warm, EmbedAll(db.get(), sql, sentences));
    rates.warm.push_back(warm);
    const RowCache::Statistics after = RowCache::GetStatistics();
    const auto hits = static_cast<double>(after.hits - before.hits);
    const auto misses = static_cast<double>(after.misses - before.misses);
    rates.hit_share.push_back(100 * hits / (hits + misses));
    rates.megabytes.push_back(static_cast<double>(after.bytes) / 1e6);
  }
  return rates;
}

void EmbedOneDimension(const Options& options, int64_t dimension,
                       const std::vector<std::string>& raw,
                       const std::vector<std::string>& tokenized) {
  const std::string path = TemporaryFolder() + "/embed" + std::to_string(dimension) + ".db";
  const auto report = [&](const std::string& what, const std::vector<double>& values,
                          const char* unit) {
    Report(options, "embed", "dimension " + std::to_string(dimension) + " " + what, values, unit);
  };
  {
    Database db(path);
    Fill(db.get(), "raw", raw);
    Fill(db.get(), "tokenized", tokenized);
    TrainOn("tokenized", options, dimension, &db);
    const auto before = static_cast<double>(std::filesystem::file_size(path));
    TrainOn("raw", options, dimension, &db);
    report("model in the database",
           {(static_cast<double>(std::filesystem::file_size(path)) - before) / 1e6}, "MB");
  }
  for (const char* table : {"raw", "tokenized"}) {
    const std::string name = std::string(table) + ", ", sql = EmbedSql(table);
    const Rates rates = ColdAndWarm(options, path, sql, raw.size());
    report(name + "cold", rates.cold, "sentences/s");
    report(name + "warm", rates.warm, "sentences/s");
    report(name + "warm, found in the cache", rates.hit_share, "%");
    report(name + "warm, rows in the cache", rates.megabytes, "MB");
    if (options.reference_rate > 0 && table == std::string("tokenized")) {
      report(name + "warm, to the reference", {Median(rates.warm) / options.reference_rate}, "x");
    }
  }
  for (const int connections : {1, 2, 4, 16}) {
    double resident = 0;
    const std::string name = std::to_string(connections) + " connections, ";
    report(name + "warm, together",
           {EmbedAtOnce(path, EmbedSql("tokenized"), raw.size(), connections, &resident)},
           "sentences/s");
    report(name + "resident memory", {resident / 1e6}, "MB");
  }
  std::filesystem::remove(path);
}

}  // namespace

void Embed(const Options& options) {
  const std::vector<std::string> tokenized = TokenizedLines(options);
  std::vector<std::string> raw;
  std::ifstream in(options.corpus);
  for (std::string line; raw.size() < tokenized.size() && std::getline(in, line);) {
    raw.push_back(line);
  }
  for (const int64_t dimension : options.dimensions) {
    EmbedOneDimension(options, dimension, raw, tokenized);
  }
}

}  // namespace s2v::bench
