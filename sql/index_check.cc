#include "sql/index_check.h"

#include <memory>
#include <set>
#include <tuple>
#include <unordered_map>
#include <unordered_set>

#include "core/error.h"
#include "core/numbers.h"
#include "sql/index_model.h"
#include "sql/index_source.h"
#include "sql/index_store.h"
#include "sql/index_terms.h"

namespace s2v {
namespace {

// What the index has of a vector is more similar than that to the vector itself, whatever the
// kernels.
constexpr double kSameVector = 0.999;
constexpr size_t kMostExamples = 10;

// Reads where words stand, in the order of fts5vocab.
class Instances {
 public:
  Instances(sqlite3* db, const std::string& table)
      : select_(db, "SELECT term, doc, col, offset FROM " + table) {
    Next();
  }
  void Next() {
    at = {true, {}, 0, 0, 0};
    if (!select_.Step()) return;
    int64_t column = 0;
    const std::string_view name = select_.Text(2);  // c12
    if (!name.empty()) ParseNumber(name.substr(1), &column);
    at = {false, std::string(select_.Text(0)), select_.Int(1), column, select_.Int(3)};
  }
  // Whether all were read; the word, its row, its column, and its place there.
  std::tuple<bool, std::string, int64_t, int64_t, int64_t> at;

 private:
  Statement select_;
};

class Inspection {
 public:
  Inspection(sqlite3* db, const IndexDefinition& index)
      : db_(db), index_(index), source_(db, index) {
    Statement log(db, "SELECT row, id FROM " + index.Object("log") + " WHERE id >= ?1 ORDER BY id",
                  index.taken);
    int64_t expected = index.taken;  // the entry that was taken in last stays in the log
    while (log.Step()) {
      if (log.Int(1) != expected) ThrowLogLacks(index);
      if (expected++ > index.taken) pending_rows_.insert(log.Int(0));
    }
    if (expected == index.taken) ThrowLogLacks(index);
    if (index.dimension == 0) return;
    store_.emplace(db, index, &memory_);
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
    CheckModel(index_, &source_.embedder());
    CompareVectors();
    if (index_.words) CompareWords();
    return std::move(report_);
  }

 private:
  void Differs(std::string what) {
    report_.differences++;
    if (report_.examples.size() < kMostExamples) report_.examples.push_back(std::move(what));
  }
  void Differs(int64_t id, const std::string& what) {
    const auto place = source_.ids().Find(id);
    Differs((place ? "row " + std::to_string(place->row)
                   : "part " + std::to_string(id) + " of no row") +
            " " + what);
  }

  // id: what the index has a row under.
  bool IsPending(int64_t id) {
    const auto place = source_.ids().Find(id);
    return place && pending_rows_.contains(place->row);
  }
  // What the index has a row under: its rowid, or the ids of its parts.
  std::vector<int64_t> KnownIds(int64_t rowid) {
    std::vector<int64_t> ids;
    source_.ids().AddIds(rowid, 0, &ids);
    return ids;
  }
  // Calls use with each row of the table, or each part that the index knows, and its id.
  template <typename Use>
  void ForEachRow(Use use) {
    Statement rows(db_, SelectSource(index_));
    SourceRow row;
    RowParts parts;
    while (rows.Step()) {
      ReadSourceRow(index_, rows, &row);
      if (index_.passages == 0) {
        use(row);
        continue;
      }
      const std::vector<int64_t> ids = KnownIds(row.rowid);
      source_.CutParts(row, &parts);
      for (size_t part = 0; part < std::min(ids.size(), parts.size()); part++) {
        parts.Make(part, &row);
        row.rowid = ids[part];
        use(row);
      }
    }
  }

  void CompareVectors() {
    Statement rows(db_, "SELECT " + QuoteName(index_.rowid) + " FROM " + index_.Source());
    Statement stored(db_, "SELECT list, hash FROM " + index_.Object("entry") + " WHERE id = ?1");
    while (rows.Step()) {
      const int64_t rowid = rows.Int(0);
      const std::vector<int64_t> ids = KnownIds(rowid);
      report_.table_rows++;
      if (pending_rows_.contains(rowid)) {
        report_.pending++;
        for (const int64_t id : ids) list_of_.erase(id);
        continue;
      }
      if (index_.passages > 0) CompareParts(rowid);
      for (const int64_t id : ids) CompareEntry(id, &stored);
    }
    CompareGone();
  }

