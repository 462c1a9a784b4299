// What the subcommands of the `s2v` program share. Code map:
//
//   main.cc               the program: which commands there are, the last catch clauses
//   command.cc            CLI11, help, a flag for each training parameter, exit codes, messages
//   train_command.cc      s2v train, s2v update         progress.h/.cc   their progress line
//   embed_command.cc      s2v embed, s2v tokenize       line_reader.h    their input
//   models_command.cc     s2v models, s2v drop, s2v convert
//   import_command.cc     s2v import
//   export_command.cc     s2v export
//   index_command.cc      s2v index, s2v search
//   eval_command.cc       s2v eval: its options; eval.h     what its tasks share
//   eval_labelled.cc, eval_self.cc, eval_search.cc   its four tasks
//   eval_files.cc         their files, and which rows of them were trained on
//   encoders.cc           what is compared: models, stored or trained for it, and TF-IDF
//   command_encoder.cc    and programs that turn lines into vectors
//   retrieval.h/.cc       BM25 of FTS5, and the retrieval check that eval self and report share
//   report_command.cc     s2v report; report.html its page
//   database.h/.cc        opening a database file, Ctrl-C, errors that say what to do
//   text.h/.cc            aligned columns, figures, words for a shell
//
// A subcommand declares its options and what is to be done once the whole command line has been
// read. Messages are written without the "s2v: " that main puts before them.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/error.h"
#include "core/settings.h"
#include "core/train/ranks.h"

namespace CLI {
class App;
}  // namespace CLI

namespace s2v {

// The command line asks for what cannot be, whatever the database holds: exit code 2.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// What is said where the work was stopped.
inline constexpr char kInterruptedText[] =
    "interrupted: what was being written is undone, and what was there before still answers";
// Stopped by Ctrl-C, and more is to be said than that nothing has changed: exit code 130.
class StoppedError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Runs check; what it finds wrong is wrong whatever the database holds.
template <typename Check>
auto CheckUsage(const Check& check) {
  try {
    return check();
  } catch (const InvalidArgument& error) {
    throw UsageError(error.what());
  }
}

// Where an option's value goes; an optional stays empty where the option is not given.
using OptionValue =
    std::variant<std::string*, int64_t*, double*, std::optional<std::string>*,
                 std::optional<int64_t>*, std::optional<double>*, std::vector<std::string>*>;

// A command of the program and its options, by way of CLI11, which only command.cc includes: it
// takes the compiler long. A handle, to be copied freely; what values point to must outlive the
// parsing. A name with '-' is an option, another one a positional argument; help is broken into
// lines here, and kind is what it shows for the value.
class Command {
 public:
  explicit Command(CLI::App* app, const char* group = "Options") : app_(app), group_(group) {}

  // A command that has subcommands must be given one of them.
  Command AddSubcommand(const char* name, const char* help);
  // One that does run(options); these are returned to be filled. Its argument DB is their path.
  template <typename Options>
  std::pair<Command, Options*> AddSubcommand(const char* name, const char* help,
                                             void (*run)(const Options&),
                                             const char* database = "the database file") {
    Command command = AddSubcommand(name, help);
    const auto options = std::make_shared<Options>();
    command.SetAction([options, run] { run(*options); });
    command.AddRequired("DB", &options->path, database);
    return {command, options.get()};
  }
  // The same command, its options under another head of the help.
  Command Group(const char* head) { return Command(app_, head); }
  // Texts are taken as they stand. Of a list: one each time that the option is given.
  void Add(const std::string& name, OptionValue value, const char* kind, const std::string& help);
  // Of a list: one or more.
  void AddRequired(const std::string& name, OptionValue value, const std::string& help,
                   const char* kind = "");
  void AddFlag(const std::string& name, bool* value, const std::string& help);
  // Of options that were added: where one is given, the other must be, or must not.
  void SetNeeds(const char* option, const char* other);
  void SetExcludes(const char* option, const char* other);
  void SetFooter(const std::string& text);
  // Runs once the whole command line has been read, where this is the command that was given.
  void SetAction(std::function<void()> action);

 private:
  CLI::App* app_;
  const char* group_;
};

// A flag for every parameter of core/config.h, by its name with '-' for '_', and
// --preset, shared by the commands that train.
//
//   options->parameters.AddTo(command);           // must outlive the parsing
//   options->parameters.Apply(&settings);         // once the command line is read; throws InvalidArgument
class ParameterOptions {
 public:
  void AddTo(Command command);
  // Sets those that were given, and leaves the others.
  void Apply(Settings* settings) const;
  // The names of those that were given, "preset" too.
  std::set<std::string> Given() const;

 private:
  std::map<std::string, std::optional<std::string>> values_;  // by name
};

// --json and --quiet of a command that changes a model and says what it did.
struct SummaryOptions {
  bool json = false, quiet = false;

  void AddTo(Command command, const std::string& function);
  // Prints one of both, or nothing.
  void Print(const std::string& as_json, const std::string& as_text) const;
};

// A program of commands; ext/mpi has another one.
struct Program {
  const char *name, *purpose;
  std::function<void(Command*)> add_commands;
};
enum ExitCode { kDone = 0, kFailed = 1, kUsage = 2, kInterrupted = 130 };
// Does what the command line asks for. Returns an exit code, or throws.
int RunProgram(const Program& program, int argc, char** argv);
// What to say of what a program has thrown. REQUIRES: called inside a catch clause.
struct Failure {
  ExitCode code;
  std::string message;
};
Failure CaughtFailure();

// ranks: that train together.
void AddTrainCommand(Command* program, RankGroup* ranks = Alone());
void AddUpdateCommand(Command* program);
void AddModelsCommand(Command* program);
void AddEmbedCommand(Command* program);
void AddConvertCommand(Command* program);
void AddImportCommand(Command* program);
void AddExportCommand(Command* program);
void AddTokenizeCommand(Command* program);
void AddDropCommand(Command* program);
void AddEvalCommand(Command* program);
void AddReportCommand(Command* program);
void AddIndexCommand(Command* program);
void AddSearchCommand(Command* program);

// Writes to standard output; throws where it does not take it all.
void WriteOutput(std::string_view text);
void FlushOutput();

}  // namespace s2v
