// What the user asked for: a configuration, and where each of its values comes from. SQL options,
// command-line flags and presets all go through it.
//
//   Settings settings;
//   settings.Set("epochs", "3");               // throws InvalidArgument, says the range
//   settings.Set("learning_rate", "auto");     // to be chosen from the corpus, as if not given
//   settings.UsePreset("wiki-bigrams");        // leaves epochs and learning_rate as they were
//   ChooseSettings(shape, &settings);          // core/train/auto_settings.h: what is left to choose
#ifndef S2V_CORE_SETTINGS_H_
#define S2V_CORE_SETTINGS_H_

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/config.h"

namespace s2v {

// Settings of the paper's models (core/settings.cc), by name.
struct Preset {
  std::string_view name;
  std::string_view parameters;  // "dimension 700 epochs 13 ..."
};
std::span<const Preset> Presets();
// "books-unigrams, books-bigrams, ..."
std::string PresetNames();

class Settings {
 public:
  Settings() = default;
  // All of a configuration, as if each parameter were given: nothing is left to choose.
  explicit Settings(const Config& config);
  // A parameter as the user gives it, before or after any preset. "auto" for one that can be chosen
  // from the corpus (Parameter::automatic). Throws InvalidArgument.
  void Set(std::string_view name, std::string_view value);
  // As Set, unless the user gave the parameter.
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

}  // namespace s2v

#endif  // S2V_CORE_SETTINGS_H_
