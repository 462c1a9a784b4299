// What connections of the process have read of an index, shared by all that read the same file:
// what one of them has read, the next ones need not read, check and keep once more.
//
//   std::shared_ptr<const Lists> lists = SharedReads<Lists>::Find(file, stamp);
//   if (lists == nullptr) lists = SharedReads<Lists>::Share(file, stamp, Read());
//
// What may change has a stamp, another random number whenever it does, so what is found is never
// stale. But a stamp is what a file claims: nothing of another file is found, and who finds
// something looks whether it fits. It lives as long as a connection keeps it.
//
// REQUIRES: what is shared was committed, or its stamp is nowhere else.
// Thread rule: may be called from any thread.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <utility>

namespace s2v {

template <typename Read>
class SharedReads {
 public:
  // What a connection keeps under this stamp, of the file with this identity (OpenFiles::Reading);
  // nullptr: nothing, or there is no identity (0).
  static std::shared_ptr<const Read> Find(uint64_t file, int64_t stamp) {
    if (file == 0) return nullptr;
    Known& known = OfProcess();
    const std::lock_guard<std::mutex> lock(known.mutex);
    const auto found = known.reads.find({file, stamp});
    return found == known.reads.end() ? nullptr : found->second.lock();
  }

  // read, from now on for other connections too.
  static std::shared_ptr<const Read> Share(uint64_t file, int64_t stamp, Read read) {
    auto shared = std::make_shared<const Read>(std::move(read));
    if (file == 0) return shared;
    Known& known = OfProcess();
    const std::lock_guard<std::mutex> lock(known.mutex);
    if (known.reads.size() >= known.next_cleaning) {
      std::erase_if(known.reads, [](const auto& entry) { return entry.second.expired(); });
      known.next_cleaning = kLeastCleaned + 2 * known.reads.size();
    }
    known.reads[{file, stamp}] = shared;
    return shared;
  }

 private:
  static constexpr size_t kLeastCleaned = 1024;
  using Key = std::pair<uint64_t, int64_t>;  // file, stamp
  struct Hash {
    size_t operator()(const Key& key) const { return std::hash<int64_t>()(key.second) + key.first; }
  };
  struct Known {
    std::mutex mutex;
    std::unordered_map<Key, std::weak_ptr<const Read>, Hash> reads;
    size_t next_cleaning = kLeastCleaned;  // how many entries there are then
  };
  static Known& OfProcess() {
    static auto* known = new Known;  // never destroyed: for threads at exit
    return *known;
  }
};

}  // namespace s2v
