#include "sql/schema_rows.h"

#include <algorithm>

#include "core/text/unicode_chars.h"
#include "core/vocab/hash.h"

namespace s2v {
namespace {

// NOCASE, too, takes only ASCII letters for equal.
uint64_t HashName(std::string_view name) {
  return HashWord(LowerAscii(name));
}

}  // namespace

SchemaRows::SchemaRows(sqlite3* db, const std::string& schema) {
  Statement select(
      db,
      "SELECT rowid, name, nullif(tbl_name, name), type = 'table' AND upper(sql) GLOB '*REFERENCES*' FROM " +
          SchemaTable(schema, nullptr, {}));
  while (select.Step()) {
    const int64_t rowid = select.Int(0);
    for (const int column : {1, 2}) {
      if (select.Type(column) != SQLITE_NULL)
        by_name_.emplace_back(HashName(select.Text(column)), rowid);
    }
    if (select.Int(3) != 0) with_keys_.push_back(rowid);
  }
  std::sort(by_name_.begin(), by_name_.end());
}

std::string SchemaRows::Of(const std::string& schema, std::span<const std::string> names) const {
  std::vector<int64_t> rowids = with_keys_;
  for (const std::string& name : names) {
    const uint64_t hash = HashName(name);
    auto found = std::lower_bound(by_name_.begin(), by_name_.end(), std::pair(hash, INT64_MIN));
    for (; found != by_name_.end() && found->first == hash; ++found)
      rowids.push_back(found->second);
  }
  return "(SELECT * FROM " + SchemaTable(schema, nullptr, {}) + " WHERE rowid IN (" +
         NamesOf(rowids, [](int64_t rowid) { return std::to_string(rowid); }) + "))";
}

std::string SchemaTable(const std::string& schema, const SchemaRows* rows,
                        std::span<const std::string> names) {
  return rows != nullptr ? rows->Of(schema, names) : QuoteName(schema) + ".sqlite_schema";
}

}  // namespace s2v
