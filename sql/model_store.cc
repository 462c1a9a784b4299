#include "sql/model_store.h"

#include <algorithm>
#include <charconv>
#include <cstring>

#include "core/error.h"
#include "core/text/languages.h"
#include "sql/checkpoint_store.h"
#include "sql/json.h"
#include "sql/model_format.h"

namespace s2v {
namespace {

// Those of a model's rows, the first by FeatureScan::Kind, then the table of models.
constexpr std::string_view kModelTables[] = {"s2v_word", "s2v_ngram", "s2v_target", "s2v_directory",
                                             "s2v_model"};
// Without U: embedding does not need it, and a file may lack it.
constexpr std::string_view kReadTables[] = {"s2v_word", "s2v_ngram", "s2v_directory", "s2v_model"};

// The cache of one statement that shares none: small enough that its memory is taken as it fills.
constexpr uint64_t kUnsharedBytes = uint64_t{32} << 20;

std::string Qualified(const std::string& schema, std::string_view table) {
  return QuoteName(schema) + "." + std::string(table);
}

std::string SelectModels(const std::string& schema) {
  return std::string("SELECT id, name, is_default, ") + kCheckedColumns + ", checksum FROM " +
         Qualified(schema, "s2v_model") + " WHERE ";
}

// What is known of a model that cannot be read. REQUIRES, here and below: row has just stepped
// to a row of SelectModels.
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
    throw FormatError("model '" + info.name + "' needs format version " +
                      std::to_string(compatible) + "; this library reads up to version " +
                      std::to_string(kFormatVersion) + ": use a newer s2v");
  }
  in.Check();
  if (info.id < 1 || info.id > kMaxModelId) in.Throw();
  in.Int();  // the versions
  in.Int();
  info.has_forms = version >= kFormsVersion;
  info.has_bursts = version >= kBurstsVersion;
  info.shape.dimension = static_cast<uint32_t>(in.Int(1, 1 << 20));
  const std::string_view element = in.Text();
  info.element = element == ElementName(Element::kInt8) ? Element::kInt8 : Element::kFloat32;
  if (element != ElementName(info.element)) in.Throw();
  info.tokenizer = in.Text();
  const int64_t tokenizer_version = in.Int();
  info.shape.ngram_order = static_cast<uint32_t>(in.Int(1, 255));
  info.words = in.Int(0, 0xffffffff);
  info.ngrams = in.Int(compatible == kIdsVersion ? 1 : 0, 0xffffffff);
  if (compatible == kIdsVersion) info.shape.id_buckets = static_cast<uint64_t>(info.ngrams);
  info.shape.favours_opening = compatible >= kOpeningVersion;
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
  info.shape.tokenizer = FindTokenizer(info.tokenizer, tokenizer_version);
  if (info.shape.tokenizer == nullptr) {
    throw FormatError("model '" + info.name + "' needs tokenizer " + info.tokenizer + " version " +
                      std::to_string(tokenizer_version) + ", which this library lacks");
  }
  return info;
}

bool IsCount(FeatureScan::Kind kind, int64_t count) {
  if (kind == FeatureScan::kTargets) return true;  // they have none
  return kind == FeatureScan::kWords ? count >= 0 : count >= 1 && count <= UINT32_MAX;
}

// REQUIRES: row has just stepped to a row of SelectRows. seed: the model's ChecksumSeed.
StoredFeature ReadRow(const Statement& row, FeatureScan::Kind kind, const ModelInfo& info,
                      uint64_t seed) {
  StoredFeature read;
  read.index = static_cast<uint32_t>(row.Int(0) - RowKey(info.id, 0));
  read.count = row.Int(1);
  const std::string_view bytes = row.Blob(2);
  read.row = bytes.data();
  Checksum checksum(seed ^ read.index);
  checksum.Add(bytes);
  if (kind != FeatureScan::kTargets) checksum.Add(static_cast<uint64_t>(read.count));
  if (kind == FeatureScan::kWords) {
    read.word = row.Type(4) == SQLITE_BLOB ? row.Blob(4) : row.Text(4);
    checksum.Add(read.word);
    if (info.has_forms) read.form = row.Type(5) == SQLITE_BLOB ? row.Blob(5) : row.Text(5);
    if (info.has_bursts) {
      read.burst = static_cast<float>(row.Double(6));
      if (!(read.burst >= 1 && read.burst <= kMostBurst))
        ThrowDamaged(kModelTables[kind], row.Int(0));
      checksum.Add(&read.burst, sizeof(read.burst));
    }
  }
  const uint32_t dimension = info.shape.dimension;
  if (!IsCount(kind, read.count) || bytes.size() != RowBytes(info.element, dimension) ||
      checksum.Value() != row.Int(3) || !IsRow(info.element, bytes.data(), dimension)) {
    ThrowDamaged(kModelTables[kind], row.Int(0));
  }
  return read;
}

