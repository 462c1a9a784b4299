#include "sql/model_job.h"

#include <utility>

#include "core/error.h"
#include "sql/checkpoint_store.h"
#include "sql/json.h"
#include "sql/model_lock.h"
#include "sql/system/platform.h"

namespace s2v {
namespace {

constexpr int kStorePollMilliseconds = 50;
constexpr uint64_t kTextsPerReport = 1024;

}  // namespace

void ModelJob::Report() {
  if (!observer_(progress_)) throw Interrupted();
}

void ModelJob::AddText(std::string_view text, CorpusBuilder* builder) {
  builder->Add(text);
  if (builder->text_count() % kTextsPerReport != 0) return;
  progress_.texts = builder->text_count();
  progress_.tokens = builder->token_count();
  Report();
}

void ModelJob::BeginTraining(const MemoryNeed& need, int64_t memory_limit, const Config& config) {
  ReturnFreedMemory();  // of the builder's threads and what they counted
  progress_.phase = TrainProgress::kTraining;
  progress_.learning_rate = config.learning_rate;
  progress_.matrix_bytes = need.source + need.target;
  progress_.needed_bytes = need.Total();
  progress_.available_bytes = MemoryFor(need, memory_limit);
  CheckMemory(need, progress_.available_bytes, config, memory_limit);
  Report();
}

ModelInfo ModelJob::Save(const SaveRequest& request, const Model& model, int lock_wait_milliseconds,
                         SourceRows rows) {
  // Before the report of kStoring, from which on an observer may have SQLite wait for no lock.
  has_checkpoint_rows_ = HasCheckpointRows(db_, request.name.schema);
  progress_.phase = TrainProgress::kStoring;
  Report();
  const KeepWaiting wait =
      WaitUpTo(lock_wait_milliseconds / 1e3, kStorePollMilliseconds, [this] { Report(); });
  return SaveModel(db_, request, model, wait, std::move(rows));
}

void ModelJob::Release(const std::string& schema) {
  if (undo_ && !undo_->TryRelease()) ThrowLocked(SQLITE_BUSY, schema, "reading");
  if (has_checkpoint_rows_) DeleteUnownedRows(db_, schema);
}

double ModelJob::Lap() {
  const double before = std::exchange(lap_, Seconds());
  return lap_ - before;
}

std::string StageSeconds::EndOfJson(JsonObject* summary, double loss) const {
  return summary->AddJson("loss", RoundedText(loss, 6))
      .AddJson("seconds", FixedText(reading + training + storing, 3))
      .AddJson("read_seconds", FixedText(reading, 3))
      .AddJson("train_seconds", FixedText(training, 3))
      .AddJson("store_seconds", FixedText(storing, 3))
      .Text();
}

}  // namespace s2v
