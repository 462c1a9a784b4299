#include "sql/index_definition.h"

#include <algorithm>
#include <map>
#include <ranges>

#include "core/error.h"
#include "sql/model_format.h"
#include "sql/sentence_table.h"

namespace s2v {
namespace {

constexpr const char* kTriggers[] = {"before_insert", "insert", "before_update", "update",
                                     "delete"};

// ---- the source ----

// Throws where triggers cannot follow it.
void CheckSource(sqlite3* db, const std::string& schema, const std::string& table) {
  Statement find(db,
                 "SELECT type, wr FROM pragma_table_list WHERE schema = ?1 COLLATE NOCASE AND "
                 "name = ?2 COLLATE NOCASE",
                 schema, table);
  if (!find.Step()) {
    const std::string names = SelectText(db, R"(
        SELECT group_concat(name, ', ') FROM pragma_table_list WHERE schema = ?1 AND type = 'table'
        AND name NOT LIKE 'sqlite\_%' ESCAPE '\' AND name NOT LIKE 's2v\_%' ESCAPE '\')",
                                         schema);
    throw InvalidArgument("no table '" + table + "' in '" + schema + "', where the index is" +
                          (names.empty() ? "" : "; there are " + names));
  }
  const std::string_view type = find.Text(0);
  if (type == "view") {
    throw InvalidArgument("'" + table +
                          "' is a view, which has no rows of its own to follow; index the table "
                          "that it reads, or a copy of it");
  }
  if (type == "virtual" || type == "shadow") {
    throw InvalidArgument("'" + table +
                          "' is a virtual table or part of one, and SQLite has no triggers on "
                          "those; index an ordinary table with its text");
  }
  if (find.Int(1) != 0) {
    throw InvalidArgument("'" + table +
                          "' is WITHOUT ROWID, and the index refers to rows by their rowid; make "
                          "it a table with an INTEGER PRIMARY KEY");
  }
}

// Whether the first column holds vectors: by its first value, of an empty table by its type.
bool HoldsVectors(sqlite3* db, const IndexDefinition& index) {
  const std::string name = QuoteName(index.columns[0]);
  return SelectInt(db,
                   "SELECT ifnull((SELECT typeof(" + name + ") = 'blob' FROM " + index.Source() +
                       " WHERE " + name +
                       " IS NOT NULL LIMIT 1), type LIKE '%BLOB%') "
                       "FROM pragma_table_xinfo(?1, ?2) WHERE name = ?3",
                   index.table, index.schema, index.columns[0]) != 0;
}

// ---- tables and triggers ----

// On one line each, as SQLite stores them.
constexpr const char* kShadowTables =
    "CREATE TABLE {config}(name TEXT PRIMARY KEY, value) WITHOUT ROWID;"
    "CREATE TABLE {list}(id INTEGER PRIMARY KEY, rows INTEGER NOT NULL, stamp INTEGER NOT NULL, "
    "centre BLOB NOT NULL, checksum INTEGER NOT NULL);"
    "CREATE TABLE {block}(key INTEGER PRIMARY KEY, codes BLOB NOT NULL);"
    "CREATE TABLE {row}(id INTEGER PRIMARY KEY, list INTEGER NOT NULL, vector BLOB);"
    "CREATE TABLE {log}(id INTEGER PRIMARY KEY, row INTEGER NOT NULL)";
constexpr const char* kWordTables =
    "CREATE TABLE {old}(id INTEGER, {c});"
    "CREATE VIRTUAL TABLE {words} USING fts5({c}, content='', tokenize={tokenize})";

// " OR (...)" for each UNIQUE index: that a row of T has the same values in its columns as the new one. Nothing
// for an index with an expression, which has no name.
std::vector<std::string> UniqueConditions(sqlite3* db, const IndexDefinition& index) {
  Statement select(db, R"(
      SELECT condition FROM (
        SELECT (SELECT iif(count(*) = count(name),
                           group_concat(printf('"%w" = new."%w"', name, name), ' AND '), NULL)
                FROM (SELECT name FROM pragma_index_info(list.name, ?2) ORDER BY seqno)) AS condition
        FROM pragma_index_list(?1, ?2) AS list WHERE "unique" AND NOT partial)
      WHERE condition IS NOT NULL)",
                   index.table, index.schema);
  std::vector<std::string> conditions;
  while (select.Step()) conditions.push_back(" OR (" + std::string(select.Text(0)) + ")");
  return conditions;
}

// A template with its {key}s replaced.
std::string Filled(std::string_view text, const std::map<std::string_view, std::string>& values) {
  std::string filled;
  for (size_t open; (open = text.find('{')) != text.npos;) {
    const size_t close = text.find('}', open);
    filled.append(text.substr(0, open)) += values.at(text.substr(open + 1, close - open - 1));
    text.remove_prefix(close + 1);
  }
  return filled.append(text);
}

// The WHEN clause of N_update begins with this; ReadSource reads it again.
std::string ChangedCondition(const IndexDefinition& index) {
  const auto differs = [](const std::string& name) {
    return "old." + QuoteName(name) + " IS NOT new." + QuoteName(name);
  };
  return differs(index.rowid) + " OR " + NamesOf(index.columns, differs, " OR ");
}

constexpr const char* kWordTriggers = R"(
CREATE TRIGGER {trigger}_before_insert" BEFORE INSERT ON {table}
WHEN EXISTS (SELECT 1 FROM {table} WHERE {id} = new.{id}{unique}) BEGIN
  DELETE FROM {old};
  INSERT INTO {old} SELECT {id}, {texts} FROM {table} WHERE {id} = new.{id}{unique};
END;
CREATE TRIGGER {trigger}_insert" AFTER INSERT ON {table} BEGIN
  INSERT INTO {log}(row) SELECT o.id FROM {old} AS o WHERE o.id <> new.{id};
  {forget}
  DELETE FROM {old};
  INSERT INTO {words}(rowid, {c}) VALUES(new.{id}, {new_texts});
  INSERT INTO {log}(row) VALUES(new.{id});
END;
CREATE TRIGGER {trigger}_before_update" BEFORE UPDATE ON {table} BEGIN
  DELETE FROM {old};
  INSERT INTO {old} SELECT {id}, {texts} FROM {table}
  WHERE {id} <> old.{id} AND ({id} = new.{id}{unique});
END;
CREATE TRIGGER {trigger}_update" AFTER UPDATE ON {table}
WHEN {changed} OR EXISTS (SELECT 1 FROM {old}) BEGIN
  INSERT INTO {words}({words}, rowid, {c}) VALUES('delete', old.{id}, {old_texts});
  INSERT INTO {log}(row) SELECT o.id FROM {old} AS o;
  {forget}
  DELETE FROM {old};
  INSERT INTO {words}(rowid, {c}) VALUES(new.{id}, {new_texts});
  INSERT INTO {log}(row) VALUES(old.{id}), (new.{id});
END;
CREATE TRIGGER {trigger}_delete" AFTER DELETE ON {table} BEGIN
  INSERT INTO {words}({words}, rowid, {c}) VALUES('delete', old.{id}, {old_texts});
  INSERT INTO {log}(row) VALUES(old.{id});
END;
)";
// Takes the rows out of N_words that were replaced.
constexpr const char* kForget =
    R"(INSERT INTO {words}({words}, rowid, {c}) SELECT 'delete', o.id, {old_c} FROM {old} AS o
  WHERE EXISTS (SELECT 1 FROM {docsize} AS d WHERE d.id = o.id)
  AND (o.id = new.{id} OR NOT EXISTS (SELECT 1 FROM {table} AS t WHERE t.{id} = o.id));)";

