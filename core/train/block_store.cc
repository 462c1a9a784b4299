#include "core/train/block_store.h"

#include <sys/mman.h>

#include <cstdlib>
#include <cstring>
#include <new>
#include <utility>

namespace s2v {
namespace {

constexpr size_t kMappedSize = 16384;  // bytes: smaller blocks come from the heap

}  // namespace

BlockStore::Memory::Memory(std::string_view bytes) : size_(bytes.size()) {
  if (size_ < kMappedSize) {
    data_ = static_cast<char*>(std::malloc(size_ + 1));
    if (data_ == nullptr) throw std::bad_alloc();
  } else {
    void* mapped = mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapped == MAP_FAILED) throw std::bad_alloc();
    data_ = static_cast<char*>(mapped);
  }
  std::memcpy(data_, bytes.data(), size_);
}

BlockStore::Memory::~Memory() {
  if (size_ < kMappedSize) {
    std::free(data_);
  } else {
    munmap(data_, size_);
  }
}

BlockStore::Memory::Memory(Memory&& other) noexcept {
  *this = std::move(other);
}

BlockStore::Memory& BlockStore::Memory::operator=(Memory&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  return *this;
}

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
    block->memory = Memory(bytes);
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
  if (from->memory.data() != nullptr) return {from->memory.data() + offset, size};
  scratch->resize(size);
  if (size > 0) file->Read(from->file_offset + offset, size, scratch->data());
  return *scratch;
}

const char* BlockStore::InMemory(uint32_t block) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return blocks_[block]->memory.data();
}

void BlockStore::Drop(uint32_t block) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (blocks_[block]->memory.data() != nullptr) memory_bytes_ -= blocks_[block]->size;
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

uint64_t BlockStore::file_bytes() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return file_bytes_;
}

}  // namespace s2v
