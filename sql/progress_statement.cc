#include "sql/progress_statement.h"

#include <string_view>

#include "core/error.h"
#include "sql/system.h"
#include "sql/train_table.h"

namespace s2v {
namespace {

constexpr double kSecondsBetween = 1;
constexpr std::string_view kNames[] = {":phase",         ":fraction", ":loss",
                                       ":learning_rate", ":tokens",   ":seconds"};

std::string_view PhaseName(TrainProgress::Phase phase) {
  if (phase == TrainProgress::kReading) return "reading";
  return phase == TrainProgress::kStoring ? "storing" : "training";
}

void CheckParameters(sqlite3_stmt* statement) {
  for (int i = 1; i <= sqlite3_bind_parameter_count(statement); i++) {
    const char* name = sqlite3_bind_parameter_name(statement, i);
    try {
      CheckKnown("parameter", name == nullptr ? "?" : name, kNames);
    } catch (const InvalidArgument& error) {
      throw InvalidArgument("progress: " + std::string(error.what()));
    }
  }
}

}  // namespace

ProgressStatement::ProgressStatement(sqlite3* db, const std::string& sql)
    : db_(db), began_(Seconds()) {
  try {
    statement_ = Statement(db, sql);
    if (statement_.get() == nullptr)
      throw InvalidArgument("progress: no statement in '" + sql + "'");
    // What follows the first statement would never run.
    const char* text = sqlite3_sql(statement_.get());
    const std::string rest = sql.substr(std::string_view(text).size());
    if (Statement(db, rest).get() != nullptr) {
      throw InvalidArgument("progress: one statement expected, not '" + sql + "'");
    }
  } catch (const SqlError& error) {
    throw SqlError(error.code(), "progress: " + std::string(error.what()));
  }
  CheckParameters(statement_.get());
}

void ProgressStatement::Report(const TrainProgress& progress) {
  const double now = Seconds();
  if (progress.phase == TrainProgress::kCheckpoint) return;  // it hears of a training
  if (progress.phase == last_phase_ && now - last_ < kSecondsBetween) return;
  last_ = now;
  last_phase_ = progress.phase;
  const auto bind = [&](const char* name, const auto& value) {
    const int index = sqlite3_bind_parameter_index(statement_.get(), name);
    if (index > 0) statement_.Bind(index, value);
  };
  const auto known = [](bool is_known, double value) {
    return is_known ? std::optional(value) : std::nullopt;
  };
  bind(":phase", PhaseName(progress.phase));
  bind(":tokens", progress.tokens);
  bind(":fraction", progress.fraction);
  bind(":loss", known(progress.loss > 0, progress.loss));
  bind(":learning_rate", known(progress.phase != TrainProgress::kReading, progress.learning_rate));
  bind(":seconds", now - began_);
  Run();
}

void ProgressStatement::Run() {
  const bool autocommit = sqlite3_get_autocommit(db_) != 0;
  try {
    statement_.Run();
  } catch (const SqlError& error) {
    statement_.Reset();
    throw SqlError(error.code(), "progress: " + std::string(error.what()));
  }
  if ((sqlite3_get_autocommit(db_) != 0) == autocommit) return;
  if (autocommit) Execute(db_, "ROLLBACK");
  throw InvalidArgument("progress: the statement must neither begin nor end a transaction");
}

}  // namespace s2v
