// Reading a corpus: texts are cut into tokens and their words counted, by several threads.
//
//   TextCounter counter(tokenizer, workers, word_bytes, max_sentence_tokens, &blocks);
//   while (...) counter.Add(text);
//   counter.Finish();
//   counter.Merge(&words);                             // a WordCounter
//   Vocabulary vocabulary = words.Select(..., &ids);
//   counter.Rename(ids);
//   counter.ForEachSentence(true, {}, visit);          // in the order of the texts
//
// Texts go to the workers in batches with rising numbers. Each worker counts words of its own and
// keeps a batch as its own ids (varints: length, ids). Merging sorts
// the words by their first places, so the result does not depend on how many workers there were or
// which of them took a batch, as long as no worker had to drop rare words (word_bytes).
//
// Thread rule: the object belongs to the caller's thread; its own threads end with it.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "core/text/tokenizer.h"
#include "core/train/sentence_store.h"
#include "core/vocab/vocabulary.h"

namespace s2v {

// Calls visit(begin, end) for the pieces of a text of `size` tokens, of at most `most` each and as
// equal as can be.
template <typename Visit>
void ForEachPiece(size_t size, size_t most, Visit visit) {
  const size_t pieces = (size + most - 1) / most;
  const auto place = [&](size_t p) { return static_cast<size_t>(uint64_t{p} * size / pieces); };
  for (size_t p = 0; p < pieces; p++) visit(place(p), place(p + 1));
}

class TextCounter {
 public:
  // workers >= 1; with one, or texts that fit in one batch, no thread is started.
  // word_bytes: memory for the words that all workers together hold (WordCounter).
  // max_sentence_tokens: a longer text becomes several sentences.
  TextCounter(const Tokenizer& tokenizer, size_t workers, uint64_t word_bytes,
              size_t max_sentence_tokens, BlockStore* blocks);
  ~TextCounter();
  // Throws what a worker threw, also at an earlier text; std::system_error where no thread starts.
  void Add(std::string_view text);
  // The texts that follow are new: is_new in ForEachSentence. Where it is never called all are.
  void BeginNew();
  // More may be added after it.
  void Finish();
  uint64_t text_count() const { return text_count_; }
  // So far: what was added last may still wait.
  uint64_t token_count() const { return token_count_; }

  // Adds the words, in the order in which the texts have them, with their counts. REQUIRES: Finish;
  // nothing is added after it.
  void Merge(WordCounter* words);
  // The words of sentences are final_ids[provisional id of Merge's counter] from here on.
  // REQUIRES: Merge, once.
  void Rename(std::span<const uint32_t> final_ids);
  // Fills in words->forms. counts: of the words in the texts that were added. Ends what was kept
  // for it.
  // REQUIRES: Rename to the ids of words.
  void ChooseForms(std::span<const uint64_t> counts, Vocabulary* words);
  // visit(std::vector<uint32_t>*, bool is_new) for each sentence, in the order of the texts. drop:
  // gives the memory back on the way, the last time. tick() now and then; it may throw, or be
  // empty.
  // REQUIRES: Rename.
  template <typename Visit>
  void ForEachSentence(bool drop, const std::function<void()>& tick, Visit visit) {
    std::vector<uint32_t> words;
    std::string scratch;
    for (size_t number = 0; number < done_.size(); number++) {
      const auto& [worker, block] = done_[number];
      const std::vector<uint32_t>& ids = workers_[worker]->ids;
      const std::string_view bytes = blocks_->Read(block, 0, SIZE_MAX, &scratch);
      for (const char* in = bytes.data(); in != bytes.data() + bytes.size();) {
        words.resize(ReadVarint(&in));
        for (uint32_t& word : words) word = ids[ReadVarint(&in)];
        visit(&words, number >= first_new_batch_);
      }
      if (drop) blocks_->Drop(block);
      if (tick) tick();
    }
    if (drop) done_.clear();
  }

 private:
  struct Batch {
    uint64_t number = 0;
    std::string bytes;         // texts end to end
    std::vector<size_t> ends;  // of each
  };
  struct Done {
    uint32_t worker = 0, block = 0;
  };
  // What one thread counts.
  struct Worker {
    explicit Worker(uint64_t word_bytes)
        : counter(word_bytes - word_bytes / 4), forms(word_bytes / 4) {
      tokens.KeepForms();
    }
    void CountForm(std::string_view form, uint32_t id);
    WordCounter counter;  // places: batch << 32 | token of it
    // of whole words, other than the token: the word, then the token's own id in 4 bytes
    WordCounter forms;
    std::vector<uint32_t> ids;  // [provisional ids] of Merge's counter, then final ones
    Tokens tokens;
    std::string encoded;  // of a batch; grows, is never cut
    std::string form;
  };
  void Count(const Batch& batch, uint32_t worker);
  void Send(bool more_follows);
  void Work(uint32_t worker);

  const Tokenizer& tokenizer_;
  const size_t max_sentence_tokens_;
  BlockStore* const blocks_;
  std::vector<std::unique_ptr<Worker>> workers_;
  uint64_t text_count_ = 0;
  uint64_t next_number_ = 0;
  uint64_t first_new_batch_ = 0;
  Batch filling_;
  std::atomic<uint64_t> token_count_{0};

  std::mutex mutex_;  // guards what follows up to done_
  std::condition_variable changed_;
  std::deque<Batch> waiting_;
  size_t counting_ = 0;  // batches in a worker's hands
  std::exception_ptr error_;
  bool ending_ = false;
  std::vector<Done> done_;  // [batches]
  std::vector<std::thread> threads_;
};

}  // namespace s2v
