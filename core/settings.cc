#include "core/settings.h"

#include <sstream>

#include "core/error.h"

namespace s2v {

Settings::Settings(const Config& config) : config_(config), origins_(Parameters().size(), kGiven) {}

void Settings::Set(std::string_view name, std::string_view value) {
  const Parameter* p = FindParameter(name);
  if (p != nullptr && !p->automatic.empty() && value == "auto") {
    SetParameter(&config_, name, ParameterText(Config(), *p));
    Mark(*p, kGivenAuto);
    return;
  }
  SetParameter(&config_, name, value);
  Mark(*p, kGiven);
}

void Settings::Recommend(std::string_view name, std::string_view value) {
  const Parameter* p = FindParameter(name);
  if (p != nullptr && Given(*p)) return;
  SetParameter(&config_, name, value);
  Mark(*p, kRecommended);
}

void Settings::UsePreset(std::string_view name) {
  for (const Preset& preset : Presets()) {
    if (preset.name != name) continue;
    std::istringstream parameters{std::string(preset.parameters)};
    for (std::string parameter, value; parameters >> parameter >> value;) {
      Recommend(parameter, value);
    }
    return;
  }
  throw InvalidArgument("no preset '" + std::string(name) + "'; there are: " + PresetNames());
}

bool Settings::HasValue(const Parameter& parameter) const {
  const Origin origin = OriginOf(parameter);
  return origin == kRecommended || origin == kGiven;
}

bool Settings::IsAutomatic(const Parameter& parameter) const {
  const Origin origin = OriginOf(parameter);
  return !parameter.automatic.empty() && (origin == kDefault || origin == kGivenAuto);
}

void Settings::Choose(const Parameter& parameter, std::string_view value) {
  SetParameter(&config_, parameter.name, value);
}

Settings::Origin Settings::OriginOf(const Parameter& parameter) const {
  const auto at = static_cast<size_t>(&parameter - Parameters().data());
  return origins_.empty() ? kDefault : origins_[at];
}

void Settings::Mark(const Parameter& parameter, Origin origin) {
  origins_.resize(Parameters().size(), kDefault);
  origins_[static_cast<size_t>(&parameter - Parameters().data())] = origin;
}

}  // namespace s2v
