// Training on from a finished model, with texts that it has not seen.
//
//   CorpusBuilder builder(model.config);
//   builder.ContinueFrom(model);
//   ... Add the texts of then; builder.BeginNew(); ... Add the new ones
//   Corpus corpus = builder.Finish();
//   KeepForReplay(old_sentences, seed, &corpus);
//   Trainer trainer(config, std::move(corpus));     // a lower learning rate, fewer epochs
//   trainer.TakeUp(StateOf(model, config, corpus));
//
// A model that is trained on new texts alone drifts away from the old ones (catastrophic
// forgetting: McCloskey, Cohen, 1989); trained on some of them between the new ones, it stays
// (rehearsal: Robins, "Catastrophic forgetting, rehearsal and pseudorehearsal", 1995).
#ifndef S2V_CORE_TRAIN_CONTINUATION_H_
#define S2V_CORE_TRAIN_CONTINUATION_H_

#include "core/train/trainer.h"

namespace s2v {

// Leaves all new sentences and, of the old ones, a random choice of at most old_sentences, for
// training; words, n-grams and their counts stay. REQUIRES: once for a corpus.
void KeepForReplay(uint64_t old_sentences, uint64_t seed, Corpus* corpus);

// The rows of the model at their places in the corpus, words by their names and n-grams by their
// buckets; the others as before a training. REQUIRES: a corpus that goes on from the model.
TrainingState StateOf(const Model& model, const Config& config, const Corpus& corpus);

}  // namespace s2v

#endif  // S2V_CORE_TRAIN_CONTINUATION_H_
