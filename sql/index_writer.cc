#include "sql/index_writer.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <future>
#include <map>
#include <thread>

#include "core/error.h"
#include "core/random.h"
#include "sql/model_store.h"

namespace s2v {
namespace {

using search::Block;
using search::CodeSpace;
using search::Lists;

constexpr size_t kBatchRows = 2000;
// A model beyond this is not held in memory to rebuild an index; one thread embeds then, row by row.
constexpr uint64_t kMostModelBytes = uint64_t{1} << 30;
constexpr int64_t kFewRows = 5000;  // for which no model is loaded either

int64_t RandomStamp() {
  int64_t stamp = 0;
  while (stamp == 0) sqlite3_randomness(sizeof(stamp), &stamp);
  return stamp;
}

// Lists that are being changed, all in memory until Finish.
class Writer {
 public:
  Writer(sqlite3* db, const IndexDefinition& index, IndexMemory* memory)
      : db_(db),
        index_(index),
        store_(db, index, memory),
        space_(store_.space()),
        lists_(store_.lists()),
        find_(db, "SELECT list FROM " + index.Part("row") + " WHERE id = ?1"),
        put_(db, "REPLACE INTO " + index.Part("row") + " VALUES(?1, ?2, ?3)"),
        delete_(db, "DELETE FROM " + index.Part("row") + " WHERE id = ?1"),
        move_(db, "UPDATE " + index.Part("row") + " SET list = ?2 WHERE id = ?1") {
    for (size_t at = 0; at < lists_.size(); at++) next_id_ = std::max(next_id_, lists_.id(at) + 1);
  }

  const CodeSpace& space() const { return space_; }
  const Lists& lists() const { return lists_; }

  void AddList(std::span<const float> centre) {
    const int64_t id = next_id_++;
    lists_.Set(id, 0, centre);
    changed_.try_emplace(id);
  }

  // The row's vector is now this one, of length 1; nullptr: it has none.
  void Set(int64_t rowid, const float* vector) {
    const bool was_there = find_.Find(rowid);
    const int64_t list = was_there ? find_.Int(0) : 0;
    find_.Reset();
    if (was_there) Remove(rowid, list);
    if (vector != nullptr) {
      std::vector<float> x(space_.width());
      space_.Rotate(vector, x.data());
      if (lists_.size() == 0) AddList(std::vector<float>(space_.width()));
      Add(rowid, lists_.Nearest(x.data()), x.data(),
          index_.of_vectors ? std::string() : RowVectorBytes(rowid, vector, index_.dimension));
    } else if (was_there) {
      delete_.Run(rowid);
    }
  }

  // x: rotated. bytes: of N_row.
  void Add(int64_t rowid, int64_t list, const float* x, const std::string& bytes) {
    Append(list, rowid, x);
    put_.Run(rowid, list, bytes.empty() ? std::nullopt : std::optional(Blob{bytes}));
  }

  // Splits what grew too large, and writes all. The index has another stamp then.
  void Finish() {
    std::vector<int64_t> ids;
    for (const auto& [id, list] : changed_) ids.push_back(id);
    while (!ids.empty()) {
      const int64_t id = ids.back();
      ids.pop_back();
      if (Rows(id) <= Lists::kMaxRows) continue;
      ids.push_back(Split(id));
      ids.push_back(id);
    }
    for (auto& [id, list] : changed_) Write(id, list);
    StoreStamp(db_, index_, RandomStamp());
  }

 private:
  struct Changed {
    std::vector<Block> blocks;
    std::vector<bool> is_dirty;  // [blocks]
    size_t stored_blocks = 0;
  };

  Changed& Open(int64_t id) {
    const auto [at, is_new] = changed_.try_emplace(id);
    if (is_new) {
      at->second.blocks = store_.Blocks(id);
      at->second.is_dirty.resize(at->second.blocks.size());
      at->second.stored_blocks = at->second.blocks.size();
    }
    return at->second;
  }

  uint64_t Rows(int64_t id) {
    const std::vector<Block>& blocks = Open(id).blocks;
    return blocks.empty() ? 0 : (blocks.size() - 1) * Block::kMaxRows + blocks.back().rows();
  }

