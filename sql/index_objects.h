// The tables and triggers of an index (sql/index_definition.h says what they are; their SQL is in
// sql/index_templates.cc): made, renamed, dropped, and looked at for what a stranger may have done
// to them.
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

// ---- index_objects_check.cc ----

// Throws FormatError unless each table of the index is what this version made, byte for byte, and
// no trigger, index, view or foreign key of another's has to do with it.
// rows: of the schema, where they were read.
void CheckIndexObjects(sqlite3* db, const IndexDefinition& index, const SchemaRows* rows = nullptr);
// A trigger of the index that is missing or not what this version made; "" where there is none.
// accepts_former: what an earlier version made (sql/index_templates.cc) will do as well; 'rebuild'
// makes it anew.
std::string FindChangedTrigger(sqlite3* db, const IndexDefinition& index,
                               const SchemaRows* rows = nullptr, bool accepts_former = true);

}  // namespace s2v
