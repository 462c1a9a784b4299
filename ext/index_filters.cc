#include "ext/index_filters.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "core/error.h"
#include "ext/arguments.h"

namespace s2v {
namespace {

// What may be in doubt of a condition. Of lang = 7, where the column is of TEXT:
//   in the plan       nsource."lang" = ?
//   its two meanings  source."lang" = ?                      as a text, the likeliest
//                     source."lang" = CAST(? AS NUMERIC)     as 7 from a column of numbers
enum Doubt : char {
  // the column is of text; the other side may be of text, of numbers, or of no type
  kText = 't',
  kTextConstant = 'n',  // the column is of text; the other side is 7 or CAST(... AS INTEGER)
  kUntyped = 'u',       // the column has no type; the other side may be of numbers
  kCollation = 'c',     // the column's, or BINARY
};
constexpr std::string_view kDoubts = "tnuc";
// Of all conditions together; further doubts are answered by the likeliest meaning.
constexpr size_t kMostMeanings = 9;

bool TypeHas(const std::string& type, const char* part) {
  std::string pattern = std::string("%") + part + "%";
  return sqlite3_strlike(pattern.c_str(), type.c_str(), 0) == 0;
}
// As SQLite finds a column's affinity.
bool IsOfText(const std::string& type) {
  return !TypeHas(type, "INT") &&
         (TypeHas(type, "CHAR") || TypeHas(type, "CLOB") || TypeHas(type, "TEXT"));
}
bool IsUntyped(const std::string& type) {
  return type.empty() || (TypeHas(type, "BLOB") && !TypeHas(type, "INT") && !IsOfText(type));
}

bool IsNumber(sqlite3_value* value) {
  return sqlite3_value_type(value) == SQLITE_INTEGER || sqlite3_value_type(value) == SQLITE_FLOAT;
}

// One condition while its SQL is made. column: with its COLLATE; op: " = ", " IN "; others,
// numbers: how many of its values are no numbers, and how many are, in the order in which they are
// bound.
struct Condition {
  std::string doubts, column, op;
  size_t others = 0, numbers = 0;
  bool is_list = false;

  bool Has(Doubt doubt) const { return doubts.find(doubt) != doubts.npos; }
};

// each, as often as there are values. With ?1, ?2 ... SQLite would look through all of them at each
// one.
std::string Values(size_t count, std::string_view each = "?") {
  std::string list;
  for (size_t i = 0; i < count; i++) list.append(i == 0 ? "" : ",").append(each);
  return list;
}

// The condition as SQL, once for each meaning, the likeliest first. Each has a ? for each value, in
// the same order.
std::vector<std::string> Meanings(const Condition& condition) {
  const std::string all = Values(condition.others + condition.numbers);
  const std::string values = condition.is_list ? "(" + all + ")" : all;
  const std::string plain = condition.op + values;
  std::vector<std::string> meanings = {condition.column + plain};
  if (condition.Has(kCollation)) meanings.push_back(condition.column + " COLLATE BINARY" + plain);
  if (condition.numbers == 0) return meanings;
  if (condition.Has(kText) || condition.Has(kTextConstant) || condition.Has(kUntyped)) {
    // As a column of numbers compares.
    if (!condition.is_list) {
      meanings.push_back(condition.column + condition.op + "CAST(? AS NUMERIC)");
    } else {
      meanings.push_back("(" + condition.column + " IN (" + Values(condition.others) + ") OR " +
                         condition.column + " IN (SELECT CAST(column1 AS NUMERIC) FROM (VALUES" +
                         Values(condition.numbers, "(?)") + ")))");
    }
  }
  // As a column of no type compares: a number is no text.
  if (condition.Has(kText)) meanings.push_back("+" + condition.column + plain);
  return meanings;
}

// Conditions of a plan, with the values that they got.
class Conditions {
 public:
  Conditions(std::string_view text, sqlite3_value** values) {
    while (!text.empty()) {
      if (text.starts_with(kAnd)) text.remove_prefix(kAnd.size());
      Add(&text, *values++);
    }
  }
  const std::vector<Value>& values() const { return values_; }
  bool has_list() const { return has_list_; }

  // As SQL, for each meaning.
  std::vector<std::string> Sql() const {
    std::vector<std::string> all = {""};
    for (const Condition& condition : conditions_) {
      std::vector<std::string> meanings = Meanings(condition);
      if (all.size() * meanings.size() > kMostMeanings) meanings.resize(1);
      std::vector<std::string> longer;
      for (const std::string& meaning : meanings) {
        for (const std::string& before : all)
          longer.push_back(before + (before.empty() ? "" : " AND ") + meaning);
      }
      all = std::move(longer);
    }
    return all;
  }

