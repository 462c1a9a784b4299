#include "sql/checkpoint_store.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <memory>

#include "core/error.h"
#include "core/text/tokenizer.h"
#include "sql/json.h"
#include "sql/model_lock.h"
#include "sql/model_store.h"
#include "sql/real_table.h"

namespace s2v {
namespace {

constexpr size_t kBlockBytes = size_t{1} << 18;
// A transaction that writes or deletes a part of a checkpoint takes some hundredths of a second.
constexpr int kBlocksAtATime = 32;
// How long a transaction of ours waits for those of other connections.
constexpr double kPatienceSeconds = 2;
constexpr int kLockPollMilliseconds = 10;
// How long the workers may take to the end of a chunk of sentences: mostly milliseconds, more with
// texts of a thousand words on a busy machine.
constexpr std::chrono::milliseconds kPausePatience(3000);
static_assert(sizeof(StepLoss) == 16, "a loss is stored as it stands in memory");

// The columns that the checksum covers, in their order.
constexpr char kColumns[] =
    "name, is_default, corpus, texts, texts_hash, tokenizer_version, parameters, choices, words, "
    "ngrams, targets, sentences, position, tokens, library, created, losses";

std::string Table(const std::string& schema) {
  return QuoteName(schema) + ".s2v_checkpoint";
}
std::string RowsTable(const std::string& schema) {
  return QuoteName(schema) + ".s2v_checkpoint_rows";
}

constexpr char kAdvice[] = "; s2v_drop takes the unfinished training away";

bool HasCheckpoints(sqlite3* db, const std::string& schema) {
  if (!HasColumn(db, schema, "s2v_checkpoint", "checksum") ||
      !HasColumn(db, schema, "s2v_checkpoint_rows", "key")) {
    return false;
  }
  constexpr std::string_view kTables[] = {"s2v_checkpoint", "s2v_checkpoint_rows"};
  CheckRealTables(db, schema, kTables);
  return true;
}

Statement SelectCheckpoints(sqlite3* db, const std::string& schema, const char* where) {
  return Statement(db, std::string("SELECT id, ") + kColumns + ", checksum FROM " + Table(schema) +
                           " WHERE complete AND " + where);
}

// Whether s2v_drop could name the model.
bool IsPlainName(const std::string& name) {
  try {
    return ParseModelName(name).schema.empty();
  } catch (const InvalidArgument&) {
    return false;
  }
}

// REQUIRES: row has just stepped to a row of SelectCheckpoints. state: its position, tokens and
// losses, or nullptr.
Checkpoint ReadCheckpoint(const std::string& schema, const Statement& row,
                          TrainingState* state = nullptr) {
  Checkpoint c;
  c.schema = schema;
  c.id = row.Int(0);
  CheckedRow in(row, 1, "s2v_checkpoint", c.id, kAdvice);
  in.Check();
  if (c.id < 1 || c.id > kMaxModelId) in.Throw();
  const auto number = [&](int64_t least = 0, int64_t most = 0xffffffff) {
    return static_cast<uint64_t>(in.Int(least, most));
  };
  c.name = in.Text();
  c.make_default = in.Int() != 0;
  c.corpus = in.Text();
  c.texts = number(0, INT64_MAX);
  c.texts_hash = in.Int();
  c.tokenizer_version = in.Int();
  c.parameters = in.Text();
  c.choices = in.Text();
  c.words = number();
  c.ngrams = number();
  c.targets = number();
  c.sentences = number(1, INT64_MAX);
  c.position = number(0, static_cast<int64_t>(c.sentences));
  const uint64_t tokens = number(0, INT64_MAX);
  in.Text();  // library
  c.created = in.Text();
  for (const std::string* json : {&c.corpus, &c.parameters, &c.choices}) {
    if (JsonType(sqlite3_db_handle(row.get()), *json).empty()) in.Throw();
  }
  if (!IsPlainName(c.name))
    ThrowDamaged("s2v_checkpoint", c.id,
                 "; DELETE FROM s2v_checkpoint takes the unfinished trainings away");
  if (state != nullptr) {
    const std::string_view losses = in.Blob();
    if (losses.size() != state->losses.size() * sizeof(StepLoss)) in.Throw();
    std::memcpy(state->losses.data(), losses.data(), losses.size());
    const auto is_sum = [](const StepLoss& one) {
      return one.loss >= 0 && std::isfinite(one.loss);
    };
    if (!std::all_of(state->losses.begin(), state->losses.end(), is_sum)) in.Throw();
    state->position = c.position;
    state->tokens = tokens;
  }
  return c;
}

uint64_t RowsInABlock(uint32_t dimension) {
  return std::max<uint64_t>(1, kBlockBytes / (dimension * sizeof(float)));
}

// Waits a little for other connections from now on.
KeepWaiting Patience() {
  return WaitUpTo(kPatienceSeconds, kLockPollMilliseconds);
}

// The rows of a matrix, from the checkpoint's next block on.
Matrix ReadRows(sqlite3* db, const Checkpoint& checkpoint, uint64_t rows, uint32_t dimension,
                uint64_t* next_block) {
  Statement select(
      db, "SELECT rows, checksum FROM " + RowsTable(checkpoint.schema) + " WHERE key = ?1");
  Matrix matrix(rows, dimension);
  const size_t row_bytes = dimension * sizeof(float);
  for (uint64_t row = 0; row < rows;) {
    const uint64_t end = std::min(row + RowsInABlock(dimension), rows);
    const int64_t key = RowKey(checkpoint.id, (*next_block)++);
    const bool found = select.Find(key);
    const std::string_view bytes = found ? select.Blob(0) : std::string_view();
    Checksum checksum(static_cast<uint64_t>(key));
    checksum.Add(bytes);
    if (bytes.size() != (end - row) * row_bytes || checksum.Value() != select.Int(1)) {
      ThrowDamaged("s2v_checkpoint_rows", key, kAdvice);
    }
    for (const char* from = bytes.data(); row < end; row++, from += row_bytes) {
      std::memcpy(matrix[row], from, row_bytes);
    }
  }
  return matrix;
}

// Writes a checkpoint under a new id. In the end it deletes that checkpoint if it is not complete,
// and all rows that belong to no checkpoint, such as those of the one that it replaces.
class CheckpointWriter {
 public:
  CheckpointWriter(sqlite3* db, const Checkpoint& checkpoint) : db_(db), checkpoint_(checkpoint) {
    const std::string &schema = checkpoint.schema, rows = RowsTable(schema);
    const auto savepoint = BeginWriting(db_, schema, Patience());
    // Ids beyond the largest are damage.
    const auto id = 1 + SelectInt(db_,
                                  "SELECT max(ifnull((SELECT max(id) FROM " + Table(schema) +
                                      " WHERE id <= ?1), 0), ifnull((SELECT max(key) >> 32 FROM " +
                                      rows + " WHERE key >> 32 <= ?1), 0))",
                                  kMaxModelId);
    if (id > kMaxModelId) {
      throw SqlError(SQLITE_FULL, "no checkpoint id is left in this database");
    }
    Execute(db_,
            "INSERT INTO " + Table(schema) + "(id, complete, " + kColumns +
                ", checksum) VALUES(?1, 0, ?2, 0, '', 0, 0, 0, '', '', 0, 0, 0, 1, 0, 0, '', '', "
                "x'', 0)",
            id, checkpoint.name);
    savepoint->Release();
    id_ = id;
  }
  ~CheckpointWriter() {
    try {
      const std::string table = Table(checkpoint_.schema);
      if (id_ > 0) Execute(db_, "DELETE FROM " + table + " WHERE id = ?1 AND NOT complete", id_);
    } catch (...) {
      // The next checkpoint of that name takes it away.
    }
    DeleteUnownedRows(db_, checkpoint_.schema);
  }
  CheckpointWriter(const CheckpointWriter&) = delete;

