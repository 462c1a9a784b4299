// Several ranks that train one model, as threads: words and n-grams are those of all texts, rows
// stay alike, and the model is as good as that of one process.
#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include "core/train/row_exchange.h"
#include "tests/core/synthetic_text.h"
#include "tests/support/thread_ranks.h"

namespace s2v {
namespace {

using test::BuildCorpus;
using test::SameBytes;
using test::SmallConfig;
using test::TopicTexts;
using test::ZipfTexts;
using testing::RunRanks;

// The part of a rank, parts one after the other.
std::vector<std::string> PartOf(const std::vector<std::string>& texts, const RankGroup& ranks) {
  const size_t begin = texts.size() * ranks.rank() / ranks.size();
  const size_t end = texts.size() * (ranks.rank() + 1) / ranks.size();
  return {texts.begin() + static_cast<std::ptrdiff_t>(begin),
          texts.begin() + static_cast<std::ptrdiff_t>(end)};
}

Corpus BuildShared(const Config& config, const std::vector<std::string>& texts, RankGroup* ranks) {
  CorpusBuilder builder(config);
  builder.ShareWith(ranks);
  for (const std::string& text : PartOf(texts, *ranks)) builder.Add(text);
  return builder.Finish();
}

TEST_CASE("words, n-grams and counts of ranks are those of one process with all texts") {
  Config config = SmallConfig();
  config.ngram_order = 2;
  config.min_count = 2;
  const std::vector<std::string> texts = ZipfTexts(900, 300, 12, 1);
  for (const int64_t most : {1000, 40}) {
    config.max_vocabulary = most;
    const Corpus one = BuildCorpus(config, texts);
    RunRanks(3, [&](RankGroup* ranks) {
      const Corpus part = BuildShared(config, texts, ranks);
      // doctest's own lock makes assertions of several threads safe.
      REQUIRE(part.vocabulary.size() == one.vocabulary.size());
      for (uint32_t id = 0; id < one.vocabulary.size(); id++) {
        REQUIRE(part.vocabulary.words[id] == one.vocabulary.words[id]);
      }
      CHECK(part.vocabulary.counts == one.vocabulary.counts);
      CHECK(part.vocabulary.token_count == one.vocabulary.token_count);
      CHECK(part.ngram_buckets == one.ngram_buckets);
      CHECK(part.ngram_counts == one.ngram_counts);
      CHECK(part.text_count == 900);
      CHECK(part.known_tokens == one.known_tokens);
      CHECK(part.sentences() + part.other_sentences == one.sentences());
    });
  }
}

TEST_CASE("a rank without texts is told to all ranks") {
  RunRanks(3, [](RankGroup* ranks) {
    CorpusBuilder builder(SmallConfig());
    builder.ShareWith(ranks);
    if (ranks->rank() != 1) builder.Add("some text");
    CHECK_THROWS_WITH_AS(builder.shape(), "rank 1 has no texts: start fewer ranks, or give it some",
                         SharedError);
  });
}

// A state whose rows are all zero.
TrainingState Zeros(const Config& config, const Corpus& corpus) {
  TrainingState state;
  const auto dimension = static_cast<uint32_t>(config.dimension);
  state.source = Matrix(corpus.vocabulary.size() + corpus.ngram_buckets.size(), dimension);
  state.target = Matrix(TargetWords(corpus.vocabulary, config), dimension);
  state.losses.resize(static_cast<size_t>(config.epochs));
  return state;
}

TEST_CASE("moves are rounded to the nearest Bfloat16, ties to even") {
  const auto rounded = [](float value) { return static_cast<float>(Bfloat16(value)); };
  CHECK(rounded(-3.5f) == -3.5f);
  CHECK(rounded(1 + 0x1p-8f) == 1);
  CHECK(rounded(1 + 0x1p-8f + 0x1p-20f) == 1 + 0x1p-7f);
  CHECK(rounded(1 + 3 * 0x1p-8f) == 1 + 0x1p-6f);
  CHECK(std::isinf(rounded(3.4e38f * 2)));
  Bfloat16 sum(0.5f);
  CHECK(static_cast<float>(sum += Bfloat16(0.25f)) == 0.75f);
}

TEST_CASE("rows take the sum of what ranks have done to them, and rows that none touched stay") {
  const Config config = SmallConfig();
  const std::vector<std::string> texts = ZipfTexts(90, 30, 12, 1);
  RunRanks(3, [&](RankGroup* ranks) {
    const Corpus corpus = BuildShared(config, texts, ranks);
    TrainingState state = Zeros(config, corpus);
    RowExchange exchange(ranks, config, corpus, 1, 1);
    std::vector<uint32_t> votes = {1};
    exchange.Round(&votes, &state);
    CHECK(exchange.bytes() == 0);
    state.source[0][0] = static_cast<float>(1 + ranks->rank());  // 1, 2, 3
    if (ranks->rank() == 2) state.target[1][3] = 5;
    state.losses[0].targets = 1;
    votes = {ranks->rank()};
    exchange.Round(&votes, &state);  // sends; its sums arrive in the next round
    state.source[0][1] = 1;
    votes = {0};
    exchange.Round(&votes, &state);
    CHECK(votes == std::vector<uint32_t>{3});
    CHECK(state.source[0][0] == 6);
    CHECK(state.source[0][1] == 1);
    CHECK(state.target[1][3] == 5);
    CHECK(state.source[1][0] == 0);
    exchange.All(&state);
    CHECK(state.source[0][0] == 6);
    CHECK(state.source[0][1] == 3);
    CHECK(state.losses[0].targets == (ranks->rank() == 0 ? 3 : 0));
    const uint64_t sent = exchange.bytes();
    exchange.All(&state);
    const uint64_t flags = 4 * (state.source.rows() + state.target.rows());
    CHECK(exchange.bytes() - sent == flags);  // no row is on its way
  });
}

TEST_CASE(
    "what rounding takes of a move is sent with the next one, and dropped when rows end alike") {
  const Config config = SmallConfig();
  const std::vector<std::string> texts = ZipfTexts(90, 30, 12, 1);
  constexpr float kMove = 1 + 0x1p-12f;  // of which a Bfloat16 keeps 1
  RunRanks(2, [&](RankGroup* ranks) {
    const Corpus corpus = BuildShared(config, texts, ranks);
    TrainingState state = Zeros(config, corpus);
    RowExchange exchange(ranks, config, corpus, 1, 1);
    std::vector<uint32_t> votes;
    exchange.Round(&votes, &state);
    if (ranks->IsFirst()) state.source[0][0] = kMove;
    exchange.Round(&votes, &state);
    exchange.Round(&votes, &state);
    CHECK(state.source[0][0] == (ranks->IsFirst() ? kMove : 1));
    exchange.Round(&votes, &state);
    CHECK(state.source[0][0] == kMove);
    if (ranks->IsFirst()) state.source[0][1] = kMove;
    exchange.All(&state);
    CHECK(state.source[0][0] == kMove);
    CHECK(state.source[0][1] == 1);
  });
}

TEST_CASE(
    "rows that ranks hardly touch are sent twice in a training, those they touch often in each round") {
  const Config config = SmallConfig();
  const std::vector<std::string> texts = ZipfTexts(90, 30, 12, 1);
  constexpr uint64_t kRounds = 64;
  const auto sends_of_a_row = [&](double round_tokens) {
    double sends = 0;
    RunRanks(2, [&](RankGroup* ranks) {
      const Corpus corpus = BuildShared(config, texts, ranks);
      TrainingState state = Zeros(config, corpus);
      RowExchange exchange(ranks, config, corpus, round_tokens, kRounds);
      std::vector<uint32_t> votes;
      for (uint64_t round = 0; round <= kRounds; round++) {  // the first only looks
        exchange.Round(&votes, &state);
        for (uint64_t row = 0; row < state.source.rows(); row++) state.source[row][0] += 1;
        for (uint64_t row = 0; row < state.target.rows(); row++) state.target[row][0] += 1;
      }
      exchange.All(&state);
      const auto rows = static_cast<double>(state.source.rows() + state.target.rows());
      // A row is a flag and its numbers; All sends each once more.
      const auto bytes = static_cast<double>(4 + 2 * config.dimension);
      if (ranks->IsFirst()) sends = static_cast<double>(exchange.bytes()) / bytes / rows - 1;
    });
    return sends;
  };
  CHECK(sends_of_a_row(1e-3) == 2);
  CHECK(sends_of_a_row(1e9) == kRounds);
}

struct Trained {
  std::vector<TrainingState> states;  // [rank]
  double loss = 0;                    // of the last epoch
};

// Trains with ranks, in rounds of 24 sentences of all of them.
Trained TrainShared(const Config& config, const std::vector<std::string>& texts, uint32_t size) {
  Trained trained;
  trained.states.resize(size);
  RunRanks(size, [&](RankGroup* ranks) {
    Corpus corpus = BuildShared(config, texts, ranks);
    Rounds rounds;
    rounds.total =
        (corpus.sentences() + corpus.other_sentences) * static_cast<uint64_t>(config.epochs);
    rounds.sentences = 24;
    rounds.chunk = 4;
    rounds.before = rounds.total * ranks->rank();
    RowExchange exchange(ranks, config, corpus, 100, rounds.total / 24);
    rounds.between = [&](TrainingState* state) {
      std::vector<uint32_t> votes;
      if (state->position < rounds.total) {
        exchange.Round(&votes, state);
        return true;
      }
      exchange.All(state);
      TrainingState* const copy = &trained.states[ranks->rank()];
      *copy = Zeros(config, corpus);
      copy->source = std::move(state->source);
      copy->target = std::move(state->target);
      copy->losses = state->losses;
      return true;
    };
    Trainer trainer(config, std::move(corpus));
    trainer.TakeRounds(rounds);
    trainer.Run([](const Progress&) { return true; });
  });
  const StepLoss loss = trained.states[0].losses.back();
  trained.loss = loss.loss / static_cast<double>(loss.targets);
  return trained;
}

TEST_CASE("no two ranks have the same random numbers, and one has the same each time") {
  const std::vector<std::string> texts = ZipfTexts(200, 30, 12, 1);
  const Config config = SmallConfig();
  const auto trained = [&](uint64_t before) {
    Corpus corpus = BuildCorpus(config, texts);
    const uint64_t total = corpus.sentences() * static_cast<uint64_t>(config.epochs);
    Trainer trainer(config, std::move(corpus));
    trainer.TakeRounds({total, total, before, 256, [](TrainingState*) { return true; }});
    trainer.Run([](const Progress&) { return true; });
    return trainer.Finish();
  };
  const Model model = trained(0);
  CHECK(SameBytes(model.target, trained(0).target));
  CHECK_FALSE(SameBytes(model.target, trained(1000).target));
}

// For the two topics' 60 words in 600 texts.
Config RanksConfig() {
  Config config = SmallConfig();
  config.epochs = 20;
  config.subsampling_threshold = 0.01;
  config.negatives = 5;
  return config;
}

TEST_CASE("after the last round all ranks have the same rows, and the same each time") {
  Config config = RanksConfig();
  config.ngram_order = 2;
  config.epochs = 2;
  const std::vector<std::string> texts = TopicTexts(301, 1);
  const Trained first = TrainShared(config, texts, 3), second = TrainShared(config, texts, 3);
  for (const TrainingState& state : first.states) {
    CHECK(SameBytes(state.source, first.states[0].source));
    CHECK(SameBytes(state.target, first.states[0].target));
  }
  CHECK(SameBytes(first.states[0].source, second.states[0].source));
  CHECK(SameBytes(first.states[0].target, second.states[0].target));
  config.workers = 3;  // workers wait for each other at the end of a round
  const Trained threads = TrainShared(config, texts, 2);
  CHECK(SameBytes(threads.states[0].source, threads.states[1].source));
}

TEST_CASE("ranks learn as much as one process does") {
  const Config config = RanksConfig();
  const std::vector<std::string> texts = TopicTexts(600, 1);
  const Model one = test::TrainOn(config, texts);
  const double loss = one.epoch_losses.back();
  for (const uint32_t size : {1u, 2u, 4u}) {
    const double shared = TrainShared(config, texts, size).loss;
    INFO(size, " ranks: loss ", shared, ", one process ", loss);
    // 4.2 before training. Of 60 words each is moved often in a round, so much is the mean of
    // ranks.
    CHECK(std::fabs(shared - loss) < 0.2 * loss);
  }
}

}  // namespace
}  // namespace s2v
