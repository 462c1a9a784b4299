// What a training of a table and an update of a model do alike: tell how far they are, look at the
// memory, and store what results.
#ifndef S2V_SQL_TRAINING_STEPS_H_
#define S2V_SQL_TRAINING_STEPS_H_

#include <functional>
#include <optional>
#include <string>

#include "core/train/trainer.h"
#include "sql/train_table.h"

namespace s2v {

// While a table is read.
inline constexpr uint64_t kTextsPerReport = 1024;

// What the trainer tells, beside what is there.
void TakeProgress(const Progress& from, TrainProgress* to);

// Begins the phase of training: tells what it needs, and throws InvalidArgument where that is more
// than there is.
void CheckNeeds(const MemoryNeed& need, const MemoryLimits& limits, const Config& config,
                TrainProgress* progress);

// SaveModel, waiting for other connections up to lock_wait_milliseconds; then undo, where there is
// one, is released, and the rows of an unfinished training of that name are deleted. report is
// called between two looks at a lock. Throws what SaveModel and report throw; then nothing has
// changed.
ModelInfo SaveTrained(sqlite3* db, const SaveRequest& request, const Model& model,
                      int lock_wait_milliseconds, std::optional<Savepoint>* undo,
                      const std::function<void()>& report);

}  // namespace s2v

#endif  // S2V_SQL_TRAINING_STEPS_H_
