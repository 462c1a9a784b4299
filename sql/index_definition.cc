#include "sql/index_definition.h"

#include <algorithm>
#include <iterator>
#include <map>

#include "core/error.h"
#include "sql/index_terms.h"
#include "sql/model_format.h"
#include "sql/sentence_table.h"

namespace s2v {
namespace {

// ---- the source ----

// Throws where triggers cannot follow it.
void CheckSource(sqlite3* db, const std::string& schema, const std::string& table) {
  Statement find(db,
                 "SELECT type, wr FROM pragma_table_list(?2) WHERE schema = ?1 COLLATE NOCASE AND "
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

// On one line each, as SQLite stores them. The schema of a name is left away there.
constexpr const char* kTables[][2] = {
    {"config", "CREATE TABLE {name}(name TEXT PRIMARY KEY, value) WITHOUT ROWID"},
    {"list",
     "CREATE TABLE {name}(id INTEGER PRIMARY KEY, rows INTEGER NOT NULL, stamp INTEGER NOT NULL, "
     "centre BLOB NOT NULL, checksum INTEGER NOT NULL)"},
    {"block", "CREATE TABLE {name}(key INTEGER PRIMARY KEY, codes BLOB NOT NULL)"},
    {"entry",
     "CREATE TABLE {name}(id INTEGER PRIMARY KEY, list INTEGER, hash INTEGER NOT NULL, terms BLOB, "
     "vector BLOB)"},
    {"log", "CREATE TABLE {name}(id INTEGER PRIMARY KEY, row INTEGER NOT NULL)"}};
constexpr const char* kWordTables[][2] = {
    {"term", "CREATE TABLE {name}(term BLOB PRIMARY KEY, id INTEGER NOT NULL) WITHOUT ROWID"},
    {"fts", "CREATE VIRTUAL TABLE {name} USING fts5({terms}, content='', tokenize=ascii)"}};
// Those that FTS5 makes of N_fts, the same since SQLite 3.9.
constexpr const char* kFts5Tables[][2] = {
    {"_data", "CREATE TABLE {name}(id INTEGER PRIMARY KEY, block BLOB)"},
    {"_idx", "CREATE TABLE {name}(segid, term, pgno, PRIMARY KEY(segid, term)) WITHOUT ROWID"},
    {"_docsize", "CREATE TABLE {name}(id INTEGER PRIMARY KEY, sz BLOB)"},
    {"_config", "CREATE TABLE {name}(k PRIMARY KEY, v) WITHOUT ROWID"}};
// Of version 1, beside config, list, block and log. 'rebuild' empties them, since SQLite drops no table while a
// statement runs; DROP TABLE takes them.
constexpr const char* kFormerTables[][2] = {
    {"row", "CREATE TABLE {name}(id INTEGER PRIMARY KEY, list INTEGER NOT NULL, vector BLOB)"},
    {"old", "CREATE TABLE {name}(id INTEGER, {c})"},
    {"words", "CREATE VIRTUAL TABLE {name} USING fts5({c}, content='', tokenize={tokenize})"}};

constexpr const char* kTriggers[][2] = {
    {"insert",
     "CREATE TRIGGER {name} AFTER INSERT ON {table} BEGIN\n"
     "  INSERT INTO {log}(row) VALUES(new.{id});\nEND"},
    {"update",
     "CREATE TRIGGER {name} BEFORE UPDATE ON {table}\nWHEN {changed} BEGIN\n"
     "  INSERT INTO {log}(row) VALUES(new.{id});\n"
     "  INSERT INTO {log}(row) SELECT old.{id} WHERE old.{id} IS NOT new.{id};\nEND"},
    {"delete",
     "CREATE TRIGGER {name} AFTER DELETE ON {table} BEGIN\n"
     "  INSERT INTO {log}(row) VALUES(old.{id});\nEND"}};
constexpr const char* kFormerTriggers[] = {"before_insert", "before_update"};

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

// What the templates need but {name}.
std::map<std::string_view, std::string> TemplateValues(const IndexDefinition& index) {
  const auto differs = [](const std::string& name) {
    return "old." + QuoteName(name) + " IS NOT new." + QuoteName(name);
  };
  return {{"table", QuoteName(index.table)},
          {"id", QuoteName(index.rowid)},
          {"changed", differs(index.rowid) + " OR " + NamesOf(index.columns, differs, " OR ") +
                          (index.filters.empty() ? "" : " OR 0 AND ") +
                          NamesOf(index.filters, differs, " AND ")},
          {"log", QuoteName(index.name + "_log")},
          {"tokenize", QuoteName(index.tokenize, '\'')},
          {"c", index.WordColumns()},
          {"terms", index.TermColumns()}};
}

// Calls use with the part and the template of each table of ours; FTS5 makes its own.
template <typename Use>
void ForEachTable(const IndexDefinition& index, Use use) {
  for (const auto& [part, sql] : kTables) {
    if (index.version >= kIndexVersion || std::string_view(part) != "entry") use(part, sql);
  }
  if (index.version < kIndexVersion) {
    for (const auto& [part, sql] : kFormerTables) {
      if (index.words || std::string_view(part) == "row") use(part, sql);
    }
  } else if (index.words) {
    for (const auto& [part, sql] : kWordTables) use(part, sql);
  }
}

void CreateTriggers(sqlite3* db, const IndexDefinition& index) {
  auto values = TemplateValues(index);
  for (const auto& [part, sql] : kTriggers) {
    values["name"] = index.Part(part);
    Execute(db, Filled(sql, values));
  }
}

void DropTriggers(sqlite3* db, const IndexDefinition& index) {
  const auto drop = [&](const char* trigger) {
    Execute(db, "DROP TRIGGER IF EXISTS " + index.Part(trigger));
  };
  for (const auto& [part, sql] : kTriggers) drop(part);
  for (const char* part : kFormerTriggers) drop(part);
}

// Those that are not there yet. Merging of FTS5's parts is the writer's (sql/index_row_writer.cc).
void CreateTables(sqlite3* db, const IndexDefinition& index) {
  auto values = TemplateValues(index);
  ForEachTable(index, [&](const char* part, std::string_view sql) {
    const size_t name = sql.find("{name}");
    values["name"] = "IF NOT EXISTS " + index.Part(part);
    Execute(db,
            Filled(std::string(sql.substr(0, name)), values) + Filled(sql.substr(name), values));
  });
  if (!index.words) return;
  const std::string fts = index.Part("fts"), column = QuoteName(index.name + "_fts");
  for (const auto& [knob, value] : {std::pair{"automerge", 0}, {"crisismerge", 1999}}) {
    Execute(db, "INSERT INTO " + fts + "(" + column + ", rank) VALUES(?1, ?2)",
            std::string_view(knob), value);
  }
}

bool HasTable(sqlite3* db, const IndexDefinition& index, const char* part) {
  return SelectInt(db,
                   "SELECT count(*) FROM " + QuoteName(index.schema) +
                       ".sqlite_schema WHERE type = 'table' AND name = ?1 COLLATE NOCASE",
                   index.name + "_" + part) != 0;
}

// ---- what a stranger's file may have done to them ----

// For LIKE ... ESCAPE '\\': what begins so, whatever the case.
std::string LikePrefix(const std::string& prefix) {
  std::string pattern;
  for (const char c : prefix) {
    if (c == '%' || c == '_' || c == '\\') pattern += '\\';
    pattern += c;
  }
  return pattern + "%";
}

[[noreturn]] void ThrowChanged(const IndexDefinition& index, const std::string& what) {
  throw FormatError("database disk image is malformed: " + what + "; DROP TABLE " +
                    QuoteName(index.name) + " and create the index again");
}

// SQL of sqlite_schema with its name, quoted in either way, replaced by "{name}".
std::string WithoutName(std::string_view sql, const std::string& name) {
  for (const char quote : {'"', '\''}) {
    const std::string quoted = QuoteName(name, quote);
    const size_t at = sql.find(quoted);
    if (at == sql.npos || sql.substr(0, at).find('(') != sql.npos) continue;
    return std::string(sql.substr(0, at)) + "{name}" + std::string(sql.substr(at + quoted.size()));
  }
  return std::string(sql);
}

// That a foreign key of some table names one of the tables: a deleted row would take rows of that table with it, and
// run its triggers.
void CheckNoForeignKeys(sqlite3* db, const IndexDefinition& index,
                        const std::map<std::string, std::string>& tables) {
  Statement keys(db,
                 "SELECT t.name, lower(k.\"table\") FROM " + QuoteName(index.schema) +
                     ".sqlite_schema AS t, pragma_foreign_key_list(t.name, ?1) AS k "
                     "WHERE t.type = 'table' AND t.sql LIKE '%REFERENCES%'",
                 index.schema);
  while (keys.Step()) {
    if (tables.contains(std::string(keys.Text(1)))) {
      ThrowChanged(index, "a foreign key of '" + std::string(keys.Text(0)) + "' names " +
                              std::string(keys.Text(1)));
    }
  }
}

std::string Lower(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  return lower;
}

// ---- reading ----

// Takes the text from the front of sql.
void Expect(std::string_view text, const std::string& trigger, std::string_view* sql) {
  if (!sql->starts_with(text)) {
    throw FormatError("database disk image is malformed: trigger " + trigger +
                      " is not of an index");
  }
  sql->remove_prefix(text.size());
}

int64_t ConfigChecksum(sqlite3* db, const IndexDefinition& index,
                       StatementCache* statements = nullptr) {
  Statement select(statements, db,
                   "SELECT value FROM " + index.Part("config") + " WHERE name = ?1");
  Checksum checksum(0);
  for (const char* name : {"version", "source", "columns", "words", "tokenize", "model",
                           "model_hash", "dimension", "seed"}) {
    checksum.AddText(select.Find(name) ? select.Text(0) : "");
  }
  return checksum.Value();
}

int64_t ProgressChecksum(const IndexDefinition& index) {
  Checksum checksum(0);
  for (const int64_t number : {index.stamp, index.taken, index.terms, index.swept}) {
    checksum.Add(static_cast<uint64_t>(number));
  }
  return checksum.Value();
}

}  // namespace

// From the trigger that names them all; of version 1 it begins with AFTER.
IndexSourceNames ReadIndexSource(sqlite3* db, const std::string& schema, const std::string& name) {
  const std::string trigger = name + "_update";
  Statement find(db,
                 "SELECT sql FROM " + QuoteName(schema) +
                     ".sqlite_schema WHERE type = 'trigger' AND name = ?1 COLLATE NOCASE",
                 trigger);
  if (!find.Step()) {
    throw InvalidArgument("the table of '" + name + "' was dropped, or the trigger '" + trigger +
                          "'; DROP TABLE " + QuoteName(name) + " and create it again");
  }
  IndexSourceNames source;
  std::string_view sql = find.Text(0);
  Expect("CREATE TRIGGER ", trigger, &sql);
  TakeName(&sql);
  Expect(sql.starts_with("AFTER") ? "AFTER UPDATE ON " : "BEFORE UPDATE ON ", trigger, &sql);
  source.table = TakeName(&sql);
  const auto column_behind = [&](std::string_view text) {
    Expect(text, trigger, &sql);
    Expect("old.", trigger, &sql);
    std::string column = TakeName(&sql);
    Expect("IS NOT new.", trigger, &sql);
    if (TakeName(&sql) != column) Expect("the same name twice", trigger, &sql);
    return column;
  };
  source.rowid = column_behind("WHEN ");
  while (sql.starts_with("OR old.")) source.columns.push_back(column_behind("OR "));
  for (const char* before = "OR 0 AND "; sql.starts_with(before); before = "AND ") {
    source.filters.push_back(column_behind(before));
  }
  return source;
}

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

std::string IndexDefinition::WordColumns() const {
  size_t i = 0;
  return NamesOf(TextColumns(), [&](const std::string&) { return "c" + std::to_string(i++); });
}
std::string IndexDefinition::TermColumns() const {
  size_t i = 0;
  return NamesOf(TextColumns(), [&](const std::string&) {
    const std::string number = std::to_string(i++);
    return "c" + number + ", p" + number;
  });
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
  for (const std::string& column : options.filters) {
    if (SelectInt(db, "SELECT ?1 COLLATE NOCASE IN ('rowid', '_rowid_', 'oid')", column) != 0) {
      throw InvalidArgument("filter: '" + column + "' is the rowid's name; conditions on that are heeded anyway");
    }
    index.filters.push_back(ColumnName(db, schema, index.table, column, index.table));
  }
  index.words = options.words.value_or(!index.of_vectors);
  if (index.words && index.TextColumns().empty()) {
    throw InvalidArgument("words = on needs text: words = body says in which column it is");
  }
  if (!options.weights.empty() && options.weights.size() != index.TextColumns().size()) {
    throw InvalidArgument("weights: " + std::to_string(options.weights.size()) + " numbers for " +
                          std::to_string(index.TextColumns().size()) + " columns of text");
  }
  index.tokenize = index.words ? options.tokenize : "";
  // Throws where there is no such tokenizer; an automatic one is chosen by RebuildIndex.
  if (index.words && index.tokenize != kAutomatic) TermCutter(db, index.tokenize);
  index.model = options.model;
  CreateTables(db, index);
  CreateTriggers(db, index);
  sqlite3_randomness(sizeof(index.seed), &index.seed);
  const auto given = [](bool is_given, const std::string& text) {
    return is_given ? std::optional(text) : std::nullopt;
  };
  Execute(
      db,
      "INSERT INTO " + index.Part("config") +
          " VALUES('version', ?8), ('source', ?1), ('columns', ?2), ('words', ?3), ('tokenize', ?4), "
          "('weight', ?5), ('model', ?6), ('seed', ?7)",
      index.of_vectors ? "vectors" : "text", index.columns.size(), index.words,
      given(index.words, index.tokenize), options.weight, given(!index.model.empty(), index.model),
      index.seed, kIndexVersion);
  if (!options.weights.empty()) {
    Execute(db, "INSERT INTO " + index.Part("config") + " VALUES('weights', ?1)",
            NamesOf(options.weights, NumberText, ","));
  }
  StoreVectorKind(db, index);
  StoreProgress(db, index);
}

IndexDefinition ReadIndexDefinition(sqlite3* db, const std::string& schema, const std::string& name,
                                    const IndexSourceNames* source, StatementCache* statements) {
  IndexDefinition index;
  index.schema = schema;
  index.name = name;
  int64_t columns = 0, dimension = 0, checksum = 0, progress = 0;
  std::string weights;
  Statement select(statements, db, "SELECT name, value FROM " + index.Part("config"));
  while (select.Step()) {
    const std::string_view key = select.Text(0);
    if (key == "version") index.version = select.Int(1);
    if (key == "source") index.of_vectors = select.Text(1) == "vectors";
    if (key == "columns") columns = select.Int(1);
    if (key == "words") index.words = select.Int(1) != 0;
    if (key == "tokenize") index.tokenize = select.Text(1);
    if (key == "weight" && select.Type(1) != SQLITE_NULL) index.weight = select.Double(1);
    if (key == "weights" && select.Type(1) != SQLITE_NULL) weights = select.Text(1);
    if (key == "model") index.model = select.Text(1);
    if (key == "model_hash") index.model_hash = select.Text(1);
    if (key == "dimension") dimension = select.Int(1);
    if (key == "seed") index.seed = static_cast<uint64_t>(select.Int(1));
    if (key == "checksum") checksum = select.Int(1);
    if (key == "stamp") index.stamp = select.Int(1);
    if (key == "taken") index.taken = select.Int(1);
    if (key == "terms") index.terms = select.Int(1);
    if (key == "swept") index.swept = select.Int(1);
    if (key == "progress") progress = select.Int(1);
  }
  if (index.version > kIndexVersion) {
    throw InvalidArgument("'" + name + "' was made by a newer version of s2v");
  }
  if (checksum != ConfigChecksum(db, index, statements) || index.version < 1 || columns < 1 || columns > 2000 ||
      dimension < 0 || dimension > kMaxIndexDimension || !(index.weight.value_or(0) >= 0) ||
      index.weight.value_or(0) > kMaxIndexWeight || index.terms < 0 ||
      index.terms > kMaxIndexTerms ||
      (index.version == kIndexVersion && progress != ProgressChecksum(index))) {
    throw FormatError("database disk image is malformed: " + name + "_config");
  }
  index.dimension = static_cast<uint32_t>(dimension);
  static_cast<IndexSourceNames&>(index) =
      source == nullptr ? ReadIndexSource(db, schema, name) : *source;
  if (source == nullptr) CheckSource(db, schema, index.table);
  if (index.columns.size() != static_cast<size_t>(columns)) {
    throw FormatError("database disk image is malformed: " + name + "_config, columns");
  }
  if (!weights.empty()) {
    try {
      index.weights = ParseWeights(weights);
    } catch (const InvalidArgument&) {
    }
    if (index.weights.size() != index.TextColumns().size()) {
      throw FormatError("database disk image is malformed: " + name + "_config, weights");
    }
  }
  return index;
}

void CheckIndexObjects(sqlite3* db, const IndexDefinition& index) {
  auto values = TemplateValues(index);
  values["name"] = "{name}";
  std::map<std::string, std::string> tables;  // by name in lower case
  const auto expect = [&](const std::string& part, std::string_view sql) {
    tables[Lower(index.name + "_" + part)] = Filled(sql, values);
  };
  ForEachTable(index, expect);
  if (index.words) {
    const std::string fts = index.version < kIndexVersion ? "words" : "fts";
    for (const auto& [part, sql] : kFts5Tables) expect(fts + part, sql);
  }
  auto missing = tables;
  Statement select(db,
                   "SELECT type, name, tbl_name, sql FROM " + QuoteName(index.schema) +
                       ".sqlite_schema WHERE tbl_name LIKE ?1 ESCAPE '\\'",
                   LikePrefix(index.name + "_"));
  while (select.Step()) {
    const auto table = tables.find(Lower(select.Text(2)));
    if (table == tables.end()) continue;
    const std::string name(select.Text(1));
    if (select.Text(0) != "table" || WithoutName(select.Text(3), name) != table->second) {
      ThrowChanged(index, std::string(select.Text(0)) + " " + name + " is not what s2v made");
    }
    missing.erase(table->first);
  }
  if (!missing.empty()) ThrowChanged(index, missing.begin()->first + " is missing");
  CheckNoForeignKeys(db, index, tables);
}

bool HasIntegerKey(sqlite3* db, const IndexDefinition& index) {
  return SelectInt(db,
                   "SELECT count(*) = 1 AND max(type) LIKE 'INTEGER' FROM pragma_table_info(?1, ?2) WHERE pk > 0",
                   index.table, index.schema) != 0;
}

std::string FindChangedTrigger(sqlite3* db, const IndexDefinition& index) {
  auto values = TemplateValues(index);
  values["name"] = "{name}";
  Statement find(db, "SELECT sql FROM " + QuoteName(index.schema) +
                         ".sqlite_schema WHERE type = 'trigger' AND name = ?1 COLLATE NOCASE");
  for (const auto& [part, sql] : kTriggers) {
    const std::string name = index.name + "_" + part;
    if (!find.Find(name) || WithoutName(find.Text(0), name) != Filled(sql, values)) return name;
  }
  return "";
}

std::string RebuildHint(const IndexDefinition& index) {
  return "INSERT INTO " + QuoteName(index.name) + "(" + QuoteName(index.name) +
         ") VALUES('rebuild') makes it anew";
}

void RemakeIndexObjects(sqlite3* db, IndexDefinition* index) {
  DropTriggers(db, *index);
  if (index->version < kIndexVersion) {
    Execute(db, "DELETE FROM " + index->Part("row"));
    if (index->words) {
      Execute(db, "DELETE FROM " + index->Part("old"));
      Execute(db, "INSERT INTO " + index->Part("words") + "(" + QuoteName(index->name + "_words") +
                      ") VALUES('delete-all')");
    }
    index->version = kIndexVersion;
    CreateTables(db, *index);
    Execute(db, "UPDATE " + index->Part("config") + " SET value = ?1 WHERE name = 'version'",
            kIndexVersion);
  }
  CreateTriggers(db, *index);
}

void DropIndexObjects(sqlite3* db, const std::string& schema, const std::string& name) {
  IndexDefinition index;
  index.schema = schema;
  index.name = name;
  index.words = true;
  DropTriggers(db, index);
  const auto drop = [&](const char* part, std::string_view = {}) {
    Execute(db, "DROP TABLE IF EXISTS " + index.Part(part));
  };
  ForEachTable(index, drop);
  for (const auto& [part, sql] : kFormerTables) drop(part);
}

void RenameIndexObjects(sqlite3* db, const std::string& schema, const std::string& from,
                        const std::string& to) {
  IndexDefinition index = ReadIndexDefinition(db, schema, from);
  DropTriggers(db, index);
  const auto rename = [&](const char* part, std::string_view = {}) {
    if (!HasTable(db, index, part)) return;
    Execute(db, "ALTER TABLE " + index.Part(part) + " RENAME TO " + QuoteName(to + "_" + part));
  };
  ForEachTable(index, rename);
  for (const auto& [part, sql] : kFormerTables) rename(part);
  index.name = to;
  CreateTriggers(db, index);
}

bool IsProtectedPart(const char* part) {
  const auto is_part = [&](const auto& table) { return sqlite3_stricmp(table[0], part) == 0; };
  return sqlite3_stricmp("log", part) != 0 &&
         (std::any_of(std::begin(kTables), std::end(kTables), is_part) || sqlite3_stricmp("term", part) == 0);
}

void StoreVectorKind(sqlite3* db, const IndexDefinition& index) {
  Statement put(db, "REPLACE INTO " + index.Part("config") + " VALUES(?1, ?2)");
  put.Run("dimension", index.dimension);
  if (!index.model_hash.empty()) put.Run("model_hash", index.model_hash);
  if (index.words) put.Run("tokenize", index.tokenize);
  put.Run("checksum", ConfigChecksum(db, index));
}

void StoreProgress(sqlite3* db, const IndexDefinition& index) {
  Execute(db,
          "REPLACE INTO " + index.Part("config") +
              " VALUES('stamp', ?1), ('taken', ?2), ('terms', ?3), ('swept', ?4), ('progress', ?5)",
          index.stamp, index.taken, index.terms, index.swept, ProgressChecksum(index));
}

}  // namespace s2v
