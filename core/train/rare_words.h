// What their texts add to the rows of rare words, once the rows are trained.
//
// A word that was met a few times has been moved by a few steps: its row still is, for the most
// part, the random one it began as. What it means is better told by the texts that have it (Khodak
// et al., "A La Carte Embedding", ACL 2018, here without the map, since the texts' embeddings lie
// among the rows already). So its row is turned towards them, the more the rarer it is, and keeps
// its length:
//
//   v <- |v| unit(v / |v| + c),   c = unit(sum of (e - mean e)) / (1 + times / kTextsThatTell)
//
// over the sentences that have the word. e is a sentence's embedding, of length 1, of its words
// alone, without n-grams; the weight that a word has in other embeddings is multiplied by
// log(sentences / times): what sentences of one form share, as "what are the symptoms of", tells
// nothing of their rare words. Words are turned in blocks, whose sums take up to 32 MB, and
// sentences are embedded with the rows as the blocks before left them.
#pragma once

#include <cstdint>

#include "core/config.h"
#include "core/model/model.h"
#include "core/train/corpus.h"

namespace s2v {

// Words that were met as often, or less, are turned; where others would point differs by less than
// 4 degrees.
inline constexpr uint64_t kRareTimes = 30;
inline constexpr double kTextsThatTell = 2;
inline constexpr uint64_t kRareBlockBytes = uint64_t{1} << 25;

// How many these are: the last words of the vocabulary. 0 where config has no whitening, as without
// it rows stay as trained.
uint32_t RareWords(const Vocabulary& vocabulary, const Config& config);

// Memory that TurnRareWords takes.
uint64_t RareWordBytes(const Vocabulary& vocabulary, const Config& config);

// sum: of [words of a block, dimension]. tick: before each 1,024 sentences. corpus: without its
// vocabulary, which is the model's by now. The result does not depend on the number of workers.
void TurnRareWords(const Corpus& corpus, const SumOfRanks& sum, const Tick& tick, Model* model,
                   uint64_t block_bytes = kRareBlockBytes);

}  // namespace s2v