  void Write(const TrainingState& state) {
    WriteRows(state.source);
    WriteRows(state.target);
    Complete(state);
  }

 private:
  void WriteRows(const Matrix& matrix) {
    std::string rows;
    for (uint64_t begin = 0; begin < matrix.rows();) {
      const auto savepoint = BeginWriting(db_, checkpoint_.schema, Patience());
      Statement insert(db_, "INSERT INTO " + RowsTable(checkpoint_.schema) +
                                "(key, rows, checksum) VALUES(?1, ?2, ?3)");
      for (int block = 0; block < kBlocksAtATime && begin < matrix.rows(); block++) {
        const uint64_t end = std::min(begin + RowsInABlock(matrix.dimension()), matrix.rows());
        rows.clear();
        for (; begin < end; begin++) {
          rows.append(reinterpret_cast<const char*>(matrix[begin]),
                      matrix.dimension() * sizeof(float));
        }
        const int64_t key = RowKey(id_, next_block_++);
        Checksum checksum(static_cast<uint64_t>(key));
        checksum.Add(rows);
        insert.Run(key, Blob{rows}, checksum.Value());
      }
      savepoint->Release();
    }
  }

  void Complete(const TrainingState& state) {
    const Checkpoint& c = checkpoint_;
    const auto savepoint = BeginWriting(db_, c.schema, Patience());
    Statement update(db_, "UPDATE " + Table(c.schema) + " SET complete = 1, checksum = ?2, (" +
                              kColumns + ") = (" + CheckedParameters(kColumns) + ") WHERE id = ?1");
    RunChecked(&update, id_, c.name, int{c.make_default}, c.corpus, c.texts, c.texts_hash,
               c.tokenizer_version, c.parameters, c.choices, c.words, c.ngrams, c.targets,
               c.sentences, state.position, state.tokens, S2V_VERSION,
               SelectText(db_, "SELECT datetime('now')"),
               Blob{{reinterpret_cast<const char*>(state.losses.data()),
                     state.losses.size() * sizeof(StepLoss)}});
    if (sqlite3_changes(db_) == 0) {
      throw SqlError(SQLITE_BUSY, "another training or s2v_drop has taken it away");
    }
    Execute(db_, "DELETE FROM " + Table(c.schema) + " WHERE name = ?1 AND id <> ?2", c.name, id_);
    savepoint->Release();
    id_ = 0;
  }

