#include "core/vocab/vocabulary.h"

#include <algorithm>
#include <numeric>

#include "core/error.h"
#include "core/vocab/hash.h"

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
  if (slots_.size() < 2 * (ends_.size() + 1)) Grow();
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

void WordTable::Grow() {
  slots_.assign(std::max<size_t>(1024, slots_.size() * 2), kFree);
  const size_t mask = slots_.size() - 1;
  for (uint32_t id = 0; id < size(); id++) {
    size_t slot = hashes_[id] & mask;
    while (slots_[slot] != kFree) slot = (slot + 1) & mask;
    slots_[slot] = hashes_[id] >> 32 << 32 | id;
  }
}

void WordTable::Clear() {
  bytes_.clear();
  ends_.clear();
  hashes_.clear();
  std::fill(slots_.begin(), slots_.end(), kFree);
}

uint32_t Vocabulary::PrefixWithCount(uint64_t min_count) const {
  return static_cast<uint32_t>(
      std::partition_point(counts.begin(), counts.end(),
                           [&](uint64_t count) { return count >= min_count; }) -
      counts.begin());
}

void WordCounter::Expect(const Vocabulary& before) {
  for (uint32_t id = 0; id < before.size(); id++) {
    Add(before.words[id], before.words.hash(id), 0);
  }
  expected_ = before.counts;
  expected_tokens_ = before.token_count;
}

uint64_t WordCounter::SelectedCount(uint32_t index) const {
  const uint32_t provisional = provisional_[index];
  return provisional < expected_.size() ? std::max(counts_[index], expected_[provisional])
                                        : counts_[index];
}

uint32_t WordCounter::Add(std::string_view word, uint64_t hash, uint64_t count) {
  token_count_ += count;
  uint32_t id = words_.Insert(word, hash);
  if (id == counts_.size()) {
    if (words_.size() > max_words_) {
      Prune();
      id = words_.Insert(word, hash);
    }
    counts_.push_back(0);
    if (next_provisional_ == kUnknownWord) throw InvalidArgument("more than 2^32 distinct words");
    provisional_.push_back(next_provisional_++);
  }
  counts_[id] += count;
  return provisional_[id];
}

void WordCounter::Prune() {
  // The newest word, which has no count yet, goes too; Add inserts it again.
  const uint32_t goal = max_words_ - std::max(1u, max_words_ / 4);  // so that pruning is rare
  WordTable kept;
  std::vector<uint64_t> counts;
  std::vector<uint32_t> provisional;
  do {
    prune_below_++;
    kept.Clear();
    counts.clear();
    provisional.clear();
    for (uint32_t id = 0; id < counts_.size(); id++) {
      if (SelectedCount(id) < prune_below_) continue;
      kept.Insert(words_[id], words_.hash(id));
      counts.push_back(counts_[id]);
      provisional.push_back(provisional_[id]);
    }
  } while (counts.size() > goal);
  words_ = std::move(kept);
  counts_ = std::move(counts);
  provisional_ = std::move(provisional);
}

Vocabulary WordCounter::Select(uint64_t min_count, uint32_t max_vocabulary,
                               std::vector<uint32_t>* final_ids) const {
  std::vector<uint32_t> order(counts_.size());
  std::iota(order.begin(), order.end(), 0);
  std::erase_if(order, [&](uint32_t id) { return SelectedCount(id) < min_count; });
  std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
    const uint64_t count_a = SelectedCount(a), count_b = SelectedCount(b);
    return count_a != count_b ? count_a > count_b : provisional_[a] < provisional_[b];
  });
  if (order.size() > max_vocabulary) order.resize(max_vocabulary);

  Vocabulary vocabulary;
  vocabulary.token_count = std::max(token_count_, expected_tokens_);
  final_ids->assign(next_provisional_, kUnknownWord);
  for (uint32_t id : order) {
    (*final_ids)[provisional_[id]] = vocabulary.words.Insert(words_[id], words_.hash(id));
    vocabulary.counts.push_back(SelectedCount(id));
  }
  return vocabulary;
}

}  // namespace s2v
