// Trainings that are not finished, kept in the database: sql/schema.sql describes the two tables.
//
//   StoreCheckpoint(db, checkpoint, &trainer);              // the former one of that name is gone
//   for (const Checkpoint& c : ListCheckpoints(db)) {
//     trainer.StartFrom(ReadCheckpoint(db, c, config));
//   }
//
// Storing and deleting commit transactions of their own, each of some megabytes, so that readers
// and writers of the same database wait for milliseconds, not for the whole of it.
//
// Thread rule: as the connection's.
#pragma once

#include <string>
#include <vector>

#include "core/train/trainer.h"
#include "sql/model_format.h"

namespace s2v {

// What a checkpoint tells besides the rows.
struct Checkpoint {
  std::string schema;
  int64_t id = 0;
  std::string name;  // of the model
  bool make_default = false;
  std::string corpus;  // JSON, as in ModelInfo
  uint64_t texts = 0;
  int64_t texts_hash = 0;
  int64_t tokenizer_version = 0;
  std::string parameters, choices;  // JSON, as in ModelInfo
  uint64_t words = 0, ngrams = 0, targets = 0;
  uint64_t sentences = 0, position = 0;
  std::string created;

  double Fraction() const { return static_cast<double>(position) / static_cast<double>(sentences); }
};

// The hash of the texts of a corpus, one after the other.
class TextsHash {
 public:
  void Add(std::string_view text) {
    hash_.Add(uint64_t{text.size()});
    hash_.Add(text);
  }
  int64_t Value() const { return hash_.Value(); }

 private:
  Checksum hash_{0};
};

// The complete ones that this connection sees, schema by schema, by name. Throws FormatError for a
// damaged one.
std::vector<Checkpoint> ListCheckpoints(sqlite3* db);

// The state of a training as it was. Throws FormatError where a row is missing or damaged,
// InvalidArgument where the training has gone on or ended meanwhile. config: the one in
// checkpoint.parameters.
TrainingState ReadCheckpoint(sqlite3* db, const Checkpoint& checkpoint, const Config& config);

// Stores the state of a training, which pauses while its rows are written, so that it is one
// moment's. checkpoint: its id and position are not looked at. False where the workers do not come
// to rest within some seconds. Throws SqlError, FormatError, Interrupted. Then the former
// checkpoint stays, and what was written goes as far as that can be done. REQUIRES: no transaction
// is open; the training runs, and this is its observer.
bool StoreCheckpoint(sqlite3* db, const Checkpoint& checkpoint, Trainer* trainer);

// Whether there are rows of checkpoints, owned or not: to be asked before a commit, so that nothing
// is left to do, and to fail, after it.
bool HasCheckpointRows(sqlite3* db, const std::string& schema);
// Whether there are checkpoints of a name, damaged and incomplete ones too.
bool HasCheckpointOf(sqlite3* db, const std::string& schema, const std::string& name);
// Forgets the checkpoints of a name, the incomplete ones too; false where there was none. Their
// rows stay until DeleteUnownedRows, which may take long. REQUIRES: in a transaction.
bool ForgetCheckpoints(sqlite3* db, const std::string& schema, const std::string& name);
// Deletes rows that belong to no checkpoint, some at a time, as far as that can be done: what is
// left goes the next time. Never throws, since it is called when the work has been committed.
void DeleteUnownedRows(sqlite3* db, const std::string& schema) noexcept;

}  // namespace s2v
