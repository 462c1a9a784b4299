#include "core/train/window_planner.h"

#include <algorithm>

namespace s2v {

WindowPlanner::WindowPlanner(const Config& config, const std::vector<float>& keep,
                             const NegativeSampler& negatives)
    : config_(config),
      skipgram_(config.objective == "skipgram"),
      keep_(keep),
      pool_(negatives, config) {}

void WindowPlanner::Plan(std::span<const uint32_t> sentence, Random* random,
                         std::vector<StepPlan>* plans, size_t* count) {
  words_.clear();
  for (const uint32_t word : sentence) {
    if (word == kUnknownWord) continue;
    // Words that are never targets are rare, and stay.
    if (word >= keep_.size() || random->Uniform() < keep_[word]) words_.push_back(word);
  }
  const auto begin_plan = [&]() -> StepPlan& {
    if (*count == plans->size()) plans->emplace_back();
    StepPlan& plan = (*plans)[(*count)++];
    plan.Clear();
    return plan;
  };
  const auto predict = [&](uint32_t word, StepPlan* plan) {
    pool_.Take({&word, 1}, random, &plan->negatives, &plan->fresh);
    plan->targets.push_back({word});
    plan->groups.push_back({0, 1, 0, static_cast<uint32_t>(plan->negatives.size())});
  };
  for (size_t i = 0; i < words_.size(); i++) {
    const size_t reach = 1 + random->Below(static_cast<uint32_t>(config_.window));
    const size_t begin = i - std::min(i, reach), end = std::min(words_.size(), i + reach + 1);
    if (end - begin < 2) continue;
    if (!skipgram_) {
      if (words_[i] >= keep_.size()) continue;
      StepPlan& plan = begin_plan();
      for (size_t j = begin; j < end; j++) {
        if (j != i) plan.rows.push_back(words_[j]);
      }
      predict(words_[i], &plan);
      continue;
    }
    for (size_t j = begin; j < end; j++) {
      if (j == i || words_[j] >= keep_.size()) continue;
      StepPlan& plan = begin_plan();
      plan.rows.push_back(words_[i]);
      predict(words_[j], &plan);
    }
  }
}

}  // namespace s2v
