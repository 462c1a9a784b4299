// The random choices of a step: dropout, targets, negative samples.
#include <algorithm>

#include "core/train/sgd_step.h"

namespace s2v {

void StepPlan::Clear() {
  rows.clear();
  excluded.clear();
  targets.clear();
  groups.clear();
  negatives.clear();
}

SentencePlanner::SentencePlanner(const Config& config, const Corpus& corpus,
                                 const std::vector<float>& keep, const NegativeSampler& negatives)
    : config_(config),
      corpus_(corpus),
      keep_(keep),
      negatives_(negatives),
      order_(static_cast<size_t>(config.ngram_order)) {}

void SentencePlanner::Plan(std::span<const uint32_t> sentence, Random* random, StepPlan* plan) {
  plan->Clear();
  AddWords(sentence, plan);
  if (order_ > 1) AddNgrams(sentence, random, plan);
  for (uint32_t i = 0; i < words_.size(); i++) {
    const uint32_t word = words_[i];
    if (word < keep_.size() && random->Uniform() < keep_[word]) AddTarget(i, plan);
  }
  AddNegatives(random, plan);
}

// The words are the first rows of the plan; links the occurrences of each word.
void SentencePlanner::AddWords(std::span<const uint32_t> sentence, StepPlan* plan) {
  words_.clear();
  positions_.clear();
  for (uint32_t i = 0; i < sentence.size(); i++) {
    if (sentence[i] == kUnknownWord) continue;
    words_.push_back(sentence[i]);
    positions_.push_back(i);
  }
  plan->rows = words_;
  size_t size = 16;
  while (size < 2 * words_.size()) size *= 2;
  slots_.assign(size, ~uint64_t{0});  // word << 32 | last occurrence
  previous_.resize(words_.size());
  last_.resize(words_.size());
  ranges_.assign(words_.size(), {0, 0});
  for (uint32_t i = 0; i < words_.size(); i++) {
    size_t slot = (words_[i] * 0x9e3779b1u) & (size - 1);
    while (slots_[slot] != ~uint64_t{0} && slots_[slot] >> 32 != words_[i]) {
      slot = (slot + 1) & (size - 1);
    }
    previous_[i] = slots_[slot] == ~uint64_t{0} ? -1 : static_cast<int32_t>(slots_[slot]);
    slots_[slot] = uint64_t{words_[i]} << 32 | i;
  }
  for (const uint64_t slot : slots_) {
    if (slot == ~uint64_t{0}) continue;
    const auto last = static_cast<int32_t>(slot & 0xffffffffu);
    for (int32_t i = last; i >= 0; i = previous_[i]) last_[i] = last;
  }
}

void SentencePlanner::AddNgrams(std::span<const uint32_t> sentence, Random* random,
                                StepPlan* plan) {
  ngrams_.clear();
  const uint64_t bucket_count = corpus_.bucket_rows.size();
  ForEachNgram(
      sentence, order_, [&](uint32_t id) { return corpus_.vocabulary.words.hash(id); },
      &word_hashes_,
      [&](size_t start, size_t n, uint64_t hash) {
        const uint32_t row = corpus_.bucket_rows[hash % bucket_count];
        if (row == kNoRow) return;
        ngrams_.push_back({static_cast<uint32_t>(start), static_cast<uint32_t>(n), row});
      });
  // At most half, so that the n-grams of short sentences are trained too.
  const size_t drop = std::min(static_cast<size_t>(config_.ngram_dropout), ngrams_.size() / 2);
  for (size_t i = 0; i < drop; i++) {
    std::swap(ngrams_[random->Below(static_cast<uint32_t>(ngrams_.size()))], ngrams_.back());
    ngrams_.pop_back();
  }
  ngram_at_.assign((order_ - 1) * sentence.size(), -1);
  for (const Ngram& ngram : ngrams_) {
    ngram_at_[(ngram.n - 2) * sentence.size() + ngram.start] =
        static_cast<int32_t>(plan->rows.size());
    plan->rows.push_back(corpus_.vocabulary.size() + ngram.row);
  }
}

// Adds the known word i as a target, excluding all its occurrences and the n-grams over them.
void SentencePlanner::AddTarget(uint32_t i, StepPlan* plan) {
  Range& range = ranges_[static_cast<size_t>(last_[i])];
  if (range.end != range.begin) {  // a target already, at another place
    plan->targets.push_back({words_[i], range.begin, range.end});
    return;
  }
  StepPlan::Target target{words_[i], static_cast<uint32_t>(plan->excluded.size()), 0};
  for (int32_t j = last_[i]; j >= 0; j = previous_[j]) {
    plan->excluded.push_back(static_cast<uint32_t>(j));
  }
  if (order_ > 1) {
    const size_t length = ngram_at_.size() / (order_ - 1);
    for (size_t n = 2; n <= order_; n++) {
      // Occurrences come from the right, so an n-gram over two of them is met first from the right
      // one: starts at or beyond `done` are excluded already.
      size_t done = length;
      for (int32_t j = last_[i]; j >= 0; j = previous_[j]) {
        const size_t position = positions_[static_cast<size_t>(j)];
        const size_t first = position + 1 >= n ? position + 1 - n : 0;
        for (size_t start = first; start <= position && start < done; start++) {
          const int32_t index = ngram_at_[(n - 2) * length + start];
          if (index >= 0) plan->excluded.push_back(static_cast<uint32_t>(index));
        }
        done = first;
      }
    }
  }
  target.excluded_end = static_cast<uint32_t>(plan->excluded.size());
  if (target.excluded_end - target.excluded_begin == plan->rows.size()) {
    plan->excluded.resize(target.excluded_begin);  // nothing is left to predict it from
    return;
  }
  plan->targets.push_back(target);
  range = {target.excluded_begin, target.excluded_end};
}

void SentencePlanner::AddNegatives(Random* random, StepPlan* plan) {
  const auto targets = static_cast<uint32_t>(plan->targets.size());
  const uint32_t group = config_.shared_negatives ? kGroupTargets : 1;
  // Groups of even size: 9 targets are 5 and 4, not 8 and 1.
  const uint32_t groups = (targets + group - 1) / group;
  for (uint32_t g = 0; g < groups; g++) {
    const auto begin = static_cast<uint32_t>(plan->negatives.size());
    for (int64_t i = 0; i < config_.negatives; i++) {
      plan->negatives.push_back(negatives_.Draw(random));
    }
    plan->groups.push_back({targets * g / groups, targets * (g + 1) / groups, begin,
                            static_cast<uint32_t>(plan->negatives.size())});
  }
}

}  // namespace s2v
