// One step of stochastic gradient descent: a sentence, all of its targets at once.
//
// For a sentence S with features R(S) and each kept target word w_i (eq. 3 of the paper,
// l(x) = log(1 + e^-x)):
//
//   C_i = R(S) without w_i, wherever it occurs, and without the n-grams that contain it
//         (config.context_threshold: frequent words are left out of R(S) at random, and n-grams
//         of which no word stays)
//   h_i = c_i * sum of v_r over C_i,   c_i = 1 / |C_i|
//   loss_i = l(u_{w_i} . h_i) + sum over its negative samples w' of l(-u_{w'} . h_i)
//
// The context sum over R(S) is formed once and each target takes out what it excludes, so that a
// sentence costs O(|S|) vector operations. A few targets share their negative samples, so that a
// row of these is read and written once for all of them. All targets see the source rows as they
// were at the start of the sentence, and the target rows as the group before left them.
//
// A large step moves a sentence's rows past where its loss is least, and from a size on, which
// depends on the corpus, the rows grow without end. So the move of the source rows is bounded to a
// share of the length of their average (config.recipe), which lets a large step be taken on any
// corpus: a gradient clipped by its norm (Pascanu, Mikolov, Bengio, ICML 2013), measured against
// what it moves.
//
// A step is planned (all random choices) and then applied (all arithmetic).
//
// Thread rule: a SentencePlanner and a SgdStep belong to one worker. Apply writes on matrices that
// other workers use at the same time (Hogwild: Niu, Recht, Re, Wright, NIPS 2011), only through
// kernels.
#pragma once

#include <cstdint>
#include <vector>

#include "core/model/matrix.h"
#include "core/random.h"
#include "core/simd/kernels.h"
#include "core/train/corpus.h"
#include "core/train/sampling.h"

namespace s2v {

struct StepPlan {
  static constexpr uint32_t kItself = 0xffffffffu;
  struct Target {
    uint32_t word;
    uint32_t excluded_begin = 0, excluded_end = 0;  // in excluded
    uint32_t same_as = kItself;  // in targets: one before it, of the same word and excluded
  };
  // Targets that share their negative samples.
  struct Group {
    uint32_t targets_begin = 0, targets_end = 0;      // in targets: 1 to simd::kMostTogether
    uint32_t negatives_begin = 0, negatives_end = 0;  // in negatives
    // Bit i: the group's i-th target was drawn too, a negative sample of the others.
    uint32_t drawn_targets = 0;
    size_t size() const { return targets_end - targets_begin; }
    bool Takes(size_t target, size_t word) const {  // word: of the targets, then of negatives
      return word >= size() || word == target || (drawn_targets >> word & 1) != 0;
    }
  };
  std::vector<uint32_t> rows;       // source rows of R(S) after dropout, as often as they occur
  std::vector<uint32_t> excluded;   // indexes into rows
  std::vector<Target> targets;      // each leaves at least one row
  std::vector<Group> groups;        // all targets, in their order
  std::vector<uint32_t> negatives;  // of a group: words that are distinct, as its targets are from
                                    // each other and from them
  std::vector<uint32_t> fresh;      // words: negative samples that were not used lately
};

struct StepLoss {
  double loss = 0;  // sum of eq. 3 over the targets
  uint64_t targets = 0;
};

class StepPrefetch;

class SgdStep {
 public:
  // l1: as in Config, step_bound: as in Recipe.
  SgdStep(const simd::Kernels& kernels, uint32_t stride, double l1, double step_bound = 0);
  // Moves the rows that the plan names: target rows by target_rate, source rows by source_rate
  // times the negative gradient; then L1; nothing where target_rate is 0. Returns false, having
  // moved nothing more, where a score is not finite. loss may be null: not measured.
  bool Apply(const StepPlan& plan, float source_rate, float target_rate, Matrix* source,
             Matrix* target, StepLoss* loss);

 private:
  // REQUIRES, of all: row_pointers_ are the plan's, and target_rows_ the group's.
  // Forms s of a plan's rows in sum_.
  void SumRows(const StepPrefetch& prefetch);
  // Forms h_i of the group's targets in hidden_, and the probabilities in scores_. False where a
  // score is not finite.
  bool Score(const StepPlan& plan, const StepPlan::Group& group);
  void AddLoss(const StepPlan::Group& group, StepLoss* loss) const;
  // Shortens total_ and gradient_scale_ where they would move more than step_bound_ allows.
  void BoundMove(size_t rows);
  void MoveSourceRows(const StepPlan& plan, float source_rate, float rate_ratio,
                      const StepPrefetch& prefetch);
  // L1: each row by as much as the targets with it in their context say.
  void ShrinkSourceRows(const StepPlan& plan, float source_rate);
  float ContextScale(const StepPlan& plan, const StepPlan::Target& t) const {
    return 1.0f / static_cast<float>(plan.rows.size() - (t.excluded_end - t.excluded_begin));
  }

  const simd::Kernels& k_;
  const uint32_t stride_;
  const float l1_, step_bound_;
  Matrix sum_;                           // [1] s
  Matrix total_;                         // [1] sum over i of c_i G_i
  Matrix hidden_;                        // [kMostTogether] h_i
  Matrix gradient_;                      // [targets] target_rate * G_i
  std::vector<float*> row_pointers_;     // of the plan's rows
  std::vector<float*> target_rows_;      // of a group's words
  std::vector<const float*> read_rows_;  // excluded rows of a target; gradients
  // [targets of the group x (the same targets, negatives)]; then steps
  std::vector<float> scores_;
  std::vector<float> gradient_scale_;  // [targets] c_i * source_rate / target_rate
  std::vector<float> shrink_;          // [rows]
  std::vector<float> ones_;            // [rows visited at a time]
};

}  // namespace s2v
