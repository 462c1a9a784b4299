// The program `s2v`: training, updating, listing, embedding, converting, dropping, evaluating and
// reporting on models from the command line, with the code that the extension runs. Exit codes:
//
//   0    done
//   1    the work failed (no such table, no permission, disk full, ...)
//   2    wrong usage: a flag or a value that cannot be, whatever the database holds
//   130  stopped by Ctrl-C or SIGTERM, where there was something to undo (StopOnSignal)
//
// Results go to standard output, everything else to standard error as "s2v: message".

#include "ext/cli/command.h"
#include "ext/cli/text.h"
#include "sql/system/platform.h"

namespace s2v {
namespace {

void AddCommands(Command* program) {
  AddTrainCommand(program);
  for (const auto add : {AddUpdateCommand, AddModelsCommand, AddEmbedCommand, AddConvertCommand,
                         AddImportCommand, AddExportCommand, AddTokenizeCommand, AddDropCommand,
                         AddEvalCommand, AddReportCommand, AddIndexCommand, AddSearchCommand}) {
    add(program);
  }
}

}  // namespace
}  // namespace s2v

int main(int argc, char** argv) {
  argv = s2v::BeginProgram(&argc, argv);
  try {
    return s2v::RunProgram(
        {"s2v", "Sent2Vec inside SQLite: sentence embeddings trained on a column of a table.",
         s2v::AddCommands},
        argc, argv);
  } catch (...) {
    try {
      const s2v::Failure failure = s2v::CaughtFailure();
      s2v::WriteMessage("s2v: " + failure.message + "\n");
      return failure.code;
    } catch (...) {
      return 1;  // not even the message found memory
    }
  }
}
