// Training: a corpus in, a model out.
//
//   Model model = Train(config, std::move(corpus), [](const Progress& p) { Show(p); return true;
//   });
//
// Thread rule: Train starts config.workers threads and returns when they have ended; the observer
// runs on the caller's thread only.
#ifndef S2V_CORE_TRAIN_TRAINER_H_
#define S2V_CORE_TRAIN_TRAINER_H_

#include <cstdint>
#include <functional>

#include "core/config.h"
#include "core/model/model.h"
#include "core/train/corpus.h"

namespace s2v {

struct Progress {
  double fraction = 0;       // of the training, 0 to 1
  uint64_t tokens = 0;       // known words passed so far, counted once an epoch
  double learning_rate = 0;  // now
  double loss = 0;           // recent mean of eq. 3 for a target; 0 until there is one
};

// Called about ten times a second; false stops the training.
using ProgressObserver = std::function<bool(const Progress&)>;

// Bytes of the two matrices that Train will allocate.
uint64_t MatrixBytes(const Config& config, const Corpus& corpus);

// Throws InvalidArgument where a value stops being finite (naming the learning rate), Interrupted
// where the observer says so, std::bad_alloc. REQUIRES: a valid config, the one that corpus was
// built with.
Model Train(const Config& config, Corpus corpus, const ProgressObserver& observer);

}  // namespace s2v

#endif  // S2V_CORE_TRAIN_TRAINER_H_
