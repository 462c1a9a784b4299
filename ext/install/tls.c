/* Linked before the C library, under the name of a part of it: the place of a thread's variables is asked for by
 * __tls_get_addr, which glibc has in its loader. Found here first, not the loader but libdl.so.2 is among what the extension
 * needs. glibc has that still, empty, and to musl's loader it is a name of its C library. Never loaded. */
void* __tls_get_addr(void* place) {
  return place;
}
