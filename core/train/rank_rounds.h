// What the ranks of a training (core/train/ranks.h) do between two rounds, each with a part of the
// texts: their rows become alike, and they agree whether to go on. A process that trains by itself
// has no rounds: its Ask calls grant at once.
//
//   const std::unique_ptr<RankRounds> rounds = MakeRankRounds(ranks, config, corpus);
//   rounds->Join(&trainer, grant);
//   trainer.Run([&](const Progress& p) {
//     const uint64_t tokens = rounds->TokensOfAll(p.tokens);
//     return rounds->Ask({.stop = stopped, .checkpoint = it_is_time});
//   });
//
// Thread rule: as the trainer's.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "core/train/ranks.h"
#include "core/train/trainer.h"

namespace s2v {

class RankRounds {
 public:
  struct Wish {
    bool stop = false, checkpoint = false;
  };
  // grant(stop) is called on all ranks after any of them has wished to stop, or a checkpoint; all
  // have the same rows then. It returns whether the training goes on, the same on all. A process
  // alone calls it at each Ask, whatever the wish is.
  using Grant = std::function<bool(bool stop)>;

  virtual ~RankRounds() = default;
  // Gives rank 0's rows to all ranks.
  virtual void Share(TrainingState* state) = 0;
  // REQUIRES: before the trainer's StartFrom and Run.
  virtual void Join(Trainer* trainer, Grant grant) = 0;
  // Ranks grant the wish at the end of the next round. False where the training is to stop now.
  virtual bool Ask(const Wish& wish) = 0;
  // How many known words all ranks have passed, as of the last round but one. own: how many this
  // one has passed by now.
  virtual uint64_t TokensOfAll(uint64_t own) = 0;
  virtual uint64_t rounds() const = 0;
  virtual uint64_t bytes() const = 0;  // sent by this rank for the sums of rows
};

// ranks must outlive it.
std::unique_ptr<RankRounds> MakeRankRounds(RankGroup* ranks, const Config& config,
                                           const Corpus& corpus);

}  // namespace s2v
