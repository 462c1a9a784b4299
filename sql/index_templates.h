// The SQL of an index's tables and triggers, as sqlite_schema has it: with {name} for its own name,
// and other {key}s. What each is for: sql/index_definition.h.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sql/index_definition.h"

namespace s2v {

struct IndexTemplate {
  const char* object;  // of the name N_object
  const char* sql;
};
// Of this version or a former one, whichever the index is.
std::vector<IndexTemplate> IndexTables(const IndexDefinition& index);
// Those that FTS5 makes of N_fts or, in version 1, of N_words, with names of theirs behind it; none
// of an index without words.
std::vector<IndexTemplate> Fts5Tables(const IndexDefinition& index);
std::span<const IndexTemplate> IndexTriggers();
// Whether SQLite shall keep others from writing to N_object. Not N_log, to which triggers write, nor
// N_fts, a virtual table itself. Takes no memory: SQLite asks while it reads a schema, where no
// exception can be caught.
bool IsProtectedObject(const char* object) noexcept;

// Whether an index of any version may have a table N_object.
bool IsIndexObject(const std::string& object);

// Of version 1. 'rebuild' empties the tables, since SQLite drops no table while a statement runs;
// DROP TABLE takes them.
std::span<const IndexTemplate> FormerIndexTables();
std::span<const char* const> FormerIndexTriggers();

using TemplateValues = std::map<std::string_view, std::string>;
// What the templates need but {name}.
TemplateValues ValuesOf(const IndexDefinition& index);
// A template with its {key}s replaced.
std::string Filled(std::string_view text, const TemplateValues& values);

}  // namespace s2v
