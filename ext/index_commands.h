// What is done with an index besides asking it (ext/index_table.cc):
//
//   INSERT INTO docs_search(docs_search) VALUES('rebuild');      -- a command, in one transaction, as SQLite has it
//   SELECT s2v_sync('docs_search', '{"progress": "..."}');       -- 'sync' in slices, others write between them
//
// Commands: 'rebuild' makes all anew, 'sync' takes changed rows in now, 'optimize' does so, looks
// for rows that came or went unseen and makes the words smaller, 'integrity-check' fails where what
// is told of a row differs from the table.
#pragma once

#include <string>
#include <string_view>

#include "ext/boundary.h"
#include "sql/index_definition.h"
#include "sql/index_memory.h"

namespace s2v {

// What a connection keeps of an index; made where there is none yet.
const std::shared_ptr<IndexMemory>& MemoryOf(Connection& connection, const std::string& schema,
                                             const std::string& name);

// While it lives, no other question or command of the connection gets at the index: one that comes
// now comes from a schema that someone has tampered with.
class IndexTurn {
 public:
  // Throws FormatError.
  explicit IndexTurn(IndexMemory* memory, StatementCache* statements = nullptr);
  ~IndexTurn();
  IndexTurn(const IndexTurn&) = delete;
  IndexTurn& operator=(const IndexTurn&) = delete;

 private:
  IndexMemory* memory_;
};

void RunIndexCommand(sqlite3* db, const std::string& schema, const std::string& name,
                     IndexMemory* memory, std::string_view command);

// How far the making of an index is, of all connections; set before there are any threads.
IndexProgress& IndexProgressOfAll();

}  // namespace s2v
