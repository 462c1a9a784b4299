/* Lets what is built with glibc 2.35 or later run with glibc 2.34, which distributions of ten years' support have, and
 * the extension with musl, which Alpine has.
 *
 * musl's loader takes the names libc.so.6, libm.so.6 and libdl.so.2 for itself and heeds no versions of symbols, so an extension
 * loads there if it asks for nothing that musl lacks. What the static C++ library asks for is here, not seen outside.
 * Its locales and streams read glibc's structures and must not be in the extension; tests/exports.sh looks.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>
#include <sys/auxv.h>
#include <time.h>

#define HIDDEN __attribute__((visibility("hidden")))

/* 0: counts of references are always atomic. */
HIDDEN char __libc_single_threaded = 0;

#ifdef __aarch64__ /* the static libgcc asks by this name which atomic instructions there are */
HIDDEN unsigned long __getauxval(unsigned long type) {
  return getauxval(type);
}
#endif

/* std::condition_variable waits by the steady clock. Where there is no such call, until the same moment by the clock of
 * day; who waits asks the steady clock afterwards and waits again where it was too short. */
typedef int wait_by_clock(pthread_cond_t*, pthread_mutex_t*, clockid_t, const struct timespec*);
HIDDEN int pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock,
                                  const struct timespec* end) {
  wait_by_clock* const call = (wait_by_clock*)dlsym(RTLD_DEFAULT, "pthread_cond_clockwait");
  struct timespec now, day;
  if (call != NULL) return call(condition, mutex, clock, end);
  clock_gettime(clock, &now);
  clock_gettime(CLOCK_REALTIME, &day);
  day.tv_sec += end->tv_sec - now.tv_sec;
  day.tv_nsec += end->tv_nsec - now.tv_nsec;
  if (day.tv_nsec < 0) day.tv_sec--, day.tv_nsec += 1000000000;
  if (day.tv_nsec >= 1000000000) day.tv_sec++, day.tv_nsec -= 1000000000;
  return pthread_cond_timedwait(condition, mutex, &day);
}

/* The static libgcc asks for _dl_find_object, of glibc 2.35, to unwind exceptions. This one does the same by what every
 * libc has: of the object that contains an address it tells where its table of frames is. */
#if defined(DLFO_STRUCT_HAS_EH_DBASE) && !defined(__arm__) /* glibc 2.35 and later; 32-bit ARM unwinds by another table */

struct search {
  uintptr_t address;
  struct dl_find_object* result;
};

static int look(struct dl_phdr_info* object, size_t size, void* data) {
  const struct search* search = data;
  const ElfW(Phdr)* frames = NULL;
  int contains = 0;
  (void)size;
  for (int i = 0; i < object->dlpi_phnum; i++) {
    const ElfW(Phdr)* part = &object->dlpi_phdr[i];
    const uintptr_t start = object->dlpi_addr + part->p_vaddr;
    if (part->p_type == PT_GNU_EH_FRAME) frames = part;
    if (part->p_type != PT_LOAD) continue;
    if (search->address < start || search->address - start >= part->p_memsz) continue;
    contains = 1;
    search->result->dlfo_map_start = (void*)start;
    search->result->dlfo_map_end = (void*)(start + part->p_memsz);
  }
  if (!contains || frames == NULL) return contains ? -1 : 0;
  search->result->dlfo_eh_frame = (void*)(object->dlpi_addr + frames->p_vaddr);
  return 1;
}

HIDDEN int _dl_find_object(void* address, struct dl_find_object* result) {
  struct search search = {(uintptr_t)address, result};
  memset(result, 0, sizeof(*result));
  return dl_iterate_phdr(look, &search) == 1 ? 0 : -1;
}

#endif
