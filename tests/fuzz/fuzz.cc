// Fuzzing of the model reader and of every SQL function: databases with damaged models.
//
//   build/tests/s2v_fuzz --seconds 600 --seed 1            best with
//   -DS2V_SANITIZE=address,undefined
//
// Each execution takes a healthy database (float32 with bigrams, int8 with bigrams, int8),
// damages it, and runs all statements of kStatements on it. The damage is bytes of the file, or
// values of the stored tables; half of the latter get right checksums again, so that what a
// checksum would keep out is met too. What must hold: no crash and no sanitizer report, no
// statement that takes longer than kSlowSeconds of processor time, no more memory than kMostMemory,
// and every embedding that is given is of finite numbers and of length 1.
#include "tests/fuzz/fuzz.h"

#include <sqlite3.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "core/random.h"
#include "ext/s2v.h"
#include "sql/model_format.h"
#include "sql/row_cache.h"

namespace s2v {
namespace {

constexpr double kSlowSeconds = 20;
constexpr int64_t kMostMemory = int64_t{1} << 31;

const char kTexts[] =
    "CREATE TABLE docs(id INTEGER PRIMARY KEY, body TEXT);"
    "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 59)"
    "INSERT INTO docs(body) SELECT substr('red old big new', 1 + i % 4 * 4, 3) || ' ' ||"
    " substr('fox man sea sky', 1 + i / 4 % 4 * 4, 3) || ' ' || substr('saw ate had was', 1 + i % "
    "3 * 4, 3)"
    " || ' the ' || substr('fox man sea sky', 1 + i % 4 * 4, 3) FROM n;";

const char* const kModels[] = {"'ngram_order',2", "'element','int8','ngram_order',2",
                               "'element','int8'"};

const char* const kStatements[] = {
    "SELECT s2v_embed('red fox saw the old sea zebra')",
    "SELECT s2v_embed(body) FROM docs",
    "SELECT s2v_embed('the big man', 'docs', 'raw') IS NULL",
    "SELECT s2v_cosine(body, 'red fox'), s2v_distance(s2v_embed(body), 'sky') FROM docs LIMIT 9",
    "SELECT s2v_to_json(s2v_embed('red')), s2v_model_hash(), s2v_config(), s2v_debug()",
    "SELECT * FROM s2v_models",
    "SELECT word, count, norm, length(vector), form FROM s2v_words",
    "SELECT norm FROM s2v_words WHERE word = 'fox'",
    "SELECT * FROM s2v_tokens('red fox saw zebra')",
    "SELECT * FROM s2v_nearest_words('red fox', 3)",
    "SELECT * FROM s2v_analogy('red', 'fox', 'sea', 3)",
    "SELECT sum(share) FROM s2v_explain('red fox', 'the old sea')",
    "SELECT s2v_convert('docs', 'small', 'int8', 5)",
    "SELECT s2v_update('docs', json_object('since', 3, 'epochs', 1, 'workers', 1))",
    "SELECT s2v_embed('red fox', 'small')",
    ("SELECT s2v_train('docs', 'body', "
     "json_object('epochs',1,'dimension',4,'min_count',1,'workers',1))"),
    "SELECT s2v_drop('docs')",
};

// row_checksum(model hash, index, part ...): texts and BLOBs by their bytes, integers as uint64.
void RowChecksum(sqlite3_context* context, int count, sqlite3_value** values) {
  const auto* hash = reinterpret_cast<const char*>(sqlite3_value_text(values[0]));
  uint64_t seed = 0;
  for (int i = 7; i >= 0 && hash != nullptr && std::strlen(hash) == 32; i--) {
    seed = seed << 8 | std::strtoul(std::string(hash + 2 * i, 2).c_str(), nullptr, 16);
  }
  Checksum checksum(seed ^ static_cast<uint64_t>(sqlite3_value_int64(values[1])));
  for (int i = 2; i < count; i++) {
    if (sqlite3_value_type(values[i]) == SQLITE_INTEGER) {
      checksum.Add(static_cast<uint64_t>(sqlite3_value_int64(values[i])));
    } else {
      checksum.Add(sqlite3_value_blob(values[i]),
                   static_cast<size_t>(sqlite3_value_bytes(values[i])));
    }
  }
  sqlite3_result_int64(context, checksum.Value());
}

sqlite3* Open() {
  sqlite3* db = nullptr;
  if (sqlite3_open(":memory:", &db) != SQLITE_OK ||
      sqlite3_s2v_init(db, nullptr, nullptr) != SQLITE_OK) {
    Fail("cannot open a database in memory");
  }
  sqlite3_create_function(db, "row_checksum", -1, SQLITE_UTF8, nullptr, RowChecksum, nullptr,
                          nullptr);
  return db;
}

std::string HealthyBytes(const char* options) {
  sqlite3* db = Open();
  const std::string train =
      std::string(
          "SELECT s2v_train('docs','body',json_object('dimension',8,'epochs',2,'min_count',1,"
          "'min_target_count',1,'recipe','paper','workers',1,") +
      options + "))";
  char* error = nullptr;
  if (sqlite3_exec(db, kTexts, nullptr, nullptr, &error) != SQLITE_OK ||
      sqlite3_exec(db, train.c_str(), nullptr, nullptr, &error) != SQLITE_OK) {
    Fail(std::string("cannot train: ") + error);
  }
  sqlite3_int64 size = 0;
  unsigned char* bytes = sqlite3_serialize(db, "main", &size, 0);
  std::string copy(reinterpret_cast<char*>(bytes), static_cast<size_t>(size));
  sqlite3_free(bytes);
  sqlite3_close(db);
  return copy;
}

void DamageBytes(Random* random, std::string* bytes) {
  for (uint32_t i = 1 + random->Below(8); i > 0; i--) {
    char& byte = (*bytes)[random->Below(static_cast<uint32_t>(bytes->size()))];
    byte = random->Below(2) == 0 ? static_cast<char>(random->Next())
                                 : static_cast<char>(byte ^ 1 << random->Below(8));
  }
}

std::string DamagedValue(Random* random, const std::string& column) {
  const std::string n = std::to_string(random->Below(40));
  const char* const numbers[] = {
      "0", "-1", "1", "2147483648", "4294967295", "9223372036854775807", "NULL", "1e300"};
  switch (random->Below(6)) {
    case 0:
      return numbers[random->Below(8)];
    case 1:
      return column + " + 1";
    case 2:
      return "randomblob(" + n + ")";
    case 3:
      return "substr(" + column + ", 1, " + n + ")";
    case 4:  // floats of all kinds in the midst of a row
      return "CAST(substr(" + column + ",1," + n + ") || x'0000c07f' || substr(" + column + "," +
             n + "+5) AS BLOB)";
    default:
      return "CAST(substr(" + column + ",1," + n + ") || randomblob(1) || substr(" + column + "," +
             n + "+2) AS BLOB)";
  }
}

void DamageTables(Random* random, sqlite3* db) {
  struct Table {
    const char* name;
    std::vector<const char*> columns;
  };
  static const Table tables[] = {
      {"s2v_model",
       {"id", "is_default", "version", "dimension", "element", "tokenizer", "ngram_order", "words",
        "ngrams", "targets", "smoothing", "unknown_norm", "tokens", "corpus", "parameters",
        "choices", "losses", "hash"}},
      {"s2v_word", {"key", "word", "count", "vector", "form"}},
      {"s2v_ngram", {"key", "count", "vector"}},
      {"s2v_target", {"key", "vector"}},
      {"s2v_directory", {"key", "entries"}},
  };
  for (uint32_t i = 1 + random->Below(3); i > 0; i--) {
    const Table& table = tables[random->Below(static_cast<uint32_t>(std::size(tables)))];
    const char* column = table.columns[random->Below(static_cast<uint32_t>(table.columns.size()))];
    const std::string sql = std::string("UPDATE ") + table.name + " SET " + column + " = " +
                            DamagedValue(random, column) + " WHERE rowid = (SELECT rowid FROM " +
                            table.name + " LIMIT 1 OFFSET " + std::to_string(random->Below(20)) +
                            ")";
    sqlite3_exec(db, sql.c_str(), nullptr, nullptr, nullptr);
  }
  if (random->Below(2) == 0) return;
  sqlite3_exec(db,
               "UPDATE s2v_word SET checksum = row_checksum((SELECT hash FROM s2v_model), key & "
               "4294967295, vector, count, word);"
               "UPDATE s2v_ngram SET checksum = row_checksum((SELECT hash FROM s2v_model), key & "
               "4294967295, vector, count);"
               "UPDATE s2v_target SET checksum = row_checksum((SELECT hash FROM s2v_model), key & "
               "4294967295, vector);"
               "UPDATE s2v_directory SET checksum = row_checksum((SELECT hash FROM s2v_model), key "
               "& 4294967295, entries);"
               "UPDATE s2v_model SET checksum = row_checksum('', 0, CAST(version AS TEXT), x'00',"
               "CAST(compatible_version AS TEXT), x'00', CAST(dimension AS TEXT), x'00', element, "
               "x'00', tokenizer, x'00',"
               "CAST(tokenizer_version AS TEXT), x'00', CAST(ngram_order AS TEXT), x'00', "
               "CAST(words AS TEXT), x'00', CAST(ngrams AS TEXT), x'00', CAST(targets AS TEXT), "
               "x'00', smoothing, x'00',"
               "unknown_norm, x'00', CAST(tokens AS TEXT), x'00', "
               "CAST(texts AS TEXT), x'00',"
               "CAST(sentences AS TEXT), x'00', corpus, x'00', parameters, x'00', choices, x'00', "
               "losses, x'00', library, x'00',"
               "created, x'00', hash, x'00')",
               nullptr, nullptr, nullptr);
}

void CheckEmbedding(sqlite3_stmt* statement, const char* sql) {
  if (sqlite3_column_type(statement, 0) != SQLITE_BLOB) return;
  std::vector<float> vector(static_cast<size_t>(sqlite3_column_bytes(statement, 0)) / 4);
  const void* blob = sqlite3_column_blob(statement, 0);
  if (vector.empty() || blob == nullptr) Fail(std::string("an empty embedding: ") + sql);
  std::memcpy(vector.data(), blob, vector.size() * 4);
  double square = 0;
  for (const float x : vector) square += static_cast<double>(x) * static_cast<double>(x);
  if (!(std::fabs(square - 1) < 1e-3))
    Fail(std::string("an embedding that is not of length 1: ") + sql);
}

// Returns how many statements gave an error.
int RunStatements(sqlite3* db) {
  int errors = 0;
  for (const char* sql : kStatements) {
    const double start = SpentSeconds();
    sqlite3_stmt* statement = nullptr;
    int code = sqlite3_prepare_v2(db, sql, -1, &statement, nullptr);
    while (code == SQLITE_OK || code == SQLITE_ROW) {
      code = sqlite3_step(statement);
      const bool embeds =
          std::string_view(sql).starts_with("SELECT s2v_embed(") && !std::strstr(sql, "raw");
      if (code == SQLITE_ROW && embeds) CheckEmbedding(statement, sql);
    }
    sqlite3_finalize(statement);
    errors += code != SQLITE_DONE;
    if (SpentSeconds() - start > kSlowSeconds) Fail(std::string("too slow: ") + sql);
  }
  return errors;
}

void RunOnce(const std::vector<std::string>& healthy, Random* random, uint64_t* errors) {
  std::string bytes = healthy[random->Below(static_cast<uint32_t>(healthy.size()))];
  const bool of_file = random->Below(4) == 0;
  if (of_file) DamageBytes(random, &bytes);
  sqlite3* db = Open();
  auto* copy = static_cast<unsigned char*>(sqlite3_malloc64(bytes.size()));
  // NOLINT(bugprone-not-null-terminated-result): no text
  std::memcpy(copy, bytes.data(), bytes.size());
  sqlite3_deserialize(db, "main", copy, static_cast<sqlite3_int64>(bytes.size()),
                      static_cast<sqlite3_int64>(bytes.size()),
                      SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_RESIZEABLE);
  if (!of_file) DamageTables(random, db);
  RowCache::SetBudget(RowCache::Budget());  // empties it: the next model has the same hash
  *errors += static_cast<uint64_t>(RunStatements(db));
  if (sqlite3_close(db) != SQLITE_OK) Fail("a statement was left open");
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  if (usage.ru_maxrss * int64_t{1024} > kMostMemory) Fail("too much memory");
}

}  // namespace
}  // namespace s2v

int main(int argc, char** argv) {
  std::vector<std::string> healthy;
  for (const char* options : s2v::kModels) healthy.push_back(s2v::HealthyBytes(options));
  uint64_t errors = 0;
  const uint64_t executions = s2v::Fuzz("s2v_fuzz", argc, argv, {}, [&](s2v::Random* random) {
    s2v::RunOnce(healthy, random, &errors);
  });
  std::printf("%llu statements of %llu gave an error\n", static_cast<unsigned long long>(errors),
              static_cast<unsigned long long>(executions) * std::size(s2v::kStatements));
  return executions > 0 && errors > 0 ? 0 : 1;
}
