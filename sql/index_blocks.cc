#include "sql/index_blocks.h"

#include <functional>
#include <mutex>
#include <unordered_map>
#include <utility>

namespace s2v {
namespace {

using Key = std::pair<uint64_t, int64_t>;  // file, stamp
struct KeyHash {
  // Stamps are random numbers.
  size_t operator()(const Key& key) const { return std::hash<int64_t>()(key.second) + key.first; }
};

struct Known {
  std::mutex mutex;
  std::unordered_map<Key, std::weak_ptr<const std::vector<search::Block>>, KeyHash> blocks;
  size_t next_cleaning = 1024;  // how many entries there are then
};

Known& Process() {
  static auto* known = new Known;  // never destroyed: for threads at exit
  return *known;
}

}  // namespace

ListBlocks SharedBlocks::Find(uint64_t file, int64_t stamp) {
  if (file == 0) return nullptr;
  Known& known = Process();
  const std::lock_guard<std::mutex> lock(known.mutex);
  const auto found = known.blocks.find({file, stamp});
  return found == known.blocks.end() ? nullptr : found->second.lock();
}

ListBlocks SharedBlocks::Share(uint64_t file, int64_t stamp, std::vector<search::Block> blocks) {
  auto shared = std::make_shared<const std::vector<search::Block>>(std::move(blocks));
  if (file == 0) return shared;
  Known& known = Process();
  const std::lock_guard<std::mutex> lock(known.mutex);
  if (known.blocks.size() >= known.next_cleaning) {
    std::erase_if(known.blocks, [](const auto& entry) { return entry.second.expired(); });
    known.next_cleaning = 1024 + 2 * known.blocks.size();
  }
  known.blocks[{file, stamp}] = shared;
  return shared;
}

}  // namespace s2v