 private:
  static constexpr std::string_view kAnd = " AND ";

  // Takes a condition from the front of the text.
  void Add(std::string_view* text, sqlite3_value* value) {
    Condition& condition = conditions_.emplace_back();
    const size_t letters = text->find_first_not_of(kDoubts);
    condition.doubts = text->substr(0, letters);
    text->remove_prefix(letters);
    bool is_quoted = false;
    size_t end = 0, column_end = 0;  // of the value; behind the last name
    for (; (*text)[end] != '?' || is_quoted; end++) {
      if ((*text)[end] != '"') continue;
      is_quoted = !is_quoted;
      column_end = end + 1;
    }
    condition.column = text->substr(0, column_end);
    condition.op = text->substr(column_end, end - column_end);
    condition.is_list = condition.op.ends_with('(');
    if (condition.is_list) condition.op.pop_back();
    text->remove_prefix(end + (condition.is_list ? 2 : 1));
    std::vector<Value> numbers;
    const auto add = [&](sqlite3_value* given) {
      (IsNumber(given) ? numbers : values_).push_back(Copy(given));
    };
    const size_t before = values_.size();
    if (condition.is_list) {
      has_list_ = true;
      ForEachListed(value, add);
    } else {
      add(value);
    }
    condition.others = values_.size() - before;
    condition.numbers = numbers.size();
    std::move(numbers.begin(), numbers.end(), std::back_inserter(values_));
  }

  std::vector<Condition> conditions_;
  std::vector<Value> values_;
  bool has_list_ = false;
};

// The letters for what is in doubt. may_be_binary: not known is whether it is by the column's own
// collation.
std::string DoubtsOf(const FilterColumn& filter, sqlite3_index_info* info, int constraint,
                     bool is_list, bool may_be_binary) {
  const int op = info->aConstraint[constraint].op;
  std::string doubts;
  if (may_be_binary && sqlite3_stricmp(filter.collation.c_str(), "BINARY") != 0)
    doubts += kCollation;
  if (op == SQLITE_INDEX_CONSTRAINT_LIKE || op == SQLITE_INDEX_CONSTRAINT_GLOB) return doubts;
  sqlite3_value* constant = nullptr;
  const bool is_constant =
      !is_list && sqlite3_vtab_rhs_value(info, constraint, &constant) == SQLITE_OK;
  if (is_constant && !IsNumber(constant)) return doubts;
  if (IsOfText(filter.type)) doubts += is_constant ? kTextConstant : kText;
  if (IsUntyped(filter.type) && !is_constant) doubts += kUntyped;
  return doubts;
}

// By what stands behind the columns in the text of the table. pragma_table_list would open each
// virtual table of the file.
bool IsStrict(sqlite3* db, const std::string& schema, const std::string& table) {
  Statement find(db,
                 "SELECT sql FROM " + SchemaTable(schema) +
                     " WHERE type = 'table' AND name = ?1 COLLATE NOCASE",
                 table);
  if (!find.Step()) return false;
  const std::string sql(find.Text(0));
  return sqlite3_strlike("%STRICT%", sql.c_str() + sql.rfind(')') + 1, 0) == 0;
}

}  // namespace

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
        sqlite3_table_column_metadata(db, schema.c_str(), source.table.c_str(), column.c_str(),
                                      &type, &collation, nullptr, nullptr, nullptr);
    if (code == SQLITE_NOMEM) throw std::bad_alloc();
    FilterColumn& filter = filters.emplace_back(FilterColumn{
        column, type == nullptr ? "" : type, collation == nullptr ? "BINARY" : collation, ""});
    // In a STRICT table it is no type; in others, as in that of a virtual table, one of numbers.
    if (sqlite3_stricmp(filter.type.c_str(), "ANY") == 0 && IsStrict(db, schema, source.table))
      filter.type.clear();
  }
  return filters;
}

bool ForgetUnknownCollations(sqlite3* db, std::vector<FilterColumn>* filters) {
  bool has_any = false;
  for (FilterColumn& filter : *filters) {
    sqlite3_stmt* statement = nullptr;
    const std::string sql = "SELECT '' = '' COLLATE " + QuoteName(filter.collation);
    const int code = sqlite3_prepare_v2(db, sql.c_str(), -1, &statement, nullptr);
    sqlite3_finalize(statement);
    if (code == SQLITE_NOMEM) throw std::bad_alloc();
    if (code == SQLITE_OK) continue;
    filter.unknown_collation = std::exchange(filter.collation, "BINARY");
    has_any = true;
  }
  return has_any;
}

