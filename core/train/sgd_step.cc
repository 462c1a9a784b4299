#include "core/train/sgd_step.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace s2v {

SgdStep::SgdStep(const simd::Kernels& kernels, uint32_t stride, double l1)
    : k_(kernels),
      stride_(stride),
      l1_(static_cast<float>(l1)),
      sum_(1, stride),
      total_(1, stride),
      hidden_(kGroupTargets, stride),
      gradient_(64, stride) {}

namespace {

// All lines of it, to be read: leaving the tail to the processor's own prefetcher, or asking for
// lines to be written, took half as long again with rows at random places.
void PrefetchRow(const float* row, uint32_t stride) {
  for (uint32_t i = 0; i < stride; i += 16) __builtin_prefetch(row + i, 0, 3);
}

}  // namespace

void SgdStep::Prefetch(const StepPlan& plan, const Matrix& source, const Matrix& target) {
  if (plan.targets.empty()) return;
  for (const uint32_t row : plan.rows) PrefetchRow(source[row], source.stride());
  for (const StepPlan::Target& t : plan.targets) PrefetchRow(target[t.word], target.stride());
  for (const uint32_t word : plan.negatives) PrefetchRow(target[word], target.stride());
}

bool SgdStep::Apply(const StepPlan& plan, float source_rate, float target_rate, Matrix* source,
                    Matrix* target, StepLoss* loss) {
  if (plan.targets.empty()) return true;
  if (plan.targets.size() > gradient_.rows()) gradient_ = Matrix(2 * plan.targets.size(), stride_);
  row_pointers_.clear();
  for (const uint32_t row : plan.rows) row_pointers_.push_back((*source)[row]);

  SumRows(plan, *source);
  for (const StepPlan::Group& group : plan.groups) {
    if (!ApplyGroup(plan, group, target_rate, *source, target, loss)) return false;
  }
  MoveSourceRows(plan, source_rate, source_rate / target_rate, source);
  return true;
}

bool SgdStep::Measure(const StepPlan& plan, const Matrix& source, const Matrix& target,
                      StepLoss* loss) {
  if (plan.targets.empty()) return true;
  SumRows(plan, source);
  for (const StepPlan::Group& group : plan.groups) {
    if (!ScoreGroup(plan, group, source, target)) return false;
    AddLoss(plan, group, loss);
  }
  return true;
}

// s, once for all targets
void SgdStep::SumRows(const StepPlan& plan, const Matrix& source) {
  summed_rows_.clear();
  for (const uint32_t row : plan.rows) summed_rows_.push_back(source[row]);
  k_.sum_rows(sum_[0], summed_rows_.data(), summed_rows_.size(), stride_);
}

bool SgdStep::ScoreGroup(const StepPlan& plan, const StepPlan::Group& group, const Matrix& source,
                         const Matrix& target) {
  const size_t targets = group.targets_end - group.targets_begin;
  const size_t negatives = group.negatives_end - group.negatives_begin;
  const size_t width = 1 + negatives;  // column 0 is the target word itself
  const uint32_t* words = plan.negatives.data() + group.negatives_begin;
  scores_.resize(targets * width);
  score_rows_.resize(width);
  for (size_t j = 0; j < negatives; j++) score_rows_[1 + j] = target[words[j]];

  for (size_t i = 0; i < targets; i++) {
    const StepPlan::Target& t = plan.targets[group.targets_begin + i];
    float* h = hidden_[i];
    summed_rows_.clear();
    for (uint32_t e = t.excluded_begin; e < t.excluded_end; e++) {
      summed_rows_.push_back(source[plan.rows[plan.excluded[e]]]);
    }
    k_.scaled_difference(h, sum_[0], summed_rows_.data(), summed_rows_.size(),
                         ContextScale(plan, t), stride_);
    score_rows_[0] = target[t.word];
    k_.dot_rows(&scores_[i * width], score_rows_.data(), width, h, stride_);
  }
  for (const float score : scores_) {
    if (!std::isfinite(score)) return false;
  }
  k_.sigmoid(scores_.data(), scores_.size());
  return true;
}

// -log of the probability of each label, kept finite where a sigmoid saturates
void SgdStep::AddLoss(const StepPlan& plan, const StepPlan::Group& group, StepLoss* loss) const {
  constexpr float kSmallest = 1e-8f;
  const size_t width = 1 + group.negatives_end - group.negatives_begin;
  const uint32_t* words = plan.negatives.data() + group.negatives_begin;
  for (uint32_t i = group.targets_begin; i < group.targets_end; i++) {
    const float* row = &scores_[(i - group.targets_begin) * width];
    loss->loss -= std::log(std::max(row[0], kSmallest));
    for (size_t j = 1; j < width; j++) {
      if (words[j - 1] != plan.targets[i].word)
        loss->loss -= std::log(std::max(1 - row[j], kSmallest));
    }
    loss->targets++;
  }
}

