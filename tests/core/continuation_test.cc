#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "core/error.h"
#include "core/train/trainer.h"
#include "tests/core/synthetic_text.h"
#include "tests/support/emulated.h"

namespace s2v {
namespace {

using test::SameBytes;
using test::SentenceOf;
using test::SmallConfig;

bool SameRow(const Matrix& a, uint64_t i, const Matrix& b, uint64_t j) {
  return std::memcmp(a[i], b[j], a.dimension() * sizeof(float)) == 0;
}

Matrix Copy(const Matrix& matrix) {
  Matrix copy(matrix.rows(), matrix.dimension());
  for (uint64_t row = 0; row < matrix.rows(); row++) {
    std::memcpy(copy[row], matrix[row], matrix.stride() * sizeof(float));
  }
  return copy;
}

TrainingState Copy(const TrainingState& state) {
  TrainingState copy;
  copy.position = state.position;
  copy.tokens = state.tokens;
  copy.source = Copy(state.source);
  copy.target = Copy(state.target);
  copy.losses = state.losses;
  return copy;
}

// Some tenths of a second of training, so that its observer is asked.
Config LongConfig() {
  Config config = SmallConfig();
  config.epochs = testing::Emulated() ? 30 : 150;
  config.ngram_order = 2;
  config.subsampling_threshold = 0.01;
  return config;
}

// The state at the first report.
TrainingState StopEarly(const Config& config, const Corpus& corpus, TrainingState* from = nullptr) {
  Trainer trainer(config, corpus);
  if (from != nullptr) trainer.StartFrom(std::move(*from));
  TrainingState kept;
  CHECK_THROWS_AS(trainer.Run([&](const Progress&) {
    REQUIRE(trainer.Pause(std::chrono::seconds(60)));
    kept = Copy(trainer.state());
    trainer.EndPause();
    return false;
  }),
                  Interrupted);
  return kept;
}

TEST_CASE("a training that was stopped twice and taken up gives the bytes of one that was not") {
  const auto texts = test::TopicTexts(1000, 1);
  for (const int64_t order : {2, 1}) {
    CAPTURE(order);
    Config config = LongConfig();
    config.ngram_order = order;
    const Corpus corpus = test::BuildCorpus(config, texts);
    const Model whole = Train(config, corpus, [](const Progress&) { return true; });

    TrainingState first = StopEarly(config, corpus);
    const uint64_t total = corpus.sentences() * static_cast<uint64_t>(config.epochs);
    REQUIRE(first.position > 0);
    REQUIRE(first.position < total);
    const uint64_t first_position = first.position;
    TrainingState second = StopEarly(config, corpus, &first);
    CHECK(second.position > first_position);
    Trainer trainer(config, corpus);
    trainer.StartFrom(std::move(second));
    uint64_t tokens = 0;
    trainer.Run([&](const Progress& p) {
      tokens = p.tokens;
      return true;
    });
    CHECK(tokens > first.tokens);
    const Model model = trainer.Finish();
    CHECK(SameBytes(model.source, whole.source));
    CHECK(SameBytes(model.target, whole.target));
    CHECK(model.epoch_losses == whole.epoch_losses);
  }
}

TEST_CASE("several workers come to rest at any moment, and go on") {
  Config config = LongConfig();
  config.workers = 3;
  const Corpus corpus = test::BuildCorpus(config, test::TopicTexts(1000, 1));
  Trainer trainer(config, corpus);
  int pauses = 0;
  uint64_t last = 0;
  trainer.Run([&](const Progress&) {
    REQUIRE(trainer.Pause(std::chrono::seconds(60)));
    const TrainingState& state = trainer.state();
    CHECK(state.position >= last);
    CHECK((state.position % 64 == 0 ||
           state.position == corpus.sentences() * static_cast<uint64_t>(config.epochs)));
    last = state.position;
    // Nothing moves any more.
    const TrainingState before = Copy(state);
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    CHECK(SameBytes(before.source, state.source));
    CHECK(SameBytes(before.target, state.target));
    pauses++;
    trainer.EndPause();
    return true;
  });
  CHECK(pauses > 0);
  CHECK(trainer.Finish().epoch_losses.back() > 0);
}

TEST_CASE("a state of another corpus or configuration is refused") {
  Config config = LongConfig();
  const Corpus corpus = test::BuildCorpus(config, test::TopicTexts(1000, 1));
  const TrainingState state = StopEarly(config, corpus);
  const auto refused = [&](const Config& other, TrainingState taken) {
    Trainer trainer(other, test::BuildCorpus(other, test::TopicTexts(1000, 1)));
    CHECK_THROWS_AS(trainer.StartFrom(std::move(taken)), InvalidArgument);
  };
  Config other = config;
  other.dimension++;
  refused(other, Copy(state));
  other = config;
  other.epochs++;
  refused(other, Copy(state));
  other = config;
  other.ngram_order = 1;
  refused(other, Copy(state));
  TrainingState moved = Copy(state);
  moved.position = 65;
  refused(config, std::move(moved));
  moved = Copy(state);
  moved.position = uint64_t{1} << 40;
  refused(config, std::move(moved));
}

TEST_CASE("where the new texts begin does not depend on the number of workers or on batches") {
  Config config = SmallConfig();
  config.ngram_order = 2;
  config.min_count = 2;
  const auto texts = test::ZipfTexts(30000, 3000, 30, 5);
  // None, in the first batch, behind many batches, all.
  for (const size_t old : {0, 10, 20000, 30000}) {
    CAPTURE(old);
    uint64_t expected = 0;
    config.workers = 1;
    const Corpus same = test::BuildCorpus(config, texts);
    CHECK(same.first_new_sentence == 0);
    for (const int64_t workers : {1, 3}) {
      CAPTURE(workers);
      config.workers = workers;
      CorpusBuilder builder(config);
      for (size_t i = 0; i < texts.size(); i++) {
        if (i == old) builder.BeginNew();
        builder.Add(texts[i]);
      }
      if (old == texts.size()) builder.BeginNew();
      const Corpus corpus = builder.Finish();
      REQUIRE(corpus.sentences() == same.sentences());
      CHECK(corpus.ngram_counts == same.ngram_counts);
      CHECK(SentenceOf(corpus, 7).words == SentenceOf(same, 7).words);
      if (workers == 1) expected = corpus.first_new_sentence;
      CHECK(corpus.first_new_sentence == expected);
      CHECK(corpus.first_new_sentence <= old);
    }
    CHECK((expected > 0) == (old > 0));
    if (old == texts.size()) CHECK(expected == same.sentences());
  }
}

// A model of old texts, and the corpus of old and new ones that goes on from it.
struct Continued {
  Config config = SmallConfig();
  Model model;
  Corpus corpus;

