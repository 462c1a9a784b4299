// From a column of a table to a stored model, and from that to another: what s2v_train, s2v_update and
// s2v_convert do, and the program's commands of these names.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/settings.h"
#include "core/train/trainer.h"
#include "sql/model_store.h"
#include "sql/sentence_table.h"
#include "sql/system.h"

namespace s2v {

class RankGroup;

struct TrainRequest {
  std::string table;  // table or view, schema.table allowed
  std::string column;
  std::string where;  // SQL expression, "" for all rows
  std::string model;  // name or schema.name; "" for the table's name, in the table's schema
  bool make_default = false;
  int lock_wait_milliseconds = 60000;  // for other connections, before it gives up
  std::string progress;                // SQL that is told about it (TellStatement), or ""
  int64_t memory_limit = 0;            // MB (sql/system.h)
  // Seconds between two checkpoints, 0: none, nullopt: as the training is long. One that cannot be written
  // is left out with a warning; writing takes no more than about a tenth of the time.
  std::optional<double> checkpoint_every;
  // Go on from the checkpoint of model, or of table where model is "", or the only one where both
  // are. What else is given must be as it was: table, column, where if not "", and the settings
  // that have a value, but for workers, which may change.
  bool resume = false;
  // Those that train it together with this process (sql/train_ranks.h), or null; part: of the table,
  // what this one reads.
  RankGroup* ranks = nullptr;
  TablePart part;
  // Whether the indexes of the model's schema whose model is another one then (sql/index_writer.h) are made anew in the
  // transaction that stores it.
  bool rebuild_indexes = false;
  std::function<void(const std::string&)> warn = [](const std::string&) {};
  Settings settings;
};

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

// How far a training, an update or a conversion is.
struct TrainProgress : Progress {
  enum Phase { kReading, kTraining, kCheckpoint, kStoring };
  Phase phase = kReading;
  uint64_t texts = 0;            // read so far; while they are, tokens are those read so far
  uint64_t matrix_bytes = 0;     // of the two matrices, from training on
  uint64_t needed_bytes = 0;     // of memory, from training on
  uint64_t available_bytes = 0;  // for that; 0: not known
};
// Called about ten times a second while training, every thousand rows or so while reading and
// storing; false stops the work.
using TrainObserver = std::function<bool(const TrainProgress&)>;
// The observer, but a statement (sql/progress_statement.h) hears first; "": none does. Its parameters:
//
//   :phase           'reading', 'training' or 'storing'
//   :fraction        of the training, 0 to 1
//   :loss            recent mean of a target, NULL until there is one
//   :learning_rate   now, NULL while reading
//   :tokens          reading: read so far; then known words passed so far, all epochs
//   :seconds         since the beginning
//
// Throws InvalidArgument where it is not one statement with these.
TrainObserver TellStatement(sqlite3* db, const std::string& sql, const TrainObserver& observer);

// What a model was trained on, as ModelInfo.corpus tells it; a table "" where it does not.
struct CorpusOrigin {
  std::string table, column, where;
  std::optional<int64_t> max_rowid;  // of the table when it was read
  std::string updates;               // JSON array: what s2v_update has done since; "": nothing
  // The same rows of the same table, as far as they are told.
  bool operator==(const CorpusOrigin& other) const {
    return table == other.table && column == other.column && where == other.where;
  }
};
CorpusOrigin ParseCorpusOrigin(sqlite3* db, const std::string& corpus);
// The table as SentenceTable takes it: one in the model's own schema is meant first.
std::string CorpusTable(sqlite3* db, const std::string& schema, const CorpusOrigin& origin);
// Rows that the table has now. Nothing where the model was trained with a condition, or there is no ordinary table with rowids
// of that name: what is counted calls nothing.
std::optional<int64_t> CountCorpusRows(sqlite3* db, const ModelInfo& info);
std::string CorpusJson(const CorpusOrigin& origin);

class JsonObject;

// How long the three parts of a training or an update took.
struct StageSeconds {
  double reading = 0, training = 0, storing = 0;
  // The summary with the members "loss", "seconds" and its parts.
  std::string EndOfJson(JsonObject* summary, double loss) const;
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

// Reads the table (one pass, a read transaction that ends with it), trains with no transaction
// open, and stores the model in one savepoint. Inside a transaction of the caller's the write lock
// is taken first, and there are no checkpoints. Throws InvalidArgument, Interrupted, SqlError; then no model
// has changed, and StoppedTraining where there is a checkpoint.
TrainResult TrainTable(sqlite3* db, const TrainRequest& request, const TrainObserver& observer);

// ---- update_model.cc ----
//
// A stored model trained on with the rows that its table has got since: the whole table is read and counted
// again, then the new rows are trained on, and between them a random choice of the old ones. What results is
// another model, which takes the former one's place in one transaction.

struct UpdateRequest {
  std::string model;  // name or schema.name; "" for the default model
  // New are rows with a larger rowid; nullopt: as the model remembers.
  std::optional<int64_t> since;
  std::string where;           // instead: an SQL expression, true for the new rows
  int64_t epochs = 5;          // passes over the new rows and the old ones between them
  double learning_rate = 0.5;  // to begin with, as a part of the model's
  double replay = 1;           // old sentences for each new one
  int64_t workers = 0;         // 0: one for each processor
  int64_t memory_limit = 0;    // MB (sql/system.h)
  int lock_wait_milliseconds = 60000;
};

// Throws InvalidArgument where a number is out of its range or since and where are both given.
void CheckUpdateRequest(const UpdateRequest& request);

struct UpdateResult {
  ModelInfo model;          // as it is now
  std::string former_hash;  // equal to model.hash where there were no new rows
  CorpusOrigin origin;
  uint64_t new_texts = 0, skipped = 0;  // skipped: new rows that were NULL or BLOB
  uint64_t new_sentences = 0, replayed_sentences = 0;
  uint64_t new_words = 0, new_ngrams = 0;
  double loss = 0;   // of the last epoch
  MeanCosine drift;  // of old rows
  StageSeconds seconds;
  std::string warning;  // "", or why a new training is better
  std::string Json() const;
};

// Locks and errors: as TrainTable. Throws InvalidArgument also where the model does not tell what
// it was trained on or has no target embeddings (only float32 models have), FormatError where it is
// damaged.
UpdateResult UpdateModel(sqlite3* db, const UpdateRequest& request, const TrainObserver& observer);

// ---- convert_model.cc ----
//
// A smaller copy of a stored model: its rows as another element, its least useful features left out. A float32
// model that is converted to int8 without leaving features out is, hash and all, the model that training with
// "element": "int8" stores.

struct ConvertRequest {
  std::string model;  // name or schema.name; "" for the default model
  std::string name;   // name or schema.name to store it under; without a schema in the model's own
  Element element = Element::kInt8;
  std::optional<uint64_t> max_features;  // words and n-grams to keep; nothing: all
};

struct ConvertResult {
  ModelInfo former, model;
  MeanCosine drift;  // of a sample of the model's table; no texts: the table is gone
  double seconds = 0;
  std::string Json() const;
};

// Bytes of a model's rows: its vectors, without their keys, words and checksums.
uint64_t VectorBytes(const ModelInfo& info);

// The name may be the model's own: then the copy takes its place. One write transaction, from the
// reading of the model on; in memory it holds the source rows that are kept. Throws
// InvalidArgument, FormatError, Interrupted, SqlError; then nothing has changed.
ConvertResult ConvertModel(sqlite3* db, const ConvertRequest& request,
                           const TrainObserver& observer);

// What a training, an update and a conversion do alike.
class ModelJob {
 protected:
  ModelJob(sqlite3* db, const TrainObserver& observer) : db_(db), observer_(observer) {}
  // Throws Interrupted where the observer says so.
  void Report();
  // Reports now and then.
  void AddText(std::string_view text, CorpusBuilder* builder);
  // Begins the phase of training: reports what it needs, before it is taken. Throws InvalidArgument where that
  // is more than there is.
  void BeginTraining(const MemoryNeed& need, int64_t memory_limit, const Config& config);
  void ObserveTraining(const Progress& progress) { static_cast<Progress&>(progress_) = progress; }
  // SaveModel, waiting for other connections up to lock_wait_milliseconds. Throws what that and Report
  // throw; then nothing has changed.
  ModelInfo Save(const SaveRequest& request, const Model& model, int lock_wait_milliseconds,
                 const SaveObserver& observer = {});
  // Ends it: undo_, where there is one, is released, and the rows of an unfinished training of the name in
  // this schema are deleted.
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
