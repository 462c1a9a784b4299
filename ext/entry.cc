// The entries of the extension. Compiled twice, for s2v.so and for the static library; all else of
// sql and ext once.
#include <sqlite3ext.h>
#ifdef SQLITE_CORE
#define S2V_LINKING "static"
#else
#define S2V_LINKING "loadable"
SQLITE_EXTENSION_INIT1
#endif

namespace s2v {

// ext/extension.cc. linking: for s2v_debug. Returns a result code.
int RegisterAll(sqlite3* db, const char* linking);

}  // namespace s2v

#if defined(_WIN32) && !defined(SQLITE_CORE)
#define S2V_EXPORT __declspec(dllexport)
#else
#define S2V_EXPORT __attribute__((visibility("default")))
#endif

extern "C" {

// Not an exported name: SQLite loads libraries with RTLD_GLOBAL, so that a call of one from here
// would go to the first s2v.so of the process, whichever this is.
static int Load(sqlite3* db, char** error_message, const sqlite3_api_routines* api) {
#ifdef SQLITE_CORE
  (void)api;
#else
  SQLITE_EXTENSION_INIT2(api)
#endif
  if (sqlite3_libversion_number() < 3038000) {
    if (error_message != nullptr) {
      *error_message =
          sqlite3_mprintf("s2v needs SQLite 3.38 or newer, this is %s", sqlite3_libversion());
    }
    return SQLITE_ERROR;
  }
  return s2v::RegisterAll(db, S2V_LINKING);
}

S2V_EXPORT int sqlite3_s2v_init(sqlite3* db, char** error_message,
                                const sqlite3_api_routines* api) {
  return Load(db, error_message, api);
}

#ifndef SQLITE_CORE
static int LoadForGood(sqlite3* db, char** error_message, const sqlite3_api_routines* api) {
  const int code = Load(db, error_message, api);
  // The cache of rows belongs to the process: the library stays when this connection is closed.
  return code == SQLITE_OK ? SQLITE_OK_LOAD_PERMANENTLY : code;
}

// What the loader looks for: the first name for any file name, the second is made of the letters of
// "s2v.so".
S2V_EXPORT int sqlite3_extension_init(sqlite3* db, char** error_message,
                                      const sqlite3_api_routines* api) {
  return LoadForGood(db, error_message, api);
}
S2V_EXPORT int sqlite3_sv_init(sqlite3* db, char** error_message, const sqlite3_api_routines* api) {
  return LoadForGood(db, error_message, api);
}
#endif

}  // extern "C"
