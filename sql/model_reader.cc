#include "sql/model_reader.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "sql/model_format.h"

namespace s2v {
namespace {

// By FeatureScan::Kind.
constexpr std::string_view kRowTables[] = {"s2v_word", "s2v_ngram", "s2v_target"};

// The cache of one statement that shares none: small enough that its memory is taken as it fills.
constexpr uint64_t kUnsharedBytes = uint64_t{32} << 20;

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
        ThrowDamaged(kRowTables[kind], row.Int(0));
      checksum.Add(&read.burst, sizeof(read.burst));
    }
  }
  const uint32_t dimension = info.shape.dimension;
  if (!IsCount(kind, read.count) || bytes.size() != RowBytes(info.element, dimension) ||
      checksum.Value() != row.Int(3) || !IsRow(info.element, bytes.data(), dimension)) {
    ThrowDamaged(kRowTables[kind], row.Int(0));
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
                           QuoteName(info.schema) + "." + std::string(kRowTables[kind]) +
                           " WHERE " + where);
}

}  // namespace

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
  if (found != (next_ < all) || misplaced) ThrowDamaged(kRowTables[kind_], key);
  if (!found) return false;
  *feature = ReadRow(select_, kind_, info_, seed_);
  DecodeRow(info_.element, feature->row, info_.shape.dimension, vector_.data());
  feature->vector = vector_.data();
  next_++;
  return true;
}

ModelReader::ModelReader(sqlite3* db, const ModelName& name, OpenFiles* files) : db_(db) {
  OpenFiles own;
  OpenedModel opened = OpenStoredModel(db, name, files != nullptr ? files : &own);
  info_ = std::move(opened.info);
  snapshot_ = std::move(opened.row);
  checksum_seed_ = ChecksumSeed(info_.hash, info_.id);
  const size_t row_bytes = RowBytes(info_.element, info_.shape.dimension);
  if (files != nullptr && opened.reading.file != 0) {
    // The hash comes from a file that may lie about it: rows of another length, or those of a file
    // that a backup overwrote, which changes the schema's version, must not be found.
    cache_ = RowCache::For(opened.reading.file,
                           info_.hash + "/" + std::string(ElementName(info_.element)) + "/" +
                               std::to_string(info_.shape.dimension) + "/" +
                               std::to_string(opened.reading.schema_version),
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
    select_directory_ = Statement(db_, "SELECT entries, checksum FROM " + QuoteName(info_.schema) +
                                           ".s2v_directory" + " WHERE key = ?1");
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
  if (!select.Find(key)) ThrowDamaged(kRowTables[kind], key);
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
