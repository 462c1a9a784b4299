// The random choices of a step of C-BOW or skip-gram (Mikolov et al., 2013), the paper's
// word-vector rivals: a sentence becomes one small plan for each prediction, which the same SgdStep
// applies.
//
//   C-BOW      a word is predicted from the mean of the words in a window around it
//   skip-gram  each word in the window is predicted from the word in its middle
//
// Frequent words are subsampled first, as targets and as contexts; a window reaches 1 to `window`
// words to each side, at random; an unknown word takes no place in it.
#ifndef S2V_CORE_TRAIN_WINDOW_PLANNER_H_
#define S2V_CORE_TRAIN_WINDOW_PLANNER_H_

#include <span>
#include <vector>

#include "core/train/sgd_step.h"

namespace s2v {

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

#endif  // S2V_CORE_TRAIN_WINDOW_PLANNER_H_
