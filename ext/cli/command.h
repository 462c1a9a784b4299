// What the subcommands of the `s2v` program share. Code map:
//
//   main.cc               the program: which commands there are, the last catch clauses
//   command.cc            CLI11, help, exit codes, messages
//   parameter_options.cc  a flag for each training parameter
//   train_command.cc      s2v train, s2v update         progress.h/.cc   their progress line
//   embed_command.cc      s2v embed, s2v tokenize       line_reader.h    their input
//   models_command.cc     s2v models, s2v drop, s2v convert
//   import_command.cc     s2v import
//   export_command.cc     s2v export
//   index_command.cc      s2v index, s2v search
//   eval_command.cc       s2v eval: its options (eval.h)
//   eval_labelled.cc, eval_self.cc, eval_search.cc   its four tasks
//   eval_files.cc         their files, and which rows of them were trained on
//   encoders.h/.cc        what is compared: models, stored or trained for it, and TF-IDF
//   command_encoder.cc    and programs that turn lines into vectors
//   retrieval.h/.cc       BM25 of FTS5, and the retrieval check that eval self and report share
//   report_command.cc     s2v report; report.h, report_data.cc what it says of vectors, report.html its page
//   database.h/.cc        opening a database file, Ctrl-C, errors that say what to do
//   text.h/.cc            aligned columns, figures, words for a shell
//
// A subcommand declares its options and what is to be done once the whole command line has been
// read. Messages are written without the "s2v: " that main puts before them.
#ifndef S2V_EXT_CLI_COMMAND_H_
#define S2V_EXT_CLI_COMMAND_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.h"
#include "core/settings.h"

namespace CLI {
class App;
}  // namespace CLI

namespace s2v {

// The command line asks for what cannot be, whatever the database holds: exit code 2.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

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

using Action = std::function<void()>;

// A command of the program and its options, by way of CLI11, which only command.cc includes: it takes
// the compiler long. A handle, to be copied freely; what value points to must outlive the parsing.
// A name with '-' is an option, another one a positional argument; help is broken into lines here,
// and kind is what it shows for the value.
class Command {
 public:
  Command(CLI::App* app, Action* action) : app_(app), action_(action) {}

  // Where a command has any of its own, one of them must be given.
  Command AddSubcommand(const char* name, const char* help);
  // Values are taken as they stand: CLI11's own conversion gives "{}" and "[...]" a meaning.
  void AddText(const std::string& name, std::string* value, const char* kind,
               const std::string& help);
  void AddRequired(const std::string& name, std::string* value, const std::string& help,
                   const char* kind = "");
  // One value each time that the option is given.
  void AddRepeated(const std::string& name, std::vector<std::string>* values, const char* kind,
                   const std::string& help);
  void AddRequiredList(const std::string& name, std::vector<std::string>* values,
                       const std::string& help);
  // Under the head "Parameters"; nullopt where it is not given.
  void AddParameter(const std::string& name, std::optional<std::string>* value, const char* kind,
                    const std::string& help);
  void AddFlag(const std::string& name, bool* value, const std::string& help);
  void AddNumber(const std::string& name, int64_t* value, const char* kind,
                 const std::string& help);
  void AddNumber(const std::string& name, double* value, const char* kind, const std::string& help);
  void AddNumber(const std::string& name, std::optional<int64_t>* value, const char* kind,
                 const std::string& help);
  void AddNumber(const std::string& name, std::optional<double>* value, const char* kind,
                 const std::string& help, double least, double most);
  void SetFooter(const std::string& text);
  // Runs once the whole command line has been read, where this is the command that was given.
  void SetAction(Action action);

 private:
  CLI::App* app_;
  Action* action_;
};

// parameter_options.cc: a flag for every parameter of core/config.h, by its name with '-' for '_', and
// --preset, shared by the commands that train.
//
//   options->parameters.AddTo(command);           // must outlive the parsing
//   options->parameters.Apply(&settings);         // once the command line is read; throws InvalidArgument
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

class RankGroup;
// ranks: that train together (core/train/ranks.h), or null.
void AddTrainCommand(Command* program, RankGroup* ranks = nullptr);
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

#endif  // S2V_EXT_CLI_COMMAND_H_
