#include "sql/train_table.h"

#include <chrono>
#include <optional>

#include "core/embed/text_sample.h"
#include "core/error.h"
#include "core/train/trainer.h"
#include "sql/sentence_table.h"

namespace s2v {
namespace {

constexpr uint64_t kTextsPerReport = 1024;
constexpr int kLockPollMilliseconds = 50;

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
    CorpusBuilder builder(request_.config);
    double start = Seconds();
    const ModelName name = Read(&builder);
    Corpus corpus = builder.Finish();
    result_.read_seconds = Seconds() - start;

    start = Seconds();
    progress_.phase = TrainProgress::kTraining;
    progress_.matrix_bytes = MatrixBytes(request_.config, corpus);
    Report();  // before they are taken
    Model model = Train(request_.config, std::move(corpus), [this](const Progress& p) {
      progress_.fraction = p.fraction;
      progress_.tokens = p.tokens;
      progress_.learning_rate = p.learning_rate;
      progress_.loss = p.loss;
      return observer_(progress_);
    });
    FitComponents(sample_.texts(), &model);
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
  void Report() {
    if (!observer_(progress_)) throw Interrupted();
  }

  ModelName Read(CorpusBuilder* builder) {
    SentenceTable table(db_, request_.table, request_.column, request_.where);
    const ModelName name = TargetName(request_, table);
    CheckWritable(db_, name.schema);
    // Where there is no transaction, only to know now whether there can be one.
    undo_.emplace(db_);
    if (in_transaction_) {
      LockForSaving(db_, name.schema);
    } else {
      undo_.reset();
    }
    while (table.Next()) {
      builder->Add(table.text());
      if (request_.config.components > 0) sample_.Add(table.text());
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
  const bool in_transaction_ = sqlite3_get_autocommit(db_) == 0;
  std::optional<Savepoint> undo_;  // in a transaction of the caller's
  TextSample sample_{static_cast<uint64_t>(request_.config.seed)};
  TrainProgress progress_;
  TrainResult result_;
};

}  // namespace

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
         ",\"tokens\":" + std::to_string(model.tokens) + numbers;
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
