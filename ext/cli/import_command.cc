// s2v import DB FILE --model NAME [--format auto] [--max-words N] [--element int8] [--tokenizer NAME] [--smoothing A]
//                    [--json] [--quiet]
//
// Stores the word vectors of another program as a model. The file is read three times, row by row: for its words, for
// the model's hash, and while the rows are stored, in one transaction; in memory there are the words alone.
#include <algorithm>
#include <filesystem>
#include <memory>
#include <numeric>

#include "core/error.h"
#include "core/text/tokenizer.h"
#include "ext/cli/command.h"
#include "ext/cli/database.h"
#include "ext/cli/progress.h"
#include "ext/cli/text.h"
#include "ext/cli/vector_file.h"
#include "sql/system.h"
#include "sql/model_store.h"

namespace s2v {
namespace {

struct ImportOptions {
  std::string path, file, model, format = "auto", element = "float32", tokenizer;
  std::optional<int64_t> max_words;
  std::optional<double> smoothing;
  bool json = false, quiet = false;
};

// What can be found wrong without the file.
void CheckOptions(const ImportOptions& options) {
  CheckUsage([&] { return ParseElement(options.element); });
  if (options.model.empty()) throw UsageError("--model is required: the name to store it under");
  MainModelOption(options.model);
  if (options.max_words && *options.max_words < 1)
    throw UsageError("max-words: at least 1 expected");
  if (!options.tokenizer.empty() && FindTokenizer(options.tokenizer) == nullptr) {
    throw UsageError("no tokenizer '" + options.tokenizer + "'; s2v tokenize --help lists them");
  }
}

// Bytes of the database that rows take: whole pages where a row is longer than one.
uint64_t TableBytes(uint64_t rows, uint64_t row_bytes, uint64_t page) {
  const uint64_t cell = row_bytes + 40, usable = page - 35;
  if (cell <= usable) return rows / (usable / cell) * page + page;
  return rows * (cell / (page - 4) * page + std::min(cell % (page - 4) + 500, page));
}

class Import {
 public:
  Import(sqlite3* db, const ImportOptions& options)
      : db_(db), options_(options), status_(!options.quiet) {
    file_ = CheckUsage([&] { return OpenVectorFile(options.file, options.format); });
    if (options.smoothing && !file_->has_counts) {
      throw UsageError("smoothing: the file has no counts of its words, which weights are made of");
    }
  }

  ModelInfo Run() {
    Estimate();
    const uint64_t most =
        options_.max_words ? static_cast<uint64_t>(*options_.max_words) : UINT32_MAX - 1;
    file_->ReadWords(most, &model_.vocabulary,
                     [this](double fraction) { Show("reading words: ", fraction); });
    if (model_.vocabulary.size() == 0) throw FormatError("'" + options_.file + "' has no words");
    model_.vocabulary.token_count = std::max<uint64_t>(model_.vocabulary.token_count, 1);
    Configure();
    const uint64_t rows = model_.vocabulary.size() + model_.ngram_buckets.size();
    uint64_t given = 0;
    const auto row = [&](uint64_t i) {
      if (++given % 1024 == 0) {
        Show(given <= rows ? "checking: " : "storing: ",
             static_cast<double>(given <= rows ? given : given - rows) / static_cast<double>(rows));
      }
      return file_->Row(i);
    };
    const std::string name = std::filesystem::path(options_.file).filename();
    const std::string corpus = "{\"imported\":{\"file\":" + JsonString(name) +
                               ",\"format\":" + JsonString(file_->format) + "}}";
    return SaveModel(db_, {MainModelOption(options_.model), corpus}, model_, row,
                     [] { return !StopRequested(); });
  }
  const VectorFile& file() const { return *file_; }
  // Words that the tokenizer can give: others will not be found in any text.
  uint64_t Reachable() const {
    const Tokenizer* tokenizer = FindTokenizer(model_.config.tokenizer);
    Tokens tokens;
    uint64_t reachable = 0;
    for (uint32_t id = 0; id < model_.vocabulary.size(); id++) {
      tokenizer->Tokenize(model_.vocabulary.words[id], &tokens);
      if (tokens.size() == 1 && tokens[0] == model_.vocabulary.words[id]) reachable++;
    }
    return reachable;
  }

 private:
  void Show(const char* what, double fraction) {
    if (StopRequested()) throw Interrupted();
    status_.Show(what + PercentText(fraction));
  }

  // What will be stored, before anything is.
  void Estimate() {
    if (options_.quiet) return;
    uint64_t words = file_->words;
    if (options_.max_words) words = std::min(words, static_cast<uint64_t>(*options_.max_words));
    Statement page(db_, "PRAGMA page_size");
    page.Step();
    const auto page_bytes = static_cast<uint64_t>(page.Int(0));
    const uint64_t row = RowBytes(ParseElement(options_.element), file_->dimension);
    const uint64_t bytes =
        TableBytes(words, row + 8, page_bytes) + TableBytes(file_->bucket_count, row, page_bytes);
    const double numbers = static_cast<double>((words + file_->bucket_count) * file_->dimension);
    std::string text = file_->format + ": about " + std::to_string(words) + " words of dimension " +
                       std::to_string(file_->dimension);
    if (file_->bucket_count > 0)
      text += ", " + std::to_string(file_->bucket_count) + " buckets of n-grams";
    text += "; about " + BytesText(bytes) + " in the database";
    const double seconds = numbers / (file_->format == "vec" ? kTextRate : kBinaryRate);
    if (seconds >= 2) text += Format(", about %.0f s", seconds);
    std::fprintf(stderr, "%s\n", text.c_str());
  }

