#include "sql/row_table.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <new>

namespace s2v {
namespace {

// Rows are visited at random: on 4 KiB pages every visit would miss the address cache too.
constexpr size_t kHugePage = size_t{2} << 20;

char* Allocate(size_t bytes) {
  const bool huge = bytes % kHugePage == 0;
  auto* memory = static_cast<char*>(std::aligned_alloc(huge ? kHugePage : 64, bytes));
  if (memory == nullptr) throw std::bad_alloc();
#ifdef MADV_HUGEPAGE
  if (huge) madvise(memory, bytes, MADV_HUGEPAGE);  // a wish, not a need
#endif
  return memory;
}

}  // namespace

void RowCache::Table::Free::operator()(char* memory) const {
  std::free(memory);
}

uint64_t RowCache::Table::Bytes() const {
  uint64_t bytes = slots() * sizeof(Slot) + max_chunks_ * sizeof(char*);
  for (const auto& chunk : chunks_) bytes += chunk->bytes;
  return bytes;
}

void RowCache::Table::AddChunk(size_t least_bytes) {
  auto chunk = std::make_shared<Chunk>();
  chunk->bytes = std::max<size_t>(least_bytes, chunk_lines() * kLine);
  chunk->memory.reset(Allocate(chunk->bytes));
  chunks_.push_back(std::move(chunk));
  bases_[chunks_.size() - 1] = chunks_.back()->memory.get();
  open_bytes_ = chunks_.back()->bytes;
}

void RowCache::Table::ShareChunks(const Table& other, size_t first) {
  chunks_.assign(other.chunks_.begin() + static_cast<ptrdiff_t>(first), other.chunks_.end());
  for (size_t i = 0; i < chunks_.size(); i++) bases_[i] = chunks_[i]->memory.get();
  open_bytes_ = chunks_.empty() ? 0 : other.open_bytes_;
}

uint64_t RowCache::Table::AddBlock(const Key& key, const void* row, size_t row_bytes) {
  const size_t chunk = chunks_.size() - 1;
  const size_t offset = chunks_[chunk]->bytes - open_bytes_;
  char* const block = bases_[chunk] + offset;
  open_bytes_ -= BlockBytes(key, row != nullptr, row_bytes);
  char* to = block;
  if (key.is_word) {
    new (block) WordHeader{static_cast<uint32_t>(key.word.size()), row != nullptr ? key.id + 1 : 0};
    key.word.copy(block + sizeof(WordHeader), key.word.size());
    to += WordHeader::RowOffset(key.word.size());
  }
  if (row != nullptr) std::memcpy(to, row, row_bytes);
  return (static_cast<uint64_t>(chunk) << chunk_shift_) + offset / kLine;
}

void RowCache::Table::AddSlot(uint64_t number, Value value) {
  size_t at = Mix64(number) & mask_;
  while (slots_[at].value.load(std::memory_order_relaxed) != 0) at = (at + 1) & mask_;
  slots_[at].key.store(number, std::memory_order_relaxed);
  slots_[at].value.store(value.bits, std::memory_order_release);
  entries_++;
}

}  // namespace s2v
