#include "sql/index_objects.h"

#include <algorithm>
#include <utility>

#include "core/error.h"
#include "core/numbers.h"
#include "core/text/passages.h"
#include "core/text/utf8.h"
#include "sql/index_objects_check.h"
#include "sql/index_templates.h"
#include "sql/index_terms.h"
#include "sql/model_lock.h"
#include "sql/real_table.h"
#include "sql/sentence_table.h"

namespace s2v {
namespace {

// Whether the first column holds vectors: its first value is a BLOB; where it has none yet, its
// type has BLOB, FLOAT or VECTOR in it.
bool HoldsVectors(sqlite3* db, const IndexDefinition& index) {
  const std::string name = QuoteName(index.columns[0]);
  return SelectInt(
             db,
             "SELECT ifnull((SELECT typeof(" + name + ") = 'blob' FROM " + index.Source() +
                 " WHERE " + name +
                 " IS NOT NULL LIMIT 1), instr(upper(type), 'BLOB') + instr(upper(type), 'FLOAT') + instr(upper(type), 'VECTOR') > 0) "
                 "FROM temp.pragma_table_xinfo(?1, ?2) WHERE name = ?3",
             index.table, index.schema, index.columns[0]) != 0;
}

void CreateTriggers(sqlite3* db, IndexDefinition* index) {
  index->logs_all = HasGeneratedColumn(db, *index);
  TemplateValues values = ValuesOf(*index);
  for (const auto& [part, sql] : IndexTriggers()) {
    values["name"] = index->Object(part);
    Execute(db, Filled(sql, values));
  }
}

void DropTriggers(sqlite3* db, const IndexDefinition& index) {
  const auto drop = [&](const char* trigger) {
    Execute(db, "DROP TRIGGER IF EXISTS " + index.Object(trigger));
  };
  for (const auto& [part, sql] : IndexTriggers()) drop(part);
  for (const char* part : FormerIndexTriggers()) drop(part);
}

// FTS5 merges nothing by itself: sql/index_row_writer.cc says when. But parts get new ids where a
// row has more of them, and for each that is smaller than the one before FTS5 writes a segment, of
// which it has room for 2,000: of so many on a level it makes one.
constexpr int kSegments = 1999, kSegmentsOfParts = 64;

// Makes the tables that do not exist. are_all_new: none was there; else those that were must be as
// s2v makes them.
void CreateTables(sqlite3* db, const IndexDefinition& index, bool are_all_new) {
  TemplateValues values = ValuesOf(index);
  for (const auto& [part, sql] : IndexTables(index)) {
    values["name"] = "IF NOT EXISTS " + index.Object(part);
    Execute(db, Filled(sql, values));
  }
  if (!are_all_new) CheckIndexObjects(db, index);
  if (!index.words) return;
  ExecuteFts(db, index, "automerge");
  ExecuteFts(db, index, "crisismerge", index.passages > 0 ? kSegmentsOfParts : kSegments);
}

void CheckHasRowidName(const IndexDefinition& index) {
  if (!index.rowid.empty()) return;
  throw InvalidArgument("'" + index.table +
                        "' has columns called rowid, _rowid_ and oid: rename one of them");
}

// Lives while the tables of an index are dropped or renamed: in a stranger's file one of them may
// be an index, with a table that is an index, and so on. FormatError in the second.
class Outermost {
 public:
  Outermost() {
    if (is_one_) ThrowMalformed("a table of an index is an index");
    is_one_ = true;
  }
  ~Outermost() { is_one_ = false; }
  Outermost(const Outermost&) = delete;

