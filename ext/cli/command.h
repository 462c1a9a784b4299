// What the subcommands of the `s2v` program share. Code map:
//
//   main.cc            the program: subcommands, help, exit codes, the last catch clauses
//   train_command.cc   s2v train      progress.h/.cc   its progress line
//                                     stop.h/.cc       its answer to Ctrl-C
//                      resume_text.h/.cc   how to go on after it
//   update_command.cc  s2v update
//   embed_command.cc   s2v embed      line_reader.h    its input
//   tokenize_command.cc  s2v tokenize
//   models_command.cc  s2v models, s2v drop
//   convert_command.cc s2v convert
//   eval_command.cc    s2v eval: its options (eval.h)
//   eval_similarity.cc, eval_transfer.cc, eval_self.cc   its three tasks
//   half_retrieval.h/.cc   the retrieval check that eval self and report share
//   report_command.cc  s2v report     report_data.h/.cc   what it reads of the model's words
//   report_html.h/.cc, report_charts.cc   its page, from data to HTML and SVG
//   encoders.h/.cc     what is compared: models, stored or trained for it, and TF-IDF
//   command_encoder.h/.cc  and programs that turn lines into vectors
//   eval_files.h/.cc   reading files of pairs and of labelled sentences
//   overlap.h/.cc      which of their sentences were trained on
//   published.h/.cc    the paper's results
//   database.h/.cc     opening a database file, with errors that say what to do
//   parameter_options.h/.cc, text_table.h/.cc   flags for training parameters; aligned columns
//
// A subcommand declares its options and sets *action to what is to be done once the whole command
// line has been read. Messages are written without the "s2v: " that main puts before them.
#ifndef S2V_EXT_CLI_COMMAND_H_
#define S2V_EXT_CLI_COMMAND_H_

#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>

// Of CLI11, which takes the compiler long: for those only who declare options.
namespace CLI {
class App;
class Option;
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

using Action = std::function<void()>;

void AddTrainCommand(CLI::App* program, Action* action);
void AddUpdateCommand(CLI::App* program, Action* action);
void AddModelsCommand(CLI::App* program, Action* action);
void AddEmbedCommand(CLI::App* program, Action* action);
void AddConvertCommand(CLI::App* program, Action* action);
void AddTokenizeCommand(CLI::App* program, Action* action);
void AddDropCommand(CLI::App* program, Action* action);
void AddEvalCommand(CLI::App* program, Action* action);
void AddReportCommand(CLI::App* program, Action* action);

// An option or (a name without '-') a positional argument whose value is taken as it stands:
// CLI11's own conversion gives "{}" and "[...]" a meaning. kind: what help shows for the value.
CLI::Option* AddText(CLI::App* app, const std::string& name, std::string* value, const char* kind,
                     const std::string& help);
// help broken into lines, so that it fits beside the column of the options.
std::string WrapHelp(const std::string& help);

// Writes to standard output; throws where it does not take it all.
void WriteOutput(std::string_view text);
void FlushOutput();

}  // namespace s2v

#endif  // S2V_EXT_CLI_COMMAND_H_
