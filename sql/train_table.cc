#include "sql/train_table.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <optional>

#include "core/embed/text_sample.h"
#include "core/error.h"
#include "core/train/memory_plan.h"
#include "core/train/trainer.h"
#include "sql/progress_statement.h"
#include "sql/sentence_table.h"
#include "sql/spool_file.h"

namespace s2v {
namespace {

constexpr uint64_t kTextsPerReport = 1024;
constexpr int kLockPollMilliseconds = 50;
constexpr uint64_t kMegabyte = 1000000;
constexpr uint64_t kTextMemory = 1000 * kMegabyte;

double Seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

std::string CorpusJson(const TrainRequest& request) {
  return "{\"table\":" + JsonString(request.table) + ",\"column\":" + JsonString(request.column) +
         ",\"where\":" + (request.where.empty() ? "null" : JsonString(request.where)) + "}";
}

// The name to store under; the schema is never left open.
ModelName TargetName(const TrainRequest& request, const SentenceTable& table) {
  ModelName name;
  if (!request.model.empty()) {
    name = ParseModelName(request.model);
  } else {
    try {
      name = ParseModelName(table.name());
    } catch (const InvalidArgument&) {
      // Told below what to do about it.
    }
    if (name.name.empty() || !name.schema.empty()) {
      throw InvalidArgument("table '" + request.table +
                            "' cannot lend its name to the model; name the model");
    }
  }
  if (name.schema.empty()) name.schema = table.schema().empty() ? "main" : table.schema();
  return name;
}

class Job {
 public:
  Job(sqlite3* db, const TrainRequest& request, const TrainTableObserver& observer)
      : db_(db), request_(request), observer_(observer) {}

  TrainResult Run() {
    const uint64_t free_memory = AvailableMemory();
    double start = Seconds();
    if (!request_.progress.empty()) statement_.emplace(db_, request_.progress);
    std::optional<CorpusBuilder> builder;
    builder.emplace(settings_.config(), Spool{TextMemory(free_memory), OpenSpoolFile});
    const ModelName name = Read(&*builder);
    result_.choices = ChooseSettings(builder->shape(), &settings_);
    builder->Configure(settings_.config());
    Corpus corpus = builder->Finish([this] { Report(); });
    builder.reset();  // its threads and what they counted
    ReturnFreedMemory();
    result_.read_seconds = Seconds() - start;

    start = Seconds();
    progress_.phase = TrainProgress::kTraining;
    CheckNeeds(corpus);
    Report();  // before it is taken
    Model model = Train(settings_.config(), std::move(corpus), [this](const Progress& p) {
      progress_.fraction = p.fraction;
      progress_.tokens = p.tokens;
      progress_.learning_rate = p.learning_rate;
      progress_.loss = p.loss;
      return Observe();
    });
    FitComponents(sample_.texts(), &model);
    model.choices = ChoicesJson(result_.choices);
    result_.train_seconds = Seconds() - start;

    start = Seconds();
    progress_.phase = TrainProgress::kStoring;
    Report();
    const double give_up = Seconds() + request_.lock_wait_milliseconds / 1e3;
    result_.model = SaveModel(db_, name, model, CorpusJson(request_), request_.make_default, [&] {
      sqlite3_sleep(kLockPollMilliseconds);
      Report();
      return Seconds() < give_up;
    });
    if (undo_) undo_->Release();
    result_.store_seconds = Seconds() - start;
    if (!model.epoch_losses.empty()) result_.loss = model.epoch_losses.back();
    return result_;
  }

 private:
  bool Observe() {
    if (statement_) statement_->Report(progress_);
    return observer_(progress_);
  }
  void Report() {
    if (!Observe()) throw Interrupted();
  }

  // Bytes for the texts.
  uint64_t TextMemory(uint64_t free_memory) const {
    if (request_.text_memory) return static_cast<uint64_t>(*request_.text_memory) * kMegabyte;
    const uint64_t all = request_.memory_limit > 0
                             ? static_cast<uint64_t>(request_.memory_limit) * kMegabyte
                             : free_memory;
    return all == 0 ? kTextMemory : std::min(kTextMemory, all / 4);
  }

