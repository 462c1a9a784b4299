#include "core/settings.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "core/error.h"

namespace s2v {
namespace {

// The settings of the paper's models: table 5 of appendix A (NAACL 2018; "Parameters for training
// models"), whose columns are dimension, minimum word count, minimum target word count, initial
// learning rate, epochs, subsampling hyper-parameter, bigrams dropped per sentence, negatives
// sampled.
constexpr std::string_view kPresetParameters[] = {
    "dimension",   "min_count",    "min_target_count", "epochs", "subsampling_threshold",
    "ngram_order", "ngram_dropout"};
constexpr size_t kPresetValues = std::size(kPresetParameters);
struct PresetRow {
  std::string_view name;
  std::string_view values[kPresetValues];  // "": left as it is
};
constexpr PresetRow kPresets[] = {
    {"books-unigrams", {"700", "5", "8", "13", "1e-5", "1", ""}},
    {"books-bigrams", {"700", "5", "5", "12", "5e-6", "2", "7"}},
    {"wiki-unigrams", {"600", "8", "20", "9", "1e-5", "1", ""}},
    {"wiki-bigrams", {"700", "8", "20", "9", "5e-6", "2", "4"}},
    {"twitter-unigrams", {"700", "20", "20", "3", "1e-6", "1", ""}},
    {"twitter-bigrams", {"700", "20", "20", "3", "1e-6", "2", "3"}},
};

// What the table leaves open is as in the paper's method and the authors' program
// (github.com/epfml/sent2vec): recipe paper, small random source rows, the plain mean of eq. 2 as
// embedding. No L1 regularisation: the paper reports it in rows of its own, for
// books-bigrams and wiki-bigrams with l1 0.0005 (appendix B). Texts are cut by this library's
// tokenizer; the authors' were cut beforehand.
struct PresetValue {
  std::string_view parameter, value;
};
constexpr PresetValue kAsThePaper[] = {
    {"recipe", "paper"},   {"learning_rate", "0.2"}, {"context_threshold", "0"},
    {"initial_norm", "0"}, {"negatives", "10"},      {"l1", "0"},
    {"smoothing", "0"},    {"whitening", "0"},       {"tokenizer", "unicode"},
};

// As a value of a parameter whose third digit does not matter, at most 1.
std::string TwoDigits(double value) {
  const double unit = std::pow(10, std::floor(std::log10(value)) - 1);
  return NumberText(std::min(1.0, std::round(value / unit) / std::round(1 / unit)));
}

}  // namespace

std::vector<std::string_view> PresetNames() {
  std::vector<std::string_view> names;
  for (const PresetRow& preset : kPresets) names.push_back(preset.name);
  return names;
}

Settings::Settings(const Config& config) : config_(config), origins_(Parameters().size(), kGiven) {}

void Settings::Set(std::string_view name, std::string_view value) {
  const Parameter* p = FindParameter(name);
  const bool is_auto = p != nullptr && !p->automatic.empty() && value == "auto";
  SetParameter(&config_, name, is_auto ? ParameterText(Config(), *p) : std::string(value));
  origins_[Index(*p)] = is_auto ? kGivenAuto : kGiven;
}

void Settings::Recommend(std::string_view name, std::string_view value) {
  const Parameter* p = FindParameter(name);
  if (p != nullptr && Given(*p)) return;
  SetParameter(&config_, name, value);  // throws where p is nullptr
  origins_[Index(*p)] = kRecommended;
}

void Settings::UsePreset(std::string_view name) {
  const PresetRow& preset = CheckKnown("preset", name, kPresets, &PresetRow::name);
  for (size_t i = 0; i < kPresetValues; i++) {
    if (!preset.values[i].empty()) Recommend(kPresetParameters[i], preset.values[i]);
  }
  for (const auto& [parameter, value] : kAsThePaper) Recommend(parameter, value);
}

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

  // In a corpus of a few thousand tokens even a rare word has a frequency near the usual a, and
  // only unknown words would count.
  constexpr double kOccurrences = 5;
  choose_larger("smoothing", defaults.smoothing, kOccurrences / tokens,
                "so few tokens that rare words are frequent");
  return choices;
}

std::string ChoicesJson(const std::vector<Choice>& choices) {
  std::string json;
  for (const Choice& choice : choices) {
    double number = 0;
    const bool is_number = ParseNumber(choice.value, &number);
    const std::string value = is_number ? choice.value : JsonString(choice.value);
    json += (json.empty() ? "" : ",") + JsonString(choice.parameter) + ":{\"value\":" + value +
            ",\"reason\":" + JsonString(choice.reason) + "}";
  }
  return "{" + json + "}";
}

}  // namespace s2v
