// How much each word of a trained model comes in bursts (WordBurst, core/model/feature.h), which
// its embeddings count. Sentences are looked at, not texts: in long texts nearly every word is
// repeated.
#pragma once

#include "core/model/model.h"
#include "core/train/corpus.h"

namespace s2v {

// Fills in word_bursts. Nothing is done where the model's config has no smoothing, as then no
// weights count. corpus: without its vocabulary; sentences that are left out of the training count
// too.
void FindBursts(const Corpus& corpus, const SumOfRanks& sum, const Tick& tick, Model* model);

}  // namespace s2v
