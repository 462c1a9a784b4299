// For the texts of a corpus that find no place in memory.
#pragma once

#include <memory>

#include "core/train/sentence_store.h"

namespace s2v {

// A file in TemporaryFolder, without a name from the beginning, so that it is gone when the program
// is, however it ends. Throws InvalidArgument where none can be made there, and on writing where
// the disk is full, saying what to change.
std::unique_ptr<SpoolFile> OpenSpoolFile();

}  // namespace s2v
