// A connection with s2v and verbs for tests, and files that go away.
//
//   Database db;                    // in memory; checks at its end that it closes at once
//   TrainTexts(&db, 100);           // a tiny model of a table docs, one worker
//   CHECK(db.Text("SELECT s2v_embed('red fox')") == before);
//   CHECK(Contains(db.Error("SELECT s2v_embed(x'00')"), "BLOB"));
#pragma once

#include <doctest/doctest.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "ext/s2v.h"
#include "sql/model_format.h"
#include "sql/row_cache.h"
#include "sql/train_progress.h"

namespace s2v::testing {

// For a training that nobody stops.
inline bool GoOn(const TrainProgress&) {
  return true;
}

class Database {
 public:
  static constexpr int kFlags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_URI;

  explicit Database(const std::string& path = ":memory:", int flags = kFlags) {
    REQUIRE(sqlite3_open_v2(path.c_str(), &db_, flags, nullptr) == SQLITE_OK);
    sqlite3_extended_result_codes(db_, 1);
    REQUIRE(sqlite3_s2v_init(db_, nullptr, nullptr) == SQLITE_OK);
  }
  // A copy in memory of what Bytes gave.
  static Database FromBytes(const std::string& bytes) {
    Database db;
    auto* copy = static_cast<unsigned char*>(sqlite3_malloc64(bytes.size()));
    bytes.copy(reinterpret_cast<char*>(copy), bytes.size());
    REQUIRE(sqlite3_deserialize(db.db_, "main", copy, static_cast<sqlite3_int64>(bytes.size()),
                                static_cast<sqlite3_int64>(bytes.size()),
                                SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_RESIZEABLE) ==
            SQLITE_OK);
    return db;
  }
  Database(Database&& other) noexcept : db_(other.db_) { other.db_ = nullptr; }
  Database(const Database&) = delete;
  // No statement of ours may be left.
  ~Database() {
    if (db_ != nullptr) CHECK(sqlite3_close(db_) == SQLITE_OK);
  }

  sqlite3* get() const { return db_; }
  std::string Bytes() const {
    sqlite3_int64 size = 0;
    unsigned char* bytes = sqlite3_serialize(db_, "main", &size, 0);
    std::string copy(reinterpret_cast<char*>(bytes), static_cast<size_t>(size));
    sqlite3_free(bytes);
    return copy;
  }

  // Runs one or more statements to their end; the last one's rows are in rows(), by columns.
  int Run(std::string_view sql) {
    const char* rest = sql.data();
    const char* end = rest + sql.size();
    message_.clear();
    int code = SQLITE_OK;
    while (rest < end && code == SQLITE_OK) {
      sqlite3_stmt* statement = nullptr;
      code = sqlite3_prepare_v2(db_, rest, static_cast<int>(end - rest), &statement, &rest);
      if (code == SQLITE_OK && statement == nullptr) break;
      rows_.clear();
      while (code == SQLITE_OK && (code = sqlite3_step(statement)) == SQLITE_ROW) {
        for (int i = 0; i < sqlite3_column_count(statement); i++) {
          const bool null = sqlite3_column_type(statement, i) == SQLITE_NULL;
          const auto* bytes = static_cast<const char*>(sqlite3_column_blob(statement, i));
          rows_.emplace_back(
              null ? "NULL"
                   : std::string(bytes == nullptr ? "" : bytes,
                                 static_cast<size_t>(sqlite3_column_bytes(statement, i))));
        }
        code = SQLITE_OK;
      }
      if (code == SQLITE_DONE) code = SQLITE_OK;
      if (code != SQLITE_OK) message_ = sqlite3_errmsg(db_);
      sqlite3_finalize(statement);
    }
    return code;
  }
  const std::string& message() const { return message_; }
  const std::vector<std::string>& rows() const { return rows_; }