  const float* Centre(int64_t id) {
    if (const float* centre = lists_.CentreOf(id)) return centre;
    throw FormatError("database disk image is malformed: " + index_.name + "_row names list " +
                      std::to_string(id) + ", which is not there");
  }

  void Append(int64_t id, int64_t rowid, const float* x) {
    Changed& list = Open(id);
    if (list.blocks.empty() || list.blocks.back().is_full()) {
      list.blocks.emplace_back(space_);
      list.is_dirty.push_back(true);
    }
    list.blocks.back().Add(space_, rowid, x, Centre(id));
    list.is_dirty.back() = true;
  }

  void Remove(int64_t rowid, int64_t id) {
    Centre(id);
    Changed& list = Open(id);
    for (size_t i = 0; i < list.blocks.size(); i++) {
      const auto row = list.blocks[i].Find(rowid);
      if (!row) continue;
      list.blocks[i].Replace(*row, &list.blocks.back());
      list.is_dirty[i] = true;
      list.is_dirty.back() = true;
      if (list.blocks.back().rows() == 0) {
        list.blocks.pop_back();
        list.is_dirty.pop_back();
      }
      return;
    }
    throw FormatError("database disk image is malformed: row " + std::to_string(rowid) +
                      " is not in list " + std::to_string(id) + " of " + index_.name);
  }

  // The id of the list that half of the rows now have.
  int64_t Split(int64_t id) {
    const size_t width = space_.width();
    std::vector<int64_t> rowids;
    std::vector<float> x, vector(index_.dimension);
    for (const Block& block : Open(id).blocks) {
      for (uint32_t row = 0; row < block.rows(); row++) {
        if (!store_.ReadVector(block.rowid(row), vector.data())) {
          delete_.Run(block.rowid(row));  // it went without a word in the log
          continue;
        }
        rowids.push_back(block.rowid(row));
        x.resize(x.size() + width);
        space_.Rotate(vector.data(), &x[x.size() - width]);
      }
    }
    Changed& list = Open(id);
    list.blocks.clear();
    list.is_dirty.clear();
    const int64_t other = next_id_++;
    changed_.try_emplace(other);
    if (rowids.size() < 2) {
      lists_.Set(other, 0, std::vector<float>(width));
      for (size_t i = 0; i < rowids.size(); i++) Append(id, rowids[i], &x[i * width]);
      return other;
    }
    const search::TwoLists two =
        search::SplitInTwo(space_, x, index_.seed + static_cast<uint64_t>(id));
    lists_.Set(id, 0, two.centres[0]);
    lists_.Set(other, 0, two.centres[1]);
    for (size_t i = 0; i < rowids.size(); i++) {
      Append(two.side[i] == 0 ? id : other, rowids[i], &x[i * width]);
      if (two.side[i] != 0) move_.Run(rowids[i], other);
    }
    return other;
  }

  void Write(int64_t id, const Changed& list) {
    Statement put(db_, "REPLACE INTO " + index_.Part("block") + " VALUES(?1, ?2)");
    for (size_t i = 0; i < list.blocks.size(); i++) {
      if (!list.is_dirty[i]) continue;
      const std::string bytes = list.blocks[i].Bytes();
      put.Run(BlockKey(id, i), Blob{bytes});
    }
    if (list.stored_blocks > list.blocks.size()) {
      Execute(db_, "DELETE FROM " + index_.Part("block") + " WHERE key BETWEEN ?1 AND ?2",
              BlockKey(id, list.blocks.size()), BlockKey(id, list.stored_blocks));
    }
    const auto rows = static_cast<int64_t>(Rows(id));
    const int64_t stamp = RandomStamp();
    const std::string centre = search::CentreBytes({Centre(id), space_.width()});
    Execute(db_, "REPLACE INTO " + index_.Part("list") + " VALUES(?1, ?2, ?3, ?4, ?5)", id, rows,
            stamp, Blob{centre}, ListChecksum(index_, id, rows, stamp, centre));
  }

  sqlite3* db_;
  const IndexDefinition& index_;
  IndexStore store_;
  const CodeSpace& space_;
  Lists lists_;  // a copy, which changes
  int64_t next_id_ = 1;
  std::map<int64_t, Changed> changed_;
  Statement find_, put_, delete_, move_;
};

// ---- a whole table ----

struct Batch {
  std::vector<int64_t> rowids;
  std::vector<std::string> values;  // texts or vectors' bytes
};
struct EncodedBatch {
  std::vector<int64_t> rowids;      // of rows that have a vector
  std::vector<float> x;             // [rows, width] rotated
  std::vector<int64_t> lists;       // [rows]; empty where no lists were given
  std::vector<std::string> stored;  // [rows] of N_row, for texts
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

