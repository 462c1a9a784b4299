// Brings an index in step with its table, and says whether it is.
//
//   SyncSlice(db, index, &memory, Seconds() + kSliceSeconds);   // some of what the log names, the oldest first
//   SyncIndex(db, index, &memory);                  // all of it
//   RebuildIndex(db, index, &memory, progress);     // the whole table
//
// All write within the caller's transaction, which must be undone if they throw.
//
// Thread rule: as the connection's; a rebuild computes on threads of its own.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "sql/index_definition.h"
#include "sql/index_store.h"

namespace s2v {

// ---- index_sync.cc: the log ----

// What a slice has done. looked_at 0: the log is empty. A row that the sweep finds while it waits in the log too is looked at
// twice, and taken in once.
struct SliceRows {
  uint64_t looked_at = 0, taken_in = 0;
};
// Takes rows of the log into the index until the deadline (sql/system/clock.h), one at least, and looks whether others
// have gone unseen. kForever: 20,000 rows. Throws InvalidArgument where another model has the name, or VACUUM gave rows
// other rowids, FormatError where entries were taken out of the log.
inline constexpr double kForever = 1e300;
SliceRows SyncSlice(sqlite3* db, const IndexDefinition& index, IndexMemory* memory, double deadline);
// Looks through the whole index and table for rows that came or went unseen, and adds them to the log.
// Throws InvalidArgument where rows may have other rowids than the index knows.
void SweepAll(sqlite3* db, const IndexDefinition& index, IndexMemory* memory);
// Adds rows to the log.
void LogRows(sqlite3* db, const IndexDefinition& index, std::span<const int64_t> rows);

using IndexProgress = std::function<void(uint64_t done, uint64_t total)>;
void SyncIndex(sqlite3* db, const IndexDefinition& index, IndexMemory* memory,
               const IndexProgress& progress = {});

// The same in slices of kSliceSeconds (sql/index_limits.h), until none waits or twice as many rows as waited at the beginning were looked
// at. Returns how many were taken in. Outside a transaction each slice is committed, and between them others may write for kSliceRestSeconds; a lock of another
// connection is waited for. After an error the slices before it stay.
uint64_t SyncInSlices(sqlite3* db, const std::string& schema, const std::string& name,
                      IndexMemory* memory, const IndexProgress& progress);

// ---- index_rebuild.cc: a whole table ----

// Makes all of it anew from the table, of an index of a former version as this one has it. Without a model an empty table, and
// one whose index awaits a model, get words alone; others throw InvalidArgument.
void RebuildIndex(sqlite3* db, const IndexDefinition& index, IndexMemory* memory,
                  const IndexProgress& progress = {});

// Chooses what cuts words if `tokenize` is automatic: the model's tokenizer; if that is of no language, or there is no model,
// one that fits the texts. REQUIRES: no row has words yet.
void ChooseTokenize(sqlite3* db, IndexDefinition* index, IndexSource* source);
// Throws InvalidArgument where the index was made by another model than the one that now has its
// name: the two have nothing to do with each other. source: of the index.
void CheckModel(const IndexDefinition& index, IndexSource* source);
// Of an index that awaits a model: why it does not know what texts mean, and what to do.
std::string WhyWordsAlone(const IndexDefinition& index, IndexSource* source);

// ---- index_check.cc: whether an index and its table say the same, and what an index is ----

struct IndexReport {
  uint64_t table_rows = 0;
  uint64_t rows = 0;  // with a vector; with passages parts, as the next
  // Rows of the table that have none: NULL, no known word, no vector of this length.
  uint64_t left_out = 0;
  uint64_t pending = 0;  // rows of the table that the log names, and that were not compared
  uint64_t gone = 0;     // rows of the index that went from the table unseen: they are no answers
  uint64_t differences = 0;
  std::vector<std::string> examples;  // of differences, at most ten, in words
};
// Compares every row. Changes nothing. Throws FormatError for what cannot be read at all.
IndexReport InspectIndex(sqlite3* db, const IndexDefinition& index, IndexMemory* memory);
// The same. Throws FormatError, naming differences, where there are any.
void CheckIndex(sqlite3* db, const IndexDefinition& index, IndexMemory* memory);

struct IndexSummary {
  IndexDefinition index;
  uint64_t rows = 0, lists = 0,
           pending = 0;  // rows: with a vector, or with passages all; pending: that the log names
  uint64_t parts = 0;    // of rows, with a vector; 0 without passages
  uint64_t vector_bytes = 0, word_bytes = 0;
  // Why it cannot be asked by meaning (made with a model that is gone, ...), or should have a better model.
  std::string problem;
};
// The names of the indexes of a schema.
std::vector<std::string> ListIndexes(sqlite3* db, const std::string& schema);
IndexSummary SummarizeIndex(sqlite3* db, const std::string& schema, const std::string& name);

// Makes the indexes of the schema anew that awaited a model and have one now; all: also those whose model is another by now.
// Each in a savepoint of its own.
void RebuildStaleIndexes(sqlite3* db, const std::string& schema, bool all);
// Takes the log in, looks through the table for rows that came or went unseen, and merges FTS5's segments.
void OptimizeIndex(sqlite3* db, const IndexDefinition& index, IndexMemory* memory);

}  // namespace s2v
