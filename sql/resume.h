// Checkpoints of a training: when it keeps one, which never makes it fail, and which one a request
// to resume means.
//
//   Checkpointer checkpointer(db, head, every, begun, announce, warn);
//   trainer.Run([&](const Progress& p) {
//     if (stopped) { checkpointer.StoreLast(&trainer, p.fraction); return false; }
//     checkpointer.StoreIfDue(&trainer, p.fraction);
//     return true;
//   });
//
// The workers wait while the rows are written, so that a checkpoint is one moment of the training.
// A checkpoint that cannot be written (a lock, a full disk) is left out with a warning. However
// short the interval, writing takes no more than about a tenth of the time.
//
// Thread rule: as the connection's.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sql/checkpoint_store.h"
#include "sql/train_table.h"

namespace s2v {

// Where nothing is said about them: every minute, in trainings that take more than five.
inline constexpr double kCheckpointSeconds = 60;
inline constexpr double kLongTrainingSeconds = 300;

class Checkpointer {
 public:
  // every: seconds between two; 0: never; nullopt: as above. begun: fraction of the training that
  // is done already. announce is called before and after the writing, warn with why it was left
  // out.
  Checkpointer(sqlite3* db, Checkpoint head, std::optional<double> every, double begun,
               std::function<void(bool begins)> announce,
               std::function<void(const std::string&)> warn);
  // fraction: of the training, here and below.
  bool IsDue(double fraction) const;
  // Throws Interrupted, std::bad_alloc.
  void StoreIfDue(Trainer* trainer, double fraction);
  // Before the training is stopped: one more where this training keeps checkpoints, that is where
  // every was given, the first was due, or it goes on from one. The fraction of the training that
  // the last complete checkpoint has; nullopt: there is none.
  std::optional<double> StoreLast(Trainer* trainer, double fraction);

 private:
  // Whether this training keeps checkpoints.
  bool Wanted(double fraction, double now) const;
  void Store(Trainer* trainer);

  sqlite3* db_;
  const Checkpoint head_;
  const std::optional<double> every_;
  const double begun_, begun_at_;
  const std::function<void(bool)> announce_;
  const std::function<void(const std::string&)> warn_;
  double next_at_;
  double stored_at_ = 0;
  std::optional<double> stored_;  // fraction
};

// Finds the checkpoint that the request means, and completes the request with its table, column,
// where, default and settings. Of ranks, the first one does, and the others learn from it what is
// to be trained. Throws InvalidArgument where there is none or more than one, and where the request
// differs from it, naming what differs.
Checkpoint FindCheckpoint(sqlite3* db, TrainRequest* request);

// What ChoicesJson wrote.
std::vector<Choice> ParseChoices(sqlite3* db, const std::string& json);

// The hash of the texts of all ranks, in their order. mine: the hash of this rank's texts.
int64_t HashOfAllTexts(RankGroup* ranks, int64_t mine);

// Throws InvalidArgument where the texts of table are not those of the checkpoint. now: what a
// checkpoint of this training would hold.
void CheckSameCorpus(const Checkpoint& then, const Checkpoint& now, const std::string& table);

}  // namespace s2v
