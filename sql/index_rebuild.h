// Makes an index anew from its table, with the model that there is.
//
//   RebuildIndex(db, index, &memory, progress);
//
// All write within the caller's transaction, which must be undone if they throw.
//
// Thread rule: as the connection's; a rebuild computes on threads of its own.
#pragma once

#include <string>

#include "sql/index_definition.h"
#include "sql/index_memory.h"

namespace s2v {

// Makes all of it anew from the table, of an index of a former version as this one has it. Without
// a model an empty table, and one whose index awaits a model, get words alone; others throw
// InvalidArgument.
void RebuildIndex(sqlite3* db, const IndexDefinition& index, IndexMemory* memory,
                  const IndexProgress& progress = {});
// Makes the indexes of the schema anew that awaited a model and have one now, and those whose model
// is the one with this hash by now, "" for none of these. Each in a savepoint of its own.
void RebuildStaleIndexes(sqlite3* db, const std::string& schema, const std::string& model_hash);

}  // namespace s2v
