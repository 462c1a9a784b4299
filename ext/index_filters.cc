#include "ext/index_filters.h"

#include <memory>
#include <utility>

#include "core/error.h"

namespace s2v {

std::vector<FilterColumn> ReadFilterColumns(sqlite3* db, const std::string& schema,
                                            const std::string& name) {
  IndexSourceNames source;
  try {
    source = ReadIndexSource(db, schema, name);
  } catch (const InvalidArgument&) {
  } catch (const FormatError&) {
  }
  std::vector<FilterColumn> filters;
  for (const std::string& column : source.filters) {
    const char *type = nullptr, *collation = nullptr;
    const int code =
        sqlite3_table_column_metadata(db, schema.c_str(), source.table.c_str(), column.c_str(), &type,
                                      &collation, nullptr, nullptr, nullptr);
    if (code == SQLITE_NOMEM) throw std::bad_alloc();
    filters.push_back({column, type == nullptr ? "" : type, collation == nullptr ? "BINARY" : collation});
  }
  return filters;
}

std::string FilterDeclaration(const std::vector<FilterColumn>& filters) {
  std::string columns;
  for (const FilterColumn& filter : filters) {
    // A type may be any text, quoted: what is in it must not become columns.
    const std::string type = filter.type.empty() ? "" : " " + QuoteName(filter.type);
    columns += ", " + QuoteName(filter.name) + type + " COLLATE " + QuoteName(filter.collation);
  }
  return columns;
}

std::string FilterCondition(const FilterColumn& filter, sqlite3_index_info* info, int constraint) {
  // Where NULL is compared without a value (IS NULL), SQLite gives NULL as the value.
  static constexpr std::pair<int, const char*> kCompared[] = {
      {SQLITE_INDEX_CONSTRAINT_EQ, " = ?"},        {SQLITE_INDEX_CONSTRAINT_NE, " <> ?"},
      {SQLITE_INDEX_CONSTRAINT_LT, " < ?"},        {SQLITE_INDEX_CONSTRAINT_LE, " <= ?"},
      {SQLITE_INDEX_CONSTRAINT_GT, " > ?"},        {SQLITE_INDEX_CONSTRAINT_GE, " >= ?"},
      {SQLITE_INDEX_CONSTRAINT_LIKE, " LIKE ?"},   {SQLITE_INDEX_CONSTRAINT_GLOB, " GLOB ?"},
      {SQLITE_INDEX_CONSTRAINT_IS, " IS ?"},       {SQLITE_INDEX_CONSTRAINT_ISNULL, " IS ?"},
      {SQLITE_INDEX_CONSTRAINT_ISNOT, " IS NOT ?"}, {SQLITE_INDEX_CONSTRAINT_ISNOTNULL, " IS NOT ?"}};
  const int given = info->aConstraint[constraint].op;
  std::string compared;
  for (const auto& [op, sql] : kCompared) {
    if (op == given) compared = sql;
  }
  if (given == SQLITE_INDEX_CONSTRAINT_EQ && sqlite3_vtab_in(info, constraint, 1) != 0) {
    compared = " IN (?)";
  }
  if (compared.empty()) return "";
  const char* collation = sqlite3_vtab_collation(info, constraint);
  const bool is_its_own = sqlite3_stricmp(collation, filter.collation.c_str()) == 0;
  return QuoteName(filter.name) + (is_its_own ? "" : " COLLATE " + QuoteName(collation)) + compared;
}

search::RowSet RowsThatMeet(StatementCache* statements, sqlite3* db, const IndexDefinition& index,
                            std::string_view conditions, sqlite3_value** values,
                            const search::RowSet* among) {
  std::string sql = "SELECT " + QuoteName(index.rowid) + " FROM " + index.Source() + " WHERE ";
  using Value = std::unique_ptr<sqlite3_value, void (*)(sqlite3_value*)>;
  std::vector<Value> bound;
  const auto add = [&](sqlite3_value* value) {
    Value copy(sqlite3_value_dup(value), sqlite3_value_free);
    if (copy == nullptr) throw std::bad_alloc();
    bound.push_back(std::move(copy));
  };
  bool is_quoted = false, has_list = false;
  for (const char c : conditions) {
    if (c == '"') is_quoted = !is_quoted;
    if (c != '?' || is_quoted) {
      sql += c;
    } else if (sql.back() != '(') {
      add(*values++);
      sql += c;
    } else {
      has_list = true;
      const size_t before = bound.size();
      ForEachListed(*values++, add);
      for (size_t i = before; i < bound.size(); i++) sql += i == before ? "?" : ",?";
    }
  }
  const int most = sqlite3_limit(db, SQLITE_LIMIT_VARIABLE_NUMBER, -1);
  if (bound.size() > static_cast<size_t>(most)) {
    throw InvalidArgument("the conditions name " + std::to_string(bound.size()) + " values, and SQLite takes " +
                          std::to_string(most) + "; rowid IN (SELECT ...) takes any number");
  }
  // A list of another length is another statement: too many to be kept.
  Statement select(has_list ? nullptr : statements, db, sql);
  for (size_t i = 0; i < bound.size(); i++) select.Bind(static_cast<int>(i + 1), bound[i].get());
  search::RowSetBuilder rows;
  while (select.Step()) {
    if (among == nullptr || among->Contains(select.Int(0))) rows.Add(select.Int(0));
  }
  return rows.Finish();
}

}  // namespace s2v
