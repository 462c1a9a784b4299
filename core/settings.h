// What the user asked for: a configuration, and where each of its values comes from.
//
//   Settings settings;
//   settings.Set("epochs", "3");               // throws InvalidArgument, says the range
//   settings.Set("min_count", "auto");         // to be chosen from the corpus, as if not given
//   settings.UsePreset("wiki-bigrams");        // leaves epochs and min_count as they were
//   ChooseSettings(builder.shape(), &settings);     // what is left to choose
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/config.h"

namespace s2v {

// Of the settings of the paper's models (core/settings.cc).
std::vector<std::string_view> PresetNames();

class Settings {
 public:
  Settings() = default;
  // All of a configuration, as if each parameter were given: nothing is left to choose.
  explicit Settings(const Config& config);
  // A parameter as the user gives it, before or after any preset. "auto" for one that can be chosen
  // from the corpus (Parameter::automatic). Throws InvalidArgument.
  void Set(std::string_view name, std::string_view value);
  // A value, no auto, unless the user gave the parameter. Throws InvalidArgument.
  void Recommend(std::string_view name, std::string_view value);
  // Recommends every parameter of a preset. Throws InvalidArgument, naming those that there are.
  void UsePreset(std::string_view name);

  // Whether the user gave it, be it as auto.
  bool Given(const Parameter& parameter) const { return OriginOf(parameter) >= kGiven; }
  // Whether the user or a preset gave it a value; auto is none.
  bool HasValue(const Parameter& parameter) const {
    return OriginOf(parameter) == kRecommended || OriginOf(parameter) == kGiven;
  }
  // Whether it is to be chosen from the corpus.
  bool IsAutomatic(const Parameter& parameter) const {
    return !parameter.automatic.empty() && !HasValue(parameter);
  }
  // The configuration once every choice has been made.
  const Config& config() const { return config_; }
  // REQUIRES: parameter is automatic.
  void Choose(const Parameter& parameter, std::string_view value) {
    SetParameter(&config_, parameter.name, value);
  }

 private:
  enum Origin : char { kDefault, kRecommended, kGiven, kGivenAuto };
  static size_t Index(const Parameter& p) { return static_cast<size_t>(&p - Parameters().data()); }
  Origin OriginOf(const Parameter& parameter) const { return origins_[Index(parameter)]; }
  Config config_;
  std::vector<Origin> origins_ = std::vector<Origin>(Parameters().size(), kDefault);
};

// What is known of a corpus once it has been counted, before its vocabulary is cut.
struct CorpusShape {
  uint64_t texts = 0;
  uint64_t tokens = 0;
  uint64_t distinct_words = 0;
};

// The reason of a choice that does not depend on the corpus.
inline constexpr std::string_view kConstantRule = "the same for every corpus";

struct Choice {
  std::string_view parameter;
  std::string value;  // as SetParameter takes it
  std::string reason;
};

// Chooses every automatic parameter (Settings::IsAutomatic) but the tokenizer, in the order of
// Parameters().
std::vector<Choice> ChooseSettings(const CorpusShape& shape, Settings* settings);
// {"epochs":{"value":10,"reason":"..."}, ...}
std::string ChoicesJson(const std::vector<Choice>& choices);

}  // namespace s2v
