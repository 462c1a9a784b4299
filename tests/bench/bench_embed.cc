// Embedding speed in SQL: a table of sentences, a model trained on it, all in one database on disk.
#include <sys/wait.h>

#include <cstdio>
#include <filesystem>
#include <fstream>

#include "ext/s2v.h"
#include "sql/train_table.h"
#include "tests/bench/bench.h"

namespace s2v::bench {
namespace {

class Database {
 public:
  explicit Database(const std::string& path) {
    if (sqlite3_open(path.c_str(), &db_) != SQLITE_OK || sqlite3_s2v_init(db_, nullptr, nullptr)) {
      throw std::runtime_error("cannot open " + path);
    }
  }
  ~Database() { sqlite3_close(db_); }
  sqlite3* get() const { return db_; }

 private:
  sqlite3* db_ = nullptr;
};

void Fill(sqlite3* db, const char* table, const std::vector<std::string>& texts) {
  Execute(db, "BEGIN; CREATE TABLE " + std::string(table) + "(id INTEGER PRIMARY KEY, body TEXT)");
  Statement insert(db, "INSERT INTO " + std::string(table) + "(body) VALUES(?1)");
  for (const std::string& text : texts) {
    insert.Bind(1, std::string_view(text));
    insert.Run();
  }
  Execute(db, "COMMIT");
}

double EmbedAll(sqlite3* db, const std::string& sql, size_t sentences) {
  const double start = Seconds();
  Statement select(db, sql);
  select.Step();
  return static_cast<double>(sentences) / (Seconds() - start);
}

// Seconds of a new sqlite3 process that loads the extension and runs sql.
double ProcessSeconds(const std::string& path, const std::string& sql) {
  const std::string extension = std::filesystem::canonical("/proc/self/exe").parent_path() / "s2v";
  const std::string command =
      "sqlite3 '" + path + "' '.load " + extension + "' \"" + sql + "\" >/dev/null";
  const double start = Seconds();
  const int status = std::system(command.c_str());
  if (status != 0) throw std::runtime_error("failed: " + command);
  return Seconds() - start;
}

}  // namespace

void Embed(const Options& options) {
  const std::vector<std::string> tokenized = TokenizedLines(options);
  std::vector<std::string> raw;
  {
    std::ifstream in(options.corpus);
    std::string line;
    while (raw.size() < tokenized.size() && std::getline(in, line)) raw.push_back(line);
  }
  for (const int64_t dimension : options.dimensions) {
    const std::string path = TemporaryFolder() + "/embed" + std::to_string(dimension) + ".db";
    const std::string what = "dimension " + std::to_string(dimension) + " ";
    {
      Database db(path);
      Fill(db.get(), "raw", raw);
      Fill(db.get(), "tokenized", tokenized);
      const auto before = static_cast<double>(std::filesystem::file_size(path));
      for (const char* table : {"raw", "tokenized"}) {
        TrainRequest request;
        request.table = table;
        request.column = "body";
        Config config = options.config;
        config.dimension = dimension;
        if (table != std::string("raw")) config.tokenizer = "whitespace";
        request.settings = Settings(config);
        const TrainResult result =
            TrainTable(db.get(), request, [](const TrainProgress&) { return true; });
        if (table != std::string("raw")) continue;
        std::printf("embed    %lld words, %lld n-grams\n",
                    static_cast<long long>(result.model.words),
                    static_cast<long long>(result.model.ngrams));
        Report(options, "embed", what + "model in the database",
               {(static_cast<double>(std::filesystem::file_size(path)) - before) / 1e6}, "MB");
      }
    }
    for (const char* table : {"raw", "tokenized"}) {
      std::vector<double> first, again;
      const std::string sql =
          std::string("SELECT count(s2v_embed(body, '") + table + "')) FROM " + table;
      for (int run = 0; run < options.runs; run++) {
        RowCache::SetBudget(RowCache::kDefaultBytes);  // empties it
        Database db(path);
        first.push_back(EmbedAll(db.get(), sql, raw.size()));
        again.push_back(EmbedAll(db.get(), sql, raw.size()));
      }
      Report(options, "embed", what + table + ", cache empty", first, "sentences/s");
      Report(options, "embed", what + table + ", again", again, "sentences/s");
    }
    std::vector<double> with, without;
    for (int run = 0; run < 5 * options.runs; run++) {
      without.push_back(ProcessSeconds(path, "SELECT length('x')") * 1e3);
      with.push_back(
          ProcessSeconds(path,
                         "SELECT length(s2v_embed('the first sentence of a process', 'raw'))") *
          1e3);
    }
    Report(options, "embed", what + "process, no embedding", without, "ms");
    Report(options, "embed", what + "process, first embedding", with, "ms");
    std::filesystem::remove(path);
  }
}

}  // namespace s2v::bench
