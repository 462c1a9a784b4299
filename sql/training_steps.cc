#include "sql/training_steps.h"

#include "sql/checkpoint_store.h"
#include "sql/clock.h"

namespace s2v {
namespace {

constexpr int kLockPollMilliseconds = 50;

}  // namespace

void TakeProgress(const Progress& from, TrainProgress* to) {
  to->fraction = from.fraction;
  to->tokens = from.tokens;
  to->learning_rate = from.learning_rate;
  to->loss = from.loss;
}

void CheckNeeds(const MemoryNeed& need, const MemoryLimits& limits, const Config& config,
                TrainProgress* progress) {
  progress->phase = TrainProgress::kTraining;
  progress->matrix_bytes = need.source + need.target;
  progress->needed_bytes = need.Total();
  progress->available_bytes = MemoryFor(need, limits);
  CheckMemory(need, progress->available_bytes, config);
}

ModelInfo SaveTrained(sqlite3* db, const SaveRequest& request, const Model& model,
                      int lock_wait_milliseconds, std::optional<Savepoint>* undo,
                      const std::function<void()>& report) {
  const bool has_rows = HasCheckpointRows(db, request.name.schema);
  const double give_up = Seconds() + lock_wait_milliseconds / 1e3;
  const ModelInfo info = SaveModel(db, request, model, [&] {
    sqlite3_sleep(kLockPollMilliseconds);
    report();
    return Seconds() < give_up;
  });
  if (*undo) (*undo)->Release();
  if (has_rows) DeleteUnownedRows(db, request.name.schema);
  return info;
}

}  // namespace s2v