  // lists: nullptr where rows need not be assigned.
  EncodedBatch Encode(const Batch& batch, const CodeSpace& space, const Lists* lists) const {
    EncodedBatch encoded;
    std::vector<float> vector(index_.dimension);
    std::optional<ModelFeatures> features;
    std::optional<Embedder> embedder;
    if (model_) {
      features.emplace(*model_);
      embedder.emplace(source_->Model().info().shape, &*features, simd::BestKernels());
    }
    for (size_t i = 0; i < batch.rowids.size(); i++) {
      const float* found = vector.data();
      if (index_.of_vectors) {
        if (!UnitVector(batch.values[i], index_.dimension, vector.data())) continue;
      } else if (embedder) {
        if (!embedder->EmbedUnit(batch.values[i], vector.data())) continue;
      } else {
        found = source_->Embed(batch.values[i]);
        if (found == nullptr) continue;
      }
      encoded.rowids.push_back(batch.rowids[i]);
      encoded.x.resize(encoded.x.size() + space.width());
      float* x = &encoded.x[encoded.x.size() - space.width()];
      space.Rotate(found, x);
      if (lists != nullptr) encoded.lists.push_back(lists->Nearest(x));
      encoded.stored.push_back(index_.of_vectors
                                   ? std::string()
                                   : RowVectorBytes(batch.rowids[i], found, index_.dimension));
    }
    return encoded;
  }

