// What a question writes, which only reads for whoever asks it.
//
//   if (TryWrite(db, index.schema, [&] { SyncSlice(db, index, memory, deadline); })) ...
//
// Thread rule: as the connection's.
#pragma once

#include <functional>
#include <string>

#include "sql/statement.h"

namespace s2v {

// Does the work in a savepoint, if the connection may write to the schema, is in no transaction,
// and no lock has to be waited for. last_insert_rowid() stays. Returns whether it was done; if not,
// all is as it was. Throws what work throws, but for SqlErrors that pass (a lock, a full disk) and
// InvalidArgument.
bool TryWrite(sqlite3* db, const std::string& schema, const std::function<void()>& work);

}  // namespace s2v
