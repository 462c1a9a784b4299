#include "tests/support/failing_memory.h"

#include <dlfcn.h>
#include <doctest/doctest.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <map>
#include <new>
#include <set>

#include "tests/support/seed.h"

namespace {

std::atomic<bool> armed{false}, persistent_fault{false}, fired{false};
std::atomic<int64_t> allocations{0}, failing{0};
std::atomic<int> failing_thread{0};

// Of ForkedFaults.
bool is_forking = false, is_copy = false;
int64_t failed_copies = 0;
std::atomic<int64_t> failed_checks = 0;  // threads check too

// This allocation fails in the copy alone.
bool FailsInCopy() {
  armed = false;
  const int64_t n = ++allocations;
  const pid_t copy = fork();
  if (copy == 0) {
    is_forking = false;
    is_copy = fired = true;
    failing = n;
    persistent_fault = n % 2 == 0;
    armed = true;
    return true;
  }
  int status = 0;
  if (copy < 0 || waitpid(copy, &status, 0) != copy || status != 0) failed_copies++;
  armed = true;
  return false;
}

bool Fails() {
  if (!armed.load(std::memory_order_relaxed)) return false;
  if (is_forking) return FailsInCopy();
  const int64_t n = ++allocations;
  if (n != failing && !(persistent_fault && n > failing)) return false;
  fired = true;
  return true;
}

sqlite3_mem_methods original;

// SQLite takes another allocator only before it is initialised.
const bool installed = [] {
  sqlite3_config(SQLITE_CONFIG_GETMALLOC, &original);
  sqlite3_mem_methods methods = original;
  methods.xMalloc = [](int size) -> void* { return Fails() ? nullptr : original.xMalloc(size); };
  methods.xRealloc = [](void* p, int size) -> void* {
    return Fails() ? nullptr : original.xRealloc(p, size);
  };
  sqlite3_config(SQLITE_CONFIG_MEMSTATUS,
                 0);  // nobody asks for it, and each allocation takes a lock for it
  // A connection's mutex is held by the thread of the process that took it, and a copy's thread is
  // another.
  if (std::getenv("S2V_ALL_FAULTS") != nullptr) sqlite3_config(SQLITE_CONFIG_MULTITHREAD);
  return sqlite3_config(SQLITE_CONFIG_MALLOC, &methods) == SQLITE_OK;
}();

void* Allocate(size_t size) {
  void* p = Fails() ? nullptr : std::malloc(size == 0 ? 1 : size);
  if (p == nullptr) throw std::bad_alloc();
  return p;
}

}  // namespace

void* operator new(size_t size) {
  return Allocate(size);
}
void* operator new[](size_t size) {
  return Allocate(size);
}
void* operator new(size_t size, const std::nothrow_t&) noexcept {
  return Fails() ? nullptr : std::malloc(size == 0 ? 1 : size);
}
void* operator new[](size_t size, const std::nothrow_t& nothrow) noexcept {
  return operator new(size, nothrow);
}
void operator delete(void* p) noexcept {
  std::free(p);
}
void operator delete[](void* p) noexcept {
  std::free(p);
}
void operator delete(void* p, size_t) noexcept {
  std::free(p);
}
void operator delete[](void* p, size_t) noexcept {
  std::free(p);
}

extern "C" __attribute__((visibility("default"))) void* aligned_alloc(size_t alignment,
                                                                      size_t size) {
  void* p = nullptr;
  if (Fails() || posix_memalign(&p, alignment, size) != 0) return nullptr;
  return p;
}

#if !defined(__SANITIZE_THREAD__) && !defined(__SANITIZE_ADDRESS__)
// NOLINTNEXTLINE(bugprone-reserved-identifier): glibc's own name of it.
extern "C" void* __libc_calloc(size_t count, size_t size);
extern "C" __attribute__((visibility("default"))) void* calloc(size_t count, size_t size) {
  return Fails() ? nullptr : __libc_calloc(count, size);
}

extern "C" __attribute__((visibility("default"))) int pthread_create(
    pthread_t* thread, const pthread_attr_t* attributes, void* (*start)(void*), void* p) {
  using Create = int (*)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
  static const auto create = reinterpret_cast<Create>(dlsym(RTLD_NEXT, "pthread_create"));
  if (failing_thread > 0 && --failing_thread == 0) return EAGAIN;
  return create(thread, attributes, start, p);
}
#endif

// Each training gives its memory back at its end; thousands of tiny ones would fetch it page by
// page again.
extern "C" __attribute__((visibility("default"))) int malloc_trim(size_t) {
  return 0;
}

