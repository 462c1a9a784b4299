// Whether the tables and triggers of an index are what this version makes: a file may be a
// stranger's.
//
// Thread rule: as the connection's.
#pragma once

#include <string>

#include "sql/index_definition.h"
#include "sql/schema_rows.h"

namespace s2v {

// Throws FormatError unless each table of the index is what this version made, byte for byte, and
// no trigger, index, view or foreign key of another's has to do with it. rows: of the schema, where
// they were read.
void CheckIndexObjects(sqlite3* db, const IndexDefinition& index, const SchemaRows* rows = nullptr);
// A trigger of the index that is missing or not what this version made; "" where there is none.
// accepts_former: what an earlier version made (sql/index_templates.cc) will do as well; 'rebuild'
// makes it anew.
std::string FindChangedTrigger(sqlite3* db, const IndexDefinition& index,
                               const SchemaRows* rows = nullptr, bool accepts_former = true);

}  // namespace s2v