constexpr const char* kLogTriggers = R"(
CREATE TRIGGER {trigger}_before_insert" BEFORE INSERT ON {table} WHEN {has_unique} BEGIN
  INSERT INTO {log}(row) SELECT {id} FROM {table} WHERE {id} <> new.{id} AND (0{unique});
END;
CREATE TRIGGER {trigger}_insert" AFTER INSERT ON {table} BEGIN
  INSERT INTO {log}(row) VALUES(new.{id});
END;
CREATE TRIGGER {trigger}_before_update" BEFORE UPDATE ON {table} WHEN {has_unique} BEGIN
  INSERT INTO {log}(row) SELECT {id} FROM {table} WHERE {id} <> old.{id} AND (0{unique});
END;
CREATE TRIGGER {trigger}_update" AFTER UPDATE ON {table} WHEN {changed} BEGIN
  INSERT INTO {log}(row) VALUES(old.{id}), (new.{id});
END;
CREATE TRIGGER {trigger}_delete" AFTER DELETE ON {table} BEGIN
  INSERT INTO {log}(row) VALUES(old.{id});
END;
)";

void CreateTriggers(sqlite3* db, const IndexDefinition& index) {
  const auto part = [&](const char* name) { return QuoteName(index.name + "_" + name); };
  const std::vector<std::string> unique = UniqueConditions(db, index);
  const std::string trigger = index.Part("");
  std::map<std::string_view, std::string> values = {
      {"trigger", trigger.substr(0, trigger.size() - 2)},  // without _"
      {"table", QuoteName(index.table)},
      {"id", QuoteName(index.rowid)},
      {"unique", NamesOf(unique, std::identity(), "")},
      {"has_unique", unique.empty() ? "0" : "1"},
      {"changed", ChangedCondition(index)},
      {"log", part("log")},
      {"old", part("old")},
      {"words", part("words")},
      {"docsize", part("words_docsize")},
      {"texts", index.Texts()},
      {"old_texts", index.Texts("old.")},
      {"new_texts", index.Texts("new.")},
      {"c", index.WordColumns()},
      {"old_c", index.WordColumns("o.")}};
  values["forget"] = Filled(kForget, values);
  Execute(db, Filled(index.words ? kWordTriggers : kLogTriggers, values));
}

