#include "tests/support/failing_memory.h"

#include <dlfcn.h>
#include <pthread.h>
#include <sqlite3.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <new>

namespace {

std::atomic<bool> armed{false}, persistent_fault{false}, fired{false};
std::atomic<int64_t> allocations{0}, failing{0};
std::atomic<int> failing_thread{0};

bool Fails() {
  if (!armed.load(std::memory_order_relaxed)) return false;
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
extern "C" __attribute__((visibility("default"))) int pthread_create(
    pthread_t* thread, const pthread_attr_t* attributes, void* (*start)(void*), void* p) {
  using Create = int (*)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
  static const auto create = reinterpret_cast<Create>(dlsym(RTLD_NEXT, "pthread_create"));
  if (failing_thread > 0 && --failing_thread == 0) return EAGAIN;
  return create(thread, attributes, start, p);
}
#endif

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

void FailThread(int nth) {
  failing_thread = nth;
}

}  // namespace s2v::testing
