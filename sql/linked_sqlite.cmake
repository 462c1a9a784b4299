# Writes OUTPUT, a C file: the table of SQLite's functions (sqlite3_api, sqlite3ext.h) for programs that
# link SQLite, filled with the functions that sql and ext name and no others, since SQLite can be built
# without many. A loadable extension gets its table from the SQLite that loads it.
# INPUT: sqlite3ext.h, which says "#define sqlite3_step sqlite3_api->step".
cmake_policy(VERSION 3.22)
file(GLOB sources sql/*.cc sql/*.h ext/*.cc ext/*.h ext/import/*.cc ext/import/*.h)
set(called "")
foreach(source ${sources})
  file(READ ${source} text)
  string(REGEX MATCHALL "sqlite3_[a-z0-9_]+" names "${text}")
  list(APPEND called ${names})
endforeach()
file(STRINGS ${INPUT} defines REGEX "^#define sqlite3_[a-z0-9_]+ +sqlite3_api->")
list(REMOVE_DUPLICATES defines)
set(fields "")
foreach(define ${defines})
  string(REGEX MATCH "^#define (sqlite3_[a-z0-9_]+) +sqlite3_api->([a-z0-9_]+)" matched "${define}")
  if("${CMAKE_MATCH_1}" IN_LIST called)
    string(APPEND fields "    .${CMAKE_MATCH_2} = ${CMAKE_MATCH_1},\n")
  endif()
endforeach()
file(WRITE ${OUTPUT}.new "#define SQLITE_CORE 1\n#include <sqlite3ext.h>\n
/* Newer than the oldest SQLite that may be linked, called where it is there: */
#pragma weak sqlite3_db_name
static const sqlite3_api_routines linked = {\n${fields}};
const sqlite3_api_routines* sqlite3_api = &linked;\n")
file(COPY_FILE ${OUTPUT}.new ${OUTPUT} ONLY_IF_DIFFERENT)