 private:
  const IndexDefinition& index_;
  IndexSource* source_;
  std::optional<Model> model_;
};

// Appends the row of SelectSource that the statement has stepped to.
void Take(const IndexDefinition& index, const Statement& row, Batch* batch) {
  batch->rowids.push_back(row.Int(0));
  ReadSourceRow(index, row, &batch->values.emplace_back());
}

// Makes the centres of lists for a table of `rows` rows, from rows that are drawn at random.
void MakeLists(sqlite3* db, const IndexDefinition& index, const IndexRowEncoder& encoder,
               int64_t rows, Writer* writer) {
  std::vector<float> sample;
  const uint64_t wanted = search::SampleRows(static_cast<uint64_t>(rows));
  const std::string id = QuoteName(index.rowid);
  if (wanted > 0) {
    const int64_t least = SelectInt(db, "SELECT min(" + id + ") FROM " + index.Source());
    const int64_t most = SelectInt(db, "SELECT max(" + id + ") FROM " + index.Source());
    Statement draw(db, SelectSource(index) + " WHERE " + id + " >= ?1 ORDER BY " + id + " LIMIT 1");
    Random random(index.seed);
    Batch batch;
    for (uint64_t i = 0; i < wanted; i++) {
      const double span = static_cast<double>(most) - static_cast<double>(least);
      const double at =
          static_cast<double>(least) + span * (static_cast<double>(random.Next() >> 11) * 0x1p-53);
      const bool is_last = at >= static_cast<double>(most);
      if (draw.Find(is_last ? most : static_cast<int64_t>(at))) Take(index, draw, &batch);
    }
    sample = encoder.Encode(batch, writer->space(), nullptr).x;
  }
  const size_t width = writer->space().width();
  const std::vector<float> centres =
      search::MakeCentres(writer->space(), sample, static_cast<uint64_t>(rows), index.seed);
  for (size_t at = 0; at < centres.size(); at += width) {
    writer->AddList(std::span(centres).subspan(at, width));
  }
}

void RebuildWords(sqlite3* db, const IndexDefinition& index, int64_t first, int64_t last) {
  const std::string id = QuoteName(index.rowid);
  Execute(db,
          "INSERT INTO " + index.Part("words") + "(rowid, " + index.WordColumns() + ") SELECT " +
              id + ", " + index.Texts() + " FROM " + index.Source() + " WHERE " + id +
              " BETWEEN ?1 AND ?2",
          first, last);
}

}  // namespace

void CheckModel(const IndexDefinition& index, IndexSource* source) {
  if (index.of_vectors || index.model_hash.empty()) return;
  const ModelInfo& info = source->Model().info();
  if (info.hash == index.model_hash) return;
  throw InvalidArgument("'" + index.name + "' was made with a model that is gone; '" + info.name +
                        "' is another. Make the index anew: INSERT INTO " + QuoteName(index.name) +
                        "(" + QuoteName(index.name) + ") VALUES('rebuild')");
}

void SyncIndex(sqlite3* db, const IndexDefinition& given, IndexMemory* memory) {
  const int64_t last = SelectInt(db, "SELECT max(id) FROM " + given.Part("log"));
  if (last == 0) return;
  IndexDefinition index = given;
  IndexSource source(db, index);
  CheckModel(index, &source);
  if (index.dimension == 0) {
    index.dimension = source.Dimension();
    if (!index.of_vectors) index.model_hash = source.Model().info().hash;
    StoreVectorKind(db, index);
  }
  if (index.dimension > 0) {
    Writer writer(db, index, memory);
    Statement rows(
        db, "SELECT DISTINCT row FROM " + index.Part("log") + " WHERE id <= ?1 ORDER BY row", last);
    while (rows.Step()) writer.Set(rows.Int(0), source.Vector(rows.Int(0)));
    writer.Finish();
  }
  Execute(db, "DELETE FROM " + index.Part("log") + " WHERE id <= ?1", last);
}

void RebuildIndex(sqlite3* db, const IndexDefinition& given, IndexMemory* memory,
                  const IndexProgress& progress) {
  IndexDefinition index = given;
  if (!KnowsUniqueIndexes(db, index)) RemakeTriggers(db, index);
  for (const char* part : {"list", "block", "row", "log"})
    Execute(db, "DELETE FROM " + index.Part(part));
  if (index.words) {
    Execute(db, "INSERT INTO " + index.Part("words") + "(" + QuoteName(index.name + "_words") +
                    ") VALUES('delete-all')");
  }
  index.dimension = 0;  // of vectors: that of the first one now
  IndexSource source(db, index);
  index.dimension = source.Dimension();
  index.stamp = 0;
  memory->stamp = 0;
  if (!index.of_vectors) index.model_hash = source.Model().info().hash;
  StoreVectorKind(db, index);
  const int64_t rows = SelectInt(db, "SELECT count(*) FROM " + index.Source());
  if (rows == 0 || index.dimension == 0) {
    StoreStamp(db, index, RandomStamp());
    if (index.words) RebuildWords(db, index, INT64_MIN, INT64_MAX);
    return;
  }
  const IndexRowEncoder encoder(db, index, &source, rows);
  Writer writer(db, index, memory);
  MakeLists(db, index, encoder, rows, &writer);
  const size_t threads =
      encoder.is_parallel() ? std::max(1u, std::thread::hardware_concurrency()) : 0;
  Statement table(db, SelectSource(index) + " ORDER BY " + QuoteName(index.rowid));
  const Lists lists = writer.lists();  // threads look at it while the writer's counts change
  std::deque<std::future<EncodedBatch>> running;
  uint64_t done = 0;
  const auto take_one = [&] {
    const EncodedBatch encoded = running.front().get();
    running.pop_front();
    for (size_t i = 0; i < encoded.rowids.size(); i++) {
      writer.Add(encoded.rowids[i], encoded.lists[i], &encoded.x[i * writer.space().width()],
                 encoded.stored[i]);
    }
  };
  for (bool has_more = true; has_more;) {
    Batch batch;
    while (batch.rowids.size() < kBatchRows && (has_more = table.Step())) {
      Take(index, table, &batch);
    }
    if (batch.rowids.empty()) break;
    const int64_t first = batch.rowids.front(), last = batch.rowids.back();
    done += batch.rowids.size();
    running.push_back(std::async(
        threads > 0 ? std::launch::async : std::launch::deferred,
        [&, batch = std::move(batch)] { return encoder.Encode(batch, writer.space(), &lists); }));
    if (index.words) RebuildWords(db, index, first, last);
    while (running.size() > threads) take_one();
    if (progress) progress(done, static_cast<uint64_t>(rows));
  }
  while (!running.empty()) take_one();
  writer.Finish();
}

}  // namespace s2v
