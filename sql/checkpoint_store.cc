#include "sql/checkpoint_store.h"

#include <algorithm>
#include <chrono>
#include <cstring>

#include "core/error.h"
#include "core/text/tokenizer.h"

namespace s2v {
namespace {

constexpr size_t kBlockBytes = size_t{1} << 18;
// Of one transaction while a checkpoint is written or deleted: some hundredths of a second.
constexpr int kBlocksAtATime = 32;
// For other connections to end, when a transaction of ours is to begin.
constexpr auto kPatience = std::chrono::seconds(2);
constexpr int kLockPollMilliseconds = 10;
static_assert(sizeof(StepLoss) == 16, "a loss is stored as it stands in memory");

// Those under the checksum, in their order.
constexpr char kColumns[] =
    "name, is_default, corpus, texts, texts_hash, tokenizer_version, parameters, choices, words, "
    "ngrams, targets, sentences, position, tokens, library, created, losses";
enum Column {
  kName,
  kIsDefault,
  kCorpus,
  kTexts,
  kTextsHash,
  kTokenizerVersion,
  kParameters,
  kChoices,
  kWords,
  kNgrams,
  kTargets,
  kSentences,
  kPosition,
  kTokens,
  kLibrary,
  kCreated,
  kLosses,
  kId,
  kChecksum
};

std::string Table(const std::string& schema) {
  return QuoteName(schema) + ".s2v_checkpoint";
}
std::string RowsTable(const std::string& schema) {
  return QuoteName(schema) + ".s2v_checkpoint_rows";
}

[[noreturn]] void ThrowDamagedCheckpoint(const std::string& table, int64_t key) {
  throw FormatError("database disk image is malformed: table " + table + ", key " +
                    std::to_string(key) + "; s2v_drop takes the unfinished training away");
}

bool HasCheckpoints(sqlite3* db, const std::string& schema) {
  const int code = sqlite3_table_column_metadata(db, schema.c_str(), "s2v_checkpoint", "checksum",
                                                 nullptr, nullptr, nullptr, nullptr, nullptr);
  if (code != SQLITE_OK && code != SQLITE_ERROR) ThrowSqlError(db, code);
  if (code != SQLITE_OK) return false;
  constexpr std::string_view kTables[] = {"s2v_checkpoint", "s2v_checkpoint_rows"};
  CheckRealTables(db, schema, kTables);
  return true;
}

// REQUIRES: row stands on a row of kColumns, id, checksum.
Checkpoint ReadHead(const std::string& schema, const Statement& row) {
  Checkpoint c;
  c.schema = schema;
  c.id = row.Int(kId);
  if (ChecksumOf(row, kName, kLosses) != row.Int(kChecksum) || c.id < 1 || c.id > kMaxModelId) {
    ThrowDamagedCheckpoint("s2v_checkpoint", c.id);
  }
  const auto number = [&](Column column, int64_t least, int64_t most) {
    const int64_t value = row.Int(column);
    if (value < least || value > most) ThrowDamagedCheckpoint("s2v_checkpoint", c.id);
    return static_cast<uint64_t>(value);
  };
  c.name = row.Text(kName);
  c.make_default = row.Int(kIsDefault) != 0;
  c.corpus = row.Text(kCorpus);
  c.texts = number(kTexts, 0, INT64_MAX);
  c.texts_hash = row.Int(kTextsHash);
  c.tokenizer_version = row.Int(kTokenizerVersion);
  c.parameters = row.Text(kParameters);
  c.choices = row.Text(kChoices);
  c.words = number(kWords, 0, 0xffffffff);
  c.ngrams = number(kNgrams, 0, 0xffffffff);
  c.targets = number(kTargets, 0, 0xffffffff);
  c.sentences = number(kSentences, 1, INT64_MAX);
  c.position = number(kPosition, 0, static_cast<int64_t>(c.sentences));
  c.created = row.Text(kCreated);
  return c;
}

uint64_t RowsInABlock(uint32_t dimension) {
  return std::max<uint64_t>(1, kBlockBytes / (dimension * sizeof(float)));
}

// A little patience, from now on.
KeepWaiting Patience() {
  using Clock = std::chrono::steady_clock;
  return [give_up = Clock::now() + kPatience] {
    sqlite3_sleep(kLockPollMilliseconds);
    return Clock::now() < give_up;
  };
}

// Reads the blocks of a checkpoint in order into matrices.
class RowsReader {
 public:
  RowsReader(sqlite3* db, const Checkpoint& checkpoint)
      : id_(checkpoint.id),
        select_(db,
                "SELECT rows, checksum FROM " + RowsTable(checkpoint.schema) + " WHERE key = ?1") {}

