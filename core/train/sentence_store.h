// Sentences as the trainer reads them: words and the rows of their n-grams, in any order, from
// little memory and, where that is not enough, from a file.
//
//   SentenceStore sentences(order, &blocks);
//   sentences.Add(sentence); ... sentences.Finish();
//   Sentence sentence;                            // reused: reading allocates nothing once warm
//   sentences.Read(i, &sentence);
//
// Encoding, all numbers as core/train/block_store.h has them: a sentence is the size in bytes of what
// follows, the number of tokens, and for each token its word + 1 (0: unknown), followed, for n = 2
// .. order, by the row + 1 (0: none) of the n-gram of n known words that ends here, where there are
// n. A block holds whole groups of kGroup sentences; only the beginnings of groups are remembered.
//
// Thread rule: Read from any thread once it is finished.
#ifndef S2V_CORE_TRAIN_SENTENCE_STORE_H_
#define S2V_CORE_TRAIN_SENTENCE_STORE_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/train/block_store.h"

namespace s2v {

// Marks an n-gram without a row.
inline constexpr uint32_t kNoRow = 0xffffffffu;

struct Sentence {
  std::vector<uint32_t> words;  // [length] ids, kUnknownWord for a word that is not known
  // [(order - 1) * length]: at (n - 2) * length + start the row of the n words from start on,
  // counted from 0, or kNoRow. Empty for ngram_order 1.
  std::vector<uint32_t> ngram_rows;
  std::string scratch;  // of Read
};

class SentenceStore {
 public:
  SentenceStore() = default;
  explicit SentenceStore(size_t ngram_order, std::shared_ptr<BlockStore> blocks)
      : order_(ngram_order), blocks_(std::move(blocks)) {}
  void Add(const Sentence& sentence);
  void Finish();
  uint64_t size() const { return size_; }
  // Throws what the file throws.
  void Read(uint64_t i, Sentence* sentence) const;
  // Asks for what Read reads of sentence i, where that is in memory: first for its place, then,
  // which reads the place, for its beginning.
  void PrefetchPlace(uint64_t i) const { __builtin_prefetch(&groups_[i / kGroup]); }
  void Prefetch(uint64_t i) const;
  uint64_t memory_bytes() const;

 private:
  static constexpr uint64_t kGroup = 4;                   // sentences
  static constexpr size_t kBlockBytes = size_t{1} << 18;  // a block is closed behind this
  static constexpr size_t kPrefetchBytes = 512;           // of a group
  struct Group {
    uint32_t block, offset;
  };
  void CloseBlock();

  size_t order_ = 1;
  std::shared_ptr<BlockStore> blocks_;  // shared with what is counted from: one budget
  std::string open_, encoded_;          // the block that is being written; a sentence
  uint64_t size_ = 0;
  std::vector<Group> groups_;           // [size / kGroup, rounded up]
  std::vector<uint32_t> block_ids_;     // in blocks_
  std::vector<const char*> in_memory_;  // [blocks] once finished; nullptr: in the file
  std::vector<uint32_t> block_sizes_;   // [blocks]
};

}  // namespace s2v

#endif  // S2V_CORE_TRAIN_SENTENCE_STORE_H_
