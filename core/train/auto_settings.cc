#include "core/train/auto_settings.h"

#include <algorithm>
#include <cmath>

namespace s2v {
namespace {

struct Decision {
  std::string value, reason;
};

// What a rule is given: the parameter, the corpus, and the settings chosen so far.
using Rule = Decision (*)(const Parameter&, const CorpusShape&, const Config&);

Decision KeepDefault(const Parameter& parameter, const CorpusShape&, const Config&) {
  return {ParameterText(Config(), parameter), std::string(kConstantRule)};
}

// Measured on tables of 1,000 to 1,000,000 rows of Wikipedia, speeches and novels, and WordNet's
// glosses: from this many tokens on, more passes gain less than half a point on STS 2014.
Decision Epochs(const Parameter&, const CorpusShape& shape, const Config&) {
  constexpr double kTokens = 135e6;
  const double passes = kTokens / static_cast<double>(std::max<uint64_t>(shape.tokens, 1));
  const auto epochs = static_cast<int64_t>(std::clamp(std::round(passes), 3.0, 30.0));
  return {std::to_string(epochs), "for " + std::to_string(shape.tokens) + " tokens"};
}

// In a table of up to some ten thousand rows most words are rare, and dropping them costs up to
// three points on STS 2014, and retrieval more; in a large one they cost memory and bring nothing
// (tests/bench/grid.sh).
Decision MinCount(const Parameter& parameter, const CorpusShape& shape, const Config& config) {
  constexpr uint64_t kFewTokens = 500000;
  return {shape.tokens < kFewTokens ? "1" : KeepDefault(parameter, shape, config).value,
          "for " + std::to_string(shape.tokens) + " tokens"};
}

// As a value of a parameter whose third digit does not matter, at most 1.
std::string TwoDigits(double value) {
  const double unit = std::pow(10, std::floor(std::log10(value)) - 1);
  return NumberText(std::min(1.0, std::round(value / unit) / std::round(1 / unit)));
}

// Where most words are as frequent as this, contexts would lose them all.
Decision ContextThreshold(const Parameter& parameter, const CorpusShape& shape,
                          const Config& config) {
  const double mean = 1 / static_cast<double>(std::max<uint64_t>(shape.distinct_words, 1));
  if (mean <= Config().context_threshold) return KeepDefault(parameter, shape, config);
  return {TwoDigits(mean), "for " + std::to_string(shape.distinct_words) + " words"};
}

// In a corpus of a few thousand tokens even a rare word has a frequency near the usual a, and only
// unknown words would count.
Decision Smoothing(const Parameter& parameter, const CorpusShape& shape, const Config& config) {
  constexpr double kOccurrences = 5;
  const double least = kOccurrences / static_cast<double>(std::max<uint64_t>(shape.tokens, 1));
  if (least <= Config().smoothing) return KeepDefault(parameter, shape, config);
  return {TwoDigits(least), "so few tokens that rare words are frequent"};
}

constexpr struct {
  std::string_view parameter;
  Rule rule;
} kRules[] = {
    {"epochs", Epochs},
    {"context_threshold", ContextThreshold},
    {"min_count", MinCount},
    {"min_target_count", MinCount},
    {"smoothing", Smoothing},
};

}  // namespace

std::vector<Choice> ChooseSettings(const CorpusShape& shape, Settings* settings) {
  std::vector<Choice> choices;
  for (const auto& [name, rule] : kRules) {
    const Parameter& parameter = *FindParameter(name);
    if (!settings->IsAutomatic(parameter)) continue;
    Decision decision = rule(parameter, shape, settings->config());
    settings->Choose(parameter, decision.value);
    choices.push_back({name, std::move(decision.value), std::move(decision.reason)});
  }
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
