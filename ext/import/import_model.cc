#include "ext/import/import_model.h"

#include <algorithm>
#include <memory>
#include <numeric>

#include "core/error.h"
#include "core/text/subword_tokenizer.h"
#include "ext/import/byte_file.h"
#include "sql/json.h"
#include "sql/model_lock.h"
#include "sql/model_writer.h"
#include "sql/system/clock.h"
#include "sql/system/platform.h"

namespace s2v {
namespace {

constexpr double kLockWaitSeconds = 60;
constexpr int kLockSleepMilliseconds = 50;
// Numbers a second, on two cores of 2020.
constexpr double kTextRate = 6e6, kBinaryRate = 25e6;

// Bytes of the database that rows take: whole pages where a row is longer than one.
uint64_t TableBytes(uint64_t rows, uint64_t row_bytes, uint64_t page) {
  const uint64_t cell = row_bytes + 40, usable = page - 35;
  if (cell <= usable) return rows / (usable / cell) * page + page;
  return rows * (cell / (page - 4) * page + std::min(cell % (page - 4) + 500, page));
}

class Import {
 public:
  Import(sqlite3* db, const ImportRequest& request, const ImportObserver& observer)
      : db_(db),
        request_(request),
        observer_(observer),
        name_(ParseModelName(request.model)),
        file_(OpenVectorFile(db, request.path, request.format)) {
    if (request.smoothing && !file_->has_counts) {
      throw InvalidArgument(
          "smoothing: the file has no counts of its words, which weights are made of");
    }
  }

  ImportResult Run() {
    const double start = Seconds();
    CheckWritable(db_, name_.schema.empty() ? "main" : name_.schema);
    Estimate();
    file_->ReadWords(MostWords(), &model_.vocabulary,
                     [this](double fraction) { Report(ImportProgress::kReading, fraction); });
    if (model_.vocabulary.size() == 0) throw FileError("'" + request_.path + "' has no words");
    model_.vocabulary.token_count = std::max<uint64_t>(model_.vocabulary.token_count, 1);
    Configure();
    ImportResult result;
    result.format = file_->format;
    result.skipped = file_->skipped;
    result.reachable = Reachable();
    result.model = Save();
    result.seconds = Seconds() - start;
    return result;
  }

 private:
  uint64_t MostWords() const {
    return request_.max_words ? static_cast<uint64_t>(*request_.max_words) : UINT32_MAX - 1;
  }

  void Report(ImportProgress::Phase phase, double fraction) {
    progress_.phase = phase;
    progress_.fraction = fraction;
    if (!observer_(progress_, *file_)) throw Interrupted();
  }

  void Estimate() {
    progress_.words = std::min(file_->words, MostWords());
    const auto page_bytes = static_cast<uint64_t>(SelectInt(db_, "PRAGMA page_size"));
    const uint64_t row = RowBytes(ParseElement(request_.element), file_->dimension);
    progress_.bytes = TableBytes(progress_.words, row + 8, page_bytes) +
                      TableBytes(file_->bucket_count, row, page_bytes);
    progress_.seconds =
        static_cast<double>((progress_.words + file_->bucket_count) * file_->dimension) /
        (file_->format == "vec" ? kTextRate : kBinaryRate);
    Report(ImportProgress::kBegun, 0);
  }

  // What is asked for, else the file's own, else what such files are made with.
  std::string TokenizerName() const {
    if (!request_.tokenizer.empty()) return request_.tokenizer;
    if (!file_->tokenizer.empty()) return file_->tokenizer;
    return file_->format == "sent2vec" ? "whitespace" : "unicode";
  }

