#include "sql/index_writer.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <future>
#include <map>
#include <memory>

#include "core/config.h"
#include "core/error.h"
#include "core/parallel.h"
#include "core/random.h"
#include "core/text/text_format.h"
#include "sql/index_limits.h"
#include "sql/index_pending.h"
#include "sql/index_terms.h"
#include "sql/model_store.h"
#include "sql/sentence_table.h"
#include "system/clock.h"

namespace s2v {
namespace {

using search::Block;
using search::CodeSpace;
using search::Lists;

constexpr size_t kBatchRows = 2000;
// A model beyond this is not held in memory to rebuild an index; one thread embeds then, row by row.
constexpr uint64_t kMostModelBytes = uint64_t{1} << 30;
constexpr int64_t kFewRows = 5000;  // for which no model is loaded either
// Of a sync without slices: rows between which what has changed is written, so that memory is bounded.
constexpr int64_t kSyncRows = 20000;
// A list with this many times max_rows() is split whatever time it takes.
constexpr uint64_t kMostOversize = 4;
constexpr int kManyPages = 100000;  // that FTS5 merges at once where time does not matter
// Memory in which FTS5 collects the words of rows, in bytes; the first is its own default.
constexpr int kHashBytes = 1 << 20, kRebuildHashBytes = 1 << 25;

int64_t RandomStamp() {
  int64_t stamp = 0;
  while (stamp == 0) sqlite3_randomness(sizeof(stamp), &stamp);
  return stamp;
}

// Runs a command of N_fts.
void ExecuteFts(sqlite3* db, const IndexDefinition& index, const char* command, int value = 0) {
  const std::string column = QuoteName(index.name + "_fts");
  Execute(db, "INSERT INTO " + index.Part("fts") + "(" + column + ", rank) VALUES(?1, ?2)",
          std::string_view(command), value);
}

// Merges some pages of FTS5's. False where there is nothing to merge: it says so by a count of changes.
bool MergeSome(sqlite3* db, const IndexDefinition& index, int pages) {
  const int before = sqlite3_total_changes(db);
  ExecuteFts(db, index, "merge", pages);
  return sqlite3_total_changes(db) - before > 1;
}

// Changes lists, those that memory has too, entries and words. What lists change to is in memory alone until Finish.
class Writer {
 public:
  // index: its members stamp and terms are kept in step. If work is given up before Finish, what memory had is forgotten.
  Writer(sqlite3* db, IndexDefinition* index, IndexMemory* memory)
      : db_(db),
        index_(index),
        memory_(memory),
        find_(db, "SELECT list, hash, terms FROM " + index->Part("entry") + " WHERE id = ?1"),
        put_(db, "REPLACE INTO " + index->Part("entry") + " VALUES(?1, ?2, ?3, ?4, ?5)"),
        delete_(db, "DELETE FROM " + index->Part("entry") + " WHERE id = ?1"),
        move_(db, "UPDATE " + index->Part("entry") + " SET list = ?2 WHERE id = ?1") {
    if (index->words) {
      cutter_.emplace(db, index->tokenize);
      terms_.emplace(db, index, &memory->terms);
    }
    if (index->dimension > 0) store_.emplace(db, *index, memory);
    memory->stamp = 0;
    if (!store_) return;
    lists().PrepareNearest();
    for (size_t at = 0; at < lists().size(); at++)
      next_id_ = std::max(next_id_, lists().id(at) + 1);
  }

  // REQUIRES: the index has a dimension.
  const CodeSpace& space() const { return *memory_->space; }
  Lists& lists() { return *memory_->lists; }
  const TermCutter* cutter() const { return cutter_ ? &*cutter_ : nullptr; }

  void AddList(std::span<const float> centre) {
    const int64_t id = next_id_++;
    lists().Set(id, 0, search::StoredCentre(space(), centre));
    changed_[id].is_new = true;
  }