Statement SelectRows(sqlite3* db, FeatureScan::Kind kind, const ModelInfo& info,
                     const char* where) {
  constexpr const char* kColumns[] = {"count, vector, checksum, word", "count, vector, checksum",
                                      "0, vector, checksum"};
  const char* const newer = kind != FeatureScan::kWords ? ""
                            : info.has_bursts           ? ", form, burst"
                            : info.has_forms            ? ", form"
                                                        : "";
  return Statement(db, std::string("SELECT key, ") + kColumns[kind] + newer + " FROM " +
                           Qualified(info.schema, kModelTables[kind]) + " WHERE " + where);
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

// name: of a model that there is not; empty for the default model.
bool IsUnfinished(sqlite3* db, const ModelName& name) {
  const std::vector<Checkpoint> all = ListCheckpoints(db);
  return std::any_of(all.begin(), all.end(), [&](const Checkpoint& c) {
    return (name.name.empty() || c.name == name.name) &&
           (name.schema.empty() || sqlite3_stricmp(c.schema.c_str(), name.schema.c_str()) == 0);
  });
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
  if (IsUnfinished(db, name)) {
    throw InvalidArgument(wanted +
                          " yet: a training is unfinished; where it was stopped, s2v train "
                          "--resume goes on with it, or the option resume of s2v_train");
  }
  throw InvalidArgument(wanted + (known.empty() ? " here: train one with s2v_train(table, column)"
                                                : ": name one of " + known));
}

}  // namespace

void ThrowDamaged(std::string_view table, int64_t key, const char* advice) {
  throw FormatError("database disk image is malformed: table " + std::string(table) + ", key " +
                    std::to_string(key) + advice);
}

