// The random choices of a step: dropout, targets, negative samples.
//
//   SentencePlanner   a sentence becomes one plan
//   WindowPlanner     it becomes a small plan for each prediction
//
// Thread rule: a planner belongs to one worker.
#ifndef S2V_CORE_TRAIN_PLANNERS_H_
#define S2V_CORE_TRAIN_PLANNERS_H_

#include <span>
#include <vector>

#include "core/train/sgd_step.h"

namespace s2v {

class SentencePlanner {
 public:
  // keep [target_words]: KeepProbabilities. context_keep: ContextProbabilities.
  SentencePlanner(const Config& config, const Corpus& corpus, const std::vector<float>& keep,
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
  const Corpus& corpus_;
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

// The random choices of a step of C-BOW or skip-gram (Mikolov et al., 2013), the paper's
// word-vector rivals: a sentence becomes one small plan for each prediction, which the same SgdStep
// applies.
//
//   C-BOW      a word is predicted from the mean of the words in a window around it
//   skip-gram  each word in the window is predicted from the word in its middle
//
// Frequent words are subsampled first, as targets and as contexts; a window reaches 1 to `window`
// words to each side, at random; an unknown word takes no place in it.
class WindowPlanner {
 public:
  // keep [target_words]: KeepProbabilities. REQUIRES: config.objective is cbow or skipgram.
  WindowPlanner(const Config& config, const std::vector<float>& keep,
                const NegativeSampler& negatives);
  // As SentencePlanner::Restart.
  void Restart() { pool_.Restart(); }
  // Appends plans to *plans, beginning at *count, and moves *count behind them; plans behind it are
  // spare.
  void Plan(std::span<const uint32_t> sentence, Random* random, std::vector<StepPlan>* plans,
            size_t* count);

 private:
  const Config& config_;
  const bool skipgram_;
  const std::vector<float>& keep_;
  NegativePool pool_;
  std::vector<uint32_t> words_;  // of the sentence, after subsampling
};

}  // namespace s2v

#endif  // S2V_CORE_TRAIN_PLANNERS_H_
