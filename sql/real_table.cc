#include "sql/real_table.h"

#include <algorithm>
#include <vector>

#include "core/error.h"

namespace s2v {
namespace {

// That this thread reads now. A connection's reading calls back only the thread that reads.
thread_local sqlite3* reading = nullptr;

constexpr int kHiddenColumn = 6;  // of PRAGMA table_xinfo

[[noreturn]] void ThrowUnreal(std::string_view table) {
  throw FormatError("database disk image is malformed: " + std::string(table) +
                    " is not an ordinary table");
}

}  // namespace

void CheckRealTables(sqlite3* db, const std::string& schema,
                     std::span<const std::string_view> tables) {
  // By the parsed text: a virtual table is of type 'table' too. SQLite itself writes these words so,
  // and opens no file whose types and texts disagree.
  Statement select(db, "SELECT name FROM " + QuoteName(schema) +
                           ".sqlite_schema WHERE type = 'table' AND substr(sql, 1, 13) = 'CREATE TABLE '");
  std::vector<std::string_view> missing(tables.begin(), tables.end());
  while (select.Step()) std::erase(missing, select.Text(0));
  if (!missing.empty()) ThrowUnreal(missing.front());
  for (const std::string_view table : tables) {
    Statement columns(db, "PRAGMA " + QuoteName(schema) + ".table_xinfo(" + QuoteName(table) + ")");
    while (columns.Step()) {
      if (columns.Int(kHiddenColumn) != 0) ThrowUnreal(table);
    }
  }
}

Statement CheckedSchemas::Check(sqlite3* db, const std::string& schema,
                                std::span<const std::string_view> tables) {
  Statement held(db, "PRAGMA " + QuoteName(schema) + ".schema_version");
  held.Step();
  const char* file = sqlite3_db_filename(db, schema.c_str());
  Version version{file == nullptr ? "" : file, held.Int(0)};
  Version& checked = checked_[schema];
  if (!(version == checked)) {
    CheckRealTables(db, schema, tables);
    checked = std::move(version);
  }
  return held;
}

ReadingGuard::ReadingGuard(sqlite3* db) : outer_(reading) {
  if (outer_ == db) {
    throw FormatError("database disk image is malformed: reading a model runs SQL that reads it");
  }
  reading = db;
}

ReadingGuard::~ReadingGuard() { reading = outer_; }

}  // namespace s2v
