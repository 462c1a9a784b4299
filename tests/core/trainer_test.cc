#include "core/train/trainer.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "core/embed/embedder.h"
#include "core/error.h"
#include "core/simd/kernels.h"
#include "core/train/whitening.h"
#include "core/vocab/hash.h"
#include "tests/core/synthetic_text.h"

namespace s2v {
namespace {

using test::BuildCorpus;
using test::SameBytes;
using test::SmallConfig;
using test::TrainOn;

bool AllFinite(const Matrix& matrix) {
  for (uint64_t r = 0; r < matrix.rows(); r++) {
    for (uint32_t i = 0; i < matrix.dimension(); i++) {
      if (!std::isfinite(matrix[r][i])) return false;
    }
  }
  return true;
}

// For the two topics' 60 words in 600 texts.
Config TopicConfig() {
  Config config = SmallConfig();
  config.epochs = 20;
  config.subsampling_threshold = 0.01;
  config.learning_rate = 0.2;
  config.negatives = 5;
  return config;
}

TEST_CASE("a model has a row for each word and n-gram, and target rows of the frequent words") {
  Config config = SmallConfig();
  config.ngram_order = 2;
  config.recipe.min_ngram_count = 3;
  config.min_target_count = 4;
  const auto texts = test::ZipfTexts(50, 30, 10, 1);
  const Corpus corpus = BuildCorpus(config, texts);
  const Model model = TrainOn(config, texts);
  CHECK(model.vocabulary.size() == corpus.vocabulary.size());
  CHECK(model.vocabulary.counts == corpus.vocabulary.counts);
  CHECK(model.ngram_buckets == corpus.ngram_buckets);
  CHECK(model.ngram_counts == corpus.ngram_counts);
  REQUIRE(!model.ngram_buckets.empty());
  CHECK(model.source.rows() == corpus.vocabulary.size() + corpus.ngram_buckets.size());
  CHECK(model.source.dimension() == 16);
  CHECK(model.target.rows() == corpus.vocabulary.PrefixWithCount(4));
  CHECK(model.target.rows() < model.vocabulary.size());
  CHECK(model.text_count == 50);
  CHECK(model.sentence_count == corpus.sentences());
  CHECK(ConfigJson(model.config) == ConfigJson(config));
  CHECK(AllFinite(model.source));
  CHECK(AllFinite(model.target));
}

TEST_CASE("one seed and one worker give the same bytes, with any kernels") {
  const auto texts = test::TopicTexts(200, 1);
  for (const simd::Kernels* kernels : simd::AvailableKernels()) {
    for (const int64_t reuse : {1, 10}) {
      CAPTURE(std::string(kernels->name));
      CAPTURE(reuse);
      Config config = SmallConfig();
      const simd::ForcedKernels forced(*kernels);
      config.ngram_order = 2;
      config.recipe.negative_reuse = reuse;
      const Model a = TrainOn(config, texts), b = TrainOn(config, texts);
      CHECK(SameBytes(a.source, b.source));
      CHECK(SameBytes(a.target, b.target));
      CHECK(a.epoch_losses == b.epoch_losses);
    }
  }
}

TEST_CASE("another seed gives another model") {
  const auto texts = test::TopicTexts(200, 1);
  Config config = SmallConfig();
  const Model a = TrainOn(config, texts);
  for (const int64_t seed : {0, 2}) {
    config.seed = seed;
    const Model b = TrainOn(config, texts);
    CHECK(!SameBytes(a.source, b.source));
    CHECK(!SameBytes(a.target, b.target));
  }
}

TEST_CASE("kernels differ in rounding only") {
  // a few hundred steps on short rows: the last digits drift, the loss does not
  const auto texts = test::TopicTexts(200, 1);
  Config config = SmallConfig();
  std::vector<double> losses;
  for (const simd::Kernels* kernels : simd::AvailableKernels()) {
    const simd::ForcedKernels forced(*kernels);
    losses.push_back(TrainOn(config, texts).epoch_losses.back());
    CHECK(losses.back() == doctest::Approx(losses.front()).epsilon(1e-4));
  }
}

TEST_CASE("any number of workers learns the same") {
  const auto texts = test::TopicTexts(500, 2);
  Config config = TopicConfig();
  const double alone = TrainOn(config, texts).epoch_losses.back();
  for (const int64_t workers : {0, 2, 4, 1000}) {
    CAPTURE(workers);
    config.workers = workers;
    const Model model = TrainOn(config, texts);
    // The loss is measured on the same sentences with the same targets and samples; only the order
    // of the steps differs. Between seeds it differs by about 2%.
    CHECK(model.epoch_losses.back() == doctest::Approx(alone).epsilon(0.1));
    CHECK(AllFinite(model.source));
  }
}

TEST_CASE("the loss falls over the epochs") {
  const auto texts = test::TopicTexts(600, 3);
  for (const int64_t order : {1, 2}) {
    for (const int64_t reuse : {1, 10}) {
      CAPTURE(order);
      CAPTURE(reuse);
      Config config = TopicConfig();
      config.ngram_order = order;
      config.recipe.negative_reuse = reuse;
      const Model model = TrainOn(config, texts);
      REQUIRE(model.epoch_losses.size() == static_cast<size_t>(config.epochs));
      // The first epoch starts at (1 + 5) log 2 = 4.16, where U is zero.
      CHECK(model.epoch_losses.front() < 4.2);
      CHECK(model.epoch_losses.front() > 2);
      CHECK(model.epoch_losses.back() < 0.9 * model.epoch_losses.front());
    }
  }
}

TEST_CASE("every epoch has its loss, also of corpora of a few sentences") {
  for (const uint32_t texts : {2u, 3u, 10u, 20u, 100u}) {
    CAPTURE(texts);
    Config config = SmallConfig();
    config.epochs = 7;
    config.subsampling_threshold = 1;  // every word is a target, so every sentence has a loss
    config.learning_rate = 0.01;
    const Model model = TrainOn(config, test::TopicTexts(texts, 4));
    REQUIRE(model.epoch_losses.size() == 7);
    for (const double loss : model.epoch_losses) {
      // negative samples that are the target itself do not count: at most 1 + negatives terms of
      // about log 2
      CHECK(loss > 0.5);
      CHECK(loss < 1.1 * (1 + static_cast<double>(config.negatives)) * std::log(2));
    }
  }
}

// Mean cosines of new sentences, 20 of each topic.
struct TopicMargin {
  double same = 0, across = 0;
  int nearest_of_topic = 0;  // of 40 sentences, those whose nearest one is of their topic
};

TopicMargin MarginOf(const Model& model) {
  ModelFeatures features(model);
  Embedder embedder(ShapeOf(model), &features);
  Random random(6);
  std::vector<std::vector<float>> embeddings(40, std::vector<float>(16));
  for (uint32_t i = 0; i < 40; i++) {
    REQUIRE(embedder.Embed(test::TopicText(i % 2, &random), embeddings[i].data()) > 0);
    REQUIRE(Normalize(embeddings[i].data(), 16));
  }
  TopicMargin margin;
  for (uint32_t i = 0; i < 40; i++) {
    double best = -2;
    uint32_t nearest = 0;
    for (uint32_t j = 0; j < 40; j++) {
      if (i == j) continue;
      const double cosine = simd::BestKernels().dot(embeddings[i].data(), embeddings[j].data(), 16);
      (i % 2 == j % 2 ? margin.same : margin.across) += cosine;
      if (cosine > best) {
        best = cosine;
        nearest = j;
      }
    }
    margin.nearest_of_topic += i % 2 == nearest % 2;
  }
  margin.same /= 40 * 19;
  margin.across /= 40 * 20;
  return margin;
}

TEST_CASE("every sentence is trained once an epoch") {
  // Sentences of two words of their own, U from zero, steps so small that V stays: then U of one
  // word is the sum of its steps, +rate / 2 * V of the other word for each epoch and -rate / 2 * V
  // of strange words as a negative sample. Long random rows are almost orthogonal, so the first
  // part can be read off.
  for (const int64_t workers : {1, 3}) {
    CAPTURE(workers);
    Config config = SmallConfig();
    config.dimension = 400;
    config.epochs = 2;
    config.learning_rate = 1e-3;
    config.subsampling_threshold = 1;
    config.negatives = 1;
    config.workers = workers;
    config.whitening = 0;  // rows stay as they were trained
    std::vector<std::string> texts;
    for (uint32_t i = 0; i < 100; i++)
      texts.push_back("a" + std::to_string(i) + " b" + std::to_string(i));
    const Model model = TrainOn(config, texts);
    const auto row = [&](const Matrix& matrix, const std::string& word) {
      return matrix[model.vocabulary.words.Find(word, HashWord(word))];
    };
    const simd::Kernels& kernels = simd::BestKernels();
    double sum = 0;
    for (uint32_t i = 0; i < 100; i++) {
      for (const bool turned : {false, true}) {
        CAPTURE(i);
        const float* u = row(model.target, (turned ? "b" : "a") + std::to_string(i));
        const float* v = row(model.source, (turned ? "a" : "b") + std::to_string(i));
        const double steps =
            kernels.dot(u, v, 400) / kernels.dot(v, v, 400) / (config.learning_rate / 2);
        // The rate falls from 1 to 1/2 in the first epoch and to 0 in the second: 0.5 to 1.5 steps.
        // A strange row adds about 1 / sqrt(400) = 0.05 times its rate, and there are at most some
        // ten.
        CHECK(steps > 0.5 - 0.3);
        CHECK(steps < 1.5 + 0.3);
        sum += steps;
      }
    }
    CHECK(sum / 200 == doctest::Approx(1).epsilon(0.05));
  }
}

TEST_CASE("sentences of one topic are nearer than sentences of two") {
  const auto texts = test::TopicTexts(600, 5);
  for (const int64_t order : {1, 2}) {
    for (const int64_t reuse : {1, 10}) {
      CAPTURE(order);
      CAPTURE(reuse);
      Config config = TopicConfig();
      config.ngram_order = order;
      config.recipe.negative_reuse = reuse;
      const TopicMargin margin = MarginOf(TrainOn(config, texts));
      CAPTURE(margin.same);
      CAPTURE(margin.across);
      CHECK(margin.same > margin.across + 0.25);
      CHECK(margin.nearest_of_topic >= 36);
    }
  }
}

TEST_CASE("rows start at random: words of length initial_norm, n-grams within 1 / dimension") {
  Config config = SmallConfig();
  config.dimension = 100;
  config.ngram_order = 2;
  config.epochs = 1;
  config.whitening = 0;
  config.learning_rate = 1e-6;  // the rows stay where they start: U is zero, and then all but zero
  for (const double norm : {0.0, 0.5, 20.0}) {
    CAPTURE(norm);
    config.initial_norm = norm;
    const Model model = TrainOn(config, test::ZipfTexts(500, 400, 10, 1));
    const uint64_t words = model.vocabulary.size();
    REQUIRE(words > 300);
    REQUIRE(model.source.rows() > words + 300);
    double mean = 0, squares[2] = {}, largest[2] = {};
    for (uint64_t r = 0; r < model.source.rows(); r++) {
      for (uint32_t i = 0; i < 100; i++) {
        const double x = model.source[r][i];
        if (r < words) mean += x / (norm == 0 ? 0.01 : norm / 10);
        squares[r < words ? 0 : 1] += x * x;
        largest[r < words ? 0 : 1] = std::max(largest[r < words ? 0 : 1], std::fabs(x));
      }
    }
    const auto word_values = static_cast<double>(100 * words);
    const auto ngram_values = static_cast<double>(100 * (model.source.rows() - words));
    // U(-a, a) has the variance a^2 / 3, and x^2 of it the deviation 0.9 of that: of more than
    // 30000 values the mean square is within 3%.
    const double variance = norm == 0 ? 1e-4 / 3 : norm * norm / 100;
    CHECK(squares[0] / word_values == doctest::Approx(variance).epsilon(0.03));
    CHECK(squares[1] / ngram_values == doctest::Approx(1e-4 / 3).epsilon(0.03));
    CHECK(largest[0] <= 1.001 * std::sqrt(3 * variance));
    CHECK(largest[1] <= 0.0101);
    CHECK(std::fabs(mean / word_values) < 5 / std::sqrt(word_values));
  }
}

TEST_CASE(
    "whitening evens out the directions of the words, shortens rows, and no product is lost") {
  Config config = SmallConfig();
  config.initial_norm = 0.5;
  config.whitening = 0;
  Model plain = TrainOn(config, test::ZipfTexts(500, 400, 10, 1));
  Model white = TrainOn(config, test::ZipfTexts(500, 400, 10, 1));
  white.config.whitening = 1;
  Whiten(&white);
  const uint32_t n = plain.source.dimension();
  const auto dot = [n](const float* a, const float* b) {
    double sum = 0;
    for (uint32_t i = 0; i < n; i++) sum += static_cast<double>(a[i]) * b[i];
    return sum;
  };
  const auto length = [&](uint64_t v) {
    return std::sqrt(dot(white.source[v], white.source[v])) / 0.5;
  };
  std::vector<double> shortened;
  for (uint64_t v = 0; v < plain.source.rows(); v++) shortened.push_back(length(v));
  LengthenRows(&white);
  uint64_t longer = 0;
  for (uint64_t v = 0; v < plain.source.rows(); v++) {
    CHECK(shortened[v] == doctest::Approx(length(v) > 1 ? std::sqrt(length(v)) : length(v)));
    longer += length(v) > 1;
  }
  CHECK(longer > 0);
  for (uint64_t v = 0; v < plain.source.rows(); v += 7) {
    for (uint64_t u = 0; u < plain.target.rows(); u += 11) {
      const double before = dot(plain.source[v], plain.target[u]);
      CHECK(dot(white.source[v], white.target[u]) == doctest::Approx(before).epsilon(1e-3));
    }
  }
  double squares[2] = {};
  std::vector<double> moment(n * n);
  for (uint32_t id = 0; id < white.vocabulary.size(); id++) {
    const double f = white.vocabulary.Frequency(id);
    squares[0] += f * dot(plain.source[id], plain.source[id]);
    squares[1] += f * dot(white.source[id], white.source[id]);
    for (uint32_t i = 0; i < n; i++) {
      for (uint32_t j = 0; j < n; j++) {
        moment[i * n + j] += f * white.source[id][i] * white.source[id][j];
      }
    }
  }
  CHECK(squares[1] == doctest::Approx(squares[0]).epsilon(1e-3));
  for (uint32_t i = 0; i < n; i++) {
    for (uint32_t j = 0; j < n; j++) {
      const double expected = i == j ? squares[0] / n : 0;
      CHECK(std::fabs(moment[i * n + j] - expected) < 1e-3 * squares[0] / n);
    }
  }
}

TEST_CASE("rows that were never trained do not know the topics") {
  // what the margins above must be seen against: sentences of one topic share some words
  Config config = TopicConfig();
  config.epochs = 1;
  config.learning_rate = 1e-6;
  const TopicMargin margin = MarginOf(TrainOn(config, test::TopicTexts(600, 5)));
  CAPTURE(margin.same);
  CAPTURE(margin.across);
  CHECK(margin.same < margin.across + 0.15);
}

TEST_CASE("the default rates learn the topics too") {
  const auto texts = test::TopicTexts(600, 5);
  Config config = TopicConfig();
  const Config defaults;
  config.learning_rate = defaults.learning_rate;
  config.recipe.source_rate = defaults.recipe.source_rate;
  config.recipe.step_bound = defaults.recipe.step_bound;
  config.initial_norm = defaults.initial_norm;
  config.negatives = defaults.negatives;
  const TopicMargin margin = MarginOf(TrainOn(config, texts));
  CAPTURE(margin.same);
  CAPTURE(margin.across);
  CHECK(margin.same > margin.across + 0.2);
}

TEST_CASE("a training takes its step bound: of almost nothing, source rows stay where they start") {
  const auto texts = test::TopicTexts(200, 6);
  Config config = SmallConfig();
  const auto train = [&](double learning_rate, double step_bound) {
    config.learning_rate = learning_rate;
    config.recipe.step_bound = step_bound;
    return TrainOn(config, texts);
  };
  const Model start = train(1e-6, 0), free = train(0.2, 0), bound = train(0.2, 1e-6);
  const auto farthest = [&](const Model& model) {
    float distance = 0;
    for (uint64_t r = 0; r < start.source.rows(); r++) {
      for (uint32_t i = 0; i < 16; i++) {
        distance = std::max(distance, std::fabs(model.source[r][i] - start.source[r][i]));
      }
    }
    return distance;
  };
  // Rows begin within 1 / 16: ten thousand steps of a millionth of that.
  CHECK(farthest(bound) < 0.001f);
  CHECK(farthest(free) > 0.02f);
}

TEST_CASE("L1 makes rows sparse and training with it still learns") {
  const auto texts = test::TopicTexts(300, 7);
  Config config = TopicConfig();
  config.l1 = 0.002;
  const Model model = TrainOn(config, texts);
  uint64_t zeros = 0;
  for (uint64_t r = 0; r < model.source.rows(); r++) {
    for (uint32_t i = 0; i < 16; i++) zeros += model.source[r][i] == 0;
  }
  CHECK(zeros > 100);  // of 960
  CHECK(model.epoch_losses.back() < model.epoch_losses.front());
}

TEST_CASE("tiny corpora train") {
  for (const std::vector<std::string>& texts : std::vector<std::vector<std::string>>{
           {"a b"}, {"a b", "b a"}, {"a b c"}, {"a a b"}, {"a a", "b b"}}) {
    for (const int64_t order : {1, 2}) {
      for (const int64_t reuse : {1, 10}) {
        Config config = SmallConfig();
        config.ngram_order = order;
        config.recipe.negative_reuse = reuse;
        config.subsampling_threshold = 1;
        config.workers = 0;
        config.dimension = 1;
        const Model model = TrainOn(config, texts);
        CHECK(model.epoch_losses.size() == 3);
        CHECK(AllFinite(model.source));
        CHECK(AllFinite(model.target));
      }
    }
  }
}

// Hours of work.
Config EndlessConfig() {
  Config config = SmallConfig();
  config.epochs = 100000;
  config.dimension = 100;
  return config;
}

double SecondsFrom(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

TEST_CASE("an observer stops the training at once") {
  for (const int64_t workers : {1, 4}) {
    Config config = EndlessConfig();
    config.workers = workers;
    Corpus corpus = BuildCorpus(config, test::TopicTexts(1000, 8));
    int calls = 0;
    const auto start = std::chrono::steady_clock::now();
    CHECK_THROWS_AS(Train(config, std::move(corpus),
                          [&](const Progress&) {
                            calls++;
                            return false;
                          }),
                    Interrupted);
    CHECK(calls == 1);
    // A tenth of a second until the observer is asked, then a chunk of 64 sentences; the rest is
    // for a busy machine.
    CHECK(SecondsFrom(start) < 5);
  }
}

TEST_CASE("an error of the observer passes through") {
  const auto start = std::chrono::steady_clock::now();
  struct Own : std::runtime_error {
    using std::runtime_error::runtime_error;
  };
  Config config = EndlessConfig();
  config.workers = 2;
  Corpus corpus = BuildCorpus(config, test::TopicTexts(100, 8));
  CHECK_THROWS_WITH_AS(
      Train(config, std::move(corpus), [](const Progress&) -> bool { throw Own("mine"); }), "mine",
      Own);
  CHECK(SecondsFrom(start) < 5);
}

TEST_CASE("the progress is of this training and rises") {
  Config config = EndlessConfig();
  Corpus corpus = BuildCorpus(config, test::TopicTexts(100, 8));
  std::vector<Progress> seen;
  CHECK_THROWS_AS(Train(config, std::move(corpus),
                        [&](const Progress& progress) {
                          seen.push_back(progress);
                          return seen.size() < 3;
                        }),
                  Interrupted);
  REQUIRE(seen.size() == 3);
  for (size_t i = 0; i < 3; i++) {
    CHECK(seen[i].fraction > 0);
    CHECK(seen[i].fraction < 1);
    CHECK(seen[i].tokens > 0);
    CHECK(seen[i].loss > 0);
    CHECK(seen[i].learning_rate == doctest::Approx(config.learning_rate * (1 - seen[i].fraction)));
    if (i > 0) {
      CHECK(seen[i].fraction > seen[i - 1].fraction);
      CHECK(seen[i].tokens > seen[i - 1].tokens);
    }
  }
}

TEST_CASE("the tokens of the progress are the known words of all epochs") {
  Config config = SmallConfig();
  config.min_count = 3;
  config.epochs = 4;
  config.workers = 2;
  auto texts = test::TopicTexts(200, 8);
  for (size_t i = 0; i < texts.size(); i++) texts[i] += " once" + std::to_string(i);
  Corpus corpus = BuildCorpus(config, texts);
  const uint64_t known = corpus.known_tokens;
  Trainer trainer(config, std::move(corpus));
  trainer.Run([](const Progress&) { return true; });
  REQUIRE(trainer.Pause(std::chrono::milliseconds(0)));  // of a training that has ended: its state
  CHECK(trainer.state().tokens == 4 * known);
}

std::string ErrorOfTraining(const Config& config, const std::vector<std::string>& texts) {
  try {
    const Model model = TrainOn(config, texts);
    return AllFinite(model.source) && AllFinite(model.target) ? "" : "a model that is not finite";
  } catch (const InvalidArgument& error) {
    return error.what();
  }
}

TEST_CASE("a rate that diverges ends with an error that names it") {
  for (const int64_t workers : {1, 3}) {
    Config config = SmallConfig();
    config.epochs = 50;
    config.learning_rate = 100;
    config.recipe.source_rate = 10000;
    config.workers = workers;
    const std::string message = ErrorOfTraining(config, test::TopicTexts(200, 9));
    CAPTURE(message);
    CHECK(message.find("diverged") != std::string::npos);
    CHECK(message.find("learning_rate 100") != std::string::npos);
    CHECK(message.find("lower it, or take recipe fast") != std::string::npos);
  }
}

TEST_CASE("a model is finite or refused, whichever step was the last") {
  Config config = SmallConfig();
  config.subsampling_threshold = 1;
  config.learning_rate = 100;
  config.recipe.source_rate = 10000;
  int refused = 0;
  for (config.epochs = 1; config.epochs <= 40; config.epochs++) {
    for (config.seed = 1; config.seed <= 5; config.seed++) {
      CAPTURE(config.epochs);
      CAPTURE(config.seed);
      const std::string message = ErrorOfTraining(config, {"a b c d", "c d e f"});
      CHECK(message != "a model that is not finite");
      refused += !message.empty();
    }
  }
  CHECK(refused > 0);
}

}  // namespace
}  // namespace s2v