bool SgdStep::ApplyGroup(const StepPlan& plan, const StepPlan::Group& group, float target_rate,
                         const Matrix& source, Matrix* target, StepLoss* loss) {
  const size_t targets = group.targets_end - group.targets_begin;
  const size_t negatives = group.negatives_end - group.negatives_begin;
  const size_t width = 1 + negatives;
  const uint32_t* words = plan.negatives.data() + group.negatives_begin;
  if (!ScoreGroup(plan, group, source, *target)) return false;
  if (loss != nullptr) AddLoss(plan, group, loss);

  // from probabilities to steps: rate * (label - probability)
  for (size_t i = 0; i < targets; i++) {
    const uint32_t word = plan.targets[group.targets_begin + i].word;
    float* row = &scores_[i * width];
    row[0] = target_rate * (1 - row[0]);
    for (size_t j = 1; j < width; j++) row[j] = words[j - 1] == word ? 0 : target_rate * -row[j];
  }
  target_rows_.resize(width);
  for (size_t j = 0; j < negatives; j++) target_rows_[1 + j] = (*target)[words[j]];
  if (targets == 1) {
    const StepPlan::Target& t = plan.targets[group.targets_begin];
    target_rows_[0] = (*target)[t.word];
    k_.pull_rows(gradient_[group.targets_begin], scores_.data(), target_rows_.data(), width,
                 hidden_[0], stride_);
  } else {
    MoveTogether(plan, group, target);
  }
  if (l1_ > 0) {
    for (size_t i = 0; i < targets; i++) {
      k_.soft_threshold((*target)[plan.targets[group.targets_begin + i].word], l1_ * target_rate,
                        stride_);
    }
    for (size_t j = 1; j < width; j++) {
      k_.soft_threshold(target_rows_[j], l1_ * target_rate, stride_);
    }
  }
  return true;
}

// Targets that share their negative samples: gradients of all first, from the target rows as the
// scores saw them.
void SgdStep::MoveTogether(const StepPlan& plan, const StepPlan::Group& group, Matrix* target) {
  const size_t targets = group.targets_end - group.targets_begin;
  const size_t width = 1 + group.negatives_end - group.negatives_begin;
  const float* hidden_rows[kGroupTargets];
  for (size_t i = 0; i < targets; i++) {
    float* gradient = gradient_[group.targets_begin + i];
    score_rows_[0] = (*target)[plan.targets[group.targets_begin + i].word];
    std::memset(gradient, 0, stride_ * sizeof(float));
    k_.axpy_rows(gradient, &scores_[i * width], score_rows_.data(), width, stride_);
    hidden_rows[i] = hidden_[i];
  }
  for (size_t i = 0; i < targets; i++) {
    float* u = (*target)[plan.targets[group.targets_begin + i].word];
    k_.axpy(u, scores_[i * width], hidden_[i], stride_);
  }
  column_.resize(targets);
  for (size_t j = 1; j < width; j++) {
    for (size_t i = 0; i < targets; i++) column_[i] = scores_[i * width + j];
    k_.axpy_rows(target_rows_[j], column_.data(), hidden_rows, targets, stride_);
  }
}

// v_r += sum over the targets i with r in their context of c_i G_i.
void SgdStep::MoveSourceRows(const StepPlan& plan, float source_rate, float rate_ratio,
                             Matrix* source) {
  gradient_scale_.clear();
  summed_rows_.clear();
  for (size_t i = 0; i < plan.targets.size(); i++) {
    gradient_scale_.push_back(ContextScale(plan, plan.targets[i]) * rate_ratio);
    summed_rows_.push_back(gradient_[i]);
  }
  std::memset(total_[0], 0, stride_ * sizeof(float));
  k_.axpy_rows(total_[0], gradient_scale_.data(), summed_rows_.data(), summed_rows_.size(),
               stride_);
  k_.add_to_rows(row_pointers_.data(), row_pointers_.size(), total_[0], stride_);
  for (size_t i = 0; i < plan.targets.size(); i++) {
    const StepPlan::Target& t = plan.targets[i];
    for (uint32_t e = t.excluded_begin; e < t.excluded_end; e++) {
      k_.axpy((*source)[plan.rows[plan.excluded[e]]], -gradient_scale_[i], gradient_[i], stride_);
    }
  }
  if (l1_ == 0) return;
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
