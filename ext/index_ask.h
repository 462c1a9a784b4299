// From what a statement asks an index with to the rows that answer it: xFilter and xNext of
// ext/index_table.cc.
//
// Thread rule: as the connection's.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "ext/index_cursor.h"

namespace s2v {

// What an answer depends on, so that the inner side of a LEFT JOIN is asked once: the arguments,
// and how much the connection has written. "" where it may be another one next time: lists can be
// read once, and what a transaction has written may be taken back.
std::string AskedWith(const IndexTable& table, int plan, std::string_view conditions,
                      std::span<sqlite3_value*> values);

// Fills the cursor with the first answers. plan, conditions: as PlanIndex has made them; values: of
// the arguments, in the order of the plan's bits. Throws InvalidArgument, SqlError, FormatError.
void Ask(IndexTable& table, IndexCursor* cursor, int plan, const char* conditions,
         sqlite3_value** values);

// Called when all answers were read, if the statement did not say how many it wants, or wants more
// than LIMIT said: conditions that xBestIndex is not shown whole, (a, rowid) < (1, 9), left some of
// them out.
void Grow(IndexTable& table, IndexCursor* cursor);

}  // namespace s2v
