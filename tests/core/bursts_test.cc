#include "core/train/bursts.h"

#include <doctest/doctest.h>

#include <string>
#include <string_view>
#include <vector>

#include "core/model/feature.h"
#include "core/train/trainer.h"

namespace s2v {
namespace {

TEST_CASE("a word that is repeated where it is met comes in bursts, one that is spread does not") {
  CHECK(WordBurst(10, 1000, 10) < 1.01);
  CHECK(WordBurst(10, 1000, 5) == doctest::Approx(1.83).epsilon(0.01));
  CHECK(WordBurst(1000, 1000, 10) == kMostBurst);
  CHECK(WordBurst(5, 1000, 900) == 1);
  CHECK(WordBurst(1, 0, 0) >= 1);
}

TEST_CASE("bursts count fully in a text of twenty tokens, rare words in all") {
  CHECK(BurstShare(0) == 0);
  CHECK(BurstShare(5) == 0.25f);
  CHECK(BurstShare(20) == 1);
  CHECK(BurstShare(2000) == 1);
  CHECK(WordWeight(1, 1, 0.9f, 1e-6f) == doctest::Approx(1));
  CHECK(WordWeight(3, 0.5f, 0.9f, 1e-6f) == doctest::Approx(2));
  CHECK(WordWeight(1, 1, 2e-6f, 1e-6f) == doctest::Approx(1.25));
}

Model TrainedOn(const std::vector<std::string>& texts, double smoothing) {
  Config config;
  config.dimension = 4;
  config.min_count = config.min_target_count = 1;
  config.workers = 1;
  config.epochs = 1;
  config.tokenizer = "whitespace";
  config.smoothing = smoothing;
  CorpusBuilder builder(config);
  for (const std::string& text : texts) builder.Add(text);
  Trainer trainer(config, builder.Finish());
  trainer.Run([](const Progress&) { return true; });
  return trainer.Finish();
}

float BurstOf(const Model& model, std::string_view word) {
  return model.word_bursts.at(model.vocabulary.words.Find(word, HashWord(word)));
}

TEST_CASE("a training finds bursts, and none where no weights count") {
  std::vector<std::string> texts(30, "one two three");
  texts.push_back("whale whale whale whale one");
  texts.push_back("whale whale whale two");
  const Model model = TrainedOn(texts, 0.01);
  REQUIRE(model.word_bursts.size() == model.vocabulary.size());
  CHECK(BurstOf(model, "whale") == doctest::Approx(WordBurst(7, 32, 2)));
  CHECK(BurstOf(model, "whale") > 2);
  CHECK(BurstOf(model, "one") == doctest::Approx(WordBurst(31, 32, 31)));
  CHECK(TrainedOn(texts, 0).word_bursts.empty());
}

}  // namespace
}  // namespace s2v