  // The row as the table has it now. False where the index has it so.
  bool TakeIn(int64_t rowid, IndexSource* source) {
    const SourceRow* row = source->Row(rowid);
    const int64_t hash = row == nullptr ? 0 : row->Hash();
    if (find_.Find(rowid)) {
      if (row != nullptr && find_.Int(1) == hash) {
        find_.Reset();
        return false;
      }
      if (find_.Type(0) != SQLITE_NULL) Remove(rowid, find_.Int(0));
      if (terms_) Forget(rowid, find_.Blob(2));
      find_.Reset();
      if (row == nullptr) {
        delete_.Run(rowid);
        return true;
      }
    }
    if (row == nullptr) return false;
    NewEntry entry;
    entry.rowid = rowid;
    entry.hash = hash;
    if (cutter_) {
      row_terms_.Clear();
      for (size_t i = 0; i < row->columns.size(); i++) {
        cutter_->AddColumn(row->ColumnText(i), &row_terms_);
      }
      entry.terms = &row_terms_;
    }
    std::vector<float> x;
    if (const float* vector = store_ ? source->Vector(*row) : nullptr) {
      x.resize(space().width());
      space().Rotate(vector, x.data());
      if (lists().size() == 0) AddList(std::vector<float>(space().width()));
      entry.list = lists().Nearest(vector);
      entry.x = x.data();
      if (!index_->of_vectors) entry.vector = RowVectorBytes(rowid, vector, index_->dimension);
    }
    Add(entry);
    return true;
  }

  struct NewEntry {
    int64_t rowid = 0, hash = 0;
    std::optional<int64_t> list;      // where it has a vector
    const float* x = nullptr;         // [width] that vector, rotated
    std::string vector;               // as N_entry has it
    const RowTerms* terms = nullptr;  // where there are words
  };
  // REQUIRES: N_entry does not have the row.
  void Add(const NewEntry& entry) {
    if (entry.list) Append(*entry.list, entry.rowid, entry.x);
    std::optional<std::string> stored;
    if (terms_) stored = terms_->Put(entry.rowid, *entry.terms);
    put_.Run(entry.rowid, entry.list, entry.hash,
             stored ? std::optional(Blob{*stored}) : std::nullopt,
             entry.vector.empty() ? std::nullopt : std::optional(Blob{entry.vector}));
  }

  // Splits lists that grew too large, as far as there is time, and writes all that changed. The index has another
  // stamp then, under which memory has what is written.
  void Finish(double deadline) {
    if (store_) {
      SplitLarge(deadline);
      for (auto& [id, list] : changed_) Write(id, list);
      changed_.clear();
    }
    if (terms_) {
      const int pages = deadline < kForever ? kMergePages : kManyPages;
      while (MergeSome(db_, *index_, pages) && Seconds() < deadline) {
      }
    }
    index_->stamp = RandomStamp();
    StoreProgress(db_, *index_);
    if (store_) memory_->stamp = index_->stamp;
    if (terms_) memory_->terms.stamp = index_->stamp;
  }

 private:
  // Blocks that differ from the stored ones. All are full but the list's last.
  struct Changed {
    std::map<uint32_t, Block> blocks;
    bool is_new = false;         // its blocks are all made again: none that was there before counts
    uint32_t stored_blocks = 0;  // in N_block, of which those behind the last one are to be deleted
  };

  static uint32_t BlocksOf(uint64_t rows) {
    return static_cast<uint32_t>((rows + Block::kMaxRows - 1) / Block::kMaxRows);
  }
  uint64_t Rows(int64_t id) { return lists().rows(lists().Position(id)); }

  // To be changed.
  Block& Open(int64_t id, uint32_t number) {
    std::map<uint32_t, Block>& blocks = changed_[id].blocks;
    const auto found = blocks.find(number);
    if (found != blocks.end()) return found->second;
    return blocks.emplace(number, store_->ReadBlock(id, number)).first->second;
  }

  // Calls use with each number and block of a list until it says true.
  template <typename Use>
  void ForEachBlock(int64_t id, Use use) {
    const Changed& changed = changed_[id];
    const uint32_t count = BlocksOf(Rows(id));
    const std::vector<Block>* stored = changed.is_new ? nullptr : &store_->Blocks(id);
    std::optional<Block> read;
    for (uint32_t number = 0; number < count; number++) {
      const auto found = changed.blocks.find(number);
      const Block* block = nullptr;
      if (found != changed.blocks.end()) {
        block = &found->second;
      } else if (stored != nullptr && number < stored->size()) {
        block = &(*stored)[number];
      } else {
        block = &read.emplace(store_->ReadBlock(id, number));
      }
      if (use(number, *block)) return;
    }
  }

