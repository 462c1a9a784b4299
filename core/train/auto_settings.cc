#include "core/train/auto_settings.h"

#include <algorithm>
#include <cmath>

namespace s2v {
namespace {

// As a value of a parameter whose third digit does not matter, at most 1.
std::string TwoDigits(double value) {
  const double unit = std::pow(10, std::floor(std::log10(value)) - 1);
  return NumberText(std::min(1.0, std::round(value / unit) / std::round(1 / unit)));
}

}  // namespace

std::vector<Choice> ChooseSettings(const CorpusShape& shape, Settings* settings) {
  const Config defaults;
  const auto tokens = static_cast<double>(std::max<uint64_t>(shape.tokens, 1));
  const std::string for_tokens = "for " + std::to_string(shape.tokens) + " tokens";
  std::vector<Choice> choices;
  const auto choose = [&](std::string_view name, const std::string& value, std::string reason) {
    const Parameter& parameter = *FindParameter(name);
    if (!settings->IsAutomatic(parameter)) return;
    settings->Choose(parameter, value);
    choices.push_back({parameter.name, value, std::move(reason)});
  };
  const auto choose_larger = [&](std::string_view name, double usual, double least,
                                 std::string reason) {
    if (least <= usual) return choose(name, NumberText(usual), std::string(kConstantRule));
    choose(name, TwoDigits(least), std::move(reason));
  };

  // Measured on tables of 1,000 to 1,000,000 rows of Wikipedia, speeches and novels, and WordNet's
  // glosses: from this many tokens on, more passes gain less than half a point on STS 2014.
  constexpr double kTokens = 135e6;
  const auto epochs = static_cast<int64_t>(std::clamp(std::round(kTokens / tokens), 3.0, 30.0));
  choose("epochs", std::to_string(epochs), for_tokens);

  // Where most words are as frequent as the default, contexts would lose them all.
  choose_larger("context_threshold", defaults.context_threshold,
                1 / static_cast<double>(std::max<uint64_t>(shape.distinct_words, 1)),
                "for " + std::to_string(shape.distinct_words) + " words");

  // In a table of up to some ten thousand rows most words are rare, and dropping them costs up to
  // three points on STS 2014, and retrieval more; in a large one they cost memory and bring nothing
  // (tests/bench/grid.sh).
  constexpr uint64_t kFewTokens = 500000;
  const bool few = shape.tokens < kFewTokens;
  choose("min_count", few ? "1" : std::to_string(defaults.min_count), for_tokens);
  choose("min_target_count", few ? "1" : std::to_string(defaults.min_target_count), for_tokens);

  // In a corpus of a few thousand tokens even a rare word has a frequency near the usual a, and only
  // unknown words would count.
  constexpr double kOccurrences = 5;
  choose_larger("smoothing", defaults.smoothing, kOccurrences / tokens,
                "so few tokens that rare words are frequent");
  return choices;
}

std::string ChoicesJson(const std::vector<Choice>& choices) {
  std::string json;
  for (const Choice& choice : choices) {
    json += (json.empty() ? "" : ",") + JsonString(choice.parameter) +
            ":{\"value\":" + choice.value + ",\"reason\":" + JsonString(choice.reason) + "}";
  }
  return "{" + json + "}";
}

}  // namespace s2v
