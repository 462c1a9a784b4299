// The random choices of a step: dropout, targets, negative samples. A sentence becomes one plan.
//
// Thread rule: a planner belongs to one worker.
#pragma once

#include <span>
#include <vector>

#include "core/train/sgd_step.h"

namespace s2v {

class SentencePlanner {
 public:
  // words: how many the vocabulary has; their rows come before those of n-grams. keep:
  // [target_words], KeepProbabilities. context_keep: ContextProbabilities.
  SentencePlanner(const Config& config, uint32_t words, const std::vector<float>& keep,
                  const std::vector<float>& context_keep, const NegativeSampler& negatives);
  // The next plan depends on none before it.
  void Restart() { pool_.Restart(); }
  // Replaces *plan. It may have no targets.
  void Plan(const Sentence& sentence, Random* random, StepPlan* plan);

 private:
  struct Ngram {
    uint32_t start, n, row;
  };
  void AddWords(std::span<const uint32_t> sentence);
  void AddWordRows(Random* random, StepPlan* plan);
  void AddNgrams(const Sentence& sentence, Random* random, StepPlan* plan);
  void AddTarget(uint32_t i, StepPlan* plan);
  void AddGroups(Random* random, StepPlan* plan);
  void FindOccurrences(uint32_t i);

  const Config& config_;
  const uint32_t vocabulary_words_;
  const std::vector<float>& keep_;
  const std::vector<float>& context_keep_;
  NegativePool pool_;
  const size_t order_;
  // Per sentence, over its known words:
  std::vector<uint32_t> words_;        // [known] ids
  std::vector<uint32_t> positions_;    // [known] places in the sentence
  std::vector<uint32_t> occurrences_;  // of a target word, in words_, the last one first
  // Occurrences of equal words, by word modulo the size: the last one, and the one before each.
  static constexpr uint32_t kNowhere = 0xffffffffu;
  std::vector<uint32_t> last_, before_;
  std::vector<uint32_t> row_at_;     // [known] index in rows, kNowhere: left out
  std::vector<uint32_t> target_at_;  // [known] of a word's last occurrence: its target in the plan
  std::vector<Ngram> ngrams_;
  std::vector<uint32_t> group_;    // words of the targets of a group
  std::vector<int32_t> ngram_at_;  // [(n - 2) * length + start]: index in rows, -1: none
};

}  // namespace s2v
