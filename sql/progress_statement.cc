// TellStatement of sql/train_table.h: a statement of the user's that is told how far a training is, by
// parameters of these names:
//
//   :phase           'reading', 'training' or 'storing'
//   :fraction        of the training, 0 to 1
//   :loss            recent mean of a target, NULL until there is one
//   :learning_rate   now, NULL while reading
//   :tokens          reading: read so far; then known words passed so far, all epochs
//   :seconds         since the beginning
//
// It runs at each new phase, and then once a second. Outside a transaction what it writes is committed at once,
// for other connections to read.
#include <memory>
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

class ProgressStatement {
 public:
  ProgressStatement(sqlite3* db, const std::string& sql) : db_(db) {
    Named([&] {
      statement_ = Statement(db, sql);
      if (!statement_) throw InvalidArgument("no statement in '" + sql + "'");
      // What follows the first statement would never run.
      const std::string_view text = sqlite3_sql(statement_.get());
      if (Statement(db, sql.substr(text.size()))) {
        throw InvalidArgument("one statement expected, not '" + sql + "'");
      }
      for (int i = 1; i <= sqlite3_bind_parameter_count(statement_.get()); i++) {
        const char* name = sqlite3_bind_parameter_name(statement_.get(), i);
        CheckKnown("parameter", name == nullptr ? "?" : name, kNames);
      }
    });
  }

  void Report(const TrainProgress& progress) {
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
    bind(":learning_rate",
         known(progress.phase != TrainProgress::kReading, progress.learning_rate));
    bind(":seconds", now - began_);
    const bool autocommit = sqlite3_get_autocommit(db_) != 0;
    Named([&] {
      statement_.Run();
      if ((sqlite3_get_autocommit(db_) != 0) == autocommit) return;
      if (autocommit) Execute(db_, "ROLLBACK");
      throw InvalidArgument("the statement must neither begin nor end a transaction");
    });
  }

 private:
  sqlite3* db_;
  Statement statement_;
  const double began_ = Seconds();
  double last_ = 0;
  int last_phase_ = -1;
};

}  // namespace

TrainObserver TellStatement(sqlite3* db, const std::string& sql, const TrainObserver& observer) {
  if (sql.empty()) return observer;
  // Shared, since a function is copied.
  const auto statement = std::make_shared<ProgressStatement>(db, sql);
  return [statement, observer](const TrainProgress& progress) {
    statement->Report(progress);
    return observer(progress);
  };
}

}  // namespace s2v
