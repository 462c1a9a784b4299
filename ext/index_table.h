// CREATE VIRTUAL TABLE docs_search USING s2v_index(docs, body): see ext/index_table.cc.
#ifndef S2V_EXT_INDEX_TABLE_H_
#define S2V_EXT_INDEX_TABLE_H_

#include "ext/table_function.h"
#include "sql/index_writer.h"

namespace s2v {

// Is told how far the making of an index is, of all connections; set before there are any threads.
void SetIndexProgress(IndexProgress progress);

// Returns a result code.
int RegisterIndexModule(sqlite3* db, const SharedConnection& connection);

}  // namespace s2v

#endif  // S2V_EXT_INDEX_TABLE_H_
