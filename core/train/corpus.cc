#include "core/train/corpus.h"

#include <algorithm>
#include <limits>

#include "core/error.h"

namespace s2v {
namespace {

// Distinct words held while counting. About 60 bytes each: 2 GB at the most.
constexpr uint32_t kMaxWordsInMemory = 32000000;

}  // namespace

CorpusBuilder::CorpusBuilder(const Config& config)
    : config_(config),
      tokenizer_(FindTokenizer(config.tokenizer)),
      counter_(
          std::max<uint32_t>(kMaxWordsInMemory, static_cast<uint32_t>(config.max_vocabulary))) {
  ValidateConfig(config);
}

void CorpusBuilder::ContinueFrom(const Model& model) {
  counter_.Expect(model.vocabulary);
  expected_buckets_ = model.ngram_buckets;
  expected_ngrams_ = model.ngram_counts;
}

void CorpusBuilder::BeginNew() {
  ends_before_new_ = ends_.size();
}

void CorpusBuilder::Add(std::string_view text) {
  text_count_++;
  tokenizer_->Tokenize(text, &scratch_);
  for (size_t i = 0; i < scratch_.size(); i++) {
    tokens_.push_back(counter_.Add(scratch_[i]));
    if (i % kMaxSentenceTokens == kMaxSentenceTokens - 1) ends_.push_back(tokens_.size());
  }
  if (!scratch_.empty() && (ends_.empty() || ends_.back() != tokens_.size())) {
    ends_.push_back(tokens_.size());
  }
}

Corpus CorpusBuilder::Finish() {
  Corpus corpus;
  corpus.text_count = text_count_;
  std::vector<uint32_t> final_ids;
  corpus.vocabulary = counter_.Select(static_cast<uint64_t>(config_.min_count),
                                      static_cast<uint32_t>(config_.max_vocabulary), &final_ids);
  uint64_t write = 0, begin = 0, done = 0;
  for (const uint64_t end : ends_) {
    if (done++ == ends_before_new_) corpus.first_new_sentence = corpus.sentences();
    const uint64_t sentence_begin = write;
    uint64_t known = 0;
    for (uint64_t i = begin; i < end; i++) {
      const uint32_t id = final_ids[tokens_[i]];
      known += id != kUnknownWord;
      tokens_[write++] = id;
    }
    begin = end;
    if (known < 2) {
      write = sentence_begin;
    } else {
      corpus.sentence_ends.push_back(write);
    }
  }
  if (done == ends_before_new_) corpus.first_new_sentence = corpus.sentences();
  tokens_.resize(write);
  corpus.tokens = std::move(tokens_);
  tokens_.clear();
  ends_.clear();

  const std::string found = std::to_string(text_count_) + " texts with " +
                            std::to_string(counter_.token_count()) + " tokens";
  if (counter_.token_count() == 0) {
    throw InvalidArgument("nothing to train on: " + found);
  }
  if (corpus.sentences() == 0) {
    throw InvalidArgument("nothing to train on: " + found +
                          ", none with two words that occur min_count = " +
                          std::to_string(config_.min_count) + " times; lower min_count");
  }
  if (corpus.vocabulary.PrefixWithCount(static_cast<uint64_t>(config_.min_target_count)) < 2) {
    throw InvalidArgument("nothing to predict: fewer than two words occur min_target_count = " +
                          std::to_string(config_.min_target_count) +
                          " times; lower min_target_count");
  }
  if (config_.ngram_order > 1) CountNgrams(&corpus);
  return corpus;
}

void CorpusBuilder::CountNgrams(Corpus* corpus) const {
  const auto bucket_count = static_cast<uint64_t>(config_.bucket_count);
  std::vector<uint32_t> counts(bucket_count, 0);
  std::vector<uint64_t> word_hashes;
  for (uint64_t i = 0; i < corpus->sentences(); i++) {
    ForEachNgram(
        corpus->Sentence(i), static_cast<size_t>(config_.ngram_order),
        [&](uint32_t id) { return corpus->vocabulary.words.hash(id); }, &word_hashes,
        [&](size_t, size_t, uint64_t hash) {
          uint32_t& count = counts[hash % bucket_count];
          if (count != std::numeric_limits<uint32_t>::max()) count++;
        });
  }
  for (size_t i = 0; i < expected_buckets_.size(); i++) {
    uint32_t& count = counts[expected_buckets_[i]];
    count = std::max({count, expected_ngrams_[i],
                      static_cast<uint32_t>(std::min<uint64_t>(
                          config_.min_ngram_count, std::numeric_limits<uint32_t>::max()))});
  }
  corpus->bucket_rows.assign(bucket_count, kNoRow);
  for (uint64_t bucket = 0; bucket < bucket_count; bucket++) {
    if (counts[bucket] < static_cast<uint64_t>(config_.min_ngram_count)) continue;
    corpus->bucket_rows[bucket] = static_cast<uint32_t>(corpus->ngram_buckets.size());
    corpus->ngram_buckets.push_back(static_cast<uint32_t>(bucket));
    corpus->ngram_counts.push_back(counts[bucket]);
  }
}

}  // namespace s2v
