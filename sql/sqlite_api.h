// SQLite's API for sql and ext, which are compiled once: through the pointer sqlite3_api. SQLite
// hands it to a loadable extension; the static library has a table of its own
// (linked_sqlite.cmake). With SQLITE_CORE defined, for programs that link SQLite: direct calls.
// Always include this, never sqlite3.h.
#ifndef S2V_SQL_SQLITE_API_H_
#define S2V_SQL_SQLITE_API_H_

#include <sqlite3ext.h>

#ifndef SQLITE_CORE
SQLITE_EXTENSION_INIT3
#endif

#endif  // S2V_SQL_SQLITE_API_H_
