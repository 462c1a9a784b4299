// The SGD step of eq. 3 as it is written, in double precision: a target at a time, each with its
// list of context rows, no shared sums. The oracle of step_check.h.
//
//   NaiveModel model(source, target);              // copies
//   model.Apply(plan, source_rate, target_rate, l1, step_bound);
//
// It takes rows in the order that core/train/sgd_step.h specifies: all targets of a sentence see
// the source rows as they were at its start, and the target rows as the group before left them.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "core/model/matrix.h"
#include "core/train/sgd_step.h"

namespace s2v::test {

using Rows = std::vector<std::vector<double>>;

inline Rows Copy(const Matrix& matrix) {
  Rows rows;
  for (uint64_t r = 0; r < matrix.rows(); r++) {
    rows.emplace_back(matrix[r], matrix[r] + matrix.dimension());
  }
  return rows;
}

// C_i: the plan's rows without those that the target excludes, each as often as it occurs.
inline std::vector<uint32_t> ContextOf(const StepPlan& plan, const StepPlan::Target& target) {
  std::vector<uint32_t> context;
  for (uint32_t i = 0; i < plan.rows.size(); i++) {
    const auto begin = plan.excluded.begin() + target.excluded_begin;
    const auto end = plan.excluded.begin() + target.excluded_end;
    if (std::find(begin, end, i) == end) context.push_back(plan.rows[i]);
  }
  return context;
}

inline std::vector<StepPlan::Target> TargetsOf(const StepPlan& plan, const StepPlan::Group& group) {
  return {plan.targets.begin() + group.targets_begin, plan.targets.begin() + group.targets_end};
}

// What N_w of all targets of the group share.
inline std::vector<uint32_t> NegativesOf(const StepPlan& plan, const StepPlan::Group& group) {
  return {plan.negatives.begin() + group.negatives_begin,
          plan.negatives.begin() + group.negatives_end};
}

// N_w of one of them: with those of the others that were drawn.
inline std::vector<uint32_t> NegativesOf(const StepPlan& plan, const StepPlan::Group& group,
                                         const StepPlan::Target& target) {
  std::vector<uint32_t> words = NegativesOf(plan, group);
  const std::vector<StepPlan::Target> targets = TargetsOf(plan, group);
  for (size_t i = 0; i < targets.size(); i++) {
    const bool drawn = (group.drawn_targets >> i & 1) != 0;
    if (drawn && targets[i].word != target.word) words.push_back(targets[i].word);
  }
  return words;
}

// l(x) = log(1 + e^-x), without overflow
inline double LogisticLoss(double x) {
  return x > 0 ? std::log1p(std::exp(-x)) : -x + std::log1p(std::exp(x));
}

inline double Sigmoid(double x) {
  return 1 / (1 + std::exp(-x));
}

inline double Length(const std::vector<double>& row) {
  double square = 0;
  for (const double x : row) square += x * x;
  return std::sqrt(square);
}

struct NaiveModel {
  Rows source, target;

  NaiveModel(const Matrix& v, const Matrix& u) : source(Copy(v)), target(Copy(u)) {}

  std::vector<double> Hidden(const std::vector<uint32_t>& context) const {
    std::vector<double> h(source[0].size());
    for (const uint32_t row : context) {
      for (size_t i = 0; i < h.size(); i++) h[i] += source[row][i];
    }
    for (double& x : h) x /= static_cast<double>(context.size());
    return h;
  }

  double Score(uint32_t word, const std::vector<double>& h) const {
    double sum = 0;
    for (size_t i = 0; i < h.size(); i++) sum += target[word][i] * h[i];
    return sum;
  }

  // eq. 3 of one target of a group
  double Loss(const StepPlan& plan, const StepPlan::Group& group, const StepPlan::Target& t) const {
    const std::vector<double> h = Hidden(ContextOf(plan, t));
    double loss = LogisticLoss(Score(t.word, h));
    for (const uint32_t word : NegativesOf(plan, group, t)) loss += LogisticLoss(-Score(word, h));
    return loss;
  }