  const float* Centre(int64_t id) {
    if (const float* centre = lists().CentreOf(id)) return centre;
    throw FormatError("database disk image is malformed: " + index_->name + "_entry names list " +
                      std::to_string(id) + ", which is not there");
  }

  void Append(int64_t id, int64_t rowid, const float* x) {
    const float* centre = Centre(id);
    const uint64_t rows = Rows(id);
    const auto number = static_cast<uint32_t>(rows / Block::kMaxRows);
    Changed& list = changed_[id];
    if (rows % Block::kMaxRows == 0) list.blocks.emplace(number, Block(space()));
    Block& block = Open(id, number);
    block.Add(space(), rowid, x, centre);
    lists().SetRows(id, rows + 1);
    // Of a new list a full block is written at once: those of ten million rows would take most of a gigabyte.
    if (list.is_new && block.is_full()) {
      WriteBlock(id, number, block);
      list.stored_blocks = std::max(list.stored_blocks, number + 1);
      list.blocks.erase(number);
    }
  }

  void Remove(int64_t rowid, int64_t id) {
    Centre(id);
    std::optional<std::pair<uint32_t, uint32_t>> at;  // block, row
    ForEachBlock(id, [&](uint32_t number, const Block& block) {
      if (const auto row = block.Find(rowid)) at.emplace(number, *row);
      return at.has_value();
    });
    if (!at) {
      throw FormatError("database disk image is malformed: row " + std::to_string(rowid) +
                        " is not in list " + std::to_string(id) + " of " + index_->name);
    }
    const uint64_t rows = Rows(id);
    const uint32_t last = BlocksOf(rows) - 1;
    Block& block = Open(id, at->first);
    block.Replace(at->second, &Open(id, last));
    if (Open(id, last).rows() == 0) changed_[id].blocks.erase(last);
    lists().SetRows(id, rows - 1);
  }

  void Forget(int64_t rowid, std::string_view terms) {
    try {
      terms_->Delete(rowid, terms);
    } catch (const FormatError&) {
      ThrowDamaged(*index_, "entry", rowid);
    }
  }

  void SplitLarge(double deadline) {
    for (;;) {
      size_t largest = 0;
      for (size_t at = 1; at < lists().size(); at++) {
        if (lists().rows(at) > lists().rows(largest)) largest = at;
      }
      const uint64_t most = lists().max_rows();
      if (lists().size() == 0 || lists().rows(largest) <= most) return;
      const bool has_time = Seconds() + memory_->split_seconds < deadline;
      if (!has_time && lists().rows(largest) <= kMostOversize * most) return;
      const double began = Seconds();
      Split(lists().id(largest));
      memory_->split_seconds = Seconds() - began;
    }
  }

  void Split(int64_t id) {
    const size_t width = space().width();
    std::vector<int64_t> rowids, gone;
    std::vector<float> x, vector(index_->dimension);
    ForEachBlock(id, [&](uint32_t, const Block& block) {
      for (uint32_t row = 0; row < block.rows(); row++) {
        if (!store_->ReadVector(block.rowid(row), vector.data())) {
          gone.push_back(block.rowid(row));  // of an index of vectors: it went unseen
          continue;
        }
        rowids.push_back(block.rowid(row));
        x.resize(x.size() + width);
        space().Rotate(vector.data(), &x[x.size() - width]);
      }
      return false;
    });
    for (const int64_t rowid : gone) move_.Run(rowid, nullptr);  // keeps its words
    const int64_t other = next_id_++;
    Changed& list = changed_[id];
    list.blocks.clear();
    list.is_new = changed_[other].is_new = true;
    ForgetBlocks(id);
    lists().SetRows(id, 0);
    if (rowids.size() < 2) {
      lists().Set(other, 0, std::vector<float>(width));
      for (size_t i = 0; i < rowids.size(); i++) Append(id, rowids[i], &x[i * width]);
      return;
    }
    const search::TwoLists two =
        search::SplitInTwo(space(), x, index_->seed + static_cast<uint64_t>(id));
    lists().Set(id, 0, search::StoredCentre(space(), two.centres[0]));
    lists().Set(other, 0, search::StoredCentre(space(), two.centres[1]));
    for (size_t i = 0; i < rowids.size(); i++) {
      Append(two.side[i] == 0 ? id : other, rowids[i], &x[i * width]);
      if (two.side[i] != 0) move_.Run(rowids[i], other);
    }
  }

