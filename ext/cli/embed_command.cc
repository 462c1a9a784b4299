// s2v embed: a text a line in, its sentence embedding out, in the same order and number: bit for
// bit what s2v_embed gives, of length 1, or eq. 2 itself with --raw. A text without a known feature
// has a line or bytes too (Encode).
//
// s2v tokenize: lines cut into tokens as training and embedding cut them, a line for a line. It
// prepares text for other programs:
//
//   s2v tokenize < text | fasttext sent2vec -input /dev/stdin ...
//
// Output is written out before the program waits for more input, so it can serve as a coprocess: a
// line in, a line out. While it waits it holds no lock on the database; where the model is replaced
// meanwhile it stops, so that one output never mixes two models.
#include <unistd.h>

#include <memory>
#include <optional>

#include "core/config.h"
#include "core/error.h"
#include "core/text/tokenizer.h"
#include "ext/cli/command.h"
#include "ext/cli/database.h"
#include "ext/cli/line_reader.h"
#include "ext/cli/progress.h"
#include "ext/cli/text.h"
#include "sql/json.h"
#include "sql/model_reader.h"
#include "sql/model_store.h"

namespace s2v {
namespace {

constexpr std::string_view kVectorFormats[] = {"json", "tsv", "raw"};
constexpr uint64_t kTextsForALook = 256;

struct EmbedOptions {
  std::string path, model, format = "json", input = "-";
  bool raw = false, quiet = false;
};

// Whether somebody types or reads the lines, among which a line of progress would stand.
bool IsAtTerminal(const std::string& input) {
  return (input == "-" && isatty(STDIN_FILENO) == 1) || isatty(STDOUT_FILENO) == 1;
}

// A line: json as s2v_to_json has it, or null; tsv the same numbers with tabs between them, or
// nothing. Or raw bytes: float32 little-endian, or zeros. found: embedding is one; its size counts
// in any case.
std::string Encode(const std::vector<float>& embedding, bool found, const std::string& format) {
  if (format == "raw") {
    const size_t size = embedding.size() * sizeof(float);
    return found ? std::string(reinterpret_cast<const char*>(embedding.data()), size)
                 : std::string(size, '\0');
  }
  if (format == "tsv") return (found ? NamesOf(embedding, FloatText, "\t") : "") + "\n";
  return (found ? JsonList(embedding, FloatText) : "null") + "\n";
}

void RunEmbed(const EmbedOptions& options) {
  CheckUsage([&] { CheckKnown("format", options.format, kVectorFormats); });
  const ModelName name = ModelOption(options.model);
  const Database db(options.path, Database::kRead);
  // The model is open for a stretch of lines.
  std::optional<ModelReader> reader;
  std::optional<Embedder> embedder;
  std::string hash;
  const auto open = [&] {
    const ModelInfo& info = reader.emplace(db.get(), name).info();
    embedder.emplace(info.shape, &*reader);
    if (hash.empty()) hash = info.hash;
    if (info.hash == hash) return;
    throw std::runtime_error("model '" + info.name +
                             "' was replaced meanwhile: embed all texts again with the new one");
  };
  open();
  LineReader lines(options.input, [&] {
    embedder.reset();
    reader.reset();  // before the output: who reads it may then write to the database
    FlushOutput();
  });
  std::vector<float> embedding(embedder->dimension());
  uint64_t texts = 0, without = 0;
  StatusLine status(!options.quiet && !IsAtTerminal(options.input));
  for (std::string text; lines.Next(&text); texts++) {
    if (!reader) open();
    const bool found = options.raw ? embedder->Embed(text, embedding.data()) > 0
                                   : embedder->EmbedUnit(text, embedding.data());
    without += !found;
    WriteOutput(Encode(embedding, found, options.format));
    if (texts % kTextsForALook == 0) status.Show("embedding: " + std::to_string(texts) + " texts");
  }
  FlushOutput();
  status.Clear();
  if (options.format == "raw" && without > 0) {
    std::fputs(Format("s2v: %lld of %lld texts have no known feature: zeros stand for them\n",
                      without, texts)
                   .c_str(),
               stderr);
  }
}

void Tokenize(const std::string& name) {
  Config config;
  config.tokenizer = name;
  CheckUsage([&] { ValidateConfig(config); });
  LineReader lines("-", FlushOutput);
  Tokens tokens;
  for (std::string line; lines.Next(&line);) {
    FindTokenizer(name)->Tokenize(line, &tokens);
    WriteOutput(tokens.Joined(0, tokens.size()) + "\n");
  }
}

}  // namespace

void AddEmbedCommand(Command* program) {
  auto [app, options] =
      program->AddSubcommand("embed", "texts in, a line each; their embeddings out", RunEmbed,
                             "the database file; it is only read");
  app.Add("--model", &options->model, "NAME", "the model (default: the database's default model)");
  app.Add(
      "--format", &options->format, "json|tsv|raw",
      "json: an array a line; tsv: numbers with tabs between them; raw: float32 little-endian, 4 "
      "bytes for each dimension, nothing between texts (default json)");
  app.AddFlag("--raw", &options->raw,
              "the mean of the features itself (eq. 2 of the paper), not scaled to length 1");
  app.Add("--input", &options->input, "FILE", "where the texts are (default: standard input)");
  app.AddFlag("--quiet", &options->quiet, "no progress line");
  app.SetFooter(
      "A text without a known feature gives null (json), an empty line (tsv) or zeros (raw; then "
      "standard\n"
      "error says how many).\n"
      "Example: s2v embed news.db < sentences.txt > vectors.jsonl");
}

void AddTokenizeCommand(Command* program) {
  Command app =
      program->AddSubcommand("tokenize", "lines in; their tokens out, with spaces between");
  const auto name = std::make_shared<std::string>("unicode");
  app.Add("--tokenizer", name.get(), "NAME",
          std::string(FindParameter("tokenizer")->help) + " (default unicode)");
  app.SetFooter(
      "A line for a line, an empty one where there is no token. For other programs' input.\n"
      "Example: s2v tokenize < text | fasttext print-sentence-vectors model.bin");
  app.SetAction([name] { Tokenize(*name); });
}

}  // namespace s2v