  void Exec(std::string_view sql) {
    const int code = Run(sql);
    INFO((std::string(sql) + ": " + message_));
    REQUIRE(code == SQLITE_OK);
  }
  // The first value, "NULL" for NULL; it must succeed.
  std::string Text(std::string_view sql) {
    Exec(sql);
    REQUIRE(!rows_.empty());
    return rows_[0];
  }
  int64_t Int(std::string_view sql) { return std::stoll(Text(sql)); }
  // How many rows stand behind FROM.
  int64_t Count(const std::string& from) { return Int("SELECT count(*) FROM " + from); }
  // The message; it must fail.
  std::string Error(std::string_view sql) {
    const int code = Run(sql);
    INFO((std::string(sql)));
    REQUIRE(code != SQLITE_OK);
    return message_;
  }

 private:
  sqlite3* db_ = nullptr;
  std::string message_;
  std::vector<std::string> rows_;
};

// A connection without the extension, as the stock shell is one.
class OtherProgram {
 public:
  explicit OtherProgram(const std::string& path) {
    REQUIRE(sqlite3_open(path.c_str(), &db_) == SQLITE_OK);
  }
  ~OtherProgram() { sqlite3_close(db_); }
  OtherProgram(const OtherProgram&) = delete;
  int Run(const std::string& sql) {
    return sqlite3_exec(db_, sql.c_str(), nullptr, nullptr, nullptr) & 0xff;
  }

