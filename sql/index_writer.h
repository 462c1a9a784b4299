// Brings the vectors of an index in step with its table.
//
//   SyncIndex(db, index, &memory);                  // what the log says
//   RebuildIndex(db, index, &memory, progress);     // all of it, the words too
//
// Both write within the caller's transaction, and leave an index that is not in step, but right for
// what it has, if they throw and the caller undoes nothing.
//
// Thread rule: as the connection's; a rebuild computes on threads of its own.
#ifndef S2V_SQL_INDEX_WRITER_H_
#define S2V_SQL_INDEX_WRITER_H_

#include <cstdint>
#include <functional>

#include "sql/index_definition.h"
#include "sql/index_store.h"

namespace s2v {

// Takes all rows of the log into the index. Throws InvalidArgument where another model has the name.
void SyncIndex(sqlite3* db, const IndexDefinition& index, IndexMemory* memory);

using IndexProgress = std::function<void(uint64_t done, uint64_t total)>;
// Makes lists, rows and words anew from the table. Throws InvalidArgument where there is no model.
void RebuildIndex(sqlite3* db, const IndexDefinition& index, IndexMemory* memory,
                  const IndexProgress& progress = {});

// Throws InvalidArgument where the index was made by another model than the one that now has its
// name: the two have nothing to do with each other. source: of the index.
void CheckModel(const IndexDefinition& index, IndexSource* source);

}  // namespace s2v

#endif  // S2V_SQL_INDEX_WRITER_H_
