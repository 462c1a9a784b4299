// Indexes whose contents depend on a model: SQLite takes s2v_embed for a function of its arguments,
// so after retraining an index on it, or on a generated column of it, would go on to give the
// former model's vectors, silently. They are made anew in the transaction that stores the model.
#ifndef S2V_SQL_STALE_INDEXES_H_
#define S2V_SQL_STALE_INDEXES_H_

#include <string>

#include "sql/statement.h"

namespace s2v {

// REINDEX of every index of the schema whose definition, or whose table's, calls a function that
// reads a model. Embeds the rows of those tables. Throws SqlError.
void RebuildModelIndexes(sqlite3* db, const std::string& schema);

}  // namespace s2v

#endif  // S2V_SQL_STALE_INDEXES_H_
