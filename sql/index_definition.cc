#include "sql/index_definition.h"

#include "core/error.h"
#include "core/text/passages.h"
#include "sql/index_options.h"
#include "sql/index_templates.h"
#include "sql/model_format.h"
#include "sql/sentence_table.h"
#include "sql/sql_tokens.h"

namespace s2v {
namespace {

// Removes the text from the front of sql. Throws FormatError where something else stands there.
void Expect(std::string_view text, const std::string& trigger, std::string_view* sql) {
  if (!sql->starts_with(text)) ThrowMalformed("trigger " + trigger + " is not of an index");
  sql->remove_prefix(text.size());
}

int64_t ConfigChecksum(sqlite3* db, const IndexDefinition& index,
                       StatementCache* statements = nullptr) {
  Statement select(statements, db,
                   "SELECT value FROM " + index.Object("config") + " WHERE name = ?1");
  Checksum checksum(0);
  for (const char* name : {"version", "source", "columns", "words", "tokenize", "model",
                           "model_hash", "dimension", "seed"}) {
    checksum.AddText(select.Find(name) ? select.Text(0) : "");
  }
  if (index.passages != 0 && select.Find("passages")) checksum.AddText(select.Text(0));
  return checksum.Value();
}

int64_t ProgressChecksum(const IndexDefinition& index) {
  Checksum checksum(0);
  for (const int64_t number : {index.stamp, index.taken, index.terms, index.swept}) {
    checksum.Add(static_cast<uint64_t>(number));
  }
  return checksum.Value();
}

// Whether by its name it may be a part of a virtual table. Those have no page.
bool MayBeObject(sqlite3* db, const std::string& schema, const std::string& table) {
  return SelectInt(db,
                   "SELECT 1 FROM " + SchemaTable(schema) +
                       " WHERE type = 'table' AND rootpage = 0 AND "
                       "substr(?1, 1, length(name) + 1) = name || '_' COLLATE NOCASE",
                   table) != 0;
}

// Whether it is a table of an index. SQLite takes N_log, to which triggers write, for a table of
// the user's.
bool IsPartOfIndex(sqlite3* db, const std::string& schema, const std::string& table) {
  const std::vector<std::string> indexes = ListIndexes(db, schema);
  return std::any_of(indexes.begin(), indexes.end(), [&](const std::string& name) {
    const size_t front = name.size() + 1;
    return table.size() > front && IsSameName(table.substr(0, front), name + "_") &&
           IsIndexObject(table.substr(front));
  });
}

}  // namespace

void CheckIndexSource(sqlite3* db, const std::string& schema, const std::string& table,
                      const std::string& rowid) {
  // pragma_table_list opens every view and virtual table of the connection first, of a file with a
  // thousand indexes all of them. One that cannot be opened, as that which CREATE VIRTUAL TABLE is
  // making, it tries as often as there are tables.
  if (!rowid.empty() && !MayBeObject(db, schema, table) && IsRowidTable(db, schema, table, rowid))
    return;
  Statement find(
      db,
      "SELECT type, wr FROM temp.pragma_table_list(?2) WHERE schema = ?1 COLLATE NOCASE AND "
      "name = ?2 COLLATE NOCASE",
      schema, table);
  if (!find.Step()) {
    const std::string names = SelectText(
        db,
        std::string(
            "SELECT group_concat(name, ', ') FROM temp.pragma_table_list AS t WHERE schema = ?1 AND type = 'table' AND ") +
            kIsUsersTable,
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
  if (type == "virtual" || type == "shadow" || IsPartOfIndex(db, schema, table)) {
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

// The names stand in the head of N_update, which in version 1 is an AFTER trigger.
IndexSourceNames ReadIndexSource(sqlite3* db, const std::string& schema, const std::string& name,
                                 const SchemaRows* rows) {
  const std::string trigger = name + "_update";
  Statement find(db,
                 "SELECT sql FROM " + SchemaTable(schema, rows, {&trigger, 1}) +
                     " WHERE type = 'trigger' AND name = ?1 COLLATE NOCASE",
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
  constexpr std::string_view kBytes = "COLLATE BINARY ";
  const auto expect_name = [&](const std::string& expected) {
    if (TakeName(&sql) != expected) Expect("the same name twice", trigger, &sql);
  };
  const auto column_behind = [&](std::string_view text) {
    Expect(text, trigger, &sql);
    Expect("old.", trigger, &sql);
    std::string column = TakeName(&sql);
    if (sql.starts_with(kBytes)) sql.remove_prefix(kBytes.size());
    Expect("IS NOT new.", trigger, &sql);
    expect_name(column);
    return column;
  };
  source.rowid = column_behind("WHEN ");
  while (sql.starts_with("OR old.")) {
    source.columns.push_back(column_behind("OR "));
    if (!sql.starts_with("OR typeof")) continue;
    Expect("OR typeof(old.", trigger, &sql);
    expect_name(source.columns.back());
    Expect(") IS NOT typeof(new.", trigger, &sql);
    expect_name(source.columns.back());
    Expect(") ", trigger, &sql);
  }
  for (const char* before = "OR 0 AND "; sql.starts_with(before); before = "AND ") {
    source.filters.push_back(column_behind(before));
  }
  source.logs_all = sql.starts_with("OR 1 ");
  return source;
}

std::string IndexDefinition::Object(const char* object) const {
  return QuoteName(schema) + "." + QuoteName(name + "_" + object);
}

std::string IndexDefinition::FtsName() const {
  return QuoteName(name + "_fts");
}

std::string IndexDefinition::Source() const {
  return QuoteName(schema) + "." + QuoteName(table);
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

IndexDefinition ReadIndexDefinition(sqlite3* db, const std::string& schema, const std::string& name,
                                    const IndexSourceNames* source, StatementCache* statements,
                                    const SchemaRows* rows) {
  IndexDefinition index;
  index.schema = schema;
  index.name = name;
  int64_t columns = 0, dimension = 0, checksum = 0, progress = 0;
  std::string weights;
  Statement select(statements, db, "SELECT name, value FROM " + index.Object("config"));
  while (select.Step()) {
    const std::string_view key = select.Text(0);
    if (key == "version") index.version = select.Int(1);
    if (key == "source") index.of_vectors = select.Text(1) == "vectors";
    if (key == "columns") columns = select.Int(1);
    if (key == "words") index.words = select.Int(1) != 0;
    if (key == "tokenize") index.tokenize = select.Text(1);
    if (key == "tokenizer_version") index.tokenizer_version = select.Int(1);
    if (key == "weight" && select.Type(1) != SQLITE_NULL) index.weight = select.Double(1);
    if (key == "passages") index.passages = select.Int(1);
    if (key == "passage_rules") index.passage_rules = select.Int(1);
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
  const bool has_passages = index.passages != 0;
  // 'rebuild' reads it too.
  const std::string way_out = DropHint(name);
  if (index.version > kPassagesVersion || index.passage_rules > kPassageRules) {
    throw InvalidArgument("'" + name + "' was made by a newer version of s2v");
  }
  if (checksum != ConfigChecksum(db, index, statements) || index.version < 1 || columns < 1 ||
      columns > 2000 || dimension < 0 || dimension > kMaxIndexDimension ||
      !(index.weight.value_or(0) >= 0) || index.weight.value_or(0) > kMaxIndexWeight ||
      index.terms < 0 || index.terms > kMaxIndexTerms ||
      has_passages != (index.version == kPassagesVersion) || index.passages < 0 ||
      index.passages > kMostPassageWords || (has_passages && index.of_vectors) ||
      (index.version >= kIndexVersion && progress != ProgressChecksum(index))) {
    ThrowMalformed(name + "_config; " + way_out);
  }
  index.dimension = static_cast<uint32_t>(dimension);
  static_cast<IndexSourceNames&>(index) =
      source == nullptr ? ReadIndexSource(db, schema, name, rows) : *source;
  if (source == nullptr && !IsRowidTable(db, schema, index.table, index.rowid, rows)) {
    CheckIndexSource(db, schema, index.table, index.rowid);
  }
  if (index.columns.size() != static_cast<size_t>(columns))
    ThrowMalformed(name + "_config, columns; " + way_out);
  if (!weights.empty()) {
    try {
      index.weights = ParseWeights(weights);
    } catch (const InvalidArgument&) {
    }
    if (index.weights.size() != index.TextColumns().size())
      ThrowMalformed(name + "_config, weights; " + way_out);
  }
  return index;
}

bool HasIntegerKey(sqlite3* db, const IndexDefinition& index) {
  return SelectInt(
             db,
             // A key with an index of its own, as INTEGER PRIMARY KEY DESC has one, is not the
             // rowid.
             "SELECT count(*) = 1 AND max(type) = 'INTEGER' COLLATE NOCASE AND "
             "NOT EXISTS (SELECT 1 FROM temp.pragma_index_list(?1, ?2) WHERE origin = 'pk') FROM temp.pragma_table_info(?1, ?2) WHERE pk > 0",
             index.table, index.schema) != 0;
}

std::vector<std::string> ListIndexes(sqlite3* db, const std::string& schema) {
  std::vector<std::string> names;
  Statement select(db, "SELECT name, sql FROM " + SchemaTable(schema) +
                           " WHERE type = 'table' AND rootpage = 0 ORDER BY name");
  while (select.Step()) {
    const auto table = ReadVirtualTable(select.Text(1));
    if (table && table->module == "s2v_index") names.emplace_back(select.Text(0));
  }
  return names;
}

bool HasGeneratedColumn(sqlite3* db, const IndexDefinition& index) {
  const auto quoted = [](const std::string& name) { return QuoteName(name, '\''); };
  return SelectInt(
             db,
             "SELECT count(*) FROM temp.pragma_table_xinfo(?1, ?2) WHERE hidden IN (2, 3) AND name COLLATE NOCASE IN (" +
                 NamesOf(index.columns, quoted) + ")",
             index.table, index.schema) != 0;
}

bool IsEmbeddedAtReading(sqlite3* db, const IndexDefinition& index) {
  return index.of_vectors && index.logs_all &&
         SelectInt(
             db,
             "SELECT count(*) FROM temp.pragma_table_xinfo(?1, ?2) AS c, " +
                 SchemaTable(index.schema) +
                 " AS t WHERE c.hidden = 2 AND c.name = ?3 COLLATE NOCASE AND t.name = ?1 COLLATE NOCASE AND instr(lower(t.sql), 's2v_embed') > 0",
             index.table, index.schema, index.columns[0]) != 0;
}

bool HasRowidName(sqlite3* db, const IndexDefinition& index) {
  Statement column(db,
                   "SELECT pk FROM temp.pragma_table_xinfo(?1, ?2) WHERE name = ?3 COLLATE NOCASE",
                   index.table, index.schema, index.rowid);
  // A key that is the rowid becomes its name in the triggers when somebody renames it.
  return !column.Step() || (column.Int(0) > 0 && HasIntegerKey(db, index));
}

std::string DropHint(const std::string& index) {
  return "DROP TABLE " + QuoteName(index) + " and create the index again";
}

std::string RebuildHint(const std::string& index) {
  return "INSERT INTO " + QuoteName(index) + "(" + QuoteName(index) +
         ") VALUES('rebuild') makes it anew";
}

void ThrowDamaged(const IndexDefinition& index, const char* object, int64_t key) {
  ThrowMalformed(index.name + "_" + object + ", row " + std::to_string(key) + "; " +
                 RebuildHint(index));
}

void ThrowLogLacks(const IndexDefinition& index) {
  ThrowMalformed(index.name + "_log lacks entries that were in it; " + RebuildHint(index));
}

void StoreVectorKind(sqlite3* db, const IndexDefinition& index) {
  Statement put(db, "REPLACE INTO " + index.Object("config") + " VALUES(?1, ?2)");
  put.Run("dimension", index.dimension);
  Execute(db, "DELETE FROM " + index.Object("config") + " WHERE name = 'model_hash'");
  if (!index.model_hash.empty()) put.Run("model_hash", index.model_hash);
  if (index.words) put.Run("tokenize", index.tokenize);
  if (index.tokenizer_version != 0) put.Run("tokenizer_version", index.tokenizer_version);
  if (index.passages > 0) put.Run("passage_rules", index.passage_rules);
  put.Run("checksum", ConfigChecksum(db, index));
}

void StoreProgress(sqlite3* db, const IndexDefinition& index) {
  Execute(db,
          "REPLACE INTO " + index.Object("config") +
              " VALUES('stamp', ?1), ('taken', ?2), ('terms', ?3), ('swept', ?4), ('progress', ?5)",
          index.stamp, index.taken, index.terms, index.swept, ProgressChecksum(index));
}

}  // namespace s2v