  // Sum of eq. 3 over the targets, all with the rows as they are now.
  double Loss(const StepPlan& plan) const {
    double loss = 0;
    for (const StepPlan::Group& group : plan.groups) {
      for (const StepPlan::Target& t : TargetsOf(plan, group)) loss += Loss(plan, group, t);
    }
    return loss;
  }

  // Adds the gradient of the target's loss to d_source and d_target, of the shapes of source and
  // target. Returns what it added to each row of the context, for each time that it stands there.
  std::vector<double> AddGradient(const StepPlan& plan, const StepPlan::Group& group,
                                  const StepPlan::Target& t, Rows* d_source, Rows* d_target) const {
    const std::vector<uint32_t> context = ContextOf(plan, t);
    const std::vector<double> h = Hidden(context);
    std::vector<double> d_row(h.size());
    const auto add = [&](uint32_t word, double label) {
      const double d_score = Sigmoid(Score(word, h)) - label;
      for (size_t i = 0; i < h.size(); i++) {
        d_row[i] += d_score * target[word][i] / static_cast<double>(context.size());
        (*d_target)[word][i] += d_score * h[i];
      }
    };
    add(t.word, 1);
    for (const uint32_t word : NegativesOf(plan, group, t)) add(word, 0);
    for (const uint32_t row : context) {
      for (size_t i = 0; i < h.size(); i++) (*d_source)[row][i] += d_row[i];
    }
    return d_row;
  }

  static Rows ZerosLike(const Rows& rows) {
    return Rows(rows.size(), std::vector<double>(rows.empty() ? 0 : rows[0].size()));
  }

  static void Shrink(std::vector<double>* row, double by) {
    for (double& x : *row) x = std::copysign(std::max(0.0, std::fabs(x) - by), x);
  }

  // The whole step; step_bound 0: none. Returns the sum of the losses as the targets met them.
  double Apply(const StepPlan& plan, double source_rate, double target_rate, double l1,
               double step_bound = 0) {
    double loss = 0;
    Rows d_source = ZerosLike(source);
    std::vector<double> d_every(
        source[0].size());  // of a row that is in the context of all targets
    for (const StepPlan::Group& group : plan.groups) {
      Rows d_target = ZerosLike(target);
      for (const StepPlan::Target& t : TargetsOf(plan, group)) {
        loss += Loss(plan, group, t);
        const std::vector<double> d_row = AddGradient(plan, group, t, &d_source, &d_target);
        for (size_t i = 0; i < d_row.size(); i++) d_every[i] += d_row[i];
      }
      Move(d_target, target_rate, &target);
      for (const StepPlan::Target& t : TargetsOf(plan, group)) {
        Shrink(&target[t.word], l1 * target_rate);
        for (const uint32_t word : NegativesOf(plan, group))
          Shrink(&target[word], l1 * target_rate);
      }
    }
    shorter = 1;
    if (step_bound > 0 && !plan.targets.empty()) {
      const double bound = step_bound * Length(Hidden(plan.rows));
      shorter = std::min(1.0, bound / (source_rate * Length(d_every)));
    }
    Move(d_source, shorter * source_rate, &source);
    for (const StepPlan::Target& t : plan.targets) {
      const std::vector<uint32_t> context = ContextOf(plan, t);
      for (const uint32_t row : context) {
        Shrink(&source[row], l1 * source_rate / static_cast<double>(context.size()));
      }
    }
    return loss;
  }

  double shorter = 1;  // what the last step's move of the source rows was multiplied with

 private:
  static void Move(const Rows& gradient, double rate, Rows* rows) {
    for (size_t r = 0; r < rows->size(); r++) {
      for (size_t i = 0; i < gradient[r].size(); i++) (*rows)[r][i] -= rate * gradient[r][i];
    }
  }
};

}  // namespace s2v::test