 private:
  static inline thread_local bool is_one_ = false;
};

// What goes by the name of a part: "table", "view", "index"; "" for nothing, and for what a
// stranger has written there.
std::string TypeOf(sqlite3* db, const IndexDefinition& index, const char* part) {
  return SelectText(db,
                    "SELECT max(type) FROM " + SchemaTable(index.schema) +
                        " WHERE type IN ('table', 'view', 'index') AND name = ?1 COLLATE NOCASE",
                    index.name + "_" + part);
}

// Throws InvalidArgument where something goes by the name of a part. In one pass: the schema of a
// thousand indexes is long.
void CheckNamesAreFree(sqlite3* db, const IndexDefinition& index) {
  CheckSchemaIsPlain(db, index.schema);
  const std::string names = NamesOf(IndexTables(index), [&](const IndexTemplate& table) {
    return QuoteName(index.name + "_" + table.object, '\'');
  });
  Statement find(db, "SELECT type, name FROM " + SchemaTable(index.schema) +
                         " WHERE type <> 'trigger' AND name COLLATE NOCASE IN (" + names +
                         ") LIMIT 1");
  if (!find.Step()) return;
  throw InvalidArgument("there is a " + std::string(find.Text(0)) + " '" +
                        std::string(find.Text(1)) +
                        "', as the index would call a table of its own; give it another name");
}

// Whether there is such a table as we make it. table: of our own.
bool IsMade(sqlite3* db, const IndexDefinition& index, const IndexTemplate& table) {
  const std::string name = index.name + "_" + table.object;
  return SelectText(db, "SELECT max(sql) FROM " + SchemaTable(index.schema) + " WHERE name = ?1",
                    name) == Filled(table.sql, {{"name", QuoteName(name)}});
}

// Of an index that may be damaged: which tables it has. Its configuration may not say, or say less
// than there is; what is there as we make it is the index's.
void ReadKind(sqlite3* db, IndexDefinition* index) {
  index->words = false;
  const std::string config = index->name + "_config";
  const auto has = [&](const char* column) {
    return HasColumn(db, index->schema, config.c_str(), column);
  };
  try {
    CheckRealTable(db, index->schema, config);
    if (has("name") && has("value")) {
      Statement select(db, "SELECT value FROM " + index->Object("config") + " WHERE name = ?1");
      if (select.Find("version")) index->version = select.Int(0);
      if (select.Find("words")) index->words = select.Int(0) != 0;
    }
  } catch (const FormatError&) {
    // It is none of ours.
  }
  index->passages = index->version == kPassagesVersion;
  IndexDefinition whole;
  whole.words = true;
  whole.passages = 1;
  const std::vector<IndexTemplate> tables = IndexTables(whole);
  const auto is_made = [&](std::string_view object) {
    return IsMade(db, *index, *FindNamed(object, tables, &IndexTemplate::object));
  };
  if (is_made("entry")) index->version = std::max(index->version, kIndexVersion);
  if (is_made("term")) index->words = true;
  if (is_made("part")) index->passages = 1;
}

// What FTS5 has in its tables where there are no rows.
std::string_view EmptyFts5Rows(std::string_view part) {
  if (part.ends_with("_config")) return "('version', 4)";
  return part.ends_with("_data") ? "(1, x''), (10, x'00000000000000')" : "";
}

// Whether an index of this version was made anew from one of version 1, whose tables it has left.
bool HasFormerTables(sqlite3* db, const IndexDefinition& index) {
  return IsMade(db, index, FormerIndexTables().front());
}

// What is asked for. Throws InvalidArgument where there cannot be such an index.
IndexDefinition Checked(sqlite3* db, const std::string& schema, const std::string& name,
                        const IndexOptions& options) {
  IndexDefinition index;
  index.schema = schema;
  index.name = name;
  index.table = options.table;
  index.rowid = FreeRowidName(db, schema, index.table);
  CheckIndexSource(db, schema, index.table, index.rowid);
  if (IsTableOfModels(index.table)) {
    throw InvalidArgument("'" + index.table +
                          "' is a table of models, which may have no triggers; index a copy of it");
  }
  CheckHasRowidName(index);
  const auto add_columns = [&](const std::vector<std::string>& columns) {
    for (const std::string& column : columns) {
      std::string known = ColumnName(db, schema, index.table, column, index.table);
      if (std::find(index.columns.begin(), index.columns.end(), known) != index.columns.end())
        throw InvalidArgument("column '" + known + "' is given twice");
      index.columns.push_back(std::move(known));
    }
  };
  add_columns(options.columns);
  index.of_vectors = index.columns.size() == 1 && HoldsVectors(db, index);
  if (!index.of_vectors && !options.word_columns.empty()) {
    throw InvalidArgument(
        "words = names of columns is for a column of vectors; name the columns of text behind "
        "the table: s2v_index(" +
        options.table + ", title, body)");
  }
  if (options.words == false &&
      (options.tokenize != IndexOptions().tokenize || !options.weights.empty() || options.weight)) {
    throw InvalidArgument(
        "tokenize, weight and weights are of words, which this index is to have none of (words = off)");
  }
  add_columns(options.word_columns);
  for (const std::string& column : options.filters) {
    if (IsRowidName(column)) {
      throw InvalidArgument(
          "filter: '" + column +
          "' is the rowid's name, and conditions on that are heeded anyway; a column that is called so needs "
          "another name, by a generated column");
    }
    index.filters.push_back(ColumnName(db, schema, index.table, column, index.table));
  }
  if (index.of_vectors && options.passages > 0) {
    throw InvalidArgument("passages are cut from text: '" + index.columns[0] + "' has vectors");
  }
  index.passages = options.passages;
  index.passage_rules = kPassageRules;
  if (index.passages > 0) index.version = kPassagesVersion;
  index.words = options.words.value_or(!index.of_vectors);
  if (index.words && index.TextColumns().empty()) {
    throw InvalidArgument("words = on needs text: words = body says in which column it is");
  }
  if (!options.weights.empty() && options.weights.size() != index.TextColumns().size()) {
    throw InvalidArgument("weights: " + std::to_string(options.weights.size()) + " numbers for " +
                          std::to_string(index.TextColumns().size()) + " columns of text");
  }
  index.tokenize = index.words ? options.tokenize : "";
  // Throws where there is no such tokenizer. RebuildIndex chooses the automatic one.
  if (index.words && index.tokenize != kAutomatic) TermCutter(db, index);
  index.model = options.model;
  CheckNamesAreFree(db, index);
  return index;
}

}  // namespace

IndexSourceNames CreateIndexObjects(sqlite3* db, const std::string& schema, const std::string& name,
                                    const IndexOptions& options) {
  IndexDefinition index = Checked(db, schema, name, options);
  CreateTables(db, index, /*are_all_new=*/true);
  CreateTriggers(db, &index);
  sqlite3_randomness(sizeof(index.seed), &index.seed);
  const auto given = [](const std::string& text) {
    return text.empty() ? std::nullopt : std::optional(text);
  };
  Statement put(db, "INSERT INTO " + index.Object("config") + " VALUES(?1, ?2)");
  put.Run("version", index.version);
  put.Run("source", index.of_vectors ? "vectors" : "text");
  put.Run("columns", index.columns.size());
  put.Run("words", index.words);
  put.Run("tokenize", given(index.tokenize));
  put.Run("weight", options.weight);
  put.Run("model", given(index.model));
  put.Run("seed", index.seed);
  if (index.passages > 0) put.Run("passages", index.passages);
  if (!options.weights.empty()) put.Run("weights", NamesOf(options.weights, NumberText, ","));
  StoreVectorKind(db, index);
  StoreProgress(db, index);
  return index;
}

void RemakeIndexObjects(sqlite3* db, IndexDefinition* index) {
  CheckHasRowidName(*index);
  DropTriggers(db, *index);
  if (index->version < kIndexVersion) {
    Execute(db, "DELETE FROM " + index->Object("row"));
    if (index->words) {
      Execute(db, "DELETE FROM " + index->Object("old"));
      Execute(db, "INSERT INTO " + index->Object("words") + "(" +
                      QuoteName(index->name + "_words") + ") VALUES('delete-all')");
    }
    index->version = kIndexVersion;
    CreateTables(db, *index, /*are_all_new=*/false);
    Execute(db, "UPDATE " + index->Object("config") + " SET value = ?1 WHERE name = 'version'",
            kIndexVersion);
  }
  CreateTriggers(db, index);
}

void DropIndexObjects(sqlite3* db, const std::string& schema, const std::string& name) {
  const Outermost only;
  IndexDefinition index;
  index.schema = schema;
  index.name = name;
  ReadKind(db, &index);
  // Whatever of these is there may be dropped, FTS5's tables and those of former versions too.
  const auto may_go = [prefix = LowerAscii(name) + "_"](const std::string& table) {
    return table.starts_with(prefix);
  };
  if (const std::string key = FindForeignKeyTo(db, schema, may_go); !key.empty()) {
    // Of DROP TABLE SQLite tells the code alone: "constraint failed".
    throw SqlError(SQLITE_CONSTRAINT_FOREIGNKEY,
                   "a foreign key of " + key + ", so its rows might go with the index");
  }
  DropTriggers(db, index);
  // In a stranger's file a view may have a table's name.
  const auto drop = [&](const char* part) {
    const std::string type = TypeOf(db, index, part);
    if (!type.empty()) Execute(db, "DROP " + type + " " + index.Object(part));
  };
  // FTS5 does not let go of a table that it cannot read: it gets an empty one.
  for (const auto& [part, sql] : Fts5Tables(index)) {
    drop(part);
    Execute(db, Filled(sql, {{"name", index.Object(part)}}));
    if (const std::string_view rows = EmptyFts5Rows(part); !rows.empty()) {
      Execute(db, "INSERT INTO " + index.Object(part) + " VALUES" + std::string(rows));
    }
  }
  for (const auto& [part, sql] : IndexTables(index)) drop(part);
  for (const auto& [part, sql] : Fts5Tables(index)) drop(part);
  if (!HasFormerTables(db, index)) return;
  for (const auto& [part, sql] : FormerIndexTables()) drop(part);
}

void RenameIndexObjects(sqlite3* db, const std::string& schema, const std::string& from,
                        const std::string& to) {
  const Outermost only;
  CheckRealTable(db, schema, from + "_config");
  IndexDefinition index = ReadIndexDefinition(db, schema, from);
  DropTriggers(db, index);
  const auto rename = [&](const char* part) {
    if (TypeOf(db, index, part) != "table") return;
    Execute(db, "ALTER TABLE " + index.Object(part) + " RENAME TO " + QuoteName(to + "_" + part));
  };
  const bool has_former = HasFormerTables(db, index);
  for (const auto& [part, sql] : IndexTables(index)) rename(part);
  for (const auto& [part, sql] : FormerIndexTables()) {
    if (has_former) rename(part);
  }
  index.name = to;
  CreateTriggers(db, &index);
}

}  // namespace s2v
