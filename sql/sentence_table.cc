#include "sql/sentence_table.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "core/config.h"
#include "core/error.h"
#include "core/text/text_format.h"
#include "core/text/utf8.h"
#include "sql/innocuous.h"
#include "sql/real_table.h"

namespace s2v {

namespace {

// ?1: a table, ?2: its schema, or "" for any. A program may have a nullif() of its own.
constexpr char kColumns[] = "temp.pragma_table_xinfo(?1, CASE WHEN ?2 <> '' THEN ?2 END)";

// Where SQLite finds a table that is named alone: "" for main.
std::string SchemaOf(sqlite3* db, const std::string& table) {
  if (TableExists(db, "temp", table)) return "temp";
  for (const std::string& schema : Schemas(db)) {
    if (TableExists(db, schema, table)) return schema == "main" ? "" : schema;
  }
  return "";
}

// A column's name as the table or view has it.
std::optional<std::string> FindColumn(sqlite3* db, const std::string& schema,
                                      const std::string& table, const std::string& column) {
  Statement find(db,
                 std::string("SELECT name FROM ") + kColumns + " WHERE name = ?3 COLLATE NOCASE",
                 table, schema, column);
  if (!find.Step()) return std::nullopt;
  return std::string(find.Text(0));
}

// As the table has them; what has commas may be several, but where a column has the whole name.
std::vector<std::string> ColumnNames(sqlite3* db, const std::string& schema,
                                     const std::string& table, const std::string& given,
                                     const std::string& given_table) {
  const bool is_list = given.find(',') != given.npos && !FindColumn(db, schema, table, given);
  if (!is_list) return {ColumnName(db, schema, table, given, given_table)};
  std::vector<std::string> names;
  const std::string list = given.ends_with(',') ? given + " " : given;
  for (const std::string_view name : SplitAt(list, ',')) {
    std::string column = ColumnName(db, schema, table, std::string(Trimmed(name)), given_table);
    if (std::count(names.begin(), names.end(), column) > 0)
      throw InvalidArgument("column '" + column + "' is given twice");
    names.push_back(std::move(column));
  }
  return names;
}

// The text of a row: of several columns those that are no NULL or BLOB, a line each, as SourceRow
// has them.
std::string TextSql(const std::vector<std::string>& columns) {
  if (columns.size() == 1) return QuoteName(columns[0]);
  const auto line = [](const std::string& column) {
    const std::string name = QuoteName(column);
    return "iif(typeof(" + name + ") IN ('null', 'blob') OR " + name +
           " = '' COLLATE BINARY, '', char(10) || " + name + ")";
  };
  return "nullif(ltrim(" + NamesOf(columns, line, " || ") + ", char(10)), '')";
}

// The first twenty of the user's.
std::string TableNames(sqlite3* db) {
  return SelectText(db, std::string(R"(
      SELECT ifnull(group_concat(iif(n < 21, name, '...'), ', '), 'none') FROM (
        SELECT iif(schema = 'main', '', schema || '.') || name AS name,
          row_number() OVER (ORDER BY schema <> 'main', schema, name) AS n
        FROM temp.pragma_table_list AS t WHERE )") +
                            kIsUsersTable + " ORDER BY n LIMIT 21)");
}

}  // namespace

bool TableExists(sqlite3* db, const std::string& schema, const std::string& table) {
  if (!schema.empty() && sqlite3_db_readonly(db, schema.c_str()) < 0)
    return false;  // no such schema
  return Statement(db, std::string("SELECT 1 FROM ") + kColumns + " LIMIT 1", table, schema).Step();
}

std::string ColumnName(sqlite3* db, const std::string& schema, const std::string& table,
                       const std::string& column, const std::string& given) {
  if (const auto name = FindColumn(db, schema, table, column)) return *name;
  throw InvalidArgument("table '" + given + "' has no column '" + column + "'; it has " +
                        SelectText(db,
                                   std::string("SELECT group_concat(name, ', ') FROM ") + kColumns,
                                   table, schema));
}

bool IsRowidName(std::string_view name) {
  constexpr std::string_view kNames[] = {"rowid", "_rowid_", "oid"};
  return std::any_of(std::begin(kNames), std::end(kNames),
                     [&](std::string_view one) { return IsSameName(name, one); });
}

std::string FreeRowidName(sqlite3* db, const std::string& schema, const std::string& table) {
  return SelectText(db,
                    std::string(R"(
      WITH free(name) AS (VALUES('rowid'), ('_rowid_'), ('oid')) SELECT name FROM free
      WHERE name COLLATE NOCASE NOT IN (SELECT name FROM )") +
                        kColumns + ") LIMIT 1",
                    table, schema);
}

bool IsRowidTable(sqlite3* db, const std::string& schema, const std::string& table,
                  const std::string& rowid, const SchemaRows* rows) {
  Statement find(db,
                 "SELECT type, sql FROM " + SchemaTable(schema, rows, {&table, 1}) +
                     " WHERE type <> 'trigger' AND name = ?1 COLLATE NOCASE",
                 table);
  const bool is_table =
      find.Step() && find.Text(0) == "table" && find.Text(1).starts_with("CREATE TABLE ");
  const bool is_only_one = !find.Step();  // another one could say IF NOT EXISTS
  return is_table && is_only_one && HasColumn(db, schema, table.c_str(), rowid.c_str());
}

SentenceTable::SentenceTable(sqlite3* db, const std::string& table, const std::string& column,
                             const std::string& where, TablePart part, const std::string& schema)
    : db_(db), schema_(schema), name_(table) {
  if (schema.empty() && TableExists(db, "", table)) {
    schema_ = SchemaOf(db, table);
  } else {
    const size_t dot = schema.empty() ? table.find('.') : std::string::npos;
    if (dot != std::string::npos) {
      schema_ = table.substr(0, dot);
      name_ = table.substr(dot + 1);
    }
    if (schema_.empty() || !TableExists(db, schema_, name_)) {
      throw InvalidArgument("no table or view '" + table + "' in this database; there are " +
                            TableNames(db));
    }
  }
  columns_ = ColumnNames(db, schema_, name_, column, table);
  description_ = "column '" + NamesOf(columns_) + "' of '" + table + "'" +
                 (where.empty() ? "" : " where " + where);
  text_sql_ = TextSql(columns_);
  from_ = " FROM " + (schema_.empty() ? "" : QuoteName(schema_) + ".") + QuoteName(name_);
  const std::string select = "SELECT " + text_sql_ + from_;
  const std::string rowid = RowidName();
  const std::string condition = Condition(part, rowid);
  // whatever indexes there are
  const std::string order = rowid.empty() ? "" : " ORDER BY " + rowid;
  if (where.empty()) {
    select_ = Statement(db, select + (rowid.empty() ? "" : " NOT INDEXED") + condition + order);
    return;
  }
  try {
    // One expression and nothing more: what closes the parenthesis of the second statement is a
    // syntax error in the first, which has none, and what ends its CASE is one in the second.
    const Statement alone(db, "SELECT CASE WHEN " + where + "\nTHEN 1 END" + from_);
    if (sqlite3_bind_parameter_count(alone.get()) > 0)
      throw InvalidArgument("where: parameters have no values here, in: " + where);
    const std::string chosen = select + (condition.empty() ? " WHERE " : condition + " AND ") +
                               "(" + where + "\n)" + order;
    CheckInnocuous(db, chosen, select, where);
    select_ = Statement(db, chosen);
  } catch (const SqlError& error) {
    if (error.primary_code() != SQLITE_ERROR) throw;
    const std::string what = error.what();
    // Of our statement.
    const bool is_cut = what.find("near \"THEN\"") != what.npos,
               is_open = what.find("\nTHEN 1 END") != what.npos;
    throw InvalidArgument("where: " +
                          (is_cut    ? "one whole expression is expected, as lang = 'de',"
                           : is_open ? "a quotation mark or comment is not closed"
                                     : what) +
                          " in: " + where);
  }
}

std::string SentenceTable::Condition(TablePart part, const std::string& rowid) const {
  if (part.parts == 1) return "";
  if (rowid.empty()) {
    throw InvalidArgument("'" + name_ +
                          "' has no rowids to be read in parts, as a view has none: "
                          "train on a table");
  }
  // Two statements, each of which looks at one row.
  const auto end = [&](const std::string& which) {
    return static_cast<double>(SelectInt(db_, "SELECT " + which + "(" + rowid + ")" + from_));
  };
  const double least = end("min"), rows = end("max") - least + 1;
  const auto begin = [&](uint32_t number) {
    return FixedText(std::floor(least + rows * number / part.parts), 0);
  };
  std::string condition = part.number == 0 ? "1" : rowid + " >= " + begin(part.number);
  if (part.number + 1 < part.parts) condition += " AND " + rowid + " < " + begin(part.number + 1);
  return " WHERE " + condition;
}

bool SentenceTable::Next() {
  try {
    while (select_.Step()) {
      const int type = select_.Type(0);
      if (type == SQLITE_NULL || type == SQLITE_BLOB) {
        skipped_++;
        continue;
      }
      text_ = select_.Text(0);
      return true;
    }
    return false;
  } catch (const SqlError& error) {
    // What the condition, or a view, computes of a row is an error.
    if (error.primary_code() != SQLITE_ERROR && error.primary_code() != SQLITE_TOOBIG) throw;
    throw SqlError(error.code(), description_ + ": " + error.what());
  }
}

std::string SentenceTable::RowidName() const {
  const std::string schema = schema_.empty() ? "main" : schema_;
  const std::string rowid = FreeRowidName(db_, schema, name_);
  return !rowid.empty() && IsRowidTable(db_, schema, name_, rowid) ? rowid : "";
}

std::optional<int64_t> SentenceTable::MaxRowid() const {
  const std::string name = RowidName();
  if (name.empty()) return std::nullopt;
  Statement select(db_, "SELECT max(" + name + ")" + from_);
  if (!select.Step() || select.Type(0) == SQLITE_NULL) return std::nullopt;
  return select.Int(0);
}

std::optional<int64_t> SentenceTable::CountRows() const {
  if (RowidName().empty()) return std::nullopt;
  return SelectInt(db_, "SELECT count(*)" + from_);
}

std::optional<std::string> OpenFormat(const Settings& settings) {
  const std::string& tokenizer = settings.config().tokenizer;
  if (FindTextFormat(tokenizer) != nullptr) return tokenizer;
  if (settings.IsAutomatic(*FindParameter("tokenizer"))) return "";
  return std::nullopt;
}

LanguageGuess GuessTexts(sqlite3* db, const std::string& table,
                         std::span<const std::string> columns, const std::string& where,
                         std::string_view format, const std::string& schema) {
  constexpr size_t kTexts = 2000;
  std::vector<std::string> texts;
  for (const std::string& column : columns) {
    SentenceTable rows(db, table, column, where, {}, schema);
    TextSample sample(std::max<size_t>(kTexts / columns.size(), 1));
    while (rows.Next()) sample.Add(rows.text());
    texts.insert(texts.end(), sample.texts().begin(), sample.texts().end());
  }
  return GuessProfile(texts, format);
}

}  // namespace s2v