  sqlite3* db_;
  const Checkpoint& checkpoint_;
  int64_t id_ = 0;
  uint64_t next_block_ = 0;
};

}  // namespace

std::vector<Checkpoint> ListCheckpoints(sqlite3* db) {
  std::vector<Checkpoint> checkpoints;
  for (const std::string& schema : Schemas(db)) {
    if (!HasCheckpoints(db, schema)) continue;
    Statement select = SelectCheckpoints(db, schema, "true ORDER BY name, id");
    while (select.Step()) checkpoints.push_back(ReadCheckpoint(schema, select));
  }
  return checkpoints;
}

TrainingState ReadCheckpoint(sqlite3* db, const Checkpoint& checkpoint, const Config& config) {
  // One transaction: the training that wrote it may still run, and replace it.
  Savepoint snapshot(db);
  Statement select = SelectCheckpoints(db, checkpoint.schema, "id = ?1");
  if (!select.Find(checkpoint.id)) {
    throw InvalidArgument("the unfinished training of '" + checkpoint.name +
                          "' has gone on or ended meanwhile; try again");
  }
  TrainingState state;
  state.losses.resize(static_cast<size_t>(config.epochs));
  const Checkpoint head = ReadCheckpoint(checkpoint.schema, select, &state);
  const auto dimension = static_cast<uint32_t>(config.dimension);
  uint64_t next_block = 0;
  state.source = ReadRows(db, head, head.words + head.ngrams, dimension, &next_block);
  state.target = ReadRows(db, head, head.targets, dimension, &next_block);
  return state;
}

bool StoreCheckpoint(sqlite3* db, const Checkpoint& checkpoint, Trainer* trainer) {
  // Its end is outside the pause, since freeing pages of a large checkpoint takes a while.
  CheckpointWriter writer(db, checkpoint);
  if (!trainer->Pause(kPausePatience)) return false;
  const std::unique_ptr<Trainer, void (*)(Trainer*)> pause(trainer,
                                                           [](Trainer* t) { t->EndPause(); });
  writer.Write(trainer->state());
  return true;
}

bool HasCheckpointRows(sqlite3* db, const std::string& schema) {
  return HasCheckpoints(db, schema) &&
         Statement(db, "SELECT 1 FROM " + RowsTable(schema) + " LIMIT 1").Step();
}

bool HasCheckpointOf(sqlite3* db, const std::string& schema, const std::string& name) {
  return HasCheckpoints(db, schema) &&
         Statement(db, "SELECT 1 FROM " + Table(schema) + " WHERE name = ?1", name).Step();
}

bool ForgetCheckpoints(sqlite3* db, const std::string& schema, const std::string& name) {
  if (!HasCheckpoints(db, schema)) return false;
  Execute(db, "DELETE FROM " + Table(schema) + " WHERE name = ?1", name);
  return sqlite3_changes(db) > 0;
}

void DeleteUnownedRows(sqlite3* db, const std::string& schema) noexcept {
  try {
    if (!HasCheckpoints(db, schema)) return;
    Statement remove(db, "DELETE FROM " + RowsTable(schema) + " WHERE key IN (SELECT key FROM " +
                             RowsTable(schema) + " WHERE key >> 32 NOT IN (SELECT id FROM " +
                             Table(schema) + ") LIMIT " + std::to_string(kBlocksAtATime) + ")");
    do {
      remove.Run();
    } while (sqlite3_changes(db) > 0);
  } catch (...) {
    // Locked, interrupted, or without memory: the rows do no harm where they are.
  }
}

}  // namespace s2v