  void Configure() {
    Config& config = model_.config;
    config.dimension = file_->dimension;
    config.element = request_.element;
    if (!file_->tokenizer.empty() && !request_.tokenizer.empty()) {
      throw InvalidArgument("tokenizer: the file has its own, " + file_->tokenizer);
    }
    config.tokenizer = TokenizerName();
    if (file_->ngram_order == 1 && file_->bucket_count > 0) {
      const std::string words = FindTokenizer(config.tokenizer)->name();
      config.tokenizer = CharactersName(file_->characters, words);
      if (FindTokenizer(config.tokenizer) == nullptr) {
        throw InvalidArgument("tokenizer: the file has n-grams of characters, and for these '" +
                              words + "' cuts no words; give another, as 'unicode'");
      }
    }
    config.smoothing = request_.smoothing.value_or(0);
    config.initial_norm = 0;  // unknown words count nothing
    config.whitening = 0;
    config.ngram_order = file_->ngram_order;
    if (file_->bucket_count == 0) return;
    model_.id_buckets = file_->bucket_count;
    model_.ngram_buckets.resize(file_->bucket_count);
    std::iota(model_.ngram_buckets.begin(), model_.ngram_buckets.end(), 0);
    model_.ngram_counts.assign(file_->bucket_count, 1);
  }

  ModelInfo Save() {
    const uint64_t rows = model_.vocabulary.size() + model_.ngram_buckets.size();
    uint64_t given = 0;
    const auto row = [&](uint64_t i) {
      if (++given % 1024 == 0) {
        const bool again = given > rows;
        Report(again ? ImportProgress::kStoring : ImportProgress::kChecking,
               static_cast<double>(again ? given - rows : given) / static_cast<double>(rows));
      }
      return file_->Row(i);
    };
    const std::string file = TextOf(PathOf(request_.path).lexically_normal().filename());
    const std::string corpus =
        JsonObject()
            .AddJson("imported", JsonObject().Add("file", file).Add("format", file_->format).Text())
            .Text();
    const KeepWaiting wait = WaitUpTo(kLockWaitSeconds, kLockSleepMilliseconds,
                                      [this] { Report(ImportProgress::kStoring, 0); });
    return SaveModel(db_, {name_, corpus}, model_, wait, row);
  }

  uint64_t Reachable() const {
    const Tokenizer* tokenizer = FindTokenizer(model_.config.tokenizer);
    if (tokenizer->pieces() != PieceKind::kNone) return model_.vocabulary.size();
    Tokens tokens;
    uint64_t reachable = 0;
    for (uint32_t id = 0; id < model_.vocabulary.size(); id++) {
      tokenizer->Tokenize(model_.vocabulary.words[id], &tokens);
      if (tokens.size() == 1 && tokens[0] == model_.vocabulary.words[id]) reachable++;
    }
    return reachable;
  }

  sqlite3* const db_;
  const ImportRequest& request_;
  const ImportObserver& observer_;
  const ModelName name_;
  const std::unique_ptr<VectorFile> file_;
  ImportProgress progress_;
  Model model_;
};

}  // namespace

void CheckImportRequest(const ImportRequest& request) {
  Config config;
  config.element = request.element;
  if (!request.tokenizer.empty()) config.tokenizer = request.tokenizer;
  ValidateConfig(config);
  CheckVectorFormat(request.format);
  ParseModelName(request.model);
  if (request.max_words && *request.max_words < 1)
    throw InvalidArgument("max_words: 1 or more expected");
  if (request.smoothing && !(*request.smoothing >= 1e-9 && *request.smoothing <= 1)) {
    throw InvalidArgument("smoothing: from 1e-9 to 1 expected");
  }
}

std::string ImportResult::Json() const {
  JsonObject json;
  json.Add("model", model.name).Add("hash", model.hash).Add("format", format);
  json.Add("dimension", model.shape.dimension).Add("words", model.words).Add("skipped", skipped);
  json.Add("ngrams", model.ngrams).Add("tokenizer", model.tokenizer).Add("reachable", reachable);
  return json.AddJson("seconds", FixedText(seconds, 3)).Text();
}

ImportResult ImportModel(sqlite3* db, const ImportRequest& request,
                         const ImportObserver& observer) {
  CheckImportRequest(request);
  return Import(db, request, observer).Run();
}

}  // namespace s2v
