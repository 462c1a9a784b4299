#include "sql/index_store.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <unordered_set>
#include <utility>

#include "core/embed/embedder.h"
#include "core/error.h"
#include "core/model/element.h"
#include "sql/index_limits.h"
#include "sql/index_source_row.h"
#include "sql/model_format.h"
#include "sql/shared_reads.h"

namespace s2v {
namespace {

constexpr int64_t kMaxListId = int64_t{1} << 40;
// A list of more than so many times max_rows() is damage: it would have been split.
constexpr int64_t kMostListFactor = 16;

// Of N_entry: a checksum, then the vector's direction.
size_t StoredRowBytes(uint32_t dimension) {
  return sizeof(uint64_t) + DirectionBytes(dimension);
}

uint64_t RowChecksum(std::string_view bytes, int64_t rowid) {
  return XXH3_64bits_withSeed(bytes.data() + sizeof(uint64_t), bytes.size() - sizeof(uint64_t),
                              static_cast<uint64_t>(rowid));
}

void DecodeStored(std::string_view bytes, uint32_t dimension, float* vector) {
  DecodeDirection(bytes.data() + sizeof(uint64_t), dimension, vector);
}

uint64_t RowsOf(const std::vector<search::Block>& blocks) {
  uint64_t rows = 0;
  for (const search::Block& block : blocks) rows += block.rows();
  return rows;
}

bool AreOf(const search::CodeSpace& space, const std::vector<search::Block>& blocks) {
  return std::all_of(blocks.begin(), blocks.end(),
                     [&](const search::Block& block) { return block.IsOf(space); });
}

}  // namespace

int64_t ListChecksum(const IndexDefinition& index, int64_t id, int64_t rows, int64_t stamp,
                     std::string_view centre) {
  Checksum checksum(index.seed ^ static_cast<uint64_t>(id));
  checksum.Add(static_cast<uint64_t>(rows));
  checksum.Add(static_cast<uint64_t>(stamp));
  checksum.Add(centre);
  return checksum.Value();
}

uint32_t BlocksOf(uint64_t rows) {
  return static_cast<uint32_t>((rows + search::Block::kMaxRows - 1) / search::Block::kMaxRows);
}

std::string RowVectorBytes(int64_t rowid, const float* vector, uint32_t dimension) {
  std::string bytes(StoredRowBytes(dimension), '\0');
  EncodeDirection(vector, dimension, bytes.data() + sizeof(uint64_t));
  const uint64_t checksum = RowChecksum(bytes, rowid);
  std::memcpy(bytes.data(), &checksum, sizeof(checksum));
  return bytes;
}

IndexStore::IndexStore(sqlite3* db, const IndexDefinition& index, IndexMemory* memory)
    : db_(db), index_(index), memory_(memory), vector_(index.dimension) {
  // An index of vectors takes its dimension from the table until it has taken rows in, under the
  // same stamp.
  if (memory_->stamp == 0 || memory_->stamp != index.stamp ||
      space().dimension() != index.dimension)
    TakeLists();
}

search::Lists& IndexStore::OwnLists() {
  if (memory_->own == nullptr) {
    memory_->own = std::make_shared<StoredLists>(*memory_->lists);
    memory_->own->stamps.clear();
    memory_->lists = memory_->own;
  }
  return memory_->own->lists;
}

void IndexStore::TakeLists() {
  IndexMemory& memory = *memory_;
  memory.stamp = 0;
  if (memory.lists != nullptr && space().dimension() != index_.dimension) memory.by_id.clear();
  memory.own = nullptr;
  // What a transaction has written may be taken back, and half of it is under the former stamp.
  const bool is_written = sqlite3_txn_state(db_, index_.schema.c_str()) == SQLITE_TXN_WRITE;
  const uint64_t file = is_written ? 0 : memory.file;
  memory.lists = SharedReads<StoredLists>::Find(file, index_.stamp);
  if (memory.lists == nullptr || space().dimension() != index_.dimension) {
    memory.lists = SharedReads<StoredLists>::Share(file, index_.stamp, ReadLists());
  }
  std::unordered_map<int64_t, IndexMemory::List> former;
  former.swap(memory.by_id);
  memory.bytes = 0;
  for (size_t at = 0; at < lists().size(); at++) {
    const int64_t id = lists().id(at), stamp = memory.lists->stamps[at];
    IndexMemory::List& list = memory.by_id[id];
    const auto kept = former.find(id);
    if (kept != former.end() && kept->second.stamp == stamp) list = std::move(kept->second);
    list.stamp = stamp;
    list.rows = lists().rows(at);
    memory.bytes += MemoryBytes(list.blocks);
  }
  memory.stamp = index_.stamp;
}

StoredLists IndexStore::ReadLists() {
  StoredLists stored(index_.dimension, index_.seed);
  Statement select(db_, "SELECT id, rows, stamp, centre, checksum FROM " + index_.Object("list") +
                            " ORDER BY id");
  std::unordered_set<int64_t> stamps;
  for (int64_t last = -1; select.Step();) {
    const int64_t id = select.Int(0), rows = select.Int(1), stamp = select.Int(2);
    const std::string_view centre = select.Blob(3);
    // In a damaged file a tree's page may be its own child's, or that of many.
    const bool is_new = id > std::exchange(last, id) && stamps.insert(stamp).second;
    if (!is_new || id > kMaxListId || rows < 0 ||
        rows > kMostListFactor * stored.lists.max_rows() ||
        ListChecksum(index_, id, rows, stamp, centre) != select.Int(4)) {
      ThrowDamaged(index_, "list", id);
    }
    stored.lists.Set(id, static_cast<uint64_t>(rows), search::ParseCentre(*stored.space, centre));
    stored.stamps.push_back(stamp);
  }
  return stored;
}

const std::vector<search::Block>& IndexStore::Blocks(int64_t id) {
  IndexMemory::List& list = memory_->by_id.at(id);
  if (list.blocks != nullptr) return *list.blocks;
  ListBlocks blocks = SharedReads<std::vector<search::Block>>::Find(memory_->file, list.stamp);
  // A stamp is what the file claims.
  if (blocks == nullptr || RowsOf(*blocks) != list.rows || !AreOf(space(), *blocks)) {
    blocks = SharedReads<std::vector<search::Block>>::Share(memory_->file, list.stamp,
                                                            ReadBlocks(id, list.rows));
  }
  read_ = blocks;
  if (memory_->bytes <= kMostCodeBytes) {
    memory_->bytes += MemoryBytes(blocks);
    list.blocks = std::move(blocks);
  }
  return *read_;
}

const search::Block* IndexStore::FirstKept(int64_t id) const {
  const auto list = memory_->by_id.find(id);
  const bool is_kept = list != memory_->by_id.end() && list->second.blocks != nullptr &&
                       !list->second.blocks->empty();
  return is_kept ? list->second.blocks->data() : nullptr;
}

std::vector<search::Block> IndexStore::ReadBlocks(int64_t id, uint64_t list_rows) {
  if (!select_blocks_) {
    select_blocks_ = Statement(memory_->files.statements, db_,
                               "SELECT key, codes FROM " + index_.Object("block") +
                                   " WHERE key BETWEEN ?1 AND ?2 ORDER BY key");
  }
  std::vector<search::Block> blocks;
  bool found = select_blocks_.Find(BlockKey(id, 0), BlockKey(id, 65535));
  for (; found; found = select_blocks_.Step()) {
    const auto number = static_cast<uint32_t>(blocks.size());
    if (select_blocks_.Int(0) != BlockKey(id, number)) break;
    blocks.push_back(ParseBlock(id, number, list_rows, select_blocks_.Blob(1)));
  }
  select_blocks_.Reset();
  if (found || blocks.size() != BlocksOf(list_rows)) ThrowDamaged(index_, "list", id);
  return blocks;
}

search::Block IndexStore::ParseBlock(int64_t id, uint32_t number, uint64_t list_rows,
                                     std::string_view bytes) {
  try {
    search::Block block = search::Block::Parse(space(), bytes);
    const uint64_t rows_before = uint64_t{number} * search::Block::kMaxRows;
    if (rows_before + block.rows() == std::min(list_rows, rows_before + search::Block::kMaxRows))
      return block;
  } catch (const FormatError&) {
    // It is damaged.
  }
  ThrowDamaged(index_, "block", BlockKey(id, number));
}

search::Block IndexStore::ReadBlock(int64_t id, uint32_t number, uint64_t list_rows) {
  const auto kept = memory_->by_id.find(id);
  if (kept != memory_->by_id.end() && kept->second.blocks != nullptr &&
      number < kept->second.blocks->size()) {
    return (*kept->second.blocks)[number];
  }
  const int64_t key = BlockKey(id, number);
  Statement select(db_, "SELECT codes FROM " + index_.Object("block") + " WHERE key = ?1", key);
  if (!select.Step()) ThrowDamaged(index_, "block", key);
  return ParseBlock(id, number, list_rows, select.Blob(0));
}

template <typename Use>
void IndexStore::WithStored(int64_t rowid, Use use) {
  if (!select_vector_) {
    // A row without a vector has no list. If it has one, the list's number comes in place of the
    // vector, which is no BLOB: damage.
    select_vector_ = Statement(
        memory_->files.statements, db_,
        index_.of_vectors ? "SELECT " + QuoteName(index_.columns[0]) + " FROM " + index_.Source() +
                                " WHERE " + QuoteName(index_.rowid) + " = ?1"
                          : "SELECT CASE WHEN vector IS NULL THEN list ELSE vector END FROM " +
                                index_.Object("entry") + " WHERE id = ?1");
  }
  const bool is_there = select_vector_.Find(rowid);
  const bool is_blob = is_there && select_vector_.Type(0) == SQLITE_BLOB;
  const std::string_view bytes = is_blob ? select_vector_.Blob(0) : std::string_view();
  if (index_.of_vectors) {
    if (is_blob && bytes.size() == index_.dimension * sizeof(float)) use(bytes);
  } else if (is_there && select_vector_.Type(0) != SQLITE_NULL) {
    uint64_t checksum = 0;
    if (bytes.size() != StoredRowBytes(index_.dimension)) ThrowDamaged(index_, "entry", rowid);
    std::memcpy(&checksum, bytes.data(), sizeof(checksum));
    if (RowChecksum(bytes, rowid) != checksum) ThrowDamaged(index_, "entry", rowid);
    use(bytes);
  }
  select_vector_.Reset();
}

std::optional<double> IndexStore::Similarity(const float* query, int64_t rowid, double* rounding) {
  std::optional<double> similarity;
  if (rounding != nullptr) *rounding = 0;
  WithStored(rowid, [&](std::string_view bytes) {
    const void* vector = bytes.data();
    if (!index_.of_vectors) {
      DecodeStored(bytes, index_.dimension, vector_.data());
      vector = vector_.data();
    }
    double sums[2];
    simd::BestKernels().quick_dot_and_norm(sums, query, vector, index_.dimension);
    if (sums[1] >= simd::kQuickLeast && sums[1] <= simd::kQuickMost) {
      similarity = std::min(1.0, std::max(-1.0, sums[0] / std::sqrt(sums[1])));
      // Each number is off by up to a half, evenly.
      if (rounding != nullptr && !index_.of_vectors) *rounding = std::sqrt(1 / (12 * sums[1]));
    } else if (UnitVector(bytes, index_.dimension,
                          vector_.data())) {  // very long, very short, or not finite
      similarity = simd::BestKernels().dot(query, vector_.data(), index_.dimension);
    }
  });
  return similarity;
}

bool IndexStore::ReadVector(int64_t rowid, float* vector) {
  bool found = false;
  WithStored(rowid, [&](std::string_view bytes) {
    if (index_.of_vectors) {
      found = UnitVector(bytes, index_.dimension, vector);
    } else {
      DecodeStored(bytes, index_.dimension, vector);
      found = Normalize(vector, index_.dimension);
    }
  });
  return found;
}

}  // namespace s2v
