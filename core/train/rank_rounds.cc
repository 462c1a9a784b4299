#include "core/train/rank_rounds.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <utility>

#include "core/train/row_exchange.h"

namespace s2v {
namespace {

// Tokens of a round for each worker; fewer if the training would have less than kLeastRounds
// rounds.
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
  // A chunk does not depend on the number of workers, which may differ when a training is resumed.
  rounds.chunk = std::clamp(of_tokens(tokens) / ranks->size() / 4, kLeastChunk, kMostChunk);
  const std::vector<uint64_t> own = ranks->Gather(corpus.sentences());
  rounds.before = epochs * std::accumulate(own.begin(), own.begin() + ranks->rank(), uint64_t{0});
  return rounds;
}

// How many tokens one rank passes in a round.
double TokensOfRound(RankGroup* ranks, const Rounds& rounds, const Corpus& corpus) {
  const auto sentences = static_cast<double>(corpus.sentences() + corpus.other_sentences);
  return static_cast<double>(rounds.sentences) * static_cast<double>(corpus.known_tokens) /
         sentences / ranks->size();
}

// Gives rank 0's rows to all ranks.
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

// The sum of all ranks' rows, in half precision.
void SumRows(RankGroup* ranks, Matrix* matrix) {
  constexpr uint64_t kRowsAtATime = uint64_t{1} << 14;
  std::vector<Bfloat16> values;
  for (uint64_t begin = 0; begin < matrix->rows(); begin += kRowsAtATime) {
    const uint64_t end = std::min(begin + kRowsAtATime, matrix->rows());
    values.clear();
    for (uint64_t row = begin; row < end; row++) {
      for (uint32_t i = 0; i < matrix->dimension(); i++) values.emplace_back((*matrix)[row][i]);
    }
    ranks->Sum(std::span<Bfloat16>(values));
    const Bfloat16* value = values.data();
    for (uint64_t row = begin; row < end; row++) {
      for (uint32_t i = 0; i < matrix->dimension(); i++) {
        (*matrix)[row][i] = static_cast<float>(*value++);
      }
    }
  }
}

class NoRounds final : public RankRounds {
 public:
  void Share(TrainingState*) override {}
  void Join(Trainer*, Grant grant) override { grant_ = std::move(grant); }
  bool Ask(const Wish& wish) override { return grant_(wish.stop); }
  uint64_t TokensOfAll(uint64_t own) override { return own; }
  uint64_t rounds() const override { return 0; }
  uint64_t bytes() const override { return 0; }

 private:
  Grant grant_;
};

class RoundsOfRanks final : public RankRounds {
 public:
  RoundsOfRanks(RankGroup* ranks, const Config& config, const Corpus& corpus)
      : ranks_(ranks),
        rounds_(MakeRounds(ranks, config, corpus)),
        exchange_(ranks, config, corpus, TokensOfRound(ranks, rounds_, corpus),
                  rounds_.total / rounds_.sentences) {}

  void Share(TrainingState* state) override {
    ShareRows(ranks_, &state->source);
    ShareRows(ranks_, &state->target);
  }
  void Join(Trainer* trainer, Grant grant) override {
    grant_ = std::move(grant);
    rounds_.between = [this](TrainingState* state) { return Between(state); };
    rounds_.sum = [this](Matrix* rows) { SumRows(ranks_, rows); };
    trainer->TakeRounds(rounds_);
  }
  bool Ask(const Wish& wish) override {
    wish_ = wish;
    return true;
  }
  uint64_t TokensOfAll(uint64_t own) override {
    own_tokens_ = own;
    return tokens_;
  }
  uint64_t rounds() const override { return exchange_.rounds(); }
  uint64_t bytes() const override { return exchange_.bytes(); }

 private:
  // Between two rounds. False where the training ends.
  bool Between(TrainingState* state) {
    if (!begun_) {  // only here: later, sums may be on their way
      begun_ = true;
      own_tokens_ = shared_tokens_ = state->tokens;  // not 0 if a checkpoint was read
      tokens_ = ranks_->Total(state->tokens);
    }
    const bool is_last = state->position == rounds_.total;
    std::vector<uint32_t> votes = {wish_.stop, wish_.checkpoint,
                                   static_cast<uint32_t>(own_tokens_ - shared_tokens_)};
    shared_tokens_ = own_tokens_;
    if (!is_last) exchange_.Round(&votes, state);
    const bool stop = votes[0] > 0, checkpoint = votes[1] > 0;
    tokens_ += votes[2];
    state->tokens = tokens_;
    if (!is_last && !stop && !checkpoint) return true;
    exchange_.All(state);
    return is_last || grant_(stop);
  }

  RankGroup* const ranks_;
  Rounds rounds_;
  RowExchange exchange_;
  Grant grant_;
  Wish wish_;
  bool begun_ = false;
  uint64_t own_tokens_ = 0;     // that this rank has passed
  uint64_t shared_tokens_ = 0;  // of these, what the others know
  uint64_t tokens_ = 0;         // of all ranks
};

}  // namespace

std::unique_ptr<RankRounds> MakeRankRounds(RankGroup* ranks, const Config& config,
                                           const Corpus& corpus) {
  if (ranks->IsAlone()) return std::make_unique<NoRounds>();
  return std::make_unique<RoundsOfRanks>(ranks, config, corpus);
}

}  // namespace s2v