uint64_t ChecksumSeed(const std::string& hash, int64_t id) {
  uint64_t seed = 0;
  const char* const end = hash.data() + 16;
  if (hash.size() != 32 || std::from_chars(hash.data(), end, seed, 16).ptr != end) {
    ThrowDamaged("s2v_model", id);
  }
  return __builtin_bswap64(seed);  // the first digits are of the lowest byte
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

std::string OutgrownModel(const ModelInfo& info, uint64_t texts_now) {
  constexpr uint64_t kFactor = 2;  // chosen, not measured
  const auto texts = static_cast<uint64_t>(info.texts);
  if (texts == 0 || texts_now / kFactor < texts) return "";
  return "model '" + info.name + "' was trained from " + std::to_string(texts) +
         " texts, and there are " + std::to_string(texts_now) +
         " by now: one that is trained anew knows more";
}

bool HasModels(sqlite3* db, const std::string& schema, bool may_read) {
  const auto has_table = [&] { return HasColumn(db, schema, "s2v_model", "checksum"); };
  if (!has_table()) {
    // Another connection may have made the table since this one read the schema, and a statement
    // finds that out.
    if (!may_read) return false;
    SelectInt(db, "SELECT count(*) FROM " + QuoteName(schema) + ".sqlite_schema LIMIT 1");
    if (!has_table()) return false;
  }
  if (HasColumn(db, schema, "s2v_model", "components")) {
    throw FormatError("the models of database '" + schema +
                      "' have format version 1, which was before the first release: DROP TABLE "
                      "s2v_model, s2v_word, s2v_ngram, s2v_target, s2v_component and "
                      "s2v_directory, and train again");
  }
  return true;
}

bool IsModelThere(sqlite3* db, const ModelName& name) {
  OpenFiles files;
  return FindModel(db, name, &files).has_value();
}

std::string NameOfModel(sqlite3* db, const std::string& schema, const std::string& hash) {
  const ReadingGuard guard(db);
  if (!HasModels(db, schema)) return "";
  Statement find(db,
                 "SELECT name FROM " + Qualified(schema, "s2v_model") +
                     " WHERE name IS NOT NULL AND hash = ?1",
                 hash);
  return find.Step() ? std::string(find.Text(0)) : "";
}

std::vector<ModelInfo> ListModels(sqlite3* db) {
  const ReadingGuard guard(db);
  std::vector<ModelInfo> models;
  for (const std::string& schema : Schemas(db)) {
    Statement select;
    const auto add_unreadable = [&](const std::exception& error) {
      models.emplace_back().schema = schema;
      models.back().error = error.what();
    };
    try {
      if (!HasModels(db, schema)) continue;
      CheckRealTable(db, schema, "s2v_model");
      select = Statement(db, SelectModels(schema) + "name IS NOT NULL ORDER BY name");
    } catch (const FormatError& error) {
      add_unreadable(error);
      continue;
    } catch (const SqlError& error) {
      if (error.primary_code() != SQLITE_ERROR) throw;  // SQLITE_ERROR: it lacks a column
      add_unreadable(error);
      continue;
    }
    while (select.Step()) {
      models.push_back(ReadHead(schema, select));
      try {
        models.back() = ReadInfo(models.back(), select);
        for (const std::string* json : {&models.back().corpus, &models.back().parameters,
                                        &models.back().choices, &models.back().losses}) {
          if (JsonType(db, *json).empty()) ThrowDamaged("s2v_model", models.back().id);
        }
      } catch (const FormatError& error) {
        models.back().error = error.what();
      }
    }
  }
  return models;
}

void DeleteModelRows(sqlite3* db, const std::string& schema, int64_t id) {
  // A damaged id has no keys, and may be another model's.
  for (const std::string_view table : std::span(kModelTables).first<4>()) {
    if (id < 1 || id > kMaxModelId) break;
    Execute(db, "DELETE FROM " + Qualified(schema, table) + " WHERE key BETWEEN ?1 AND ?2",
            RowKey(id, 0), RowKey(id, 0xffffffff));
  }
  Execute(db, "DELETE FROM " + Qualified(schema, "s2v_model") + " WHERE id = ?1", id);
}

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

std::string_view WholeWord(const ModelInfo& info, const StoredFeature& word, Tokens* tokens) {
  if (word.form.empty()) return word.word;
  if (!MakesWord(*info.shape.tokenizer, word.form, word.word, tokens)) {
    ThrowDamaged("s2v_word", RowKey(info.id, word.index));
  }
  return word.form;
}

FeatureScan::FeatureScan(sqlite3* db, const ModelInfo& info, Kind kind)
    : db_(db),
      info_(info),
      kind_(kind),
      seed_(ChecksumSeed(info.hash, info.id)),
      select_(SelectRows(db, kind, info, "key BETWEEN ?1 AND ?2 ORDER BY key")),
      vector_(info.shape.dimension) {
  select_.Bind(2, RowKey(info.id, 0xffffffff));
  Seek(0);
}

void FeatureScan::Seek(uint64_t id) {
  select_.Reset();
  select_.Bind(1, RowKey(info_.id, id));
  next_ = id;
}

bool FeatureScan::Next(StoredFeature* feature) {
  const ReadingGuard guard(db_);
  const bool by_id = kind_ != kNgrams;
  const auto all = static_cast<uint64_t>(kind_ == kWords    ? info_.words
                                         : kind_ == kNgrams ? info_.ngrams
                                                            : info_.targets);
  const bool found = select_.Step();
  // Each id up to the last has a row, and as many buckets have one as there are n-grams.
  const int64_t expected = RowKey(info_.id, by_id ? std::min(next_, all) : 0);
  const int64_t key = found && !by_id ? select_.Int(0) : expected;
  const bool misplaced = by_id
                             ? found && select_.Int(0) != key
                             : static_cast<uint64_t>(key - expected) >= info_.shape.bucket_count();
  if (found != (next_ < all) || misplaced) ThrowDamaged(kModelTables[kind_], key);
  if (!found) return false;
  *feature = ReadRow(select_, kind_, info_, seed_);
  DecodeRow(info_.element, feature->row, info_.shape.dimension, vector_.data());
  feature->vector = vector_.data();
  next_++;
  return true;
}

ModelReader::ModelReader(sqlite3* db, const ModelName& name, OpenFiles* files) : db_(db) {
  OpenFiles own;
  std::optional<FoundModel> found = FindModel(db, name, files != nullptr ? files : &own);
  if (!found) ThrowNoModel(db, name);
  info_ = ReadInfo(ReadHead(found->schema, found->row), found->row);
  snapshot_ = std::move(found->row);
  checksum_seed_ = ChecksumSeed(info_.hash, info_.id);
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

// number_of gives what the directory is ordered by, so that what is in one block, or on one page,
// is read at once.
template <typename Key, typename NumberOf, typename Load>
void ModelReader::LoadMissing(std::span<const Key> keys, Feature* features, NumberOf number_of,
                              Load load) {
  std::sort(missing_.begin(), missing_.end(), [&](uint32_t a, uint32_t b) {
    return std::invoke(number_of, keys[a]) < std::invoke(number_of, keys[b]);
  });
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
    const StoredFeature word = LoadWord(key);
    return cache_->Insert(&view_, {key.hash, key.word, /*is_word=*/true, word.index, word.burst},
                          word.row, Frequency(word.count));
  };
  LoadMissing(words, features, &WordKey::hash, load);
}

void ModelReader::FindNgrams(std::span<const uint64_t> buckets, Feature* features) {
  if (info_.ngrams == 0) {
    std::fill_n(features, buckets.size(), Feature{});
    return;
  }
  missing_.clear();
  cache_->FindNgrams(&view_, buckets, features, &missing_);
  const auto load = [&](uint64_t bucket) {
    const StoredFeature ngram = LoadNgram(bucket);
    return cache_->Insert(&view_, {bucket}, ngram.row, Frequency(ngram.count));
  };
  LoadMissing(buckets, features, std::identity(), load);
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

StoredFeature ModelReader::LoadRow(FeatureScan::Kind kind, uint32_t index) {
  Statement& select = select_row_[kind];
  if (!select) select = SelectRows(db_, kind, info_, "key = ?1");
  const int64_t key = RowKey(info_.id, index);
  if (!select.Find(key)) ThrowDamaged(kModelTables[kind], key);
  return ReadRow(select, kind, info_, checksum_seed_);
}

StoredFeature ModelReader::LoadWord(const WordKey& key) {
  const ReadingGuard guard(db_);
  const int bits = WordBlockBits(static_cast<uint64_t>(info_.words));
  const std::string_view block =
      DirectoryBlock(static_cast<int64_t>(WordBlock(key.hash, bits)), kWordEntryBytes);
  for (size_t at = 0; at < block.size(); at += kWordEntryBytes) {
    uint32_t entry[2];  // low half of the hash, id
    std::memcpy(entry, block.data() + at, sizeof(entry));
    if (entry[0] != static_cast<uint32_t>(key.hash)) continue;
    const StoredFeature word = LoadRow(FeatureScan::kWords, entry[1]);
    if (word.word == key.word) return word;
  }
  return {};
}

StoredFeature ModelReader::LoadNgram(uint64_t bucket) {
  const ReadingGuard guard(db_);
  const int shift =
      NgramBlockShift(static_cast<uint64_t>(info_.ngrams), info_.shape.bucket_count());
  const std::string_view block =
      DirectoryBlock(kNgramBlocks + static_cast<int64_t>(bucket >> shift), kNgramEntryBytes);
  const auto entry = [&](size_t place) {
    uint32_t number;
    std::memcpy(&number, block.data() + place * kNgramEntryBytes, sizeof(number));
    return number;
  };
  size_t place = 0;
  for (size_t left = block.size() / kNgramEntryBytes; left > 0;) {
    const size_t half = left / 2;
    const bool behind = entry(place + half) < bucket;
    if (behind) place += half + 1;
    left = behind ? left - half - 1 : half;
  }
  if (place == block.size() / kNgramEntryBytes || entry(place) != bucket) return {};
  return LoadRow(FeatureScan::kNgrams, static_cast<uint32_t>(bucket));
}

float ModelReader::LeastFrequency() {
  if (least_frequency_ == 0 && info_.words > 0) {
    FeatureScan rarest(db_, info_);
    rarest.Seek(static_cast<uint64_t>(info_.words) - 1);
    StoredFeature word;
    if (rarest.Next(&word)) least_frequency_ = Frequency(word.count);
  }
  return least_frequency_;
}

}  // namespace s2v