  void WriteBlock(int64_t id, uint32_t number, const Block& block) {
    if (!put_block_) {
      put_block_ = Statement(db_, "REPLACE INTO " + index_->Part("block") + " VALUES(?1, ?2)");
    }
    put_block_.Run(BlockKey(id, number), Blob{block.Bytes()});
  }

  void Write(int64_t id, const Changed& list) {
    if (!put_list_) {
      put_list_ =
          Statement(db_, "REPLACE INTO " + index_->Part("list") + " VALUES(?1, ?2, ?3, ?4, ?5)");
      cut_list_ =
          Statement(db_, "DELETE FROM " + index_->Part("block") + " WHERE key BETWEEN ?1 AND ?2");
    }
    for (const auto& [number, block] : list.blocks) WriteBlock(id, number, block);
    const uint64_t rows = Rows(id);
    IndexMemory::List& kept = memory_->by_id[id];
    const uint32_t stored = std::max(list.stored_blocks, BlocksOf(kept.rows));
    if (stored > BlocksOf(rows)) {
      cut_list_.Run(BlockKey(id, BlocksOf(rows)), BlockKey(id, stored));
    }
    const int64_t stamp = RandomStamp();
    const std::string centre = search::CentreBytes({Centre(id), space().width()});
    put_list_.Run(id, static_cast<int64_t>(rows), stamp, Blob{centre},
                  ListChecksum(*index_, id, static_cast<int64_t>(rows), stamp, centre));
    ForgetBlocks(id);
    kept.stamp = stamp;
    kept.rows = rows;
  }

  // What memory has of a list's blocks.
  void ForgetBlocks(int64_t id) {
    std::vector<Block>& blocks = memory_->by_id[id].blocks;
    for (const Block& block : blocks) memory_->bytes -= block.MemoryBytes();
    blocks.clear();
  }

  sqlite3* db_;
  IndexDefinition* index_;
  IndexMemory* memory_;
  std::optional<TermCutter> cutter_;
  std::optional<TermWriter> terms_;
  std::optional<IndexStore> store_;
  int64_t next_id_ = 1;
  std::map<int64_t, Changed> changed_;
  RowTerms row_terms_;
  Statement find_, put_, delete_, move_, put_block_, put_list_, cut_list_;
};

// ---- a whole table ----

using Batch = std::vector<SourceRow>;
// What is stored of one row.
struct EncodedRow {
  int64_t rowid = 0, hash = 0;
  std::optional<int64_t> list;  // where it has a vector
  std::string vector;           // as N_entry has it
  RowTerms terms;
};
struct EncodedBatch {
  std::vector<EncodedRow> rows;
  std::vector<float> x;  // [rows that have a vector, width] rotated
};

// From what a row holds to what the index stores. Called by several threads, unless it reads a model.
class IndexRowEncoder {
 public:
  IndexRowEncoder(sqlite3* db, const IndexDefinition& index, IndexSource* source, int64_t rows)
      : index_(index), source_(source) {
    if (index.of_vectors || rows < kFewRows) return;
    const ModelInfo& info = source->Model().info();
    const auto features = static_cast<uint64_t>(info.words + info.ngrams + info.targets);
    if (features * index.dimension * sizeof(float) > kMostModelBytes) return;
    model_ = LoadModel(db, {info.schema, info.name});
  }

  bool is_parallel() const { return index_.of_vectors || model_.has_value(); }

