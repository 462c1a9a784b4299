#include "core/simd/kernels.h"
#include "core/text/tokenizer.h"
#include "ext/cli/command.h"

namespace s2v {

std::string TokenizerNames() {
  std::string names;
  for (const Tokenizer* tokenizer : AllTokenizers()) {
    names += (names.empty() ? "" : ", ") + std::string(tokenizer->name());
  }
  return names;
}

// "--dimension INTEGER  length of an embedding (1 to 4096 floats; default 200)"
void ParameterOptions::AddTo(Command command) {
  command = command.Group("Parameters");
  command.Add("--preset", &values_["preset"], "NAME",
              "settings of one of the paper's models; flags beside it win (" + PresetNames() + ")");
  for (const Parameter& p : Parameters()) {
    const bool whole = std::holds_alternative<int64_t Config::*>(p.member);
    const bool number = whole || std::holds_alternative<double Config::*>(p.member);
    constexpr double kNoLimit = 9007199254740992.0;
    const auto text = [&](double value) { return whole ? FixedText(value, 0) : NumberText(value); };
    std::string range = p.name == "tokenizer" ? TokenizerNames() : "";
    if (number) {
      range = p.max < kNoLimit ? text(p.min) + " to " + text(p.max) : "at least " + text(p.min);
    }
    if (!p.unit.empty()) range += " " + std::string(p.unit);
    command.Add("--" + ParameterFlag(p), &values_[std::string(p.name)],
                whole    ? "INTEGER"
                : number ? "NUMBER"
                         : "NAME",
                std::string(p.help) + " (" + range + (range.empty() ? "" : "; ") + "default " +
                    (p.automatic.empty() ? ParameterText(Config(), p)
                                         : "auto: " + std::string(p.automatic)) +
                    ")");
  }
}

void ParameterOptions::Apply(Settings* settings) const {
  for (const auto& [name, value] : values_) {
    if (!value) continue;
    name == "preset" ? settings->UsePreset(*value) : settings->Set(name, *value);
  }
}

std::set<std::string> ParameterOptions::Given() const {
  std::set<std::string> names;
  for (const auto& [name, value] : values_) {
    if (value) names.insert(name);
  }
  return names;
}

}  // namespace s2v