 private:
  sqlite3* db_ = nullptr;
};

// Runs sql, and interrupts it after n times twenty steps of SQLite's virtual machine, if it takes
// as many, which *came tells.
inline int RunInterrupted(Database* db, const std::string& sql, int n, bool* came) {
  sqlite3_progress_handler(
      db->get(), 20, [](void* left) { return --*static_cast<int*>(left) == 0 ? 1 : 0; }, &n);
  const int code = db->Run(sql);
  sqlite3_progress_handler(db->get(), 0, nullptr, nullptr);
  *came = n <= 0;
  return code;
}

// How many steps of SQLite's virtual machine a statement takes, with those of the statements that
// it runs itself.
inline int Steps(Database* db, const std::string& sql) {
  int steps = 0;
  sqlite3_progress_handler(
      db->get(), 1, [](void* n) { return ++*static_cast<int*>(n), 0; }, &steps);
  db->Exec(sql);
  sqlite3_progress_handler(db->get(), 0, nullptr, nullptr);
  return steps;
}

// A path for a new file, which is deleted with its journals.
class TempFile {
 public:
  TempFile() {
    static std::atomic<int> count{0};
    const char* folder = std::getenv("TMPDIR");
    path_ = std::string(folder == nullptr ? "/tmp" : folder) + "/s2v_test_" +
            std::to_string(getpid()) + "_" + std::to_string(count++) + ".db";
  }
  ~TempFile() {
    for (const char* suffix : {"", "-journal", "-wal", "-shm"}) {
      std::remove((path_ + suffix).c_str());
    }
  }
  TempFile(const TempFile&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

// Sentences over 24 words, the same at every call; "red fox" is in many.
inline void FillTexts(Database* db, const std::string& table, int rows) {
  db->Exec("CREATE TABLE IF NOT EXISTS " + table + "(id INTEGER PRIMARY KEY, body TEXT)");
  db->Exec(R"(
      WITH RECURSIVE w(i, word) AS (SELECT key, value FROM json_each('["red","fox","blue","sea",
        "old","man","new","car","big","sky","rate","cut","hits","bank","rain","falls","sun",
        "rises","cat","sleeps","dog","barks","tree","grows"]')),
      n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < )" +
           std::to_string(rows) + R"()
      INSERT INTO )" +
           table + R"((id, body)
      SELECT n.i, (SELECT group_concat(word, ' ') FROM
        (SELECT word FROM w WHERE (w.i / 2 * 7 + n.i * 5) % 12 < 4 ORDER BY w.i)) FROM n)");
}

// Everything that decides the bytes of a model, so that one seed is one model.
// more: members that are added, or take the place of one.
inline std::string TinyOptions(const std::string& more = "") {
  std::string options = "{" + more;
  for (const std::string member :
       {"\"dimension\":8", "\"epochs\":2", "\"learning_rate\":0.2",
        "\"subsampling_threshold\":0.01", "\"min_count\":1", "\"min_target_count\":1",
        "\"recipe\":\"paper\"", "\"ngram_order\":2", "\"ngram_dropout\":1", "\"negatives\":3",
        "\"workers\":1", "\"tokenizer\":\"unicode\""}) {
    if (more.find(member.substr(0, member.find(':') + 1)) != more.npos) continue;
    options += (options == "{" ? "" : ",") + member;
  }
  return options + "}";
}
inline std::string TrainSql(const std::string& table, const std::string& more = "") {
  return "SELECT s2v_train('" + table + "', 'body', '" + TinyOptions(more) + "')";
}
inline void Train(Database* db, const std::string& table, const std::string& more = "") {
  db->Exec(TrainSql(table, more));
}
// On texts in a table docs, which it makes.
inline void TrainTexts(Database* db, int rows, const std::string& more = "") {
  FillTexts(db, "docs", rows);
  Train(db, "docs", more);
}

// With a table t(id, columns) and s, an index of these columns by words.
inline Database WordIndex(const std::string& tokenize, const std::string& columns = "body") {
  Database db;
  db.Exec("CREATE TABLE t(id INTEGER PRIMARY KEY, " + columns +
          "); CREATE VIRTUAL TABLE s USING s2v_index(t, " + columns + ", tokenize = '" + tokenize +
          "')");
  return db;
}

// With the texts of TrainTexts and an index s of them; options: of the index, ", filter = 'id'".
inline void IndexTexts(Database* db, int rows, const std::string& options = "") {
  TrainTexts(db, rows);
  db->Exec("CREATE VIRTUAL TABLE s USING s2v_index(docs, body" + options + ")");
}
inline Database TextIndex(int rows, const std::string& options = "") {
  Database db;
  IndexTexts(&db, rows, options);
  return db;
}

// Does check twice: while the rows wait, and once they are in the index s.
template <typename Check>
void WaitingAndIndexed(Database* db, const Check& check) {
  for (const char* when : {"waiting", "indexed"}) {
    CAPTURE(when);
    check();
    db->Exec("INSERT INTO s(s) VALUES('sync'); INSERT INTO s(s) VALUES('integrity-check')");
  }
}

// ---- what the index s answers to a question; ' is written twice in it, as in any text of SQL ----

// The rowid of its best row, 0 for none.
inline int64_t FirstRow(Database* db, const std::string& question,
                        const std::string& rank_by = "both") {
  return db->Int("SELECT ifnull(max(rowid), 0) FROM s('" + question + "', 1, '" + rank_by + "')");
}
// The rowids of its rows in their order, "1,4", "" for none.
inline std::string FoundRows(Database* db, const std::string& question,
                             const std::string& rank_by = "words") {
  return db->Text("SELECT ifnull(group_concat(rowid), '') FROM (SELECT rowid FROM s('" + question +
                  "', 9, '" + rank_by + "') ORDER BY rowid)");
}
// What it was read as: "mananger → manager", "" where it was read as it stands.
inline std::string Corrections(Database* db, const std::string& question) {
  return db->Text("SELECT ifnull(max(corrections), '') FROM s('" + question + "', 3)");
}

// So that the next reading comes from the tables. Small, so that making a cache takes no time.
inline void EmptyCache() {
  RowCache::SetBudget(uint64_t{1} << 20);
}

inline bool Contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif

// The columns of s2v_checkpoint under its checksum.
inline constexpr char kCheckpointColumns[] =
    "name, is_default, corpus, texts, texts_hash, tokenizer_version, parameters, choices, words, ngrams, targets, sentences, position, tokens, "
    "library, created, losses";

// As a forger does it: changes the one row of s2v_model or s2v_checkpoint and gives it the checksum
// of what it then has.
inline void Forge(Database* db, const std::string& table, const std::string& change) {
  db->Exec("UPDATE " + table + " SET " + change);
  Statement row(db->get(), std::string("SELECT ") +
                               (table == "s2v_model" ? kCheckedColumns : kCheckpointColumns) +
                               " FROM " + table);
  REQUIRE(row.Step());
  Checksum checksum(0);
  for (int i = 0; i < sqlite3_column_count(row.get()); i++)
    checksum.AddText(row.Type(i) == SQLITE_BLOB ? row.Blob(i) : row.Text(i));
  db->Exec("UPDATE " + table + " SET checksum = " + std::to_string(checksum.Value()));
}

}  // namespace s2v::testing