  Matrix Read(uint64_t rows, uint32_t dimension) {
    Matrix matrix(rows, dimension);
    const size_t row_bytes = dimension * sizeof(float);
    const uint64_t at_a_time = RowsInABlock(dimension);
    for (uint64_t begin = 0; begin < rows; begin += at_a_time) {
      const uint64_t count = std::min(at_a_time, rows - begin);
      const int64_t key = RowKey(id_, next_block_++);
      select_.Reset();
      select_.Bind(1, key);
      if (!select_.Step()) ThrowDamagedCheckpoint("s2v_checkpoint_rows", key);
      const std::string_view bytes = select_.Blob(0);
      Checksum checksum(static_cast<uint64_t>(key));
      checksum.Add(bytes);
      if (bytes.size() != count * row_bytes || checksum.Value() != select_.Int(1)) {
        ThrowDamagedCheckpoint("s2v_checkpoint_rows", key);
      }
      for (uint64_t i = 0; i < count; i++) {
        std::memcpy(matrix[begin + i], bytes.data() + i * row_bytes, row_bytes);
      }
    }
    return matrix;
  }

 private:
  const int64_t id_;
  Statement select_;
  uint64_t next_block_ = 0;
};

}  // namespace

void TextsHash::Add(std::string_view text) {
  hash_.Add(uint64_t{text.size()});
  hash_.Add(text);
}

std::vector<Checkpoint> ListCheckpoints(sqlite3* db) {
  std::vector<Checkpoint> checkpoints;
  for (const std::string& schema : Schemas(db)) {
    if (!HasCheckpoints(db, schema)) continue;
    Statement select(db, std::string("SELECT ") + kColumns + ", id, checksum FROM " +
                             Table(schema) + " WHERE complete ORDER BY name, id");
    while (select.Step()) checkpoints.push_back(ReadHead(schema, select));
  }
  return checkpoints;
}

TrainingState ReadCheckpoint(sqlite3* db, const Checkpoint& checkpoint, const Config& config) {
  // One transaction: the training that wrote it may still run, and replace it.
  Savepoint snapshot(db);
  Statement select(db, std::string("SELECT ") + kColumns + ", id, checksum FROM " +
                           Table(checkpoint.schema) + " WHERE id = ?1 AND complete");
  select.Bind(1, checkpoint.id);
  if (!select.Step()) {
    throw InvalidArgument("the unfinished training of '" + checkpoint.name +
                          "' has gone on or ended meanwhile; try again");
  }
  const Checkpoint head = ReadHead(checkpoint.schema, select);
  const auto dimension = static_cast<uint32_t>(config.dimension);
  TrainingState state;
  state.position = head.position;
  state.tokens = static_cast<uint64_t>(select.Int(kTokens));
  const std::string_view losses = select.Blob(kLosses);
  if (losses.size() != static_cast<size_t>(config.epochs) * sizeof(StepLoss)) {
    ThrowDamagedCheckpoint("s2v_checkpoint", head.id);
  }
  for (size_t at = 0; at < losses.size(); at += sizeof(StepLoss)) {
    StepLoss loss;
    std::memcpy(&loss.loss, losses.data() + at, sizeof(loss.loss));
    std::memcpy(&loss.targets, losses.data() + at + sizeof(loss.loss), sizeof(loss.targets));
    state.losses.push_back(loss);
  }
  RowsReader rows(db, head);
  state.source = rows.Read(head.words + head.ngrams, dimension);
  state.target = rows.Read(head.targets, dimension);
  return state;
}

CheckpointWriter::CheckpointWriter(sqlite3* db, std::string schema)
    : db_(db), schema_(std::move(schema)) {}

void CheckpointWriter::Begin(Checkpoint checkpoint) {
  checkpoint_ = std::move(checkpoint);
  checkpoint_.id = 0;
  next_block_ = 0;
  std::optional<Savepoint> savepoint;
  BeginWriting(db_, schema_, Patience(), &savepoint);
  // Ids beyond the largest are damage.
  Statement next(db_, "SELECT max(ifnull((SELECT max(id) FROM " + Table(schema_) +
                          " WHERE id <= ?1), 0), ifnull((SELECT max(key) >> 32 FROM " +
                          RowsTable(schema_) + " WHERE key >> 32 <= ?1), 0)) + 1");
  next.Bind(1, kMaxModelId);
  next.Step();
  const int64_t id = next.Int(0);
  next.Reset();
  if (id > kMaxModelId) {
    throw SqlError(SQLITE_FULL, "no checkpoint id is left in this database");
  }
  Statement insert(
      db_, "INSERT INTO " + Table(schema_) + "(id, complete, " + kColumns +
               ", checksum) VALUES(?1, 0, ?2, 0, '', 0, 0, 0, '', '', 0, 0, 0, 1, 0, 0, '', '', "
               "x'', 0)");
  insert.Bind(1, id);
  insert.Bind(2, std::string_view(checkpoint_.name));
  insert.Run();
  savepoint->Release();
  checkpoint_.id = id;
}

void CheckpointWriter::Write(const TrainingState& state) {
  WriteRows(state.source);
  WriteRows(state.target);
  Complete(state);
}

void CheckpointWriter::WriteRows(const Matrix& matrix) {
  const size_t row_floats = matrix.dimension();
  const uint64_t at_a_time = RowsInABlock(matrix.dimension());
  std::vector<float> rows;
  for (uint64_t begin = 0; begin < matrix.rows();) {
    std::optional<Savepoint> savepoint;
    BeginWriting(db_, schema_, Patience(), &savepoint);
    Statement insert(
        db_, "INSERT INTO " + RowsTable(schema_) + "(key, rows, checksum) VALUES(?1, ?2, ?3)");
    for (int block = 0; block < kBlocksAtATime && begin < matrix.rows(); block++) {
      const uint64_t end = std::min(begin + at_a_time, matrix.rows());
      rows.clear();
      for (; begin < end; begin++) {
        rows.insert(rows.end(), matrix[begin], matrix[begin] + row_floats);
      }
      const int64_t key = RowKey(checkpoint_.id, next_block_++);
      Checksum checksum(static_cast<uint64_t>(key));
      checksum.Add(rows.data(), rows.size() * sizeof(float));
      insert.Bind(1, key);
      insert.BindBlob(2, rows.data(), rows.size() * sizeof(float));
      insert.Bind(3, checksum.Value());
      insert.Run();
    }
    savepoint->Release();
  }
}

void CheckpointWriter::Complete(const TrainingState& state) {
  const Checkpoint& c = checkpoint_;
  std::string losses;
  for (const StepLoss& loss : state.losses) {
    losses.append(reinterpret_cast<const char*>(&loss.loss), sizeof(loss.loss));
    losses.append(reinterpret_cast<const char*>(&loss.targets), sizeof(loss.targets));
  }
  std::optional<Savepoint> savepoint;
  BeginWriting(db_, schema_, Patience(), &savepoint);
  Statement now(db_, "SELECT datetime('now')");
  now.Step();
  const auto text = [](auto number) { return std::to_string(number); };
  // Of kColumns.
  const std::string values[] = {c.name,
                                text(int{c.make_default}),
                                c.corpus,
                                text(c.texts),
                                text(c.texts_hash),
                                text(c.tokenizer_version),
                                c.parameters,
                                c.choices,
                                text(c.words),
                                text(c.ngrams),
                                text(c.targets),
                                text(c.sentences),
                                text(state.position),
                                text(state.tokens),
                                S2V_VERSION,
                                std::string(now.Text(0)),
                                losses};
  now.Reset();
  Statement update(db_, "UPDATE " + Table(schema_) + " SET complete = 1, checksum = ?2, (" +
                            kColumns + ") = (" + CheckedParameters(std::size(values)) +
                            ") WHERE id = ?1");
  BindChecked(values, &update);
  update.Bind(1, c.id);
  update.BindBlob(3 + kLosses, losses.data(), losses.size());
  update.Run();
  if (sqlite3_changes(db_) == 0) {
    throw SqlError(SQLITE_BUSY, "another training or s2v_drop has taken it away");
  }
  Statement former(db_, "DELETE FROM " + Table(schema_) + " WHERE name = ?2 AND id <> ?1");
  former.Bind(1, c.id);
  former.Bind(2, std::string_view(c.name));
  former.Run();
  savepoint->Release();
  checkpoint_.id = 0;
}

void CheckpointWriter::GiveUp() noexcept {
  if (checkpoint_.id == 0) return;
  try {
    Statement remove(db_, "DELETE FROM " + Table(schema_) + " WHERE id = ?1 AND NOT complete");
    remove.Bind(1, checkpoint_.id);
    remove.Run();
    DeleteUnownedRows(db_, schema_);
  } catch (...) {
    // The next checkpoint of that name takes it away.
  }
  checkpoint_.id = 0;
}

bool HasCheckpointRows(sqlite3* db, const std::string& schema) {
  if (!HasCheckpoints(db, schema)) return false;
  return Statement(db, "SELECT 1 FROM " + RowsTable(schema) + " LIMIT 1").Step();
}

bool HasCheckpointOf(sqlite3* db, const std::string& schema, const std::string& name) {
  if (!HasCheckpoints(db, schema)) return false;
  Statement find(db, "SELECT 1 FROM " + Table(schema) + " WHERE name = ?1");
  find.Bind(1, std::string_view(name));
  return find.Step();
}

bool ForgetCheckpoints(sqlite3* db, const std::string& schema, const std::string& name) {
  if (!HasCheckpoints(db, schema)) return false;
  Statement remove(db, "DELETE FROM " + Table(schema) + " WHERE name = ?1");
  remove.Bind(1, std::string_view(name));
  remove.Run();
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
    // A lock, an interrupt, no memory: they harm nobody where they are.
  }
}

}  // namespace s2v
