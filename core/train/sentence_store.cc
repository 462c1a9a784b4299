#include "core/train/sentence_store.h"

#include <algorithm>

#include "core/vocab/vocabulary.h"

namespace s2v {

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
  block_sizes_.push_back(static_cast<uint32_t>(open_.size()));
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
    const uint32_t end = last ? block_sizes_[block] : groups_[g + 1].offset;
    in = blocks_->Read(block_ids_[block], offset, end - offset, &sentence->scratch).data();
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
