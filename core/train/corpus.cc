#include "core/train/corpus.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "core/error.h"
#include "core/train/sampling.h"

namespace s2v {
namespace {

const Tokenizer& ValidTokenizer(const Config& config) {
  ValidateConfig(config);
  return TokenizerOf(config);
}

// The sentences that are trained on: a sentence of fewer than two known words teaches nothing.
bool IsTrained(const std::vector<uint32_t>& words) {
  return std::count(words.begin(), words.end(), kUnknownWord) + 2 <=
         static_cast<int64_t>(words.size());
}

// visit(start, n, bucket) for the n-grams of a sentence, 2 <= n <= order: words start .. start+n-1,
// none of them unknown.
class NgramBuckets {
 public:
  NgramBuckets(const Vocabulary& vocabulary, const Config& config)
      : vocabulary_(vocabulary), order_(static_cast<size_t>(config.ngram_order)) {}
  template <typename Visit>
  void ForEach(std::span<const uint32_t> words, Visit visit) {
    word_hashes_.resize(words.size());
    size_t known = 0;  // length of the run of known words that ends here
    for (size_t end = 0; end < words.size(); end++) {
      if (words[end] == kUnknownWord) {
        known = 0;
        continue;
      }
      word_hashes_[end] = vocabulary_.words.hash(words[end]);
      known++;
      for (size_t n = 2; n <= order_ && n <= known; n++) {
        const size_t start = end + 1 - n;
        visit(start, n, static_cast<uint32_t>(HashNgram(&word_hashes_[start], n) % kBucketCount));
      }
    }
  }
  // find(bucket) gives a row or kNoRow.
  template <typename Find>
  void FillRows(Sentence* sentence, Find find) {
    const size_t length = sentence->words.size();
    sentence->ngram_rows.assign((order_ - 1) * length, kNoRow);
    ForEach(sentence->words, [&](size_t start, size_t n, uint32_t bucket) {
      sentence->ngram_rows[(n - 2) * length + start] = find(bucket);
    });
  }

