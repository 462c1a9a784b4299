#include "core/train/sentence_planner.h"

#include <algorithm>
#include <bit>

namespace s2v {

SentencePlanner::SentencePlanner(const Config& config, uint32_t words,
                                 const std::vector<float>& keep,
                                 const std::vector<float>& context_keep,
                                 const NegativeSampler& negatives)
    : config_(config),
      vocabulary_words_(words),
      keep_(keep),
      context_keep_(context_keep),
      pool_(negatives, config),
      order_(static_cast<size_t>(config.ngram_order)) {}

void SentencePlanner::Plan(const Sentence& sentence, Random* random, StepPlan* plan) {
  for (auto* list : {&plan->rows, &plan->excluded, &plan->negatives, &plan->fresh}) list->clear();
  plan->targets.clear();
  plan->groups.clear();
  AddWords(sentence.words);
  AddWordRows(random, plan);
  if (order_ > 1) AddNgrams(sentence, random, plan);
  for (uint32_t i = 0; i < words_.size(); i++) {
    const uint32_t word = words_[i];
    if (word < keep_.size() && random->Uniform() < keep_[word]) AddTarget(i, plan);
  }
  AddGroups(random, plan);
}

// Where a word is a target for the second time a new group begins, so that its row has moved before
// it is used again.
void SentencePlanner::AddGroups(Random* random, StepPlan* plan) {
  const auto end = static_cast<uint32_t>(plan->targets.size());
  for (uint32_t begin = 0, next; begin < end; begin = next) {
    group_.clear();
    for (next = begin; next < end && group_.size() < pool_.together(); next++) {
      const uint32_t word = plan->targets[next].word;
      if (std::find(group_.begin(), group_.end(), word) != group_.end()) break;
      group_.push_back(word);
    }
    const auto negatives = static_cast<uint32_t>(plan->negatives.size());
    const uint32_t drawn = pool_.Take(group_, random, &plan->negatives, &plan->fresh);
    plan->groups.push_back(
        {begin, next, negatives, static_cast<uint32_t>(plan->negatives.size()), drawn});
  }
}

void SentencePlanner::AddWords(std::span<const uint32_t> sentence) {
  words_.clear();
  positions_.clear();
  before_.clear();
  last_.assign(std::bit_ceil(2 * sentence.size() + 1), kNowhere);
  for (uint32_t i = 0; i < sentence.size(); i++) {
    const uint32_t word = sentence[i];
    if (word == kUnknownWord) continue;
    uint32_t& last = last_[word & (last_.size() - 1)];
    before_.push_back(last);
    last = static_cast<uint32_t>(words_.size());
    words_.push_back(word);
    positions_.push_back(i);
    if (word < keep_.size()) __builtin_prefetch(&keep_[word]);
    if (word < context_keep_.size()) __builtin_prefetch(&context_keep_[word]);
  }
  target_at_.assign(words_.size(), kNowhere);
}

// The words are the first rows of the plan.
void SentencePlanner::AddWordRows(Random* random, StepPlan* plan) {
  row_at_.assign(words_.size(), kNowhere);
  for (size_t i = 0; i < words_.size(); i++) {
    if (!context_keep_.empty() && random->Uniform() >= context_keep_[words_[i]]) continue;
    row_at_[i] = static_cast<uint32_t>(plan->rows.size());
    plan->rows.push_back(words_[i]);
  }
}

// An n-gram is left out if none of its words stayed in the context.
void SentencePlanner::AddNgrams(const Sentence& sentence, Random* random, StepPlan* plan) {
  ngrams_.clear();
  const size_t length = sentence.words.size();
  auto row_at = row_at_.cbegin();  // the next place behind the word at `end`
  for (uint32_t end = 0; end < length; end++) {
    if (sentence.words[end] == kUnknownWord) continue;  // in no n-gram
    ++row_at;
    for (uint32_t n = 2; n <= order_ && n <= end + 1; n++) {
      const uint32_t start = end + 1 - n;
      const uint32_t row = sentence.ngram_rows[(n - 2) * length + start];
      if (row == kNoRow) continue;  // an n-gram with an unknown word has none either
      const bool left_out =
          std::all_of(row_at - n, row_at, [](uint32_t at) { return at == kNowhere; });
      if (!left_out) ngrams_.push_back({start, n, row});
    }
  }
  // At most half, so that the n-grams of short sentences are trained too.
  const size_t drop = std::min(static_cast<size_t>(config_.ngram_dropout), ngrams_.size() / 2);
  for (size_t i = 0; i < drop; i++) {
    std::swap(ngrams_[random->Below(static_cast<uint32_t>(ngrams_.size()))], ngrams_.back());
    ngrams_.pop_back();
  }
  ngram_at_.assign((order_ - 1) * length, -1);
  for (const Ngram& ngram : ngrams_) {
    ngram_at_[(ngram.n - 2) * length + ngram.start] = static_cast<int32_t>(plan->rows.size());
    plan->rows.push_back(vocabulary_words_ + ngram.row);
  }
}

// All places of the known word i.
void SentencePlanner::FindOccurrences(uint32_t i) {
  occurrences_.clear();
  const uint32_t word = words_[i];
  for (uint32_t j = last_[word & (last_.size() - 1)]; j != kNowhere; j = before_[j]) {
    if (words_[j] == word) occurrences_.push_back(j);
  }
}

// Adds the known word i as a target, excluding all its occurrences and the n-grams over them.
void SentencePlanner::AddTarget(uint32_t i, StepPlan* plan) {
  FindOccurrences(i);
  uint32_t& first = target_at_[occurrences_.front()];
  if (first != kNowhere) {  // a target already, at another place
    StepPlan::Target same = plan->targets[first];
    same.same_as = first;
    plan->targets.push_back(same);
    return;
  }
  StepPlan::Target target{words_[i], static_cast<uint32_t>(plan->excluded.size())};
  for (const uint32_t j : occurrences_) {
    if (row_at_[j] != kNowhere) plan->excluded.push_back(row_at_[j]);
  }
  if (order_ > 1) {
    const size_t length = ngram_at_.size() / (order_ - 1);
    for (size_t n = 2; n <= order_; n++) {
      // Occurrences come from the right, so an n-gram over two of them is met first from the right
      // one: starts at or beyond `done` are excluded already.
      size_t done = length;
      for (const uint32_t j : occurrences_) {
        const size_t position = positions_[j];
        const size_t least = position + 1 >= n ? position + 1 - n : 0;
        for (size_t start = least; start <= position && start < done; start++) {
          const int32_t index = ngram_at_[(n - 2) * length + start];
          if (index >= 0) plan->excluded.push_back(static_cast<uint32_t>(index));
        }
        done = least;
      }
    }
  }
  target.excluded_end = static_cast<uint32_t>(plan->excluded.size());
  if (target.excluded_end - target.excluded_begin == plan->rows.size()) {
    plan->excluded.resize(target.excluded_begin);  // nothing is left to predict it from
    return;
  }
  first = static_cast<uint32_t>(plan->targets.size());
  plan->targets.push_back(target);
}

}  // namespace s2v
