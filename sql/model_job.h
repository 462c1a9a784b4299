// What a training, an update and a conversion do alike.
#pragma once

#include <optional>
#include <string_view>

#include "core/train/corpus.h"
#include "sql/model_store.h"
#include "sql/model_writer.h"
#include "sql/system/clock.h"
#include "sql/system/memory.h"
#include "sql/train_progress.h"

namespace s2v {

class JsonObject;

// How long the three parts of a training or an update took.
struct StageSeconds {
  double reading = 0, training = 0, storing = 0;
  // The summary with the members "loss", "seconds" and its parts.
  std::string EndOfJson(JsonObject* summary, double loss) const;
};

class ModelJob {
 protected:
  ModelJob(sqlite3* db, const TrainObserver& observer) : db_(db), observer_(observer) {}
  // Throws Interrupted where the observer says so.
  void Report();
  // Reports now and then.
  void AddText(std::string_view text, CorpusBuilder* builder);
  // Begins the phase of training: reports what it needs, before it is taken. Throws InvalidArgument
  // where that is more than there is.
  void BeginTraining(const MemoryNeed& need, int64_t memory_limit, const Config& config);
  void ObserveTraining(const Progress& progress) { static_cast<Progress&>(progress_) = progress; }
  // SaveModel, waiting for other connections up to lock_wait_milliseconds. Throws what that and
  // Report throw; then nothing has changed.
  ModelInfo Save(const SaveRequest& request, const Model& model, int lock_wait_milliseconds,
                 SourceRows rows = {});
  // Ends it: undo_, where there is one, is released, and the rows of an unfinished training of the
  // name in this schema are deleted.
  void Release(const std::string& schema);
  // Seconds since it was called before.
  double Lap();

  sqlite3* db_;
  const TrainObserver observer_;
  const bool in_transaction_ = sqlite3_get_autocommit(db_) == 0;
  std::optional<Savepoint> undo_;  // in a transaction of the caller's, to the end
  TrainProgress progress_;

 private:
  double lap_ = Seconds();
  bool has_checkpoint_rows_ = false;
};

}  // namespace s2v
