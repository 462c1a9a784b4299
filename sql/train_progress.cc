#include "sql/train_progress.h"

#include <memory>

#include "sql/progress_statement.h"

namespace s2v {

TrainObserver TellStatement(sqlite3* db, const std::string& sql, const TrainObserver& observer) {
  if (sql.empty()) return observer;
  static constexpr std::string_view kNames[] = {":phase",         ":fraction", ":loss",
                                                ":learning_rate", ":tokens",   ":seconds"};
  // Shared, since a function is copied.
  const auto statement = std::make_shared<ProgressStatement>(db, sql, kNames);
  return [statement, observer](const TrainProgress& progress) {
    if (progress.phase != TrainProgress::kCheckpoint) {  // it hears of a training
      const bool reading = progress.phase == TrainProgress::kReading;
      const bool storing = progress.phase == TrainProgress::kStoring;
      const auto known = [](bool is_known, double value) {
        return is_known ? ProgressStatement::Value(value) : nullptr;
      };
      statement->Report(reading   ? "reading"
                        : storing ? "storing"
                                  : "training",
                        {{":tokens", static_cast<int64_t>(progress.tokens)},
                         {":fraction", progress.fraction},
                         {":loss", known(progress.loss > 0, progress.loss)},
                         {":learning_rate", known(!reading, progress.learning_rate)}});
    }
    return observer(progress);
  };
}

}  // namespace s2v