 private:
  const Vocabulary& vocabulary_;
  const size_t order_;
  std::vector<uint64_t> word_hashes_;
};

// A number for each bucket: first its count, then its row + 1, or 0.
using BucketTable = std::vector<uint32_t>;  // [kBucketCount]; empty without n-grams

// Counts are cut so that no sum exceeds 32 bits.
void SumCounts(RankGroup* ranks, BucketTable* table) {
  const uint32_t most = std::numeric_limits<uint32_t>::max() / ranks->size();
  for (uint32_t& count : *table) count = std::min(count, most);
  ranks->Sum(*table);
}

// The n-grams of a former model keep their rows, however rare they are now.
void RaiseCounts(const std::vector<uint32_t>& buckets, const std::vector<uint32_t>& counts,
                 int64_t min_count, BucketTable* table) {
  for (size_t i = 0; i < buckets.size(); i++) {
    uint32_t& count = (*table)[buckets[i]];
    count = std::max({count, counts[i], static_cast<uint32_t>(min_count)});
  }
}

// Turns the counts into rows + 1, 0 for those below min_count.
void CutBuckets(int64_t min_count, BucketTable* table, Corpus* corpus) {
  for (uint32_t bucket = 0; bucket < table->size(); bucket++) {
    uint32_t& number = (*table)[bucket];
    if (number > 0 && number >= min_count) {
      corpus->ngram_counts.push_back(number);
      corpus->ngram_buckets.push_back(bucket);
      number = static_cast<uint32_t>(corpus->ngram_buckets.size());
    } else {
      number = 0;
    }
  }
  corpus->ngram_buckets.shrink_to_fit();
  corpus->ngram_counts.shrink_to_fit();
}

}  // namespace

void FindNgramRows(const Vocabulary& vocabulary, const std::vector<uint32_t>& buckets,
                   const Config& config, Sentence* sentence) {
  NgramBuckets(vocabulary, config).FillRows(sentence, [&](uint32_t bucket) {
    const auto at = std::lower_bound(buckets.begin(), buckets.end(), bucket);
    return at == buckets.end() || *at != bucket ? kNoRow
                                                : static_cast<uint32_t>(at - buckets.begin());
  });
}

// The workers count in half of the bytes; the other half is for what is merged.
CorpusBuilder::CorpusBuilder(const Config& config, Spool spool, uint64_t word_bytes)
    : config_(config),
      blocks_(std::make_shared<BlockStore>(std::move(spool))),
      counter_(ValidTokenizer(config), WorkerCount(config), word_bytes / 2,
               static_cast<size_t>(config.recipe.max_sentence_words), blocks_.get()),
      words_(word_bytes / 2),
      word_bytes_(word_bytes) {}

void CorpusBuilder::ContinueFrom(const Model& model) {
  words_.Expect(model.vocabulary);
  for (uint32_t id = 0; id < model.vocabulary.forms.size(); id++) {
    const std::string& form = model.vocabulary.forms[id];
    if (!form.empty()) expected_forms_.emplace_back(model.vocabulary.words[id], form);
  }
  expected_buckets_ = model.ngram_buckets;
  expected_ngrams_ = model.ngram_counts;
}

const CorpusShape& CorpusBuilder::shape() {
  if (!counted_) {
    counter_.Finish();
    counter_.Merge(&words_);
    shape_ = {counter_.text_count(), words_.token_count(), words_.size()};
    if (!ranks_->IsAlone()) {
      const std::vector<uint64_t> texts = ranks_->Gather(shape_.texts);
      const auto none = std::find(texts.begin(), texts.end(), 0);
      if (none != texts.end()) {
        throw SharedError("rank " + std::to_string(none - texts.begin()) +
                          " has no texts: start fewer ranks, or give it some");
      }
      shared_words_.emplace(ranks_, words_, word_bytes_ / 2);
      shape_ = {std::accumulate(texts.begin(), texts.end(), uint64_t{0}), shared_words_->tokens(),
                shared_words_->distinct_words()};
    }
    counted_ = true;
  }
  return shape_;
}

Corpus CorpusBuilder::Finish(const Tick& tick) {
  Corpus corpus;
  corpus.text_count = shape().texts;
  std::vector<uint32_t> final_ids;
  corpus.vocabulary = SelectWords(&final_ids);
  // in this rank's texts alone, without a former model's
  std::vector<uint64_t> counts(corpus.vocabulary.size());
  for (uint32_t i = 0; i < words_.size(); i++) {
    const uint32_t id = final_ids[words_.provisional(i)];
    if (id != kUnknownWord) counts[id] = words_.count(i);
  }
  corpus.dropped = shared_words_ ? shared_words_->dropped() : words_.dropped();
  words_ = WordCounter(0);
  counter_.Rename(final_ids);
  final_ids = {};
  counter_.ChooseForms(counts, &corpus.vocabulary);
  KeepForms(counts, &corpus.vocabulary);

  const bool with_ngrams = config_.ngram_order > 1;
  NgramBuckets ngrams(corpus.vocabulary, config_);
  BucketTable table(with_ngrams ? kBucketCount : 0);
  if (with_ngrams) {
    counter_.ForEachSentence(false, tick, [&](std::vector<uint32_t>* words, bool) {
      if (!IsTrained(*words)) return;
      ngrams.ForEach(*words, [&](size_t, size_t, uint32_t bucket) {
        uint32_t& count = table[bucket];
        if (count != std::numeric_limits<uint32_t>::max()) count++;
      });
    });
    if (!ranks_->IsAlone()) SumCounts(ranks_, &table);
    RaiseCounts(expected_buckets_, expected_ngrams_, config_.recipe.min_ngram_count, &table);
    CutBuckets(config_.recipe.min_ngram_count, &table, &corpus);
  }
  corpus.store = SentenceStore(static_cast<size_t>(config_.ngram_order), blocks_);
  Sentence sentence;
  counter_.ForEachSentence(true, tick, [&](std::vector<uint32_t>* words, bool is_new) {
    if (!IsTrained(*words)) return;
    sentence.words.swap(*words);
    if (with_ngrams) {
      ngrams.FillRows(&sentence, [&](uint32_t bucket) { return table[bucket] - 1; });
    }
    for (const uint32_t word : sentence.words) corpus.known_tokens += word != kUnknownWord;
    corpus.store.Add(sentence);
    if (!is_new) corpus.first_new_sentence++;
  });
  corpus.store.Finish();
  CheckTrainable(corpus);
  corpus.known_tokens = ranks_->Total(corpus.known_tokens);
  corpus.other_sentences = ranks_->Total(corpus.sentences()) - corpus.sentences();
  return corpus;
}

// Keeps the forms of a former model's words that no text has any more.
void CorpusBuilder::KeepForms(std::span<const uint64_t> counts, Vocabulary* words) const {
  for (const auto& [word, form] : expected_forms_) {
    const uint32_t id = words->words.Find(word, HashWord(word));
    if (id == kUnknownWord || counts[id] > 0) continue;
    words->forms.resize(words->size());
    words->forms[id] = form;
  }
}

Vocabulary CorpusBuilder::SelectWords(std::vector<uint32_t>* final_ids) {
  const auto min_count = static_cast<uint64_t>(config_.min_count);
  const auto most = static_cast<uint32_t>(config_.max_vocabulary);
  if (!shared_words_) return words_.Select(min_count, most, final_ids);
  Vocabulary vocabulary = shared_words_->Select(min_count, most, words_, final_ids);
  shared_words_.reset();
  return vocabulary;
}

void CorpusBuilder::CheckTrainable(const Corpus& corpus) const {
  const std::string found =
      std::to_string(shape_.texts) + " texts with " + std::to_string(shape_.tokens) + " tokens";
  if (shape_.tokens == 0) {
    const char* const none =
        shape_.texts == 0 ? "; NULLs, BLOBs and rows that `where` leaves out are no texts" : "";
    throw InvalidArgument("nothing to train on: " + found + none);
  }
  if (corpus.sentences() == 0) {
    throw InvalidArgument(
        "nothing to train on: " + found + ", none with two words that occur min_count = " +
        std::to_string(config_.min_count) + " times; " +
        (config_.min_count > 1
             ? "lower min_count"
             : "texts of several words are needed; single words are found by FTS5, or by an index that is made before the rows"));
  }
  if (TargetWords(corpus.vocabulary, config_) < 2) {
    throw InvalidArgument("nothing to predict: fewer than two words occur min_target_count = " +
                          std::to_string(config_.min_target_count) + " times; " +
                          (config_.min_target_count > 1 ? "lower min_target_count"
                                                        : "texts of several words are needed"));
  }
}

}  // namespace s2v
