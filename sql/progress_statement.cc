#include "sql/progress_statement.h"

#include "core/error.h"
#include "sql/system/clock.h"

namespace s2v {
namespace {

constexpr double kSecondsBetween = 1;
constexpr char kOwnTransaction[] = "the statement must neither begin nor end a transaction";

// Does the work; errors say that it was this statement.
template <typename Work>
void Named(const Work& work) {
  try {
    work();
  } catch (const SqlError& error) {
    throw SqlError(error.code(), "progress: " + std::string(error.what()));
  } catch (const InvalidArgument& error) {
    throw InvalidArgument("progress: " + std::string(error.what()));
  }
}

}  // namespace

ProgressStatement::ProgressStatement(sqlite3* db, const std::string& sql,
                                     std::span<const std::string_view> names)
    : db_(db), began_(Seconds()) {
  Named([&] {
    statement_ = Statement(db, sql);
    if (!statement_) throw InvalidArgument("no statement in '" + sql + "'");
    // What follows the first statement would never run.
    const std::string_view text = sqlite3_sql(statement_.get());
    if (Statement(db, sql.substr(text.size()))) {
      throw InvalidArgument("one statement expected, not '" + sql + "'");
    }
    Statement program(db, "EXPLAIN " + std::string(text));
    while (program.Step()) {
      const std::string_view opcode = program.Text(1);
      if (opcode == "AutoCommit" || opcode == "Savepoint") throw InvalidArgument(kOwnTransaction);
    }
    for (int i = 1; i <= sqlite3_bind_parameter_count(statement_.get()); i++) {
      const char* name = sqlite3_bind_parameter_name(statement_.get(), i);
      CheckKnown("parameter", name == nullptr ? "?" : name, names);
    }
  });
}

void ProgressStatement::Report(std::string_view phase,
                               const std::map<std::string_view, Value>& values) {
  const double now = Seconds();
  if (phase == last_phase_ && now - last_ < kSecondsBetween) return;
  last_ = now;
  last_phase_ = phase;
  const auto index_of = [&](std::string_view name) {
    return sqlite3_bind_parameter_index(statement_.get(), std::string(name).c_str());
  };
  if (const int index = index_of(":phase")) statement_.Bind(index, phase);
  if (const int index = index_of(":seconds")) statement_.Bind(index, now - began_);
  for (const auto& [name, value] : values) {
    const int index = index_of(name);
    if (index > 0) std::visit([&](const auto& given) { statement_.Bind(index, given); }, value);
  }
  const bool autocommit = sqlite3_get_autocommit(db_) != 0;
  const auto has_ended = [&] { return (sqlite3_get_autocommit(db_) != 0) != autocommit; };
  Named([&] {
    try {
      statement_.Run();
    } catch (const SqlError& error) {
      // By OR ROLLBACK.
      if (!has_ended()) throw;
      throw SqlError(error.code(), std::string(error.what()) + "; it has ended the transaction");
    }
    if (!has_ended()) return;
    if (autocommit) Execute(db_, "ROLLBACK");
    throw InvalidArgument(kOwnTransaction);  // of a function that it calls
  });
}

}  // namespace s2v
