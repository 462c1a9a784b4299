// How far a training, an update or a conversion is, for whoever watches it.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "core/train/trainer.h"
#include "sql/statement.h"

namespace s2v {

struct TrainProgress : Progress {
  enum Phase { kReading, kTraining, kCheckpoint, kStoring };
  Phase phase = kReading;
  uint64_t texts = 0;            // read so far; while they are, tokens are those read so far
  uint64_t matrix_bytes = 0;     // of the two matrices, from training on
  uint64_t needed_bytes = 0;     // of memory, from training on
  uint64_t available_bytes = 0;  // for that; 0: not known
};
// Called about ten times a second while training, every thousand rows or so while reading and
// storing; false stops the work.
using TrainObserver = std::function<bool(const TrainProgress&)>;
// An observer that runs a statement (sql/progress_statement.h) and then calls the given one; just the given one where sql is "". The
// statement's parameters:
//
//   :phase           'reading', 'training' or 'storing'
//   :fraction        of the training, 0 to 1
//   :loss            recent mean of a target, NULL until there is one
//   :learning_rate   now, NULL while reading
//   :tokens          reading: read so far; then known words passed so far, all epochs
//   :seconds         since the beginning
//
// Throws InvalidArgument where it is not one statement with these.
TrainObserver TellStatement(sqlite3* db, const std::string& sql, const TrainObserver& observer);

}  // namespace s2v
