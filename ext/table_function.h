// Table-valued functions: one description and one class of rows for each, one virtual table module
// for all (table_function.cc).
//
//   class CounterRows : public TableRows {                      // rows 1 .. n
//    public:
//     void Begin() override { ... }
//     bool Next() override { return ++at_ <= n_; }
//     void Column(int, sqlite3_context* context) override { Result(context, at_); }
//   };
//   const TableFunction kCounter = {.name = "counter", .columns = "value INTEGER",
//                                   .arguments = {"n"}, .required = 1, .rows = MakeRows<CounterRows>};
//
// The arguments are hidden columns behind the visible ones, so that `counter(5)` and
// `counter WHERE n = 5` are the same, and an argument may come from a table that is joined. All are
// eponymous (no CREATE VIRTUAL TABLE), read-only and innocuous, so they work in views where
// trusted_schema is off.
//
// Plans. idxNum, given by xBestIndex and read by xFilter:
//     bit i            argument i is given; their values come first, in the order of the arguments
//     bit kLookup      the lookup column equals a value, which comes last
// idxStr is for people who read EXPLAIN QUERY PLAN: "lookup" or "scan".
// A plan in which an argument depends on what is not known yet is refused with SQLITE_CONSTRAINT,
// so that SQLite tries the tables in another order.
#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <string_view>

#include "ext/arguments.h"
#include "ext/boundary.h"

namespace s2v {

inline constexpr int kMaxTableArguments = 8;
inline constexpr int kLookup = kMaxTableArguments;  // the slot of its value

// The values of a scan. They live until the next scan of the cursor begins.
class TableArguments {
 public:
  // nullptr where the argument is left out.
  sqlite3_value* operator[](size_t i) const { return values_[i].get(); }
  // What the lookup column must be equal to; nullptr where all rows are wanted.
  sqlite3_value* lookup() const { return values_[kLookup].get(); }
  // Copies the values that SQLite gave for the plan idxNum. Throws std::bad_alloc.
  void Take(int plan, sqlite3_value** values);

 private:
  std::array<Value, kMaxTableArguments + 1> values_;
};

// The rows of one cursor. All but the destructor may throw.
class TableRows : public sqlite3_vtab_cursor {
 public:
  TableRows() : sqlite3_vtab_cursor() {}
  virtual ~TableRows() = default;
  // A new scan, with these arguments.
  virtual void Begin() = 0;
  // Moves to the first row, then to the next. False behind the last; not called again then.
  virtual bool Next() = 0;
  // The value of a visible column of the row.
  virtual void Column(int column, sqlite3_context* context) = 0;

  // What the module keeps of the scan.
  TableArguments arguments;
  bool at_end = true;
  sqlite3_int64 rowid = 0;  // from 1
};

template <typename Rows>
std::unique_ptr<TableRows> MakeRows(const SharedConnection& connection) {
  return std::make_unique<Rows>(connection);
}

struct TableFunction {
  const char* name;
  const char* columns;  // visible: "word TEXT, count INTEGER"
  // Their names, nullptr behind the last; the first `required` must be given.
  std::array<const char*, kMaxTableArguments> arguments = {};
  int required = 0;
  // A column whose equality with a value the rows find without a scan. -1: none.
  int lookup_column = -1;
  // A column by whose falling values the rows come. -1: none.
  int descending_column = -1;
  // Expected of a scan: rows, and their cost in SQLite's unit, about the reading of a row of a
  // table.
  double cost = 100, expected_rows = 10;
  std::unique_ptr<TableRows> (*rows)(const SharedConnection& connection);

  int ArgumentCount() const {
    return static_cast<int>(std::find(arguments.begin(), arguments.end(), nullptr) -
                            arguments.begin());
  }
  int ColumnCount() const {
    const std::string_view list = columns;
    return 1 + static_cast<int>(std::count(list.begin(), list.end(), ','));
  }
};

// table must live for ever. Returns a result code.
int RegisterTableFunction(const TableFunction& table, const SharedConnection& connection);

}  // namespace s2v
