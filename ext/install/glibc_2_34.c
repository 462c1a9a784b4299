/* Lets programs that are built with glibc 2.35 run on 2.34, which distributions of ten years' support have.
 *
 * The static libgcc asks for _dl_find_object, of glibc 2.35, to unwind exceptions. This one, not seen outside, does the
 * same by what every glibc has: of the object that contains an address it tells where its table of frames is.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <stdint.h>
#include <string.h>

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

__attribute__((visibility("hidden"))) int _dl_find_object(void* address, struct dl_find_object* result) {
  struct search search = {(uintptr_t)address, result};
  memset(result, 0, sizeof(*result));
  return dl_iterate_phdr(look, &search) == 1 ? 0 : -1;
}

#endif
