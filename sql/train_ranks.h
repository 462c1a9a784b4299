// A training by several ranks (core/train/ranks.h), each with a part of the texts: what they agree
// on before they begin, and what they do between two rounds. Rank 0 stores the model and the
// checkpoints.
#pragma once

#include <optional>

#include "core/train/row_exchange.h"
#include "sql/resume.h"
#include "sql/train_table.h"

namespace s2v {

// Throws SharedError where ranks were started with different programs or requests, naming the first
// difference.
void CheckAlike(const TrainRequest& request);

// As FindCheckpoint, which rank 0 calls: the others learn from it what is to be trained.
Checkpoint FindSharedCheckpoint(sqlite3* db, TrainRequest* request);

// Of the texts of all ranks, in their order.
int64_t SharedTextsHash(RankGroup* ranks, int64_t mine);

// Rank 0's state, on all ranks.
void ShareState(RankGroup* ranks, TrainingState* state);

// The rounds of one training.
//
//   RankRounds rounds(ranks, config, corpus);
//   rounds.Join(&trainer, wish, grant);
//   trainer.Run(...);
class RankRounds {
 public:
  // What a rank wants at the end of a round.
  struct Wish {
    bool stop = false, checkpoint = false;
    uint64_t tokens = 0;  // that this rank has done so far
  };
  RankRounds(RankGroup* ranks, const Config& config, const Corpus& corpus);
  // grant(stop): called on all ranks when any has wished to stop, or a checkpoint; their rows are the
  // same then. False stops the training, and must be so on all.
  void Join(Trainer* trainer, std::function<Wish()> wish, std::function<bool(bool stop)> grant);
  uint64_t tokens() const { return tokens_; }  // of all ranks
  uint64_t rounds() const { return exchange_.rounds(); }
  uint64_t bytes() const { return exchange_.bytes(); }

 private:
  bool Between(TrainingState* state);
  RankGroup* const ranks_;
  Rounds rounds_;
  RowExchange exchange_;
  std::function<Wish()> wish_;
  std::function<bool(bool)> grant_;
  bool begun_ = false;
  uint64_t told_tokens_ = 0, tokens_ = 0;
};

}  // namespace s2v
