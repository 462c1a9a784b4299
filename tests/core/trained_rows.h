// For tests of what is done to a model's rows when its training ends (core/train/trainer.h,
// Finish): a trained model before that.
#pragma once

#include <string>
#include <vector>

#include "tests/core/synthetic_text.h"

namespace s2v::test {

// One process; nobody who hears of it.
inline constexpr auto kAlone = [](Matrix*) {};
inline constexpr auto kSilent = [] {};

inline Config TrainedRowsConfig() {
  Config config = SmallConfig();
  config.smoothing = 0.01;
  config.initial_norm = 1;
  config.whitening = 0;
  return config;
}

// Trained, with rows that nothing was done to yet.
inline Model Untouched(const Config& config, const std::vector<std::string>& texts) {
  Model model = TrainOn(config, texts);
  model.config.whitening = 0.5;
  return model;
}

}  // namespace s2v::test
