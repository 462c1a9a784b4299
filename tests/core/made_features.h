// Features for tests of embedding, without a model.
#pragma once

#include <doctest/doctest.h>

#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

#include "core/model/feature_source.h"
#include "core/random.h"
#include "core/vocab/hash.h"

namespace s2v::test {

// Rows made from a hash, for the words w0 .. w9 and for one bucket in `every`.
class MadeFeatures : public FeatureSource {
 public:
  explicit MadeFeatures(uint32_t dimension, uint64_t every = 2)
      : dimension_(dimension), every_(every) {}
  void BeginBatch() override { begun_++; }
  Feature Word(std::string_view word, uint64_t hash) override {
    CHECK(hash == HashWord(word));
    if (word.size() != 2 || word[0] != 'w' || word[1] < '0' || word[1] > '9') return {};
    return {Row(hash), 1e-3f * static_cast<float>(word[1] - '0' + 1)};
  }
  Feature Ngram(uint64_t bucket) override {
    return bucket % every_ == 0 ? Feature{Row(bucket), 1e-4f} : Feature{};
  }
  const float* Row(uint64_t key) {
    std::vector<float>& row = rows_[key];
    if (row.empty()) {
      Random random(key);
      for (uint32_t i = 0; i < dimension_; i++) row.push_back(2 * random.Uniform() - 1);
    }
    return row.data();
  }
  // How often BeginBatch was called.
  int begun() const { return begun_; }

 private:
  int begun_ = 0;
  const uint32_t dimension_;
  const uint64_t every_;
  std::map<uint64_t, std::vector<float>> rows_;
};

}  // namespace s2v::test
