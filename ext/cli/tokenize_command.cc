// s2v tokenize [--tokenizer NAME]
//
// Lines of standard input, cut into tokens as training and embedding cut them; the tokens of each
// with spaces between, a line for a line. It prepares text for other programs:
//
//   s2v tokenize < text | fasttext sent2vec -input /dev/stdin ...
//
// Output is written out before the program waits for more input.
#include <unistd.h>

#include <memory>

#include "core/text/tokenizer.h"
#include "ext/cli/command.h"
#include "ext/cli/line_reader.h"

namespace s2v {
namespace {

std::string TokenizerNames() {
  std::string names;
  for (const Tokenizer* tokenizer : AllTokenizers()) {
    names += (names.empty() ? "" : ", ") + std::string(tokenizer->name());
  }
  return names;
}

void Tokenize(const std::string& name) {
  const Tokenizer* tokenizer = FindTokenizer(name);
  if (tokenizer == nullptr) {
    throw UsageError("tokenizer: no tokenizer '" + name + "'; there are " + TokenizerNames());
  }
  LineReader lines(STDIN_FILENO, FlushOutput);
  Tokens tokens;
  std::string output;
  for (std::string_view line; lines.Next(&line);) {
    tokenizer->Tokenize(line, &tokens);
    output.clear();
    for (size_t i = 0; i < tokens.size(); i++) {
      if (i > 0) output += ' ';
      output += tokens[i];
    }
    output += '\n';
    WriteOutput(output);
  }
}

}  // namespace

void AddTokenizeCommand(Command* program) {
  Command app =
      program->AddSubcommand("tokenize", "lines in; their tokens out, with spaces between");
  const auto name = std::make_shared<std::string>("unicode");
  app.AddText("--tokenizer", name.get(), "NAME",
              "profile that cuts text into tokens: " + TokenizerNames() + " (default unicode)");
  app.SetFooter(
      "A line for a line, an empty one where there is no token. For other programs' input.\n"
      "Example: s2v tokenize < text | fasttext print-sentence-vectors model.bin");
  app.SetAction([name] { Tokenize(*name); });
}

}  // namespace s2v
