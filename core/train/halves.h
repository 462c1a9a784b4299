// Directions in which the two halves of a sentence agree count more, once the rows are trained.
//
// A sentence's embedding has directions that say what it is about, in which its halves agree, and
// others that depend on which words happened to be taken. How much they agree is told by canonical
// correlations of halves (Hotelling 1936); what two vectors share beyond chance is weighed by them
// (probabilistic linear discriminant analysis, Ioffe 2006). Here it is done in part:
//
//   S = mean of (a a' + b b') / 2,  C = mean of (a b' + b a') / 2,  S^(-1/2) C S^(-1/2) = Q' diag(c) Q,  g = (c / (1 - c^2))^(1/4)
//
//   v <- v M,  M = S^(-1/2) Q' diag(g) Q S^(1/4),   u <- u M'^-1
//
// over the halves a and b, of length 1 and less their mean, of sentences of kLeastHalved known
// words or more, among kMostHalved from all over the corpus. A tenth of the mean of S's diagonal is
// added to each number of it before.
//
// Halves are embedded by the weights of their words alone, with shortened rows (whitening.h). M
// maps the rows that LengthenRows gives back: every product u . v of these stays as it was. A
// factor lets the words' rows keep the mean of their squared lengths, and long rows are shortened
// again. As an embedding is a sum of rows, it is mapped by M too, but for what shortening changes.
//
// Short texts are often of one form, "what are the symptoms of ...", and their halves would tell
// forms, not what is asked for. So a table of short ones is left as it is.
#pragma once

#include <cstdint>

#include "core/model/model.h"
#include "core/train/corpus.h"

namespace s2v {

inline constexpr uint64_t kMostHalved = 40000;  // sentences that are looked at
inline constexpr size_t kLeastHalved = 16;
inline constexpr uint64_t kFewestHalved = 8;  // sentences for each dimension, or nothing is done
inline constexpr double kHalvesPower = 0.25, kKeptVariance = 0.25;

// Nothing is done either where config has no whitening, and above kLargestWhitened. corpus: without
// its vocabulary, which is the model's by now. The result does not depend on the number of workers.
void FavourHalves(const Corpus& corpus, const SumOfRanks& sum, const Tick& tick, Model* model);

// Memory that FavourHalves takes.
uint64_t HalvesBytes(const Config& config);

}  // namespace s2v
