#include "sql/index_memory.h"

#include "core/error.h"
#include "sql/index_objects_check.h"

namespace s2v {

size_t MemoryBytes(const ListBlocks& blocks) {
  size_t bytes = 0;
  if (blocks != nullptr) {
    for (const search::Block& block : *blocks) bytes += block.MemoryBytes();
  }
  return bytes;
}

IndexDefinition OpenIndex(sqlite3* db, const std::string& schema, const std::string& name,
                          IndexMemory* memory, bool for_rebuild) {
  const std::string config = name + "_config";
  const std::string_view tables[] = {config};
  const OpenFiles::Reading reading = memory->files.Begin(db, schema, tables);
  memory->file = reading.file;
  const bool was_checked = !for_rebuild && reading.file != 0 &&
                           memory->checked_file == reading.file &&
                           memory->checked_schema == reading.schema_version;
  const SchemaRows* rows = was_checked ? nullptr : &memory->files.Rows(db, schema, reading);
  IndexDefinition index = ReadIndexDefinition(
      db, schema, name, was_checked ? &memory->source : nullptr, memory->files.statements, rows);
  if (!for_rebuild && index.version < kIndexVersion) {
    throw InvalidArgument("'" + name + "' was made by an older version of s2v; " +
                          RebuildHint(index));
  }
  if (was_checked) return index;
  CheckIndexObjects(db, index, rows);
  const std::string trigger = for_rebuild ? "" : FindChangedTrigger(db, index, rows);
  if (!trigger.empty()) {
    throw InvalidArgument("trigger '" + trigger + "' is missing or changed, so changes of '" +
                          index.table + "' may be unknown; " + RebuildHint(index));
  }
  if (!for_rebuild && !HasRowidName(db, index)) {
    throw InvalidArgument("'" + index.table + "' has a column called " + index.rowid +
                          " now, by which the index knew its rows; " + RebuildHint(index));
  }
  memory->source = index;
  memory->checked_file = for_rebuild || !reading.is_committed ? 0 : reading.file;
  memory->checked_schema = reading.schema_version;
  return index;
}

}  // namespace s2v
