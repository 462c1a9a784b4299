// What is stored in a file and run again, with the rights of whoever runs it: a model's condition
// (where) and the table that it was trained from.
//
// Thread rule: as the connection's.
#pragma once

#include <string>
#include <string_view>

#include "sql/statement.h"

namespace s2v {

// Throws InvalidArgument where the statement calls a function that is not innocuous, writefile and
// edit of the shell for example, which the condition names or the same statement `without` the
// condition does not call; SQLite's own are, but for those that no view may call. And where the
// condition names a virtual table of a module that may do more than read the database, of another
// than FTS, R-trees, json_each, generate_series and ours, or one of FTS that reads its texts from
// such a one. where: what of the statement is stored.
void CheckInnocuous(sqlite3* db, const std::string& select, const std::string& without,
                    std::string_view where);
// The same for a table that is not the caller's choice, by its name alone.
void CheckStoredTable(sqlite3* db, std::string_view table);

}  // namespace s2v
