// How a question to an index is planned: what SQLite has of its conditions, and which of them reach
// xFilter.
//
// idxNum, given by xBestIndex and read by xFilter, has a bit for each value that xFilter gets, in
// the order of the bits (PlanBit), and one for the values of conditions on filters, which come
// last; then idxStr is these conditions. Above the bits is the number of further rowid IN (...),
// whose lists come before the filters' values. Else idxStr is for people who read EXPLAIN QUERY
// PLAN.
//
// Thread rule: as the connection's.
#pragma once

#include "ext/index_cursor.h"

namespace s2v {

// The columns of s2v_index (ext/index_table.cc says what they are), those of filters from
// kFirstFilter on.
enum IndexColumn {
  kQuestion,
  kScore,
  kSimilarity,
  kBm25,
  kCount,
  kRankBy,
  kMaxSimilar,
  kByBm25,
  kByOpening,
  kByMeaning,
  kByFeedback,
  kPending,
  kCorrections,
  kMatched,
  kRank,
  kFirstFilter
};
enum PlanBit {
  kHasQuestion = 1,
  kHasCount = 2,
  kHasRankBy = 4,
  kHasRows = 8,
  kHasLimit = 16,
  kHasOffset = 32,
  kHasMaxSimilar = 64,
  kHasFilters = 128
};
constexpr int kOneMoreRows = 256;

// xBestIndex. False where the plan is impossible.
bool PlanIndex(const IndexTable& table, sqlite3_index_info* info);

}  // namespace s2v
