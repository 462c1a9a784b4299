// How much memory a training may take: what the user says (the option memory_limit), or what the
// machine has.
//
//   CorpusBuilder builder(config, TextSpool(limit), WordBytes(limit));
//   CheckMemory(need, MemoryFor(need, limit), config);        // before the matrices are taken
//
// limit: MB of 10^6 bytes; 0: what the machine has.
#ifndef S2V_SQL_MEMORY_LIMITS_H_
#define S2V_SQL_MEMORY_LIMITS_H_

#include <cstdint>
#include <string_view>

#include "core/train/memory_plan.h"

namespace s2v {

// The value of an option of this name. Throws InvalidArgument.
int64_t ParseMegabytes(std::string_view name, std::string_view value);

// Where the sentences of a corpus that is being read are kept: in at most 1 GB of memory, and at
// most a quarter of what there is, the rest in a temporary file.
Spool TextSpool(int64_t limit);
// For the words that are being counted: at most CorpusBuilder::kMostWordBytes, and at most half of
// what there is.
uint64_t WordBytes(int64_t limit);

// Bytes that there are for all of need, what is taken already too; 0: not known.
uint64_t MemoryFor(const MemoryNeed& need, int64_t limit);

}  // namespace s2v

#endif  // S2V_SQL_MEMORY_LIMITS_H_