  void CheckNeeds(const Corpus& corpus) {
    const MemoryNeed need = NeedOf(settings_.config(), corpus);
    progress_.needed_bytes = need.Total();
    if (request_.memory_limit > 0) {
      progress_.available_bytes = static_cast<uint64_t>(request_.memory_limit) * kMegabyte;
    } else if (const uint64_t free = AvailableMemory(); free > 0) {
      progress_.available_bytes = free + need.texts + need.tables;  // these are taken already
    }
    CheckMemory(need, progress_.available_bytes, settings_.config());
  }

  ModelName Read(CorpusBuilder* builder) {
    SentenceTable table(db_, request_.table, request_.column, request_.where);
    const ModelName name = TargetName(request_, table);
    CheckWritable(db_, name.schema);
    Report();  // before anything is written, in case the statement ends the transaction
    // Where there is no transaction, only to know now whether there can be one.
    undo_.emplace(db_);
    if (in_transaction_) {
      LockForSaving(db_, name.schema);
    } else {
      undo_.reset();
    }
    while (table.Next()) {
      builder->Add(table.text());
      if (settings_.config().components > 0) sample_.Add(table.text());
      if (builder->text_count() % kTextsPerReport == 0) {
        progress_.texts = builder->text_count();
        progress_.tokens = builder->token_count();
        Report();
      }
    }
    progress_.texts = builder->text_count();
    result_.skipped = table.skipped();
    return name;
  }

  sqlite3* db_;
  const TrainRequest& request_;
  const TrainTableObserver& observer_;
  Settings settings_ = request_.settings;
  const bool in_transaction_ = sqlite3_get_autocommit(db_) == 0;
  std::optional<Savepoint> undo_;  // in a transaction of the caller's
  std::optional<ProgressStatement> statement_;
  TextSample sample_{static_cast<uint64_t>(settings_.config().seed)};
  TrainProgress progress_;
  TrainResult result_;
};

}  // namespace

int64_t ParseMegabytes(std::string_view name, std::string_view value) {
  constexpr int64_t kMost = 1000000000;
  int64_t number = 0;
  const char* end = value.data() + value.size();
  const auto [stop, error] = std::from_chars(value.data(), end, number);
  if (error != std::errc() || stop != end || number < 0 || number > kMost) {
    throw InvalidArgument(std::string(name) + ": a whole number of megabytes from 0 to " +
                          std::to_string(kMost) + " expected, not '" + std::string(value) + "'");
  }
  return number;
}

std::string TrainResult::Json() const {
  char numbers[160];
  std::snprintf(
      numbers, sizeof(numbers),
      ",\"loss\":%.6g,\"read_seconds\":%.3f,\"train_seconds\":%.3f,\"store_seconds\":%.3f}", loss,
      read_seconds, train_seconds, store_seconds);
  return "{\"model\":" + JsonString(model.name) + ",\"schema\":" + JsonString(model.schema) +
         ",\"hash\":" + JsonString(model.hash) +
         ",\"dimension\":" + std::to_string(model.shape.dimension) +
         ",\"words\":" + std::to_string(model.words) +
         ",\"ngrams\":" + std::to_string(model.ngrams) +
         ",\"texts\":" + std::to_string(model.texts) + ",\"skipped\":" + std::to_string(skipped) +
         ",\"tokens\":" + std::to_string(model.tokens) + ",\"choices\":" + ChoicesJson(choices) +
         numbers;
}

CorpusOrigin ParseCorpusOrigin(sqlite3* db, const std::string& corpus) {
  Statement parts(db,
                  "SELECT json_extract(?1, '$.table'), json_extract(?1, '$.column'), "
                  "json_extract(?1, '$.where') WHERE json_valid(?1)");
  parts.Bind(1, std::string_view(corpus));
  if (!parts.Step()) return {};
  return {std::string(parts.Text(0)), std::string(parts.Text(1)), std::string(parts.Text(2))};
}

TrainResult TrainTable(sqlite3* db, const TrainRequest& request,
                       const TrainTableObserver& observer) {
  return Job(db, request, observer).Run();
}

}  // namespace s2v