  // lists: nullptr where rows need not be assigned; cutter: nullptr where there are no words.
  EncodedBatch Encode(const Batch& batch, const CodeSpace& space, const Lists* lists,
                      const TermCutter* cutter) const {
    EncodedBatch encoded;
    std::vector<float> vector(index_.dimension);
    std::optional<ModelFeatures> features;
    std::optional<Embedder> embedder;
    if (model_) {
      features.emplace(*model_);
      embedder.emplace(source_->Model().info().shape, &*features, simd::BestKernels());
    }
    for (const SourceRow& row : batch) {
      EncodedRow& to = encoded.rows.emplace_back();
      to.rowid = row.rowid;
      to.hash = row.Hash();
      for (size_t i = 0; cutter != nullptr && i < row.columns.size(); i++) {
        cutter->AddColumn(row.ColumnText(i), &to.terms);
      }
      const float* found = vector.data();
      if (index_.of_vectors) {
        if (!UnitVector(row.vector, index_.dimension, vector.data())) continue;
      } else if (embedder) {
        if (!embedder->EmbedUnit(row.text, vector.data())) continue;
      } else {
        found = source_->Vector(row);
        if (found == nullptr) continue;
      }
      encoded.x.resize(encoded.x.size() + space.width());
      float* x = &encoded.x[encoded.x.size() - space.width()];
      space.Rotate(found, x);
      to.list = lists == nullptr ? 0 : lists->Nearest(found);
      if (!index_.of_vectors) to.vector = RowVectorBytes(row.rowid, found, index_.dimension);
    }
    return encoded;
  }

