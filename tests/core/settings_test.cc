#include "core/settings.h"

#include <doctest/doctest.h>

#include <string>

#include "core/error.h"
#include "tests/support/error_of.h"

namespace s2v {
namespace {

using test::ErrorOf;

bool IsAutomatic(const Settings& settings, std::string_view name) {
  return settings.IsAutomatic(*FindParameter(name));
}

TEST_CASE("settings begin as the defaults, with what is automatic left open") {
  const Settings settings;
  CHECK(ConfigJson(settings.config()) == ConfigJson(Config()));
  for (const Parameter& p : Parameters()) {
    CAPTURE(std::string(p.name));
    CHECK(!settings.Given(p));
    CHECK(settings.IsAutomatic(p) == !p.automatic.empty());
  }
}

TEST_CASE("what is given is not chosen; auto leaves it open again") {
  Settings settings;
  settings.Set("epochs", "3");
  settings.Set("min_count", "7");
  CHECK(settings.config().epochs == 3);
  CHECK(!IsAutomatic(settings, "epochs"));
  settings.Set("epochs", "auto");
  CHECK(IsAutomatic(settings, "epochs"));
  CHECK(settings.Given(*FindParameter("epochs")));
  CHECK(settings.config().epochs == Config().epochs);
  for (const Choice& choice : ChooseSettings({100, 1000, 50}, &settings)) {
    CHECK(choice.parameter != "min_count");
  }
  CHECK(settings.config().min_count == 7);
}

TEST_CASE("auto is a value of automatic parameters alone") {
  for (const Parameter& p : Parameters()) {
    CAPTURE(std::string(p.name));
    const bool text = std::holds_alternative<std::string Config::*>(p.member);
    const std::string message = ErrorOf([&] { Settings().Set(p.name, "auto"); });
    CHECK(message.empty() == (text || !p.automatic.empty()));
  }
}

TEST_CASE("a configuration as settings leaves nothing open") {
  Config config;
  config.dimension = 12;
  Settings settings(config);
  CHECK(ChooseSettings({1, 1, 1}, &settings).empty());
  CHECK(ConfigJson(settings.config()) == ConfigJson(config));
}

TEST_CASE("a refused value leaves the settings as they were") {
  Settings settings;
  CHECK(ErrorOf([&] { settings.Set("epochs", "0"); }) != "");
  CHECK(ErrorOf([&] { settings.Set("epoch", "1"); }) != "");
  CHECK(ErrorOf([&] { settings.Set("epoch", "auto"); }) != "");
  CHECK(ErrorOf([&] { settings.Recommend("epoch", "1"); }) != "");
  CHECK(!settings.Given(*FindParameter("epochs")));
  CHECK(ConfigJson(settings.config()) == ConfigJson(Config()));
}

TEST_CASE("every automatic parameter is chosen once, in the order of the parameters") {
  Settings settings;
  const auto choices = ChooseSettings({1000000, 27000000, 500000}, &settings);
  size_t next = 0;
  for (const Parameter& p : Parameters()) {
    if (p.automatic.empty() || p.name == "tokenizer") continue;  // chosen before the corpus is cut
    CAPTURE(std::string(p.name));
    REQUIRE(next < choices.size());
    CHECK(choices[next].parameter == p.name);
    CHECK(choices[next].value == ParameterText(settings.config(), p));
    CHECK(!choices[next].reason.empty());
    next++;
  }
  CHECK(next == choices.size());
  CHECK(ChoicesJson({}) == "{}");
  CHECK(ChoicesJson({{"epochs", "3", "a \"reason\""}, {"min_count", "2", "b"}}) ==
        R"({"epochs":{"value":3,"reason":"a \"reason\""},"min_count":{"value":2,"reason":"b"}})");
}

