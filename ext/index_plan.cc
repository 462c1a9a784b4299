#include "ext/index_plan.h"

#include <algorithm>
#include <bit>
#include <new>
#include <string>
#include <vector>

#include "ext/index_filters.h"

namespace s2v {
namespace {

constexpr int kPlanBits = 7;  // of PlanBit, those of single values

// Which of our constraints, if any, this is. 0: none.
int BitOf(const sqlite3_index_info::sqlite3_index_constraint& constraint) {
  switch (constraint.op) {
    case SQLITE_INDEX_CONSTRAINT_LIMIT:
      return kHasLimit;
    case SQLITE_INDEX_CONSTRAINT_OFFSET:
      return kHasOffset;
    case SQLITE_INDEX_CONSTRAINT_MATCH:
      return constraint.iColumn == kQuestion ? kHasQuestion : 0;
    case SQLITE_INDEX_CONSTRAINT_EQ:
      if (constraint.iColumn < 0) return kHasRows;
      if (constraint.iColumn == kQuestion) return kHasQuestion;
      [[fallthrough]];
    case SQLITE_INDEX_CONSTRAINT_IS:  // as is written of a parameter that may be NULL
      if (constraint.iColumn == kCount) return kHasCount;
      if (constraint.iColumn == kMaxSimilar) return kHasMaxSimilar;
      return constraint.iColumn == kRankBy ? kHasRankBy : 0;
    default:
      return 0;
  }
}

bool IsOurOrder(const sqlite3_index_info* info) {
  const auto is = [&](int i, int column, bool falling) {
    return info->aOrderBy[i].iColumn == column && (info->aOrderBy[i].desc != 0) == falling;
  };
  if (info->nOrderBy < 1 || !(is(0, kScore, true) || is(0, kRank, false))) return false;
  return info->nOrderBy == 1 || (info->nOrderBy == 2 && is(1, -1, false));
}

// Throws InvalidArgument where the statement uses a filter that is declared without its collation.
void CheckCollations(const IndexTable& table, const sqlite3_index_info* info) {
  constexpr int kLastBit = 63;  // of colUsed: of this column and those behind it
  for (size_t i = 0; i < table.filters.size(); i++) {
    const int bit = std::min(kFirstFilter + static_cast<int>(i), kLastBit);
    if ((info->colUsed >> bit & 1) != 0) CheckCollation(table.filters[i]);
  }
}

// Throws InvalidArgument where the statement compares what a question is given as with anything but
// =, which SQLite would compare with NULL, and where a fifth argument is given, which to SQLite is a
// condition on the column behind the fourth.
void CheckGiven(const sqlite3_index_info* info) {
  int given = 0;  // bits
  bool has_fifth = false;
  for (int i = 0; i < info->nConstraint; i++) {
    const auto& [column, op, usable, _] = info->aConstraint[i];
    const char* name = column == kCount        ? "k"
                       : column == kRankBy     ? "rank_by"
                       : column == kMaxSimilar ? "max_similar"
                                               : nullptr;
    if (name != nullptr && op != SQLITE_INDEX_CONSTRAINT_ISNULL && BitOf(info->aConstraint[i]) == 0)
      throw InvalidArgument(std::string(name) + " is given with =, as " + name +
                            (column == kCount    ? " = 10"
                             : column == kRankBy ? " = 'words'"
                                                 : " = 0.95"));
    given |= BitOf(info->aConstraint[i]);
    has_fifth |= column == kByBm25 && op == SQLITE_INDEX_CONSTRAINT_EQ;
  }
  constexpr int kAll = kHasQuestion | kHasCount | kHasRankBy | kHasMaxSimilar;
  if (has_fifth && (given & kAll) == kAll)
    throw InvalidArgument(
        "at most four arguments are expected: question, k, rank_by, max_similar; filters are "
        "conditions, WHERE lang = 'de'");
}

// The constraints of a statement by what the index does with them; numbers are places in
// aConstraint.
struct SortedConstraints {
  int of_slot[kPlanBits] = {-1, -1, -1, -1, -1, -1, -1};
  std::vector<int> more_rows;  // further ones of kHasRows
  std::vector<int> filtering;
  std::vector<bool> are_sure;  // [filtering]: SQLite need not look at it
  std::string conditions;      // of filtering
  int unusable = 0;
  bool are_all_heeded = true;
};

SortedConstraints SortConstraints(const IndexTable& table, sqlite3_index_info* info) {
  SortedConstraints sorted;
  for (int i = 0; i < info->nConstraint; i++) {
    const int bit = BitOf(info->aConstraint[i]),
              column = info->aConstraint[i].iColumn - kFirstFilter;
    const bool is_usable = info->aConstraint[i].usable != 0;
    // rowid = ? may come from a join, which does not mean to search in that row alone.
    if (bit == 0 || (bit == kHasRows && sqlite3_vtab_in(info, i, -1) == 0)) {
      const FilterColumn* filter = bit == 0 && is_usable ? table.Filter(column) : nullptr;
      bool is_sure = true;
      const std::string condition =
          filter != nullptr ? FilterCondition(*filter, info, i, &is_sure) : "";
      sorted.are_all_heeded = sorted.are_all_heeded && !condition.empty();
      if (condition.empty()) continue;
      sorted.conditions += (sorted.filtering.empty() ? "" : " AND ") + condition;
      sorted.filtering.push_back(i);
      sorted.are_sure.push_back(is_sure);
      continue;
    }
    if (!is_usable) {
      sorted.unusable |= bit;
      sorted.are_all_heeded = false;
      continue;
    }
    const int slot = std::countr_zero(static_cast<unsigned>(bit));
    if (sorted.of_slot[slot] < 0) {
      sorted.of_slot[slot] = i;
    } else if (bit == kHasRows) {
      sorted.more_rows.push_back(i);
    } else {
      sorted.are_all_heeded = false;  // SQLite looks at the second one of a kind
    }
  }
  return sorted;
}

}  // namespace

bool PlanIndex(const IndexTable& table, sqlite3_index_info* info) {
  CheckCollations(table, info);
  CheckGiven(info);
  const SortedConstraints sorted = SortConstraints(table, info);
  if ((sorted.unusable & (kHasQuestion | kHasCount | kHasRankBy | kHasMaxSimilar)) != 0)
    return false;
  info->orderByConsumed = IsOurOrder(info);
  // LIMIT is heeded only if rows come in the order that is asked for, and SQLite itself leaves out
  // none of them.
  const bool limited = sorted.are_all_heeded && (info->nOrderBy == 0 || info->orderByConsumed != 0);
  int values = 0;
  const auto take = [&](int at, bool omit) {
    info->aConstraintUsage[at].argvIndex = ++values;
    info->aConstraintUsage[at].omit = omit ? 1 : 0;
  };
  info->idxNum = 0;
  for (int slot = 0; slot < kPlanBits; slot++) {
    const int at = sorted.of_slot[slot], bit = 1 << slot;
    const bool is_limit = bit == kHasLimit || bit == kHasOffset;
    if (at < 0 || (is_limit && !limited)) continue;
    if (bit == kHasRows) sqlite3_vtab_in(info, at, 1);
    take(at, /*omit=*/!is_limit);  // SQLite counts these itself
    info->idxNum |= bit;
  }
  for (const int at : sorted.more_rows) {
    sqlite3_vtab_in(info, at, 1);
    take(at, /*omit=*/true);
    info->idxNum += kOneMoreRows;
  }
  static char search_name[] = "search", rows_name[] = "search in given rows",
              none_name[] = "no question";
  const bool asked = (info->idxNum & kHasQuestion) != 0;
  info->idxStr = !asked ? none_name : (info->idxNum & kHasRows) != 0 ? rows_name : search_name;
  // A question costs about as much as reading 10,000 rows; a plan without a question fails. One
  // that heeds filters is preferred, but two questions for the two sides of an OR are not.
  info->estimatedCost = (asked ? 1e4 : 1e12) * (sorted.filtering.empty() ? 1 : 0.75);
  info->estimatedRows = 10;
  if (sorted.filtering.empty()) return true;
  for (size_t i = 0; i < sorted.filtering.size(); i++)
    take(sorted.filtering[i], sorted.are_sure[i]);
  info->idxNum |= kHasFilters;
  info->idxStr = sqlite3_mprintf("%s", sorted.conditions.c_str());
  if (info->idxStr == nullptr) throw std::bad_alloc();
  info->needToFreeIdxStr = 1;
  return true;
}

}  // namespace s2v
