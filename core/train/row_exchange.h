// Keeping the rows of several trainings alike: each sends how its rows have moved, all take the
// sum.
//
//   RowExchange exchange(ranks, config, corpus, round_tokens, rounds);
//   rounds.between = [&](TrainingState* state) {
//     exchange.Round(votes, state);                          // of some rows, in the background
//     return true;
//   };
//   ...
//   exchange.All(&state);                                    // of all rows, waiting for it
//
// For each row there is a base, the same on all ranks: where it was when it was sent last, and what
// all ranks had done to it since the time before,
//
//   base += share * sum over ranks of (row - base)
//
// and each rank's row moves by what the others have done. A row is sent once it is expected to have
// been touched kTouches times on a rank, frequent rows each round and others seldom, but
// kLeastTimes in the training: as often as their gradients would be read too late otherwise. Rows
// that all ranks together touch less than kWhole times between kLeastTimes sendings may wait
// longer, and rows that no rank has touched are not sent. Sums are formed while the workers go on
// with the next round, and arrive at its end.
//
// A sum of small moves is what one process would do with all the texts. A sum of large ones
// overshoots, as each rank has gone most of the way by itself, so of moves of many touches it is
// the mean that is taken: the share is 1, or less, down to 1 / the ranks that have moved the row. A
// sum is formed of Bfloat16: what rounding takes of a rank's move stays in its row and is sent the
// next time.
//
// Thread rule: the calls belong to one thread, and no worker may change rows meanwhile; the sums
// are formed on a thread of its own.
#pragma once

#include <future>
#include <vector>

#include "core/config.h"
#include "core/train/corpus.h"
#include "core/train/ranks.h"
#include "core/train/trainer.h"

namespace s2v {

class RowExchange {
 public:
  // rounds: how many the training has. round_tokens: how many tokens one rank passes in a round.
  RowExchange(RankGroup* ranks, const Config& config, const Corpus& corpus, double round_tokens,
              uint64_t rounds);
  ~RowExchange();
  RowExchange(const RowExchange&) = delete;
  // The first call only looks where the rows are, which must be the same on all ranks. votes: are
  // given away to be summed over the ranks; when it returns they are the sums of the votes of the
  // call before.
  void Round(std::vector<uint32_t>* votes, TrainingState* state);
  // All rows are the same on all ranks then. Losses move to rank 0.
  void All(TrainingState* state);
  uint64_t bytes() const { return bytes_; }  // sent by this rank for the sums
  uint64_t rounds() const { return round_; }

 private:
  float* RowOf(uint64_t row, TrainingState* state) const;
  Bfloat16* MineOf(size_t i) { return mine_.data() + i * dimension_; }
  void Begin(uint64_t first, uint64_t last, bool all, TrainingState* state);
  void SumMoves();
  size_t MovedBefore(size_t i) const;  // of due_, how many any rank has moved
  void ShareLosses(TrainingState* state);
  void End(TrainingState* state);

  RankGroup* const ranks_;
  const uint32_t dimension_;
  const size_t workers_;
  // Rows are those of the source matrix, then those of the target matrix.
  std::vector<uint8_t> level_;  // [rows] sent in one of 2^level rounds
  std::vector<float> whole_;    // [rows] the sum of at most so many ranks is taken whole
  Matrix base_;                 // [rows, dimension]; none before the first call
  uint64_t round_ = 0, bytes_ = 0;
  // What is on its way.
  std::vector<uint64_t> due_;    // rows
  std::vector<uint32_t> moved_;  // [due] 1 or 0
  std::vector<uint32_t> votes_;
  std::vector<uint32_t> ranks_moved_;  // [due, votes] sums of both over the ranks
  std::vector<Bfloat16> mine_;         // [due, dimension] how they have moved here, or longer
  std::vector<Bfloat16> sum_;          // [moved on any rank, dimension]
  std::future<void> summing_;
};

}  // namespace s2v
