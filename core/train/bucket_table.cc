#include "core/train/bucket_table.h"

#include <utility>

namespace s2v {

BucketTable::BucketTable(uint64_t bucket_count) : bucket_count_(bucket_count), slots_(1024) {
  if (bucket_count <= 2 * slots_.size()) {
    all_.resize(bucket_count);
    slots_.clear();
  }
}

uint32_t& BucketTable::operator[](uint32_t bucket) {
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

void BucketTable::Grow() {
  std::vector<Entry> before = std::move(slots_);
  slots_ = {};
  if (before.size() * 2 * sizeof(Entry) >= bucket_count_ * sizeof(uint32_t)) {
    all_.resize(bucket_count_);
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
