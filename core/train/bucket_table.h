// A number for each n-gram bucket that occurs, 0 for all others: first its count, then its row.
//
// A hash table that grows with the buckets, and an array of all of them once that is no larger: so
// a small corpus needs no memory for two million buckets.
#ifndef S2V_CORE_TRAIN_BUCKET_TABLE_H_
#define S2V_CORE_TRAIN_BUCKET_TABLE_H_

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/config.h"

namespace s2v {

class BucketTable {
 public:
  BucketTable() : slots_(1024) {}
  // Valid until the next bucket is added. REQUIRES: it does not stay 0.
  uint32_t& operator[](uint32_t bucket);
  uint32_t Find(uint32_t bucket) const {
    return dense() ? all_[bucket] : slots_[Slot(bucket)].value;
  }
  // visit(bucket, value&) for every value that is not 0, in no order. The value may change, but not
  // to 0.
  template <typename Visit>
  void ForEach(Visit visit) {
    for (uint64_t bucket = 0; bucket < all_.size(); bucket++) {
      if (all_[bucket] != 0) visit(static_cast<uint32_t>(bucket), all_[bucket]);
    }
    for (Entry& entry : slots_) {
      if (entry.value != 0) visit(entry.bucket, entry.value);
    }
  }
  uint64_t bytes() const { return all_.size() * sizeof(uint32_t) + slots_.size() * sizeof(Entry); }

 private:
  struct Entry {
    uint32_t bucket = 0, value = 0;  // value 0: free
  };
  bool dense() const { return slots_.empty(); }
  size_t Slot(uint32_t bucket) const {
    const size_t mask = slots_.size() - 1;
    size_t slot = (uint64_t{bucket} * 0x9e3779b97f4a7c15u >> 32) & mask;
    while (slots_[slot].value != 0 && slots_[slot].bucket != bucket) slot = (slot + 1) & mask;
    return slot;
  }
  void Grow();

  std::vector<uint32_t> all_;  // [kBucketCount], or empty
  std::vector<Entry> slots_;   // open addressing, a power of two long, or empty
  size_t used_ = 0;            // of slots_
};

inline uint32_t& BucketTable::operator[](uint32_t bucket) {
  if (dense()) return all_[bucket];
  size_t slot = Slot(bucket);
  if (slots_[slot].value == 0) {
    if (2 * ++used_ > slots_.size()) {
      Grow();
      if (dense()) return all_[bucket];
      slot = Slot(bucket);
    }
    slots_[slot].bucket = bucket;
  }
  return slots_[slot].value;
}

inline void BucketTable::Grow() {
  std::vector<Entry> before = std::move(slots_);
  slots_ = {};
  if (before.size() * 2 * sizeof(Entry) >= kBucketCount * sizeof(uint32_t)) {
    all_.resize(kBucketCount);
    for (const Entry& entry : before) {
      if (entry.value != 0) all_[entry.bucket] = entry.value;
    }
    return;
  }
  slots_.resize(before.size() * 2);
  for (const Entry& entry : before) {
    if (entry.value != 0) slots_[Slot(entry.bucket)] = entry;
  }
}

}  // namespace s2v

#endif  // S2V_CORE_TRAIN_BUCKET_TABLE_H_
