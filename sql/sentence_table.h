// The texts of a user's table or view, read through SQLite in its own order.
//
//   SentenceTable table(db, "aux.docs", "body", "lang = 'en'");
//   while (table.Next()) builder.Add(table.text());
//
// Thread rule: as the connection's. The read transaction ends with the object.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/random.h"
#include "core/settings.h"
#include "core/text/languages.h"
#include "sql/schema_rows.h"
#include "sql/statement.h"

namespace s2v {

// SQL: whether t, of pragma_table_list, is the user's: not SQLite's, a model's or an index's. Of
// these, _log and _fts are no shadow tables.
inline constexpr char kIsUsersTable[] =
    R"(t.type <> 'shadow' AND t.name NOT LIKE 'sqlite\_%' ESCAPE '\'
    AND t.name NOT LIKE 's2v\_%' ESCAPE '\' AND NOT (substr(t.name, -4) IN ('_log', '_fts') AND EXISTS (SELECT 1
      FROM temp.pragma_table_list AS of WHERE of.schema = t.schema AND of.type = 'shadow'
        AND of.name = substr(t.name, 1, length(t.name) - 4) || '_list')))";
// True for tables, views and virtual tables. schema, here and below: "" for any.
bool TableExists(sqlite3* db, const std::string& schema, const std::string& table);

// A column's name as the table has it, which may differ in its case. Throws InvalidArgument where
// there is none, saying which there are. given: what the table was called.
std::string ColumnName(sqlite3* db, const std::string& schema, const std::string& table,
                       const std::string& column, const std::string& given);

// One of the three names that SQLite has for it, where no column is called so.
bool IsRowidName(std::string_view name);
// "rowid", or another name of it where a column is called so; "" where columns have all its names.
std::string FreeRowidName(sqlite3* db, const std::string& schema, const std::string& table);

// Whether it is an ordinary table with rowids, of this name. pragma_table_list would open every
// view of the file first. rows: of the schema, or nullptr.
bool IsRowidTable(sqlite3* db, const std::string& schema, const std::string& table,
                  const std::string& rowid, const SchemaRows* rows = nullptr);

// A random sample of texts that come one by one, each with the same probability (Waterman's
// algorithm R).
class TextSample {
 public:
  static constexpr size_t kTexts = 10000, kTextBytes = 4096;

  explicit TextSample(size_t most = kTexts) : most_(most) {}
  void Add(std::string_view text) {
    count_++;
    text = text.substr(0, kTextBytes);
    if (texts_.size() < most_) {
      texts_.emplace_back(text);
    } else if (const uint64_t at = random_.Next() % count_; at < most_) {
      texts_[at] = text;
    }
  }
  const std::vector<std::string>& texts() const { return texts_; }

 private:
  size_t most_;
  Random random_{1};
  uint64_t count_ = 0;
  std::vector<std::string> texts_;
};

// One of several parts of a table, by rowid.
struct TablePart {
  uint32_t number = 0, parts = 1;
};

class SentenceTable {
 public:
  // table: a name or schema.name (the dot parts them only where no table has the whole name).
  // column: one, or several with commas between (only where none has the whole name), whose texts
  // are a line each of one.
  // where: an SQL expression over the table's columns, "" for all rows; it may come with a file, so
  // it may call innocuous functions only. part: parts follow each other by rowid and have about as
  // many rows each, where rowids have no gaps. Texts come by rising rowid, where there are rowids.
  // schema: where table is a name alone, or "". Throws InvalidArgument where one of them is wrong,
  // saying what there is.
  SentenceTable(sqlite3* db, const std::string& table, const std::string& column,
                const std::string& where, TablePart part = {}, const std::string& schema = "");

  // False at the end. NULLs and BLOBs are skipped; numbers are read as text.
  bool Next();
  // Valid until the next call of Next.
  std::string_view text() const { return text_; }
  uint64_t skipped() const { return skipped_; }
  // The largest rowid of the whole table, of the same moment as the texts between two calls of
  // Next; nullopt where it is empty or has none (a view, a virtual table, WITHOUT ROWID).
  std::optional<int64_t> MaxRowid() const;
  // Of the whole table; nullopt where it has no rowids.
  std::optional<int64_t> CountRows() const;
  // FreeRowidName; "" where the table has no rowids.
  std::string RowidName() const;
  // "" where none was given and the table is in main.
  const std::string& schema() const { return schema_; }
  // Without the schema.
  const std::string& name() const { return name_; }
  // As the table has them.
  const std::vector<std::string>& columns() const { return columns_; }
  // For errors: "column 'body' of 'docs' where lang = 'en'".
  const std::string& description() const { return description_; }
  // The SQL expression, over the table's columns, of a row's text.
  const std::string& text_sql() const { return text_sql_; }

 private:
  // " WHERE rowid >= ... AND rowid < ..."; "" for the whole table. rowid: RowidName.
  std::string Condition(TablePart part, const std::string& rowid) const;

  sqlite3* db_;
  std::string schema_, name_, description_, text_sql_, from_;  // from_: " FROM schema.name"
  std::vector<std::string> columns_;
  Statement select_;
  std::string_view text_;
  uint64_t skipped_ = 0;
};

// The format (unless it is given) and the languages of a sample of the columns' texts, from all
// over the table. Throws as SentenceTable. schema: where table is a name alone, or "".
LanguageGuess GuessTexts(sqlite3* db, const std::string& table,
                         std::span<const std::string> columns, const std::string& where,
                         std::string_view format = "", const std::string& schema = "");
// The format to give it: "" where settings leave format and language open; nullopt where they name
// the tokenizer.
std::optional<std::string> OpenFormat(const Settings& settings);

}  // namespace s2v
