// XXH3 itself is compiled here alone.
#define XXH_IMPLEMENTATION
#include "core/vocab/vocabulary.h"

#include <algorithm>
#include <numeric>

#include "core/error.h"

namespace s2v {

size_t WordTable::Slot(std::string_view word, uint64_t hash) const {
  const size_t mask = slots_.size() - 1;
  size_t slot = hash & mask;
  for (uint64_t entry; (entry = slots_[slot]) != kFree; slot = (slot + 1) & mask) {
    if (entry >> 32 == hash >> 32 && (*this)[static_cast<uint32_t>(entry)] == word) break;
  }
  return slot;
}

uint32_t WordTable::Find(std::string_view word, uint64_t hash) const {
  // The low half of kFree is kUnknownWord.
  return slots_.empty() ? kUnknownWord : static_cast<uint32_t>(slots_[Slot(word, hash)]);
}

uint32_t WordTable::Insert(std::string_view word, uint64_t hash) {
  if (slots_.size() < 2 * (ends_.size() + 1)) {
    FillSlots(std::max<size_t>(1024, slots_.size() * 2));
  }
  const size_t slot = Slot(word, hash);
  if (slots_[slot] == kFree) {
    if (size() == kUnknownWord - 1) throw InvalidArgument("more than 4,294,967,294 distinct words");
    bytes_.append(word);
    ends_.push_back(bytes_.size());
    hashes_.push_back(hash);
    slots_[slot] = hash >> 32 << 32 | (size() - 1);
  }
  return static_cast<uint32_t>(slots_[slot]);
}

void WordTable::FillSlots(size_t count) {
  slots_.assign(count, kFree);
  for (uint32_t id = 0; id < size(); id++) {
    slots_[Slot((*this)[id], hashes_[id])] = hashes_[id] >> 32 << 32 | id;
  }
}

uint32_t Vocabulary::PrefixWithCount(uint64_t min_count) const {
  return static_cast<uint32_t>(
      std::partition_point(counts.begin(), counts.end(),
                           [&](uint64_t count) { return count >= min_count; }) -
      counts.begin());
}

void WordCounter::Expect(const Vocabulary& before) {
  expected_ = before.counts;
  expected_tokens_ = before.token_count;
  for (uint32_t id = 0; id < before.size(); id++) {
    Add(before.words[id], before.words.hash(id), 0);
  }
}

uint64_t WordCounter::SelectedCount(uint32_t index) const {
  const Entry& entry = entries_[index];
  return entry.provisional < expected_.size() ? std::max(entry.count, expected_[entry.provisional])
                                              : entry.count;
}

uint32_t WordCounter::Add(std::string_view word, uint64_t hash, uint64_t count, uint64_t place) {
  token_count_ += count;
  uint32_t id = words_.Find(word, hash);
  if (id == kUnknownWord) {
    const uint64_t bytes = Bytes(word.size());
    if (bytes_ + bytes > max_bytes_ && !entries_.empty()) {
      // By a quarter, so that it is rare.
      Prune(std::min(max_bytes_ / 4 * 3, max_bytes_ - std::min(bytes, max_bytes_)));
    }
    if (next_provisional_ == kUnknownWord) throw InvalidArgument("more than 2^32 distinct words");
    id = words_.Insert(word, hash);
    entries_.push_back({0, place, next_provisional_++});
    bytes_ += bytes;
  }
  entries_[id].count += count;
  return entries_[id].provisional;
}

void WordCounter::Prune(uint64_t goal) {
  do {
    prune_below_++;
    bytes_ = 0;
    for (uint32_t id = 0; id < size(); id++) {
      if (SelectedCount(id) >= prune_below_) bytes_ += Bytes(words_[id].size());
    }
  } while (bytes_ > goal);
  dropped_ += prune_below_ - 1;
  uint32_t kept = 0;
  words_.KeepIf([&](uint32_t id) {
    if (SelectedCount(id) < prune_below_) return false;
    entries_[kept++] = entries_[id];
    return true;
  });
  entries_.resize(kept);
}

Vocabulary WordCounter::Select(uint64_t min_count, uint32_t max_vocabulary,
                               std::vector<uint32_t>* final_ids) const {
  std::vector<uint32_t> order(entries_.size());
  std::iota(order.begin(), order.end(), 0);
  std::erase_if(order, [&](uint32_t id) { return SelectedCount(id) < min_count; });
  std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
    const uint64_t count_a = SelectedCount(a), count_b = SelectedCount(b);
    return count_a != count_b ? count_a > count_b
                              : entries_[a].provisional < entries_[b].provisional;
  });
  if (order.size() > max_vocabulary) order.resize(max_vocabulary);

  Vocabulary vocabulary;
  vocabulary.token_count = std::max(token_count_, expected_tokens_);
  final_ids->assign(next_provisional_, kUnknownWord);
  for (uint32_t id : order) {
    (*final_ids)[entries_[id].provisional] = vocabulary.words.Insert(words_[id], words_.hash(id));
    vocabulary.counts.push_back(SelectedCount(id));
  }
  return vocabulary;
}

}  // namespace s2v