  void CompareParts(int64_t rowid) {
    const IndexParts::Range range = source_.ids().Of(rowid);
    const SourceRow* row = source_.Whole(rowid);
    const char* what = nullptr;
    if (range.parts == 0) {
      what = " is not in the index";
    } else if (row == nullptr || row->Hash() != range.hash) {
      what = " is not what was indexed, and nothing told the index";
    } else if (source_.CountParts(rowid) != range.parts) {
      what = " has other parts in the index";
    }
    if (what != nullptr) Differs("row " + std::to_string(rowid) + what);
  }

  void CompareEntry(int64_t rowid, Statement* stored) {
    const SourceRow* row = source_.Row(rowid);
    if (row == nullptr) return Differs(rowid, "has other parts in the index");
    const float* now = index_.dimension == 0 ? nullptr : source_.embedder().Vector(*row);
    (now == nullptr ? report_.left_out : report_.rows)++;
    if (!stored->Find(rowid)) return Differs(rowid, "is not in the index");
    const auto code = list_of_.extract(rowid);
    const bool has_list = stored->Type(0) != SQLITE_NULL;
    const bool is_coded_there =
        code.empty() ? !has_list : has_list && code.mapped() == stored->Int(0);
    if (stored->Int(1) != row->Hash()) {
      Differs(rowid, "is not what was indexed, and nothing told the index");
    } else if (now == nullptr && has_list) {
      Differs(rowid, "has no vector, but the index has one");
    } else if (now != nullptr && !has_list) {
      Differs(rowid, "has a vector, but the index has none");
    } else if (!is_coded_there) {
      Differs(rowid, "has no code in its list");
    } else if (now != nullptr && store_->Similarity(now, rowid).value_or(-1) < kSameVector) {
      Differs(rowid, "has another vector in the index");
    }
  }

  void CompareGone() {
    if (index_.passages > 0) {
      Statement known(db_, "SELECT row FROM " + index_.Object("part"));
      while (known.Step()) source_.ids().Of(known.Int(0));  // throws where it is damaged
    }
    // A row that vanished without a trigger is no difference: it is taken out when it would be an
    // answer. Until then it has both an entry with a list and a code, or neither.
    const std::string rowids =
        "(SELECT " + QuoteName(index_.rowid) + " FROM " + index_.Source() + ")";
    const std::string row_of = "(SELECT row FROM " + index_.Object("part") +
                               " AS p WHERE p.id <= e.id ORDER BY p.id DESC LIMIT 1)";
    Statement gone(db_, "SELECT id, list FROM " + index_.Object("entry") + " AS e WHERE " +
                            (index_.passages > 0 ? "ifnull(" + row_of + " NOT IN " + rowids + ", 1)"
                                                 : "id NOT IN " + rowids));
    while (gone.Step()) {
      const int64_t rowid = gone.Int(0);
      gone_.insert(rowid);
      if (!source_.ids().Find(rowid)) Differs(rowid, "is in the index");
      if (!IsPending(rowid)) report_.gone++;
      const auto code = list_of_.find(rowid);
      if ((code != list_of_.end()) != (gone.Type(1) != SQLITE_NULL)) {
        Differs(rowid, "is gone, and its code is not in its list");
      }
      if (code != list_of_.end()) list_of_.erase(code);
    }
    for (const auto& [rowid, list] : list_of_) {
      if (!IsPending(rowid)) Differs(rowid, "has a code, but is not in the index");
    }
  }

  void CompareWords() {
    const std::string docsize = index_.Object("fts_docsize"), entry = index_.Object("entry");
    Statement other(db_, "SELECT id FROM " + entry + " WHERE id NOT IN (SELECT id FROM " + docsize +
                             ") UNION ALL SELECT id FROM " + docsize +
                             " WHERE id NOT IN (SELECT id FROM " + entry + ")");
    while (other.Step()) Differs(other.Int(0), "is in one of the two parts of the index only");
    ExecuteFts(db_, index_, "integrity-check");
    double rows = 0, words = 0;
    Statement sizes(db_, "SELECT sz FROM " + docsize);
    for (; sizes.Step(); rows++) words += FtsWords(sizes.Blob(0));
    if (FtsTotals(db_, index_) != std::pair(rows, words))
      Differs("the number of rows, or of their words, is another in the index");
    // A second time, since FTS5 may read too little, without an error, while memory is short.
    std::set<int64_t> different = RowsOfOtherWords();
    if (!different.empty()) different = RowsOfOtherWords();
    for (const int64_t rowid : different) {
      if (!IsPending(rowid) && !gone_.contains(rowid)) {
        Differs(rowid, "has other words in the index");
      }
    }
  }

