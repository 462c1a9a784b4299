/* sqlite-s2v: Sent2Vec inside SQLite. C interface of the static library.
 *
 * With s2v.so nothing of this is needed: sqlite3_load_extension(db, "./s2v", 0, 0) or .load ./s2v.
 * Linked statically:
 *
 *   // every connection opened from now on
 *   sqlite3_auto_extension((void (*)(void))sqlite3_s2v_init);
 *   sqlite3_s2v_init(db, 0, 0);                                 // or one connection
 */
#ifndef S2V_EXT_S2V_H_
#define S2V_EXT_S2V_H_

#include <sqlite3.h>

#ifdef __cplusplus
extern "C" {
#endif

struct sqlite3_api_routines;
/* Registers all functions and tables on the connection. Returns a SQLite result code;
 * *error_message, where error_message is given, is freed by sqlite3_free. */
int sqlite3_s2v_init(sqlite3* db, char** error_message, const struct sqlite3_api_routines* api);

#ifdef __cplusplus
}
#endif

#endif /* S2V_EXT_S2V_H_ */