TEST_CASE("little text has more passes, a larger a, and all of its words") {
  struct Row {
    uint64_t tokens;
    int64_t epochs;
    double smoothing;
    int64_t min_count;
  };
  for (const Row& row :
       {Row{1, 30, 1, 1}, Row{250, 30, 0.02, 1}, Row{20000, 30, 0.01, 1}, Row{499999, 30, 0.01, 1},
        Row{500000, 30, 0.01, 5}, Row{13500000, 10, 0.01, 5}, Row{27000000, 5, 0.01, 5},
        Row{45000000, 3, 0.01, 5}, Row{2700000000, 3, 0.01, 5}}) {
    CAPTURE(row.tokens);
    Settings settings;
    ChooseSettings({row.tokens / 20 + 1, row.tokens, row.tokens / 10 + 1}, &settings);
    CHECK(settings.config().epochs == row.epochs);
    CHECK(settings.config().smoothing == row.smoothing);
    // all else is the same for every corpus
    Config expected;
    expected.epochs = row.epochs;
    expected.smoothing = row.smoothing;
    if (row.tokens == 1) expected.context_threshold = 1;
    if (row.tokens == 250) expected.context_threshold = 0.038;     // 26 words
    if (row.tokens == 20000) expected.context_threshold = 0.0005;  // 2,001 words
    expected.min_count = expected.min_target_count = row.min_count;
    CHECK(ConfigJson(settings.config()) == ConfigJson(expected));
  }
}

// Table 5 of the paper.
TEST_CASE("the presets are the paper's settings") {
  struct Row {
    const char* name;
    int64_t order, dimension, min_count, min_target_count, epochs;
    double t;
    int64_t dropout;
  };
  const Row rows[] = {
      {"books-unigrams", 1, 700, 5, 8, 13, 1e-5, 4},
      {"books-bigrams", 2, 700, 5, 5, 12, 5e-6, 7},
      {"wiki-unigrams", 1, 600, 8, 20, 9, 1e-5, 4},
      {"wiki-bigrams", 2, 700, 8, 20, 9, 5e-6, 4},
      {"twitter-unigrams", 1, 700, 20, 20, 3, 1e-6, 4},
      {"twitter-bigrams", 2, 700, 20, 20, 3, 1e-6, 3},
  };
  REQUIRE(PresetNames().size() == std::size(rows));
  for (size_t i = 0; i < std::size(rows); i++) {
    const Row& row = rows[i];
    CAPTURE(row.name);
    CHECK(PresetNames()[i] == row.name);
    Settings settings;
    settings.UsePreset(row.name);
    CHECK(ChooseSettings({1000, 20000, 3000}, &settings).empty());
    const Config& c = settings.config();
    CHECK(c.ngram_order == row.order);
    CHECK(c.dimension == row.dimension);
    CHECK(c.min_count == row.min_count);
    CHECK(c.min_target_count == row.min_target_count);
    CHECK(c.epochs == row.epochs);
    CHECK(c.subsampling_threshold == row.t);
    CHECK(c.ngram_dropout == row.dropout);
    CHECK(c.learning_rate == 0.2);
    CHECK(c.recipe.name == "paper");
    CHECK(c.recipe.source_rate == 1);
    CHECK(c.recipe.step_bound == 0);
    CHECK(c.context_threshold == 0);
    CHECK(c.recipe.max_sentence_words == 1000);
    CHECK(c.initial_norm == 0);
    CHECK(c.negatives == 10);
    CHECK(c.recipe.negative_reuse == 1);
    CHECK(c.recipe.min_ngram_count == 1);
    CHECK(c.l1 == 0);
    CHECK(c.smoothing == 0);
    CHECK_NOTHROW(ValidateConfig(c));
  }
}

TEST_CASE("what is given wins over a preset, before it and behind it, auto too") {
  Settings settings;
  settings.Set("dimension", "50");
  settings.Set("epochs", "auto");
  settings.UsePreset("wiki-bigrams");
  settings.Set("ngram_order", "3");
  CHECK(settings.config().dimension == 50);
  CHECK(settings.config().ngram_order == 3);
  CHECK(settings.config().min_target_count == 20);
  CHECK(!settings.Given(*FindParameter("min_target_count")));
  const auto choices = ChooseSettings({1, 2, 2}, &settings);
  REQUIRE(choices.size() == 1);
  CHECK(choices[0].parameter == "epochs");
}

TEST_CASE("an unknown preset is refused with those there are") {
  const std::string message = ErrorOf([] { Settings().UsePreset("wiki"); });
  CHECK(message == "no preset 'wiki'; there are " + NamesOf(PresetNames()));
  CHECK(NamesOf(PresetNames()).starts_with("books-unigrams, books-bigrams, "));
  CHECK(ErrorOf([] { Settings().UsePreset(""); }) != "");
}

}  // namespace
}  // namespace s2v
