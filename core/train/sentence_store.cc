#include "core/train/sentence_store.h"

#include "core/vocab/vocabulary.h"

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
  size = std::min(size, from->size - offset);
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

uint64_t BlockStore::memory_bytes() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return memory_bytes_;
}

void SentenceStore::Add(const Sentence& sentence) {
  const size_t length = sentence.words.size();
  encoded_.resize(std::max(encoded_.size(), (length * order_ + 1) * kMaxVarintBytes));
  char* out = WriteVarint(static_cast<uint32_t>(length), encoded_.data());
  size_t known = 0;  // length of the run of known words that ends here
  for (size_t end = 0; end < length; end++) {
    const uint32_t word = sentence.words[end];
    out = WriteVarint(word + 1, out);  // kUnknownWord + 1 is 0
    known = word == kUnknownWord ? 0 : known + 1;
    for (size_t n = 2; n <= order_ && n <= known; n++) {
      // kNoRow + 1 is 0 too.
      out = WriteVarint(sentence.ngram_rows[(n - 2) * length + end + 1 - n] + 1, out);
    }
  }
  const auto size = static_cast<size_t>(out - encoded_.data());
  if (size_ % kGroup == 0) {
    if (open_.size() >= kBlockBytes) CloseBlock();
    groups_.push_back(
        {static_cast<uint32_t>(block_ids_.size()), static_cast<uint32_t>(open_.size())});
  }
  char bytes[kMaxVarintBytes];
  open_.append(bytes, WriteVarint(static_cast<uint32_t>(size), bytes));
  open_.append(encoded_, 0, size);
  size_++;
}

void SentenceStore::CloseBlock() {
  block_ids_.push_back(blocks_->Add(open_));
  open_.clear();
}

void SentenceStore::Finish() {
  if (!open_.empty()) CloseBlock();
  open_ = std::string();
  groups_.shrink_to_fit();
  for (const uint32_t block : block_ids_) in_memory_.push_back(blocks_->InMemory(block));
}

void SentenceStore::Read(uint64_t i, Sentence* sentence) const {
  const size_t g = i / kGroup;
  const auto [block, offset] = groups_[g];
  const char* in = in_memory_[block];
  if (in != nullptr) {
    in += offset;
  } else {
    const bool last = g + 1 == groups_.size() || groups_[g + 1].block != block;
    const size_t size = last ? SIZE_MAX : groups_[g + 1].offset - offset;
    in = blocks_->Read(block_ids_[block], offset, size, &sentence->scratch).data();
  }
  for (uint64_t skip = i % kGroup; skip > 0; skip--) {
    const uint32_t size = ReadVarint(&in);
    in += size;
  }
  ReadVarint(&in);
  const size_t length = ReadVarint(&in);
  sentence->words.resize(length);
  sentence->ngram_rows.assign((order_ - 1) * length, kNoRow);
  size_t known = 0;
  for (size_t end = 0; end < length; end++) {
    const uint32_t word = ReadVarint(&in) - 1;
    sentence->words[end] = word;
    known = word == kUnknownWord ? 0 : known + 1;
    for (size_t n = 2; n <= order_ && n <= known; n++) {
      sentence->ngram_rows[(n - 2) * length + end + 1 - n] = ReadVarint(&in) - 1;
    }
  }
}

void SentenceStore::Prefetch(uint64_t i) const {
  const auto [block, offset] = groups_[i / kGroup];
  const char* in = in_memory_[block];
  if (in == nullptr) return;
  for (size_t line = 0; line < kPrefetchBytes; line += 64) __builtin_prefetch(in + offset + line);
}

uint64_t SentenceStore::memory_bytes() const {
  return (blocks_ ? blocks_->memory_bytes() : 0) + groups_.size() * sizeof(Group);
}

}  // namespace s2v
