#include "core/train/auto_settings.h"

namespace s2v {
namespace {

struct Decision {
  std::string value, reason;
};

// What a rule is given: the parameter, the corpus, and the settings chosen so far.
using Rule = Decision (*)(const Parameter&, const CorpusShape&, const Config&);

Decision KeepDefault(const Parameter& parameter, const CorpusShape&, const Config&) {
  return {ParameterText(Config(), parameter), "the same for every corpus"};
}

constexpr struct {
  std::string_view parameter;
  Rule rule;
} kRules[] = {
    {"epochs", KeepDefault},
    {"learning_rate", KeepDefault},
    {"subsampling_threshold", KeepDefault},
    {"min_count", KeepDefault},
    {"min_target_count", KeepDefault},
    {"min_ngram_count", KeepDefault},
    {"bucket_count", KeepDefault},
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
