// Training: a corpus in, a model out.
//
//   Model model = Train(config, std::move(corpus), Observe);   // in one go
//
//   Trainer trainer(config, std::move(corpus));                // to stop now and go on later:
//   trainer.TakeUp(state);                                     // where another one stood
//   trainer.Run([&](const Progress& p) {
//     if (trainer.Pause(patience)) { Keep(trainer.state()); trainer.GoOn(); }
//     return true;
//   });
//   Model model = trainer.Finish();
//
// Random numbers belong to places in the corpus, not to threads, and workers pause between two
// chunks of sentences only: with one worker, a training that was taken up gives the same bytes as
// one that was never stopped. With several the steps interleave in another order (Hogwild), as they
// do from run to run.
//
// Thread rule: Run starts config.workers threads and returns when they have ended; the observer
// runs on the caller's thread only, and alone may call Pause, state and GoOn.
#ifndef S2V_CORE_TRAIN_TRAINER_H_
#define S2V_CORE_TRAIN_TRAINER_H_

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "core/config.h"
#include "core/model/model.h"
#include "core/train/corpus.h"
#include "core/train/sgd_step.h"

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

// Where a training stands: all that its next step depends on besides config and corpus.
struct TrainingState {
  uint64_t position = 0;         // sentences done, those of all epochs end to end
  uint64_t tokens = 0;           // known words in them
  Matrix source, target;         // V [words + n-grams, dimension], U [target words, dimension]
  std::vector<StepLoss> losses;  // [epochs] so far
};

class Training;

class Trainer {
 public:
  // Throws InvalidArgument, std::bad_alloc. REQUIRES: a valid config, the one that corpus was built
  // with.
  Trainer(const Config& config, Corpus corpus);
  ~Trainer();
  // Begins at state instead of at random rows. Throws InvalidArgument where its shape is not that
  // of config and corpus. REQUIRES: before Run.
  void TakeUp(TrainingState state);
  // Throws InvalidArgument where a value stops being finite (naming the learning rate), Interrupted
  // where the observer says so, what the observer throws, std::bad_alloc.
  void Run(const ProgressObserver& observer);
  // Lets the workers wait between two chunks of sentences. False, and they go on, where they have
  // not all come to one within patience.
  bool Pause(std::chrono::milliseconds patience);
  // REQUIRES: paused.
  const TrainingState& state() const;
  void GoOn();
  // REQUIRES: Run has returned, once.
  Model Finish();

 private:
  const std::unique_ptr<Training> training_;
};

// A Trainer's whole life.
Model Train(const Config& config, Corpus corpus, const ProgressObserver& observer);

// The random source row of a feature before training: of a word from its hash, of an n-gram from
// the seed and its place in the matrix. row: of words by id, then n-grams.
void FillSourceRow(const Config& config, const Vocabulary& vocabulary, uint64_t row,
                   Matrix* source);

}  // namespace s2v

#endif  // S2V_CORE_TRAIN_TRAINER_H_
