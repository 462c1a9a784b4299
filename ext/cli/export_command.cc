// s2v export DB MODEL FILE --format vec|word2vec|json|safetensors [--quiet]
//
// Writes a model's words and their rows of V for other programs. A row is what a text of that word
// alone has as its raw embedding (s2v_embed(word, model, 'raw')); rows of n-grams have no place in
// these files.
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <span>

#include "core/error.h"
#include "core/text/utf8.h"
#include "ext/cli/command.h"
#include "ext/cli/database.h"
#include "ext/cli/progress.h"
#include "ext/cli/text.h"
#include "sql/model_reader.h"
#include "sql/model_store.h"
#include "sql/system/platform.h"

namespace s2v {
namespace {

constexpr std::string_view kFormats[] = {"vec", "word2vec", "json", "safetensors"};

struct ExportOptions {
  std::string path, model, file, format;
  bool quiet = false;
};

// A file that takes the place of one of its name once it is whole, with that one's permissions.
// What a link leads to is written, and into a pipe or a device at once.
class NewFile {
 public:
  NewFile(const std::string& path, const std::string& database)
      : path_(path), target_(PathOf(path)) {
    std::error_code none;  // of a file that does not exist yet
    if (IsOfDatabase(path, database))
      throw UsageError("'" + path + "' is the database itself, or has a part of it");
    const auto real = std::filesystem::canonical(target_, none);
    if (!none) target_ = real;
    const auto there = std::filesystem::status(target_, none);
    is_direct_ = std::filesystem::exists(there) && !std::filesystem::is_regular_file(there);
    unfinished_ = target_;
    if (!is_direct_) unfinished_ += ".unfinished";
    if (!is_direct_ && std::filesystem::exists(std::filesystem::symlink_status(unfinished_, none)))
      throw UsageError(
          "'" + TextOf(unfinished_) +
          "' is there, as which this would be written first; remove it, or give another name");
    file_.open(unfinished_, std::ios::binary);
    if (!file_) Fail();
    if (std::filesystem::is_regular_file(there))
      std::filesystem::permissions(unfinished_, there.permissions(), none);
  }
  ~NewFile() {
    std::error_code ignored;
    if (!finished_ && !is_direct_) std::filesystem::remove(unfinished_, ignored);
  }
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;
  void Write(std::string_view bytes) {
    if (!file_.write(bytes.data(), static_cast<std::streamsize>(bytes.size()))) Fail();
  }
  void Finish() {
    file_.close();
    if (!file_) Fail();
    std::error_code error;
    if (!is_direct_) std::filesystem::rename(unfinished_, target_, error);
    if (error) throw std::runtime_error("cannot write '" + path_ + "': " + error.message());
    finished_ = true;
  }

 private:
  [[noreturn]] void Fail() const {
    throw std::runtime_error("cannot write '" + path_ + "': " + std::strerror(errno));
  }
  const std::string path_;
  std::filesystem::path target_, unfinished_;
  bool is_direct_ = false;
  std::ofstream file_;
  bool finished_ = false;
};

std::string TokenizerPath(const ExportOptions& options) {
  return TextOf(PathOf(options.file).replace_filename("tokenizer.json"));
}

class Export {
 public:
  Export(sqlite3* db, const ExportOptions& options)
      : db_(db),
        options_(options),
        reader_(db, ParseModelName(options.model)),
        info_(reader_.info()),
        status_(!options.quiet) {}

  void Run() {
    NewFile file(options_.file, options_.path);
    const std::string words = std::to_string(info_.words),
                      dimension = std::to_string(info_.shape.dimension);
    if (options_.format == "vec" || options_.format == "word2vec") {
      file.Write(words + " " + dimension + "\n");
      ForEach([&](const StoredFeature& word) {
        if (word.word.find_first_of("\r\n") != word.word.npos)
          throw InvalidArgument("a word of the model has an end of a line in it, which --format " +
                                options_.format + " cannot have; json can");
        file.Write(std::string(word.word) + " ");
        file.Write(options_.format == "vec" ? Text(word, " ") : Bytes(word));
        file.Write("\n");
      });
    } else if (options_.format == "json") {
      file.Write("{\"model\":" + JsonString(info_.name) + ",\"dimension\":" + dimension +
                 ",\"tokens\":" + std::to_string(info_.tokens) + ",\"words\":[\n");
      ForEach([&](const StoredFeature& word) {
        file.Write((visited_ > 1 ? ",\n" : "") + std::string("{\"word\":") + Json(word) +
                   ",\"count\":" + std::to_string(word.count) + ",\"vector\":[" + Text(word, ",") +
                   "]}");
      });
      file.Write("\n]}\n");
    } else {
      WriteTensor(&file);
    }
    file.Finish();
  }
  const ModelInfo& info() const { return info_; }

