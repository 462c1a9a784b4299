// The loss of a model on texts that it was not trained on: the mean of eq. 3 over their target
// words, with U and V as they are.
//
// Target words, n-grams and negative samples are drawn as in training, but from fixed random
// numbers, and the samples of each target anew. It compares settings that share vocabulary,
// subsampling and negatives, which say what is predicted.
#pragma once

#include <span>
#include <string>

#include "core/model/model.h"
#include "core/train/sgd_step.h"

namespace s2v {

// Sum and number of targets: none where no text has two known words. Does not change the model.
// Throws InvalidArgument where a score is not finite. REQUIRES: rows as they were trained
// (LengthenRows in core/train/whitening.h).
StepLoss HeldOutLoss(Model* model, std::span<const std::string> texts);

}  // namespace s2v
