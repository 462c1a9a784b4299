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

// The cache of one statement that shares none: small enough that its memory is taken as it fills.
constexpr uint64_t kUnsharedBytes = uint64_t{32} << 20;

std::string Qualified(const std::string& schema, std::string_view table) {
  return QuoteName(schema) + "." + std::string(table);
}

std::string SelectModels(const std::string& schema) {
  return std::string("SELECT id, name, is_default, ") + kCheckedColumns + ", checksum FROM " +
         Qualified(schema, "s2v_model") + " WHERE ";
}

// What is known of a model that cannot be read. REQUIRES, here and below: row stands on a row of
// SelectModels.
ModelInfo ReadHead(const std::string& schema, const Statement& row) {
  ModelInfo info;
  info.schema = schema;
  info.id = row.Int(0);
  info.name = row.Text(1);
  info.is_default = row.Int(2) != 0;
  return info;
}

ModelInfo ReadInfo(ModelInfo info, const Statement& row) {
  CheckedRow in(row, 3, "s2v_model", info.id);
  const int64_t version = row.Int(3), compatible = row.Int(4);
  if (compatible > kFormatVersion) {
    throw FormatError("model '" + info.name + "' has format version " + std::to_string(version) +
                      "; this library reads up to version " + std::to_string(kFormatVersion) +
                      ": use a newer s2v");
  }
  in.Check();
  if (info.id < 1 || info.id > kMaxModelId) in.Throw();
  in.Int();  // the versions
  in.Int();
  info.shape.dimension = static_cast<uint32_t>(in.Int(1, 1 << 20));
  const std::string_view element = in.Text();
  info.element = element == ElementName(Element::kInt8) ? Element::kInt8 : Element::kFloat32;
  if (element != ElementName(info.element)) in.Throw();
  info.tokenizer = in.Text();
  const int64_t tokenizer_version = in.Int();
  info.shape.ngram_order = static_cast<uint32_t>(in.Int(1, 255));
  info.words = in.Int(0, 0xffffffff);
  info.ngrams = in.Int(compatible >= kIdsVersion ? 1 : 0, 0xffffffff);
  if (compatible >= kIdsVersion) info.shape.id_buckets = static_cast<uint64_t>(info.ngrams);
  info.targets = in.Int(0, info.words);
  const auto decimal = [&](float most) {
    float number = -1;
    if (!ParseNumber(in.Text(), &number) || !(number >= 0 && number <= most)) in.Throw();
    return number;
  };
  info.shape.smoothing = decimal(1);
  info.shape.unknown_norm = decimal(1e6f);
  info.tokens = in.Int(1);
  info.shape.unknown_frequency = 1.0f / static_cast<float>(info.tokens);
  info.texts = in.Int();
  info.sentences = in.Int();
  for (std::string* text : {&info.corpus, &info.parameters, &info.choices, &info.losses,
                            &info.library, &info.created, &info.hash}) {
    *text = in.Text();
  }
  info.shape.tokenizer = FindTokenizer(info.tokenizer);
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
  return Statement(db,
                   std::string("SELECT ") + table.columns + ", key FROM " +
                       Qualified(info.schema, table.name) +
                       " WHERE key BETWEEN ?1 AND ?2 ORDER BY key",
                   RowKey(info.id, 0), RowKey(info.id, 0xffffffff));
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
  for (const std::string& schema : Schemas(db, name.schema)) {
    if (!HasModels(db, schema)) continue;
    OpenFiles::Reading reading = files->Begin(db, schema, kReadTables);
    Statement select(db, SelectModels(schema) +
                             (name.name.empty() ? "is_default AND name IS NOT NULL" : "name = ?1"));
    if (!name.name.empty()) select.Bind(1, name.name);
    if (select.Step()) return FoundModel{schema, std::move(select), std::move(reading)};
  }
  return std::nullopt;
}

[[noreturn]] void ThrowNoModel(sqlite3* db, const ModelName& name) {
  std::string known;
  for (const ModelInfo& info : ListModels(db)) {
    if (!info.name.empty())
      known += (known.empty() ? "" : ", ") + ModelName{info.schema, info.name}.Text();
  }
  const std::string wanted =
      name.name.empty()
          ? "no default model"
          : "no model '" + (name.schema.empty() ? "" : name.schema + ".") + name.name + "'";
  throw InvalidArgument(wanted + (known.empty() ? " here: train one with s2v_train(table, column)"
                                                : ": name one of " + known));
}

}  // namespace

void ThrowDamaged(const std::string& table, int64_t key, const char* advice) {
  throw FormatError("database disk image is malformed: table " + table + ", key " +
                    std::to_string(key) + advice);
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

std::string ModelName::Text() const {
  return (schema.empty() || schema == "main" ? "" : schema + ".") + name;
}

std::vector<std::string> Schemas(sqlite3* db, const std::string& only) {
  std::vector<std::string> schemas;
  if (sqlite3_libversion_number() >= 3039000) {
    for (int i = 0; const char* name = sqlite3_db_name(db, i); i++) schemas.emplace_back(name);
  } else {
    Statement list(db, "SELECT name FROM pragma_database_list ORDER BY seq");
    while (list.Step()) schemas.emplace_back(list.Text(0));
  }
  std::erase_if(schemas, [&](const std::string& schema) {
    return !only.empty() && sqlite3_stricmp(schema.c_str(), only.c_str()) != 0;
  });
  return schemas;
}

bool HasModels(sqlite3* db, const std::string& schema) {
  if (!HasColumn(db, schema, "s2v_model", "checksum")) return false;
  if (HasColumn(db, schema, "s2v_model", "components")) {
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
      models.push_back(ReadHead(schema, select));
      try {
        models.back() = ReadInfo(models.back(), select);
      } catch (const FormatError& error) {
        models.back().error = error.what();
      }
    }
  }
  return models;
}

