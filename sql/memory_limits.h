// How much memory a training may take: of what the user says, or of what the machine has.
//
//   MemoryLimits limits;                                      // as the user gave them
//   CorpusBuilder builder(config, TextSpool(limits));
//   CheckMemory(need, MemoryFor(need, limits), config);       // before the matrices are taken
#ifndef S2V_SQL_MEMORY_LIMITS_H_
#define S2V_SQL_MEMORY_LIMITS_H_

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/train/memory_plan.h"

namespace s2v {

// MB of 10^6 bytes.
struct MemoryLimits {
  int64_t all = 0;  // of all that training takes; 0: what the machine has
  // Of that, for the texts; what they need beyond it is in a temporary file. nullopt: 1000, or a
  // quarter of what there is where that is less.
  std::optional<int64_t> texts;
};

// A value of one of them, that of the option name. Throws InvalidArgument.
int64_t ParseMegabytes(std::string_view name, std::string_view value);

// Where the sentences of a corpus are kept that is read now.
Spool TextSpool(const MemoryLimits& limits);

// Bytes that there are for all of need, what is taken already too; 0: not known.
uint64_t MemoryFor(const MemoryNeed& need, const MemoryLimits& limits);

}  // namespace s2v

#endif  // S2V_SQL_MEMORY_LIMITS_H_
