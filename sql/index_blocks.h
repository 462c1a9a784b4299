// Blocks of an index's lists, shared by all connections of the process that read the same file: what one of them has read,
// the next ones need not read, check and keep once more.
//
//   ListBlocks blocks = SharedBlocks::Find(file, stamp);
//   if (blocks == nullptr) blocks = SharedBlocks::Share(file, stamp, Read());
//
// A list has another stamp whenever its blocks change, so blocks are never stale. But a stamp is what a file claims: other files'
// blocks are never taken, and who takes them compares them with the list and its space. Blocks live as long as a connection keeps them.
//
// Thread rule: may be called from any thread.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/search/codes.h"

namespace s2v {

using ListBlocks = std::shared_ptr<const std::vector<search::Block>>;

class SharedBlocks {
 public:
  // What a connection keeps of the list with this stamp, in the file of this identity (OpenFiles::Reading); nullptr: nothing,
  // or there is no identity (0).
  static ListBlocks Find(uint64_t file, int64_t stamp);
  // blocks, from now on for other connections too.
  static ListBlocks Share(uint64_t file, int64_t stamp, std::vector<search::Block> blocks);
};

}  // namespace s2v
