// How far a training, an update or a conversion is, for whoever watches it.
#pragma once

#include <cstdint>
#include <functional>

#include "core/train/trainer.h"

namespace s2v {

struct TrainProgress : Progress {
  enum Phase { kReading, kTraining, kCheckpoint, kStoring };
  Phase phase = kReading;
  uint64_t texts = 0;            // read so far; while they are, tokens are those read so far
  uint64_t matrix_bytes = 0;     // of the two matrices, from training on
  uint64_t needed_bytes = 0;     // of memory, from training on
  uint64_t available_bytes = 0;  // for that; 0: not known
};
// Called about ten times a second while training, every thousand rows or so while reading, and of a
// conversion while storing; of others then once, and while they wait for a lock. False stops the
// work.
using TrainObserver = std::function<bool(const TrainProgress&)>;

}  // namespace s2v
