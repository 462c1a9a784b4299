// Who may write the tables of models, and when: no stranger's SQL may run by it, and no reader is
// kept out for long.
//
//   CheckWritable(db, "main");                          // before an hour of training
//   const auto savepoint = BeginWriting(db, "main", WaitUpTo(2, 10));
//   ...                                                 // writes
//   if (!savepoint->TryRelease()) ThrowLocked(SQLITE_BUSY, "main", "reading");
//
// Thread rule: as the connection's.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "sql/statement.h"

namespace s2v {

// While another connection is in the way, holding no lock: false gives up.
using KeepWaiting = std::function<bool()>;
// Sleeps at each call, and gives up `seconds` from now; report, which may throw, is called in
// between.
KeepWaiting WaitUpTo(double seconds, int sleep_milliseconds, std::function<void()> report = {});
// Begins a savepoint that holds the write lock of the schema. Where other connections' reads would
// bar its commit (all journals but WAL), it waits for their end now: a commit that is refused keeps
// every new reader out until it is tried again. Throws SqlError where keep_waiting gives up.
std::unique_ptr<Savepoint> BeginWriting(sqlite3* db, const std::string& schema,
                                        const KeepWaiting& keep_waiting);
// The SqlError of that. doing: "reading", "writing to".
[[noreturn]] void ThrowLocked(int code, const std::string& schema, const char* doing);
// Throws InvalidArgument where nothing can be stored in the schema: there is none, it is read-only;
// FormatError where a stranger's view or trigger would run.
void CheckWritable(sqlite3* db, const std::string& schema);
// Whether models or checkpoints are kept in a table of this name: it may have no triggers.
bool IsTableOfModels(const std::string& table);
// Takes the write lock of the schema now, or throws: not after an hour of training.
void LockForSaving(sqlite3* db, const std::string& schema);

}  // namespace s2v