 private:
  const IndexDefinition& index_;
  IndexSource* source_;
  std::optional<Model> model_;
};

// Makes the centres of lists for a table of `rows` rows, from rows that are drawn at random.
void MakeLists(sqlite3* db, const IndexDefinition& index, const IndexRowEncoder& encoder,
               int64_t rows, Writer* writer) {
  std::vector<float> sample;
  const uint64_t wanted = search::SampleRows(static_cast<uint64_t>(rows), writer->space().width());
  const std::string id = QuoteName(index.rowid);
  if (wanted > 0) {
    const int64_t least = SelectInt(db, "SELECT min(" + id + ") FROM " + index.Source());
    const int64_t most = SelectInt(db, "SELECT max(" + id + ") FROM " + index.Source());
    Statement draw(db, SelectSource(index) + " WHERE " + id + " >= ?1 ORDER BY " + id + " LIMIT 1");
    Random random(index.seed);
    const size_t workers = encoder.is_parallel() ? WorkerCount(Config()) : 1;
    std::vector<Batch> batches(workers);
    for (uint64_t i = 0; i < wanted; i++) {
      const double span = static_cast<double>(most) - static_cast<double>(least);
      const double at =
          static_cast<double>(least) + span * (static_cast<double>(random.Next() >> 11) * 0x1p-53);
      const bool is_last = at >= static_cast<double>(most);
      if (draw.Find(is_last ? most : static_cast<int64_t>(at))) {
        ReadSourceRow(index, draw, &batches[i * workers / wanted].emplace_back());
      }
    }
    std::vector<EncodedBatch> encoded(workers);
    RunParallel(workers, workers, [&](size_t i) {
      encoded[i] = encoder.Encode(batches[i], writer->space(), nullptr, nullptr);
    });
    for (const EncodedBatch& part : encoded) sample.insert(sample.end(), part.x.begin(), part.x.end());
  }
  const size_t width = writer->space().width();
  const std::vector<float> centres =
      search::MakeCentres(writer->space(), sample, static_cast<uint64_t>(rows), index.seed);
  for (size_t at = 0; at < centres.size(); at += width) {
    writer->AddList(std::span(centres).subspan(at, width));
  }
}

// Encodes all rows of the table on all processors, and adds them in their order.
void EncodeTable(sqlite3* db, const IndexDefinition& index, IndexSource* source, int64_t rows,
                 Statement* table, Writer* writer, const IndexProgress& progress) {
  const IndexRowEncoder encoder(db, index, source, rows);
  MakeLists(db, index, encoder, rows, writer);
  const bool is_parallel =
      kHasThreads && encoder.is_parallel() && (!index.words || writer->cutter()->is_parallel());
  const size_t threads = is_parallel ? WorkerCount(Config()) : 0;
  writer->lists().PrepareNearest();
  const Lists lists = writer->lists();  // threads look at it while the writer's counts change
  std::deque<std::future<EncodedBatch>> running;
  const auto take_one = [&] {
    const EncodedBatch encoded = running.front().get();
    running.pop_front();
    const float* x = encoded.x.data();
    for (const EncodedRow& row : encoded.rows) {
      writer->Add({row.rowid, row.hash, row.list, x, row.vector, &row.terms});
      if (row.list) x += writer->space().width();
    }
  };
  uint64_t done = 0;
  for (bool has_more = true; has_more;) {
    Batch batch;
    while (batch.size() < kBatchRows && (has_more = table->Step())) {
      ReadSourceRow(index, *table, &batch.emplace_back());
    }
    if (batch.empty()) break;
    done += batch.size();
    // A cutter for each: made here, since it is FTS5 that makes it.
    std::shared_ptr<TermCutter> cutter;
    if (index.words) cutter = std::make_shared<TermCutter>(db, index.tokenize);
    running.push_back(std::async(threads > 0 ? std::launch::async : std::launch::deferred,
                                 [&, cutter, batch = std::move(batch)] {
                                   return encoder.Encode(batch, writer->space(), &lists,
                                                         cutter.get());
                                 }));
    while (running.size() > threads) take_one();
    if (progress) progress(done, static_cast<uint64_t>(rows));
  }
  while (!running.empty()) take_one();
}

// What waits in the log, oldest first.
struct Waiting {
  std::vector<int64_t> rows;  // of each entry
  int64_t last = 0;           // id of the last entry
  // Each row once.
  void SortRows() {
    std::sort(rows.begin(), rows.end());
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  }
};
Waiting ReadLog(sqlite3* db, const IndexDefinition& index, int64_t count) {
  Statement select(
      db, "SELECT id, row FROM " + index.Part("log") + " WHERE id > ?1 ORDER BY id LIMIT ?2",
      index.taken, count);
  Waiting waiting{{}, index.taken};
  while (select.Step()) {
    if (select.Int(0) != ++waiting.last) {
      throw FormatError("database disk image is malformed: " + index.name +
                        "_log lacks entries that were in it; " + RebuildHint(index));
    }
    waiting.rows.push_back(select.Int(1));
  }
  return waiting;
}

// Of the next count rows of the index, those that the table does not have, since REPLACE removed them unseen; and rows of
// the table between them that the index does not have.
std::vector<int64_t> Sweep(sqlite3* db, IndexDefinition* index, int64_t count) {
  const int64_t from = index->swept;
  const std::string id = QuoteName(index->rowid);
  Statement select(db,
                   "SELECT e.id, EXISTS (SELECT 1 FROM " + index->Source() + " AS t WHERE t." +
                       QuoteName(index->rowid) + " = e.id) FROM " + index->Part("entry") +
                       " AS e WHERE e.id > ?1 ORDER BY e.id LIMIT ?2",
                   index->swept, count);
  std::vector<int64_t> found;
  for (; select.Step(); count--) {
    index->swept = select.Int(0);
    if (select.Int(1) == 0) found.push_back(select.Int(0));
  }
  Statement unknown(db,
                    "SELECT t." + id + " FROM " + index->Source() + " AS t WHERE t." + id +
                        " BETWEEN ?1 AND ?2 AND NOT EXISTS (SELECT 1 FROM " + index->Part("entry") +
                        " AS e WHERE e.id = t." + id + ") LIMIT ?3",
                    from, index->swept, kMostUnknownRows);
  while (unknown.Step()) found.push_back(unknown.Int(0));
  if (count > 0) index->swept = INT64_MIN;  // the end: again from the beginning
  return found;
}

// Where that is left to us: words are cut by the model's tokenizer, as meaning is; where that is of no language, or there is
// no model, by one for the texts. REQUIRES: no row has words yet.
void ChooseTokenize(sqlite3* db, IndexDefinition* index, IndexSource* source) {
  if (!index->words || !index->tokenize.starts_with(kAutomatic)) return;
  const bool has_model = !index->of_vectors && index->dimension > 0;
  std::string profile = has_model ? source->Model().info().tokenizer : "";
  const std::string_view plain = SplitProfileName(profile).profile;
  if (plain != "english" && FindLanguageTokenizer(plain) == nullptr) {
    profile = GuessTexts(db, index->schema + "." + index->table, index->TextColumns()[0], "").tokenizer;
  }
  index->tokenize = AutomaticTokenize(profile);
}

}  // namespace

void CheckModel(const IndexDefinition& index, IndexSource* source) {
  if (index.of_vectors || index.model_hash.empty()) return;
  const ModelInfo& info = source->Model().info();
  if (info.hash == index.model_hash) return;
  throw InvalidArgument("'" + index.name + "' was made with a model that is gone; '" + info.name +
                        "' is another; " + RebuildHint(index));
}

std::string WhyWordsAlone(const IndexDefinition& index, IndexSource* source) {
  std::string next = RebuildHint(index);
  try {
    source->Model();
  } catch (const InvalidArgument& error) {
    next = error.what();
  }
  return "'" + index.name + "' was made before there was a model" +
         (index.words ? ", and answers by words alone; " : "; ") + next;
}

void SweepAll(sqlite3* db, const IndexDefinition& given) {
  IndexDefinition index = given;
  index.swept = INT64_MIN;
  do {
    LogRows(db, index, Sweep(db, &index, kSyncRows));
  } while (index.swept != INT64_MIN);
}

void LogRows(sqlite3* db, const IndexDefinition& index, std::span<const int64_t> rows) {
  Statement insert(db, "INSERT INTO " + index.Part("log") + "(row) VALUES(?1)");
  for (const int64_t row : rows) insert.Run(row);
}

SliceRows SyncSlice(sqlite3* db, const IndexDefinition& given, IndexMemory* memory,
                    double deadline) {
  IndexDefinition index = given;
  const double began = Seconds();
  const bool is_timed = deadline < kForever;
  const double row_deadline = is_timed ? began + kSliceRowShare * (deadline - began) : kForever;
  Waiting waiting = ReadLog(db, index, is_timed ? kSliceRows : kSyncRows);
  SliceRows done;
  if (waiting.rows.empty()) return done;
  IndexSource source(db, index, &memory->files);
  CheckModel(index, &source);
  if (index.of_vectors && index.dimension == 0) {
    index.dimension = source.Dimension();
    if (index.terms == 0) ChooseTokenize(db, &index, &source);
    StoreVectorKind(db, index);
  }
  // Taken in, the last rows would hide that the others have new rowids.
  if (!HasIntegerKey(db, index)) PendingRows(db, index, memory, &source).UnknownLastRows();
  Writer writer(db, &index, memory);
  Statement forget(db, "DELETE FROM " + index.Part("log") + " WHERE id < ?1");
  do {
    if (!is_timed) waiting.SortRows();
    size_t at = 0;
    do {
      done.taken_in += writer.TakeIn(waiting.rows[at++], &source) ? 1 : 0;
    } while (at < waiting.rows.size() && Seconds() < row_deadline);
    const bool are_all = at == waiting.rows.size();
    // In the order of the log, so that what is not done stays where it is: written again it would be among the newest.
    index.taken = are_all ? waiting.last : index.taken + static_cast<int64_t>(at);
    LogRows(db, index, Sweep(db, &index, kSweptRows * static_cast<int64_t>(at)));
    done.looked_at += at;
    forget.Run(index.taken);
    if (!is_timed || !are_all) break;
    waiting = ReadLog(db, index, kSliceRows);
  } while (!waiting.rows.empty());
  writer.Finish(deadline);
  return done;
}

void SyncIndex(sqlite3* db, const IndexDefinition& given, IndexMemory* memory,
               const IndexProgress& progress) {
  const int64_t end = SelectInt(db, "SELECT max(id) FROM " + given.Part("log"));
  IndexDefinition index = given;
  while (SyncSlice(db, index, memory, kForever).looked_at > 0) {
    index = ReadIndexDefinition(db, given.schema, given.name);
    if (progress) {
      progress(static_cast<uint64_t>(index.taken - given.taken),
               static_cast<uint64_t>(end - given.taken));
    }
  }
}

uint64_t SyncInSlices(sqlite3* db, const std::string& schema, const std::string& name,
                      IndexMemory* memory, const IndexProgress& progress) {
  const bool in_transaction = sqlite3_get_autocommit(db) == 0;
  const KeepWaiting keep_waiting = WaitUpTo(kSyncWaitSeconds, kSyncPollMilliseconds);
  SliceRows done;
  uint64_t total = 0;
  for (;;) {
    SliceRows slice;
    try {
      Savepoint savepoint(db);
      // The lock first, so that what is read is not older than it.
      Execute(db, "DELETE FROM " + QuoteName(schema) + "." + QuoteName(name + "_log") + " WHERE 0");
      const IndexDefinition index = OpenIndex(db, schema, name, memory);
      if (total == 0) {
        total = static_cast<uint64_t>(SelectInt(
            db, "SELECT count(*) FROM " + index.Part("log") + " WHERE id > ?1", index.taken));
      }
      slice = SyncSlice(db, index, memory, Seconds() + kSliceSeconds);
      savepoint.Release();
    } catch (const SqlError& error) {
      if (error.primary_code() != SQLITE_BUSY || in_transaction || !keep_waiting()) throw;
      continue;
    }
    done.looked_at += slice.looked_at;
    done.taken_in += slice.taken_in;
    if (progress) progress(std::min(done.looked_at, total), total);
    // What the sweep finds comes behind what others wrote meanwhile: up to twice as many are done.
    if (slice.looked_at == 0 || done.looked_at >= 2 * total) return done.taken_in;
    if (!in_transaction) sqlite3_sleep(static_cast<int>(kSliceRestSeconds * 1e3));
  }
}

void RebuildIndex(sqlite3* db, const IndexDefinition& given, IndexMemory* memory,
                  const IndexProgress& progress) {
  IndexDefinition index = given;
  memory->stamp = 0;
  if (index.version < kIndexVersion || !FindChangedTrigger(db, index).empty()) {
    RemakeIndexObjects(db, &index);
  }
  for (const char* part : {"list", "block", "entry", "log"})
    Execute(db, "DELETE FROM " + index.Part(part));
  if (index.words) {
    Execute(db, "DELETE FROM " + index.Part("term"));
    Execute(db, "INSERT INTO " + index.Part("fts") + "(" + QuoteName(index.name + "_fts") +
                    ") VALUES('delete-all')");
  }
  // No id that a log begins with by itself.
  index.taken = static_cast<int64_t>(index.seed % (uint64_t{1} << 40)) + 1000;
  index.terms = index.swept = 0;
  Execute(db, "INSERT INTO " + index.Part("log") + " VALUES(?1, 0)", index.taken);
  index.dimension = 0;  // of vectors: that of the first one now
  IndexSource source(db, index);
  const int64_t rows = SelectInt(db, "SELECT count(*) FROM " + index.Source());
  try {
    index.dimension = source.Dimension();
    if (!index.of_vectors) index.model_hash = source.Model().info().hash;
  } catch (const InvalidArgument&) {
    if (!given.AwaitsModel() && (rows > 0 || !given.model_hash.empty())) throw;
  }
  index.stamp = RandomStamp();
  ChooseTokenize(db, &index, &source);
  StoreVectorKind(db, index);
  StoreProgress(db, index);
  if (rows == 0) return;
  Writer writer(db, &index, memory);
  Statement table(db, SelectSource(index) + " ORDER BY " + QuoteName(index.rowid));
  if (index.words) ExecuteFts(db, index, "hashsize", kRebuildHashBytes);
  if (index.dimension == 0) {  // there are words at most
    while (table.Step()) writer.TakeIn(table.Int(0), &source);
  } else {
    EncodeTable(db, index, &source, rows, &table, &writer, progress);
  }
  writer.Finish(kForever);
  if (index.words) ExecuteFts(db, index, "hashsize", kHashBytes);
}

}  // namespace s2v
