#include <memory>
#include <set>
#include <tuple>
#include <unordered_map>
#include <unordered_set>

#include "core/error.h"
#include "sql/index_source.h"
#include "sql/index_writer.h"

namespace s2v {
namespace {

// An int8 row is nearer to what it was made from, whatever the kernels.
constexpr double kSameVector = 0.999;
constexpr size_t kMostExamples = 10;

// Where words stand, in the order of fts5vocab.
class Instances {
 public:
  Instances(sqlite3* db, const std::string& table)
      : select_(db, "SELECT term, doc, CAST(substr(col, 2) AS INTEGER), offset FROM " + table) {
    Next();
  }
  void Next() {
    at = {true, {}, 0, 0, 0};
    if (!select_.Step()) return;
    at = {false, std::string(select_.Text(0)), select_.Int(1), select_.Int(2), select_.Int(3)};
  }
  // Whether it is behind the last; word, row, column, place.
  std::tuple<bool, std::string, int64_t, int64_t, int64_t> at;

 private:
  Statement select_;
};

class Inspection {
 public:
  Inspection(sqlite3* db, const IndexDefinition& index, IndexMemory* memory)
      : db_(db), index_(index), source_(db, index) {
    Statement log(db, "SELECT row FROM " + index.Part("log"));
    while (log.Step()) pending_.insert(log.Int(0));
    if (index.dimension == 0) return;
    store_.emplace(db, index, memory);
    const search::Lists& lists = store_->lists();
    for (size_t at = 0; at < lists.size(); at++) {
      for (const search::Block& block : store_->Blocks(lists.id(at))) {
        for (uint32_t row = 0; row < block.rows(); row++) {
          if (!list_of_.emplace(block.rowid(row), lists.id(at)).second) {
            Differs(block.rowid(row), "has two codes");
          }
        }
      }
    }
  }

  IndexReport Run() {
    CheckModel(index_, &source_);
    CompareVectors();
    if (index_.words) CompareWords();
    if (!KnowsUniqueIndexes(db_, index_)) {
      Differs(
          "a UNIQUE index was made later, and rows that are replaced through it are not noticed");
    }
    return std::move(report_);
  }

 private:
  void Differs(std::string what) {
    report_.differences++;
    if (report_.examples.size() < kMostExamples) report_.examples.push_back(std::move(what));
  }
  void Differs(int64_t rowid, const std::string& what) {
    Differs("row " + std::to_string(rowid) + " " + what);
  }

  void CompareVectors() {
    Statement rows(db_, "SELECT " + QuoteName(index_.rowid) + " FROM " + index_.Source());
    Statement stored(db_, "SELECT list FROM " + index_.Part("row") + " WHERE id = ?1");
    std::vector<float> vector(index_.dimension);
    while (rows.Step()) {
      const int64_t rowid = rows.Int(0);
      report_.table_rows++;
      if (pending_.contains(rowid)) {
        report_.pending++;
        list_of_.erase(rowid);
        continue;
      }
      const float* now = source_.Vector(rowid);
      const bool is_stored = stored.Find(rowid);
      const int64_t list = is_stored ? stored.Int(0) : 0;
      const auto code = list_of_.find(rowid);
      (now == nullptr ? report_.left_out : report_.rows)++;
      if (now == nullptr) {
        if (is_stored || code != list_of_.end())
          Differs(rowid, "has no vector, but the index has one");
      } else if (!is_stored) {
        Differs(rowid, "has a vector, but the index has none");
      } else if (code == list_of_.end() || code->second != list) {
        Differs(rowid, "has no code in its list");
      } else if (store_->Similarity(now, rowid).value_or(-1) < kSameVector) {
        Differs(rowid, "has another vector in the index");
      }
      if (code != list_of_.end()) list_of_.erase(code);
    }
    for (const auto& [rowid, list] : list_of_) {
      if (!pending_.contains(rowid)) Differs(rowid, "is in the index, but not in the table");
    }
    Statement gone(db_, "SELECT id FROM " + index_.Part("row") + " WHERE id NOT IN (SELECT " +
                            QuoteName(index_.rowid) + " FROM " + index_.Source() + ")");
    while (gone.Step()) {
      if (!pending_.contains(gone.Int(0)) && !list_of_.contains(gone.Int(0))) {
        Differs(gone.Int(0), "is in the index, but not in the table");
      }
    }
  }

  void CompareWords() {
    const std::string id = QuoteName(index_.rowid), docsize = index_.Part("words_docsize");
    Statement missing(db_, "SELECT " + id + " FROM " + index_.Source() + " WHERE " + id +
                               " NOT IN (SELECT id FROM " + docsize + ")");
    while (missing.Step()) Differs(missing.Int(0), "has no words in the index");
    Statement gone(db_, "SELECT id FROM " + docsize + " WHERE id NOT IN (SELECT " + id + " FROM " +
                            index_.Source() + ")");
    while (gone.Step()) Differs(gone.Int(0), "has words in the index, but is not in the table");
    Execute(db_, "INSERT INTO " + index_.Part("words") + "(" + QuoteName(index_.name + "_words") +
                     ") VALUES('integrity-check')");
    // Again, since FTS5 reads less without an error where memory is short for a moment.
    std::set<int64_t> different = RowsOfOtherWords();
    if (!different.empty()) different = RowsOfOtherWords();
    for (const int64_t rowid : different) Differs(rowid, "has other words in the index");
  }