 private:
  std::string Text(const StoredFeature& word, const char* separator) const {
    return NamesOf(std::span(word.vector, info_.shape.dimension), FloatText, separator);
  }
  std::string Bytes(const StoredFeature& word) const {
    return {reinterpret_cast<const char*>(word.vector), info_.shape.dimension * sizeof(float)};
  }
  std::string Json(const StoredFeature& word) const {
    if (ValidUtf8(word.word) != word.word)
      throw InvalidArgument("word " + std::to_string(visited_ - 1) + " is no UTF-8, which " +
                            options_.format + " cannot hold");
    return JsonString(word.word);
  }
  void ForEach(const std::function<void(const StoredFeature&)>& visit) {
    visited_ = 0;
    FeatureScan scan(db_, info_);
    for (StoredFeature word; scan.Next(&word);) {
      if (visited_++ % 1024 == 0) {
        if (StopRequested()) throw Interrupted();
        status_.Show("writing: " +
                     PercentText(static_cast<double>(visited_) / static_cast<double>(info_.words)));
      }
      visit(word);
    }
  }
  // The tensor, and beside it tokenizer.json with the row of each word.
  void WriteTensor(NewFile* file) {
    NewFile tokenizer(TokenizerPath(options_), options_.path);
    const uint64_t bytes =
        static_cast<uint64_t>(info_.words) * info_.shape.dimension * sizeof(float);
    std::string head =
        "{\"__metadata__\":{\"format\":\"pt\"},\"embeddings\":{\"dtype\":\"F32\",\"shape\":[" +
        std::to_string(info_.words) + "," + std::to_string(info_.shape.dimension) +
        "],\"data_offsets\":[0," + std::to_string(bytes) + "]}}";
    head.resize((head.size() + 7) / 8 * 8, ' ');
    const uint64_t size = head.size();
    file->Write({reinterpret_cast<const char*>(&size), sizeof(size)});
    file->Write(head);
    tokenizer.Write(
        "{\"version\":\"1.0\",\"truncation\":null,\"padding\":null,\"added_tokens\":[],\"normalizer\":null,"
        "\"pre_tokenizer\":{\"type\":\"WhitespaceSplit\"},\"post_processor\":null,\"decoder\":null,"
        "\"model\":{\"type\":\"WordLevel\",\"unk_token\":\"\",\"vocab\":{");
    ForEach([&](const StoredFeature& word) {
      file->Write(Bytes(word));
      tokenizer.Write((visited_ > 1 ? ",\n" : "\n") + Json(word) + ":" +
                      std::to_string(visited_ - 1));
    });
    tokenizer.Write("\n}}}\n");
    tokenizer.Finish();
  }

  sqlite3* db_;
  const ExportOptions& options_;
  const ModelReader reader_;  // holds the read transaction
  const ModelInfo& info_;
  StatusLine status_;
  int64_t visited_ = 0;
};

void RunExport(const ExportOptions& options) {
  if (options.format.empty()) throw UsageError("--format is required, one of " + NamesOf(kFormats));
  CheckUsage([&] { CheckKnown("format", options.format, kFormats); });
  if (options.format == "safetensors" && PathOf(options.file) == PathOf(TokenizerPath(options)))
    throw UsageError(
        "tokenizer.json is written beside the tensor, which needs another name, as model.safetensors");
  MainModelOption(options.model);
  // Beside another tensor it says whose rows are whose.
  const auto is_there = [](const std::string& file) {
    std::error_code none;
    return std::filesystem::exists(PathOf(file), none);
  };
  if (options.format == "safetensors" && !is_there(options.file) &&
      is_there(TokenizerPath(options)))
    throw InvalidArgument(
        "'" + TokenizerPath(options) +
        "' is there already, and belongs to another tensor: write this one into a folder of its own");
  const Database db(options.path, Database::kRead);
  const StopOnSignal stop(db.get());
  Export work(db.get(), options);
  stop.Run([&] { work.Run(); });
  if (options.quiet) return;
  std::string text = "'" + options.file + "': " + std::to_string(work.info().words) +
                     " words of dimension " + std::to_string(work.info().shape.dimension) + "\n";
  if (work.info().ngrams > 0)
    text += std::to_string(work.info().ngrams) + " n-grams have no place in it\n";
  const bool is_read_back = options.format == "vec" || options.format == "word2vec";
  if (is_read_back && work.info().shape.tokenizer->pieces() == PieceKind::kNone)
    text += "to read texts as this model does, import it with --tokenizer " +
            work.info().tokenizer + "\n";
  WriteMessage(text);
}

}  // namespace

void AddExportCommand(Command* program) {
  auto [app, options] = program->AddSubcommand(
      "export", "write a model's words and vectors for other programs", RunExport);
  app.AddRequired("MODEL", &options->model, "name of the model");
  app.AddRequired("FILE", &options->file, "the file to write");
  app.Add(
      "--format", &options->format, "NAME",
      "required: vec (text, as word2vec and fastText write it), word2vec (its binary form), json, or safetensors (with "
      "tokenizer.json beside it)");
  app.AddFlag("--quiet", &options->quiet, "no output but errors");
  app.SetFooter("Example: s2v export news.db news news.vec --format vec");
}

}  // namespace s2v
