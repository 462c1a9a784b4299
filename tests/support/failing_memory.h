// Memory that fails on purpose: SQLite's allocator, operator new, aligned_alloc and calloc of this
// program, in whatever thread. Also threads that do not start. (Under sanitizers, which have their
// own, neither calloc nor threads.)
//
//   MemoryFault fault(7, /*persistent=*/false);   // the 7th allocation from now on fails
//   ...
//   CHECK(fault.Fired());
#pragma once

#include <sqlite3.h>

#include <cstdint>
#include <string>
#include <vector>

namespace s2v::testing {

// One at a time. Persistent: all later ones fail too.
class MemoryFault {
 public:
  MemoryFault(int64_t nth, bool persistent);
  ~MemoryFault() { Stop(); }
  void Stop();
  // Allocations since it began, until it stopped.
  int64_t Count() const;
  bool Fired() const;
  MemoryFault(const MemoryFault&) = delete;
};

// Which allocations of a statement are worth failing, one in each run of it: the first and the last
// fifteen, those at the beginning and the end of the first two runs of each statement that it runs
// itself, and about each commit; of the others twenty-five, different ones in each run of the
// tests. With S2V_ALL_FAULTS in the environment: all. Runs the statement once. The last element is
// beyond all allocations, so that nothing fails.
bool AllFaults();
std::vector<int64_t> FaultPoints(sqlite3* db, const std::string& sql);

// All allocations from now on fail in turn, each in a copy of the process that is made at that
// moment and goes on from there: what came before runs once, not again for each, so a statement of
// n allocations takes n times as long, not n * n.
//
//   ForkedFaults faults;
//   const int code = sqlite3_exec(db, ...);
//   faults.Stop([&](int64_t n) { CHECK(code == SQLITE_NOMEM); });    // in the copies; they end there
//
// Of even ones all later allocations fail too. REQUIRES: one thread.
class ForkedFaults {
 public:
  ForkedFaults();
  // In a copy calls check with the number of the allocation that failed, and ends the copy; what it
  // CHECKs counts.
  template <typename Check>
  void Stop(const Check& check) {
    if (!StopAndAskWhetherCopy()) return;
    bool threw = true;
    try {
      check(FailedAllocation());
      threw = false;
    } catch (...) {
    }
    EndCopy(threw);
  }
  // Copies, and those of them that failed a CHECK, threw or crashed.
  int64_t Copies() const;
  int64_t FailedCopies() const;
  ForkedFaults(const ForkedFaults&) = delete;

 private:
  static bool StopAndAskWhetherCopy();
  static int64_t FailedAllocation();
  [[noreturn]] static void EndCopy(bool threw);
};

// The nth thread from now on does not start; 0: all do.
void FailThread(int nth);

}  // namespace s2v::testing