void CheckCollation(const FilterColumn& filter) {
  if (filter.unknown_collation.empty()) return;
  throw InvalidArgument("no such collation sequence: " + filter.unknown_collation +
                        ", which the filter '" + filter.name +
                        "' has; register it before the connection reads the schema");
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

std::string FilterCondition(const FilterColumn& filter, sqlite3_index_info* info, int constraint,
                            bool* is_sure) {
  // Where NULL is compared without a value (IS NULL), SQLite gives NULL as the value.
  static constexpr std::pair<int, const char*> kCompared[] = {
      {SQLITE_INDEX_CONSTRAINT_EQ, " = ?"},
      {SQLITE_INDEX_CONSTRAINT_NE, " <> ?"},
      {SQLITE_INDEX_CONSTRAINT_LT, " < ?"},
      {SQLITE_INDEX_CONSTRAINT_LE, " <= ?"},
      {SQLITE_INDEX_CONSTRAINT_GT, " > ?"},
      {SQLITE_INDEX_CONSTRAINT_GE, " >= ?"},
      {SQLITE_INDEX_CONSTRAINT_LIKE, " LIKE ?"},
      {SQLITE_INDEX_CONSTRAINT_GLOB, " GLOB ?"},
      {SQLITE_INDEX_CONSTRAINT_IS, " IS ?"},
      {SQLITE_INDEX_CONSTRAINT_ISNULL, " IS ?"},
      {SQLITE_INDEX_CONSTRAINT_ISNOT, " IS NOT ?"},
      {SQLITE_INDEX_CONSTRAINT_ISNOTNULL, " IS NOT ?"}};
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
  // Of <> and IS NOT it says BINARY whatever the column has: a coarser one leaves out more, by
  // SQLite itself. Of IN with row values it says the collation of their first column: where that is
  // BINARY, it may be.
  const bool is_not_equal =
      given == SQLITE_INDEX_CONSTRAINT_NE || given == SQLITE_INDEX_CONSTRAINT_ISNOT;
  const bool is_same = sqlite3_stricmp(collation, filter.collation.c_str()) == 0;
  const bool is_doubtful = is_not_equal || (given == SQLITE_INDEX_CONSTRAINT_EQ && !is_same &&
                                            sqlite3_stricmp(collation, "BINARY") == 0);
  const bool is_its_own = is_doubtful || is_same;
  const std::string doubts = DoubtsOf(filter, info, constraint, compared == " IN (?)", is_doubtful);
  *is_sure = doubts.empty() && !is_doubtful;
  return doubts + "source." + QuoteName(filter.name) +
         (is_its_own ? "" : " COLLATE " + QuoteName(collation)) + compared;
}

std::vector<search::RowSet> RowsThatMeet(StatementCache* statements, sqlite3* db,
                                         const IndexDefinition& index, std::string_view conditions,
                                         sqlite3_value** values, const search::RowSet* among) {
  const Conditions given(conditions, values);
  const int most = sqlite3_limit(db, SQLITE_LIMIT_VARIABLE_NUMBER, -1);
  if (given.values().size() > static_cast<size_t>(most)) {
    throw InvalidArgument("the conditions name " + std::to_string(given.values().size()) +
                          " values, and SQLite takes " + std::to_string(most) +
                          "; rowid IN (SELECT ...) takes any number");
  }
  const std::string from =
      "SELECT " + QuoteName(index.rowid) + " FROM " + index.Source() + " AS source WHERE ";
  std::vector<search::RowSet> found;
  for (const std::string& meaning : given.Sql()) {
    // A list of another length is another statement: too many to be kept.
    Statement select(given.has_list() ? nullptr : statements, db, from + meaning);
    for (size_t i = 0; i < given.values().size(); i++)
      select.Bind(static_cast<int>(i + 1), given.values()[i].get());
    search::RowSetBuilder rows;
    while (select.Step()) {
      if (among == nullptr || among->Contains(select.Int(0))) rows.Add(select.Int(0));
    }
    search::RowSet set = rows.Finish();
    const auto is_same = [&](const search::RowSet& other) {
      return other.size() == set.size() && other.Rowids() == set.Rowids();
    };
    if (std::none_of(found.begin(), found.end(), is_same)) found.push_back(std::move(set));
  }
  return found;
}

}  // namespace s2v
