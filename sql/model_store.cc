#include "sql/model_store.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>

#include "core/error.h"
#include "sql/checkpoint_store.h"
#include "sql/model_format.h"

namespace s2v {
namespace {

// Those of a model's rows, then the table of models.
constexpr std::string_view kTables[] = {"s2v_target", "s2v_word", "s2v_ngram", "s2v_directory",
                                        "s2v_model"};
constexpr std::span kRowTables = std::span(kTables).first<4>();
// Without U: embedding does not need it, and a file may lack it.
constexpr std::span kReadTables = std::span(kTables).subspan<1>();

// What a reader selects of s2v_model.
enum ModelColumn {
  kId,
  kName,
  kIsDefault,
  kVersion,
  kCompatibleVersion,
  kDimension,
  kElement,
  kTokenizer,
  kTokenizerVersion,
  kNgramOrder,
  kWords,
  kNgrams,
  kTargets,
  kSmoothing,
  kUnknownNorm,
  kTokens,
  kTexts,
  kSentences,
  kCorpus,
  kParameters,
  kChoices,
  kLosses,
  kLibrary,
  kCreated,
  kHash,
  kChecksum
};

// The cache of one statement that shares none: small enough that its memory is taken as it fills.
constexpr uint64_t kUnsharedBytes = uint64_t{32} << 20;

std::string Qualified(const std::string& schema, std::string_view table) {
  return QuoteName(schema) + "." + std::string(table);
}

int64_t Positive(const Statement& row, int column, int64_t least, int64_t most, int64_t id) {
  const int64_t value = row.Int(column);
  if (row.Type(column) != SQLITE_INTEGER || value < least || value > most) {
    ThrowDamaged("s2v_model", id);
  }
  return value;
}

std::string SelectModels(const std::string& schema) {
  return std::string("SELECT id, name, is_default, ") + kCheckedColumns + ", checksum FROM " +
         Qualified(schema, "s2v_model") + " WHERE ";
}

// REQUIRES: row stands on a row of SelectModels.
ModelInfo ReadInfo(const std::string& schema, const Statement& row) {
  ModelInfo info;
  info.schema = schema;
  info.id = row.Int(kId);
  info.name = row.Text(kName);
  info.is_default = row.Int(kIsDefault) != 0;
  if (row.Int(kCompatibleVersion) > kFormatVersion) {
    throw FormatError("model '" + info.name + "' has format version " +
                      std::to_string(row.Int(kVersion)) + "; this library reads up to version " +
                      std::to_string(kFormatVersion) + ": use a newer s2v");
  }
  if (ChecksumOf(row, kVersion, kHash) != row.Int(kChecksum)) ThrowDamaged("s2v_model", info.id);
  try {
    info.element = ParseElement(row.Text(kElement));
  } catch (const InvalidArgument&) {
    ThrowDamaged("s2v_model", info.id);
  }
  const auto integer = [&](ModelColumn column, int64_t least, int64_t most) {
    return Positive(row, column, least, most, info.id);
  };
  integer(kId, 1, kMaxModelId);
  info.shape.dimension = static_cast<uint32_t>(integer(kDimension, 1, 1 << 20));
  info.tokenizer = row.Text(kTokenizer);
  info.shape.ngram_order = static_cast<uint32_t>(integer(kNgramOrder, 1, 255));
  info.words = integer(kWords, 0, 0xffffffff);
  const bool of_ids = row.Int(kCompatibleVersion) >= kIdsVersion;
  info.ngrams = integer(kNgrams, of_ids ? 1 : 0, 0xffffffff);
  if (of_ids) info.shape.id_buckets = static_cast<uint64_t>(info.ngrams);
  info.targets = integer(kTargets, 0, info.words);
  const auto decimal = [&](ModelColumn column, float most) {
    const std::string_view text = row.Text(column);
    float number = -1;
    const char* end = text.data() + text.size();
    if (std::from_chars(text.data(), end, number).ptr != end || !(number >= 0 && number <= most)) {
      ThrowDamaged("s2v_model", info.id);
    }
    return number;
  };
  info.shape.smoothing = decimal(kSmoothing, 1);
  info.shape.unknown_norm = decimal(kUnknownNorm, 1e6f);
  info.tokens = integer(kTokens, 1, INT64_MAX);
  info.shape.unknown_frequency = 1.0f / static_cast<float>(info.tokens);
  info.texts = row.Int(kTexts);
  info.sentences = row.Int(kSentences);
  info.corpus = row.Text(kCorpus);
  info.parameters = row.Text(kParameters);
  info.choices = row.Text(kChoices);
  info.losses = row.Text(kLosses);
  info.library = row.Text(kLibrary);
  info.created = row.Text(kCreated);
  info.hash = row.Text(kHash);
  info.shape.tokenizer = FindTokenizer(info.tokenizer);
  const int64_t tokenizer_version = row.Int(kTokenizerVersion);
  if (info.shape.tokenizer == nullptr || info.shape.tokenizer->version() != tokenizer_version) {
    throw FormatError("model '" + info.name + "' needs tokenizer " + info.tokenizer + " version " +
                      std::to_string(tokenizer_version) + ", which this library lacks");
  }
  return info;
}

// A stored row of V as it stands in its table, checked, valid until the statement moves.
struct EncodedRow {
  std::string_view word;  // of s2v_word
  int64_t count = 0;
  std::string_view vector;  // [RowBytes]
};

// The two tables of V, and what is read of them first.
struct SourceTable {
  const char *name, *columns;
  bool has_word;
};
constexpr SourceTable kWordTable = {"s2v_word", "word, count, vector, checksum", true};
constexpr SourceTable kNgramTable = {"s2v_ngram", "count, vector, checksum", false};

// REQUIRES: row stands on a row of the table's columns. seed: the model's ChecksumSeed.
EncodedRow ReadRow(const Statement& row, const SourceTable& table, const ModelInfo& info,
                   uint64_t seed, uint64_t index) {
  EncodedRow read;
  const int first = table.has_word ? 1 : 0;  // the column of count
  read.count = row.Int(first);
  read.vector = row.Blob(first + 1);
  Checksum checksum(seed ^ index);
  checksum.Add(read.vector);
  checksum.Add(static_cast<uint64_t>(read.count));
  if (table.has_word) {
    read.word = row.Type(0) == SQLITE_BLOB ? row.Blob(0) : row.Text(0);
    checksum.Add(read.word);
  }
  const uint32_t dimension = info.shape.dimension;
  if (read.vector.size() != RowBytes(info.element, dimension) ||
      checksum.Value() != row.Int(first + 2) ||
      !IsRow(info.element, read.vector.data(), dimension)) {
    ThrowDamaged(table.name, RowKey(info.id, index));
  }
  return read;
}

// Every row of a model, by its key, which is the last column.
Statement SelectRows(sqlite3* db, const SourceTable& table, const ModelInfo& info) {
  Statement select(db, std::string("SELECT ") + table.columns + ", key FROM " +
                           Qualified(info.schema, table.name) +
                           " WHERE key BETWEEN ?1 AND ?2 ORDER BY key");
  select.Bind(1, RowKey(info.id, 0));
  select.Bind(2, RowKey(info.id, 0xffffffff));
  return select;
}

Statement SelectRow(sqlite3* db, const SourceTable& table, const ModelInfo& info) {
  return Statement(db, std::string("SELECT ") + table.columns + " FROM " +
                           Qualified(info.schema, table.name) + " WHERE key = ?1");
}

// The statement that found the model stays on its row.
struct FoundModel {
  std::string schema;
  Statement row;
  OpenFiles::Reading reading;  // of its file
};

std::optional<FoundModel> FindModel(sqlite3* db, const ModelName& name, OpenFiles* files) {
  const ReadingGuard guard(db);
  for (const std::string& schema : Schemas(db)) {
    if (!name.schema.empty() && sqlite3_stricmp(schema.c_str(), name.schema.c_str()) != 0) continue;
    if (!HasModels(db, schema)) continue;
    OpenFiles::Reading reading = files->Begin(db, schema, kReadTables);
    Statement select(db, SelectModels(schema) +
                             (name.name.empty() ? "is_default AND name IS NOT NULL" : "name = ?1"));
    if (!name.name.empty()) select.Bind(1, std::string_view(name.name));
    // The bound name lives as long as the statement is read, not longer: it is not stepped again.
    if (select.Step()) return FoundModel{schema, std::move(select), std::move(reading)};
  }
  return std::nullopt;
}

[[noreturn]] void ThrowNoModel(sqlite3* db, const ModelName& name) {
  std::string known;
  for (const ModelInfo& info : ListModels(db)) {
    if (info.name.empty()) continue;
    known +=
        (known.empty() ? "" : ", ") + (info.schema == "main" ? "" : info.schema + ".") + info.name;
  }
  const std::string wanted =
      name.name.empty()
          ? "no default model"
          : "no model '" + (name.schema.empty() ? "" : name.schema + ".") + name.name + "'";
  throw InvalidArgument(wanted + (known.empty() ? " here: train one with s2v_train(table, column)"
                                                : ": name one of " + known));
}

}  // namespace

void ThrowDamaged(const std::string& table, int64_t key) {
  throw FormatError("database disk image is malformed: table " + table + ", key " +
                    std::to_string(key));
}

uint64_t ChecksumSeed(const std::string& hash, int64_t id) {
  std::array<unsigned char, 8> bytes{};
  for (size_t i = 0; i < bytes.size(); i++) {
    const char* digits = hash.data() + 2 * i;
    if (hash.size() != 32 || std::from_chars(digits, digits + 2, bytes[i], 16).ptr != digits + 2) {
      ThrowDamaged("s2v_model", id);
    }
  }
  uint64_t seed = 0;
  std::memcpy(&seed, bytes.data(), sizeof(seed));
  return seed;
}

ModelName ParseModelName(std::string_view text) {
  ModelName name;
  const size_t dot = text.find('.');
  if (dot != std::string_view::npos) {
    name.schema = text.substr(0, dot);
    text = text.substr(dot + 1);
    if (name.schema.empty()) throw InvalidArgument("a schema's name is missing before '.'");
  }
  if (text.empty()) throw InvalidArgument("a model's name is empty");
  if (text.find('.') != std::string_view::npos || text.find('\0') != std::string_view::npos) {
    throw InvalidArgument("a model's name has no '.' of its own: schema.name or name");
  }
  if (text.size() > 255) throw InvalidArgument("a model's name has at most 255 bytes");
  name.name = text;
  return name;
}

std::vector<std::string> Schemas(sqlite3* db) {
  std::vector<std::string> schemas;
  if (sqlite3_libversion_number() >= 3039000) {
    for (int i = 0; const char* name = sqlite3_db_name(db, i); i++) schemas.emplace_back(name);
  } else {
    Statement list(db, "SELECT name FROM pragma_database_list ORDER BY seq");
    while (list.Step()) schemas.emplace_back(list.Text(0));
  }
  return schemas;
}

bool HasModels(sqlite3* db, const std::string& schema) {
  const auto has_column = [&](const char* column) {
    const int code = sqlite3_table_column_metadata(db, schema.c_str(), "s2v_model", column, nullptr,
                                                   nullptr, nullptr, nullptr, nullptr);
    if (code != SQLITE_OK && code != SQLITE_ERROR) ThrowSqlError(db, code);
    return code == SQLITE_OK;
  };
  if (!has_column("checksum")) return false;
  if (has_column("components")) {
    throw FormatError("the models of database '" + schema +
                      "' have format version 1, which was before the first release: DROP TABLE "
                      "s2v_model, s2v_word, s2v_ngram, s2v_target, s2v_component and "
                      "s2v_directory, and train again");
  }
  return true;
}

std::vector<ModelInfo> ListModels(sqlite3* db) {
  const ReadingGuard guard(db);
  std::vector<ModelInfo> models;
  for (const std::string& schema : Schemas(db)) {
    try {
      if (!HasModels(db, schema)) continue;
      CheckRealTable(db, schema, "s2v_model");
    } catch (const FormatError& error) {
      models.emplace_back().schema = schema;
      models.back().error = error.what();
      continue;
    }
    Statement select(db, SelectModels(schema) + "name IS NOT NULL ORDER BY name");
    while (select.Step()) {
      try {
        models.push_back(ReadInfo(schema, select));
      } catch (const FormatError& error) {
        ModelInfo unreadable;
        unreadable.schema = schema;
        unreadable.id = select.Int(kId);
        unreadable.name = select.Text(kName);
        unreadable.is_default = select.Int(kIsDefault) != 0;
        unreadable.error = error.what();
        models.push_back(std::move(unreadable));
      }
    }
  }
  return models;
}

void DeleteModelRows(sqlite3* db, const std::string& schema, int64_t id) {
  // A damaged id has no keys, and may be another model's.
  for (const std::string_view table : kRowTables) {
    if (id < 1 || id > kMaxModelId) break;
    Statement remove(db,
                     "DELETE FROM " + Qualified(schema, table) + " WHERE key BETWEEN ?1 AND ?2");
    remove.Bind(1, RowKey(id, 0));
    remove.Bind(2, RowKey(id, 0xffffffff));
    remove.Run();
  }
  Statement remove(db, "DELETE FROM " + Qualified(schema, "s2v_model") + " WHERE id = ?1");
  remove.Bind(1, id);
  remove.Run();
}

namespace {

// Whose model or unfinished training a name means, the model first; nullopt: neither.
std::optional<ModelName> FindNamed(sqlite3* db, const ModelName& name) {
  OpenFiles files;
  if (const auto model = FindModel(db, name, &files)) {
    return ModelName{model->schema, std::string(model->row.Text(kName))};
  }
  for (const std::string& schema : Schemas(db)) {
    if (!name.schema.empty() && sqlite3_stricmp(schema.c_str(), name.schema.c_str())) continue;
    if (HasCheckpointOf(db, schema, name.name)) return ModelName{schema, name.name};
  }
  return std::nullopt;
}

}  // namespace

void DropModel(sqlite3* db, const ModelName& name) {
  const std::optional<ModelName> named = FindNamed(db, name);
  if (!named) ThrowNoModel(db, name);
  const std::string& schema = named->schema;
  Savepoint savepoint(db);
  // Found again under the write lock: it may have been replaced meanwhile.
  LockForSaving(db, schema);
  const bool was_unfinished = ForgetCheckpoints(db, schema, named->name);
  OpenFiles files;
  std::optional<FoundModel> found = FindModel(db, *named, &files);
  if (!found && !was_unfinished) ThrowNoModel(db, name);
  if (found) {
    const int64_t id = found->row.Int(kId);
    found.reset();
    DeleteModelRows(db, schema, id);
    const std::string table = Qualified(schema, "s2v_model");
    Execute(db, "UPDATE " + table +
                    " SET is_default = 1 WHERE name IS NOT NULL AND (SELECT count(*) FROM " +
                    table + " WHERE name IS NOT NULL) = 1");
  }
  savepoint.Release();
  if (was_unfinished) DeleteUnownedRows(db, schema);
}

void ForEachWord(sqlite3* db, const ModelInfo& info,
                 const std::function<void(const StoredWord&)>& visit) {
  WordScan scan(db, info);
  for (StoredWord word; scan.Next(&word);) visit(word);
}

WordScan::WordScan(sqlite3* db, const ModelInfo& info)
    : db_(db),
      info_(info),
      seed_(ChecksumSeed(info.hash, info.id)),
      select_(SelectRows(db, kWordTable, info)),
      vector_(info.shape.dimension) {
  Seek(0);
}

void WordScan::Seek(uint64_t id) {
  select_.Reset();
  select_.Bind(1, RowKey(info_.id, id));
  select_.Bind(2, RowKey(info_.id, 0xffffffff));
  next_id_ = id;
}

bool WordScan::Next(StoredWord* word) {
  const ReadingGuard guard(db_);
  const auto words = static_cast<uint64_t>(info_.words);
  const bool found = select_.Step();
  const int64_t key = RowKey(info_.id, std::min(next_id_, words));
  if (found != (next_id_ < words) || (found && select_.Int(4) != key))
    ThrowDamaged("s2v_word", key);
  if (!found) return false;
  const EncodedRow row = ReadRow(select_, kWordTable, info_, seed_, next_id_++);
  DecodeRow(info_.element, row.vector.data(), info_.shape.dimension, vector_.data());
  *word = {row.word, row.count, vector_.data()};
  return true;
}

void ForEachNgram(sqlite3* db, const ModelInfo& info,
                  const std::function<void(const StoredNgram&)>& visit) {
  const uint64_t seed = ChecksumSeed(info.hash, info.id);
  Statement select = SelectRows(db, kNgramTable, info);
  std::vector<float> vector(info.shape.dimension);
  int64_t ngrams = 0;
  for (; select.Step(); ngrams++) {
    const auto bucket = static_cast<uint32_t>(select.Int(3) - RowKey(info.id, 0));
    if (bucket >= info.shape.bucket_count()) ThrowDamaged("s2v_ngram", select.Int(3));
    const EncodedRow row = ReadRow(select, kNgramTable, info, seed, bucket);
    if (row.count < 1 || row.count > UINT32_MAX || ngrams == info.ngrams) {
      ThrowDamaged("s2v_ngram", select.Int(3));
    }
    DecodeRow(info.element, row.vector.data(), info.shape.dimension, vector.data());
    visit({bucket, row.count, vector.data()});
  }
  if (ngrams != info.ngrams) ThrowDamaged("s2v_ngram", RowKey(info.id, 0));
}

ModelReader::ModelReader(sqlite3* db, const ModelName& name, OpenFiles* files) : db_(db) {
  OpenFiles own;
  std::optional<FoundModel> found = FindModel(db, name, files != nullptr ? files : &own);
  if (!found) ThrowNoModel(db, name);
  info_ = ReadInfo(found->schema, found->row);
  snapshot_ = std::move(found->row);
  checksum_seed_ = ChecksumSeed(info_.hash, info_.id);
  word_block_bits_ = WordBlockBits(static_cast<uint64_t>(info_.words));
  ngram_block_shift_ = NgramBlockShift(static_cast<uint64_t>(info_.ngrams), info_.shape.bucket_count());
  const size_t row_bytes = RowBytes(info_.element, info_.shape.dimension);
  if (files != nullptr && found->reading.file != 0) {
    // The hash comes from a file that may lie about it: rows of another length, or those of a file
    // that a backup overwrote, which changes the schema's version, must not be found.
    cache_ = RowCache::For(found->reading.file,
                           info_.hash + "/" + std::string(ElementName(info_.element)) + "/" +
                               std::to_string(info_.shape.dimension) + "/" +
                               std::to_string(found->reading.schema_version),
                           row_bytes);
  } else {
    cache_ = std::make_shared<RowCache>(
        files == nullptr ? RowCache::Budget() : std::min(RowCache::Budget(), kUnsharedBytes),
        row_bytes);
  }
  cache_->Pin(&view_);
}

Feature ModelReader::Word(std::string_view word, uint64_t hash) {
  const WordKey key{word, hash};
  Feature feature;
  FindWords({&key, 1}, &feature);
  return feature;
}

Feature ModelReader::Ngram(uint64_t bucket) {
  Feature feature;
  FindNgrams({&bucket, 1}, &feature);
  return feature;
}

// What the cache lacks is read in the order of the directory, so that what stands in one block, or
// on one page, is read at once.
void ModelReader::FindWords(std::span<const WordKey> words, Feature* features) {
  missing_.clear();
  cache_->FindWords(&view_, words, features, &missing_);
  std::sort(missing_.begin(), missing_.end(),
            [&](uint32_t a, uint32_t b) { return words[a].hash < words[b].hash; });
  for (size_t m = 0; m < missing_.size(); m++) {
    const WordKey& key = words[missing_[m]];
    if (m > 0 && words[missing_[m - 1]].word == key.word) {
      features[missing_[m]] = features[missing_[m - 1]];
      continue;
    }
    const StoredRow stored = LoadWord(key);
    features[missing_[m]] = 
        cache_->InsertWord(&view_, key, stored.vector, stored.frequency, stored.id);
  }
}

void ModelReader::FindNgrams(std::span<const uint64_t> buckets, Feature* features) {
  if (info_.ngrams == 0) {
    std::fill_n(features, buckets.size(), Feature{});
    return;
  }
  missing_.clear();
  cache_->FindNgrams(&view_, buckets, features, &missing_);
  std::sort(missing_.begin(), missing_.end(),
            [&](uint32_t a, uint32_t b) { return buckets[a] < buckets[b]; });
  for (size_t m = 0; m < missing_.size(); m++) {
    const uint64_t bucket = buckets[missing_[m]];
    if (m > 0 && buckets[missing_[m - 1]] == bucket) {
      features[missing_[m]] = features[missing_[m - 1]];
      continue;
    }
    const StoredRow stored = LoadNgram(bucket);
    features[missing_[m]] = cache_->InsertNgram(&view_, bucket, stored.vector, stored.frequency);
  }
}

float ModelReader::Frequency(int64_t count) const {
  return static_cast<float>(static_cast<double>(count) / static_cast<double>(info_.tokens));
}

std::string_view ModelReader::DirectoryBlock(int64_t index, size_t entry_bytes) {
  if (!select_directory_) {
    select_directory_ =
        Statement(db_, "SELECT entries, checksum FROM " + Qualified(info_.schema, "s2v_directory") +
                           " WHERE key = ?1");
  }
  if (index == directory_block_) return select_directory_.Blob(0);  // checked already
  directory_block_ = -1;
  const int64_t key = RowKey(info_.id, static_cast<uint64_t>(index));
  select_directory_.Reset();
  select_directory_.Bind(1, key);
  if (!select_directory_.Step()) ThrowDamaged("s2v_directory", key);
  const std::string_view entries = select_directory_.Blob(0);
  Checksum checksum(checksum_seed_ ^ static_cast<uint64_t>(index));
  checksum.Add(entries);
  if (entries.size() % entry_bytes != 0 || entries.size() > kMostBlockBytes ||
      checksum.Value() != select_directory_.Int(1)) {
    ThrowDamaged("s2v_directory", key);
  }
  directory_block_ = index;
  return entries;
}

ModelReader::StoredRow ModelReader::LoadWord(const WordKey& key_of_word) {
  const ReadingGuard guard(db_);
  const std::string_view block = DirectoryBlock(
      static_cast<int64_t>(WordBlock(key_of_word.hash, word_block_bits_)), kWordEntryBytes);
  const auto low_hash = static_cast<uint32_t>(key_of_word.hash);
  for (size_t at = 0; at < block.size(); at += kWordEntryBytes) {
    uint32_t entry[2];
    std::memcpy(entry, block.data() + at, sizeof(entry));
    if (entry[0] != low_hash) continue;
    const uint32_t id = entry[1];
    if (!select_word_) select_word_ = SelectRow(db_, kWordTable, info_);
    const int64_t key = RowKey(info_.id, id);
    select_word_.Reset();
    select_word_.Bind(1, key);
    if (!select_word_.Step()) ThrowDamaged("s2v_word", key);
    const EncodedRow row = ReadRow(select_word_, kWordTable, info_, checksum_seed_, id);
    if (row.word == key_of_word.word) {
      return {row.vector.data(), Frequency(row.count), row.count, id};
    }
  }
  return {};
}

ModelReader::StoredRow ModelReader::LoadNgram(uint64_t bucket) {
  const ReadingGuard guard(db_);
  const std::string_view block =
      DirectoryBlock(kNgramBlocks + static_cast<int64_t>(NgramBlock(bucket, ngram_block_shift_)),
                     kNgramEntryBytes);
  size_t low = 0, high = block.size() / kNgramEntryBytes;
  uint32_t entry = 0;
  while (low < high) {
    const size_t middle = (low + high) / 2;
    std::memcpy(&entry, block.data() + middle * kNgramEntryBytes, sizeof(entry));
    if (entry < bucket) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  if (low * kNgramEntryBytes == block.size()) return {};
  std::memcpy(&entry, block.data() + low * kNgramEntryBytes, sizeof(entry));
  if (entry != bucket) return {};

  if (!select_ngram_) select_ngram_ = SelectRow(db_, kNgramTable, info_);
  const int64_t key = RowKey(info_.id, bucket);
  select_ngram_.Reset();
  select_ngram_.Bind(1, key);
  if (!select_ngram_.Step()) ThrowDamaged("s2v_ngram", key);
  const EncodedRow row = ReadRow(select_ngram_, kNgramTable, info_, checksum_seed_, bucket);
  return {row.vector.data(), Frequency(row.count), row.count};
}

}  // namespace s2v