  // Beside an FTS5 table of the same texts in a database of its own, which SQLite deletes with it.
  std::set<int64_t> RowsOfOtherWords() {
    std::set<int64_t> different;
    sqlite3* opened = nullptr;
    const int code = sqlite3_open("", &opened);
    const std::unique_ptr<sqlite3, int (*)(sqlite3*)> own(opened, sqlite3_close);
    if (code != SQLITE_OK) ThrowSqlError(opened, code);
    const std::string columns = index_.WordColumns();
    Execute(own.get(), "CREATE VIRTUAL TABLE words USING fts5(" + columns +
                           ", content='', tokenize=" + QuoteName(index_.tokenize, '\'') +
                           "); BEGIN");
    Statement rows(db_, "SELECT " + QuoteName(index_.rowid) + ", " + index_.Texts() + " FROM " +
                            index_.Source());
    const int count = sqlite3_column_count(rows.get());
    std::string places = "?";
    for (int i = 1; i < count; i++) places += ", ?";
    Statement insert(own.get(), "INSERT INTO words(rowid, " + columns + ") VALUES(" + places + ")");
    while (rows.Step()) {
      for (int i = 0; i < count; i++) {
        sqlite3_bind_value(insert.get(), i + 1, sqlite3_column_value(rows.get(), i));
      }
      insert.Run();
    }
    const std::string name = "temp." + QuoteName(index_.name + "_check");
    Execute(own.get(), "CREATE VIRTUAL TABLE check_words USING fts5vocab(words, instance)");
    Execute(db_, "CREATE VIRTUAL TABLE " + name + " USING fts5vocab(" + QuoteName(index_.schema) +
                     ", " + QuoteName(index_.name + "_words") + ", instance)");
    try {
      Instances stored(db_, name), expected(own.get(), "check_words");
      for (;;) {
        const auto order = expected.at <=> stored.at;
        const auto& [at_end, word, row, column, place] = order < 0 ? expected.at : stored.at;
        if (at_end) break;
        if (order != 0) different.insert(row);
        if (order <= 0) expected.Next();
        if (order >= 0) stored.Next();
      }
    } catch (...) {
      sqlite3_exec(db_, ("DROP TABLE " + name).c_str(), nullptr, nullptr, nullptr);
      throw;
    }
    Execute(db_, "DROP TABLE " + name);
    return different;
  }

  sqlite3* db_;
  const IndexDefinition& index_;
  IndexSource source_;
  std::optional<IndexStore> store_;
  std::unordered_set<int64_t> pending_;
  std::unordered_map<int64_t, int64_t> list_of_;  // by rowid, where there is a code
  IndexReport report_;
};

}  // namespace

IndexReport InspectIndex(sqlite3* db, const IndexDefinition& index, IndexMemory* memory) {
  return Inspection(db, index, memory).Run();
}

void CheckIndex(sqlite3* db, const IndexDefinition& index, IndexMemory* memory) {
  const IndexReport report = InspectIndex(db, index, memory);
  if (report.differences == 0) return;
  std::string text =
      std::to_string(report.differences) + " differences from '" + index.table + "':";
  for (const std::string& example : report.examples) text += " " + example + ";";
  throw FormatError(text + " 'rebuild' makes the index anew");
}

std::vector<std::string> ListIndexes(sqlite3* db, const std::string& schema) {
  std::vector<std::string> names;
  Statement select(
      db, "SELECT name FROM " + QuoteName(schema) +
              ".sqlite_schema WHERE sql LIKE 'CREATE VIRTUAL TABLE%USING s2v\\_index%' ESCAPE '\\' "
              "ORDER BY name");
  while (select.Step()) names.emplace_back(select.Text(0));
  return names;
}

IndexSummary SummarizeIndex(sqlite3* db, const std::string& schema, const std::string& name) {
  IndexMemory memory;
  IndexSummary summary;
  summary.index = OpenIndex(db, schema, name, &memory);
  const IndexDefinition& index = summary.index;
  const auto number = [&](const std::string& sql, const char* part) {
    return static_cast<uint64_t>(SelectInt(db, "SELECT " + sql + " FROM " + index.Part(part)));
  };
  summary.rows = number("total(rows)", "list");
  summary.lists = number("count(*)", "list");
  summary.pending = number("count(DISTINCT row)", "log");
  summary.vector_bytes = number("total(length(centre))", "list") +
                         number("total(length(codes))", "block") +
                         number("total(coalesce(length(vector), 0)) + 8 * count(*)", "row");
  if (index.words) {
    summary.word_bytes =
        number("total(length(block))", "words_data") + number("total(length(sz))", "words_docsize");
  }
  try {
    IndexSource source(db, index);
    CheckModel(index, &source);
  } catch (const InvalidArgument& error) {
    summary.problem = error.what();
  }
  return summary;
}

void RebuildStaleIndexes(sqlite3* db, const std::string& schema) {
  for (const std::string& name : ListIndexes(db, schema)) {
    IndexMemory memory;
    const IndexDefinition index = OpenIndex(db, schema, name, &memory);
    if (index.of_vectors || IndexSource(db, index).Model().info().hash == index.model_hash)
      continue;
    Savepoint savepoint(db);
    RebuildIndex(db, index, &memory);
    savepoint.Release();
  }
}

void OptimizeIndex(sqlite3* db, const IndexDefinition& index, IndexMemory* memory) {
  SyncIndex(db, index, memory);
  if (!index.words) return;
  Execute(db, "INSERT INTO " + index.Part("words") + "(" + QuoteName(index.name + "_words") +
                  ") VALUES('optimize')");
}

}  // namespace s2v