  Continued(const std::vector<std::string>& trained, const std::vector<std::string>& old,
            const std::vector<std::string>& added, int64_t ngram_order = 2) {
    config.min_count = 2;
    config.min_target_count = 3;
    config.recipe.min_ngram_count = 2;
    config.ngram_order = ngram_order;
    model = test::TrainOn(config, trained);
    CorpusBuilder builder(config);
    builder.ContinueFrom(model);
    for (const std::string& text : old) builder.Add(text);
    builder.BeginNew();
    for (const std::string& text : added) builder.Add(text);
    corpus = builder.Finish();
  }
};

const std::vector<std::string> kOld = {"a b c a", "a b d", "c b a", "a a b rare"};
const std::vector<std::string> kNew = {"rare n n n n n n n n a", "n n b"};

TEST_CASE("counts go on, words and n-grams join, rows keep their vectors") {
  const Continued c(kOld, kOld, kNew);
  const WordTable& words = c.corpus.vocabulary.words;
  REQUIRE(words[0] == "n");  // the most frequent now
  CHECK(c.corpus.vocabulary.counts[0] == 10);
  CHECK(c.model.vocabulary.words.Find("rare", HashWord("rare")) == kUnknownWord);
  CHECK(words.Find("rare", HashWord("rare")) != kUnknownWord);
  CHECK(c.corpus.vocabulary.token_count == 27);
  CHECK(c.corpus.first_new_sentence == 4);
  CHECK(c.corpus.sentences() == 6);

  const TrainingState state = StateOf(c.model, c.config, c.corpus);
  CHECK(state.position == 0);
  CHECK(state.source.rows() == words.size() + c.corpus.ngram_buckets.size());
  size_t same = 0;
  for (uint32_t before = 0; before < c.model.vocabulary.size(); before++) {
    const auto word = c.model.vocabulary.words[before];
    const uint32_t id = words.Find(word, HashWord(word));
    REQUIRE(id != kUnknownWord);
    CHECK(SameRow(c.model.source, before, state.source, id));
    if (before < c.model.target.rows()) {
      CHECK(SameRow(c.model.target, before, state.target, id));
      same++;
    }
  }
  CHECK(same == c.model.target.rows());
  REQUIRE(!c.model.ngram_buckets.empty());
  CHECK(c.corpus.ngram_buckets.size() > c.model.ngram_buckets.size());
  for (size_t i = 0; i < c.model.ngram_buckets.size(); i++) {
    const auto at = std::find(c.corpus.ngram_buckets.begin(), c.corpus.ngram_buckets.end(),
                              c.model.ngram_buckets[i]);
    REQUIRE(at != c.corpus.ngram_buckets.end());
    CHECK(SameRow(c.model.source, c.model.vocabulary.size() + i, state.source,
                  words.size() + static_cast<size_t>(at - c.corpus.ngram_buckets.begin())));
  }
  // A new word begins at random, its target at zero.
  float length = 0;
  for (uint32_t i = 0; i < state.source.dimension(); i++)
    length += state.source[0][i] * state.source[0][i];
  CHECK(length > 0);
  CHECK(state.target[0][0] == 0);
}

TEST_CASE("what is gone from the table is not forgotten") {
  const Continued c(kOld, {}, kNew);
  CHECK(c.corpus.first_new_sentence == 0);
  for (uint32_t id = 0; id < c.model.vocabulary.size(); id++) {
    const auto word = c.model.vocabulary.words[id];
    const uint32_t now = c.corpus.vocabulary.words.Find(word, HashWord(word));
    REQUIRE(now != kUnknownWord);
    CHECK(c.corpus.vocabulary.counts[now] >= c.model.vocabulary.counts[id]);
  }
  CHECK(c.corpus.vocabulary.token_count >= c.model.vocabulary.token_count);
  CHECK(std::includes(c.corpus.ngram_buckets.begin(), c.corpus.ngram_buckets.end(),
                      c.model.ngram_buckets.begin(), c.model.ngram_buckets.end()));
}

bool Same(const Sentence& a, const Sentence& b) {
  return a.words == b.words && a.ngram_rows == b.ngram_rows;
}

TEST_CASE("a replay keeps all new sentences and as many old ones as are wanted") {
  for (const uint64_t wanted : {0, 1, 3, 4, 100}) {
    CAPTURE(wanted);
    Continued c(kOld, kOld, kNew);
    const Corpus before = c.corpus;
    KeepForReplay(wanted, 1, &c.corpus);
    const uint64_t kept = std::min<uint64_t>(wanted, 4);
    REQUIRE(c.corpus.sentences() == kept + 2);
    CHECK(c.corpus.first_new_sentence == kept);
    for (uint64_t i = 0; i < 2; i++) {
      CHECK(Same(SentenceOf(c.corpus, kept + i), SentenceOf(before, 4 + i)));
    }
    uint64_t at = 0;  // old ones in their order
    for (uint64_t i = 0; i < kept; i++, at++) {
      while (at < 4 && !Same(SentenceOf(c.corpus, i), SentenceOf(before, at))) at++;
      CHECK(at < 4);
    }
  }
}

}  // namespace
}  // namespace s2v
