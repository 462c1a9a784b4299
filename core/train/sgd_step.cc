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
      hidden_(1, stride),
      gradient_(64, stride) {}

namespace {

// All lines of it, to be read: leaving the tail to the processor's own prefetcher, or asking for
// lines to be written, took half as long again with rows at random places.
void PrefetchRow(const float* row, uint32_t stride) {
  for (uint32_t i = 0; i < stride; i += 16) __builtin_prefetch(row + i, 0, 2);
}

}  // namespace

void SgdStep::Prefetch(const StepPlan& plan, const Matrix& source, const Matrix& target) {
  if (plan.targets.empty()) return;
  for (const uint32_t row : plan.rows) PrefetchRow(source[row], source.stride());
  for (const StepPlan::Target& t : plan.targets) PrefetchRow(target[t.word], target.stride());
  for (const uint32_t word : plan.fresh) PrefetchRow(target[word], target.stride());
}

bool SgdStep::Apply(const StepPlan& plan, float source_rate, float target_rate, Matrix* source,
                    Matrix* target, StepLoss* loss) {
  if (plan.targets.empty()) return true;
  if (plan.targets.size() > gradient_.rows()) gradient_ = Matrix(2 * plan.targets.size(), stride_);
  row_pointers_.clear();
  for (const uint32_t row : plan.rows) row_pointers_.push_back((*source)[row]);

  SumRows(plan, *source);
  for (size_t i = 0; i < plan.targets.size(); i++) {
    const StepPlan::Target& t = plan.targets[i];
    if (!Score(plan, t, *source, *target)) return false;
    if (loss != nullptr) AddLoss(loss);
    // from probabilities to steps: rate * (label - probability)
    scores_[0] = target_rate * (1 - scores_[0]);
    for (size_t j = 1; j < scores_.size(); j++) scores_[j] *= -target_rate;
    target_rows_.assign(1, (*target)[t.word]);
    for (uint32_t j = t.negatives_begin; j < t.negatives_end; j++) {
      target_rows_.push_back((*target)[plan.negatives[j]]);
    }
    k_.pull_rows(gradient_[i], scores_.data(), target_rows_.data(), target_rows_.size(), hidden_[0],
                 stride_);
    if (l1_ == 0) continue;
    for (float* u : target_rows_) k_.soft_threshold(u, l1_ * target_rate, stride_);
  }
  MoveSourceRows(plan, source_rate, source_rate / target_rate, source);
  return true;
}

bool SgdStep::Measure(const StepPlan& plan, const Matrix& source, const Matrix& target,
                      StepLoss* loss) {
  if (plan.targets.empty()) return true;
  SumRows(plan, source);
  for (const StepPlan::Target& t : plan.targets) {
    if (!Score(plan, t, source, target)) return false;
    AddLoss(loss);
  }
  return true;
}

// s, once for all targets
void SgdStep::SumRows(const StepPlan& plan, const Matrix& source) {
  read_rows_.clear();
  for (const uint32_t row : plan.rows) read_rows_.push_back(source[row]);
  k_.sum_rows(sum_[0], read_rows_.data(), read_rows_.size(), stride_);
}

bool SgdStep::Score(const StepPlan& plan, const StepPlan::Target& t, const Matrix& source,
                    const Matrix& target) {
  read_rows_.clear();
  for (uint32_t e = t.excluded_begin; e < t.excluded_end; e++) {
    read_rows_.push_back(source[plan.rows[plan.excluded[e]]]);
  }
  k_.scaled_difference(hidden_[0], sum_[0], read_rows_.data(), read_rows_.size(),
                       ContextScale(plan, t), stride_);
  read_rows_.assign(1, target[t.word]);
  for (uint32_t j = t.negatives_begin; j < t.negatives_end; j++) {
    read_rows_.push_back(target[plan.negatives[j]]);
  }
  scores_.resize(read_rows_.size());
  k_.dot_rows(scores_.data(), read_rows_.data(), read_rows_.size(), hidden_[0], stride_);
  for (const float score : scores_) {
    if (!std::isfinite(score)) return false;
  }
  k_.sigmoid(scores_.data(), scores_.size());
  return true;
}

// -log of the probability of each label, kept finite where a sigmoid saturates
void SgdStep::AddLoss(StepLoss* loss) const {
  constexpr float kSmallest = 1e-8f;
  loss->loss -= std::log(std::max(scores_[0], kSmallest));
  for (size_t j = 1; j < scores_.size(); j++) {
    loss->loss -= std::log(std::max(1 - scores_[j], kSmallest));
  }
  loss->targets++;
}

// v_r += sum over the targets i with r in their context of c_i G_i.
void SgdStep::MoveSourceRows(const StepPlan& plan, float source_rate, float rate_ratio,
                             Matrix* source) {
  gradient_scale_.clear();
  read_rows_.clear();
  for (size_t i = 0; i < plan.targets.size(); i++) {
    gradient_scale_.push_back(ContextScale(plan, plan.targets[i]) * rate_ratio);
    read_rows_.push_back(gradient_[i]);
  }
  std::memset(total_[0], 0, stride_ * sizeof(float));
  k_.axpy_rows(total_[0], gradient_scale_.data(), read_rows_.data(), read_rows_.size(), stride_);
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