  // Compares with an FTS5 table of the same words in a temporary database, which SQLite deletes
  // when it is closed.
  std::set<int64_t> RowsOfOtherWords() {
    sqlite3* opened = nullptr;
    const int code = sqlite3_open("", &opened);
    const std::unique_ptr<sqlite3, int (*)(sqlite3*)> own(opened, sqlite3_close);
    if (code != SQLITE_OK) ThrowSqlError(opened, code);
    IndexDefinition expected = index_;
    expected.schema = "main";
    std::set<int64_t> different;
    CompareTerms(opened, expected, &different);
    CompareSizes(opened, expected, &different);
    ComparePlaces(opened, &different);
    return different;
  }

  // Fills the other FTS5 table with the words that the table has.
  void CompareTerms(sqlite3* other, const IndexDefinition& expected, std::set<int64_t>* different) {
    Execute(other, "CREATE VIRTUAL TABLE " + expected.Object("fts") + " USING fts5(" +
                       index_.TermColumns() + ", content='', tokenize=ascii); BEGIN");
    Statement insert(other, InsertTermsSql(expected));
    TermCutter cutter(db_, index_);
    TermNumbers numbers(db_, index_);
    Statement stored_terms(db_, "SELECT terms FROM " + index_.Object("entry") + " WHERE id = ?1");
    RowTerms terms;
    ForEachRow([&](const SourceRow& row) {
      row.Cut(cutter, &terms);
      NumberedTerms numbered{{}, terms.columns};
      for (size_t i = 0; i < terms.size(); i++)
        numbered.numbers.push_back(numbers.Number(terms[i]));
      PutTerms(row.rowid, numbered, &insert);
      if (!stored_terms.Find(row.rowid) || stored_terms.Blob(0) != StoredTerms(numbered))
        different->insert(row.rowid);
    });
  }

  void CompareSizes(sqlite3* other, const IndexDefinition& expected, std::set<int64_t>* different) {
    Statement sizes(other, "SELECT id, sz FROM " + expected.Object("fts_docsize"));
    Statement stored_size(db_, "SELECT sz FROM " + index_.Object("fts_docsize") + " WHERE id = ?1");
    while (sizes.Step()) {
      if (!stored_size.Find(sizes.Int(0)) || stored_size.Blob(0) != sizes.Blob(1))
        different->insert(sizes.Int(0));
    }
  }

  // Of each word in each row.
  void ComparePlaces(sqlite3* other, std::set<int64_t>* different) {
    const std::string name = "temp." + QuoteName("s2v_check_" + index_.name);
    Execute(other, "CREATE VIRTUAL TABLE check_words USING fts5vocab(" +
                       QuoteName(index_.name + "_fts", '\'') + ", instance)");
    Execute(db_, "CREATE VIRTUAL TABLE " + name + " USING fts5vocab(" + QuoteName(index_.schema) +
                     ", " + index_.FtsName() + ", instance)");
    try {
      Instances stored(db_, name), expected(other, "check_words");
      for (;;) {
        const bool is_missing = expected.at < stored.at, is_more = stored.at < expected.at;
        const auto& [at_end, word, doc, column, place] = is_missing ? expected.at : stored.at;
        if (at_end) break;
        if (is_missing || is_more) different->insert(doc);
        if (!is_more) expected.Next();
        if (!is_missing) stored.Next();
      }
    } catch (...) {
      sqlite3_exec(db_, ("DROP TABLE " + name).c_str(), nullptr, nullptr, nullptr);
      throw;
    }
    Execute(db_, "DROP TABLE " + name);
  }

  sqlite3* db_;
  const IndexDefinition& index_;
  IndexSource source_;
  IndexMemory memory_;  // no lists that others have read
  std::optional<IndexStore> store_;
  std::unordered_set<int64_t> pending_rows_;
  // What is gone from the table, and which list has a code, by what the index has for rowids.
  std::unordered_set<int64_t> gone_;
  std::unordered_map<int64_t, int64_t> list_of_;
  IndexReport report_;
};

}  // namespace

IndexReport InspectIndex(sqlite3* db, const IndexDefinition& index) {
  return Inspection(db, index).Run();
}

void CheckIndex(sqlite3* db, const IndexDefinition& index) {
  const IndexReport report = InspectIndex(db, index);
  if (report.differences == 0) return;
  std::string text =
      std::to_string(report.differences) + " differences from '" + index.table + "':";
  for (const std::string& example : report.examples) text += " " + example + ";";
  throw FormatError(text + " 'rebuild' makes the index anew");
}

}  // namespace s2v