void DeleteModelRows(sqlite3* db, const std::string& schema, int64_t id) {
  // A damaged id has no keys, and may be another model's.
  for (const std::string_view table : kRowTables) {
    if (id < 1 || id > kMaxModelId) break;
    Execute(db, "DELETE FROM " + Qualified(schema, table) + " WHERE key BETWEEN ?1 AND ?2",
            RowKey(id, 0), RowKey(id, 0xffffffff));
  }
  Execute(db, "DELETE FROM " + Qualified(schema, "s2v_model") + " WHERE id = ?1", id);
}

namespace {

// Whose model or unfinished training a name means, the model first; nullopt: neither.
std::optional<ModelName> FindNamed(sqlite3* db, const ModelName& name) {
  OpenFiles files;
  if (const auto model = FindModel(db, name, &files)) {
    return ModelName{model->schema, ReadHead(model->schema, model->row).name};
  }
  for (const std::string& schema : Schemas(db, name.schema)) {
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
    const int64_t id = ReadHead(schema, found->row).id;
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
      vector_(info.shape.dimension) {}

void WordScan::Seek(uint64_t id) {
  select_.Reset();
  select_.Bind(1, RowKey(info_.id, id));
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
  info_ = ReadInfo(ReadHead(found->schema, found->row), found->row);
  snapshot_ = std::move(found->row);
  checksum_seed_ = ChecksumSeed(info_.hash, info_.id);
  word_block_bits_ = WordBlockBits(static_cast<uint64_t>(info_.words));
  ngram_block_shift_ =
      NgramBlockShift(static_cast<uint64_t>(info_.ngrams), info_.shape.bucket_count());
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

// number_of gives what the directory is ordered by, so that what is in one block, or on one page, is
// read at once.
template <typename Key, typename NumberOf, typename Load>
void ModelReader::LoadMissing(std::span<const Key> keys, Feature* features, NumberOf number_of,
                              Load load) {
  std::sort(missing_.begin(), missing_.end(),
            [&](uint32_t a, uint32_t b) { return number_of(keys[a]) < number_of(keys[b]); });
  for (size_t m = 0; m < missing_.size(); m++) {
    const uint32_t i = missing_[m];
    const bool again = m > 0 && keys[missing_[m - 1]] == keys[i];
    features[i] = again ? features[missing_[m - 1]] : load(keys[i]);
  }
}

void ModelReader::FindWords(std::span<const WordKey> words, Feature* features) {
  missing_.clear();
  cache_->FindWords(&view_, words, features, &missing_);
  const auto load = [&](const WordKey& key) {
    const StoredRow stored = LoadWord(key);
    return cache_->InsertWord(&view_, key, stored.vector, stored.frequency, stored.id);
  };
  LoadMissing(
      words, features, [](const WordKey& key) { return key.hash; }, load);
}

void ModelReader::FindNgrams(std::span<const uint64_t> buckets, Feature* features) {
  if (info_.ngrams == 0) {
    std::fill_n(features, buckets.size(), Feature{});
    return;
  }
  missing_.clear();
  cache_->FindNgrams(&view_, buckets, features, &missing_);
  const auto load = [&](uint64_t bucket) {
    const StoredRow stored = LoadNgram(bucket);
    return cache_->InsertNgram(&view_, bucket, stored.vector, stored.frequency);
  };
  LoadMissing(
      buckets, features, [](uint64_t bucket) { return bucket; }, load);
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
  if (!select_directory_.Find(key)) ThrowDamaged("s2v_directory", key);
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
    if (!select_word_.Find(key)) ThrowDamaged("s2v_word", key);
    const EncodedRow row = ReadRow(select_word_, kWordTable, info_, checksum_seed_, id);
    if (row.word == key_of_word.word) {
      return {row.vector.data(), Frequency(row.count), row.count, id};
    }
  }
  return {};
}

float ModelReader::LeastFrequency() {
  if (least_frequency_ == 0 && info_.words > 0) {
    WordScan rarest(db_, info_);
    rarest.Seek(static_cast<uint64_t>(info_.words) - 1);
    StoredWord word;
    if (rarest.Next(&word)) least_frequency_ = Frequency(word.count);
  }
  return least_frequency_;
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
  if (!select_ngram_.Find(key)) ThrowDamaged("s2v_ngram", key);
  const EncodedRow row = ReadRow(select_ngram_, kNgramTable, info_, checksum_seed_, bucket);
  return {row.vector.data(), Frequency(row.count), row.count};
}

}  // namespace s2v
