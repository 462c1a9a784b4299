// What the ranks of a training (core/train/ranks.h) do between two rounds, each with a part of the texts: their rows
// become alike, and they agree whether to go on. A process that trains by itself has no rounds; it does at once
// what it wants.
//
//   RankRounds rounds(ranks, config, corpus);
//   rounds.Join(&trainer, grant);
//   trainer.Run([&](const Progress& p) {
//     const uint64_t tokens = rounds.TokensOfAll(p.tokens);
//     return rounds.Ask({.stop = stopped, .checkpoint = it_is_time});
//   });
#pragma once

#include <functional>
#include <optional>

#include "core/train/row_exchange.h"
#include "core/train/trainer.h"

namespace s2v {

// Rank 0's state, on all ranks.
void ShareState(RankGroup* ranks, TrainingState* state);

class RankRounds {
 public:
  struct Wish {
    bool stop = false, checkpoint = false;
  };
  RankRounds(RankGroup* ranks, const Config& config, const Corpus& corpus);
  // grant(stop): called on all ranks where any has wished to stop, or a checkpoint; their rows are the same then.
  // Alone: at each wish. False stops the training, and must be so on all. REQUIRES: before StartFrom and Run.
  void Join(Trainer* trainer, std::function<bool(bool stop)> grant);
  // What this rank wants: granted behind the round. False where the training is to stop now.
  bool Ask(const Wish& wish);
  // How many known words all ranks have passed, as of the last round. own: how many this one has passed by now.
  uint64_t TokensOfAll(uint64_t own);
  uint64_t rounds() const { return exchange_ ? exchange_->rounds() : 0; }
  uint64_t bytes() const { return exchange_ ? exchange_->bytes() : 0; }  // sent by this rank

 private:
  bool Between(TrainingState* state);
  RankGroup* const ranks_;
  Rounds rounds_;
  std::optional<RowExchange> exchange_;  // nothing for one rank
  std::function<bool(bool)> grant_;
  Wish wish_;
  bool begun_ = false;
  uint64_t own_tokens_ = 0, shared_tokens_ = 0;  // this rank's; of these what the others know
  uint64_t tokens_ = 0;                          // of all ranks
};

}  // namespace s2v
