// The paper's supervised evaluation (section 5): a classifier on vectors that stay as they are.
//
//   one file            10 folds; in each the strength of L2 is chosen by 5 folds of its training
//   part a train and a test  the strength is chosen by 10 folds of train, then fitted on all of it
//
// Folds are drawn by a fixed seed and keep the shares of the classes.
#pragma once

#include <cstdint>
#include <vector>

#include "core/eval/encoder.h"

namespace s2v {

struct LabelledVectors {
  std::vector<FeatureVector> x;
  std::vector<uint32_t> y;  // [x] 0 .. classes-1
  uint32_t dimension = 0;
  uint32_t classes = 0;
};

struct TransferScore {
  double accuracy = 0;  // share of right answers
  double f1 = 0;        // of class 1, where there are two classes
};

// x is scaled so that the mean length of a training vector is 1: one grid of L2 strengths fits all
// encoders. Throws InvalidArgument: fewer than two classes, a class with fewer members than folds,
// no convergence.
TransferScore CrossValidate(const LabelledVectors& data, uint32_t workers);
TransferScore TrainAndTest(const LabelledVectors& train, const LabelledVectors& test,
                           uint32_t workers);

// [|u - v|, u * v], the features of a pair of sentences.
FeatureVector PairFeatures(const FeatureVector& u, const FeatureVector& v, uint32_t dimension);

}  // namespace s2v
