#include "sql/index_templates.h"

#include <algorithm>

#include "core/error.h"

namespace s2v {
namespace {

// As SQLite stores them: on one line, the name without its schema.
constexpr IndexTemplate kTables[] = {
    {"config", "CREATE TABLE {name}(name TEXT PRIMARY KEY, value) WITHOUT ROWID"},
    {"list",
     "CREATE TABLE {name}(id INTEGER PRIMARY KEY, rows INTEGER NOT NULL, stamp INTEGER NOT NULL, "
     "centre BLOB NOT NULL, checksum INTEGER NOT NULL)"},
    {"block", "CREATE TABLE {name}(key INTEGER PRIMARY KEY, codes BLOB NOT NULL)"},
    {"entry",
     "CREATE TABLE {name}(id INTEGER PRIMARY KEY, list INTEGER, hash INTEGER NOT NULL, terms BLOB, "
     "vector BLOB)"},
    {"log", "CREATE TABLE {name}(id INTEGER PRIMARY KEY, row INTEGER NOT NULL)"}};
constexpr IndexTemplate kPartTable = {
    "part",
    "CREATE TABLE {name}(id INTEGER PRIMARY KEY, row INTEGER NOT NULL UNIQUE, parts INTEGER NOT NULL, "
    "hash INTEGER NOT NULL, checksum INTEGER NOT NULL)"};
constexpr IndexTemplate kWordTables[] = {
    {"term", "CREATE TABLE {name}(term BLOB PRIMARY KEY, id INTEGER NOT NULL) WITHOUT ROWID"},
    {"fts", "CREATE VIRTUAL TABLE {name} USING fts5({terms}, content='', tokenize=ascii)"}};
// FTS5 has made its tables like this since SQLite 3.9.
constexpr const char* kFts5Data = "CREATE TABLE {name}(id INTEGER PRIMARY KEY, block BLOB)";
constexpr const char* kFts5Idx =
    "CREATE TABLE {name}(segid, term, pgno, PRIMARY KEY(segid, term)) WITHOUT ROWID";
constexpr const char* kFts5Docsize = "CREATE TABLE {name}(id INTEGER PRIMARY KEY, sz BLOB)";
constexpr const char* kFts5Config = "CREATE TABLE {name}(k PRIMARY KEY, v) WITHOUT ROWID";
constexpr IndexTemplate kFts5Tables[] = {
    {"fts_data", kFts5Data},
    {"fts_idx", kFts5Idx},
    {"fts_docsize", kFts5Docsize},
    {"fts_config", kFts5Config},
};
constexpr IndexTemplate kFormerFts5Tables[] = {
    {"words_data", kFts5Data},
    {"words_idx", kFts5Idx},
    {"words_docsize", kFts5Docsize},
    {"words_config", kFts5Config},
};
// Of version 1, beside config, list, block and log.
constexpr IndexTemplate kFormerTables[] = {
    {"row", "CREATE TABLE {name}(id INTEGER PRIMARY KEY, list INTEGER NOT NULL, vector BLOB)"},
    {"old", "CREATE TABLE {name}(id INTEGER, {c})"},
    {"words", "CREATE VIRTUAL TABLE {name} USING fts5({c}, content='', tokenize={tokenize})"}};

constexpr IndexTemplate kTriggers[] = {
    {"insert",
     "CREATE TRIGGER {name} AFTER INSERT ON {table} BEGIN\n"
     "  INSERT INTO {log}(row) VALUES(new.{id});\nEND"},
    {"update",
     // There is a former form of {changed} (ValuesOf).
     "CREATE TRIGGER {name} BEFORE UPDATE ON {table}\nWHEN {changed} BEGIN\n"
     "  INSERT INTO {log}(row) VALUES(new.{id});\n"
     "  INSERT INTO {log}(row) SELECT old.{id} WHERE old.{id} IS NOT new.{id};\nEND"},
    {"delete",
     "CREATE TRIGGER {name} AFTER DELETE ON {table} BEGIN\n"
     "  INSERT INTO {log}(row) VALUES(old.{id});\nEND"}};
constexpr const char* kFormerTriggers[] = {"before_insert", "before_update"};

bool HasObject(std::span<const IndexTemplate> tables, const char* object) noexcept {
  return std::any_of(tables.begin(), tables.end(), [&](const IndexTemplate& table) {
    return sqlite3_stricmp(table.object, object) == 0;
  });
}

}  // namespace

std::vector<IndexTemplate> IndexTables(const IndexDefinition& index) {
  std::vector<IndexTemplate> tables;
  const bool is_former = index.version < kIndexVersion;
  for (const IndexTemplate& table : kTables) {
    if (!is_former || std::string_view(table.object) != "entry") tables.push_back(table);
  }
  if (index.passages > 0) tables.push_back(kPartTable);
  if (is_former) {
    for (const IndexTemplate& table : kFormerTables) {
      if (index.words || std::string_view(table.object) == "row") tables.push_back(table);
    }
  } else if (index.words) {
    tables.insert(tables.end(), std::begin(kWordTables), std::end(kWordTables));
  }
  return tables;
}

std::vector<IndexTemplate> Fts5Tables(const IndexDefinition& index) {
  if (!index.words) return {};
  const auto& tables = index.version < kIndexVersion ? kFormerFts5Tables : kFts5Tables;
  return {std::begin(tables), std::end(tables)};
}

bool IsProtectedObject(const char* object) noexcept {
  if (sqlite3_stricmp(object, "log") == 0 || sqlite3_stricmp(object, "fts") == 0) return false;
  return HasObject({&kPartTable, 1}, object) || HasObject(kTables, object) ||
         HasObject(kWordTables, object);
}

bool IsIndexObject(const std::string& object) {
  const char* const name = object.c_str();
  return HasObject({&kPartTable, 1}, name) || HasObject(kTables, name) ||
         HasObject(kWordTables, name) || HasObject(kFts5Tables, name) ||
         HasObject(kFormerTables, name) || HasObject(kFormerFts5Tables, name);
}

std::span<const IndexTemplate> IndexTriggers() {
  return kTriggers;
}

std::span<const IndexTemplate> FormerIndexTables() {
  return kFormerTables;
}

std::span<const char* const> FormerIndexTriggers() {
  return kFormerTriggers;
}

TemplateValues ValuesOf(const IndexDefinition& index) {
  const auto formerly_differs = [](const std::string& name) {
    return "old." + QuoteName(name) + " IS NOT new." + QuoteName(name);
  };
  // The column's own collation may not tell texts apart, or be unknown to the program that writes.
  const auto has_other_bytes = [](const std::string& name) {
    return "old." + QuoteName(name) + " COLLATE BINARY IS NOT new." + QuoteName(name);
  };
  // 7 is 7.0, and another text.
  const auto differs = [&](const std::string& name) {
    return has_other_bytes(name) + " OR typeof(old." + QuoteName(name) + ") IS NOT typeof(new." +
           QuoteName(name) + ")";
  };
  const std::string is_other_row = formerly_differs(index.rowid) + " OR ";
  const std::string before_filters = index.filters.empty() ? "" : " OR 0 AND ";
  return {
      {"table", QuoteName(index.table)},
      {"id", QuoteName(index.rowid)},
      {"changed", is_other_row + NamesOf(index.columns, differs, " OR ") + before_filters +
                      NamesOf(index.filters, has_other_bytes, " AND ") +
                      (index.logs_all ? " OR 1" : "")},
      {"formerly_changed", is_other_row + NamesOf(index.columns, formerly_differs, " OR ") +
                               before_filters + NamesOf(index.filters, formerly_differs, " AND ")},
      {"log", QuoteName(index.name + "_log")},
      {"tokenize", QuoteName(index.tokenize, '\'')},
      {"c", index.WordColumns()},
      {"terms", index.TermColumns()}};
}

std::string Filled(std::string_view text, const TemplateValues& values) {
  std::string filled;
  for (size_t open; (open = text.find('{')) != text.npos;) {
    const size_t close = text.find('}', open);
    filled.append(text.substr(0, open)) += values.at(text.substr(open + 1, close - open - 1));
    text.remove_prefix(close + 1);
  }
  return filled.append(text);
}

}  // namespace s2v
