// The tables and triggers of an index (sql/index_definition.h says what they are; their SQL is in
// sql/index_templates.cc): made, renamed and dropped.
//
//   CreateIndexObjects(db, "main", "docs_search", options);     // all empty
#pragma once

#include <string>

#include "sql/index_definition.h"
#include "sql/index_options.h"

namespace s2v {

// Makes the tables and triggers of an index in the schema, and returns what ReadIndexSource would
// read. Throws InvalidArgument where the source is not a table with rowids, or lacks a column,
// saying what to do.
IndexSourceNames CreateIndexObjects(sqlite3* db, const std::string& schema, const std::string& name,
                                    const IndexOptions& options);
void DropIndexObjects(sqlite3* db, const std::string& schema, const std::string& name);
void RenameIndexObjects(sqlite3* db, const std::string& schema, const std::string& from,
                        const std::string& to);
// Makes the triggers anew, and of an index of a former version the tables of this one, all empty;
// the rest of 'rebuild' fills them. Throws InvalidArgument where index->rowid is "", since the
// table's rowid has no name.
void RemakeIndexObjects(sqlite3* db, IndexDefinition* index);

}  // namespace s2v
