// How long an index may work inside a question, and how much it may keep.
//
// What waits: N_log may name any number of rows. A question answers from the newest kMostExactRows
// of them as the table has them now, from the others as the index knows them, and looks at each row
// of its answer in the table; so a row that it gives is right, and one that is older in the log,
// and not in the index yet, may be missing.
#pragma once

#include <cstddef>
#include <cstdint>

namespace s2v {

// A slice: what a question takes in. The second: what s2v_sync does between two commits, each of
// which takes as long, whatever it commits. Below the 50 ms after which programs with a short
// busy_timeout give up, with room for the commit itself; measured by tests/bench, docs/figures.md.
inline constexpr double kSliceSeconds = 0.015;
inline constexpr double kSyncSliceSeconds = 0.030;
inline constexpr double kForever = 1e300;  // a deadline that never comes: work that is no slice
// Of a question that has to compute what most of the newest rows say: their 2,000 take 40 ms at the
// first question of a connection, and a writer without WAL waits for all of it. What is left of
// kSliceSeconds goes to these rows.
inline constexpr double kFirstSliceSeconds = 0.004;
// Of a slice, the part in which rows of the log are looked at, in a question and in s2v_sync, and a
// further part for rows that went unseen; the rest is for writing what they changed.
inline constexpr double kSliceRowShare = 0.3, kSyncRowShare = 0.6, kSliceSweepShare = 0.1;
// Between two slices of s2v_sync, in which others may write. SQLite tells nobody who waits, so it
// is always kept.
inline constexpr double kSliceRestSeconds = 0.010;
// What s2v_sync lets readers wait that come while it waits for those that were there to commit a
// slice (without WAL), and how long it then stays away.
inline constexpr int kSliceCommitMilliseconds = 2, kReaderRestMilliseconds = 50;
// How long s2v_sync waits to take in and commit a slice, beyond the connection's own time-out, and
// how often it looks.
inline constexpr double kSyncWaitSeconds = 60;
inline constexpr int kSyncPollMilliseconds = 5;
// Up to this number of rows in the log are left there: to look at them is less work than to write
// them. The second: of rows that are cut into parts, whose parts are looked at.
inline constexpr size_t kFewPending = 64;
inline constexpr size_t kFewPendingLong = 4;
// Entries of the log that are read at once.
inline constexpr int64_t kSliceRows = 512;
// For each row that is taken in, this number of rows of the index are looked up in the table: rows
// that REPLACE removed unseen are then at most half as many as the others.
inline constexpr int64_t kSweptRows = 3;
// Pages that FTS5 merges at once, 4 kB each.
inline constexpr int kMergePages = 16;
// Rows of the table that the index was not told of: of those found between rows that it knows, this
// number is taken at once; where as many stand at the table's end, triggers were off, which is an
// error.
inline constexpr int64_t kMostUnknownRows = 64;
inline constexpr size_t kMostExactRows = 2000;
// With passages kMostExactRows counts parts. A row that has more parts than there is room for is
// passed over; after this number of them the log is read no further.
inline constexpr size_t kMostPassedOver = 16;
// Entries of the log that are read to find these rows, which may be in it more than once.
inline constexpr size_t kMostLogEntries = 8 * kMostExactRows;
// Rows beyond these that a question for `needed` rows finds changed and looks at as they are: so
// many, which takes some 20 ms. Where most of the rows that it finds have changed, its answer may
// be shorter.
constexpr size_t MostChanged(size_t needed) {
  return 500 + 2 * (needed < 1000000 ? needed : 1000000);
}
// Embeddings and words of pending rows that a connection keeps; of the rest they are computed at
// each question.
inline constexpr size_t kMostKeptBytes = size_t{24} << 20;
// Sizes of rows that words have found, which a connection keeps: those of two million rows of an
// index of one column.
inline constexpr size_t kMostSizeBytes = size_t{16} << 20;
// Codes of an index that a connection keeps: those of eleven million rows of dimension 400. Of a
// larger index the rest is read at each question.
inline constexpr size_t kMostCodeBytes = size_t{800} << 20;
// Vectors that one question keeps for its next round.
inline constexpr size_t kMostVectorBytes = size_t{16} << 20;
// Of a question by meaning: a row of an index of texts is embedded anew where its similarity is
// within this number of deviations of rounding (0.0003 at dimension 100) of the last one that is
// found, and at most this number of rows, the nearest to it.
inline constexpr double kRoundingDeviations = 4;
inline constexpr size_t kMostEmbeddedAnew = 64;
// Rows that words find and that a question keeps, 60 bytes each; of more the best half.
inline constexpr size_t kMostMatches = 1000000;
// Rows that the parts of words of one question may lead to, about: a common part tells little and
// costs most.
inline constexpr double kMostPartRows = 50000;

// Rows that the choices for an unfinished word may lead to, about: so that each key that is typed
// has its answer in 10 ms.
inline constexpr double kMostChoiceRows = 5000;
// A question looks for rows by this number of its words, about the rarest: a question of 1,400
// words takes 50 ms.
inline constexpr size_t kMostPhrases = 128;
// So many rows are enough to rank by words and meaning, and for each row that is asked for, where a
// long question's words would lead to more: a sentence takes half the time, docs/tried.md.
inline constexpr double kEnoughRows = 10000, kEnoughRowsForOne = 1000;
// A word is frequent if more than one row in so many has it.
inline constexpr int64_t kRowsForOneFrequent = 10;

}  // namespace s2v
