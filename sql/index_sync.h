// Brings an index in step with its table.
//
//   SyncSlice(db, index, &memory, Seconds() + kSliceSeconds);   // some of what the log names, the oldest first
//   SyncIndex(db, index, &memory);                              // all of it
//
// All but SyncInSlices write within the caller's transaction, which must be undone if they throw.
//
// Thread rule: as the connection's.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "sql/index_definition.h"
#include "sql/index_limits.h"
#include "sql/index_memory.h"

namespace s2v {

// What a slice has done. looked_at: entries of the log; 0: it is empty. taken_in: rows, those that
// the sweep found among them.
struct SliceRows {
  uint64_t looked_at = 0, taken_in = 0;
};
// Takes rows of the log into the index until the deadline (sql/system/clock.h), one at least, and
// looks whether others have gone unseen. kForever (sql/index_limits.h): 20,000 rows. row_share: the
// part of the time in which rows are looked at. Throws InvalidArgument where another model has the
// name, or VACUUM gave rows other rowids, FormatError where entries were taken out of the log.
SliceRows SyncSlice(sqlite3* db, const IndexDefinition& index, IndexMemory* memory, double deadline,
                    double row_share = kSliceRowShare);
// Adds rows to the log.
void LogRows(sqlite3* db, const IndexDefinition& index, std::span<const int64_t> rows);

// Takes the whole log in.
void SyncIndex(sqlite3* db, const IndexDefinition& index, IndexMemory* memory,
               const IndexProgress& progress = {});

// The same in slices of kSyncSliceSeconds (sql/index_limits.h), until none waits or twice as many
// rows as waited at the beginning were looked at. Returns how many were taken in. Outside a
// transaction each slice is committed, and between them others may write for kSliceRestSeconds; a
// lock of another connection is waited for. After an error the slices before it stay.
uint64_t SyncInSlices(sqlite3* db, const std::string& schema, const std::string& name,
                      IndexMemory* memory, const IndexProgress& progress);

// Takes the log in, looks through the table for rows that came, went or changed unseen, and merges
// FTS5's segments.
void OptimizeIndex(sqlite3* db, const IndexDefinition& index, IndexMemory* memory);

}  // namespace s2v
