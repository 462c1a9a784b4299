// Rows are asked for before they are read, so that a step does not wait for memory at each of them.
//
//   StepPrefetch::Ahead(plan, source, target);          // while the sentence before is learned
//   const StepPrefetch prefetch(plan, rows, target);    // when it is the plan's turn
//
// Of a plan with more rows than a quarter of the cache little is still near when it is its turn, as
// it shares the cache with the sentence before it and the pool of negative samples. Ahead asks for
// the first ones; the others are asked for a few at a time, just before they are read.
#pragma once

#include <algorithm>
#include <span>

#include "core/model/matrix.h"
#include "core/train/sampling.h"
#include "core/train/sgd_step.h"

namespace s2v {

class StepPrefetch {
 public:
  static constexpr size_t kRowsAtATime = 32;

  static void Ahead(const StepPlan& plan, const Matrix& source, const Matrix& target) {
    if (plan.targets.empty()) return;
    const bool all = StaysNear(plan, source.stride());
    const size_t rows = all ? plan.rows.size() : std::min(plan.rows.size(), kRowsAtATime);
    for (size_t r = 0; r < rows; r++) AskFor(source[plan.rows[r]], source.stride());
    if (!all) return;
    for (const StepPlan::Target& t : plan.targets) AskFor(target[t.word], target.stride());
    for (const uint32_t word : plan.fresh) AskFor(target[word], target.stride());
  }

  // rows: the plan's.
  StepPrefetch(const StepPlan& plan, std::span<const float* const> rows, const Matrix& target)
      : plan_(plan), rows_(rows), target_(target), near_(StaysNear(plan, target.stride())) {}

  // Calls visit(first, count) for pieces of the rows, of which the next one is asked for; once for
  // all rows where they are near.
  template <typename Visit>
  void VisitRows(Visit visit) const {
    const size_t piece = near_ ? rows_.size() : kRowsAtATime;
    for (size_t first = 0; first < rows_.size(); first += piece) {
      const size_t next = std::min(first + piece, rows_.size());
      if (!near_) {
        const size_t after = std::min(next + piece, rows_.size());
        for (size_t r = next; r < after; r++) AskFor(rows_[r], target_.stride());
      }
      visit(first, next - first);
    }
  }
  // The rows that target i excludes.
  void Excluded(size_t i) const {
    if (near_ || i >= plan_.targets.size()) return;
    const StepPlan::Target& t = plan_.targets[i];
    for (uint32_t e = t.excluded_begin; e < t.excluded_end; e++) {
      AskFor(rows_[plan_.excluded[e]], target_.stride());
    }
  }
  // What group g reads.
  void Group(size_t g) const {
    if (near_ || g >= plan_.groups.size()) return;
    const StepPlan::Group& group = plan_.groups[g];
    for (uint32_t i = group.targets_begin; i < group.targets_end; i++) {
      AskFor(target_[plan_.targets[i].word], target_.stride());
      Excluded(i);
    }
    for (uint32_t j = group.negatives_begin; j < group.negatives_end; j++) {
      AskFor(target_[plan_.negatives[j]], target_.stride());
    }
  }

 private:
  static bool StaysNear(const StepPlan& plan, uint32_t stride) {
    return (plan.rows.size() + plan.targets.size() + plan.fresh.size()) * stride * sizeof(float) <=
           kCacheQuarter;
  }
  // All lines of it, to be read: leaving the tail to the processor's own prefetcher, or asking for
  // lines to be written, took half as long again with rows at random places.
  static void AskFor(const float* row, uint32_t stride) {
    for (uint32_t i = 0; i < stride; i += 16) __builtin_prefetch(row + i, 0, 2);
  }

  const StepPlan& plan_;
  const std::span<const float* const> rows_;
  const Matrix& target_;
  const bool near_;
};

}  // namespace s2v
