// Words and their counts.
//
//   WordCounter counter(max_bytes);
//   uint32_t id = counter.Add("cat");                       // provisional id, counts an occurrence
//   Vocabulary vocabulary = counter.Select(min_count, max_vocabulary, &final_ids);
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "core/vocab/hash.h"

namespace s2v {

// The id of a token that is in no vocabulary.
inline constexpr uint32_t kUnknownWord = 0xffffffffu;

// Distinct strings with dense ids 0, 1, 2 ... in order of insertion.
class WordTable {
 public:
  // At most 2^32 - 2 words.
  uint32_t Insert(std::string_view word, uint64_t hash);
  // kUnknownWord where it is absent.
  uint32_t Find(std::string_view word, uint64_t hash) const;
  uint32_t size() const { return static_cast<uint32_t>(ends_.size()); }
  std::string_view operator[](uint32_t id) const {
    const uint64_t begin = id == 0 ? 0 : ends_[id - 1];
    return std::string_view(bytes_).substr(begin, ends_[id] - begin);
  }
  uint64_t hash(uint32_t id) const { return hashes_[id]; }
  // Drops the words for which keep(id), called once for each in the order of ids, is false; the
  // others get new ids in the same order. No memory is taken for it.
  template <typename Keep>
  void KeepIf(Keep keep) {
    uint32_t kept = 0;
    uint64_t begin = 0, kept_bytes = 0;
    for (uint32_t id = 0; id < size(); id++) {
      const uint64_t end = ends_[id];
      if (keep(id)) {
        std::memmove(&bytes_[kept_bytes], &bytes_[begin], end - begin);
        kept_bytes += end - begin;
        ends_[kept] = kept_bytes;
        hashes_[kept++] = hashes_[id];
      }
      begin = end;
    }
    bytes_.resize(kept_bytes);
    ends_.resize(kept);
    hashes_.resize(kept);
    FillSlots(slots_.size());
  }

 private:
  static constexpr uint64_t kFree = ~uint64_t{0};
  void FillSlots(size_t count);
  size_t Slot(std::string_view word, uint64_t hash) const;
  std::string bytes_;
  std::vector<uint64_t> ends_;
  std::vector<uint64_t> hashes_;
  // Open addressing, a power of two long: high half of the hash << 32 | id, kFree. What is not the
  // word is nearly always seen without a look at the other arrays.
  std::vector<uint64_t> slots_;
};

// Word ids are 0 .. size-1 by falling count (ties: by the order of first occurrence), so the words
// that reach any minimum count are a prefix.
struct Vocabulary {
  WordTable words;
  std::vector<uint64_t> counts;  // [words]
  // [words] of a stem the commonest word of the texts that has it; "" where that is the word here.
  // Empty: none is known.
  std::vector<std::string> forms;
  uint64_t token_count = 0;  // all tokens of the corpus, known or not: the divisor of f_w

  uint32_t size() const { return words.size(); }
  double Frequency(uint32_t id) const {
    return static_cast<double>(counts[id]) / static_cast<double>(token_count);
  }
  // The number of words with at least this count: a prefix of the ids.
  uint32_t PrefixWithCount(uint64_t min_count) const;
};

class WordCounter {
  struct Entry {
    uint64_t count = 0;
    uint64_t first = 0;  // place of the first occurrence
    uint32_t provisional = 0;
  };

 public:
  // At most, of a word of this length: its bytes, end, hash and entry in arrays that may be half
  // empty, and up to four slots.
  static constexpr uint64_t Bytes(size_t length) {
    return 2 * (length + 2 * sizeof(uint64_t) + sizeof(Entry)) + 4 * sizeof(uint64_t);
  }
  // Takes at most max_bytes of memory (and that of one word at least), so that any corpus can be
  // counted: when they are full, drops the rarest words (count 1, then 2, ...). A word that was
  // dropped and comes back starts again from zero, with a new provisional id.
  explicit WordCounter(uint64_t max_bytes) : max_bytes_(max_bytes) {}

  // before: words that were counted elsewhere. In Select none of them, but for those that were
  // dropped, has a lower count than it has there, and the number of all tokens is not lower either.
  // REQUIRES: before Add.
  void Expect(const Vocabulary& before);
  uint32_t Add(std::string_view word) { return Add(word, HashWord(word), 1); }
  // Adds `count` occurrences, the first one at place. hash: HashWord(word).
  uint32_t Add(std::string_view word, uint64_t hash, uint64_t count, uint64_t place = 0);
  // Of what was added; `before` does not count.
  uint64_t token_count() const { return token_count_; }
  // If the words came from counters that had dropped rare ones: the tokens of all of them, and what
  // they have dropped together.
  void SetTokenCount(uint64_t tokens, uint64_t dropped) {
    token_count_ = tokens;
    dropped_ += dropped;
  }
  // The words that are held, with indexes 0 .. size-1 until the next Add.
  uint32_t size() const { return words_.size(); }
  std::string_view word(uint32_t index) const { return words_[index]; }
  uint64_t hash(uint32_t index) const { return words_.hash(index); }
  uint64_t count(uint32_t index) const { return entries_[index].count; }  // of Add alone
  uint64_t first(uint32_t index) const { return entries_[index].first; }
  uint32_t provisional(uint32_t index) const { return entries_[index].provisional; }
  // So many times at most that one word was met are not counted, since it was dropped.
  uint64_t dropped() const { return dropped_; }
  uint64_t provisional_ids() const { return next_provisional_; }
  // The words that occur at least min_count times, the most frequent max_vocabulary of them.
  // final_ids [provisional_ids]: the vocabulary's id, or kUnknownWord.
  Vocabulary Select(uint64_t min_count, uint32_t max_vocabulary,
                    std::vector<uint32_t>* final_ids) const;

 private:
  // Drops the rarest words until the others take at most goal bytes.
  void Prune(uint64_t goal);
  // What Add counted or, if that is more, what `before` has.
  uint64_t SelectedCount(uint32_t index) const;
  uint64_t max_bytes_;
  uint64_t bytes_ = 0;  // of the words that are held
  WordTable words_;
  std::vector<Entry> entries_;  // [words_]
  uint32_t next_provisional_ = 0;
  uint64_t prune_below_ = 1, dropped_ = 0;
  uint64_t token_count_ = 0;
  std::vector<uint64_t> expected_;  // [expected words] by provisional id
  uint64_t expected_tokens_ = 0;
};

}  // namespace s2v
