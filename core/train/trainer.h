// Training: a corpus in, a model out.
//
//   Model model = Train(config, std::move(corpus), observer);   // in one go
//
//   Trainer trainer(config, std::move(corpus));                 // to stop now and resume later:
//   trainer.StartFrom(state);                                   // of another trainer
//   trainer.Run(observer);   // which may Pause, keep state(), EndPause
//   Model model = trainer.Finish();
//
// Random numbers belong to places in the corpus, not to threads, and workers pause between two
// chunks of sentences only: with one worker, a training that was resumed gives the same bytes as
// one that was never stopped. With several the steps interleave in another order (Hogwild), as they
// do from run to run.
//
// Thread rule: Run starts up to WorkerCount threads and returns when they have ended; the observer
// runs on the caller's thread only, and alone may call Pause, state and EndPause.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <vector>

#include "core/config.h"
#include "core/model/model.h"
#include "core/train/corpus.h"
#include "core/train/sgd_step.h"

namespace s2v {

struct Progress {
  double fraction = 0;       // of the training, 0 to 1
  uint64_t tokens = 0;       // known words passed so far; in each epoch a word counts again
  double learning_rate = 0;  // now
  double loss = 0;           // recent mean of eq. 3 for a target; 0 until there is one
};

// Called about ten times a second, where there are no threads after each chunk of sentences; false
// stops the training.
using ProgressObserver = std::function<bool(const Progress&)>;

// The state of a training: all that its next step depends on besides config and corpus.
struct TrainingState {
  uint64_t position = 0;         // sentences done, those of all epochs end to end; of Rounds.total
  uint64_t tokens = 0;           // known words in them
  Matrix source, target;         // V [words + n-grams, dimension], U [target words, dimension]
  std::vector<StepLoss> losses;  // [epochs] so far
};

// Trainings of several corpora that go on side by side, in rounds: all do the same part of theirs
// in a round, and what they do in between keeps their rows alike. A training by itself is one
// round.
struct Rounds {
  uint64_t sentences = 0;  // of a round, of all trainings together
  uint64_t total = 0;      // of all rounds: of all epochs of all corpora
  uint64_t before = 0;     // of the trainings before this one: no two have the same random numbers
  uint64_t chunk = 0;      // sentences that a worker takes at a time
  // Called on Run's thread while no worker works: before the first round, between two and after the
  // last one. It makes state.tokens those of all trainings. False stops the training.
  std::function<bool(TrainingState*)> between = [](TrainingState*) { return true; };
  // Called in Finish: makes the matrix the sum of those of all trainings.
  SumOfRanks sum = [](Matrix*) {};
};

class Trainer {
 public:
  // Throws InvalidArgument, std::bad_alloc. REQUIRES: a valid config, the one that corpus was built
  // with.
  Trainer(const Config& config, Corpus corpus);
  // Begins at state instead of at random rows. Throws InvalidArgument where its shape is not that
  // of config and corpus. REQUIRES: before Run.
  void StartFrom(TrainingState state);
  // REQUIRES: before StartFrom, Run.
  void TakeRounds(Rounds rounds);
  // Throws InvalidArgument where a value stops being finite (naming the learning rate), Interrupted
  // where the observer says so, what the observer throws, std::bad_alloc, std::system_error where
  // no thread starts.
  void Run(const ProgressObserver& observer);
  // Lets the workers wait between two chunks of sentences. False, and there is no pause, where they
  // do not all come there within patience. REQUIRES: a training by itself, or called by
  // Rounds.between.
  bool Pause(std::chrono::milliseconds patience);
  // REQUIRES: paused.
  const TrainingState& state() const { return state_; }
  void EndPause();
  // REQUIRES: Run has returned, once. All trainings of common rounds call it.
  Model Finish(const Tick& tick = [] {});

 private:
  struct Worker;
  uint64_t SourceRows() const { return corpus_.vocabulary.size() + corpus_.ngram_buckets.size(); }
  void Work();  // a worker's thread
  // by the caller's thread, where there are no others
  void RunHere(const ProgressObserver& observer);
  // The next chunk; waits while the training is paused and at the end of a round. False where there
  // is none, or the training has been stopped.
  bool Take(uint64_t* begin);
  // The part of the own sentences that lies before a position in rounds_.total.
  uint64_t Own(uint64_t position) const;
  bool IsLastRound() const { return round_end_ == rounds_.total; }
  // REQUIRES, of these: mutex_ held, or no worker's thread.
  bool AllAreDone() const { return IsLastRound() && next_ >= total_; }
  bool RoundIsOver() const { return !IsLastRound() && next_ >= rest_at_ && resting_ == running_; }
  void BeginRound();
  // Sentences begin .. end-1 of all epochs, end to end.
  void RunChunk(uint64_t begin, uint64_t end, Worker* worker);
  double LearningRate(uint64_t i) const;
  void AddLoss(uint64_t epoch, StepLoss* loss);
  // REQUIRES, of both: mutex_ held.
  void Stop();
  Progress Now();

  const Config config_;
  Corpus corpus_;
  const uint32_t target_words_;
  const std::vector<float> keep_, context_keep_;
  const NegativeSampler negatives_;
  const uint64_t total_;  // sentences of all epochs
  Rounds rounds_;
  uint64_t round_end_ = 0;            // in rounds_.total
  std::atomic<uint64_t> rest_at_{0};  // the same place in total_, where workers rest; 0: in a pause
  // position and tokens are those of the last pause or end of a round
  TrainingState state_;
  Matrix& source_ = state_.source;
  Matrix& target_ = state_.target;

  std::atomic<uint64_t> next_{0};
  std::atomic<uint64_t> tokens_{0};
  std::atomic<bool> stop_{false};  // written with mutex_ held, as rest_at_ is
  std::mutex mutex_;               // guards all below, and state_.losses
  std::condition_variable ended_;  // or come to rest
  std::condition_variable may_go_on_;
  size_t running_ = 0, resting_ = 0;
  std::exception_ptr error_;
  StepLoss recent_;  // since the last progress report
  double last_loss_ = 0;
};

Model Train(const Config& config, Corpus corpus, const ProgressObserver& observer);

// Updating a finished model with texts that it has not seen: a corpus of
// CorpusBuilder::ContinueFrom, KeepForReplay, and a training from StateOf with a lower learning
// rate and fewer epochs.
//
// A model that is trained on new texts alone drifts away from the old ones (catastrophic
// forgetting: McCloskey, Cohen, 1989); trained on some of them between the new ones, it stays
// (rehearsal: Robins, "Catastrophic forgetting, rehearsal and pseudorehearsal", 1995).

// Leaves all new sentences and, of the old ones, a random choice of at most old_sentences, for
// training; words, n-grams and their counts stay. REQUIRES: once for a corpus.
void KeepForReplay(uint64_t old_sentences, uint64_t seed, Corpus* corpus);

// The rows of the model at their places in the corpus, words by their names and n-grams by their
// buckets; the others as before a training. REQUIRES: a corpus that continues the model's.
TrainingState StateOf(const Model& model, const Config& config, const Corpus& corpus);

}  // namespace s2v