void DropTriggers(sqlite3* db, const std::string& schema, const std::string& name) {
  for (const char* trigger : kTriggers) {
    Execute(db,
            "DROP TRIGGER IF EXISTS " + QuoteName(schema) + "." + QuoteName(name + "_" + trigger));
  }
}

// ---- reading ----

// Table, rowid and columns, from the trigger that names them all.
void ReadSource(sqlite3* db, IndexDefinition* index, size_t columns) {
  const std::string trigger = index->name + "_update";
  Statement find(db,
                 "SELECT tbl_name, sql FROM " + QuoteName(index->schema) +
                     ".sqlite_schema WHERE type = 'trigger' AND name = ?1 COLLATE NOCASE",
                 trigger);
  if (!find.Step()) {
    throw InvalidArgument("the table of '" + index->name + "' was dropped, or the trigger '" +
                          trigger + "'; DROP TABLE " + QuoteName(index->name) +
                          " and create it again");
  }
  index->table = find.Text(0);
  CheckSource(db, index->schema, index->table);
  std::string_view sql = find.Text(1);
  const auto expect = [&](std::string_view text) {
    if (!sql.starts_with(text)) {
      throw FormatError("database disk image is malformed: trigger " + trigger +
                        " is not of an index");
    }
    sql.remove_prefix(text.size());
  };
  const size_t when =
      sql.find("\nWHEN ") != std::string_view::npos ? sql.find("\nWHEN ") : sql.find(" WHEN ");
  sql.remove_prefix(when == std::string_view::npos ? sql.size() : when + 1);
  expect("WHEN ");
  for (size_t i = 0; i <= columns; i++) {
    if (i > 0) expect("OR ");
    expect("old.");
    const std::string name = TakeName(&sql);
    expect("IS NOT new.");
    if (TakeName(&sql) != name) expect("the same name twice");
    (i == 0 ? index->rowid : index->columns.emplace_back()) = name;
  }
}

