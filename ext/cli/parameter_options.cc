#include "ext/cli/command.h"

#include "core/simd/kernels.h"
#include "core/text/tokenizer.h"

namespace s2v {
namespace {

// "1 to 4096", "at least 1", "unicode, whitespace".
std::string RangeText(const Parameter& p) {
  constexpr double kNoLimit = 9007199254740992.0;
  if (std::holds_alternative<int64_t Config::*>(p.member)) {
    const std::string least = std::to_string(static_cast<int64_t>(p.min));
    if (p.max >= kNoLimit) return "at least " + least;
    return least + " to " + std::to_string(static_cast<int64_t>(p.max));
  }
  if (std::holds_alternative<double Config::*>(p.member)) {
    return NumberText(p.min) + " to " + NumberText(p.max);
  }
  std::string names;
  if (p.name == "tokenizer") {
    for (const Tokenizer* t : AllTokenizers()) {
      names += (names.empty() ? "" : ", ") + std::string(t->name());
    }
  }
  return names;
}

// "length of an embedding (1 to 4096 floats; default 200)"
std::string ParameterHelp(const Parameter& p) {
  std::string range = RangeText(p);
  if (!p.unit.empty()) range += " " + std::string(p.unit);
  return std::string(p.help) + " (" + range + (range.empty() ? "" : "; ") + "default " +
         (p.automatic.empty() ? ParameterText(Config(), p) : "auto: " + std::string(p.automatic)) +
         ")";
}

const char* ValueKind(const Parameter& p) {
  if (std::holds_alternative<int64_t Config::*>(p.member)) return "INTEGER";
  if (std::holds_alternative<double Config::*>(p.member)) return "NUMBER";
  return "NAME";
}

}  // namespace

void ParameterOptions::AddTo(Command command) {
  command.AddParameter(
      "--preset", &preset_, "NAME",
      "settings of one of the paper's models; flags beside it win (" + PresetNames() + ")");
  const auto parameters = Parameters();
  values_.resize(parameters.size());
  for (size_t i = 0; i < parameters.size(); i++) {
    const Parameter& p = parameters[i];
    command.AddParameter("--" + ParameterFlag(p), &values_[i], ValueKind(p), ParameterHelp(p));
  }
}

void ParameterOptions::Apply(Settings* settings) const {
  if (preset_) settings->UsePreset(*preset_);
  for (size_t i = 0; i < values_.size(); i++) {
    if (values_[i]) settings->Set(Parameters()[i].name, *values_[i]);
  }
}

bool ParameterOptions::Given(std::string_view name) const {
  if (name == "preset") return preset_.has_value();
  for (size_t i = 0; i < values_.size(); i++) {
    if (Parameters()[i].name == name) return values_[i].has_value();
  }
  return false;
}

}  // namespace s2v
