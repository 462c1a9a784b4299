// Memory that fails on purpose: SQLite's allocator, operator new and aligned_alloc of this program,
// in whatever thread. Also threads that do not start (not under sanitizers, which need their own
// start).
//
//   MemoryFault fault(7, /*persistent=*/false);   // the 7th allocation from now on fails
//   ...
//   CHECK(fault.Fired());
#ifndef S2V_TESTS_SUPPORT_FAILING_MEMORY_H_
#define S2V_TESTS_SUPPORT_FAILING_MEMORY_H_

#include <cstdint>

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

// The nth thread from now on does not start; 0: all do.
void FailThread(int nth);

}  // namespace s2v::testing

#endif  // S2V_TESTS_SUPPORT_FAILING_MEMORY_H_
