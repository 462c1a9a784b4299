// A flag for every parameter of core/config.h, by its name with '-' for '_', shared by the
// subcommands that train.
//
//   auto parameters = std::make_shared<ParameterOptions>();
//   parameters->AddTo(app);                       // app must not outlive it
//   parameters->Apply(&config);                   // once the command line is read; throws
//   InvalidArgument
#ifndef S2V_EXT_CLI_PARAMETER_OPTIONS_H_
#define S2V_EXT_CLI_PARAMETER_OPTIONS_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/config.h"
#include "ext/cli/command.h"

namespace s2v {

class ParameterOptions {
 public:
  void AddTo(CLI::App* app);
  // Sets those that were given, and leaves the others.
  void Apply(Config* config) const;
  bool Given(std::string_view name) const;

 private:
  std::vector<std::optional<std::string>> values_;  // in the order of Parameters(), where given
};

}  // namespace s2v

#endif  // S2V_EXT_CLI_PARAMETER_OPTIONS_H_