  void Configure() {
    Config& config = model_.config;
    config.dimension = file_->dimension;
    config.element = options_.element;
    config.tokenizer = !options_.tokenizer.empty()   ? options_.tokenizer
                       : file_->format == "sent2vec" ? "whitespace"
                                                     : "unicode";
    config.smoothing = options_.smoothing.value_or(0);
    config.initial_norm = 0;  // unknown words count nothing
    config.whitening = 0;
    config.ngram_order = file_->ngram_order;
    if (file_->bucket_count == 0) return;
    model_.id_buckets = file_->bucket_count;
    model_.ngram_buckets.resize(file_->bucket_count);
    std::iota(model_.ngram_buckets.begin(), model_.ngram_buckets.end(), 0);
    model_.ngram_counts.assign(file_->bucket_count, 1);
  }

  // Numbers a second, on two cores of 2020.
  static constexpr double kTextRate = 6e6, kBinaryRate = 25e6;

  sqlite3* db_;
  const ImportOptions& options_;
  StatusLine status_;
  std::unique_ptr<VectorFile> file_;
  Model model_;
};

void RunImport(const ImportOptions& options) {
  CheckOptions(options);
  const Database db(options.path, Database::kWrite);
  const double start = Seconds();
  Import import(db.get(), options);
  const StopOnSignal stop(db.get());
  const ModelInfo model = stop.Run([&] { return import.Run(); });
  const uint64_t reachable = import.Reachable();
  const double seconds = Seconds() - start;
  if (options.json) {
    WriteOutput("{\"model\":" + JsonString(model.name) + ",\"hash\":" + JsonString(model.hash) +
                ",\"format\":" + JsonString(import.file().format) +
                ",\"dimension\":" + std::to_string(model.shape.dimension) +
                ",\"words\":" + std::to_string(model.words) +
                ",\"skipped\":" + std::to_string(import.file().skipped) + ",\"ngrams\":" +
                std::to_string(model.ngrams) + ",\"tokenizer\":" + JsonString(model.tokenizer) +
                ",\"reachable\":" + std::to_string(reachable) +
                ",\"seconds\":" + FixedText(seconds, 3) + "}\n");
  } else if (!options.quiet) {
    std::string text = "model '" + model.name + "'" + (model.is_default ? ", the default" : "") +
                       ": " + std::to_string(model.words) + " words, " +
                       std::to_string(model.ngrams) + " buckets of n-grams, dimension " +
                       std::to_string(model.shape.dimension) + Format("; %.2f s\n", seconds);
    if (import.file().skipped > 0)
      text += std::to_string(import.file().skipped) +
              " words were left out: met before, or with a blank\n";
    text += "of its words, " + std::to_string(reachable) + " are what the tokenizer '" +
            model.tokenizer + "' makes of them\n";
    WriteOutput(text);
  }
}

}  // namespace

void AddImportCommand(Command* program) {
  Command app =
      program->AddSubcommand("import", "store word vectors of another program as a model");
  const auto options = std::make_shared<ImportOptions>();
  app.AddRequired("DB", &options->path, "the database file");
  app.AddRequired("FILE", &options->file, "the file with the vectors");
  app.AddText("--model", &options->model, "NAME", "name of the model");
  app.AddText(
      "--format", &options->format, "NAME",
      "vec (text of fastText, GloVe, word2vec), word2vec (its binary form), fasttext or sent2vec (.bin of fastText, "
      "of the authors' sent2vec), or auto, which looks (default auto)");
  app.AddNumber("--max-words", &options->max_words, "N",
                "only the first words of the file, which are its most frequent");
  app.AddText("--element", &options->element, "NAME",
              "how rows are stored: float32 or int8 (default float32)");
  app.AddText(
      "--tokenizer", &options->tokenizer, "NAME",
      "how texts are cut when they are embedded (default whitespace for sent2vec, whose texts come prepared, unicode for others)");
  app.AddNumber(
      "--smoothing", &options->smoothing, "A",
      "weigh words by a / (a + f) where the file has their counts (default: all count the same)",
      1e-9, 1);
  app.AddFlag("--json", &options->json, "print the summary as JSON");
  app.AddFlag("--quiet", &options->quiet, "no output but errors, and --json's");
  app.SetFooter(
      "An imported model embeds, and cannot be trained on. In the formats without counts all words count the same.\n"
      "Example: s2v import news.db crawl-300d-2M.vec --model crawl --max-words 200000 --element int8");
  app.SetAction([options] { RunImport(*options); });
}

}  // namespace s2v
