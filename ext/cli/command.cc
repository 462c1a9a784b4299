#include "ext/cli/command.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <new>
#include <sstream>

#include "core/error.h"
#include "ext/cli/database.h"
#include "ext/s2v.h"

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

using Take = std::function<void(const std::vector<std::string>&)>;

CLI::Option* AddStrings(CLI::App* app, const std::string& name, const char* kind,
                        const std::string& help, Take take) {
  const auto set = [take = std::move(take)](const CLI::results_t& results) {
    take(results);
    return true;
  };
  return app->add_option(name, set, WrapHelp(help))->type_name(kind);
}

template <typename Value>
Take TakeFirst(Value* value) {
  return [value](const auto& given) { *value = given.front(); };
}
Take TakeAll(std::vector<std::string>* values) {
  return [values](const auto& given) { *values = given; };
}

}  // namespace

Command Command::AddSubcommand(const char* name, const char* help) {
  CLI::App* app = app_->add_subcommand(name, help);
  app_->require_subcommand(1);
  return Command(app, action_);
}

void Command::AddText(const std::string& name, std::string* value, const char* kind,
                      const std::string& help) {
  AddStrings(app_, name, kind, help, TakeFirst(value));
}

void Command::AddRequired(const std::string& name, std::string* value, const std::string& help,
                          const char* kind) {
  AddStrings(app_, name, kind, help, TakeFirst(value))->required();
}

void Command::AddRepeated(const std::string& name, std::vector<std::string>* values,
                          const char* kind, const std::string& help) {
  // A value may have blanks and commas.
  AddStrings(app_, name, kind, help, TakeAll(values))
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

void Command::AddRequiredList(const std::string& name, std::vector<std::string>* values,
                              const std::string& help) {
  AddStrings(app_, name, "", help, TakeAll(values))
      ->expected(1, CLI::detail::expected_max_vector_size)
      ->allow_extra_args()
      ->required();
}

void Command::AddParameter(const std::string& name, std::optional<std::string>* value,
                           const char* kind, const std::string& help) {
  AddStrings(app_, name, kind, help, TakeFirst(value))->group("Parameters");
}

void Command::AddFlag(const std::string& name, bool* value, const std::string& help) {
  app_->add_flag(name, *value, WrapHelp(help));
}

void Command::AddNumber(const std::string& name, int64_t* value, const char* kind,
                        const std::string& help) {
  app_->add_option(name, *value, WrapHelp(help))->type_name(kind);
}

void Command::AddNumber(const std::string& name, double* value, const char* kind,
                        const std::string& help) {
  app_->add_option(name, *value, WrapHelp(help))->type_name(kind);
}

void Command::AddNumber(const std::string& name, std::optional<int64_t>* value, const char* kind,
                        const std::string& help) {
  app_->add_option(name, *value, WrapHelp(help))->type_name(kind);
}

void Command::AddNumber(const std::string& name, std::optional<double>* value, const char* kind,
                        const std::string& help, double least, double most) {
  app_->add_option(name, *value, WrapHelp(help))->type_name(kind)->check(CLI::Range(least, most));
}

void Command::SetFooter(const std::string& text) {
  app_->footer(text);
}

void Command::SetAction(Action action) {
  app_->callback([action = std::move(action), chosen = action_] { *chosen = action; });
}

namespace {

[[noreturn]] void ThrowNoOutput() {
  throw std::runtime_error(std::string("cannot write the output: ") + std::strerror(errno));
}

}  // namespace

void WriteOutput(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) ThrowNoOutput();
}

void FlushOutput() {
  if (std::fflush(stdout) != 0) ThrowNoOutput();
}

namespace {

// "s2v 0.1.0 (SQLite 3.40.1, kernel avx2)"
std::string VersionText() {
  sqlite3* db = nullptr;
  std::string text = "s2v";
  if (sqlite3_open(":memory:", &db) == SQLITE_OK &&
      sqlite3_s2v_init(db, nullptr, nullptr) == SQLITE_OK) {
    Statement select(
        db,
        "SELECT format('s2v %s (SQLite %s, kernel %s)', s2v_version(), sqlite_version(), "
        "json_extract(s2v_debug(), '$.kernel'))");
    if (select.Step()) text = select.Text(0);
  }
  sqlite3_close_v2(db);
  return text;
}

// CLI11 counts up, from behind, all that it did not understand; the first flag among it is the
// reason.
std::string UnexpectedText(const CLI::App& command, int argc, char** argv) {
  const std::vector<std::string> unexpected = command.remaining();
  std::string first;
  for (int i = 1; i < argc; i++) {
    const std::string argument = argv[i];
    if (std::find(unexpected.begin(), unexpected.end(), argument) == unexpected.end()) continue;
    if (argument[0] != '-') {
      if (first.empty()) first = "'" + argument + "' was not expected";
      continue;
    }
    std::string flag = argument.substr(0, argument.find('='));
    const std::string message = "no flag " + flag;
    std::replace(flag.begin(), flag.end(), '_', '-');
    const bool known = command.get_option_no_throw(flag) != nullptr;
    return known ? message + ", but " + flag : message;
  }
  return first;
}

// Help and version, where they were asked for; throws UsageError for what is wrong with the command
// line.
void Answer(const CLI::App& program, const CLI::ParseError& error, int argc, char** argv) {
  if (error.get_exit_code() == 0) {
    std::ostringstream out;
    program.exit(error, out, out);
    WriteOutput(out.str());
    FlushOutput();
    return;
  }
  const auto commands = program.get_subcommands();
  if (commands.empty()) {
    const std::string first = argv[1];
    throw UsageError((first[0] == '-' ? "no flag " + first : "no command '" + first + "'") +
                     "; see " + program.get_name() + " --help");
  }
  const CLI::App* innermost = commands.back();
  std::string name = innermost->get_name();
  while (!innermost->get_subcommands().empty()) {
    innermost = innermost->get_subcommands().back();
    name += " " + innermost->get_name();
  }
  const CLI::App& command = *innermost;
  std::string message = error.what();
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) {
    message = UnexpectedText(command, argc, argv);
  }
  throw UsageError(message + "; see " + program.get_name() + " " + name + " --help");
}

}  // namespace

int RunProgram(const Program& about, int argc, char** argv) {
  CLI::App program(about.purpose, about.name);
  Action action;
  Command commands(&program, &action);
  about.add_commands(&commands);
  program.set_version_flag("--version", VersionText);
  program.footer(
      std::string(about.name) +
      " COMMAND --help tells more.\n"
      "Exit codes: 0 done; 1 the work failed; 2 wrong usage (a bad flag or value); 130 stopped by "
      "Ctrl-C.");
  if (argc < 2) {
    std::fputs(program.help().c_str(), stderr);
    return kUsage;
  }
  try {
    program.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    Answer(program, error, argc, argv);
    return kDone;
  }
  action();
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
    return {kInterrupted, "interrupted: the database is unchanged; the former model still answers"};
  } catch (const std::bad_alloc&) {
    return {kFailed,
            "out of memory; training needs less with a lower --dimension or --max-vocabulary"};
  } catch (const SqlError& error) {
    return {kFailed, Explain(error)};
  } catch (const std::exception& error) {
    return {kFailed, error.what()};
  }
}

}  // namespace s2v
