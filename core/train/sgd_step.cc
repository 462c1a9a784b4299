#include "core/train/sgd_step.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "core/train/step_prefetch.h"

namespace s2v {
namespace {

// The group's targets, then their negative samples.
void ListWords(const StepPlan& plan, const StepPlan::Group& group, Matrix* target,
               std::vector<float*>* rows) {
  rows->clear();
  for (uint32_t i = group.targets_begin; i < group.targets_end; i++) {
    rows->push_back((*target)[plan.targets[i].word]);
  }
  for (uint32_t j = group.negatives_begin; j < group.negatives_end; j++) {
    rows->push_back((*target)[plan.negatives[j]]);
  }
}

}  // namespace

SgdStep::SgdStep(const simd::Kernels& kernels, uint32_t stride, double l1, double step_bound)
    : k_(kernels),
      stride_(stride),
      l1_(static_cast<float>(l1)),
      step_bound_(static_cast<float>(step_bound)),
      sum_(1, stride),
      total_(1, stride),
      hidden_(simd::kMostTogether, stride),
      gradient_(64, stride) {}

bool SgdStep::Apply(const StepPlan& plan, float source_rate, float target_rate, Matrix* source,
                    Matrix* target, StepLoss* loss) {
  if (plan.targets.empty()) return true;
  if (plan.targets.size() > gradient_.rows()) gradient_ = Matrix(2 * plan.targets.size(), stride_);
  row_pointers_.clear();
  for (const uint32_t row : plan.rows) row_pointers_.push_back((*source)[row]);
  const StepPrefetch prefetch(plan, row_pointers_, *target);
  SumRows(prefetch);
  for (size_t g = 0; g < plan.groups.size(); g++) {
    const StepPlan::Group& group = plan.groups[g];
    prefetch.Group(g + 1);
    ListWords(plan, group, target, &target_rows_);
    if (!Score(plan, group)) return false;
    if (loss != nullptr) AddLoss(group, loss);
    if (target_rate == 0) continue;
    // from probabilities to steps: rate * (label - probability)
    const size_t targets = group.size(), words = target_rows_.size();
    for (size_t i = 0; i < targets; i++) {
      float* steps = scores_.data() + i * words;
      for (size_t j = 0; j < words; j++) {
        const float label = j == i ? 1.0f : 0.0f;
        steps[j] = group.Takes(i, j) ? target_rate * (label - steps[j]) : 0.0f;
      }
    }
    k_.pull_rows(gradient_[group.targets_begin], scores_.data(), target_rows_.data(), words,
                 hidden_[0], targets, stride_);
    if (l1_ == 0) continue;
    for (size_t j = 0; j < words; j++) {
      const float times = j < targets ? 1.0f : static_cast<float>(targets);
      k_.soft_threshold(target_rows_[j], times * l1_ * target_rate, stride_);
    }
  }
  if (target_rate > 0) MoveSourceRows(plan, source_rate, source_rate / target_rate, prefetch);
  return true;
}

// s, once for all targets
void SgdStep::SumRows(const StepPrefetch& prefetch) {
  std::memset(sum_[0], 0, stride_ * sizeof(float));
  prefetch.VisitRows([&](size_t first, size_t count) {
    if (ones_.size() < count) ones_.resize(count, 1.0f);
    k_.axpy_rows(sum_[0], ones_.data(), row_pointers_.data() + first, count, stride_);
  });
}

bool SgdStep::Score(const StepPlan& plan, const StepPlan::Group& group) {
  const size_t targets = group.size(), words = target_rows_.size();
  for (size_t i = 0; i < targets; i++) {
    const StepPlan::Target& t = plan.targets[group.targets_begin + i];
    read_rows_.clear();
    for (uint32_t e = t.excluded_begin; e < t.excluded_end; e++) {
      read_rows_.push_back(row_pointers_[plan.excluded[e]]);
    }
    k_.scaled_difference(hidden_[i], sum_[0], read_rows_.data(), read_rows_.size(),
                         ContextScale(plan, t), stride_);
  }
  scores_.resize(targets * words);
  k_.dot_rows(scores_.data(), target_rows_.data(), words, hidden_[0], targets, stride_);
  for (const float score : scores_) {
    if (!std::isfinite(score)) return false;
  }
  k_.sigmoid(scores_.data(), scores_.size());
  return true;
}

// -log of the probability of each label, kept finite where a sigmoid saturates
void SgdStep::AddLoss(const StepPlan::Group& group, StepLoss* loss) const {
  constexpr float kSmallest = 1e-8f;
  const size_t targets = group.size();
  const size_t words = scores_.size() / targets;
  for (size_t i = 0; i < targets; i++) {
    const float* scores = scores_.data() + i * words;
    for (size_t j = 0; j < words; j++) {
      if (!group.Takes(i, j)) continue;
      loss->loss -= std::log(std::max(j == i ? scores[j] : 1 - scores[j], kSmallest));
    }
  }
  loss->targets += targets;
}

// All rows move by total_, but for what they are excluded from, and so does their average.
void SgdStep::BoundMove(size_t rows) {
  if (step_bound_ == 0) return;
  const float average = std::sqrt(k_.dot(sum_[0], sum_[0], stride_)) / static_cast<float>(rows);
  const float move = std::sqrt(k_.dot(total_[0], total_[0], stride_));
  if (!(move > step_bound_ * average)) return;
  const float shorter = step_bound_ * average / move;
  k_.scale(total_[0], shorter, stride_);
  for (float& scale : gradient_scale_) scale *= shorter;
}

// v_r += sum over the targets i with r in their context of c_i G_i.
void SgdStep::MoveSourceRows(const StepPlan& plan, float source_rate, float rate_ratio,
                             const StepPrefetch& prefetch) {
  gradient_scale_.clear();
  read_rows_.clear();
  for (size_t i = 0; i < plan.targets.size(); i++) {
    gradient_scale_.push_back(ContextScale(plan, plan.targets[i]) * rate_ratio);
    read_rows_.push_back(gradient_[i]);
  }
  std::memset(total_[0], 0, stride_ * sizeof(float));
  k_.axpy_rows(total_[0], gradient_scale_.data(), read_rows_.data(), read_rows_.size(), stride_);
  BoundMove(plan.rows.size());
  prefetch.VisitRows([&](size_t first, size_t count) {
    k_.add_to_rows(row_pointers_.data() + first, count, total_[0], stride_);
  });
  // Targets of one word are excluded from the same rows: their gradients, together.
  for (size_t i = 0; i < plan.targets.size(); i++) {
    const uint32_t first = plan.targets[i].same_as;
    if (first != StepPlan::kItself) k_.axpy(gradient_[first], 1, gradient_[i], stride_);
  }
  // Taking all that a row is excluded from out of total_ first, and so writing it once, is slower:
  // rows are then moved one by one.
  for (size_t i = 0; i < plan.targets.size(); i++) {
    prefetch.Excluded(i + 1);
    const StepPlan::Target& t = plan.targets[i];
    if (t.same_as != StepPlan::kItself) continue;
    for (uint32_t e = t.excluded_begin; e < t.excluded_end; e++) {
      k_.axpy(row_pointers_[plan.excluded[e]], -gradient_scale_[i], gradient_[i], stride_);
    }
  }
  if (l1_ > 0) ShrinkSourceRows(plan, source_rate);
}

void SgdStep::ShrinkSourceRows(const StepPlan& plan, float source_rate) {
  float all = 0;
  for (const StepPlan::Target& t : plan.targets) all += ContextScale(plan, t);
  shrink_.assign(plan.rows.size(), all);
  for (const StepPlan::Target& t : plan.targets) {
    for (uint32_t e = t.excluded_begin; e < t.excluded_end; e++) {
      shrink_[plan.excluded[e]] -= ContextScale(plan, t);
    }
  }
  for (size_t r = 0; r < plan.rows.size(); r++) {
    k_.soft_threshold(row_pointers_[r], std::max(0.0f, shrink_[r]) * l1_ * source_rate, stride_);
  }
}

}  // namespace s2v
