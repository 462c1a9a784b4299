#include "core/train/rank_rounds.h"

#include <algorithm>
#include <cstring>
#include <numeric>

namespace s2v {
namespace {

// Of a worker; fewer where there would be less than kLeastRounds.
constexpr double kRoundTokens = 131072;
constexpr double kLeastRounds = 256;
// Sentences that a worker takes at a time: several in a round.
constexpr uint64_t kMostChunk = 256, kLeastChunk = 16;

Rounds MakeRounds(RankGroup* ranks, const Config& config, const Corpus& corpus) {
  const auto epochs = static_cast<uint64_t>(config.epochs);
  const double sentences = static_cast<double>(corpus.sentences() + corpus.other_sentences);
  const double a_sentence = static_cast<double>(corpus.known_tokens) / sentences;
  const auto of_tokens = [&](double tokens) {
    const double most = static_cast<double>(epochs) * sentences / kLeastRounds;
    return static_cast<uint64_t>(std::max(1.0, std::min(tokens / a_sentence, most)));
  };
  const std::vector<uint64_t> workers = ranks->Gather(WorkerCount(config));
  const double tokens = kRoundTokens * ranks->size();
  Rounds rounds;
  rounds.total = (corpus.sentences() + corpus.other_sentences) * epochs;
  rounds.sentences =
      of_tokens(tokens * static_cast<double>(*std::max_element(workers.begin(), workers.end())));
  // Whatever the number of workers, which may differ when a training is resumed.
  rounds.chunk = std::clamp(of_tokens(tokens) / ranks->size() / 4, kLeastChunk, kMostChunk);
  const std::vector<uint64_t> own = ranks->Gather(corpus.sentences());
  rounds.before = epochs * std::accumulate(own.begin(), own.begin() + ranks->rank(), uint64_t{0});
  return rounds;
}

// Of a round, on one rank.
double TokensOfRound(RankGroup* ranks, const Rounds& rounds, const Corpus& corpus) {
  const auto sentences = static_cast<double>(corpus.sentences() + corpus.other_sentences);
  return static_cast<double>(rounds.sentences) * static_cast<double>(corpus.known_tokens) /
         sentences / ranks->size();
}

// Rank 0's rows, on all ranks.
void ShareRows(RankGroup* ranks, Matrix* matrix) {
  constexpr uint64_t kRowsAtATime = uint64_t{1} << 14;
  for (uint64_t row = 0; row < matrix->rows(); row += kRowsAtATime) {
    char* const at = reinterpret_cast<char*>((*matrix)[row]);
    const size_t size =
        std::min(kRowsAtATime, matrix->rows() - row) * matrix->stride() * sizeof(float);
    const std::string rows = ranks->Gather(ranks->rank() == 0 ? std::string(at, size) : "")[0];
    std::memcpy(at, rows.data(), size);
  }
}

}  // namespace

void ShareState(RankGroup* ranks, TrainingState* state) {
  if (ranks->IsAlone()) return;
  ShareRows(ranks, &state->source);
  ShareRows(ranks, &state->target);
}

RankRounds::RankRounds(RankGroup* ranks, const Config& config, const Corpus& corpus)
    : ranks_(ranks) {
  if (ranks->IsAlone()) return;
  rounds_ = MakeRounds(ranks, config, corpus);
  exchange_.emplace(ranks, config, corpus, TokensOfRound(ranks, rounds_, corpus),
                    rounds_.total / rounds_.sentences);
}

void RankRounds::Join(Trainer* trainer, std::function<bool(bool)> grant) {
  grant_ = std::move(grant);
  if (ranks_->IsAlone()) return;
  rounds_.between = [this](TrainingState* state) { return Between(state); };
  trainer->TakeRounds(rounds_);
}

bool RankRounds::Ask(const Wish& wish) {
  if (ranks_->IsAlone()) return grant_(wish.stop);
  wish_ = wish;
  return true;
}

uint64_t RankRounds::TokensOfAll(uint64_t own) {
  own_tokens_ = own;
  return ranks_->IsAlone() ? own : tokens_;
}

bool RankRounds::Between(TrainingState* state) {
  if (!begun_) {  // later, sums may be on their way
    begun_ = true;
    own_tokens_ = shared_tokens_ = state->tokens;  // of a checkpoint, maybe
    tokens_ = ranks_->Total(state->tokens);
  }
  const bool last = state->position == rounds_.total;
  std::vector<uint32_t> votes = {wish_.stop, wish_.checkpoint,
                                 static_cast<uint32_t>(own_tokens_ - shared_tokens_)};
  shared_tokens_ = own_tokens_;
  if (!last) exchange_->Round(&votes, state);
  const bool stop = votes[0] > 0;
  tokens_ += votes[2];
  state->tokens = tokens_;
  if (!last && !stop && votes[1] == 0) return true;
  exchange_->All(state);
  return last || grant_(stop);
}

}  // namespace s2v
