// How much memory there is, and whether a training needs more.
//
//   CorpusBuilder builder(config, TextSpool(limit), WordBytes(limit));
//   const MemoryNeed need = NeedOf(config, corpus);
//   CheckMemory(need, MemoryFor(need, limit), config, limit);        // before the matrices are taken
//
// limit: what the user says (the option memory_limit), in MB of 10^6 bytes; 0: what the machine
// has.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/train/corpus.h"

namespace s2v {

// The value of an option of this name. Throws InvalidArgument.
int64_t ParseMegabytes(std::string_view name, std::string_view value);

// Where the sentences of a corpus that is being read are kept: in at most 1 GB of memory, and at
// most a quarter of what there is, the rest in a temporary file.
Spool TextSpool(int64_t limit);
// For the words that are being counted: at most CorpusBuilder::kMostWordBytes, and at most half of
// what there is.
uint64_t WordBytes(int64_t limit);
// "", or that there was too little of it: words of min_count occurrences may be missing.
std::string DroppedWordsWarning(const Corpus& corpus, const Config& config);
// Of a training.
struct MemoryNeed {
  uint64_t source = 0, target = 0;  // bytes of the two matrices
  uint64_t texts = 0;               // of the sentences that are in memory, taken already
  uint64_t tables = 0;              // words, n-grams, probabilities; most of it taken already
  uint64_t workers = 0;             // what each thread works in
  uint64_t former = 0;              // of the model that is updated, taken already
  uint64_t bases = 0;               // of several ranks: the rows as all have them
  uint64_t rare = 0;                // what is done to the rows in the end
  uint64_t Total() const { return source + target + bases + rare + Taken() + workers; }
  uint64_t Taken() const { return texts + tables + former; }
};

// ranks: how many train it together.
MemoryNeed NeedOf(const Config& config, const Corpus& corpus, uint32_t ranks = 1);

// available: bytes for all that is needed, what is taken already too; 0: not known, nothing is
// refused. Throws InvalidArgument where it is too little, with both figures and the settings that
// change most.
void CheckMemory(const MemoryNeed& need, uint64_t available, const Config& config,
                 int64_t limit = 0);
// Those that there are for all of need; 0: not known.
uint64_t MemoryFor(const MemoryNeed& need, int64_t limit);

}  // namespace s2v
