// Runs a statement of the user's while long work goes on. Its parameters say how far the work is:
//
//   ProgressStatement statement(db, "INSERT INTO heard VALUES(:phase, :fraction)",
//                               {":phase", ":fraction", ":seconds"});
//   statement.Report("reading", {{":fraction", 0.5}});
//
// Every list of names has :phase, which Report is given, and :seconds, since the statement was
// made. It runs at each new phase, and then once a second. Outside a transaction what it writes is
// committed at once, for other connections to read.
//
// Thread rule: as the connection's.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "sql/statement.h"

namespace s2v {

class ProgressStatement {
 public:
  // names must outlive it. Throws SqlError where SQLite does not take sql, InvalidArgument unless
  // it is one statement with these parameters or some of them, that begins and ends no transaction.
  ProgressStatement(sqlite3* db, const std::string& sql, std::span<const std::string_view> names);

  using Value = std::variant<std::nullptr_t, int64_t, double>;
  // Throws SqlError and InvalidArgument, saying that it was this statement.
  void Report(std::string_view phase, const std::map<std::string_view, Value>& values);

 private:
  sqlite3* db_;
  Statement statement_;
  const double began_;
  double last_ = 0;
  std::string last_phase_;
};

}  // namespace s2v
