// From a column of a table to a stored model: what s2v_train and `s2v train` both do.
#ifndef S2V_SQL_TRAIN_TABLE_H_
#define S2V_SQL_TRAIN_TABLE_H_

#include <functional>
#include <optional>
#include <string>

#include "core/settings.h"
#include "core/train/auto_settings.h"
#include "sql/model_store.h"

namespace s2v {

struct TrainRequest {
  std::string table;  // table or view, schema.table allowed
  std::string column;
  std::string where;  // SQL expression, "" for all rows
  std::string model;  // name or schema.name; "" for the table's name, in the table's schema
  bool make_default = false;
  int lock_wait_milliseconds = 60000;  // for other connections, before it gives up
  std::string progress;                // SQL that is told about it (progress_statement.h), or ""
  // MB of 10^6 bytes. memory_limit: of all that training takes; 0: what the machine has.
  // text_memory: of that, for the texts; what they need beyond it is in a temporary file.
  // nullopt: 1000, or a quarter of what there is where that is less.
  int64_t memory_limit = 0;
  std::optional<int64_t> text_memory;
  Settings settings;
};

// A value of memory_limit or text_memory. Throws InvalidArgument.
int64_t ParseMegabytes(std::string_view name, std::string_view value);

struct TrainProgress {
  enum Phase { kReading, kTraining, kStoring };
  Phase phase = kReading;
  uint64_t texts = 0;   // read so far
  uint64_t tokens = 0;  // reading: read so far; training: known words passed so far, all epochs
  double fraction = 0;  // of the training
  double learning_rate = 0;
  double loss = 0;               // recent mean of a target; 0: not known yet
  uint64_t needed_bytes = 0;     // of memory, from training on
  uint64_t available_bytes = 0;  // for that; 0: not known
};
// Called about ten times a second while training, every 1024 texts while reading; false stops the
// work.
using TrainTableObserver = std::function<bool(const TrainProgress&)>;

struct TrainResult {
  ModelInfo model;
  std::vector<Choice> choices;  // parameters that were left open
  uint64_t skipped = 0;         // rows that were NULL or BLOB
  double loss = 0;              // of the last epoch
  double read_seconds = 0, train_seconds = 0, store_seconds = 0;
  std::string Json() const;
};

// Reads the table (one pass, a read transaction that ends with it), trains with no transaction
// open, and stores the model in one savepoint. Inside a transaction of the caller's the write lock
// is taken first. Where another connection holds a lock in the way, reading waits as any SELECT
// does (sqlite3_busy_timeout), storing up to a minute. Throws InvalidArgument, Interrupted,
// SqlError; then nothing has changed.
TrainResult TrainTable(sqlite3* db, const TrainRequest& request,
                       const TrainTableObserver& observer);

// What a model was trained on, as ModelInfo.corpus tells it; a table "" where it does not.
struct CorpusOrigin {
  std::string table, column, where;
  bool operator==(const CorpusOrigin&) const = default;
};
CorpusOrigin ParseCorpusOrigin(sqlite3* db, const std::string& corpus);

}  // namespace s2v

#endif  // S2V_SQL_TRAIN_TABLE_H_
