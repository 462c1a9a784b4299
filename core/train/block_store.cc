#include "core/train/block_store.h"

namespace s2v {

uint32_t BlockStore::Add(std::string_view bytes) {
  auto block = std::make_unique<Block>();
  block->size = bytes.size();
  SpoolFile* file = nullptr;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (memory_bytes_ + bytes.size() > spool_.memory_budget) {
      if (!file_) file_ = spool_.open_file();
      file = file_.get();
      block->file_offset = file_bytes_;
      file_bytes_ += bytes.size();
    } else {
      memory_bytes_ += bytes.size();
    }
  }
  if (file != nullptr) {
    file->Write(block->file_offset, bytes);
  } else {
    block->memory = bytes;
  }
  const std::lock_guard<std::mutex> lock(mutex_);
  blocks_.push_back(std::move(block));
  return static_cast<uint32_t>(blocks_.size() - 1);
}

std::string_view BlockStore::Read(uint32_t block, size_t offset, size_t size,
                                  std::string* scratch) const {
  const Block* from = nullptr;
  const SpoolFile* file = nullptr;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    from = blocks_[block].get();
    file = file_.get();
  }
  if (!from->memory.empty()) return {from->memory.data() + offset, size};
  scratch->resize(size);
  if (size > 0) file->Read(from->file_offset + offset, size, scratch->data());
  return *scratch;
}

const char* BlockStore::InMemory(uint32_t block) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  const std::string& memory = blocks_[block]->memory;
  return memory.empty() ? nullptr : memory.data();
}

void BlockStore::Drop(uint32_t block) {
  const std::lock_guard<std::mutex> lock(mutex_);
  memory_bytes_ -= blocks_[block]->memory.size();
  blocks_[block].reset();
}

size_t BlockStore::size(uint32_t block) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return blocks_[block]->size;
}

uint64_t BlockStore::memory_bytes() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return memory_bytes_;
}

}  // namespace s2v
