// A temporary file for the texts of a corpus that find no place in memory, and how much memory
// there is: what core/ may not ask the system itself.
//
//   CorpusBuilder builder(config, {budget, OpenSpoolFile});
//
// The file has no name from the beginning (O_TMPFILE, or unlinked at once), so it is gone when the
// program is, however it ends. It stands in $TMPDIR, else in /tmp.
#ifndef S2V_SQL_SPOOL_FILE_H_
#define S2V_SQL_SPOOL_FILE_H_

#include <cstdint>
#include <memory>

#include "core/train/block_store.h"

namespace s2v {

// Throws InvalidArgument where no file can be made there, and on writing where the disk is full,
// saying what to change.
std::unique_ptr<SpoolFile> OpenSpoolFile();

// Bytes that this process may still take: what the system has available or, where it is less, what
// its control group leaves. 0 where the system does not say.
uint64_t AvailableMemory();

// What was freed goes back to the system, as far as the allocator can tell it how: the words that
// were counted, for example, before the matrices are taken.
void ReturnFreedMemory();

}  // namespace s2v

#endif  // S2V_SQL_SPOOL_FILE_H_
