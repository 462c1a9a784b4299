/* sqlite-s2v linked into a C program: no file to load at run time.
 *
 *   cmake --build build --target s2v_static_example && build/examples/s2v_static_example
 *
 * In a project of your own: docs/programs.md, "C", has the compiler's command and CMake's.
 */
#include <stdio.h>

#include <s2v.h>

static const char kSetup[] =
    "CREATE TABLE remark(id INTEGER PRIMARY KEY, body TEXT);"
    /* 54 remarks: too few to learn a language from, enough to learn which words keep which company */
    "INSERT INTO remark(body)"
    "  WITH who(w) AS (VALUES('the cat'), ('a dog'), ('my horse')),"
    "       eats(v) AS (VALUES('eats'), ('smells'), ('wants')),"
    "       food(o) AS (VALUES('some fish'), ('fresh meat'), ('dry hay'))"
    "  SELECT w || ' ' || v || ' ' || o FROM who, eats, food;"
    "INSERT INTO remark(body)"
    "  WITH what(w) AS (VALUES('the car'), ('a bus'), ('my truck')),"
    "       goes(v) AS (VALUES('crosses'), ('follows'), ('blocks')),"
    "       road(o) AS (VALUES('the road'), ('this street'), ('that bridge'))"
    "  SELECT w || ' ' || v || ' ' || o FROM what, goes, road;"
    /* so little text wants no subsampling and small steps; one worker: the same model every time */
    "SELECT s2v_train('remark', 'body', json_object('dimension', 100, 'epochs', 20, 'learning_rate', 0.1,"
    "                 'subsampling_threshold', 1, 'workers', 1));"
    "CREATE VIRTUAL TABLE remark_search USING s2v_index(remark, body);";

static const char kNearest[] =
    "SELECT r.id, r.body, s.score FROM remark_search(?1, 3) AS s JOIN remark AS r ON r.id = s.rowid";

static int Fail(sqlite3* db, const char* what) {
  fprintf(stderr, "%s: %s\n", what, db != NULL ? sqlite3_errmsg(db) : "out of memory");
  sqlite3_close(db);
  return 1;
}

int main(void) {
  sqlite3* db = NULL;
  sqlite3_stmt* nearest = NULL;
  int rows = 0, fed = 0;

  /* Before the first connection: every one that is opened from now on has the functions. */
  sqlite3_auto_extension((void (*)(void))sqlite3_s2v_init);
  if (sqlite3_open(":memory:", &db) != SQLITE_OK) return Fail(db, "open");
  if (sqlite3_exec(db, kSetup, NULL, NULL, NULL) != SQLITE_OK) return Fail(db, "set-up");

  if (sqlite3_prepare_v2(db, kNearest, -1, &nearest, NULL) != SQLITE_OK) return Fail(db, "prepare");
  sqlite3_bind_text(nearest, 1, "fresh fish for my dog", -1, SQLITE_STATIC);
  puts("found for 'fresh fish for my dog':");
  while (sqlite3_step(nearest) == SQLITE_ROW) {
    printf("  %.3f  %s\n", sqlite3_column_double(nearest, 2),
           (const char*)sqlite3_column_text(nearest, 1));
    rows++;
    fed += sqlite3_column_int(nearest, 0) <= 27; /* a remark on animals and food */
  }
  if (sqlite3_finalize(nearest) != SQLITE_OK) return Fail(db, "search");
  sqlite3_close(db);
  return rows == 3 && fed == 3 ? 0 : 1;
}
