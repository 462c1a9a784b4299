// What their texts add to the rows of rare words, once the rows are trained.
//
// A word that was met a few times has been moved by a few steps: its row still is, for the most part, the random one
// it began as. What it means is better told by the texts that have it (Khodak et al., "A La Carte Embedding", ACL
// 2018, here without the map, since the texts' embeddings lie among the rows already). So its row is turned towards
// them, the more the rarer it is, and keeps its length:
//
//   v <- |v| unit(v / |v| + c),   c = unit(sum of (e - mean e)) / (1 + times / kTextsThatTell)
//
// over the sentences that have the word. e is a sentence's embedding, of length 1, of its words alone, each of which
// counts log(sentences / times) more than in others: what sentences of one form share, as "what are the symptoms of",
// tells nothing of their rare words. All rows are turned by the embeddings of before.
#pragma once

#include <cstdint>
#include <functional>

#include "core/config.h"
#include "core/model/model.h"
#include "core/train/corpus.h"

namespace s2v {

// Words that were met as often, or less, are turned; what others would be is within 6 degrees of what they are.
inline constexpr uint64_t kRareTimes = 30;
inline constexpr double kTextsThatTell = 3;

// Their number: the last ones of the vocabulary. 0 where config has no whitening, as without it rows stay as trained.
uint32_t RareWords(const Vocabulary& vocabulary, const Config& config);

// sum: adds up what several processes have found, [rare words, dimension] each; all call it. corpus: without its
// vocabulary, which is the model's by now. The result does not depend on the number of workers.
void TurnRareWords(const Corpus& corpus, const std::function<void(Matrix*)>& sum, Model* model);

}  // namespace s2v
