// ORDER BY s2v_cosine(...) over a table of vectors, beside sqlite-vec where its vec0.so is given.
//
// All statements run in one process on one file, in turn, run after run. "scan" is the same
// statement with a function that asks for the BLOB and gives a constant: SQLite's own part, the
// same for everybody. Three ways to read the file, all of it in memory: SQLite's cache of 2 MB, as
// it comes, where every page is copied from the operating system again; PRAGMA mmap_size; and all
// pages in SQLite's cache.
#include <cmath>
#include <cstdio>
#include <filesystem>

#include "core/random.h"
#include "tests/bench/bench.h"
#include "tests/bench/database.h"

namespace s2v::bench {
namespace {

struct CosineContest {
  const char* name;
  const char* sql;  // ?1 is the vector, ?2 the text; the ids of the nearest 10
  bool rival;
  std::vector<double> ms = {};
  std::vector<int64_t> nearest = {};
};

void Touch(sqlite3_context* context, int, sqlite3_value** values) {
  const auto* bytes = static_cast<const char*>(sqlite3_value_blob(values[0]));
  sqlite3_result_double(context, bytes == nullptr ? 1 : 0.5);
}

// bench_touch, and sqlite-vec where it is given.
void AddRivals(sqlite3* db, const std::string& sqlite_vec) {
  sqlite3_create_function(db, "bench_touch", 2, SQLITE_UTF8 | SQLITE_DETERMINISTIC, nullptr, Touch,
                          nullptr, nullptr);
  if (sqlite_vec.empty()) return;
  char* message = nullptr;
  sqlite3_enable_load_extension(db, 1);
  if (sqlite3_load_extension(db, sqlite_vec.c_str(), nullptr, &message) != SQLITE_OK) {
    throw std::runtime_error("cannot load sqlite-vec: " + std::string(message));
  }
}

std::vector<float> UnitVector(Random* random, size_t n) {
  std::vector<float> v(n);
  double square = 0;
  for (float& x : v) {
    // Four uniform numbers are near enough to a normal one.
    x = random->Uniform() + random->Uniform() - random->Uniform() - random->Uniform();
    square += double{x} * x;
  }
  for (float& x : v) x = static_cast<float>(x / std::sqrt(square));
  return v;
}

void FillVectors(sqlite3* db, int64_t rows, size_t dimension) {
  Random random(1);
  Execute(db, "BEGIN; CREATE TABLE v(id INTEGER PRIMARY KEY, e BLOB)");
  Statement insert(db, "INSERT INTO v(e) VALUES(?1)");
  for (int64_t i = 0; i < rows; i++) {
    const std::vector<float> v = UnitVector(&random, dimension);
    insert.BindBlob(1, v.data(), v.size() * sizeof(float));
    insert.Run();
  }
  Execute(db, "COMMIT");
  // A model of this dimension, for the text.
  Execute(db,
          "CREATE TABLE t(body TEXT); WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM "
          "n WHERE i < 50) INSERT INTO t SELECT 'the red fox sleeps under the old tree' FROM n;"
          "SELECT s2v_train('t', 'body', json_object('workers', 1, 'epochs', 1, 'dimension', " +
              std::to_string(dimension) + "))");
}

void RunOnce(sqlite3* db, CosineContest* contest, const std::vector<float>& vector) {
  Statement select(db, contest->sql);
  if (sqlite3_bind_parameter_count(select.get()) == 2) {
    select.Bind(2, std::string_view("the red fox sleeps"));
  } else {
    select.BindBlob(1, vector.data(), vector.size() * sizeof(float));
  }
  contest->nearest.clear();
  const double start = Seconds();
  while (select.Step()) contest->nearest.push_back(select.Int(0));
  contest->ms.push_back((Seconds() - start) * 1e3);
}

void Compete(const Options& options, sqlite3* db, int64_t dimension, const std::string& where) {
  std::vector<CosineContest> contests = {
      {"scan", "SELECT id FROM v ORDER BY bench_touch(e, ?1) LIMIT 10", false},
      {"s2v_cosine, BLOB", "SELECT id FROM v ORDER BY s2v_cosine(e, ?1) DESC LIMIT 10", false},
      {"s2v_cosine, text", "SELECT id FROM v ORDER BY s2v_cosine(e, ?2) DESC LIMIT 10", false},
      {"s2v_distance, BLOB", "SELECT id FROM v ORDER BY s2v_distance(e, ?1) LIMIT 10", false},
      {"sqlite-vec", "SELECT id FROM v ORDER BY vec_distance_cosine(e, ?1) LIMIT 10", true},
  };
  if (options.sqlite_vec.empty()) contests.pop_back();
  Random random(2);
  for (int64_t run = 0; run <= options.runs; run++) {
    const std::vector<float> vector = UnitVector(&random, static_cast<size_t>(dimension));
    for (CosineContest& contest : contests) RunOnce(db, &contest, vector);
    if (run == 0) {
      for (CosineContest& contest : contests) contest.ms.clear();  // filled the caches
    }
    if (contests[1].nearest != contests[3].nearest ||
        (contests.back().rival && contests[1].nearest != contests.back().nearest)) {
      std::printf("cosine   the nearest 10 differ in run %d\n", static_cast<int>(run));
    }
  }
  const std::string what = " n=" + std::to_string(dimension) + " " + where;
  for (const CosineContest& contest : contests) {
    Report(options, "cosine", contest.name + what, contest.ms, "ms");
  }
  if (!contests.back().rival) return;
  std::printf("cosine   s2v_cosine takes %.2f of sqlite-vec's time (medians)\n",
              Median(contests[1].ms) / Median(contests.back().ms));
}

}  // namespace

void Cosine(const Options& options) {
  for (const int64_t dimension : options.dimensions) {
    const std::string path = TemporaryFolder() + "/cosine.db";
    {
      Database db(path);
      AddRivals(db.get(), options.sqlite_vec);
      FillVectors(db.get(), options.rows, static_cast<size_t>(dimension));
      Compete(options, db.get(), dimension, "2 MB cache");
      Execute(db.get(), "PRAGMA mmap_size = 2000000000");
      Compete(options, db.get(), dimension, "mmap");
      Execute(db.get(), "PRAGMA mmap_size = 0; PRAGMA cache_size = -8000000");
      Compete(options, db.get(), dimension, "in cache");
    }
    std::filesystem::remove(path);
  }
}

}  // namespace s2v::bench
