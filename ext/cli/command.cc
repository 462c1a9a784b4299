#include "ext/cli/command.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <new>
#include <sstream>
#include <type_traits>

#include "core/simd/kernels.h"
#include "ext/cli/database.h"
#include "ext/cli/text.h"

namespace s2v {
namespace {

// help in lines that fit beside the column of the options.
std::string WrapHelp(const std::string& help) {
  constexpr size_t kWidth = 50;  // 80 columns with CLI11's 30 for the names
  std::istringstream words(help);
  std::string wrapped;
  size_t width = 0;
  for (std::string word; words >> word;) {
    const bool fits = width + 1 + word.size() <= kWidth;
    if (!wrapped.empty()) wrapped += fits ? ' ' : '\n';
    width = fits ? width + 1 + word.size() : word.size();
    wrapped += word;
  }
  return wrapped;
}

using Texts = std::vector<std::string>;

// CLI11's own conversion gives "{}" and "[...]" a meaning.
void Take(const std::string&, const Texts& given, Texts* values) {
  *values = given;
}
void Take(const std::string&, const Texts& given, std::string* value) {
  *value = given.front();
}
template <typename Number>
void Take(const std::string& name, const Texts& given, Number* value) {
  if (ParseNumber(given.front(), value)) return;
  throw UsageError(name + (std::is_integral_v<Number> ? ": a whole" : ": a") +
                   " number expected, not '" + given.front() + "'");
}
template <typename T>
void Take(const std::string& name, const Texts& given, std::optional<T>* value) {
  Take(name, given, &value->emplace());
}

CLI::Option* AddOption(CLI::App* app, const std::string& name, OptionValue value, const char* kind,
                       const std::string& help) {
  const auto take = [name, value](const Texts& given) {
    // As a variable of a shell that is not set: not what the command does without the flag.
    if (name.starts_with('-') && std::find(given.begin(), given.end(), "") != given.end())
      throw UsageError(name + " is empty; leave it out, or give it a value");
    std::visit([&](auto* to) { Take(name, given, to); }, value);
    return true;
  };
  return app->add_option(name, take, WrapHelp(help))->type_name(kind);
}

[[noreturn]] void ThrowNoOutput() {
  throw std::runtime_error(std::string("cannot write the output: ") + std::strerror(errno));
}

// The first flag that CLI11 did not understand; if there is none, the first word.
std::string UnexpectedText(const CLI::App& command) {
  Texts unexpected = command.remaining();
  const bool has_end_of_flags = std::erase(unexpected, "--") > 0;
  if (unexpected.empty()) return "'--' was not expected";
  const auto found = std::find_if(unexpected.begin(), unexpected.end(),
                                  [](const std::string& text) { return text.starts_with('-'); });
  if (found == unexpected.end())
    return "'" + unexpected.front() + "' was not expected; what has blanks is put in quotes";
  if (has_end_of_flags) {
    return "'" + *found + "' stands behind --, where nothing is a flag; put it before";
  }
  std::string flag = found->substr(0, found->find('='));
  const std::string message = "no flag " + flag;
  std::replace(flag.begin(), flag.end(), '_', '-');
  return command.get_option_no_throw(flag) != nullptr ? message + ", but " + flag : message;
}

// Help and version, where they were asked for; throws UsageError for what is wrong with the command
// line.
void Answer(const CLI::App& program, const CLI::ParseError& error, const char* first) {
  if (error.get_exit_code() == 0) {
    std::ostringstream out;
    program.exit(error, out, out);
    return WriteOutput(out.str());
  }
  const CLI::App* command = &program;
  std::string name = program.get_name(), message = error.what();
  while (!command->get_subcommands().empty()) {
    command = command->get_subcommands().back();
    name += " " + command->get_name();
  }
  if (command != &program && !program.remaining(false).empty() && first[0] == '-') {
    message = "no flag " + std::string(first) + " before a command; put it behind";
  } else if (command == &program) {
    message = first[0] == '-' ? std::string("no flag ") + first
                              : "no command '" + std::string(first) + "'";
  } else if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) {
    message = UnexpectedText(*command);
  } else if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr &&
             message.find("At Most 1") != message.npos) {
    message = message.substr(0, message.find(':')) +
              ": it was given twice; columns and other lists stand in one, commas between";
  } else if (dynamic_cast<const CLI::RequiredError*>(&error) != nullptr &&
             !command->remaining().empty()) {
    message += "; " + UnexpectedText(*command);
    if (message.find("no flag ") != message.npos)
      message += "; before what begins with - and is no flag put --";
  }
  throw UsageError(message + "; see " + name + " --help");
}

}  // namespace

