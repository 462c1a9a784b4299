// How much memory a training will take, known before it takes it.
//
//   const MemoryNeed need = NeedOf(config, corpus);
//   CheckMemory(need, available, config);
#ifndef S2V_CORE_TRAIN_MEMORY_PLAN_H_
#define S2V_CORE_TRAIN_MEMORY_PLAN_H_

#include <cstdint>
#include <string>

#include "core/config.h"
#include "core/train/corpus.h"

namespace s2v {

struct MemoryNeed {
  uint64_t source = 0, target = 0;  // bytes of the two matrices
  uint64_t texts = 0;               // of the sentences that are in memory, taken already
  uint64_t tables = 0;              // words, n-grams, probabilities; most of it taken already
  uint64_t workers = 0;             // what each thread works in
  uint64_t former = 0;              // of the model that is updated, taken already
  uint64_t bases = 0;               // of ranks: the rows as all have them
  uint64_t Total() const { return source + target + bases + Taken() + workers; }
  uint64_t Taken() const { return texts + tables + former; }
};

MemoryNeed NeedOf(const Config& config, const Corpus& corpus);

// available: bytes for all that is needed, what is taken already too; 0: not known, nothing is
// refused. Throws InvalidArgument where it is too little, with both figures and the settings that
// change most.
void CheckMemory(const MemoryNeed& need, uint64_t available, const Config& config);

// 1234567890 bytes: "1235 MB".
std::string Megabytes(uint64_t bytes);

}  // namespace s2v

#endif  // S2V_CORE_TRAIN_MEMORY_PLAN_H_
