// SQLite's API, the same for both builds: through the pointer that SQLite hands to a loadable
// extension, or, with SQLITE_CORE defined, by direct calls. Always include this, never sqlite3.h.
#ifndef S2V_SQL_SQLITE_API_H_
#define S2V_SQL_SQLITE_API_H_

#include <sqlite3ext.h>

#ifndef SQLITE_CORE
SQLITE_EXTENSION_INIT3
#endif

#endif  // S2V_SQL_SQLITE_API_H_