namespace s2v::testing {

MemoryFault::MemoryFault(int64_t nth, bool persistent) {
  if (!installed) std::abort();
  allocations = 0;
  failing = nth;
  persistent_fault = persistent;
  fired = false;
  armed = true;
}
void MemoryFault::Stop() {
  armed = false;
}
int64_t MemoryFault::Count() const {
  return allocations;
}
bool MemoryFault::Fired() const {
  return fired;
}

namespace {

struct Sample {
  std::set<int64_t> points;
  std::map<std::string, int> runs;  // of a statement, by its text

  // Adds the allocations about this moment.
  void Mark(int64_t before, int64_t after) {
    armed = false;
    const int64_t now = allocations;
    for (int64_t n = now - before; n <= now + after; n++) points.insert(n);
    armed = true;
  }
  // Where a statement begins or ends: of many runs of one the first, and what the stride takes.
  void MarkStatement(const char* text) {
    armed = false;
    const bool first = ++runs[text] <= 2;
    armed = true;
    if (first) Mark(0, 1);
  }
};

}  // namespace

bool AllFaults() {
  return std::getenv("S2V_ALL_FAULTS") != nullptr;
}

std::vector<int64_t> FaultPoints(sqlite3* db, const std::string& sql) {
  static const bool all = AllFaults();
  static const int64_t seed =
      all ? 0 : static_cast<int64_t>(Seed("a sample of the failing allocations") % 1000);
  Sample sample;
  MemoryFault count(INT64_MAX, false);
  sqlite3_trace_v2(
      db, SQLITE_TRACE_STMT | SQLITE_TRACE_PROFILE,
      [](unsigned event, void* to, void* statement, void* text) {
        // SQLite makes a comment of what a function runs, for us alone.
        if (event == SQLITE_TRACE_STMT && *static_cast<const char*>(text) == '-') allocations--;
        static_cast<Sample*>(to)->MarkStatement(sqlite3_sql(static_cast<sqlite3_stmt*>(statement)));
        return 0;
      },
      &sample);
  sqlite3_commit_hook(
      db,
      [](void* to) {
        static_cast<Sample*>(to)->Mark(10, 10);
        return 0;
      },
      &sample);
  sqlite3_exec(db, sql.c_str(), nullptr, nullptr, nullptr);
  count.Stop();
  sqlite3_trace_v2(db, 0, nullptr, nullptr);
  sqlite3_commit_hook(db, nullptr, nullptr);
  std::set<int64_t>& points = sample.points;
  const int64_t total = count.Count(), stride = all ? 1 : total / 25 + 1;
  for (int64_t n = 1; n <= total; n++) {
    if (n <= 15 || n > total - 15 || n % stride == seed % stride) points.insert(n);
  }
  points.erase(points.begin(), points.lower_bound(1));
  points.erase(points.upper_bound(total), points.end());
  points.insert(INT64_MAX);
  return {points.begin(), points.end()};
}

namespace {

// Counts the checks that fail, which doctest tells nobody before the end.
struct FailedChecks : doctest::IReporter {
  explicit FailedChecks(const doctest::ContextOptions&) {}
  void report_query(const doctest::QueryData&) override {}
  void test_run_start() override {}
  void test_run_end(const doctest::TestRunStats&) override {}
  void test_case_start(const doctest::TestCaseData&) override {}
  void test_case_reenter(const doctest::TestCaseData&) override {}
  void test_case_end(const doctest::CurrentTestCaseStats&) override {}
  void test_case_exception(const doctest::TestCaseException&) override {}
  void subcase_start(const doctest::SubcaseSignature&) override {}
  void subcase_end() override {}
  void log_assert(const doctest::AssertData& check) override {
    failed_checks += check.m_failed ? 1 : 0;
  }
  void log_message(const doctest::MessageData&) override {}
  void test_case_skipped(const doctest::TestCaseData&) override {}
};
REGISTER_LISTENER("failed_checks", 1, FailedChecks);

}  // namespace

ForkedFaults::ForkedFaults() {
  if (!installed) std::abort();
  std::cout.flush();
  allocations = failed_copies = 0;
  fired = false;
  is_forking = armed = true;
}
bool ForkedFaults::StopAndAskWhetherCopy() {
  armed = is_forking = false;
  if (is_copy) failed_checks = 0;
  return is_copy;
}
int64_t ForkedFaults::FailedAllocation() {
  return failing;
}
void ForkedFaults::EndCopy(bool threw) {
  std::cout.flush();
  _exit(threw || failed_checks > 0 ? 1 : 0);
}
int64_t ForkedFaults::Copies() const {
  return allocations;
}
int64_t ForkedFaults::FailedCopies() const {
  return failed_copies;
}

void FailThread(int nth) {
  failing_thread = nth;
}

}  // namespace s2v::testing