Command Command::AddSubcommand(const char* name, const char* help) {
  app_->require_subcommand(1);
  return Command(app_->add_subcommand(name, help));
}

void Command::Add(const std::string& name, OptionValue value, const char* kind,
                  const std::string& help) {
  CLI::Option* option = AddOption(app_, name, value, kind, help)->group(group_);
  if (std::holds_alternative<Texts*>(value)) {
    option->expected(1)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  }
}

void Command::AddRequired(const std::string& name, OptionValue value, const std::string& help,
                          const char* kind) {
  CLI::Option* option = AddOption(app_, name, value, kind, help)->required();
  if (std::holds_alternative<Texts*>(value)) {
    option->expected(1, CLI::detail::expected_max_vector_size)->allow_extra_args();
  }
}

void Command::AddFlag(const std::string& name, bool* value, const std::string& help) {
  app_->add_flag(name, *value, WrapHelp(help));
}

void Command::SetNeeds(const char* option, const char* other) {
  app_->get_option(option)->needs(app_->get_option(other));
}

void Command::SetExcludes(const char* option, const char* other) {
  app_->get_option(option)->excludes(app_->get_option(other));
}

void Command::SetFooter(const std::string& text) {
  app_->footer(text);
}

void Command::SetAction(std::function<void()> action) {
  app_->callback(std::move(action));
}

// "--dimension INTEGER  length of an embedding (1 to 4096 floats; default 400)"
void ParameterOptions::AddTo(Command command) {
  command = command.Group("Parameters");
  command.Add("--preset", &values_["preset"], "NAME",
              "settings of one of the paper's models; flags beside it win (" +
                  NamesOf(PresetNames()) + ")");
  for (const Parameter& p : Parameters()) {
    const bool whole = std::holds_alternative<int64_t Config::*>(p.member);
    const bool number = whole || std::holds_alternative<double Config::*>(p.member);
    const auto text = [&](double value) { return whole ? FixedText(value, 0) : NumberText(value); };
    std::string range;
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

void WriteOutput(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) ThrowNoOutput();
}

void SummaryOptions::AddTo(Command command, const std::string& function) {
  command.AddFlag("--json", &json, "print the summary as JSON, as " + function + " returns it");
  command.AddFlag("--quiet", &quiet, "no output but errors, and --json's");
}

void SummaryOptions::Print(const std::string& as_json, const std::string& as_text) const {
  WriteOutput(json ? as_json + "\n" : quiet ? "" : Printable(as_text));
}

void FlushOutput() {
  if (std::fflush(stdout) != 0) ThrowNoOutput();
}

int RunProgram(const Program& about, int argc, char** argv) {
  CLI::App program(about.purpose, about.name);
  Command commands(&program);
  about.add_commands(&commands);
  program.set_version_flag("--version", Format("s2v %s (SQLite %s, kernel %s)", S2V_VERSION,
                                               sqlite3_libversion(), simd::BestKernels().name));
  program.footer(
      std::string(about.name) +
      " COMMAND --help tells more.\n"
      "Exit codes: 0 done; 1 the work failed; 2 wrong usage (a bad flag or value); 130 stopped by "
      "Ctrl-C or SIGTERM where something had to be undone.");
  if (argc < 2) {
    std::fputs(program.help().c_str(), stderr);
    return kUsage;
  }
  try {
    program.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    Answer(program, error, argv[1]);
  }
  FlushOutput();
  return kDone;
}

Failure CaughtFailure() {
  try {
    throw;
  } catch (const UsageError& error) {
    return {kUsage, error.what()};
  } catch (const StoppedError& error) {
    return {kInterrupted, error.what()};
  } catch (const Interrupted&) {
    return {kInterrupted, kInterruptedText};
  } catch (const std::bad_alloc&) {
    return {kFailed,
            "out of memory; a training, and what it makes, needs less with a lower --dimension or "
            "--max-vocabulary"};
  } catch (const SqlError& error) {
    return {kFailed, Explain(error)};
  } catch (const std::exception& error) {
    return {kFailed, ErrorText(error)};
  }
}

}  // namespace s2v
