// Columns of an index's table on which conditions are heeded before rows are ranked.
//
//   CREATE VIRTUAL TABLE docs_search USING s2v_index(docs, body, filter = 'lang, year');
//   SELECT rowid FROM docs_search('early snow', 10) WHERE lang = 'de' AND year IN (2024, 2025);
//
// The virtual table has a column for each, with the type and the collation of the table's. The
// index stores none of their values: the table is asked for the rows that meet the conditions, with
// whatever indexes it has, and the question looks for its answers among these.
//
// Conditions are SQL with a ? for each value, "lang" = ? AND "year" IN (?): what a plan says to
// xFilter.
//
// What a condition means is not all said to a virtual table: not the type of the column with which
// a filter is compared, by which 7 is '007' or is not, and not the collation of <> and IS NOT. In
// front of such a condition stand letters, one for each doubt (Doubt). Then the rows of each
// possible meaning are found, and where these differ, the question is asked for all of them, until
// there are k of each. SQLite looks at the condition once more, so no row is wrong, and none of the
// best k is missing, unless several conditions have more than nine meanings together; but there may
// be more than k.
//
// Thread rule: as the connection's.
#pragma once

#include <new>
#include <string>
#include <string_view>
#include <vector>

#include "core/search/search.h"
#include "sql/index_definition.h"

namespace s2v {

struct FilterColumn {
  std::string name, type, collation;  // as the table declares it
  // what collation was, where the connection does not know it; "": it does
  std::string unknown_collation;
};
// Those that the index has now; none where its trigger is missing or not its own, which a question
// will say.
std::vector<FilterColumn> ReadFilterColumns(sqlite3* db, const std::string& schema,
                                            const std::string& name);
// Throws InvalidArgument where it was one of these.
void CheckCollation(const FilterColumn& filter);
// To be appended to other columns of a CREATE TABLE.
std::string FilterDeclaration(const std::vector<FilterColumn>& filters);
// Gives the filters whose collation the connection does not know BINARY. Returns whether there are
// any.
bool ForgetUnknownCollations(sqlite3* db, std::vector<FilterColumn>* filters);
// The constraint, which is on this column, as a condition; "" for one that SQLite has to look
// after. is_sure: set to whether SQLite need not look after it.
std::string FilterCondition(const FilterColumn& filter, sqlite3_index_info* info, int constraint,
                            bool* is_sure);
// For each meaning of the conditions that leads to other rows than those before it, its rows; at
// least one, the likeliest. values: for each ? of the conditions the one, or the list, that xFilter
// got. among: nullptr for all rows.
std::vector<search::RowSet> RowsThatMeet(StatementCache* statements, sqlite3* db,
                                         const IndexDefinition& index, std::string_view conditions,
                                         sqlite3_value** values, const search::RowSet* among);

// Calls use with each value of a list that sqlite3_vtab_in gave.
template <typename Use>
void ForEachListed(sqlite3_value* list, Use use) {
  sqlite3_value* value = nullptr;
  int code = sqlite3_vtab_in_first(list, &value);
  for (; code == SQLITE_OK && value != nullptr; code = sqlite3_vtab_in_next(list, &value))
    use(value);
  if (code == SQLITE_NOMEM) throw std::bad_alloc();
  if (code != SQLITE_OK && code != SQLITE_DONE) throw SqlError(code, sqlite3_errstr(code));
}

}  // namespace s2v
