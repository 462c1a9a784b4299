/* In the place of dlopen (-Wl,--wrap=dlopen): the program loads no extensions, though its SQLite could, and a program that has
 * its C library in it could load none but where it was built. */
#include <stddef.h>

void* __wrap_dlopen(const char* file, int how);
void* __wrap_dlopen(const char* file, int how) {
  (void)file, (void)how;
  return NULL;
}
