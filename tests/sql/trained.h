// Models trained in memory, for the tests of their storing.
#pragma once

#include <string>
#include <vector>

#include "core/random.h"
#include "sql/model_store.h"
#include "sql/model_writer.h"
#include "tests/core/synthetic_text.h"
#include "tests/support/database.h"

namespace s2v::testing {

inline Config TinyConfig() {
  Config config;
  config.dimension = 5;
  config.epochs = 1;
  config.learning_rate = 0.2;
  config.recipe = kPaper;
  config.min_count = config.min_target_count = 1;
  config.workers = 1;
  config.smoothing = config.context_threshold = 1e-3;
  return config;
}

// Texts of eight words w0, w1, ... out of word_types, rare ones too.
inline Model TrainedModel(const Config& config, int texts, int word_types) {
  std::vector<std::string> all;
  s2v::Random random(7);
  for (int i = 0; i < texts; i++) {
    std::string text;
    for (int j = 0; j < 8; j++) {
      const uint32_t range = random.Below(static_cast<uint32_t>(word_types)) + 1;
      text += " w" +
              std::to_string(j == 0 ? static_cast<uint32_t>(i % word_types) : random.Below(range));
    }
    all.push_back(text);
  }
  return test::TrainOn(config, all);
}

inline bool NeverWait() {
  return false;
}

inline ModelInfo Save(Database* db, const std::string& name, const Model& model,
                      bool make_default = false) {
  return SaveModel(db->get(), {ParseModelName(name), "{}", make_default}, model, NeverWait);
}

}  // namespace s2v::testing
