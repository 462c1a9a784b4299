// A question to an index while its rows are read: what ext/index_ask.cc fills and
// ext/index_snippets.cc looks at.
//
// The hidden column that has the index's name is a number that leads from a row back to its
// question, for functions that get it as an argument: the question's number among those of the
// connection, and the row's place in the answer. It goes through sorters, views and subqueries;
// where the question is over, it leads nowhere.
//
// Thread rule: as the connection's.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "ext/arguments.h"
#include "ext/boundary.h"
#include "ext/index_commands.h"
#include "ext/index_filters.h"
#include "sql/index_search.h"
#include "sql/index_snippets.h"

namespace s2v {

struct IndexTable : sqlite3_vtab {
  IndexTable() : sqlite3_vtab() {}
  SharedConnection connection;
  std::string schema, name;
  std::vector<FilterColumn> filters;
  std::string
      lost_filters;  // why it has none that it was made with: what a question says; "": it has them
  bool has_passages = false;
  StatementCache statements;  // of questions

  // nullptr where there is none with this number.
  const FilterColumn* Filter(int number) const {
    return number >= 0 && static_cast<size_t>(number) < filters.size()
               ? &filters[static_cast<size_t>(number)]
               : nullptr;
  }
  sqlite3* db() const { return connection->db; }
  IndexMemory* memory() const { return MemoryOf(*connection, schema, name).get(); }
};

struct IndexCursor : sqlite3_vtab_cursor {
  // of: what the cursor does not outlive.
  explicit IndexCursor(Connection* of) : sqlite3_vtab_cursor(), connection(of) {}
  ~IndexCursor() { Forget(); }
  IndexCursor(const IndexCursor&) = delete;
  IndexCursor& operator=(const IndexCursor&) = delete;

  Connection* connection;
  int64_t number = 0;  // of the question; 0: none
  IndexQuestion question;
  // [meanings] that the conditions may have, the rows of each; behind several of them their union.
  // The question points to the last.
  std::vector<search::RowSet> allowed;
  bool may_grow = false;  // no k says how many rows
  IndexDefinition index;
  IndexResult result;
  size_t at = 0;
  std::unique_ptr<Snippets> snippets;  // of the result, once it is asked for some
  uint64_t snippets_generation = 0;    // the connection's, which they read the model of
  // What the question was asked with, NULL where the statement says nothing.
  Value count, rank_by, max_similar;
  std::string asked;  // all that the answer depends on; "": it has to be looked for anew

  void Forget() {
    snippets.reset();
    connection->cursors.erase(number);
    number = 0;
  }
  // Begins another question.
  void Begin() {
    Forget();
    at = 0;
    asked.clear();
    result = {};
    question = {};
    do {
      number = connection->last_cursor = connection->last_cursor % kMostCursors + 1;
    } while (!connection->cursors.emplace(number, this).second);
  }
  int64_t RowReference() const { return number << kPlaceBits | static_cast<int64_t>(at); }
  // nullptr where the number is none of a row that is being read.
  static std::pair<IndexCursor*, const IndexAnswer*> Find(const Connection& connection,
                                                          int64_t reference) {
    const auto cursor = connection.cursors.find(reference >> kPlaceBits);
    if (cursor == connection.cursors.end()) return {};
    const auto& answers = cursor->second->result.answers;
    const auto at = static_cast<size_t>(reference & ((int64_t{1} << kPlaceBits) - 1));
    if (at >= answers.size()) return {};
    return {cursor->second, &answers[at]};
  }

 private:
  static constexpr int kPlaceBits = 32;
  static constexpr int64_t kMostCursors = (int64_t{1} << 31) - 1;
};

// Throws InvalidArgument where SQLite does not find the table or a column: ALTER TABLE renames them
// under a question that is being read, and with PRAGMA legacy_alter_table the table may lose one.
inline void CheckNotLost(const SqlError& error, const std::string& index) {
  const std::string what = error.what();
  if (what.find("no such column: ") == what.npos && what.find("no such table: ") == what.npos)
    return;
  throw InvalidArgument(
      what + "; if it was renamed meanwhile, run this again; if the table has lost it, " +
      DropHint(index));
}

// The columns of an index with passages, in their order behind the filters; ext/index_snippets.cc
// gives them of the row that is being read.
enum class PassageColumn { kPassage, kAt, kColumn };
void PassageResult(IndexCursor* cursor, PassageColumn column, sqlite3_context* context);

}  // namespace s2v
