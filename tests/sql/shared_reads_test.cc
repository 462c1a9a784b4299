// What connections share: of one file, while somebody keeps it, and never what is not the list's
// own.
#include "sql/shared_reads.h"

#include <filesystem>

#include "sql/index_store.h"
#include "tests/support/database.h"

namespace s2v {
namespace {

using namespace testing;

using SharedBlocks = SharedReads<std::vector<search::Block>>;

// A file with the index s of 600 rows.
void MakeIndex(const std::string& path) {
  Database db(path);
  IndexTexts(&db, 600, ", words = off");
}

int64_t RowsOf(const std::vector<search::Block>& blocks) {
  int64_t rows = 0;
  for (const search::Block& block : blocks) rows += block.rows();
  return rows;
}

// A connection that reads the index s.
struct Reader {
  Database db;
  IndexMemory memory;
  IndexDefinition index;
  IndexStore store;
  explicit Reader(const std::string& path)
      : db(path),
        index(OpenIndex(db.get(), "main", "s", &memory)),
        store(db.get(), index, &memory) {}
  int64_t first() const { return store.lists().id(0); }
};

std::vector<search::Block> SomeBlocks(uint32_t dimension, int64_t rows) {
  const search::CodeSpace space(dimension, 1);
  const std::vector<float> x(space.width(), 0.1f);
  std::vector<search::Block> blocks(1, search::Block(space));
  for (int64_t row = 0; row < rows; row++)
    blocks[0].Add(row, search::MakeCode(space, x.data(), x.data()));
  return blocks;
}

TEST_CASE("shared blocks: of the same file and stamp, as long as somebody keeps them") {
  ListBlocks kept = SharedBlocks::Share(1001, 7, SomeBlocks(8, 3));
  CHECK(SharedBlocks::Find(1001, 7) == kept);
  CHECK(SharedBlocks::Find(1001, 8) == nullptr);
  CHECK(SharedBlocks::Find(1002, 7) == nullptr);
  kept = nullptr;
  CHECK(SharedBlocks::Find(1001, 7) == nullptr);
  const ListBlocks nameless = SharedBlocks::Share(0, 7, SomeBlocks(8, 3));
  CHECK(nameless->size() == 1);
  CHECK(SharedBlocks::Find(0, 7) == nullptr);
}

TEST_CASE(
    "shared blocks: thousands that nobody keeps make no room for themselves, and those that are kept stay") {
  const ListBlocks kept = SharedBlocks::Share(1003, 1, SomeBlocks(8, 1));
  for (int64_t stamp = 2; stamp < 5000; stamp++) SharedBlocks::Share(1003, stamp, {});
  CHECK(SharedBlocks::Find(1003, 1) == kept);
  CHECK(SharedBlocks::Find(1003, 4999) == nullptr);
}

TEST_CASE(
    "connections to one file share a list's blocks, until one of them changes it; a copy of the file has its own") {
  const TempFile file, copy;
  MakeIndex(file.path());
  std::filesystem::copy_file(file.path(), copy.path(),
                             std::filesystem::copy_options::overwrite_existing);
  Reader one(file.path()), other(file.path()), copied(copy.path());
  const std::vector<search::Block>* const blocks = &one.store.Blocks(one.first());
  CHECK(blocks == &other.store.Blocks(other.first()));
  CHECK(blocks != &copied.store.Blocks(copied.first()));
  CHECK(blocks->size() == copied.store.Blocks(copied.first()).size());
  CHECK(one.memory.lists == other.memory.lists);
  CHECK(one.memory.lists != copied.memory.lists);

  other.db.Exec("DELETE FROM docs WHERE id = 5; SELECT s2v_sync('s')");
  Reader later(file.path());
  CHECK(RowsOf(later.store.Blocks(later.first())) == 599);
  CHECK(one.store.lists().TotalRows() == 600);
  CHECK(later.store.lists().TotalRows() == 599);
  CHECK(blocks != &later.store.Blocks(later.first()));
}

TEST_CASE("lists that a transaction has written are nobody else's: it may be taken back") {
  const TempFile file;
  MakeIndex(file.path());
  Reader writer(file.path());
  writer.db.Exec("BEGIN; DELETE FROM docs WHERE id < 100; SELECT s2v_sync('s')");
  IndexMemory fresh;
  const IndexDefinition written = OpenIndex(writer.db.get(), "main", "s", &fresh);
  const IndexStore store(writer.db.get(), written, &fresh);
  CHECK(store.lists().TotalRows() == 501);
  CHECK(SharedReads<StoredLists>::Find(fresh.file, written.stamp) == nullptr);
  writer.db.Exec("ROLLBACK");
  CHECK(Reader(file.path()).store.lists().TotalRows() == 600);
}

TEST_CASE("blocks with a list's stamp that are not the list's are not taken") {
  const TempFile file;
  MakeIndex(file.path());
  Reader reader(file.path());
  const uint32_t dimension = reader.index.dimension;
  const int64_t stamp = reader.memory.by_id.at(reader.first()).stamp;
  const auto others = {SomeBlocks(dimension, 100), SomeBlocks(dimension + 300, 100)};
  for (const std::vector<search::Block>& other : others) {
    const ListBlocks planted = SharedBlocks::Share(reader.memory.file, stamp, other);
    reader.memory.by_id.at(reader.first()).blocks = nullptr;
    const std::vector<search::Block>& blocks = reader.store.Blocks(reader.first());
    CHECK(&blocks != planted.get());
    CHECK(RowsOf(blocks) == 600);
  }
}

}  // namespace
}  // namespace s2v
