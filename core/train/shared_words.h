// The words of all ranks: each has counted its own texts, all choose the same vocabulary.
//
//   SharedWords shared(ranks, words, word_bytes);            // words: what this rank has counted
//   Vocabulary vocabulary = shared.Select(min_count, max_vocabulary, words, &final_ids);
//
// Each rank adds up the counts of the words with its part of the hashes, so no rank holds all of
// them; then it tells the others those that may be known. As the words of lower ranks come first
// where counts are equal, the vocabulary is that of one process that reads the texts of rank 0,
// then those of rank 1, and so on, as long as none had to drop rare words (word_bytes).
#pragma once

#include "core/train/ranks.h"
#include "core/vocab/vocabulary.h"

namespace s2v {

class SharedWords {
 public:
  SharedWords(RankGroup* ranks, const WordCounter& mine, uint64_t word_bytes);
  uint64_t tokens() const { return tokens_; }
  uint64_t distinct_words() const { return distinct_words_; }
  // As WordCounter's, by all ranks.
  uint64_t dropped() const { return dropped_; }
  // As WordCounter::Select, of all ranks' words. final_ids: [mine.provisional_ids].
  Vocabulary Select(uint64_t min_count, uint32_t max_vocabulary, const WordCounter& mine,
                    std::vector<uint32_t>* final_ids);

 private:
  RankGroup* const ranks_;
  WordCounter part_;  // those with this rank's hashes; places: rank << 32 | place in its order
  uint64_t tokens_ = 0, distinct_words_ = 0, dropped_ = 0;
};

}  // namespace s2v
