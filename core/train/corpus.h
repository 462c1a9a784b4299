// A corpus as the trainer wants it: sentences as word ids and n-gram rows.
//
//   CorpusBuilder builder(config);
//   while (...) builder.Add(text);                  // tokenizes and counts, in threads of its own
//   ChooseSettings(builder.shape(), &settings);     // what the user left open
//   builder.Configure(settings.config());
//   Corpus corpus = builder.Finish();
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/config.h"
#include "core/model/model.h"
#include "core/settings.h"
#include "core/train/ranks.h"
#include "core/train/sentence_store.h"
#include "core/train/shared_words.h"
#include "core/train/text_counter.h"
#include "core/vocab/vocabulary.h"

namespace s2v {

struct Corpus {
  Vocabulary vocabulary;
  // Sentences of at least two known words; unknown words stay as kUnknownWord, since an n-gram does
  // not reach across one.
  SentenceStore store;
  // Sentences that were added before CorpusBuilder::BeginNew come first: how many are trained on.
  uint64_t first_new_sentence = 0;
  uint64_t left_out = 0;           // sentences in the store that are not trained on (KeepForReplay)
  std::vector<uint64_t> replayed;  // [first_new_sentence] where any are left out: places in store
  // times at most that one word was met and not counted, for lack of memory
  uint64_t dropped = 0;
  uint64_t text_count = 0;              // texts added, trained on or not, by all ranks
  uint64_t known_tokens = 0;            // known words of all sentences of all ranks' stores
  uint64_t other_sentences = 0;         // of the other ranks
  std::vector<uint32_t> ngram_buckets;  // [n-gram rows], rising
  std::vector<uint32_t> ngram_counts;   // [n-gram rows], saturating

  // Those that are trained on; the rest as SentenceStore has it.
  uint64_t sentences() const { return store.size() - left_out; }
  void Read(uint64_t i, Sentence* sentence) const { store.Read(Place(i), sentence); }
  void PrefetchPlace(uint64_t i) const { store.PrefetchPlace(Place(i)); }
  void Prefetch(uint64_t i) const { store.Prefetch(Place(i)); }

 private:
  uint64_t Place(uint64_t i) const {
    if (left_out == 0) return i;
    return i < first_new_sentence ? replayed[i] : i + left_out;
  }
};

// Adds up what several processes have found of their corpora; all call it.
using SumOfRanks = std::function<void(Matrix*)>;
// Called now and then, on the caller's thread; what it throws ends the work.
using Tick = std::function<void()>;

// Fills in the rows of the n-grams of sentence->words, of a text that need not be in the corpus.
// buckets: those with a row, rising.
void FindNgramRows(const Vocabulary& vocabulary, const std::vector<uint32_t>& buckets,
                   const Config& config, Sentence* sentence);

class CorpusBuilder {
 public:
  // Memory for the words that are being counted, in all: in a larger corpus the rarest are dropped.
  static constexpr uint64_t kMostWordBytes = 2000000000;
  // Throws InvalidArgument for a configuration that cannot be.
  explicit CorpusBuilder(const Config& config, Spool spool = {},
                         uint64_t word_bytes = kMostWordBytes);
  // The corpus continues that of a model: no word or n-gram of the model has a lower count than it
  // has there, whatever is added. So all of them stay known, unless max_vocabulary or the memory
  // for words is too small. REQUIRES: the parameters that say what is counted are those of the
  // model; before Add; one rank.
  void ContinueFrom(const Model& model);
  // All ranks build one corpus: each keeps its own sentences; words and n-grams are counted over
  // all ranks.
  // REQUIRES: before shape; shape and Finish are called by all ranks.
  void ShareWith(RankGroup* ranks) { ranks_ = ranks; }
  // The texts that follow are new.
  void BeginNew() { counter_.BeginNew(); }
  void Add(std::string_view text) { counter_.Add(text); }
  uint64_t text_count() const { return counter_.text_count(); }
  // So far: what was added last may still wait for a worker.
  uint64_t token_count() const { return counter_.token_count(); }
  // Of all texts that were added. No text can be added afterwards.
  const CorpusShape& shape();
  // Settings that were chosen from the shape. REQUIRES: the tokenizer, max_vocabulary and recipe of
  // before.
  void Configure(const Config& config) { config_ = config; }
  // tick: several times a second; may be empty. Throws InvalidArgument where there is nothing to
  // learn from, saying why. REQUIRES: once.
  Corpus Finish(const Tick& tick = {});

 private:
  void CheckTrainable(const Corpus& corpus) const;
  Vocabulary SelectWords(std::vector<uint32_t>* final_ids);
  void KeepForms(std::span<const uint64_t> counts, Vocabulary* words) const;
  Config config_;
  RankGroup* ranks_ = Alone();
  std::optional<SharedWords> shared_words_;
  const std::shared_ptr<BlockStore> blocks_;
  TextCounter counter_;
  WordCounter words_;
  const uint64_t word_bytes_;
  bool counted_ = false;
  CorpusShape shape_;
  std::vector<uint32_t> expected_buckets_, expected_ngrams_;         // n-grams of a model: counts
  std::vector<std::pair<std::string, std::string>> expected_forms_;  // a word of a model, its form
};

}  // namespace s2v
