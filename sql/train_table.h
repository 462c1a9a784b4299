// From a column of a table to a stored model: what s2v_train does, and the program's command train.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/settings.h"
#include "core/train/ranks.h"
#include "sql/corpus_origin.h"
#include "sql/model_job.h"
#include "sql/sentence_table.h"

namespace s2v {

inline bool IsCheckpointEvery(double seconds) {
  return seconds >= 0 && seconds <= 1e9;
}

struct TrainRequest {
  std::string table;  // table or view, schema.table allowed
  std::string column;
  std::string where;  // SQL expression, "" for all rows
  std::string model;  // name or schema.name; "" for the table's name, in the table's schema
  bool make_default = false;
  int lock_wait_milliseconds = 60000;  // for other connections, before it gives up
  // a statement that hears of the progress (sql/progress_statement.h), or ""
  std::string progress;
  int64_t memory_limit = 0;  // MB (sql/system/memory.h)
  // Seconds between two checkpoints, 0: none, nullopt: as the training is long. One that cannot be
  // written is left out with a warning; writing takes no more than about a tenth of the time.
  std::optional<double> checkpoint_every;  // that IsCheckpointEvery holds for
  // Go on from the checkpoint of model, or of table where model is "", or the only one where both
  // are. What else is given must be as it was: table, column, where if not "", and the settings
  // that have a value, but for workers, which may change.
  bool resume = false;
  // The processes that train it together (core/train/ranks.h); part: of the table, what this one
  // reads.
  RankGroup* ranks = Alone();
  TablePart part;
  // Whether the indexes of the model's schema whose model is another one then (sql/index_rebuild.h)
  // are made anew in the transaction that stores it.
  bool rebuild_indexes = false;
  std::function<void(const std::string&)> warn = [](const std::string&) {};
  Settings settings;
};

// Throws SharedError where the ranks of the request were started with different programs or
// requests, naming the first difference.
void CheckAlike(const TrainRequest& request);

// Why little is to be expected of a model of so few texts; "" of enough.
std::string FewTextsWarning(uint64_t texts);

// Stopped on request; the training can be resumed.
class StoppedTraining : public Interrupted {
 public:
  StoppedTraining(std::string model_name, double done)
      : model(std::move(model_name)), fraction(done) {}
  const std::string model;  // its name
  const double fraction;    // of the training, as the checkpoint has it
};

struct TrainResult {
  ModelInfo model;
  std::vector<Choice> choices;  // parameters that were left open
  uint64_t skipped = 0;         // rows that were NULL or BLOB
  CorpusOrigin origin;          // what was read
  double resumed_at = 0;        // fraction of the training that a checkpoint had; 0: from the start
  double loss = 0;              // of the last epoch
  uint64_t rounds = 0, exchanged_bytes = 0;  // of ranks; bytes: that each has sent
  StageSeconds seconds;
  std::string warning;  // "", or why little is to be expected of the model
  std::string Json() const;
};

// Reads the table (where the tokenizer is to be chosen, once more before; each a read transaction
// that ends with it), trains with no transaction open, and stores the model in one savepoint.
// Inside a transaction of the caller's the write lock is taken first, and there are no checkpoints.
// Throws InvalidArgument, Interrupted, SqlError; then no model has changed, and StoppedTraining
// where there is a checkpoint.
TrainResult TrainTable(sqlite3* db, const TrainRequest& request, const TrainObserver& observer);

}  // namespace s2v
