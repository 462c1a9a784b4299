// A flag for every parameter of core/config.h, by its name with '-' for '_', and --preset, shared
// by the subcommands that train.
//
//   auto parameters = std::make_shared<ParameterOptions>();
//   parameters->AddTo(command);                    // the command must not outlive it
//   parameters->Apply(&settings);                 // once the command line is read; throws
//                                                 // InvalidArgument
#ifndef S2V_EXT_CLI_PARAMETER_OPTIONS_H_
#define S2V_EXT_CLI_PARAMETER_OPTIONS_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/settings.h"
#include "ext/cli/command.h"

namespace s2v {

class ParameterOptions {
 public:
  void AddTo(Command command);
  // Sets those that were given, and leaves the others.
  void Apply(Settings* settings) const;
  // name: of a parameter, or "preset".
  bool Given(std::string_view name) const;

 private:
  std::vector<std::optional<std::string>> values_;  // in the order of Parameters(), where given
  std::optional<std::string> preset_;
};

}  // namespace s2v

#endif  // S2V_EXT_CLI_PARAMETER_OPTIONS_H_