int64_t ConfigChecksum(sqlite3* db, const IndexDefinition& index) {
  Statement select(db, "SELECT value FROM " + index.Part("config") + " WHERE name = ?1");
  Checksum checksum(0);
  for (const char* name : {"version", "source", "columns", "words", "tokenize", "model",
                           "model_hash", "dimension", "seed"}) {
    checksum.AddText(select.Find(name) ? select.Text(0) : "");
  }
  return checksum.Value();
}

}  // namespace

std::string IndexDefinition::Part(const char* part) const {
  return QuoteName(schema) + "." + QuoteName(name + "_" + part);
}

std::string IndexDefinition::Source() const {
  return QuoteName(schema) + "." + QuoteName(table);
}

std::string IndexDefinition::Texts(const std::string& prefix) const {
  return NamesOf(TextColumns(),
                 [&](const std::string& column) { return prefix + QuoteName(column); });
}

std::string IndexDefinition::WordColumns(const std::string& prefix) const {
  return NamesOf(std::views::iota(size_t{0}, TextColumns().size()),
                 [&](size_t i) { return prefix + "c" + std::to_string(i); });
}

void CreateIndexObjects(sqlite3* db, const std::string& schema, const std::string& name,
                        const IndexOptions& options) {
  IndexDefinition index;
  index.schema = schema;
  index.name = name;
  index.table = options.table;
  CheckSource(db, schema, index.table);
  index.rowid = FreeRowidName(db, schema, index.table);
  if (index.rowid.empty()) {
    throw InvalidArgument("'" + index.table +
                          "' has columns called rowid, _rowid_ and oid: rename one of them");
  }
  const auto add_columns = [&](const std::vector<std::string>& columns) {
    for (const std::string& column : columns) {
      index.columns.push_back(ColumnName(db, schema, index.table, column, index.table));
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
  add_columns(options.word_columns);
  index.words = options.words.value_or(!index.of_vectors);
  if (index.words && index.TextColumns().empty()) {
    throw InvalidArgument("words = on needs text: words = body says in which column it is");
  }

  std::map<std::string_view, std::string> values = {
      {"c", index.WordColumns()}, {"tokenize", QuoteName(options.tokenize, '\'')}};
  for (const char* part : {"config", "list", "block", "row", "log", "old", "words"}) {
    values[part] = index.Part(part);
  }
  Execute(db, Filled(kShadowTables, values));
  if (index.words) Execute(db, Filled(kWordTables, values));
  CreateTriggers(db, index);

  index.tokenize = index.words ? options.tokenize : "";
  index.model = options.model;
  sqlite3_randomness(sizeof(index.seed), &index.seed);
  const auto given = [](bool is_given, const std::string& text) {
    return is_given ? std::optional(text) : std::nullopt;
  };
  Execute(
      db,
      "INSERT INTO " + index.Part("config") +
          " VALUES('version', 1), ('source', ?1), ('columns', ?2), ('words', ?3), ('tokenize', ?4), "
          "('weight', ?5), ('model', ?6), ('seed', ?7), ('stamp', 0)",
      index.of_vectors ? "vectors" : "text", index.columns.size(), index.words,
      given(index.words, index.tokenize), options.weight, given(!index.model.empty(), index.model),
      index.seed);
  StoreVectorKind(db, index);
}

IndexDefinition ReadIndexDefinition(sqlite3* db, const std::string& schema,
                                    const std::string& name) {
  IndexDefinition index;
  index.schema = schema;
  index.name = name;
  int64_t version = 0, columns = 0, dimension = 0, checksum = 0;
  Statement select(db, "SELECT name, value FROM " + index.Part("config"));
  while (select.Step()) {
    const std::string_view key = select.Text(0);
    if (key == "version") version = select.Int(1);
    if (key == "source") index.of_vectors = select.Text(1) == "vectors";
    if (key == "columns") columns = select.Int(1);
    if (key == "words") index.words = select.Int(1) != 0;
    if (key == "tokenize") index.tokenize = select.Text(1);
    if (key == "weight" && select.Type(1) != SQLITE_NULL) index.weight = select.Double(1);
    if (key == "model") index.model = select.Text(1);
    if (key == "model_hash") index.model_hash = select.Text(1);
    if (key == "dimension") dimension = select.Int(1);
    if (key == "seed") index.seed = static_cast<uint64_t>(select.Int(1));
    if (key == "checksum") checksum = select.Int(1);
    if (key == "stamp") index.stamp = select.Int(1);
  }
  if (version > 1) {
    throw InvalidArgument("'" + name + "' was made by a newer version of s2v");
  }
  if (checksum != ConfigChecksum(db, index) || version != 1 || columns < 1 || columns > 2000 ||
      dimension < 0 || dimension > kMaxIndexDimension || !(index.weight.value_or(0) >= 0) ||
      index.weight.value_or(0) > kMaxIndexWeight) {
    throw FormatError("database disk image is malformed: " + name + "_config");
  }
  index.dimension = static_cast<uint32_t>(dimension);
  ReadSource(db, &index, static_cast<size_t>(columns));
  return index;
}

void DropIndexObjects(sqlite3* db, const std::string& schema, const std::string& name) {
  DropTriggers(db, schema, name);
  for (const char* part : {"words", "old", "log", "row", "block", "list", "config"}) {
    Execute(db, "DROP TABLE IF EXISTS " + QuoteName(schema) + "." + QuoteName(name + "_" + part));
  }
}

void RenameIndexObjects(sqlite3* db, const std::string& schema, const std::string& from,
                        const std::string& to) {
  IndexDefinition index = ReadIndexDefinition(db, schema, from);
  DropTriggers(db, schema, from);
  std::vector<const char*> parts(std::begin(kIndexParts), std::end(kIndexParts));
  if (index.words) parts.insert(parts.end(), {"old", "words"});
  for (const char* part : parts) {
    Execute(db, "ALTER TABLE " + index.Part(part) + " RENAME TO " + QuoteName(to + "_" + part));
  }
  index.name = to;
  CreateTriggers(db, index);
}

bool KnowsUniqueIndexes(sqlite3* db, const IndexDefinition& index) {
  const std::string sql =
      SelectText(db,
                 "SELECT sql FROM " + QuoteName(index.schema) +
                     ".sqlite_schema WHERE type = 'trigger' AND name = ?1 COLLATE NOCASE",
                 index.name + "_before_insert");
  const std::vector<std::string> unique = UniqueConditions(db, index);
  return std::all_of(unique.begin(), unique.end(), [&](const std::string& condition) {
    return sql.find(condition) != std::string::npos;
  });
}

void RemakeTriggers(sqlite3* db, const IndexDefinition& index) {
  DropTriggers(db, index.schema, index.name);
  CreateTriggers(db, index);
}

bool IsProtectedPart(const char* part) {
  const auto is_part = [&](const char* name) { return sqlite3_stricmp(name, part) == 0; };
  return sqlite3_stricmp("log", part) != 0 && std::ranges::any_of(kIndexParts, is_part);
}

void StoreVectorKind(sqlite3* db, const IndexDefinition& index) {
  Statement put(db, "REPLACE INTO " + index.Part("config") + " VALUES(?1, ?2)");
  put.Run("dimension", index.dimension);
  if (!index.model_hash.empty()) put.Run("model_hash", index.model_hash);
  put.Run("checksum", ConfigChecksum(db, index));
}

void StoreStamp(sqlite3* db, const IndexDefinition& index, int64_t stamp) {
  Execute(db, "UPDATE " + index.Part("config") + " SET value = ?1 WHERE name = 'stamp'", stamp);
}

}  // namespace s2v
